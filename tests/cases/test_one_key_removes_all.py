"""One press of a key never removes a chat without a question, and undo brings it back to the byte."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot

from chat_archive.core.settings import Settings
from chat_archive.ui.prompts import QtPrompts
from chat_archive.ui.theme import Theme
from tests.builders import snapshot
from tests.cases.window_of import (  # noqa: F401 - fixtures
    _nothing_left_running,
    case_root,
    open_window,
    theme,
)
from tests.journeys.conftest import Opener
from tests.ui.chat_rows import make_row

pytestmark = pytest.mark.shared


@pytest.fixture
def root(shared: Path, tmp_path: Path) -> Path:
    return case_root(shared, tmp_path, "one-key-removes-all")


@pytest.mark.parametrize("key", [Qt.Key.Key_Delete, Qt.Key.Key_Backspace])
def test_the_key_asks_first_and_no_means_no(open_window: Opener, root: Path, key: Qt.Key) -> None:  # noqa: F811
    desk = open_window(root)
    before = snapshot(root)
    desk.choose("Keys0001")
    desk.settle()
    desk.prompts.yes = False
    QTest.keyClick(desk.window.pane.list, key)
    desk.settle()
    assert desk.prompts.questions == ["choose_deletion"]
    assert snapshot(root) == before
    assert desk.folders == {"Keys0001", "Keys0002"}


@pytest.mark.parametrize("key", [Qt.Key.Key_Delete, Qt.Key.Key_Backspace])
def test_yes_moves_one_chat_to_the_trash_and_undo_brings_it_back(
    open_window: Opener,  # noqa: F811
    root: Path,
    key: Qt.Key,
) -> None:
    desk = open_window(root)
    before = {name: found for name, found in snapshot(root).items() if name.startswith("Keys")}
    desk.choose("Keys0001")
    desk.settle()
    QTest.keyClick(desk.window.pane.list, key)
    desk.settle()
    assert desk.folders == {"Keys0002"}
    assert not (root / "Keys0001").exists()
    assert len(desk.window.trash_entries()) == 1
    desk.do("undo")
    assert desk.folders == {"Keys0001", "Keys0002"}
    after = {name: found for name, found in snapshot(root).items() if name.startswith("Keys")}
    assert after == before
    assert (root / "Keys0001" / "messages" / "1.txt").is_file()


def test_backspace_and_delete_in_the_filter_only_edit_the_text(open_window: Opener, root: Path) -> None:  # noqa: F811
    desk = open_window(root)
    desk.choose("Keys0001")
    desk.do("filter")
    QTest.keyClicks(desk.window.filter, "xyz")
    QTest.keyClick(desk.window.filter, Qt.Key.Key_Backspace)
    QTest.keyClick(desk.window.filter, Qt.Key.Key_Home)
    QTest.keyClick(desk.window.filter, Qt.Key.Key_Delete)
    desk.settle()
    assert desk.window.filter.text() == "y"
    assert desk.prompts.asked == []


@pytest.mark.parametrize("number", [2, 40])
def test_enter_in_the_question_does_not_mean_yes_to_more_than_one(
    qtbot: QtBot,
    theme: Theme,  # noqa: F811
    number: int,
) -> None:
    prompts = QtPrompts(theme, Settings)
    answered: list[bool] = []

    def press_enter() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, QDialog)
        answered.append(True)
        QTest.keyClick(QApplication.focusWidget() or dialog, Qt.Key.Key_Return)
        if dialog.isVisible():
            QTest.keyClick(dialog, Qt.Key.Key_Escape)

    QTimer.singleShot(50, press_enter)
    assert prompts.choose_deletion([make_row(one) for one in range(number)], lambda *_: lambda: None) is None
    assert answered
