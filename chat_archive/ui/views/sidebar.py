"""The pane at the left: where one chooses which chats are listed."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from chat_archive.ui import words
from chat_archive.ui.models.chat_order import ALL, Scope
from chat_archive.ui.models.sidebar_model import COUNT_ROLE, ICON_ROLE, SCOPE_ROLE, SidebarModel
from chat_archive.ui.theme import Theme
from chat_archive.ui.views.delegates import Pen

_SIDE = 8
AnyIndex = QModelIndex | QPersistentModelIndex


class SidebarDelegate(QStyledItemDelegate):
    """Icon, text, count at the right; headings small and muted."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._restyle()
        theme.changed.connect(self._restyle)

    def _restyle(self) -> None:
        theme = self._theme
        self._plain = Pen(theme.font("text"))
        self._bold = Pen(theme.font("text", bold=True))
        self._small = Pen(theme.font("small", bold=True))
        self._count = Pen(theme.font("small"))
        self._icon = round(self._plain.metrics.height() * 1.1)

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        height = self._plain.metrics.height() + 12
        if index.data(SCOPE_ROLE) is None:
            height = self._small.metrics.height() + 22
        return QSize(160, height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        theme = self._theme
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        text = index.data() or ""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if index.data(SCOPE_ROLE) is None:
            at = rect.adjusted(_SIDE + 8, 8, -_SIDE, 0)
            self._small.write(painter, at, text, theme.color("muted"))
            painter.restore()
            return
        box = QRectF(rect).adjusted(_SIDE, 1, -_SIDE, -1)
        selected = bool(state & QStyle.StateFlag.State_Selected)
        painter.setPen(Qt.PenStyle.NoPen)
        if selected:
            painter.setBrush(theme.color("sel"))
            painter.drawRoundedRect(box, 6, 6)
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.setBrush(theme.color("raised"))
            painter.drawRoundedRect(box, 6, 6)
        if state & QStyle.StateFlag.State_HasFocus and state & QStyle.StateFlag.State_Active:
            painter.setPen(QPen(theme.color("accent"), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        inner = box.toRect().adjusted(8, 0, -8, 0)
        icon = theme.icon(index.data(ICON_ROLE) or "")
        icon.paint(painter, QRect(inner.left(), inner.top(), self._icon, inner.height()))
        number = words.number_text(index.data(COUNT_ROLE) or 0)
        pen = self._bold if selected else self._plain
        width = self._count.metrics.horizontalAdvance(number)
        at = QRect(inner.right() - width, inner.top(), width + 1, inner.height())
        self._count.write(painter, at, number, theme.color("muted"))
        left = inner.left() + self._icon + 8
        place = QRect(left, inner.top(), inner.right() - width - 8 - left, inner.height())
        pen.write(painter, place, text, theme.color("text"))
        painter.restore()


class Sidebar(QListView):
    """Shows a `SidebarModel`; what is chosen stays chosen while lines come and go."""

    scope_changed = Signal(object)  # Scope

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._scope = ALL
        self.lines = SidebarModel(self)
        self.setProperty("look", "sidebar")
        self.setAccessibleName(self.tr("Which chats are listed"))
        self.setItemDelegate(SidebarDelegate(theme, self))
        self.setModel(self.lines)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setViewportMargins(0, 8, 0, 8)
        self.lines.modelReset.connect(self._on_reset)
        self.selectionModel().currentChanged.connect(self._on_current)
        theme.changed.connect(self._on_theme)

    @property
    def scope(self) -> Scope:
        return self._scope

    def choose(self, scope: Scope) -> None:
        """Choose a line; where it is gone, all chats."""
        number = self.lines.find(scope)
        if number < 0:
            scope, number = ALL, self.lines.find(ALL)
        if number >= 0:
            self.setCurrentIndex(self.lines.index(number))
        self._take(scope)

    def wanted_width(self) -> int:
        """Wide enough for the usual names at the present text size."""
        return 12 * QFontMetrics(self._theme.font("text")).averageCharWidth() + 110

    def _take(self, scope: Scope) -> None:
        if scope != self._scope:
            self._scope = scope
            self.scope_changed.emit(scope)

    def _on_current(self, current: QModelIndex, _previous: QModelIndex) -> None:
        scope = self.lines.scope_at(current.row()) if current.isValid() else None
        if scope is not None:
            self._take(scope)

    def _on_reset(self) -> None:
        self.choose(self._scope)

    def _on_theme(self) -> None:
        self.doItemsLayout()
