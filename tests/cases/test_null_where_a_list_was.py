"""The case null-where-a-list-was: agents, log, logs, history null; data a list."""

from __future__ import annotations

import pytest

from chat_archive.core import scan

pytestmark = pytest.mark.shared


@pytest.fixture
def root(case_input):  # type: ignore[no-untyped-def]
    return case_input("null-where-a-list-was") / "usr/chats"


def test_each_opens_and_says_what_it_lacks(root, rows_of) -> None:
    rows = rows_of(root)
    assert len(rows) == 6
    assert not any(row.damaged for row in rows.values())
    said = {name: {problem.code for problem in scan.load(root, name).all_problems()} for name in rows}
    assert said["Null0000"] == {"agents-kind"}
    assert said["Null0001"] == {"log-missing"}
    assert said["Null0002"] == {"logs-null"}
    assert said["Null0003"] == {"history-null"}
    assert said["Null0004"] == {"data-kind"}
    assert said["Null0005"] == set()
    assert (rows["Null0005"].log_items, rows["Null0005"].messages) == (2, 2)
