"""An opened chats root and its private folder: who may change it, and where our own files lie.

Opening creates nothing. The private folder is made, and other instances are excluded, at the first change.
"""

from __future__ import annotations

import os
import stat
import threading
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from chat_archive.core import files
from chat_archive.core.entities import Fingerprint
from chat_archive.core.errors import ArchiveError, BusyError, NotFoundError, ReadOnlyError, StorageError
from chat_archive.core.journal import Journal
from chat_archive.core.layout import PRIVATE_FOLDER
from chat_archive.core.lock import RootLock
from chat_archive.core.provider.references import ReferenceCache
from chat_archive.core.undo_steps import UndoStacks

BUSY_SECONDS = 2.0
"""How long a change waits for another instance to finish before it gives up (C5)."""

RESERVE_BYTES = 256 * 1024
"""Kept on disk so that a deletion still has room for its record when the disk is full (D5)."""

_OTHER_INSTANCE = "Another window or command has this archive open for changes, so it can only be looked at here."
_SUBFOLDERS = ("staging", "trash", "purge")


@dataclass(frozen=True, slots=True)
class Gone:
    """A chat that this program took out of the root: "trashed" or "erased", and when (aware)."""

    title: str
    how: str
    at: datetime


class Workspace:
    """One root, opened. Reads need no lock; changes hold `change_lock` and happen one at a time."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.private = root / PRIVATE_FOLDER
        self.staging = self.private / "staging"
        self.trash_folder = self.private / "trash"
        self.purge_folder = self.private / "purge"
        self.recovered_folder = self.private / "recovered"
        self.journal = Journal(self.private / "journal.jsonl", self.staging)
        self.lock = RootLock()
        self.change_lock = threading.RLock()
        self.stacks = UndoStacks()
        self.trash_days = 30
        self.trash_megabytes = 0
        self.references = ReferenceCache()
        self.other_roots: tuple[Path, ...] = ()  # open beside this one; what they refer to is kept, too
        self.gone: dict[str, Gone] = {}
        self.dismissed: set[str] = set()  # came back, and the person knows
        self.own_edits: dict[str, Fingerprint] = {}  # folder -> what we wrote last; as long as that is there,
        # the young file is no sign that the host works on the chat
        self.read_only_reason = ""
        self.notices: tuple[str, ...] = ()
        self._busy = False
        self._closed = False

    @classmethod
    def open(cls, path: Path, write: bool = True) -> Workspace:
        """Open the folder at `path`, resolved once if it is a link (C6). Creates nothing.

        With `write`, and when a private folder is there, other instances are excluded and unfinished work of a crash
        is finished. Where changes are impossible `read_only_reason` says why. Raises `NotFoundError` when there is
        no folder, `StorageError` when it cannot be read.
        """
        workspace = cls(_resolved(path))
        if not write:
            workspace.read_only_reason = "The archive was opened to look only."
        else:
            workspace.read_only_reason = workspace._why_not_writable()
            if not workspace.read_only_reason and os.path.lexists(workspace.private):
                workspace._try_to_own()
        return workspace

    @property
    def writable(self) -> bool:
        return not self.read_only_reason

    def need_writable(self) -> None:
        """Make sure that this process may change the root, waiting up to 2 s for another instance.

        Raises `ReadOnlyError` with the reason, `BusyError` while another instance holds the root.
        """
        with self.change_lock:
            if self._closed:
                raise ReadOnlyError("The archive was closed.", path=self.root)
            if self._busy:
                self._try_to_own(BUSY_SECONDS)
            if self._busy:
                raise BusyError(
                    "Another window or command is changing this archive, so nothing was changed.",
                    path=self.root,
                    next_step="Close it, or try again when it has finished.",
                )
            if self.read_only_reason:
                raise ReadOnlyError(f"Nothing can be changed here. {self.read_only_reason}", path=self.root)

    def need_private(self) -> Path:
        """The private folder, made with its parts when missing, and ours alone until `close`.

        Raises what `need_writable` raises, and `StorageError`.
        """
        with self.change_lock:
            self.need_writable()
            if self.lock.guards(self.private / "lock") and self._is_whole():
                return self.private
            self.lock.release()  # nothing is guarded when the folder was removed behind our back
            files.make_folder(self.private)
            self._try_to_own(BUSY_SECONDS)
            self.need_writable()
            return self.private

    def _is_whole(self) -> bool:
        paths = [self.private / name for name in _SUBFOLDERS]
        return all(path.is_dir() and not path.is_symlink() for path in paths)

    def changed_by_us(self, folder: str, changed: float) -> bool:
        """Whether the file's time, in seconds since 1970, is that of an edit made here."""
        ours = self.own_edits.get(folder)
        return ours is not None and abs(ours.mtime_ns / 1e9 - changed) < 1e-3

    def close(self) -> None:
        """Let go of the lock. Calling twice is fine."""
        with self.change_lock:
            self._closed = True
            self.lock.release()

    def release_reserve(self) -> None:
        """Give the reserve back to a full disk; recovery makes it anew when there is room (D5)."""
        files.remove_file(self.private / "reserve")

    def keep_reserve(self) -> None:
        """Make the reserve when it is missing and the disk has room for it. Raises `StorageError`."""
        path = self.private / "reserve"
        if not os.path.lexists(path):
            files.write_new(path, b"\0" * RESERVE_BYTES)

    def _try_to_own(self, wait: float = 0.0) -> None:
        """Take the lock, then make what is missing and finish what a crash left."""
        from chat_archive.core import recovery

        try:
            _check_private(self.private)
            owned = self.lock.acquire(self.private / "lock", wait)
        except ArchiveError as error:
            self._busy = False
            self.read_only_reason = str(error)
            return
        self._busy = not owned
        self.read_only_reason = "" if owned else _OTHER_INSTANCE
        if not owned:
            return
        try:
            for name in _SUBFOLDERS:
                files.make_folder(self.private / name)
            self.notices += recovery.recover(self)
        except ArchiveError as error:
            self.lock.release()
            self.read_only_reason = str(error)

    def _why_not_writable(self) -> str:
        """ "" or why this user cannot change the root. Only looks."""
        if not os.access(self.root, os.W_OK | os.X_OK, effective_ids=os.access in os.supports_effective_ids):
            try:
                if os.statvfs(self.root).f_flag & getattr(os, "ST_RDONLY", 0):
                    return f"The disk of {self.root} is mounted read-only."
                owner = self.root.stat()
            except (OSError, AttributeError):
                return f"This user may not write to {self.root}."
            return (
                f"This user may not write to {self.root}: the folder belongs to user number {owner.st_uid} "
                f"with access rights {stat.S_IMODE(owner.st_mode):04o}."
            )
        return ""


def _resolved(path: Path) -> Path:
    try:
        root = path.expanduser().resolve(strict=True)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise NotFoundError("There is no such folder.", path=path) from error
    except (OSError, RuntimeError, ValueError) as error:
        raise StorageError("The folder cannot be opened.", path=path) from error
    if not root.is_dir():
        raise NotFoundError("This is a file and not a folder of chats.", path=root)
    try:
        with os.scandir(root):
            pass
    except OSError as error:
        raise files.explain(error, "The folder cannot be read", root) from error
    return root


def _check_private(private: Path) -> None:
    """A link or a file in the place of the private folder, or one on another disk, is not used (W3, C6)."""
    try:
        found = os.lstat(private)
        root = os.lstat(private.parent)
    except OSError as error:
        raise files.explain(error, "The archive's own folder cannot be used", private) from error
    if not stat.S_ISDIR(found.st_mode):
        raise StorageError(
            "The archive's own folder is a link or a file, so nothing can be changed here.",
            path=private,
            next_step="Move it away and open the archive again.",
        )
    if found.st_dev != root.st_dev:
        raise StorageError(
            "The archive's own folder lies on another disk than the chats, so nothing can be changed here.",
            path=private,
        )
