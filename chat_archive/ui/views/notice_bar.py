"""Passing notices at the bottom of a pane: what happened, in a sentence, with Undo and Details where they apply.

Never modal, takes no focus. A good result goes by itself, slowly; a failure stays until it is closed.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QEnterEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from chat_archive.core.entities import OperationResult
from chat_archive.ui.plain_text import ThemedLabel, breakable, shown_block
from chat_archive.ui.theme import Theme

PASSING_MS = 12_000
"""How long a notice stays that needs nothing; the clock rests while the mouse or the focus is in it."""
AT_MOST = 3
_TEXT_LIMIT = 600

Offer = tuple[str, Callable[[], object]]
"""The words of a button and what it does; the notice goes when it is pressed."""


class NoticeKind(StrEnum):
    INFO = "info"
    DONE = "done"
    WARNING = "warning"
    ERROR = "error"


_LOOKS = {
    NoticeKind.INFO: ("info", "accent", "accent_soft"),
    NoticeKind.DONE: ("check", "ok", "raised"),
    NoticeKind.WARNING: ("warning", "warning", "warning_soft"),
    NoticeKind.ERROR: ("error", "danger", "danger_soft"),
}


class Notice(QFrame):
    """One notice. `closed` comes once, by its button, by time, or when it gives way to a newer one."""

    closed = Signal(object)
    undo_requested = Signal()
    details_requested = Signal(object)

    def __init__(
        self,
        theme: Theme,
        text: str,
        kind: NoticeKind,
        *,
        details: OperationResult | None = None,
        undoable: bool = False,
        offer: Offer | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self.kind = kind
        self._offers = offer is not None
        self.text = shown_block(text, _TEXT_LIMIT)
        self.details = details
        self.undo_button: QPushButton | None = None
        self.details_button: QPushButton | None = None
        self.offer_button: QPushButton | None = None
        self.setAccessibleName(self.text)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PASSING_MS)
        self._timer.timeout.connect(self.close_notice)
        self._build(undoable, offer)
        theme.changed.connect(self._restyle)
        if self.passing:
            self._timer.start()

    @property
    def passing(self) -> bool:
        """What offers something waits for an answer."""
        return self.kind in (NoticeKind.INFO, NoticeKind.DONE) and not self._offers

    def close_notice(self) -> None:
        self._timer.stop()
        self.closed.emit(self)

    def forget_undo(self) -> None:
        """The operation can no longer be undone from here: another one came after it."""
        if self.undo_button is not None:
            self.undo_button.hide()

    def enterEvent(self, event: QEnterEvent) -> None:
        self._timer.stop()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        if self.passing:
            self._timer.start()
        super().leaveEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        _icon, color, ground = _LOOKS[self.kind]
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        place = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setBrush(self._theme.color(ground))
        painter.setPen(QPen(self._theme.color("line"), 1))
        painter.drawRoundedRect(place, 6, 6)
        painter.setPen(QPen(self._theme.color(color), 3, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawLine(QPointF(place.left() + 2, place.top() + 6), QPointF(place.left() + 2, place.bottom() - 6))
        painter.end()

    def _build(self, undoable: bool, offer: Offer | None) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 6, 6, 6)
        row.setSpacing(8)
        self._icon = ThemedLabel(self._theme)
        # beside the first line: in the middle of one that stands alone, at the top of several
        upright = Qt.AlignmentFlag.AlignTop if "\n" in self.text else Qt.AlignmentFlag.AlignVCenter
        row.addWidget(self._icon, 0, upright)
        label = ThemedLabel(self._theme, breakable(self.text), wrap=True, selectable=True)
        label.setMinimumWidth(120)
        row.addWidget(label, 1)
        if undoable:
            self.undo_button = QPushButton(self.tr("Undo"))
            self.undo_button.setAccessibleDescription(self.text)
            self.undo_button.clicked.connect(self._on_undo)
            row.addWidget(self.undo_button)
        if self.details is not None:
            self.details_button = QPushButton(self.tr("Details…"))
            self.details_button.setAccessibleDescription(self.text)
            self.details_button.clicked.connect(self._on_details)
            row.addWidget(self.details_button)
        if offer is not None:
            text, call = offer
            self.offer_button = QPushButton(text)
            self.offer_button.setAccessibleDescription(self.text)
            self.offer_button.clicked.connect(self.close_notice)
            self.offer_button.clicked.connect(lambda _on=False: call())
            row.addWidget(self.offer_button)
        self.close_button = QToolButton()
        self.close_button.setAutoRaise(True)
        self.close_button.setAccessibleName(self.tr("Close this notice"))
        self.close_button.setToolTip(self.tr("Close this notice"))
        self.close_button.clicked.connect(self.close_notice)
        row.addWidget(self.close_button, 0, upright)
        for button in (self.undo_button, self.details_button, self.offer_button):
            if button is not None:
                button.setAutoDefault(False)
        self._restyle()

    def _restyle(self) -> None:
        icon, color, _ground = _LOOKS[self.kind]
        self._icon.setPixmap(self._theme.icon(icon, color).pixmap(20, 20))
        self.close_button.setIcon(self._theme.icon("close", "muted"))
        self.update()

    def _on_undo(self) -> None:
        self.undo_requested.emit()
        self.close_notice()

    def _on_details(self) -> None:
        self.details_requested.emit(self.details)


class NoticeBar(QWidget):
    """The newest notices above each other, at most three; hidden when there is none."""

    undo_requested = Signal()
    details_requested = Signal(object)
    emptied = Signal()
    focus_left = Signal()  # a notice went away while the keyboard was in it

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._notices: list[Notice] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(8, 4, 8, 8)
        self._column.setSpacing(4)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.setAccessibleName(self.tr("Notices"))
        self.hide()

    @property
    def notices(self) -> tuple[Notice, ...]:
        return tuple(self._notices)

    def show_notice(
        self,
        text: str,
        kind: NoticeKind = NoticeKind.INFO,
        *,
        details: OperationResult | None = None,
        undoable: bool = False,
        offer: Offer | None = None,
    ) -> Notice:
        """Show `text`; the same text is not shown twice beside itself. Only the newest notice offers Undo."""
        for old in list(self._notices):
            if undoable:
                old.forget_undo()
            if old.text == shown_block(text, _TEXT_LIMIT) and old.kind is kind:
                old.close_notice()
        while len(self._notices) >= AT_MOST:
            passing = [old for old in self._notices if old.passing]
            (passing or self._notices)[0].close_notice()
        notice = Notice(self._theme, text, kind, details=details, undoable=undoable, offer=offer, parent=self)
        notice.closed.connect(self._remove)
        notice.undo_requested.connect(self.undo_requested)
        notice.details_requested.connect(self.details_requested)
        self._notices.append(notice)
        self._column.addWidget(notice)
        self.show()
        _announce(self, notice.text)
        return notice

    def forget_undo(self) -> None:
        for notice in self._notices:
            notice.forget_undo()

    def clear(self) -> None:
        for notice in list(self._notices):
            notice.close_notice()

    def _remove(self, notice: Notice) -> None:
        if notice not in self._notices:
            return
        focus = QApplication.focusWidget()
        held = focus is not None and notice.isAncestorOf(focus)
        self._notices.remove(notice)
        self._column.removeWidget(notice)
        notice.hide()
        notice.deleteLater()
        if held:
            self.focus_left.emit()
        if not self._notices:
            self.hide()
            self.emptied.emit()


def _announce(widget: QWidget, text: str) -> None:
    """Let a screen reader say it without moving the focus."""
    if QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))
