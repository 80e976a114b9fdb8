"""The case stuck-progress: progress saved in the middle of work, an active agent that is not there."""

from __future__ import annotations

import pytest

from chat_archive.core import scan
from chat_archive.core.entities import ChatState

pytestmark = pytest.mark.shared


@pytest.fixture
def root(case_input):  # type: ignore[no-untyped-def]
    return case_input("stuck-progress") / "usr/chats"


def test_the_saved_progress_is_plain_text(root, rows_of) -> None:
    rows = rows_of(root)
    for row in rows.values():
        assert not any(sign in row.progress for sign in ("<", "icon://", "|||", "\n"))
        assert row.progress
    assert rows["Prog0001"].progress == "A0: Responding"


def test_no_chat_counts_as_running(root, rows_of) -> None:
    assert {row.state for row in rows_of(root).values()} == {ChatState.OK}


def test_an_active_agent_that_is_not_there_is_no_error(root, rows_of) -> None:
    odd = [row for row in rows_of(root).values() if row.problems]
    assert all(problem.defect == "D-37" for row in odd for problem in row.problems)
    assert all(row.streaming_agent == 0 for row in rows_of(root).values())
    assert all(scan.load(root, row.folder).streaming_agent is not None for row in odd)
