"""An empty place: what it is, why it is empty, what one can do (design 10)."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from chat_archive.ui.plain_text import ThemedLabel, breakable, shown_block
from chat_archive.ui.theme import Theme


class MessagePage(QWidget):
    """An icon, a heading and a sentence or two in the middle."""

    def __init__(self, theme: Theme, icon: str = "empty", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._name = icon
        self.icon = QLabel()
        self.icon.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.heading = ThemedLabel(theme, role="title", bold=True, wrap=True)
        self.text = ThemedLabel(theme, color="muted", wrap=True, selectable=True)
        for label in (self.heading, self.text):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(32, 32, 32, 32)
        layout.addStretch(2)
        layout.addWidget(self.icon)
        layout.addSpacing(8)
        layout.addWidget(self.heading)
        layout.addWidget(self.text)
        layout.addStretch(3)
        self.setAutoFillBackground(True)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        theme.changed.connect(self._restyle)
        self._restyle()

    def say(self, heading: str, text: str = "", icon: str = "") -> None:
        """Set the words; they may hold names and paths of files."""
        self.heading.setText(breakable(shown_block(heading, 300)))
        self.text.setText(breakable(shown_block(text)))
        self.text.setVisible(bool(text))
        if icon:
            self._name = icon
        self._restyle()

    def _restyle(self) -> None:
        self.icon.setPixmap(self._theme.icon(self._name, "muted").pixmap(40, 40))
