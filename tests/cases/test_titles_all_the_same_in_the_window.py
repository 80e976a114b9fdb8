"""Chats with the same name, or none, can be told apart."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from chat_archive.ui import row_words
from chat_archive.ui.models.chat_order import Column
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
    return case_root(shared, tmp_path, "titles-all-the-same")


def test_rows_carry_first_words_and_date(open_window: Opener, root: Path) -> None:  # noqa: F811
    desk = open_window(root)
    rows = desk.window.model.shown_rows
    assert len(rows) == 4
    assert all(row.first_words for row in rows)
    assert all(row.last_activity is not None for row in rows)
    told = {(row.first_words, row.last_activity) for row in rows}
    assert len(told) == 4


def test_a_title_from_the_first_message_is_marked(open_window: Opener, root: Path) -> None:  # noqa: F811
    desk = open_window(root)
    nameless = [row for row in desk.window.model.shown_rows if not row.title_given]
    named = [row for row in desk.window.model.shown_rows if row.title_given]
    assert nameless
    assert named
    for row in nameless:
        assert row_words.title_text(row) == f"“{row.title}”"
        assert "No name was given" in row_words.row_tip(row)
    for row in named:
        assert row_words.title_text(row) == row.title


@pytest.mark.parametrize("order", [Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder])
def test_equal_titles_stay_in_order_of_date(open_window: Opener, root: Path, order: Qt.SortOrder) -> None:  # noqa: F811
    desk = open_window(root)
    desk.window.model.sort(Column.TITLE, order)
    by_title: dict[str, list[float]] = {}
    for row in desk.window.model.shown_rows:
        assert row.last_activity is not None
        by_title.setdefault(row.title, []).append(row.last_activity.timestamp())
    assert any(len(times) > 1 for times in by_title.values())
    for times in by_title.values():
        assert times == sorted(times, reverse=True)


def test_selection_current_row_and_scroll_survive_a_refresh(open_window: Opener, root: Path) -> None:  # noqa: F811
    desk = open_window(root)
    desk.choose("Same0001", "Same0003")
    view = desk.window.pane.list
    current = view.current_key()
    desk.do("refresh")
    desk.window.model.sort(Column.TITLE, Qt.SortOrder.DescendingOrder)
    desk.settle()
    assert {row.folder for row in view.selected_rows()} == {"Same0001", "Same0003"}
    assert view.current_key() == current
