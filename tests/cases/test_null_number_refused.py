"""The case null-number-refused: numbers that are null, text or milliseconds."""

from __future__ import annotations

import pytest

from chat_archive.core import scan

pytestmark = pytest.mark.shared


@pytest.fixture
def root(case_input):  # type: ignore[no-untyped-def]
    return case_input("null-number-refused") / "usr/chats"


def test_it_opens_with_the_times_that_can_be_read(root, rows_of) -> None:
    context = scan.load(root, "Numb0001")
    assert context.agents[0].history.count == 2
    assert context.agents[0].history.counter == 2
    assert [message.tokens for message in context.agents[0].history.messages()] == [0, 51]
    assert [item.timestamp and item.timestamp.date().isoformat() for item in context.log.items] == [None, "2026-03-02"]
    row = rows_of(root)["Numb0001"]
    assert (row.last_activity.date().isoformat(), row.last_activity_from_file) == ("2026-03-02", False)
