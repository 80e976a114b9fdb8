"""Rows of invented chats for tests of the list."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from chat_archive.core.entities import AgentRow, ChatId, ChatRow, ChatState, Folder, Problem, Severity
from chat_archive.core.model.times import Instant

START = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
ROOT = Path("/somewhere/usr/chats")


def make_row(number: int = 0, **changes: Any) -> ChatRow:
    """Chat `number`; each is an hour older than the one before."""
    folder = changes.pop("folder", f"Chat{number:04d}")
    root = changes.pop("root", ROOT)
    when = changes.pop("when", START - timedelta(hours=number))
    values: dict[str, Any] = {
        "root": root,
        "folder": Folder(folder),
        "path": root / folder / "chat.json",
        "id": ChatId(folder),
        "title": f"Chat number {number}",
        "title_given": True,
        "name": f"Chat number {number}",
        "type": "user",
        "raw_type": None,
        "created_at": Instant("x", when - timedelta(hours=1)) if when else Instant(),
        "last_message": Instant("x", when),
        "last_activity": when,
        "last_activity_from_file": False,
        "agents": (AgentRow(0, "agent0", 4), AgentRow(1, "developer", 2)),
        "streaming_agent": 0,
        "agent_profile": "agent0",
        "project": "",
        "project_title": "",
        "log_items": 10 + number,
        "messages": 6,
        "progress": "Waiting for input",
        "progress_no": 0,
        "first_words": f"Question number {number}",
        "parent_id": "",
        "expires_at": None,
        "size": 1000 * (number + 1),
        "era": "F",
        "flat": False,
        "state": ChatState.OK,
    }
    return ChatRow(**{**values, **changes})


def make_damaged(number: int = 0, **changes: Any) -> ChatRow:
    return make_row(
        number,
        **{
            "title": "Untitled",
            "title_given": False,
            "name": None,
            "agents": (),
            "agent_profile": "",
            "first_words": "",
            "progress": "",
            "log_items": 0,
            "messages": 0,
            "state": ChatState.DAMAGED,
            "problems": (Problem("cut", "The file ends too early, at byte 10,349.", Severity.DAMAGED),),
            **changes,
        },
    )
