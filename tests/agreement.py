"""Compares the program's documents (`list --json`, `show --format json`) with what Agent Zero itself made of a file.

Every difference must be named in `DIFFERENCES`, by the number of the defect or the section of the format page that
makes the right result differ. A line excuses a difference only where the file itself holds what the defect is about,
so each test is given the value as it is stored. `differences(pairs(...))` yields all others.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

GENERATED = "(generated)"
LOAD_TIME = "(load time)"
MISSING = "(missing)"


def digest(value: Any) -> str:
    """The hash the expectations use for texts and values."""
    text = value if isinstance(value, str) else json.dumps(value, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


@dataclass(frozen=True)
class Pair:
    """One fact: Agent Zero's value, ours, and what the file holds there (`MISSING` where it holds nothing)."""

    what: str
    theirs: Any
    ours: Any
    stored: Any = MISSING


def _epoch(value: Any) -> bool:
    return isinstance(value, str) and value.startswith(("1970-01-01", "1969-12-31"))


def _nothing(value: Any) -> bool:
    return value in (MISSING, None, "")


def _whole(text: Any) -> Any:
    """The text with lone surrogates as U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if isinstance(text, str) else text


def _plain(text: str) -> str:
    """A heading as people read it: without its icons."""
    return re.sub(r"icon://\w+(\[[^]]*])?", "", text).strip()


Test = Callable[[Pair], bool]

DIFFERENCES: tuple[tuple[str, str, Test], ...] = (
    # (what differs, why, whether this difference is that one)
    ("id", "D-14", lambda it: it.theirs == GENERATED and _nothing(it.stored["id"]) and it.ours == it.stored["folder"]),
    ("id", "D-15", lambda it: isinstance(it.stored["id"], int) and it.ours == str(it.stored["id"])),
    # its import takes a new id each time (section 5.1); looked at where it lies, the file says its own
    ("id", "5.1", lambda it: it.theirs == GENERATED and it.ours == it.stored["id"]),
    # as an id that is a number: it is taken as its text
    ("name", "D-15", lambda it: isinstance(it.stored, int) and it.ours == str(it.stored)),
    ("name", "D-53", lambda it: it.theirs == it.stored and it.ours == _whole(it.stored) != it.stored),
    ("date", "D-33", lambda it: _epoch(it.theirs) and it.ours is None and (_nothing(it.stored) or _epoch(it.stored))),
    # the other way round: a number that is text is taken as the number
    ("number", "D-15", lambda it: isinstance(it.stored, str) and it.stored == it.theirs == str(it.ours)),
    # the instance's default profile is not in the file: nothing is made up (section 2.4)
    ("profile", "2.4", lambda it: it.theirs == "agent0" and it.ours == "" and _nothing(it.stored)),
    ("agents", "D-38", lambda it: it.ours == [] and it.stored in (MISSING, []) and it.theirs[0]["messages"] == 0),
    (
        "streaming",
        "D-37",
        lambda it: it.theirs is None and it.stored["named"] not in it.stored["numbers"] and it.ours == 0,
    ),
    ("streaming", "D-38", lambda it: it.theirs == 0 and it.ours is None and it.stored["numbers"] == []),
    ("progress", "D-36", lambda it: it.theirs == "Waiting for input" and it.ours == _plain(it.stored)),
    ("progress_no", "D-36", lambda it: it.theirs == 0 and it.ours == it.stored),
    ("message id", "3.1", lambda it: it.theirs == GENERATED and it.ours == "" and it.stored == MISSING),
    ("log count", "D-35", lambda it: it.theirs == 1 and it.ours == 0 and it.stored == []),
    # the file's own number, and not the place, says how many items are missing before it (section 4.5)
    ("item no", "D-54", lambda it: it.ours == it.stored),
    ("item time", "D-34", lambda it: it.theirs in (LOAD_TIME, None) and it.ours is None and _nothing(it.stored)),
    # an empty object in the file is null in its memory (section 4.1)
    ("item kvps", "4.1", lambda it: it.theirs == digest(None) and it.ours == digest({}) and it.stored == {}),
)


def reasons(pair: Pair) -> set[tuple[str, str]]:
    """The lines of the table that excuse a difference."""
    return {(what, why) for what, why, test in DIFFERENCES if what == pair.what and test(pair)}


def differences(found: Iterable[Pair]) -> Iterator[str]:
    """Every difference that is not in the table, as "what: expected, ours"."""
    for pair in found:
        if not _same(pair.theirs, pair.ours) and not reasons(pair):
            yield f"{pair.what}: {pair.theirs!r:.200}, ours {pair.ours!r:.200}"


def _same(theirs: Any, ours: Any) -> bool:
    """Equal, and of one kind: 0 is not false, and "0" is not 0."""
    return bool(theirs == ours) and isinstance(theirs, bool) == isinstance(ours, bool)


def pairs(theirs: dict[str, Any], row: dict[str, Any], shown: dict[str, Any], file: Any) -> Iterator[Pair]:
    """Every fact both know. `file` is the decoded chat.json."""
    log = file.get("log") or {}
    yield Pair("id", theirs["id"], row["id"], {"id": file.get("id", MISSING), "folder": row["folder"]})
    yield Pair("name", theirs["name"], row["name"], file.get("name", MISSING))
    yield Pair("type", theirs["type"], row["type"])
    for key in ("created_at", "last_message"):
        yield Pair("date", theirs[key], _micro(row[key]), file.get(key, MISSING))
    stored = file.get("agents") or []
    active = {"named": file.get("streaming_agent", MISSING), "numbers": [agent.get("number") for agent in stored]}
    yield Pair("streaming", theirs["streaming_agent"], row["streaming_agent"], active)
    yield Pair("profile", theirs["agent_profile"], row["agent_profile"], file.get("agent_profile", MISSING))
    yield Pair("project", theirs["data"].get("project") or "", row["project"])
    yield from _agent_pairs(theirs["agents"], row["agents"], shown["agents"], file)
    yield from _log_pairs(theirs["log"], row, shown["log"], log)


def _micro(text: str | None) -> str | None:
    return None if text is None else datetime.fromisoformat(text).isoformat(timespec="microseconds")


def _agent_pairs(theirs: list[Any], rows: list[Any], shown: list[Any], file: Any) -> Iterator[Pair]:
    if len(theirs) != len(rows):
        yield Pair("agents", theirs, rows, file.get("agents", MISSING))
        return
    yield Pair("agents shown", len(rows), len(shown))
    for one, row, full, stored in zip(theirs, rows, shown, file["agents"], strict=True):
        yield Pair("number", one["number"], row["number"], stored["number"])
        yield Pair("number shown", row["number"], full["number"])
        named = stored.get("agent_profile") or file.get("agent_profile", MISSING)
        yield Pair("profile", one["profile"], row["profile"], named)
        yield Pair("profile shown", row["profile"], full["profile"])
        yield Pair("messages", one["messages"], row["messages"])
        yield Pair("messages shown", row["messages"], len(full["messages"]))
        history = stored.get("history") or ""
        for said, message in zip(one.get("message_list", ()), full["messages"], strict=False):
            known = said["id"] if f'"{said["id"]}"' in history else MISSING
            yield Pair("message id", said["id"], message["id"], known)
            yield Pair("message ai", said["ai"], message["ai"])
            yield Pair("message content", said["content"], digest(message["content"]))


def _log_pairs(theirs: dict[str, Any], row: dict[str, Any], items: list[Any], log: Any) -> Iterator[Pair]:
    stored = log.get("logs", [])
    yield Pair("log count", theirs["count"], row["log_items"], stored)
    yield Pair("log shown", row["log_items"], len(items))
    yield Pair("progress", theirs["progress"], row["progress"], log.get("progress", ""))
    yield Pair("progress_no", theirs["progress_no"], row["progress_no"], log.get("progress_no", MISSING))
    if theirs["count"] != len(items):
        return
    types: dict[str, int] = {}
    for item in items:
        types[item["type"]] = types.get(item["type"], 0) + 1
    yield Pair("types", theirs["types"], types)
    if "items" not in theirs:  # of the broken chats only the counts are told
        return
    for one, item, was in zip(theirs["items"], items, stored, strict=True):
        number, id, kind, agentno, time, heading, content, kvps = one
        yield Pair("item no", number, item["no"], was.get("no", MISSING))
        yield Pair("item id", id, item["id"])
        yield Pair("item type", kind, item["type"])
        yield Pair("item agentno", agentno, item["agentno"])
        yield Pair("item time", time, item["timestamp"], was.get("timestamp", MISSING))
        yield Pair("item heading", heading, digest(item["heading"]))
        yield Pair("item content", content, digest(item["content"]))
        yield Pair("item kvps", kvps, digest(item["kvps"]), was.get("kvps", MISSING))
