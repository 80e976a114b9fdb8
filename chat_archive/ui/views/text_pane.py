"""A pane of plain text of any length: shown in pages, copied as it is in the source (V4, V6)."""

from __future__ import annotations

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from chat_archive.core.transcript_text import pages, readable, wrappable
from chat_archive.ui.plain_text import ThemedLabel
from chat_archive.ui.theme import Theme
from chat_archive.ui.views.text_document import source_of
from chat_archive.ui.words import number_text

PANE_PAGE = 100_000
PANE_LINES = 5_000


class PlainView(QPlainTextEdit):
    """Read-only text; what is copied has none of our break marks in it."""

    def __init__(self, theme: Theme, *, code: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._code = code
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setTabChangesFocus(True)
        self.document().setDocumentMargin(10)
        theme.changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        self.setFont(self._theme.font("mono" if self._code else "text"))

    def set_code(self, code: bool) -> None:
        if code != self._code:
            self._code = code
            self._restyle()

    def createMimeDataFromSelection(self) -> QMimeData:
        data = QMimeData()
        data.setText(source_of(self.textCursor().selectedText()))
        return data


class TextPane(QWidget):
    """A caption, a text in pages, and "show more"."""

    def __init__(self, theme: Theme, name: str, *, code: bool = True, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pages: list[str] = []
        self._shown = 0
        self._source = ""
        self.caption = ThemedLabel(theme, role="small", color="muted", bold=True)
        self.caption.setContentsMargins(10, 6, 10, 2)
        self.caption.hide()
        self.view = PlainView(theme, code=code)
        self.view.setAccessibleName(name)
        self.more = QPushButton()
        self.more.setProperty("look", "link")
        self.more.hide()
        self.more.clicked.connect(self.show_more)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.caption)
        layout.addWidget(self.view, 1)
        layout.addWidget(self.more)

    def set_caption(self, text: str) -> None:
        self.caption.setText(text)
        self.caption.setVisible(bool(text))

    def set_text(self, text: str, *, terminal: bool = False) -> None:
        """Show the beginning of a text."""
        self._source = text
        self._pages = pages(readable(text, terminal=terminal), size=PANE_PAGE, lines=PANE_LINES)
        self._shown = 1
        self.view.setPlainText(wrappable(self._pages[0]))
        self._update_more()

    def show_more(self) -> None:
        """Append the next page."""
        if self._shown < len(self._pages):
            cursor = self.view.textCursor()
            cursor.movePosition(cursor.MoveOperation.End)
            cursor.insertText(wrappable(self._pages[self._shown]))
            self._shown += 1
        self._update_more()

    @property
    def source(self) -> str:
        """The whole text as it was set."""
        return self._source

    def _update_more(self) -> None:
        left = sum(len(page) for page in self._pages[self._shown :])
        self.more.setVisible(left > 0)
        self.more.setText(self.tr("Show more: {count} characters left").format(count=number_text(left)))
