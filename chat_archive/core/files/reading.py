"""Reading beside a live writer (C1): regular files only, no links, at rest, within a limit."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable
from pathlib import Path

from chat_archive.core.entities import Fingerprint
from chat_archive.core.errors import ArchiveError, UnreadableError
from chat_archive.core.files.faults import explain
from chat_archive.core.files.places import READ_FLAGS, Place, close_looked_at, fingerprint_of, place

LIMIT = 512 * 1024 * 1024
"""Bytes of one file that are read at most, unless a caller says otherwise (V1)."""

SETTLE_SECONDS = 2.0
_PAUSE = 0.05
_CHUNK = 1 << 16
_CANNOT = "The file cannot be read"


def read_once(root: Path, *parts: str, limit: int = LIMIT) -> tuple[bytes, Fingerprint]:
    """The bytes of root/parts and the fingerprint they had, without waiting.

    The fingerprint is the one after reading; when it differs from the one before, the file was being written and
    `UnreadableError` of kind "changing" is raised. Raises `NotFoundError`, `StorageError`, and `UnreadableError`
    of kind "link", "not a file" or "too large".
    """
    data, before, after = _read(root, parts, limit)
    if before != after:
        raise UnreadableError("The file is being written at this moment.", kind="changing", path=root.joinpath(*parts))
    return data, after


def read_settled(
    root: Path,
    *parts: str,
    limit: int = LIMIT,
    whole: Callable[[bytes], bool] | None = None,
    seconds: float = SETTLE_SECONDS,
) -> tuple[bytes, Fingerprint]:
    """Like `read_once`, but waits for a file that is being written: `seconds` at most, 2 by default (C1).

    A file counts as being written when it changed while it was read, or when it is younger than 2 seconds and is
    empty or not `whole` (by default: its last sign does not close an object or list). After that time what is there
    is returned as it is; only a file that never stopped changing raises `UnreadableError` of kind "changing".
    """
    looks_whole = whole if whole is not None else ends_closed
    deadline = time.monotonic() + seconds
    while True:
        data, before, after = _read(root, parts, limit)
        changing = before != after
        if not changing:
            young = time.time() - after.mtime_ns / 1e9 < SETTLE_SECONDS
            if not young or (data and looks_whole(data)):
                return data, after
        if time.monotonic() >= deadline:
            if changing:
                raise UnreadableError(
                    "The file was being written all the time.",
                    kind="changing",
                    path=root.joinpath(*parts),
                    next_step="Try again when Agent Zero rests.",
                )
            return data, after
        time.sleep(_PAUSE)


def ends_closed(data: bytes) -> bool:
    """Whether the last sign that is no white space closes an object or a list."""
    return data[-64:].rstrip()[-1:] in (b"}", b"]")


def read_head(folder: Place, name: str, size: int) -> tuple[bytes, os.stat_result]:
    """The first `size` bytes of a regular file in an open folder, and what the system says about it. Raises `OSError`,
    `UnreadableError`."""
    refuse_all_but_files(folder.lstat(name), folder.path / name, 1 << 62)
    fd = os.open(folder.at(name), READ_FLAGS, dir_fd=folder.fd)
    try:
        found = os.fstat(fd)
        refuse_all_but_files(found, folder.path / name, 1 << 62)
        return os.read(fd, size), found
    finally:
        close_looked_at(fd)


def fingerprint(path: Path) -> Fingerprint:
    """Of the thing at `path` itself, never of what a link leads to. Raises `NotFoundError`, `StorageError`."""
    try:
        return fingerprint_of(os.lstat(path))
    except OSError as error:
        raise explain(error, "The file cannot be looked at", path) from error


def free_space(path: Path) -> int:
    """Bytes that this user can still write on the disk of `path`; -1 where the system does not tell."""
    if not hasattr(os, "statvfs"):
        import shutil

        try:
            return shutil.disk_usage(path).free
        except OSError:
            return -1
    try:
        found = os.statvfs(path)
    except OSError:
        return -1
    return found.f_bavail * found.f_frsize


def _read(root: Path, parts: tuple[str, ...], limit: int) -> tuple[bytes, Fingerprint, Fingerprint]:
    path = root.joinpath(*parts)
    try:
        with place(root, *parts[:-1]) as folder:
            # looked at before opening, so that no FIFO or device is ever opened
            refuse_all_but_files(folder.lstat(parts[-1]), path, limit)
            fd = os.open(folder.at(parts[-1]), READ_FLAGS, dir_fd=folder.fd)
        try:
            first = os.fstat(fd)
            refuse_all_but_files(first, path, limit)
            data = read_descriptor(fd, first.st_size, limit, path)
            return data, fingerprint_of(first), fingerprint_of(os.fstat(fd))
        finally:
            close_looked_at(fd)
    except OSError as error:
        raise _link_or(error, root, parts) from error


def read_descriptor(fd: int, expected: int, limit: int, path: Path) -> bytes:
    """Everything from the descriptor's place on; a file that grows past `limit` is refused."""
    pieces: list[bytes] = []
    total = 0
    while True:
        # a large buffer for the last, empty read would cost as much as the reading of a small chat
        piece = os.read(fd, expected - total if expected > total else _CHUNK)
        if not piece:
            return pieces[0] if len(pieces) == 1 else b"".join(pieces)
        pieces.append(piece)
        total += len(piece)
        if total > limit:
            raise _too_large(total, limit, path)


def refuse_all_but_files(found: os.stat_result, path: Path, limit: int) -> None:
    """Raise `UnreadableError` for links, folders, pipes, devices and files over `limit` bytes."""
    if stat.S_ISLNK(found.st_mode):
        raise UnreadableError("This is a link; links are not followed.", kind="link", path=path)
    if not stat.S_ISREG(found.st_mode):
        raise UnreadableError("This is not a regular file.", kind="not a file", path=path)
    if found.st_size > limit:
        raise _too_large(found.st_size, limit, path)


def _too_large(size: int, limit: int, path: Path) -> UnreadableError:
    return UnreadableError(
        f"The file has {size / 1e6:,.0f} MB, more than the limit of {limit / 1e6:,.0f} MB.",
        kind="too large",
        path=path,
    )


def _link_or(error: OSError, root: Path, parts: tuple[str, ...]) -> ArchiveError:
    """A link on the way gives ELOOP or ENOTDIR, by system: name it as what it is."""
    here = root
    for part in parts[:-1]:
        here = here / part
        try:
            if stat.S_ISLNK(os.lstat(here).st_mode):
                return UnreadableError("The folder is a link; links are not followed.", kind="link", path=here)
        except OSError:
            break
    return explain(error, _CANNOT, root.joinpath(*parts))
