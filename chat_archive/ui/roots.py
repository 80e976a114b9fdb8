"""The open roots: their archives, their rows, and the jobs that keep both true to the disk.

A scan delivers rows in batches; a later look hands out what is known and tells only differences. What a change of ours
touched wins over a scan that began before it.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable, Sequence
from datetime import tzinfo
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QCoreApplication, QObject, Signal

from chat_archive.core import discover
from chat_archive.core.archive import Archive
from chat_archive.core.entities import ChatRow, ChatState, Folder, OperationResult, TrashEntry
from chat_archive.core.errors import ArchiveError
from chat_archive.ui import words
from chat_archive.ui.jobs import Job, JobProgress, JobRunner

_BATCH_SECONDS = 0.12  # how long rows are gathered before they are shown
_FIRST_BATCH = 40  # a screen full comes at once
_READ_AGAIN = 50  # changes of more chats are read by a scan, not one by one
translate = QCoreApplication.translate


class RootIdentity(NamedTuple):
    """What tells one folder on the disk from another, whatever its name."""

    device: int
    inode: int

    @classmethod
    def of(cls, path: Path) -> RootIdentity:
        """Raises OSError."""
        found = path.stat()
        return cls(found.st_dev, found.st_ino)


class RootFacts(NamedTuple):
    """What the window shows of a root beside its chats."""

    trash: tuple[TrashEntry, ...] = ()
    undo_text: str = ""
    redo_text: str = ""
    read_only_reason: str = ""
    problems: tuple[str, ...] = ()  # what is wrong beside the chats: a list of names or tasks that is no JSON


class RootSession(QObject):
    """One open root. Signals come on the interface's thread."""

    rows_arrived = Signal(list)
    rows_gone = Signal(list)  # folders
    scanning_changed = Signal()
    facts_changed = Signal()
    remarked = Signal(str)  # something wrong beside the chats; each is told once
    failed = Signal(object)

    def __init__(self, archive: Archive, runner: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.archive = archive
        self.rows: dict[Folder, ChatRow] = {}
        self.facts = RootFacts(read_only_reason=archive.read_only_reason)
        self.complete = False  # a scan has reached the end at least once
        self.seconds = 0.0  # how long the last look took
        self._runner = runner
        self._job: Job | None = None
        self._facts_job: Job | None = None
        self._again = False
        self._touched: set[Folder] = set()
        self._closed = False

    @property
    def root(self) -> Path:
        return self.archive.root

    @property
    def scanning(self) -> bool:
        return self._job is not None

    @property
    def writable(self) -> bool:
        return not self.facts.read_only_reason

    @property
    def flat_files(self) -> int:
        return sum(row.flat and not row.damaged for row in self.rows.values())

    @property
    def live(self) -> bool:
        return any(row.state is ChatState.LIVE for row in self.rows.values())

    def look(self, *, quiet: bool = False, afresh: bool = False) -> None:
        """Scan the root; only files that changed since the last look are read, unless `afresh`."""
        if self._closed:
            return
        if self._job is not None:
            self._again = self._again or not quiet
            return
        known = {} if afresh else dict(self.rows)
        self._touched = set()
        archive = self.archive
        name = (
            translate("RootSession", "Reading chats") if not known else translate("RootSession", "Looking for changes")
        )
        started = time.monotonic()
        over: list[bool] = []

        def finished() -> None:
            over.append(True)
            self.seconds = time.monotonic() - started
            self._job = None
            if self._closed:
                return
            self.scanning_changed.emit()
            if self._again:
                self._again = False
                self.look()

        job = self._runner.read(
            name,
            lambda progress: scan_in_batches(archive, progress, known),
            delivered=self._take,
            done=self._on_scanned,
            failed=self.failed.emit,
            finished=finished,
            quiet=quiet,
        )
        # a runner of the tests is through before it returns
        self._job = None if over else job
        self.scanning_changed.emit()
        self.read_facts()

    def read_facts(self) -> None:
        """Trash, undo and whether changes are possible."""
        if self._closed:
            return
        if self._facts_job is not None:
            self._facts_job.cancel()
        self._facts_job = self._runner.read(
            translate("RootSession", "Reading the trash"),
            lambda _progress: _facts_of(self.archive),
            done=self._on_facts,
            failed=self.failed.emit,
            quiet=True,
        )

    def apply(self, result: OperationResult, fresh: Iterable[ChatRow]) -> None:
        """Take over what a change did; `fresh` are the rows that were added or updated, read again."""
        changes = result.changes
        self._touched |= changes.removed | changes.added | changes.updated
        gone = [folder for folder in changes.removed if self.rows.pop(folder, None) is not None]
        if gone:
            self.rows_gone.emit(gone)
        rows = list(fresh)
        if rows:
            self.rows.update((row.folder, row) for row in rows)
            self.rows_arrived.emit(rows)
        self.read_facts()
        if changes != type(changes)():
            self._again = self.scanning
            self.look(quiet=True)

    def close(self) -> None:
        self._closed = True
        for job in (self._job, self._facts_job):
            if job is not None:
                job.cancel()
        self.archive.close()

    # inside

    def _take(self, part: object) -> None:
        if self._closed or not isinstance(part, list):
            return
        rows = [row for row in part if row.folder not in self._touched]
        self.rows.update((row.folder, row) for row in rows)
        if rows:
            self.rows_arrived.emit(rows)

    def _on_scanned(self, seen: frozenset[Folder]) -> None:
        if self._closed:
            return
        gone = [folder for folder in self.rows if folder not in seen and folder not in self._touched]
        for folder in gone:
            del self.rows[folder]
        self.complete = True
        if gone:
            self.rows_gone.emit(gone)

    def _on_facts(self, facts: RootFacts) -> None:
        self._facts_job = None
        if self._closed or facts == self.facts:
            return
        told, self.facts = set(self.facts.problems), facts
        self.facts_changed.emit()
        for text in facts.problems:
            if text not in told:
                self.remarked.emit(text)


class OpenRoots(QObject):
    """Every open root, in the order of opening."""

    opened = Signal(object)  # RootSession
    closed = Signal(object)
    rows_arrived = Signal(list)
    rows_gone = Signal(object, list)  # RootSession, folders
    changed = Signal()  # scanning, facts or labels of any root
    failed = Signal(object)  # an error while opening or looking

    def __init__(
        self, runner: JobRunner, zone: Callable[[], tzinfo | None], trash_days: Callable[[], int], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._runner = runner
        self._zone = zone
        self._trash_days = trash_days
        self._sessions: dict[RootIdentity, RootSession] = {}
        self._opening: set[Path] = set()
        self._labels: dict[Path, str] = {}

    @property
    def sessions(self) -> tuple[RootSession, ...]:
        return tuple(self._sessions.values())

    @property
    def opening(self) -> bool:
        return bool(self._opening)

    @property
    def labels(self) -> dict[Path, str]:
        """How each open root is called, told apart from the others, in the order of opening."""
        return dict(self._labels)

    def session(self, root: Path) -> RootSession | None:
        return next((one for one in self._sessions.values() if one.root == root), None)

    def is_open(self, path: Path) -> RootSession | None:
        try:
            return self._sessions.get(RootIdentity.of(path))
        except OSError:
            return None

    def open(self, path: Path, *, write: bool = True, then: Callable[[RootSession], None] | None = None) -> None:
        """Open a chats root in a job, since a crash may have left work to finish. One that is open is looked at."""
        there = self.is_open(path)
        if there is not None:
            there.look()
            if then is not None:
                then(there)
            return
        if path in self._opening:
            return
        self._opening.add(path)
        zone, days = self._zone(), self._trash_days()

        def work(_progress: JobProgress) -> Archive:
            archive = Archive.open(path, write=write, zone=zone)
            archive.workspace.trash_days = days
            return archive

        def done(archive: Archive) -> None:
            session = self._add(archive)
            if session is not None and then is not None:
                then(session)

        def finished() -> None:
            self._opening.discard(path)
            self.changed.emit()

        self._runner.write(
            translate("OpenRoots", "Opening the folder"), work, done=done, failed=self.failed.emit, finished=finished
        )
        self.changed.emit()

    def close(self, session: RootSession) -> None:
        for identity, one in list(self._sessions.items()):
            if one is session:
                del self._sessions[identity]
        session.close()
        self._name()
        self.rows_gone.emit(session, list(session.rows))
        self.closed.emit(session)
        self.changed.emit()
        session.deleteLater()

    def close_all(self) -> None:
        for session in self.sessions:
            session.close()

    def look(self, *, quiet: bool = False, afresh: bool = False) -> None:
        for session in self.sessions:
            session.look(quiet=quiet, afresh=afresh)

    def use_settings(self) -> None:
        """Time zone and retention changed: dates are read again, chats are not."""
        zone, days = self._zone(), self._trash_days()
        for session in self.sessions:
            session.archive.workspace.trash_days = days
            if session.archive.zone != zone:
                session.archive.zone = zone
                session.look(afresh=True)
            session.read_facts()

    # inside

    def _add(self, archive: Archive) -> RootSession | None:
        try:
            identity = RootIdentity.of(archive.root)
        except OSError:
            archive.close()
            return None
        if identity in self._sessions:
            archive.close()
            return self._sessions[identity]
        session = RootSession(archive, self._runner, self)
        self._sessions[identity] = session
        session.rows_arrived.connect(self.rows_arrived)
        session.rows_gone.connect(lambda folders: self.rows_gone.emit(session, folders))
        session.scanning_changed.connect(self.changed)
        session.facts_changed.connect(self.changed)
        session.failed.connect(self.failed)
        self._name()
        self.opened.emit(session)
        session.look()
        return session

    def _name(self) -> None:
        roots = [session.root for session in self.sessions]
        found = discover.labels(roots)
        self._labels = {root: found.get(root, root.name) for root in roots}


def scan_in_batches(archive: Archive, progress: JobProgress, known: dict[Folder, ChatRow]) -> frozenset[Folder]:
    """On a worker: deliver rows as they come, those that differ from `known` at the end. Returns every folder seen."""
    last: dict[Folder, ChatRow] = {}
    batch: list[ChatRow] = []
    sent = time.monotonic()
    for row in archive.scan(progress, known or None):
        new = row.folder not in known
        if not new or row.folder in last:
            # a row that comes twice replaces its first state; told once, so that nothing flickers
            last[row.folder] = row
            if new:
                batch.append(row)
            continue
        last[row.folder] = row
        batch.append(row)
        now = time.monotonic()
        if now - sent > _BATCH_SECONDS or len(last) == _FIRST_BATCH:
            progress.deliver(batch)
            batch, sent = [], now
    batch += [row for folder, row in last.items() if folder in known and known[folder] != row]
    if batch:
        progress.deliver(batch)
    return frozenset(last)


def read_again(archive: Archive, result: OperationResult) -> list[ChatRow]:
    """On a worker: the rows a change added or updated. Many are left to the scan that follows."""
    wanted: Sequence[Folder] = sorted(result.changes.added | result.changes.updated)
    rows: list[ChatRow] = []
    if len(wanted) <= _READ_AGAIN:
        for folder in wanted:
            with contextlib.suppress(ArchiveError):
                rows.append(archive.row(folder))
    return rows


def _facts_of(archive: Archive) -> RootFacts:
    undo, redo = archive.undo_info, archive.redo_info
    return RootFacts(
        tuple(archive.trash_entries()),
        words.operation_text(*undo) if undo else "",
        words.operation_text(*redo) if redo else "",
        archive.read_only_reason,
        tuple(problem.text for problem in archive.problems()),
    )
