"""A log that starts late: own numbers, what is missing, what the history still has."""

# ruff: noqa: F401, F811 - fixtures are taken by their names

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from chat_archive.ui.views.detail_panel import DetailPanel, Tab
from tests.cases.panel_of import (
    _nothing_left_running,
    english,
    entries_of,
    inline_runner,
    notices_of,
    panel,
    show,
    texts_of,
    theme,
)

pytestmark = pytest.mark.shared


ROOT = "cases/log-starts-at-812/input/usr/chats"


def test_the_missing_start_is_told_and_the_first_words_come_from_the_history(
    show: Callable[..., DetailPanel],
    shared: Path,
) -> None:
    shown = show(folder="Tail0001", root=shared / ROOT)
    entries = entries_of(shown)
    assert "812 earlier items were not saved" in notices_of(shown)[0]
    assert entries[0].notice is not None
    assert entries[1].text == "The very first question, about a barometer."
    assert entries[1].time is None
    assert entries[1].from_history
    assert [entry.item.no for entry in entries if entry.item is not None] == [812, 813, 814, 815]


def test_the_log_tab_shows_the_items_own_numbers(
    show: Callable[..., DetailPanel],
    shared: Path,
) -> None:
    shown = show(folder="Tail0001", root=shared / ROOT)
    shown.set_current_tab(Tab.LOG)
    model = shown.log.model
    assert [model.index(row, 0).data() for row in range(4)] == ["812", "813", "814", "815"]
