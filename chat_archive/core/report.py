"""Rows and chats as JSON values: what `list --json` and `show --format json` print (design 8)."""

from __future__ import annotations

import math
from datetime import datetime
from typing import Any

from chat_archive.core.entities import ChatRow, Problem
from chat_archive.core.model.context import AgentContext
from chat_archive.core.model.raw import clean_text


def row_json(row: ChatRow) -> dict[str, Any]:
    """One chat of `list --json`. Instants are ISO 8601 with offset, unknown ones None; sizes are bytes."""
    return {
        "id": text(row.id),
        "folder": text(row.folder),
        "title": row.title,
        "name": None if row.name is None else text(row.name),
        "type": row.type,
        "created_at": row.created_at.iso(),
        "last_message": row.last_message.iso(),
        "last_activity": iso(row.last_activity),
        "agents": [
            {"number": agent.number, "profile": text(agent.profile), "messages": agent.messages} for agent in row.agents
        ],
        "streaming_agent": row.streaming_agent,
        "agent_profile": text(row.agent_profile),
        "project": text(row.project),
        "log_items": row.log_items,
        "progress": row.progress,
        "progress_no": row.progress_no,
        "size": row.size,
        "state": row.state.value,
        "problems": [problem_json(problem) for problem in row.problems],
    }


def problem_json(problem: Problem) -> dict[str, str]:
    """A problem; `code` is stable, `text` a whole sentence, `defect` the number of the format page or ""."""
    return {
        "code": problem.code,
        "text": text(problem.text),
        "severity": problem.severity.value,
        "defect": problem.defect,
    }


def chat_json(context: AgentContext, row: ChatRow) -> dict[str, Any]:
    """One chat of `show --format json`: its row, each agent's messages in reading order, the log's items.

    A log item's `no` and `timestamp` (Unix seconds) are what the file says; contents keep their shape.
    """
    return {
        "chat": row_json(row),
        "agents": [
            {
                "number": agent.number,
                "profile": text(agent.profile),
                "messages": [
                    {"id": message.id, "ai": message.ai, "content": plain_json(message.content)}
                    for message in agent.history.messages()
                ],
            }
            for agent in context.agents
        ],
        "log": [
            {
                "no": plain_json(item.no),
                "id": item.id,
                "type": item.type,
                "agentno": item.agentno,
                "timestamp": plain_json(item.raw_timestamp),
                "heading": item.heading,
                "content": item.content,
                "kvps": plain_json(item.kvps),
            }
            for item in context.log.items
        ],
    }


def list_json(root: str, rows: list[ChatRow], problems: list[Problem]) -> dict[str, Any]:
    """The whole document of `list --json`."""
    return {
        "root": text(root),
        "chats": [row_json(row) for row in rows],
        "problems": [problem_json(problem) for problem in problems],
    }


def iso(moment: datetime | None) -> str | None:
    """An aware instant as ISO 8601 with offset."""
    return None if moment is None else moment.isoformat()


def text(value: str) -> str:
    """Text that can be written as UTF-8: lone surrogates, of file names too, become U+FFFD."""
    return clean_text(value)


def plain_json(value: Any) -> Any:
    """The value with NaN and infinities as None (D-43), so that the document is strict JSON."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: plain_json(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain_json(item) for item in value]
    return value
