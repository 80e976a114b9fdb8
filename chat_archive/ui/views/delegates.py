"""Paint the two-line rows of the chat list. No widget per row; every row has the same height."""

from __future__ import annotations

from collections.abc import Callable
from datetime import tzinfo

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from chat_archive.core.entities import ChatRow
from chat_archive.ui import row_words
from chat_archive.ui.models.chat_list_model import PLACE_ROLE, RIGHT, ROW_ROLE
from chat_archive.ui.models.chat_order import Column
from chat_archive.ui.plain_text import shown
from chat_archive.ui.row_words import Chip
from chat_archive.ui.theme import Theme

_SIDE = 12
_EDGE = 9
_BETWEEN = 4
_GAP = 8
_DOT = 8
_CHIP_PADDING = 7
_CELL = 8  # the padding of the header's sections
_LEAST_WORDS = 60  # first words are shown only where there is room for some

_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_LINE = Qt.TextFlag.TextSingleLine


class Pen:
    """A font with its measures, writing one line of plain text."""

    def __init__(self, font: QFont) -> None:
        self.font = font
        self.metrics = QFontMetrics(font)

    def write(self, painter: QPainter, rect: QRect, text: str, color: QColor) -> int:
        """Text cut where the place ends. Returns the width used."""
        if rect.width() <= 0 or not text:
            return 0
        elided = self.metrics.elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
        painter.setFont(self.font)
        painter.setPen(color)
        painter.drawText(rect, int(_LEFT) | int(_LINE), elided)
        return min(rect.width(), self.metrics.horizontalAdvance(elided))


class TableCellDelegate(QStyledItemDelegate):
    """Cells of the plain table: one line of plain text, at the same place as the words of the header."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._restyle()
        theme.changed.connect(self._restyle)

    def _restyle(self) -> None:
        self._plain = Pen(self._theme.font("text"))
        self.row_height = self._plain.metrics.height() + 10

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(self._plain.metrics.horizontalAdvance(index.data() or "") + 2 * _CELL, self.row_height)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        theme, row = self._theme, index.data(ROW_ROLE)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, theme.color("sel"))
        ink = "text" if index.column() == Column.TITLE else "muted"
        if index.column() == Column.STATE and isinstance(row, ChatRow) and row.damaged:
            ink = "danger"
        place, text = option.rect.adjusted(_CELL, 0, -_CELL, 0), index.data() or ""
        if index.column() in RIGHT:
            place.setLeft(max(place.left(), place.right() - self._plain.metrics.horizontalAdvance(text)))
        self._plain.write(painter, place, text, theme.color(ink))
        if option.state & QStyle.StateFlag.State_HasFocus and option.state & QStyle.StateFlag.State_Active:
            painter.setPen(QPen(theme.color("accent"), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5))


class ChatRowDelegate(QStyledItemDelegate):
    """First line: title, first words, chips. Second line: agents, activity, counts, size."""

    def __init__(self, theme: Theme, zone: Callable[[], tzinfo | None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._zone = zone
        self._restyle()
        theme.changed.connect(self._restyle)

    def _restyle(self) -> None:
        theme = self._theme
        self._bold = Pen(theme.font("text", bold=True))
        self._plain = Pen(theme.font("text"))
        facts = theme.font("small")
        # the second line carries the facts one scans for: a little larger than the smallest text
        facts.setPointSizeF((theme.font("text").pointSizeF() * 2 + facts.pointSizeF()) / 3)
        self._small = Pen(facts)
        italic = QFont(facts)
        italic.setItalic(True)
        self._italic = Pen(italic)
        self._chip_pen = Pen(theme.font("small"))
        self._first = max(self._bold.metrics.height(), self._chip_pen.metrics.height() + 4)
        self._second = self._small.metrics.height()
        self.row_height = 2 * _EDGE + self._first + _BETWEEN + self._second + 1

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(240, self.row_height)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row = index.data(ROW_ROLE)
        if not isinstance(row, ChatRow):
            return
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._ground(painter, rect, state)
        left, right = rect.left() + _SIDE, rect.right() - _SIDE
        top = rect.top() + _EDGE
        place = index.data(PLACE_ROLE) or ""
        chip_left = self._chips(painter, row_words.chips(row, None, place), left, right, top)
        self._title(painter, row, left, chip_left, top)
        self._facts(painter, row, left, right, top + self._first + _BETWEEN)
        painter.restore()

    # inside

    def _ground(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag) -> None:
        theme = self._theme
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, theme.color("sel"))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, theme.color("raised"))
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), theme.color("line"))
        if state & QStyle.StateFlag.State_HasFocus and state & QStyle.StateFlag.State_Active:
            painter.setPen(QPen(theme.color("accent"), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -1.5))

    def _chips(self, painter: QPainter, chips: list[Chip], left: int, right: int, top: int) -> int:
        """Paint from the right; at most half of the width. Returns where the title must end."""
        if not chips:
            return right
        metrics = self._chip_pen.metrics
        height = metrics.height() + 4
        limit = left + (right - left) // 2
        # the first chips say what is wrong; they are the last to be left out
        fitting: list[tuple[Chip, int]] = []
        room = right - limit
        for chip in chips:
            width = metrics.horizontalAdvance(chip.text) + 2 * _CHIP_PADDING
            if fitting and room < width:
                continue
            fitting.append((chip, min(width, max(room, 40))))
            room -= width + 4
        at = right
        for chip, width in reversed(fitting):
            at -= width
            self._chip(painter, chip, QRect(at, top + (self._first - height) // 2, width, height))
            at -= 4
        return at - (_GAP - 4)

    def _chip(self, painter: QPainter, chip: Chip, rect: QRect) -> None:
        theme = self._theme
        ink, ground = {
            "danger": ("danger", "danger_soft"),
            "warning": ("warning", "warning_soft"),
            "accent": ("accent", "accent_soft"),
        }.get(chip.tone, ("muted", "code"))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color(ground))
        if chip.tone == "plain":
            painter.setPen(QPen(theme.color("line"), 1))
        radius = rect.height() / 2
        painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        inner = rect.adjusted(_CHIP_PADDING, 0, -_CHIP_PADDING + 1, 0)
        self._chip_pen.write(painter, inner, chip.text, theme.color(ink))

    def _title(self, painter: QPainter, row: ChatRow, left: int, right: int, top: int) -> None:
        theme = self._theme
        given = row.title_given
        pen = self._bold if given else self._plain
        title = row_words.title_text(row)
        used = pen.write(painter, QRect(left, top, right - left, self._first), title, theme.color("text"))
        more = shown(row.first_words) if given else "" if row_words.is_quotable(row) else shown(row.folder)
        start = left + used + _GAP
        if more and right - start >= _LEAST_WORDS:
            rect = QRect(start, top, right - start, self._first)
            self._plain.write(painter, rect, more, theme.color("muted"))

    def _facts(self, painter: QPainter, row: ChatRow, left: int, right: int, top: int) -> None:
        theme, metrics = self._theme, self._small.metrics
        muted = theme.color("muted")
        activity = row_words.activity_text(row, None, self._zone())
        facts = f"{activity} · {row_words.counts_text(row)}"
        width = metrics.horizontalAdvance(facts)
        if width > (right - left) * 2 // 3:
            # a narrow list keeps the time and lets the counts go
            facts = activity
            width = metrics.horizontalAdvance(facts)
        self._small.write(painter, QRect(right - width, top, width + 1, self._second), facts, muted)
        end = right - width - 2 * _GAP
        if row.damaged:
            rect = QRect(left, top, end - left, self._second)
            self._small.write(painter, rect, row_words.reason(row), muted)
            return
        at = self._agents(painter, row, left, end, top)
        working = row_words.working_text(row.progress)
        if working and end - at >= _LEAST_WORDS:
            rect = QRect(at, top, end - at, self._second)
            self._italic.write(painter, rect, working, muted)

    def _agents(self, painter: QPainter, row: ChatRow, left: int, right: int, top: int) -> int:
        """Dots with names, as many as there is room for, then how many more. Returns where they end."""
        theme, metrics = self._theme, self._small.metrics
        profiles = [agent.profile for agent in row.agents] or [row.agent_profile]
        at = left
        middle = top + self._second / 2
        for number, profile in enumerate(profiles):
            name = row_words.profile_text(profile)
            rest = len(profiles) - number - 1
            after = metrics.horizontalAdvance(f"+{rest}") + _GAP if rest else 0
            width = metrics.horizontalAdvance(name)
            room = right - at - _DOT - 5 - after
            if room < min(width, 24):
                text = f"+{rest + 1}"
                self._small.write(painter, QRect(at, top, right - at, self._second), text, theme.color("muted"))
                return at + metrics.horizontalAdvance(text) + _GAP
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.agent_color(number))
            painter.drawEllipse(QPointF(at + _DOT / 2, middle), _DOT / 2, _DOT / 2)
            at += _DOT + 5
            rect = QRect(at, top, min(width + 1, room), self._second)
            at += self._small.write(painter, rect, name, theme.color("muted")) + _GAP
        return at
