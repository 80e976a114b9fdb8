"""Select all means what is shown, and nothing is emptied by one click."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLabel
from pytestqt.qtbot import QtBot

from chat_archive.core.settings import Settings
from chat_archive.ui.prompts import QtPrompts
from chat_archive.ui.theme import Theme
from tests.cases.window_of import (  # noqa: F401 - fixtures
    _nothing_left_running,
    case_root,
    open_window,
    theme,
)
from tests.journeys.conftest import Opener

pytestmark = pytest.mark.shared


@pytest.fixture
def root(shared: Path, tmp_path: Path) -> Path:
    return case_root(shared, tmp_path, "remove-all-needs-care")


def test_select_all_selects_the_three_that_are_shown_and_removing_them_leaves_nine(
    open_window: Opener,  # noqa: F811
    root: Path,
) -> None:
    desk = open_window(root)
    assert len(desk.folders) == 12
    desk.window.filter.setText("Kite")
    desk.settle()
    shown = set(desk.folders)
    assert shown == {"Care0000", "Care0001", "Care0002"}
    view = desk.window.pane.list
    view.setFocus()
    view.selectAll()
    desk.settle()
    assert {str(row.folder) for row in view.selected_rows()} == shown
    desk.do("move_to_trash")
    asked = next(about for name, about in desk.prompts.asked if name == "choose_deletion")
    assert len(asked) == 3
    desk.window.filter.clear()
    desk.settle()
    assert len(desk.folders) == 9


def test_emptying_asks_with_the_number_and_the_size_and_enter_does_not_do_it(
    open_window: Opener,  # noqa: F811
    root: Path,
    qtbot: QtBot,
    theme: Theme,  # noqa: F811
) -> None:
    desk = open_window(root)
    desk.choose("Care0000", "Care0001")
    desk.settle()
    desk.do("move_to_trash")
    prompts = QtPrompts(theme, Settings)
    said: list[str] = []

    def press_enter() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, QDialog)
        said.extend(label.text() for label in dialog.findChildren(QLabel))
        QTest.keyClick(QApplication.focusWidget() or dialog, Qt.Key.Key_Return)
        if dialog.isVisible():
            QTest.keyClick(dialog, Qt.Key.Key_Escape)

    QTimer.singleShot(50, press_enter)
    assert prompts.confirm_empty(desk.window.trash_entries()) is False
    assert any("Erase 2 chats for good?" in text for text in said)
    assert any("in 2 files" in text for text in said)
