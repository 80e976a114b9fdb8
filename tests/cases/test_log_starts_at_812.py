"""The case log-starts-at-812: the start of a long chat is not in the log any more."""

from __future__ import annotations

import pytest

from chat_archive.core import scan

pytestmark = pytest.mark.shared


@pytest.fixture
def root(case_input):  # type: ignore[no-untyped-def]
    return case_input("log-starts-at-812") / "usr/chats"


def test_items_keep_their_numbers_and_the_loss_is_counted(root) -> None:
    context = scan.load(root, "Tail0001")
    assert [item.no for item in context.log.items] == [812, 813, 814, 815]
    assert context.log.missing_before == 812
    assert [item.to_json()["no"] for item in context.log.items] == [812, 813, 814, 815]


def test_the_first_question_stands_in_the_history(root, rows_of) -> None:
    first = next(scan.load(root, "Tail0001").agents[0].history.messages())
    assert first.text() == "The very first question, about a barometer."
    assert rows_of(root)["Tail0001"].first_words == first.text()
