"""The chat of a task is marked as one, and a type nobody knows is shown as it is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from chat_archive.core.entities import ChatRow

pytestmark = pytest.mark.shared


def test_the_chat_of_the_task_is_marked_and_the_one_that_made_it_is_not(
    case_input: Callable[[str], Path], rows_of: Callable[[Path], dict[str, ChatRow]]
) -> None:
    rows = rows_of(case_input("task-results-elsewhere") / "usr" / "chats")
    assert "task" in rows["Plan0002"].flags
    assert "task" not in rows["Plan0001"].flags


def test_an_unknown_type_is_shown_as_it_is_and_not_rejected(
    case_input: Callable[[str], Path], rows_of: Callable[[Path], dict[str, ChatRow]]
) -> None:
    row = rows_of(case_input("task-results-elsewhere") / "usr" / "chats")["Plan0003"]
    assert row.raw_type == "ritual"
    assert not row.damaged
