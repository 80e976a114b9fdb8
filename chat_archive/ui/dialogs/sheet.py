"""What all dialogs share: a heading, a sentence under it, a body, and a row of buttons with one that Enter means.

Esc always closes without doing anything. A button says what it does ("Move 3 chats to Trash"), never "OK" or "Yes".
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from chat_archive.ui.plain_text import ElidedLabel, PlainLabel, ThemedLabel
from chat_archive.ui.theme import Theme

UNIT = 8
"""The grid, in pixels."""


class Sheet(QDialog):
    """A dialog with our margins. Subclasses fill `body` and add buttons from left to right."""

    def __init__(
        self, theme: Theme, title: str, lead: str = "", parent: QWidget | None = None, *, width: int = 600
    ) -> None:
        super().__init__(parent)
        self.theme = theme
        self.setWindowTitle(title.rstrip("?…"))
        self._width = width
        theme.changed.connect(self._on_theme)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(3 * UNIT, 2 * UNIT + 4, 3 * UNIT, 2 * UNIT + 4)
        outer.setSpacing(UNIT + 4)
        self.heading = ThemedLabel(theme, title, role="title", wrap=True)
        outer.addWidget(self.heading)
        self.lead = ThemedLabel(theme, lead, color="muted", wrap=True)
        self.lead.setVisible(bool(lead))
        outer.addWidget(self.lead)
        self.body = QVBoxLayout()
        self.body.setSpacing(UNIT + 4)
        outer.addLayout(self.body, 1)
        self.footer = QHBoxLayout()
        self.footer.setSpacing(UNIT)
        self.footer.addStretch(1)
        outer.addLayout(self.footer)

    def add_button(self, text: str, look: str = "") -> QPushButton:
        """A button at the right end of the footer. `look` is "primary", "danger" or ""."""
        button = sheet_button(text, look)
        self.footer.addWidget(button)
        return button

    def add_left_button(self, text: str) -> QPushButton:
        """A button apart from the others, at the left."""
        button = sheet_button(text)
        self.footer.insertWidget(0, button)
        return button

    def set_default(self, button: QPushButton) -> None:
        """Enter means this one, and it has the focus at first."""
        button.setDefault(True)
        button.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter on a button that has the keyboard presses that button, and not the default one beside it."""
        button = self.focusWidget()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(button, QPushButton):
            button.click()
            return
        super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.fit()

    def fit(self) -> None:
        """As wide as meant or as the words need, and high enough for wrapped lines at that width."""
        layout = self.layout()
        if layout is None:
            return
        layout.activate()
        room = self.screen().availableGeometry().size()
        width = min(max(self._width, layout.minimumSize().width(), self.width()), room.width())
        height = layout.totalHeightForWidth(width) if layout.hasHeightForWidth() else layout.sizeHint().height()
        if self._tall:
            height = max(height, self.height())
        self.setMinimumWidth(min(layout.minimumSize().width(), room.width()))
        self.resize(width, min(height, room.height()))

    def _on_theme(self) -> None:
        # fonts reach the labels after this signal; the size is right once they have
        if self.isVisible():
            QTimer.singleShot(0, self, self.fit)

    _tall = False
    """True for a dialog with a list that may be pulled larger."""


def sheet_button(text: str, look: str = "") -> QPushButton:
    """A push button that Enter in a field reaches only as the default."""
    button = QPushButton(text)
    button.setAutoDefault(False)
    if look:
        button.setProperty("look", look)
    return button


def hairline() -> QFrame:
    line = QFrame()
    line.setProperty("look", "hairline")
    line.setFixedHeight(1)
    return line


class Chip(ThemedLabel):
    """A word on a soft ground: a state that is seen at a glance and read as a word."""

    def __init__(self, theme: Theme, text: str, color: str = "warning", parent: QWidget | None = None) -> None:
        self._ground = f"{color}_soft"
        super().__init__(theme, text, role="small", color=color, parent=parent)
        self.setContentsMargins(UNIT, 1, UNIT, 2)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color(self._ground))
        radius = self.height() / 2
        painter.drawRoundedRect(QRectF(self.rect()), radius, radius)
        painter.end()
        super().paintEvent(event)


class Facts(QWidget):
    """What goes, where to, and so on: a muted name and its values per line, hairlines between."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(3 * UNIT)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(1, 1)

    def add(self, name: str, values: Sequence[str] | str, *, names: bool = False) -> None:
        """One line of facts. With `names` each value is a title: one line, cut at the edge. Else a sentence."""
        lines = [values] if isinstance(values, str) else list(values)
        column = QVBoxLayout()
        column.setSpacing(2)
        for line in lines:
            if names:
                column.addWidget(ElidedLabel(self._theme, line))
            else:
                column.addWidget(ThemedLabel(self._theme, line, wrap=True))
        self._add_line(name, column)

    def add_chip(self, name: str, chip: str, sentence: str, color: str = "warning") -> None:
        """One line whose value starts with a chip."""
        row = QHBoxLayout()
        row.setSpacing(UNIT)
        row.addWidget(Chip(self._theme, chip, color), 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(ThemedLabel(self._theme, sentence, wrap=True), 1)
        self._add_line(name, row)

    def add_widget(self, name: str, widget: QWidget) -> None:
        """One line whose value is a widget of the caller."""
        row = QHBoxLayout()
        row.addWidget(widget, 1)
        self._add_line(name, row)

    def _add_line(self, name: str, values: QVBoxLayout | QHBoxLayout) -> None:
        row = self._grid.rowCount()
        self._grid.addWidget(hairline(), row, 0, 1, 2)
        label = ThemedLabel(self._theme, name, color="muted")
        self._grid.addWidget(label, row + 1, 0, Qt.AlignmentFlag.AlignTop)
        self._grid.addLayout(values, row + 1, 1)


def framed(content: QWidget) -> QFrame:
    """`content` with a hairline around it."""
    frame = QFrame()
    frame.setProperty("look", "card")
    column = QVBoxLayout(frame)
    column.setContentsMargins(3, 3, 3, 3)
    column.addWidget(content)
    return frame


def scrolled(content: QWidget, name: str, height: int = 200) -> QScrollArea:
    """`content` at the top of a frameless area that scrolls down only; `name` is its accessible name."""
    area = QScrollArea()
    page = QWidget()
    column = QVBoxLayout(page)
    column.setContentsMargins(0, 0, UNIT, 0)
    column.addWidget(content)
    column.addStretch(1)
    area.setWidget(page)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setSizeAdjustPolicy(QScrollArea.SizeAdjustPolicy.AdjustToContents)
    area.setMinimumHeight(height)
    area.setMaximumHeight(max(height, 420))
    area.setAccessibleName(name)
    return area


def named(label: PlainLabel, control: QWidget) -> PlainLabel:
    """Make `label` the buddy of `control`, which gets its accessible name from it."""
    label.setBuddy(control)
    control.setAccessibleName(label.text().replace("&", "").rstrip(":"))
    return label
