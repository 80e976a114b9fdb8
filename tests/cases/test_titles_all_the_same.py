"""The case titles-all-the-same: the same name several times, and none."""

from __future__ import annotations

import pytest

from chat_archive.core import scan

pytestmark = pytest.mark.shared


@pytest.fixture
def root(case_input):  # type: ignore[no-untyped-def]
    return case_input("titles-all-the-same") / "usr/chats"


def test_rows_are_told_apart_by_first_words_and_dates(root, rows_of) -> None:
    rows = rows_of(root)
    assert len(rows) == 4
    assert all(row.first_words and row.created for row in rows.values())
    unnamed = [row for row in rows.values() if not row.name]
    assert unnamed
    for row in unnamed:
        assert (row.title, row.title_given) == (row.first_words, False)
    assert scan.read_one(root, "Same0000").title_given
