"""Connects the view of responses at the provider with the work behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chat_archive.ui.main_window import MainWindow


def connect_provider(window: MainWindow) -> None:
    """What a hand asks for goes to the work; what it finds out goes to view and sidebar."""
    view, work = window.pane.provider, window.provider

    def show() -> None:
        writable = any(session.writable for session in window.roots.sessions)
        view.set_state(writable=writable, working=work.working)
        view.set_lines(work.lines)
        window.count_soon()

    view.retry_requested.connect(work.retry)
    view.forget_requested.connect(work.forget)
    view.keys_requested.connect(work.ask_key)
    view.bases_requested.connect(work.ask_bases)
    view.table_requested.connect(work.save_table)
    work.receipts_changed.connect(lambda _lines: show())
    work.working_changed.connect(show)
    window.roots.changed.connect(work.read_soon)
    window.changes.let_go.connect(work.follow)
    window.keeper.erased.connect(work.follow)
