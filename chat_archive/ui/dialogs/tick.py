"""A check box or radio button whose words wrap, with a muted sentence under them that says what it means.

Qt's own buttons never wrap their text, so a long sentence would make the dialog as wide as the screen.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QGridLayout, QWidget

from chat_archive.ui.plain_text import ThemedLabel
from chat_archive.ui.theme import Theme


class Tick(QWidget):
    """`box` is the button; `set_words` names it, `set_sentence` explains it, `set_usable` greys the words too."""

    def __init__(self, theme: Theme, box: QAbstractButton | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.box = box if box is not None else QCheckBox()
        self.words = ThemedLabel(theme, wrap=True)
        self.sentence = ThemedLabel(theme, role="small", color="muted", wrap=True)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(1)
        grid.setColumnStretch(1, 1)
        grid.addWidget(self.box, 0, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self.words, 0, 1)
        grid.addWidget(self.sentence, 1, 1)
        self.sentence.hide()

    @property
    def checked(self) -> bool:
        return self.box.isChecked()

    def set_words(self, text: str) -> None:
        self.words.setText(text)
        self.box.setAccessibleName(text)

    def set_sentence(self, text: str) -> None:
        self.sentence.setText(text)
        self.sentence.setVisible(bool(text))
        self.box.setAccessibleDescription(text)

    def set_usable(self, usable: bool) -> None:
        self.box.setEnabled(usable)
        self.words.set_color("text" if usable else "muted")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """The words belong to the button."""
        if event.button() is Qt.MouseButton.LeftButton and self.box.isEnabled():
            self.box.setFocus(Qt.FocusReason.MouseFocusReason)
            self.box.click()
