"""What the operating system refused, as a sentence a person can act on."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from chat_archive.core.errors import ArchiveError, NotFoundError, StorageError

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_NOT_ALLOWED = {errno.EACCES, errno.EPERM}

# (sentence of the reason, what one can do next)
_REASONS: dict[int, tuple[str, str]] = {
    errno.EROFS: ("the disk is mounted read-only", "Mount it writable and try again."),
    errno.EXDEV: (
        "it lies on another disk or mount, and a chat is never moved by copying and deleting",
        "Move it with the tools of your system.",
    ),
    errno.EBUSY: ("the system is using it, perhaps as a mount point", "Unmount it and try again."),
    errno.EIO: ("the disk reported an error", "Check the disk; nothing was thrown away."),
    errno.EMFILE: ("this program has too many files open", "Close some windows and try again."),
    errno.ENFILE: ("the system has too many files open", "Try again in a moment."),
    errno.ENAMETOOLONG: ("the name is too long for this disk", ""),
    errno.ENOTDIR: ("something there is a file or a link where a folder was expected", ""),
    errno.ELOOP: ("a link stands where a real file or folder was expected, and links are not followed", ""),
    errno.EEXIST: ("something of that name is there already", ""),
    errno.ENOTEMPTY: ("the folder is not empty", ""),
}


def is_full(error: BaseException) -> bool:
    """Whether this error, or the one it was made from, says that the disk is full."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, OSError) and seen.errno in _FULL:
            return True
        seen = seen.__cause__
    return False


def explain(error: OSError, what: str, path: Path | str | None) -> ArchiveError:
    """An error fit to show. `what` begins the sentence, e.g. "The chat could not be moved"."""
    code = error.errno or 0
    if code in _FULL:
        return StorageError(f"{what}: the disk is full.", path=path, next_step="Free some space and try again.")
    if code in _NOT_ALLOWED:
        return StorageError(f"{what}: this user is not allowed to.", path=path, next_step=_rights_hint(path))
    if code == errno.ENOENT:
        return NotFoundError(f"{what}: it is not there.", path=path)
    reason, next_step = _REASONS.get(code, ((os.strerror(code) if code else "the system refused").lower(), ""))
    return StorageError(f"{what}: {reason}.", path=path, next_step=next_step)


def _rights_hint(path: Path | str | None) -> str:
    """Who owns the thing, when that can be told. Rights are never changed by this program (D-19)."""
    general = (
        "Files of a container often belong to its root user: start this program as the owner, "
        "or give your user the right to them."
    )
    if path is None or os.name == "nt":
        return general
    try:
        found = os.lstat(path)
    except OSError:
        return general
    if found.st_uid == os.geteuid():
        return f"Its access rights are {found.st_mode & 0o7777:04o}; give yourself the right to change it."
    return f"It belongs to user number {found.st_uid} with access rights {found.st_mode & 0o7777:04o}. {general}"
