"""A plugin's own list of archived chats hides nothing here and changes no order."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from chat_archive.core.entities import ChatRow

pytestmark = pytest.mark.shared


def test_all_three_chats_are_shown_and_ids_without_a_chat_are_ignored(
    case_input: Callable[[str], Path], rows_of: Callable[[Path], dict[str, ChatRow]]
) -> None:
    rows = rows_of(case_input("archived-flag-of-a-plugin") / "usr" / "chats")
    assert set(rows) == {"Hide0000", "Hide0001", "Hide0002"}
    assert not any(row.damaged for row in rows.values())
