"""The entries of a root that may be chats, found by one listing and one look each; nothing is opened."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from chat_archive.core import files
from chat_archive.core.entities import Fingerprint, Folder
from chat_archive.core.errors import ArchiveError, NotFoundError, StorageError, UnreadableError
from chat_archive.core.layout import CHAT_FILE_NAME, PRIVATE_FOLDER, is_host_temporary
from chat_archive.core.model.titles import one_line


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the root that may be a chat. `trouble`: why its file could not even be looked at."""

    folder: Folder
    flat: bool
    fingerprint: Fingerprint | None
    trouble: ArchiveError | None = None

    @property
    def parts(self) -> tuple[str, ...]:
        return (self.folder,) if self.flat else (self.folder, CHAT_FILE_NAME)


def entries(root: Path) -> list[Entry]:
    """What may be a chat in the root, newest file first. Raises `StorageError`, `NotFoundError` for the root itself."""
    found: list[Entry] = []
    try:
        with files.place(root) as here:
            for name in here.names():
                entry = _entry(here, root, name)
                if entry is not None:
                    found.append(entry)
    except OSError as error:
        raise files.explain(error, "The chats folder cannot be read", root) from error
    found.sort(key=lambda entry: (-(entry.fingerprint.mtime_ns if entry.fingerprint else 0), entry.folder))
    return found


def _entry(here: files.Place, root: Path, name: str) -> Entry | None:
    if name == PRIVATE_FOLDER:
        return None
    folder = Folder(name)
    try:
        found = here.lstat(name)
    except OSError:
        return None  # gone since the listing
    if stat.S_ISLNK(found.st_mode):
        trouble = UnreadableError("This entry is a link; links are not followed.", kind="link", path=root / name)
        return Entry(folder, False, None, trouble)
    if stat.S_ISREG(found.st_mode):
        return Entry(folder, True, files.fingerprint_of(found)) if name.endswith(".json") else None
    if not stat.S_ISDIR(found.st_mode):
        return None
    try:
        inner = os.stat(here.at(f"{name}/{CHAT_FILE_NAME}"), dir_fd=here.fd, follow_symlinks=False)
    except FileNotFoundError:
        return None
    except PermissionError:
        reason = "The folder cannot be opened: this user is not allowed to."
        hint = "Files of a container often belong to its root user: give your user the right to read them."
        return Entry(folder, False, None, StorageError(reason, path=root / name, next_step=hint))
    except OSError as error:
        return Entry(folder, False, None, files.explain(error, "The chat cannot be looked at", root / name))
    return Entry(folder, False, files.fingerprint_of(inner), _no_file(inner.st_mode, root / name / CHAT_FILE_NAME))


def _no_file(mode: int, path: Path) -> UnreadableError | None:
    """Why a chat.json that is no regular file is not opened, in words."""
    if stat.S_ISREG(mode):
        return None
    for test, what, kind in _KINDS:
        if test(mode):
            return UnreadableError(f"{CHAT_FILE_NAME} is {what} and no file.", kind=kind, path=path)
    return UnreadableError(f"{CHAT_FILE_NAME} is no regular file.", kind="not a file", path=path)


_KINDS = (
    (stat.S_ISDIR, "a folder", "folder"),
    (stat.S_ISLNK, "a link, which is not followed,", "link"),
    (stat.S_ISFIFO, "a pipe", "not a file"),
    (stat.S_ISSOCK, "a socket", "not a file"),
    (stat.S_ISCHR, "a device", "not a file"),
    (stat.S_ISBLK, "a device", "not a file"),
)


def entry_of(root: Path, folder: str) -> Entry:
    """The entry of that name. Raises `NotFoundError` when it is no chat, `StorageError`."""
    try:
        with files.place(root) as here:
            entry = _entry(here, root, folder) if files.is_name(folder) else None
    except OSError as error:
        raise files.explain(error, "The chats folder cannot be read", root) from error
    if entry is None:
        raise NotFoundError("There is no such chat.", path=root / one_line(folder, 80))
    return entry


def leftovers(root: Path, folder: str) -> list[str]:
    """Names of `.chat.json.*.tmp` files that a killed save left in the folder (D-21)."""
    try:
        with files.place(root, folder) as here:
            return sorted(name for name in here.names() if is_host_temporary(name))
    except (OSError, ArchiveError):
        return []
