"""The case history-is-a-list: the oldest layout, tmp/chats/<id>.json."""

from __future__ import annotations

import json

import pytest

from chat_archive.core import scan

pytestmark = pytest.mark.shared


@pytest.fixture
def root(case_input):  # type: ignore[no-untyped-def]
    return case_input("history-is-a-list") / "tmp/chats"


def test_both_are_listed_dated_by_the_files_own_time(root, rows_of) -> None:
    rows = rows_of(root)
    assert {row.id for row in rows.values()} == {"Old1", "Old2"}
    for row in rows.values():
        assert row.flat
        assert row.last_activity_from_file
        assert abs(row.last_activity.timestamp() - row.path.stat().st_mtime) < 0.001
        assert row.era == "A"


def test_messages_of_the_list_and_the_log_where_it_is_there(root) -> None:
    second = scan.load(root, "Old2.json")
    assert [message.ai for message in second.agents[0].history.messages()] == [False, True, False, True]
    assert len(second.log.items) == 0
    first = scan.load(root, "Old1.json")
    assert len(first.log.items) > 0


def test_the_list_stays_a_list(root) -> None:
    assert isinstance(json.loads(scan.read_bytes(root, "Old2.json"))["agents"][0]["history"], list)
