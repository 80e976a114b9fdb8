"""One window or command at a time changes a root: a lock that dies with its process (C5).

The file stays; only the system's lock on it counts, so nothing outlives a crash.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import time
from pathlib import Path

from chat_archive.core.files import explain, open_lock_file

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_BUSY = {errno.EAGAIN, errno.EACCES, errno.EWOULDBLOCK, errno.EDEADLK}
_PAUSE = 0.05


class RootLock:
    """The lock of one private folder. Not tied to a thread."""

    def __init__(self) -> None:
        self._fd: int | None = None

    @property
    def held(self) -> bool:
        return self._fd is not None

    def guards(self, path: Path) -> bool:
        """Whether the lock is held and its file is still the one at `path`: a folder may be removed and made anew."""
        if self._fd is None:
            return False
        try:
            return os.path.samestat(os.fstat(self._fd), os.lstat(path))
        except OSError:
            return False

    def acquire(self, path: Path, wait: float = 0.0) -> bool:
        """Take the lock on the file at `path`, trying for `wait` seconds. False when another holds it.

        Raises `StorageError` when the lock file cannot be made or opened.
        """
        if self._fd is not None:
            return True
        deadline = time.monotonic() + wait
        fd = open_lock_file(path)
        try:
            while not _try_lock(fd):
                if time.monotonic() >= deadline:
                    os.close(fd)
                    return False
                time.sleep(_PAUSE)
        except OSError as error:
            with contextlib.suppress(OSError):
                os.close(fd)
            raise explain(error, "The archive could not be locked for changes", path) from error
        self._fd = fd
        return True

    def release(self) -> None:
        """Let go. Calling twice is fine."""
        if self._fd is not None:
            fd, self._fd = self._fd, None
            with contextlib.suppress(OSError):
                os.close(fd)

    def __del__(self) -> None:
        self.release()


def _try_lock(fd: int) -> bool:
    try:
        if sys.platform == "win32":
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _BUSY:
            return False
        raise
    return True
