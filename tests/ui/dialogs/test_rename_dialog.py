from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QPlainTextEdit
from pytestqt.qtbot import QtBot

from chat_archive.core.entities import ChatState
from chat_archive.ui.dialogs.rename_dialog import RenameDialog
from chat_archive.ui.plain_text import ElidedLabel
from chat_archive.ui.theme import Theme
from tests.ui.dialogs.samples import row


def _preview(dialog: RenameDialog) -> str:
    return dialog.findChildren(ElidedLabel)[0].full_text


def test_the_stored_name_is_edited_not_the_shown_title(theme: Theme, qtbot: QtBot) -> None:
    dialog = RenameDialog(theme, row("Shown title", name="  stored  name "))
    qtbot.addWidget(dialog)
    assert dialog.new_name == "  stored  name "
    assert _preview(dialog) == "stored  name"


def test_an_unnamed_chat_starts_empty_and_shows_its_title(theme: Theme, qtbot: QtBot) -> None:
    dialog = RenameDialog(theme, row("First words", name=None, title_given=False))
    qtbot.addWidget(dialog)
    field = dialog.findChild(QLineEdit)
    assert field is not None and field.text() == "" and field.placeholderText() == "First words"
    assert not dialog.rename_button.isEnabled()


def test_a_name_with_line_breaks_keeps_them(theme: Theme, qtbot: QtBot) -> None:
    dialog = RenameDialog(theme, row(name="one\ntwo"))
    qtbot.addWidget(dialog)
    assert dialog.findChild(QPlainTextEdit) is not None
    assert dialog.new_name == "one\ntwo"
    assert _preview(dialog) == "one two"
    dialog.set_name("one\ntwo\nthree")
    assert dialog.new_name == "one\ntwo\nthree"


def test_nothing_changed_is_nothing_to_rename(theme: Theme, qtbot: QtBot) -> None:
    dialog = RenameDialog(theme, row(name="half \ud83d emoji"))
    qtbot.addWidget(dialog)
    assert not dialog.rename_button.isEnabled()
    dialog.set_name("whole emoji 🌊")
    assert dialog.rename_button.isEnabled()
    dialog.set_name("   ")
    assert not dialog.rename_button.isEnabled()


def test_enter_renames(theme: Theme, qtbot: QtBot) -> None:
    dialog = RenameDialog(theme, row(name="old"))
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.set_name("new")
    field = dialog.findChild(QLineEdit)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert not dialog.isVisible() and dialog.result() == 1
    assert dialog.new_name == "new"


def test_c4_a_running_agent_zero_is_said(theme: Theme, qtbot: QtBot) -> None:
    dialog = RenameDialog(theme, row(state=ChatState.LIVE))
    qtbot.addWidget(dialog)
    assert any("put its own name back" in label.text() for label in dialog.findChildren(QLabel))


def test_the_preview_shows_marks_for_hidden_characters(theme: Theme, qtbot: QtBot) -> None:
    dialog = RenameDialog(theme, row(name="a"))
    qtbot.addWidget(dialog)
    dialog.set_name("a\u202eb")
    assert "U+202E" in _preview(dialog)
    assert dialog.new_name == "a\u202eb"
