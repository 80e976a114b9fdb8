from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QLabel
from pytestqt.qtbot import QtBot

from chat_archive.core.entities import ChatState
from chat_archive.ui.dialogs.sheet import Sheet
from chat_archive.ui.dialogs.trash_question import EmptyQuestion, MessageFilesQuestion, TrashQuestion
from chat_archive.ui.theme import Theme
from tests.ui.dialogs.samples import entries, row, rows


def _words(dialog: Sheet) -> str:
    return "\n".join(label.text() for label in dialog.findChildren(QLabel) if not label.isHidden())


def _press_enter(dialog: QDialog, qtbot: QtBot) -> bool:
    """Whether Enter, pressed as soon as the question is there, said yes."""
    qtbot.addWidget(dialog)
    dialog.show()
    target = dialog.focusWidget() or dialog
    qtbot.keyClick(target, Qt.Key.Key_Return)
    return dialog.result() == int(QDialog.DialogCode.Accepted)


def test_one_chat_goes_with_enter(theme: Theme, qtbot: QtBot) -> None:
    assert _press_enter(TrashQuestion(theme, rows(1), 30), qtbot)


@pytest.mark.parametrize("count", [2, 3, 30, 31, 500])
def test_enter_never_means_yes_to_removing_more_than_one(count: int, theme: Theme, qtbot: QtBot) -> None:
    assert not _press_enter(TrashQuestion(theme, rows(count), 30), qtbot)
    assert not _press_enter(MessageFilesQuestion(theme, rows(count), 30), qtbot)


@pytest.mark.parametrize("count", [1, 3])
def test_enter_never_empties_the_trash(count: int, theme: Theme, qtbot: QtBot) -> None:
    assert not _press_enter(EmptyQuestion(theme, entries()[:count]), qtbot)


@pytest.mark.parametrize("count", [1, 2, 31])
def test_the_button_does_it(count: int, theme: Theme, qtbot: QtBot) -> None:
    dialog = TrashQuestion(theme, rows(count), 30)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.mouseClick(dialog.proceed, Qt.MouseButton.LeftButton)
    assert dialog.result() == int(QDialog.DialogCode.Accepted)


def test_what_goes_is_counted_and_named(theme: Theme, qtbot: QtBot) -> None:
    dialog = TrashQuestion(theme, rows(8), 30)
    qtbot.addWidget(dialog)
    text = _words(dialog)
    assert "Move 8 chats to Trash?" in text
    for number in range(5):
        assert f"Chat {number}\n" in text
    assert "Chat 5" not in text
    assert "and 3 more" in text
    assert "4.0 MB" in text
    assert "30 days" in text
    assert dialog.proceed.text() == "Move 8 chats to Trash"


def test_where_to_and_how_to_get_it_back_is_said(theme: Theme, qtbot: QtBot) -> None:
    dialog = TrashQuestion(theme, rows(1), 0)
    qtbot.addWidget(dialog)
    text = _words(dialog)
    assert "Move 1 chat to Trash?" in text
    assert "Kept there until you empty it." in text
    assert "Undo" in text and "Restore" in text


def test_c4_a_running_agent_zero_is_said(theme: Theme, qtbot: QtBot) -> None:
    quiet = TrashQuestion(theme, rows(2), 30)
    busy = TrashQuestion(theme, [*rows(2), row(state=ChatState.LIVE)], 30)
    for dialog in (quiet, busy):
        qtbot.addWidget(dialog)
    assert "Agent Zero" not in _words(quiet)
    assert "It has 1 of these chats open and may write it back; you will be told." in _words(busy)


def test_above_thirty_the_button_stands_apart(theme: Theme, qtbot: QtBot) -> None:
    few, many = TrashQuestion(theme, rows(30), 30), TrashQuestion(theme, rows(31), 30)
    for dialog in (few, many):
        qtbot.addWidget(dialog)
    assert few.footer.indexOf(few.proceed) >= 0
    assert many.footer.indexOf(many.proceed) < 0
    assert "31 chats go at once" in _words(many)


def test_emptying_says_that_it_cannot_be_undone(theme: Theme, qtbot: QtBot) -> None:
    dialog = EmptyQuestion(theme, entries())
    qtbot.addWidget(dialog)
    text = _words(dialog)
    assert "Erase 3 chats for good?" in text
    assert "cannot be undone" in text
    assert "8 kB in 12 files" in text


def test_enter_presses_the_button_that_has_the_keyboard(theme: Theme, qtbot: QtBot) -> None:
    dialog = TrashQuestion(theme, rows(2), 30)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.proceed.setFocus()
    qtbot.keyClick(dialog.proceed, Qt.Key.Key_Return)
    assert dialog.result() == int(QDialog.DialogCode.Accepted)
