"""The filter field at the right of the toolbar, and the strip above the list with the order and what was found."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QMenu, QSizePolicy, QToolButton, QWidget

from chat_archive.ui import words
from chat_archive.ui.models.chat_order import Column
from chat_archive.ui.plain_text import ThemedLabel
from chat_archive.ui.row_words import column_name
from chat_archive.ui.theme import Theme


class FilterField(QLineEdit):
    """A line that narrows the list while one types. The number found stands inside, at the right."""

    left = Signal()  # Return or Down: on to the list

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._found = ""
        self.setObjectName("filter")
        self.setPlaceholderText(self.tr("Filter: name, profile, project or id"))
        self.setAccessibleName(self.tr("Filter the list"))
        self.setToolTip(
            self.tr("Every word must be found. “profile:none” finds chats without a profile, “-word” leaves chats out.")
        )
        self.setMaxLength(500)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._glass = QAction(self)
        self.addAction(self._glass, QLineEdit.ActionPosition.LeadingPosition)
        self._clear = QAction(self)
        self._clear.setText(self.tr("Clear the filter"))
        self._clear.setToolTip(self.tr("Clear the filter (Esc)"))
        self._clear.triggered.connect(self.clear)
        self.addAction(self._clear, QLineEdit.ActionPosition.TrailingPosition)
        self._clear.setVisible(False)
        self.textChanged.connect(self._on_text)
        self._restyle()
        theme.changed.connect(self._restyle)

    def sizeHint(self) -> QSize:
        # a toolbar puts away what does not fit by its hint, so the hint is the least and the rest is grown into
        return QSize(self.minimumWidth(), super().sizeHint().height())

    def show_found(self, found: int, total: int) -> None:
        """How many of all chats pass; shown while there is a filter."""
        text = self.tr("{found} of {total}").format(found=words.number_text(found), total=words.chats_text(total))
        self._found = text if self.text() else ""
        self.setAccessibleDescription(self._found)
        margin = self.fontMetrics().horizontalAdvance(self._found) + 8 if self._fits() else 0
        self.setTextMargins(0, 0, margin, 0)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._found or not self._fits():
            return
        painter = QPainter(self)
        painter.setPen(self._theme.color("muted"))
        room = self.rect().adjusted(0, 0, -34, 0)
        painter.drawText(room, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), self._found)
        painter.end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            if self.text():
                self.clear()
            else:
                self.left.emit()
            return
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down):
            self.left.emit()
            return
        super().keyPressEvent(event)

    def _fits(self) -> bool:
        wanted = self.fontMetrics().horizontalAdvance(self._found + self.text()) + 110
        return bool(self._found) and wanted < self.width()

    def _on_text(self, text: str) -> None:
        self._clear.setVisible(bool(text))
        if not text:
            self._found = ""
            self.setTextMargins(0, 0, 0, 0)

    def _restyle(self) -> None:
        self.setMinimumWidth(self.fontMetrics().averageCharWidth() * 24)
        self.setMaximumWidth(self.fontMetrics().averageCharWidth() * 64)
        self._glass.setIcon(self._theme.icon("search", "muted"))
        self._clear.setIcon(self._theme.icon("close", "muted"))


class ListHeader(QWidget):
    """Above the list: by what it is ordered, and how many chats it shows."""

    order_chosen = Signal(object)  # Column
    reverse_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._column = Column.ACTIVITY
        self._falling = True
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setProperty("look", "strip")
        self.menu = QMenu(self)
        group = QActionGroup(self)
        self._actions: dict[Column, QAction] = {}
        for column in Column:
            action = self.menu.addAction(column_name(column))
            action.setCheckable(True)
            group.addAction(action)
            action.triggered.connect(lambda _on=False, which=column: self.order_chosen.emit(which))
            self._actions[column] = action
        self._button = QToolButton(self)
        self._button.setProperty("look", "strip")
        self._button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._button.setMenu(self.menu)
        self._button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self._button.setToolTip(self.tr("By what the list is ordered"))
        self._direction = QToolButton(self)
        self._direction.setProperty("look", "strip")
        self._direction.clicked.connect(self.reverse_requested)
        self._count = ThemedLabel(theme, role="small", color="muted", parent=self)
        self._count.setAccessibleName(self.tr("Listed chats"))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(4, 4, 12, 4)
        layout.setSpacing(0)
        layout.addWidget(self._button)
        layout.addWidget(self._direction)
        layout.addStretch(1)
        layout.addWidget(self._count)
        self.show_order(self._column, self._falling)
        self._restyle()
        theme.changed.connect(self._restyle)

    def show_order(self, column: Column, falling: bool) -> None:
        self._column, self._falling = column, falling
        name = column_name(column)
        self._button.setText(name)
        self._button.setAccessibleName(self.tr("Ordered by {column}").format(column=name))
        self._direction.setText("↓" if falling else "↑")
        self._direction.setToolTip(
            self.tr("Largest or newest first") if falling else self.tr("Smallest or oldest first")
        )
        self._direction.setAccessibleName(self._direction.toolTip())
        self._actions[column].setChecked(True)

    def show_choice(self, on: bool) -> None:
        """Whether the order can be chosen here; the table's own header does it otherwise."""
        self._button.setVisible(on)
        self._direction.setVisible(on)

    def show_count(self, text: str) -> None:
        self._count.setText(text)
        self._count.setAccessibleDescription(text)

    def _restyle(self) -> None:
        for button in (self._button, self._direction):
            button.setFont(self._theme.font("small"))
