"""What stands in the root under a chat's name, and what a person knows it by, read from the head of its file."""

from __future__ import annotations

import os
import stat
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from chat_archive.core import files, json_edit
from chat_archive.core.errors import ArchiveError, BadIdError, NotFoundError, UnreadableError
from chat_archive.core.files import Place
from chat_archive.core.layout import CHAT_FILE_NAME, check_component
from chat_archive.core.model.titles import one_line

_HEAD = 4096  # bytes; id and name come first in what Agent Zero writes
_LIVE_SECONDS = 120.0
_FLAT_ENDING = ".json"


@dataclass(frozen=True, slots=True)
class Label:
    """`title` is the name, else the folder's name; `changed` the file's time in seconds since 1970, 0 when unknown."""

    title: str
    id: str
    changed: float


def label(root: Place, folder: str) -> Label:
    """Never raises: a chat that cannot be read is known by its folder."""
    try:
        if stat.S_ISDIR(root.lstat(folder).st_mode):
            with files.place(root.path, folder) as here:
                data, found = files.read_head(here, CHAT_FILE_NAME, _HEAD)
        else:
            data, found = files.read_head(root, folder, _HEAD)
    except (OSError, ArchiveError):
        return Label(one_line(folder), folder, 0.0)
    known = {m.key: data[m.start : m.end] for m in json_edit.head_members(data)}
    name = _text(known.get("name", b"null"))
    return Label(one_line(name) or one_line(folder), _text(known.get("id", b"null")) or folder, found.st_mtime)


def _text(raw: bytes) -> str:
    value = json_edit.decode(raw)
    return value if isinstance(value, str) else ""


def check_chat(root: Place, folder: str, device: int) -> None:
    """Refuse what is no chat's place in the root: bad ids (D-07, D-08), nothing there, other files (D-11), another
    disk (W3). A link is one: only the link is ever moved (D-10). Raises `ArchiveError`."""
    check_component(folder)
    path = root.path / folder
    try:
        found = root.lstat(folder)
    except FileNotFoundError as error:
        raise NotFoundError("There is no such chat.", path=path) from error
    except OSError as error:
        raise files.explain(error, "The chat cannot be looked at", path) from error
    if stat.S_ISREG(found.st_mode) and not folder.endswith(_FLAT_ENDING):
        raise BadIdError("This name belongs to a file that is no chat, so it is left alone.", path=path)
    if not (stat.S_ISDIR(found.st_mode) or stat.S_ISREG(found.st_mode) or stat.S_ISLNK(found.st_mode)):
        raise BadIdError("This name belongs to a special file, so it is left alone.", path=path)
    if found.st_dev != device:
        raise UnreadableError(
            "The chat lies on another disk than the archive, and a chat is never moved by copying and deleting.",
            kind="other disk",
            path=path,
            next_step="Unmount it, or move it with the tools of your system.",
        )


def chat_parts(root: Path, folder: str) -> tuple[str, ...]:
    """Where the chat's file is below the root: (folder, "chat.json") or (flat file,). Raises `BadIdError`,
    `NotFoundError`, `UnreadableError` for a link."""
    check_component(folder)
    try:
        mode = os.lstat(root / folder).st_mode
    except FileNotFoundError as error:
        raise NotFoundError("There is no such chat.", path=root / folder) from error
    except OSError as error:
        raise files.explain(error, "The chat cannot be looked at", root / folder) from error
    if stat.S_ISLNK(mode):
        raise UnreadableError("The chat's folder is a link; links are not followed.", kind="link", path=root / folder)
    return (folder, CHAT_FILE_NAME) if stat.S_ISDIR(mode) else (folder,)


def live_remark(changed: float, is_open: bool) -> str:
    """ "" or the sentence that the host seems to have this chat open (C4)."""
    if is_open:
        return "Another program has it open, so it may be saved there again."
    age = time.time() - changed
    if changed and 0 <= age < _LIVE_SECONDS:
        return f"It was changed {age:.0f} seconds ago, so Agent Zero may have it open and save it there again."
    return ""


def open_elsewhere(root: Path) -> frozenset[str]:
    """The entries of the root in which another process has a file open, where the system tells (Linux)."""
    if not sys.platform.startswith("linux"):
        return frozenset()
    prefix = str(root) + "/"
    mine = str(os.getpid())
    found: set[str] = set()
    for process in _names("/proc"):
        if not process.isdigit() or process == mine:
            continue
        for descriptor in _names(f"/proc/{process}/fd"):
            try:
                target = os.readlink(f"/proc/{process}/fd/{descriptor}")  # noqa: PTH115 - thousands of them
            except OSError:
                continue
            if target.startswith(prefix):
                found.add(target[len(prefix) :].partition("/")[0])
    return frozenset(found)


def _names(path: str) -> list[str]:
    try:
        return os.listdir(path)  # noqa: PTH208 - names alone, and many
    except OSError:
        return []
