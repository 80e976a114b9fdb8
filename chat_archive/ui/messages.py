"""Errors and results into words, and the words to where the person sees them.

Two kinds of error: an `ArchiveError` is told in a notice, with what, where and what next. Anything else is a fault of
this program: a report dialog with a copy button and nothing of a chat in it; the program keeps running.
"""

from __future__ import annotations

import logging
from typing import Protocol

from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtWidgets import QDialog, QWidget

from chat_archive.core.entities import OperationResult
from chat_archive.core.errors import ArchiveError, Cancelled
from chat_archive.ui import words
from chat_archive.ui.theme import Theme
from chat_archive.ui.views.notice_bar import NoticeBar, NoticeKind, Offer

_log = logging.getLogger(__name__)
translate = QCoreApplication.translate


class Messages(Protocol):
    """Where everything that happens is told. All are called on the GUI thread and return at once."""

    def error(self, error: BaseException) -> None: ...

    def result(self, result: OperationResult) -> None: ...

    def notice(self, text: str, offer: Offer | None = None) -> None: ...


class QtMessages(QObject):
    """Tells in a `NoticeBar`; faults open one report dialog. `undo_requested` comes from a notice's Undo button."""

    undo_requested = Signal()

    def __init__(self, theme: Theme, bar: NoticeBar, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._bar = bar
        self._window = parent
        self._report: QWidget | None = None
        self._details: QDialog | None = None
        bar.undo_requested.connect(self.undo_requested)
        bar.details_requested.connect(self.show_details)

    def error(self, error: BaseException) -> None:
        if isinstance(error, Cancelled):
            self.notice(translate("QtMessages", "Stopped. What was done before stays done."))
        elif isinstance(error, ArchiveError):
            self._bar.show_notice("\n".join(words.error_sentences(error)), NoticeKind.ERROR)
        else:
            self._fault(error)

    def result(self, result: OperationResult) -> None:
        kind = NoticeKind.ERROR if result.failed else NoticeKind.DONE
        if result.stopped and not result.failed:
            kind = NoticeKind.WARNING
        details = result if len(result.items) > 1 or result.remarks else None
        undoable = result.undoable and bool(result.done)
        if result.done and result.verb not in ("export", "provider"):
            self._bar.forget_undo()  # undo now means another step than an older notice tells of
        self._bar.show_notice(words.result_sentence(result), kind, details=details, undoable=undoable)

    def notice(self, text: str, offer: Offer | None = None) -> None:
        self._bar.show_notice(text, offer=offer)

    def show_details(self, result: OperationResult) -> None:
        """Every item of a batch with what became of it."""
        from chat_archive.ui.dialogs.result_dialog import ResultDialog

        self._forget_details()
        self._details = ResultDialog(self._theme, result, self._window)
        self._details.finished.connect(self._forget_details)
        # not modal: the list stays usable beside it
        self._details.show()

    def _forget_details(self) -> None:
        if self._details is not None:
            self._details.deleteLater()
            self._details = None

    def _fault(self, error: BaseException) -> None:
        from chat_archive.ui.dialogs.report_dialog import ReportDialog

        # the text of an unexpected error may quote a chat, so neither the log nor the dialog gets it
        _log.error("unexpected %s", type(error).__name__)
        if isinstance(self._report, ReportDialog) and self._report.isVisible():
            self._report.add(error)
            return
        dialog = ReportDialog(self._theme, error, self._window)
        self._report = dialog
        dialog.finished.connect(self._forget_report)
        dialog.show()

    def _forget_report(self) -> None:
        if self._report is not None:
            self._report.deleteLater()
            self._report = None
