"""The case newer-format-than-known: unknown records, log types, keys and shapes of a newer program."""

from __future__ import annotations

import pytest

from chat_archive.core import scan

pytestmark = pytest.mark.shared


@pytest.fixture
def root(case_input):  # type: ignore[no-untyped-def]
    return case_input("newer-format-than-known") / "usr/chats"


def test_all_four_open_and_say_how_much_is_unknown(root, rows_of) -> None:
    rows = rows_of(root)
    assert len(rows) == 4
    assert not any(row.damaged for row in rows.values())
    unknown = {name: scan.load(root, name).unknown_parts() for name in rows}
    assert unknown["Next0001"] == ["history.milestones", "history record Sketch"]
    assert unknown["Next0002"] == ["log type hologram"]
    assert sorted(unknown["Next0004"]) == ["attachments_store", "format_version"]
    assert "newer" in rows["Next0004"].flags


def test_what_is_not_understood_is_within_reach_as_it_is(root) -> None:
    history = scan.load(root, "Next0001").agents[0].history
    assert list(history.messages())[-1].content == {"strokes": [1, 2]}
    assert history.extra == {"milestones": [{"_cls": "Milestone", "label": "half way"}]}
    assert scan.load(root, "Next0002").log.items[2].kvps == {"lumen": 3}


def test_a_history_that_is_an_object_shows_its_messages(root, rows_of) -> None:
    assert rows_of(root)["Next0003"].messages == 2
    assert [found.ai for found in scan.load(root, "Next0003").agents[0].history.messages()] == [False, True]
