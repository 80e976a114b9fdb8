"""Renames the standard library does not offer: never over something, and two names exchanged in one step.

Linux has renameat2, macOS renameatx_np, Windows MoveFile (never over something by default) and ReplaceFile.
"""

from __future__ import annotations

import ctypes
import errno
import functools
import os
import sys
from collections.abc import Callable
from typing import Any

from chat_archive.core.files.places import Place

_NO_SUCH_CALL = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP}
_AT_CURRENT = -100 if sys.platform != "darwin" else -2


class CannotExchangeError(OSError):
    """This system or disk cannot exchange two names."""


@functools.cache
def _call() -> tuple[Callable[..., int], int, int] | None:
    """The system's call with its flags for (no replace, exchange), or None."""
    name, keep, swap = ("renameatx_np", 4, 2) if sys.platform == "darwin" else ("renameat2", 1, 2)
    if os.name == "nt":
        return None
    try:
        found: Any = getattr(ctypes.CDLL(None, use_errno=True), name)
    except (OSError, AttributeError):
        return None
    found.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint]
    found.restype = ctypes.c_int
    return found, keep, swap


def _rename_with(  # noqa: PLR0917 - as the system's call has them
    flag: int, call: Callable[..., int], source: Place, old: str, target: Place, new: str
) -> None:
    result = call(
        source.fd if source.fd is not None else _AT_CURRENT,
        os.fsencode(source.at(old)),
        target.fd if target.fd is not None else _AT_CURRENT,
        os.fsencode(target.at(new)),
        flag,
    )
    if result != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), str(source.path / old), None, str(target.path / new))


def rename_new(source: Place, old: str, target: Place, new: str) -> None:
    """Rename, never over something that exists. Raises `FileExistsError` or another `OSError`."""
    found = _call()
    if found is not None:
        try:
            _rename_with(found[1], found[0], source, old, target, new)
            return
        except OSError as error:
            if error.errno not in _NO_SUCH_CALL:
                raise
    # the disk has no such rename: looking first leaves a moment, and only for a name that is ours alone to give
    if target.exists(new):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target.path / new))
    os.rename(source.at(old), target.at(new), src_dir_fd=source.fd, dst_dir_fd=target.fd)


def rename_over(source: Place, old: str, target: Place, new: str) -> None:
    """Rename over a file that may exist, in one step."""
    os.replace(source.at(old), target.at(new), src_dir_fd=source.fd, dst_dir_fd=target.fd)


def exchange_names(one: Place, first: str, other: Place, second: str) -> None:
    """Swap what two names stand for, in one step. Raises `CannotExchangeError` where that is impossible."""
    found = _call()
    if found is None:
        raise CannotExchangeError(errno.ENOSYS, "names cannot be exchanged here")
    try:
        _rename_with(found[2], found[0], one, first, other, second)
    except OSError as error:
        if error.errno in _NO_SUCH_CALL:
            raise CannotExchangeError(error.errno, "names cannot be exchanged here") from error
        raise


def hold(folder: Place, name: str, stage: Place, held: str) -> bool:
    """A second name for a file in the private folder, so that what is written into it can still be seen after it was
    replaced. Never a copy (H3): it is gone in a moment. False where the disk has no such names."""
    try:
        os.link(folder.at(name), stage.at(held), src_dir_fd=folder.fd, dst_dir_fd=stage.fd, follow_symlinks=False)
    except (OSError, NotImplementedError):
        return False
    return True
