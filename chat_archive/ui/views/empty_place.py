"""An empty place says what it is, why it is empty and what one can do, with one button."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from chat_archive.ui.plain_text import ThemedLabel
from chat_archive.ui.theme import Theme

_ICON = 40


class EmptyPlace(QWidget):
    """Icon, a line, a sentence and at most one button."""

    button_pressed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._name = "empty"
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setProperty("look", "base")
        self._icon = QLabel()
        self._icon.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._title = ThemedLabel(theme, role="title", wrap=True)
        self._title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._text = ThemedLabel(theme, color="muted", wrap=True)
        self._text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._button = QPushButton()
        self._button.clicked.connect(self.button_pressed)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(32, 24, 32, 24)
        layout.setSpacing(8)
        layout.addStretch(2)
        layout.addWidget(self._icon)
        layout.addWidget(self._title)
        layout.addWidget(self._text)
        layout.addSpacing(8)
        layout.addWidget(self._button, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(3)
        self._restyle()
        theme.changed.connect(self._restyle)

    def say(self, title: str, text: str = "", button: str = "", icon: str = "empty") -> None:
        self._title.setText(title)
        self._text.setText(text)
        self._text.setVisible(bool(text))
        self._button.setText(button)
        self._button.setVisible(bool(button))
        self._name = icon
        self._restyle()

    @property
    def title(self) -> str:
        return self._title.text()

    def _restyle(self) -> None:
        self._icon.setPixmap(self._theme.icon(self._name, "muted").pixmap(_ICON, _ICON))
