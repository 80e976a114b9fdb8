"""What a newer program wrote and this one does not know is shown raw, folded, with its key, and counted."""

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


ROOT = "cases/newer-format-than-known/input/usr/chats"


@pytest.mark.parametrize(
    ("folder", "count", "keys"),
    [
        ("Next0001", 2, {"agents / 0 / history / milestones", "agents / 0 / history / Sketch"}),
        ("Next0002", 1, {"log / 2 / type"}),
        ("Next0004", 2, {"format_version", "attachments_store"}),
    ],
)
def test_unknown_parts_are_counted_and_folded_with_their_key(
    show: Callable[..., DetailPanel],
    shared: Path,
    folder: str,
    count: int,
    keys: set[str],
) -> None:
    shown = show(folder=folder, root=shared / ROOT)
    last = entries_of(shown)[-1]
    assert last.foldable
    assert last.count == count
    assert {name for name, _ in last.raw} == keys
    assert ("1 part" if count == 1 else f"{count} parts") in notices_of(shown)[-1]
    model = shown.transcript.model
    number = model.entry_row(last)
    assert not model.row(number).expanded
    model.toggle(number)
    body = model.text(model.row(number + 1))
    for key in keys:
        assert key in body


def test_an_unknown_log_type_is_shown_under_its_own_name(
    show: Callable[..., DetailPanel],
    shared: Path,
) -> None:
    shown = show(folder="Next0002", root=shared / ROOT)
    hologram = next(row for row in shown.transcript.model.rows if row.entry.type == "hologram")
    said = shown.transcript.model.accessible(hologram)
    assert said.startswith("hologram:")
    assert "a kite" in said


def test_a_history_that_is_an_object_shows_its_messages(
    show: Callable[..., DetailPanel],
    shared: Path,
) -> None:
    shown = show(folder="Next0003", root=shared / ROOT)
    shown.set_current_tab(Tab.HISTORY)
    model = shown.history.model
    assert model.rowCount(model.index(0, 0)) == 2
