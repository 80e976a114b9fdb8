"""A new name for one chat, with the line it will be in lists."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from chat_archive.core.entities import ChatRow, ChatState
from chat_archive.core.model.raw import clean_text
from chat_archive.core.model.titles import one_line
from chat_archive.ui.dialogs.sheet import Facts, Sheet, named
from chat_archive.ui.plain_text import ElidedLabel, ThemedLabel
from chat_archive.ui.theme import Theme


class _Lines(QPlainTextEdit):
    """A name that holds line breaks keeps them; Tab goes on to the next control, Ctrl+Enter means the default."""

    def __init__(self) -> None:
        super().__init__()
        self.setTabChangesFocus(True)
        self.setProperty("look", "field")
        self.setFixedHeight(self.fontMetrics().lineSpacing() * 4 + 16)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.ignore()  # the dialog takes it
            return
        super().keyPressEvent(event)


class RenameDialog(Sheet):
    """The stored name, editable as it is. `new_name` is what was typed."""

    def __init__(self, theme: Theme, row: ChatRow, parent: QWidget | None = None) -> None:
        super().__init__(theme, "", "", parent, width=560)
        title = self.tr("Rename chat")
        self.heading.setText(title)
        self.setWindowTitle(title)
        self.lead.setText(self.tr("Only the name in the chat's file changes; every other byte stays."))
        self.lead.show()
        # a lone half of a character cannot be shown or typed; left alone it stays as it is in the file
        self._before = clean_text(row.name or "").replace("\0", "")
        self._field: QLineEdit | _Lines
        if len(self._before.splitlines()) > 1:
            self._field = _Lines()
            self._field.setPlainText(self._before)
            self._field.selectAll()
            self._field.textChanged.connect(self._on_changed)
        else:
            self._field = QLineEdit(self._before)
            self._field.selectAll()
            self._field.setPlaceholderText(row.title)
            self._field.textChanged.connect(self._on_changed)
        self._shown = self.new_name
        self.body.addWidget(named(ThemedLabel(theme, self.tr("&Name:")), self._field))
        self.body.addWidget(self._field)
        facts = Facts(theme)
        self._preview = ElidedLabel(theme, "", bold=True)
        facts.add_widget(self.tr("In lists"), self._preview)
        if row.state is ChatState.LIVE:
            facts.add_chip(
                self.tr("Agent Zero"),
                self.tr("seems to run"),
                self.tr("It has this chat open and may put its own name back; you will be told."),
            )
        self.body.addWidget(facts)
        self.body.addStretch(1)
        cancel = self.add_button(self.tr("Cancel"))
        cancel.clicked.connect(self.reject)
        self.rename_button = self.add_button(self.tr("Rename"), "primary")
        self.rename_button.clicked.connect(self.accept)
        self.rename_button.setDefault(True)
        self._field.setFocus(Qt.FocusReason.OtherFocusReason)
        self._on_changed()

    @property
    def new_name(self) -> str:
        """What is in the field now, not trimmed."""
        if isinstance(self._field, QLineEdit):
            return self._field.text()
        return self._field.toPlainText()

    def set_name(self, text: str) -> None:
        if isinstance(self._field, QLineEdit):
            self._field.setText(text)
        else:
            self._field.setPlainText(text)

    def _on_changed(self) -> None:
        text = self.new_name
        blank = not text.strip()
        self.rename_button.setEnabled(not blank and text != self._shown)
        self._preview.set_full_text(self.tr("A name needs at least one character.") if blank else one_line(text))
