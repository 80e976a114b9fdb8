"""Progress saved in the middle of work is told as what it is: saved, plain."""

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


ROOT = "cases/stuck-progress/input/usr/chats"


@pytest.mark.parametrize("folder", ["Prog0000", "Prog0001", "Prog0002"])
def test_the_header_says_saved_while_in_plain_words(
    show: Callable[..., DetailPanel],
    shared: Path,
    folder: str,
) -> None:
    shown = show(folder=folder, root=shared / ROOT)
    assert not shown.header.progress.isHidden()
    text = shown.header.progress.text()
    assert text.startswith("saved while: ")
    for sign in ("icon://", "|||", "<", "\n"):
        assert sign not in text
    shown.set_current_tab(Tab.AGENTS)
    assert shown.agents.model.agent(0).streaming is False
    assert "running" not in shown.header.accessible_summary()
