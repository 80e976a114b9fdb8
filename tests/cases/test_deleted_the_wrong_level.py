"""With one chat selected only that one goes, and the question names it."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from chat_archive.core.deletion import DeleteChoices
from chat_archive.ui.dialogs.impact_sheet import ImpactSheet
from chat_archive.ui.theme import Theme
from tests.cases.window_of import (  # noqa: F401 - fixtures
    _nothing_left_running,
    case_root,
    open_window,
    theme,
)
from tests.journeys.conftest import Opener

pytestmark = pytest.mark.shared


def test_one_selected_chat_goes_alone_and_the_question_names_it(
    open_window: Opener,  # noqa: F811
    shared: Path,
    tmp_path: Path,
    qtbot: QtBot,
    theme: Theme,  # noqa: F811
) -> None:
    desk = open_window(case_root(shared, tmp_path, "deleted-the-wrong-level"))
    desk.choose("Levl0001")
    desk.settle()
    rows = desk.window.pane.list.selected_rows()
    sheet = ImpactSheet(theme, rows, DeleteChoices(), 30)
    qtbot.addWidget(sheet)
    said = [label.text() for label in sheet.findChildren(QLabel)]
    assert "Move 1 chat to Trash?" in said
    assert rows[0].title in said
    desk.do("move_to_trash")
    assert [name for name, about in desk.prompts.asked if len(about) == 1] == ["choose_deletion"]
    assert desk.folders == {"Levl0000", "Levl0002"}
