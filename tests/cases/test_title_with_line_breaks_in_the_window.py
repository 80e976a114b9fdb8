"""Titles with line breaks, quotes and markdown stand on one line, and no row is higher than another."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chat_archive.ui.models.chat_order import Column
from tests.cases.window_of import (  # noqa: F401 - fixtures
    _nothing_left_running,
    case_root,
    open_window,
    theme,
)
from tests.journeys.conftest import Opener

pytestmark = pytest.mark.shared
TITLES = {"Rain Gauge Setup", "Two Lines Title", '"Quoted Kite"', "**Bold** Bread"}


@pytest.fixture
def root(shared: Path, tmp_path: Path) -> Path:
    return case_root(shared, tmp_path, "title-with-line-breaks")


def test_one_line_a_chat_and_one_height_for_all(open_window: Opener, root: Path) -> None:  # noqa: F811
    desk = open_window(root)
    assert set(desk.titles) == TITLES
    view = desk.window.pane.list
    for table in (False, True):
        view.set_table(table)
        heights = {view.visualRect(view.chats.index(number, 0)).height() for number in range(4)}
        assert len(heights) == 1
        shown = {view.chats.index(number, Column.TITLE).data() for number in range(4)}
        assert shown == TITLES


def test_sorting_by_title_ignores_leading_white_space(open_window: Opener, root: Path) -> None:  # noqa: F811
    desk = open_window(root)
    desk.window.model.set_order(Column.TITLE, False)
    assert desk.titles == ['"Quoted Kite"', "**Bold** Bread", "Rain Gauge Setup", "Two Lines Title"]


def test_the_title_as_stored_is_kept(open_window: Opener, root: Path) -> None:  # noqa: F811
    desk = open_window(root)
    for row in desk.window.model.shown_rows:
        stored = json.loads((root / row.folder / "chat.json").read_text(encoding="utf-8"))["name"]
        assert row.name == stored
