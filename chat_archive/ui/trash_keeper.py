"""What the window does about the trash by itself: says what came back, and erases what is past its date, announced.

Nothing is ever deleted again by itself (C3). What the retention erases is named first, and stays for a while in which
it can be restored (D3).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QTimer, Signal

from chat_archive.core.entities import ChatRow, Folder, OperationResult, TrashEntry
from chat_archive.core.operations.delete import CameBack
from chat_archive.ui import words
from chat_archive.ui.jobs import JobProgress, JobRunner
from chat_archive.ui.messages import Messages
from chat_archive.ui.plain_text import shown
from chat_archive.ui.roots import OpenRoots, RootSession

GRACE_MS = 10 * 60_000
"""Between saying what is past its date and erasing it."""
DAY_MS = 24 * 3600_000


class TrashKeeper(QObject):
    """`trash_again` moves chats of a root to the trash, as a person would."""

    erased = Signal()  # a purge erased something, and responses may be in the queue

    def __init__(
        self,
        roots: OpenRoots,
        runner: JobRunner,
        messages: Messages,
        trash_again: Callable[[RootSession, Sequence[Folder]], None],
        parent: QObject | None = None,
        *,
        grace_ms: int = GRACE_MS,
    ) -> None:
        super().__init__(parent)
        self._roots = roots
        self._runner = runner
        self._messages = messages
        self._trash_again = trash_again
        self._grace_ms = grace_ms
        self._closed = False
        self._told: dict[RootSession, set[str]] = {}
        self._daily = QTimer(self)
        self._daily.setInterval(DAY_MS)
        self._daily.timeout.connect(self._each_day)
        self._daily.start()
        roots.opened.connect(self._on_opened)
        roots.closed.connect(lambda session: self._told.pop(session, None))
        roots.rows_arrived.connect(self._on_rows)

    def close(self) -> None:
        """Nothing is erased any more; what is past its date is named again at the next start."""
        self._closed = True
        for timer in self.findChildren(QTimer):
            timer.stop()

    def _each_day(self) -> None:
        for session in self._roots.sessions:
            self.look_for_due(session)

    def _on_opened(self, session: RootSession) -> None:
        self.look_back(session)
        self.look_for_due(session)

    # what came back

    def _on_rows(self, rows: Sequence[ChatRow]) -> None:
        """A row of a chat that was deleted here: by an old look, or because it is there again."""
        for session in self._roots.sessions:
            gone, told = session.archive.workspace.gone, self._told.setdefault(session, set())
            told &= gone.keys()
            if gone and any(row.folder in gone and row.folder not in told and row.root == session.root for row in rows):
                self.look_back(session)

    def look_back(self, session: RootSession) -> None:
        """Look for deleted chats that stand in the root again, and tell the new ones once."""
        archive = session.archive
        self._runner.read(
            self.tr("Looking for chats that came back"),
            lambda _progress: archive.came_back(),
            done=lambda found: self._tell_back(session, found),
            failed=self._messages.error,
            quiet=True,
        )

    def _tell_back(self, session: RootSession, found: Sequence[CameBack]) -> None:
        told = self._told.setdefault(session, set())
        new = [one for one in found if one.folder not in told]
        if not new or session not in self._roots.sessions:
            return
        told.update(one.folder for one in new)
        titles = ", ".join(f"“{shown(one.title, 60)}”" for one in new[:3])
        text = self.tr("Agent Zero saved %Ln deleted chat(s) again: {titles}.", "", len(new)).format(titles=titles)
        folders = [one.folder for one in new]
        self._messages.notice(text, (self.tr("Move to Trash Again"), lambda: self._again(session, folders)))

    def _again(self, session: RootSession, folders: Sequence[Folder]) -> None:
        if session in self._roots.sessions:
            self._told.setdefault(session, set()).difference_update(folders)
            self._trash_again(session, folders)

    # what is past its date

    def look_for_due(self, session: RootSession) -> None:
        """Name what the retention would erase; erase it a while later."""
        if not session.writable:
            return
        archive = session.archive
        self._runner.read(
            self.tr("Looking at the trash"),
            lambda _progress: archive.due_for_purge(),
            done=lambda found: self._announce(session, found),
            failed=self._messages.error,
            quiet=True,
        )

    def _announce(self, session: RootSession, due: Sequence[TrashEntry]) -> None:
        if not due or self._closed or session not in self._roots.sessions:
            return
        titles = ", ".join(f"“{shown(entry.title, 60)}”" for entry in due[:3])
        text = self.tr(
            "%Ln chat(s) in the trash (is|are) past (its|their) date and will be erased in {time}: {titles}.",
            "",
            len(due),
        )
        self._messages.notice(text.format(time=words.duration_text(self._grace_ms / 1000), titles=titles))
        grace = QTimer(self)
        grace.setSingleShot(True)
        grace.timeout.connect(lambda: self._purge(session, due))
        grace.timeout.connect(grace.deleteLater)
        grace.start(self._grace_ms)

    def _purge(self, session: RootSession, due: Sequence[TrashEntry]) -> None:
        if session not in self._roots.sessions:
            return
        archive = session.archive

        def work(progress: JobProgress) -> OperationResult:
            return archive.purge_due(due, progress)

        def done(result: OperationResult) -> None:
            if result.items:
                self._messages.result(result)
            session.read_facts()
            if result.done:
                self.erased.emit()

        self._runner.write(words.operation_text("erase", len(due)), work, done=done, failed=self._messages.error)
