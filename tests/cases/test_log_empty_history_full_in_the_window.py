"""No chat opens as a blank page: what is missing is said, what is there is shown."""

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


ROOT = "cases/log-empty-history-full/input/usr/chats"


def test_messages_of_the_history_are_shown_and_the_log_is_said_to_be_empty(
    show: Callable[..., DetailPanel],
    shared: Path,
) -> None:
    shown = show(folder="Half0011", root=shared / ROOT)
    assert notices_of(shown) == ["The log is empty. 4 messages below are taken from the history."]
    texts = texts_of(shown)
    assert len(texts) == 4
    assert texts[0] == "How long should the tail of a small kite be?"
    assert texts[1] == "Thought Looking for a rule of thumb"
    assert "five to seven times" in texts[2]
    assert texts[3].startswith("About six times")


def test_a_log_without_history_says_that_nothing_continues_from_it(
    show: Callable[..., DetailPanel],
    shared: Path,
) -> None:
    shown = show(folder="Half0012", root=shared / ROOT)
    assert len(texts_of(shown)) == 4
    assert len(notices_of(shown)) == 1
    assert notices_of(shown)[0].startswith("There is no history to continue from")


def test_a_chat_with_neither_says_so_in_every_tab(
    show: Callable[..., DetailPanel],
    shared: Path,
) -> None:
    shown = show(folder="Half0013", root=shared / ROOT)
    assert notices_of(shown) == ["This chat is empty: it has no log items and no messages."]
    shown.set_current_tab(Tab.HISTORY)
    assert shown.history.note.text() == "This agent has no history."
    shown.set_current_tab(Tab.LOG)
    assert shown.log.count.text() == "The log is empty."
