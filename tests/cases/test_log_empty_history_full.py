"""The case log-empty-history-full: a log without history, a history without log, neither."""

from __future__ import annotations

import pytest

from chat_archive.core import scan

pytestmark = pytest.mark.shared


@pytest.fixture
def root(case_input):  # type: ignore[no-untyped-def]
    return case_input("log-empty-history-full") / "usr/chats"


def test_each_part_is_there_or_not_as_the_file_says(root, rows_of) -> None:
    rows = rows_of(root)
    found = {name: (row.log_items, row.messages) for name, row in rows.items()}
    assert found == {"Half0011": (0, 4), "Half0012": (4, 0), "Half0013": (0, 0)}
    assert next(scan.load(root, "Half0011").agents[0].history.messages()).text()
    assert not any(row.damaged for row in rows.values())
    assert rows["Half0011"].first_words
