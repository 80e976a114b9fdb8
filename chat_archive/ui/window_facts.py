"""What the window says about how things stand: counts, sums, states, and which commands can be given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from chat_archive.ui import words
from chat_archive.ui.actions import ActionId, Situation
from chat_archive.ui.models.sidebar_model import count

if TYPE_CHECKING:
    from chat_archive.ui.main_window import MainWindow


class WindowFacts(QObject):
    """Reads the window's parts and writes into its status line, sidebar and actions."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window

    def everything(self) -> None:
        """Counts of sidebar and trash, what is empty, sums and commands."""
        window = self._window
        entries = window.trash_entries()
        window.sidebar.lines.show(count(window.model.entries), window.roots.labels, len(entries))
        window.pane.trash.set_entries(entries)
        window.pane.trash.set_writable(any(session.writable for session in window.roots.sessions))
        window.pane.update_emptiness(window.scanning)
        window.filter.setEnabled(bool(window.roots.sessions))
        self.found()
        self.summary()
        self.actions()

    def found(self) -> None:
        """How many chats pass the filter."""
        window = self._window
        window.filter.show_found(window.model.rowCount(), window.model.total)

    def summary(self) -> None:
        """The left end of the status line: how many chats, how many selected, how large."""
        window = self._window
        if not window.roots.sessions:
            window.status.show_summary("")
            return
        if window.in_trash:
            entries = window.trash_entries()
            size = words.size_text(sum(entry.size for entry in entries))
            text = self.tr("%Ln chat(s) in the trash, {size}", "", len(entries))
            window.status.show_summary(text.format(size=size))
            return
        selected = window.pane.list.selected_count
        chats, size = words.chats_text(window.model.rowCount()), words.size_text(window.model.shown_size)
        if selected:
            chosen = self.tr("%Ln selected", "chats", selected)
            text = self.tr("{chats}, {selected}, {size}").format(chats=chats, selected=chosen, size=size)
        else:
            text = self.tr("{chats}, {size}").format(chats=chats, size=size)
        window.status.show_summary(text)

    def state(self) -> None:
        """The right end: read-only and why, or that the host writes. And the window's title."""
        window = self._window
        sessions = window.roots.sessions
        locked = [session for session in sessions if not session.writable]
        if locked:
            reasons = "\n".join(session.facts.read_only_reason for session in locked)
            window.status.show_state(self.tr("Read-only: {reason}").format(reason=reasons), reasons, "info")
        elif any(session.live for session in sessions):
            tip = self.tr("A chat changed a moment ago. What is written meanwhile is never overwritten.")
            window.status.show_state(self.tr("Agent Zero is writing here"), tip, "flag")
        else:
            window.status.show_state("")
        labels = ", ".join(window.roots.labels.values())
        name = self.tr("Chat Archive")
        window.setWindowTitle(f"{labels} — {name}" if labels else name)

    def situation(self) -> Situation:
        """What the commands depend on."""
        window = self._window
        session = window.current_session()
        rows = window.pane.list.selected_rows() if not window.in_trash else []
        writable = {one.root for one in window.roots.sessions if one.writable}
        undo, redo = window.changes.undo_session(), window.changes.redo_session()
        return Situation(
            roots=len(window.roots.sessions),
            writable=session is not None and session.writable,
            rows=window.model.rowCount(),
            selected=len(rows),
            selected_changeable=all(row.root in writable for row in rows),
            selected_readable=not any(row.damaged for row in rows),
            in_trash=window.in_trash,
            undo_text=undo.facts.undo_text if undo else "",
            redo_text=redo.facts.redo_text if redo else "",
            flat_files=session.flat_files if session is not None else 0,
            jobs=sum(not job.quiet for job in window.runner.jobs),
        )

    def actions(self) -> None:
        """Enable what can be used now."""
        window = self._window
        if not window.closing:
            window.actions_by_id.update(self.situation())
            window.actions_by_id[ActionId.TABLE_VIEW].setChecked(window.pane.list.is_table)
            window.actions_by_id[ActionId.SIDEBAR].setChecked(not window.sidebar.isHidden())
            window.actions_by_id[ActionId.JOBS].setChecked(not window.jobs.isHidden())
