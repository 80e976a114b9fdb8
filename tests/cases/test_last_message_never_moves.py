"""The case last-message-never-moves: `last_message` equals `created_at`, the log goes on for days."""

from __future__ import annotations

import time

import pytest

from tests.builders import age

pytestmark = pytest.mark.shared


@pytest.fixture
def root(case_input):  # type: ignore[no-untyped-def]
    return case_input("last-message-never-moves") / "usr/chats"


def by_activity(rows):  # type: ignore[no-untyped-def]
    return [row.folder for row in sorted(rows.values(), key=lambda row: row.last_activity, reverse=True)]


def test_sorted_by_the_logs_own_times(root, rows_of) -> None:
    rows = rows_of(root)
    assert by_activity(rows) == ["Sort0002", "Sort0001", "Sort0003"]
    assert [rows[name].last_activity.day for name in by_activity(rows)] == [7, 3, 2]
    assert all(row.created_at.utc == row.last_message.utc for row in rows.values())


def test_touching_a_file_does_not_reorder(root, rows_of) -> None:
    before = by_activity(rows_of(root))
    age(root / "Sort0003" / "chat.json", time.time() - 200)
    assert by_activity(rows_of(root)) == before
