"""Folders resolved part by part from an open descriptor, never through a link (C6).

Where the system has no such calls (Windows), the parts are looked at one by one just before use.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from chat_archive.core.entities import Fingerprint
from chat_archive.core.errors import StorageError

HAS_DESCRIPTORS = os.name != "nt" and os.open in os.supports_dir_fd
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_DIRECTORY = getattr(os, "O_DIRECTORY", 0)
_CLOEXEC = getattr(os, "O_CLOEXEC", 0)
FOLDER_FLAGS = os.O_RDONLY | _DIRECTORY | _NOFOLLOW | _CLOEXEC
READ_FLAGS = os.O_RDONLY | _NOFOLLOW | _CLOEXEC | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
WRITE_NEW_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NOFOLLOW | _CLOEXEC | getattr(os, "O_BINARY", 0)


@dataclass(frozen=True, slots=True)
class Place:
    """An open folder. `fd` is None where descriptors of folders do not exist; then `at` gives whole paths."""

    path: Path
    fd: int | None

    def at(self, name: str) -> str:
        return name if self.fd is not None else str(self.path / name)

    def lstat(self, name: str) -> os.stat_result:
        return os.stat(self.at(name), dir_fd=self.fd, follow_symlinks=False)

    def exists(self, name: str) -> bool:
        """Whether the name is taken, by a link that leads nowhere too."""
        try:
            self.lstat(name)
        except FileNotFoundError:
            return False
        return True

    def names(self) -> list[str]:
        """The names in this folder, in no order. Raises on any error (W5)."""
        return os.listdir(self.fd if self.fd is not None else self.path)  # noqa: PTH208 - by descriptor


@contextmanager
def place(root: Path, *parts: str) -> Iterator[Place]:
    """Open `root` and go down `parts` without following a link. Raises `OSError`.

    `root` itself is taken as given: it was resolved once when it was opened.
    """
    where = root.joinpath(*parts)
    for part in parts:
        _one_component(part)
    if not HAS_DESCRIPTORS:
        here = root
        for part in parts:
            here = here / part
            if not stat.S_ISDIR(os.lstat(here).st_mode):
                raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(here))
        yield Place(where, None)
        return
    fd = os.open(root, os.O_RDONLY | _DIRECTORY | _CLOEXEC)
    try:
        for part in parts:
            below = os.open(part, FOLDER_FLAGS, dir_fd=fd)
            fd, above = below, fd
            close_looked_at(above)
        yield Place(where, fd)
    finally:
        close_looked_at(fd)


def close_looked_at(fd: int) -> None:
    """Close what was opened to look only: nothing was written through it, so a failing close loses nothing."""
    with suppress(OSError):
        os.close(fd)


def is_name(part: str) -> bool:
    """Whether this can be the name of one file or folder on this system: no path, no NUL, no half of a character."""
    if part in ("", ".", "..") or "/" in part or "\0" in part or (os.name == "nt" and "\\" in part):
        return False
    try:
        os.fsencode(part)
    except UnicodeError:
        return False
    return True


def _one_component(part: str) -> None:
    if not is_name(part):
        raise StorageError("This is not the name of one file or folder, so it is refused.")


def fingerprint_of(found: os.stat_result) -> Fingerprint:
    return Fingerprint(found.st_size, found.st_mtime_ns, found.st_ino, found.st_dev)


def is_folder(folder: Place, name: str) -> bool:
    """Whether the name is a real folder, and not a link to one. Raises `OSError`."""
    return stat.S_ISDIR(folder.lstat(name).st_mode)
