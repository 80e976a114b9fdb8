"""Each agent has its own profile, each message its agent."""

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


ROOT = "cases/profiles-of-subordinates/input/usr/chats"


def test_three_agents_with_their_own_profiles(
    show: Callable[..., DetailPanel],
    shared: Path,
) -> None:
    shown = show(folder="Subs0001", root=shared / ROOT)
    shown.set_current_tab(Tab.AGENTS)
    profiles = [shown.agents.model.index(row, 1).data() for row in range(shown.agents.model.rowCount())]
    assert profiles == ["agent0", "researcher", "kite-repair"]


def test_a_filter_by_agent_shows_three_one_and_one(
    show: Callable[..., DetailPanel],
    shared: Path,
) -> None:
    shown = show(folder="Subs0001", root=shared / ROOT)
    shown.set_current_tab(Tab.LOG)
    log = shown.log
    counts = {}
    for number in (0, 1, 2, 5):
        log.agents.setCurrentIndex(log.agents.findData(number))
        log.agents.activated.emit(log.agents.currentIndex())
        counts[number] = log.shown
    assert counts == {0: 3, 1: 1, 2: 1, 5: 1}


def test_an_agentno_without_an_agent_keeps_its_number(
    show: Callable[..., DetailPanel],
    shared: Path,
) -> None:
    shown = show(folder="Subs0001", root=shared / ROOT)
    shown.set_current_tab(Tab.LOG)
    model = shown.log.model
    assert [model.index(row, 3).data() for row in range(6)] == [
        "agent0", "researcher", "kite-repair", "agent0", "agent0", "agent 5",
    ]  # fmt: skip
    names = {shown.transcript.model.transcript.speaker(entry.agent).profile for entry in entries_of(shown)}
    assert {"agent0", "researcher", "kite-repair"} <= names
