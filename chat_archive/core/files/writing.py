"""Writing, renaming and removing, each step as the safety contract orders it (W1 to W5).

New files are 0600 and new folders 0700 until told otherwise. Every function raises `ArchiveError` and nothing else;
after an error the old state stands and what was begun is gone, or lies in the private folder for recovery.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path

from chat_archive.core.entities import Fingerprint
from chat_archive.core.errors import ArchiveError, ConflictError, StorageError
from chat_archive.core.files import names
from chat_archive.core.files.faults import explain
from chat_archive.core.files.places import HAS_DESCRIPTORS, WRITE_NEW_FLAGS, Place, fingerprint_of, place

# a folder that this disk cannot sync says so with one of these; a real fault is EIO and is always told
_CANNOT_SYNC = {errno.EINVAL, errno.ENOTSUP, errno.ENOSYS}


@contextlib.contextmanager
def telling(what: str, path: Path | str | None) -> Iterator[None]:
    """Turn `OSError` into a sentence that begins with `what`."""
    try:
        yield
    except ArchiveError:
        raise
    except FileExistsError as error:
        raise ConflictError(f"{what}: something of that name is there already.", path=path) from error
    except OSError as error:
        raise explain(error, what, path) from error
    except ValueError as error:  # NUL, or half of a character: a path that was typed, dropped or decoded from a URL
        if not isinstance(error, UnicodeError) and "null" not in str(error):
            raise
        raise StorageError(f"{what}: this cannot be the name of a file.") from error


@contextlib.contextmanager
def folder_of(path: Path) -> Iterator[Place]:
    """The folder that holds `path`, opened."""
    with place(path.parent) as found:
        yield found


def sync_place(folder: Place) -> None:
    """Make the names of a folder safe. Where the system cannot (Windows, D-20) nothing happens; faults raise."""
    if folder.fd is None:
        return
    try:
        os.fsync(folder.fd)
    except OSError as error:
        if error.errno not in _CANNOT_SYNC:
            raise


def fsync_folder(path: Path) -> None:
    """Make the names of the folder at `path` safe on disk. Raises `StorageError`, `NotFoundError`."""
    with telling("The folder could not be made safe on disk", path), place(path) as folder:
        sync_place(folder)


def write_all(fd: int, data: bytes | memoryview) -> None:
    """Write all of it; one call of the system may write less."""
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def write_new_at(
    folder: Place,
    name: str,
    data: bytes,
    *,
    mode: int = 0o600,
    like: os.stat_result | None = None,
    keep_owner: bool = True,
) -> Fingerprint:
    """A new file with these bytes, synced and closed. With `like`, it gets the mode and owner of that file.

    Raises `OSError`; then the new file is gone again. The caller syncs the folder.
    """
    fd = os.open(folder.at(name), WRITE_NEW_FLAGS, mode, dir_fd=folder.fd)
    try:
        try:
            write_all(fd, data)
            if like is not None and HAS_DESCRIPTORS:
                _take_after(fd, like, keep_owner)
            os.fsync(fd)
            made = fingerprint_of(os.fstat(fd))
        finally:
            os.close(fd)
    except BaseException:
        with contextlib.suppress(OSError):
            remove_name(folder, name)
        raise
    return made


def _take_after(fd: int, like: os.stat_result, keep_owner: bool) -> None:
    """Files of the host keep their mode and owner (L2): its program may run as another user."""
    mine = os.fstat(fd)
    if (mine.st_uid, mine.st_gid) != (like.st_uid, like.st_gid):
        try:
            os.fchown(fd, like.st_uid, like.st_gid)
        except PermissionError:
            if keep_owner and mine.st_uid != like.st_uid:
                raise
    if stat.S_IMODE(mine.st_mode) != stat.S_IMODE(like.st_mode):
        os.fchmod(fd, stat.S_IMODE(like.st_mode))


def write_new(path: Path, data: bytes, mode: int = 0o600) -> Fingerprint:
    """A new file with these bytes, safe on disk with its name; the name must be free. Raises `ConflictError`,
    `StorageError`, `NotFoundError`."""
    with telling("The file could not be written", path), folder_of(path) as folder:
        made = write_new_at(folder, path.name, data, mode=mode)
        sync_place(folder)
        return made


def replace_atomic(target: Path, data: bytes, staging: Path) -> Fingerprint:
    """One of our own files replaced, all or nothing (W2): written in `staging`, synced, renamed over `target`.

    Not for chats: a chat that is there is edited by exchange (`chat_archive.core.files.editing`).
    """
    name = f"{uuid.uuid4().hex}.tmp"
    with telling("The file could not be written", target), place(staging) as stage, folder_of(target) as folder:
        made = write_new_at(stage, name, data)
        try:
            names.rename_over(stage, name, folder, target.name)
        except BaseException:
            with contextlib.suppress(OSError):
                remove_name(stage, name)
            raise
        sync_place(folder)
        return made


def write_file_beside(target: Path, data: bytes, *, overwrite: bool = False) -> Fingerprint:
    """An export: written under a passing name beside `target`, synced, then given its name.

    Never over an existing file unless `overwrite` (the person was asked, E3); then `ConflictError`.
    """
    name = f".{uuid.uuid4().hex}.part"
    with telling("The file could not be written", target), folder_of(target) as folder:
        made = write_new_at(folder, name, data)
        try:
            if overwrite:
                names.rename_over(folder, name, folder, target.name)
            else:
                names.rename_new(folder, name, folder, target.name)
        except BaseException:
            with contextlib.suppress(OSError):
                remove_name(folder, name)
            raise
        sync_place(folder)
        return made


def append_synced(path: Path, data: bytes) -> None:
    """As `append`, and safe on disk when it returns."""
    append(path, data, sync=True)


def append(path: Path, data: bytes, *, sync: bool) -> None:
    """Bytes added at the end of one of our own files, made when missing; a failed append is taken back.

    Raises `StorageError`. After a failed sync the file must not be trusted to hold what was appended (W4).
    """
    flags = os.O_WRONLY | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
    flags |= getattr(os, "O_BINARY", 0)
    with telling("The archive's record could not be written", path), folder_of(path) as folder:
        made = not folder.exists(path.name)
        if not made and not stat.S_ISREG(folder.lstat(path.name).st_mode):
            raise StorageError("Something that is no file stands in the place of the archive's record.", path=path)
        fd = os.open(folder.at(path.name), flags | (os.O_CREAT | os.O_EXCL if made else 0), 0o600, dir_fd=folder.fd)
        try:
            before = os.fstat(fd).st_size
            try:
                write_all(fd, data)
                if sync:
                    os.fsync(fd)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.ftruncate(fd, before)
                raise
        finally:
            os.close(fd)
        if made:
            sync_place(folder)


def open_lock_file(path: Path) -> int:
    """A descriptor of the lock file, made when missing. Nothing is ever written to it."""
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
    with telling("The archive could not be locked for changes", path):
        return os.open(path, flags, 0o600)


def cut_file(path: Path, size: int) -> None:
    """Cut one of our own files to `size` bytes and make that safe."""
    flags = os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
    with telling("The archive's record could not be repaired", path):
        fd = os.open(path, flags)
        try:
            os.ftruncate(fd, size)
            os.fsync(fd)
        finally:
            os.close(fd)


def make_folder(path: Path, mode: int = 0o700) -> bool:
    """Make one folder and make its name safe; False when it is there already. Never follows a link."""
    with telling("The folder could not be made", path), folder_of(path) as above:
        try:
            os.mkdir(above.at(path.name), mode, dir_fd=above.fd)
        except FileExistsError:  # made by another process at this moment, too
            if not stat.S_ISDIR(above.lstat(path.name).st_mode):
                raise StorageError("Something that is no folder stands where one is needed.", path=path) from None
            return False
        sync_place(above)
        return True


def make_folders(path: Path, mode: int = 0o700) -> None:
    """Make a folder of our own outside a root, with those above it that are missing. Raises `StorageError`."""
    missing = [path, *path.parents]
    while missing and missing[-1].is_dir():
        missing.pop()
    for folder in reversed(missing):
        make_folder(folder, mode)


def make_passing_folder(prefix: str) -> Path:
    """A new folder for this user alone in the system's place for passing files. Raises `StorageError`."""
    with telling("A folder for passing files could not be made", tempfile.gettempdir()):
        return Path(tempfile.mkdtemp(prefix=prefix))


def make_folder_at(folder: Place, name: str, mode: int = 0o700) -> None:
    """Make one folder; the caller syncs. Raises `OSError`, `FileExistsError` when the name is taken."""
    os.mkdir(folder.at(name), mode, dir_fd=folder.fd)


def remove_name(folder: Place, name: str) -> None:
    """Remove one file or link, never what it leads to. Raises `OSError`."""
    os.unlink(folder.at(name), dir_fd=folder.fd)


def remove_folder_at(folder: Place, name: str) -> None:
    """Remove one empty folder. Raises `OSError`."""
    os.rmdir(folder.at(name), dir_fd=folder.fd)


def remove_file(path: Path) -> None:
    """Remove one file or link of ours; a missing one is no error. Raises `StorageError`."""
    with (
        telling("The file could not be removed", path),
        folder_of(path) as folder,
        contextlib.suppress(FileNotFoundError),
    ):
        remove_name(folder, path.name)


def set_mode(path: Path, mode: int) -> bool:
    """Give one of our own files or folders its mode; True when that changed something. Never follows a link."""
    with telling("The access rights could not be set", path):
        found = os.lstat(path)
        if os.name == "nt" or stat.S_ISLNK(found.st_mode) or stat.S_IMODE(found.st_mode) == mode:
            return False
        os.chmod(path, mode)  # noqa: PTH101
        return True


def set_modified(path: Path, when: float) -> None:
    """Give one of our own files its modification time, in seconds since 1970. Never follows a link."""
    with telling("The time could not be set", path):
        os.utime(path, (when, when), follow_symlinks=os.utime not in os.supports_follow_symlinks)


def move_at(source: Place, old: str, target: Place, new: str) -> None:
    """A rename that is verified: never over something, and afterwards the thing is at the new place alone.

    Raises `OSError`; the caller syncs both folders.
    """
    before = source.lstat(old)
    names.rename_new(source, old, target, new)
    after = target.lstat(new)
    if (before.st_ino, before.st_dev) != (after.st_ino, after.st_dev) and HAS_DESCRIPTORS:
        raise OSError(errno.ESTALE, "something else was moved", str(source.path / old))


def move_verified(source: Path, target: Path) -> None:
    """Move a file or folder within one disk by one rename, never over anything, and sync both folders.

    Raises `ConflictError` when the place is taken, `StorageError` (also for another disk, W3), `NotFoundError`.
    """
    with (
        telling("It could not be moved", source),
        folder_of(source) as old_folder,
        folder_of(target) as new_folder,
    ):
        move_at(old_folder, source.name, new_folder, target.name)
        sync_place(new_folder)
        sync_place(old_folder)


def exchange(first: Path, second: Path) -> None:
    """Swap what two paths name, in one step. Raises `StorageError` also where the system cannot."""
    with telling("The two files could not be exchanged", second), folder_of(first) as one, folder_of(second) as other:
        names.exchange_names(one, first.name, other, second.name)
