"""Compares the program's documents (`list --json`, `show --format json`) with what Agent Zero itself made of a file.

Every difference must be named in `DIFFERENCES`, by the number of the defect or the section of the format page that
makes the right result differ. `differences(expected, row, shown)` yields all others.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

GENERATED = "(generated)"
LOAD_TIME = "(load time)"


def digest(value: Any) -> str:
    """The hash the expectations use for texts and values."""
    text = value if isinstance(value, str) else json.dumps(value, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _epoch(expected: Any) -> bool:
    return isinstance(expected, str) and expected.startswith(("1970-01-01", "1969-12-31"))


Test = Callable[[Any, Any], bool]

DIFFERENCES: tuple[tuple[str, str, Test], ...] = (
    # (what differs, why, whether this difference is that one: expected, ours)
    ("id", "D-14", lambda expected, ours: expected == GENERATED and bool(ours)),
    ("id", "D-15", lambda expected, ours: isinstance(expected, int) and ours == str(expected)),
    ("name", "D-26", lambda expected, ours: isinstance(expected, int) and ours == str(expected)),
    ("name", "D-53", lambda expected, ours: isinstance(expected, str) and "\ufffd" in (ours or "")),
    ("date", "D-33", lambda expected, ours: _epoch(expected) and ours is None),
    ("number", "D-26", lambda expected, ours: isinstance(expected, str) and str(ours) == expected),
    # the instance's default profile is not in the file: nothing is made up (section 2.4)
    ("profile", "2.4", lambda expected, ours: expected == "agent0" and ours == ""),
    ("agents", "D-38", lambda expected, ours: len(expected) == 1 and ours == [] and expected[0]["messages"] == 0),
    ("streaming", "D-37", lambda expected, ours: expected is None and ours is not None),
    ("streaming", "D-38", lambda expected, ours: expected == 0 and ours is None),
    ("progress", "D-36", lambda expected, ours: expected == "Waiting for input"),
    ("progress_no", "D-36", lambda expected, ours: expected == 0),
    ("message id", "3.1", lambda expected, ours: expected == GENERATED and ours == ""),
    ("log count", "D-35", lambda expected, ours: expected == 1 and ours == 0),
    ("item no", "4.5", lambda expected, ours: True),
    ("item time", "D-34", lambda expected, ours: expected in (LOAD_TIME, None) and ours is None),
    ("item time", "D-43", lambda expected, ours: ours is None and not isinstance(expected, int | float)),
    # an empty object in the file is null in its memory (section 4.1)
    ("item kvps", "4.1", lambda expected, ours: expected == digest(None) and ours == digest({})),
)


def differences(expected: dict[str, Any], row: dict[str, Any], shown: dict[str, Any]) -> Iterator[str]:
    """Every difference that is not in the table, as "what: expected, ours"."""
    for what, theirs, ours in pairs(expected, row, shown):
        if theirs != ours and not any(kind == what and test(theirs, ours) for kind, _why, test in DIFFERENCES):
            yield f"{what}: {theirs!r:.200}, ours {ours!r:.200}"


def pairs(expected: dict[str, Any], row: dict[str, Any], shown: dict[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """(what, Agent Zero's value, ours) for every fact both know."""
    yield "id", expected["id"], row["id"]
    yield "name", expected["name"], row["name"]
    yield "type", expected["type"], row["type"]
    for key in ("created_at", "last_message"):
        yield "date", expected[key], _micro(row[key])
    yield "streaming", expected["streaming_agent"], row["streaming_agent"]
    yield "profile", expected["agent_profile"], row["agent_profile"]
    yield "project", (expected["data"].get("project") or ""), row["project"]
    yield from _agent_pairs(expected["agents"], row["agents"], shown["agents"])
    yield from _log_pairs(expected["log"], row, shown["log"])


def _micro(text: str | None) -> str | None:
    return None if text is None else datetime.fromisoformat(text).isoformat(timespec="microseconds")


def _agent_pairs(expected: list[Any], rows: list[Any], shown: list[Any]) -> Iterator[tuple[str, Any, Any]]:
    if len(expected) != len(rows):
        yield "agents", expected, rows
        return
    yield "agents shown", len(rows), len(shown)
    for theirs, row, full in zip(expected, rows, shown, strict=True):
        yield "number", theirs["number"], row["number"]
        yield "profile", theirs["profile"], row["profile"]
        yield "messages", theirs["messages"], row["messages"]
        yield "messages shown", row["messages"], len(full["messages"])
        listed = theirs.get("message_list")
        if listed is None:
            continue
        for one, message in zip(listed, full["messages"], strict=False):
            yield "message id", one["id"], message["id"]
            yield "message ai", one["ai"], message["ai"]
            yield "message content", one["content"], digest(message["content"])


def _log_pairs(expected: dict[str, Any], row: dict[str, Any], items: list[Any]) -> Iterator[tuple[str, Any, Any]]:
    yield "log count", expected["count"], row["log_items"]
    yield "log shown", row["log_items"], len(items)
    yield "progress", expected["progress"], row["progress"]
    yield "progress_no", expected["progress_no"], row["progress_no"]
    if expected["count"] != len(items):
        return
    types: dict[str, int] = {}
    for item in items:
        types[item["type"]] = types.get(item["type"], 0) + 1
    yield "types", expected["types"], types
    for theirs, item in zip(expected.get("items", ()), items, strict=False):
        number, id, kind, agentno, time, heading, content, kvps = theirs
        yield "item no", number, item["no"]
        yield "item id", id, item["id"]
        yield "item type", kind, item["type"]
        yield "item agentno", agentno, item["agentno"]
        yield "item time", time, item["timestamp"]
        yield "item heading", heading, digest(item["heading"])
        yield "item content", content, digest(item["content"])
        yield "item kvps", kvps, digest(item["kvps"])
