"""Kinds of messages nobody expects stay in their place and keep their name."""

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


ROOT = "cases/message-kinds-in-the-middle/input/tmp/chats"
FILE = "f6b1a520-a9e0-454c-adc8-eadc9a9840ef.json"


def test_all_messages_are_shown_in_order_with_the_names_of_their_kinds(
    show: Callable[..., DetailPanel],
    shared: Path,
) -> None:
    shown = show(folder=FILE, root=shared / ROOT)
    texts = texts_of(shown)
    assert len(texts) == 8
    said = [entry.message.text() for entry in entries_of(shown) if entry.message is not None]
    original = [message.text() for message in shown.loaded.context.agents[0].history.messages()]  # type: ignore[union-attr]
    assert said == original
    names = [shown.transcript.model.accessible(row) for row in shown.transcript.model.rows]
    for kind in ("system", "tool", "function"):
        assert any(name.startswith(f"{kind}:") for name in names), kind


def test_the_history_tab_names_the_kinds_too(
    show: Callable[..., DetailPanel],
    shared: Path,
) -> None:
    shown = show(folder=FILE, root=shared / ROOT)
    shown.set_current_tab(Tab.HISTORY)
    model = shown.history.model
    top = model.index(0, 0)
    kinds = [model.index(row, 1, top).data() for row in range(model.rowCount(top))]
    assert len(kinds) == 8
    assert {"system", "tool", "function"} <= set(kinds)
