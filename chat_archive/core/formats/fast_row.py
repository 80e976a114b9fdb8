"""The typed fast way to the facts of a row: one pass over the file, nothing made of messages but their number.

It takes only files of the usual shape; for every other (`None`) the tolerant reader is asked. What it does not look
for and opening a chat does: keys given twice (D-44), bytes that are no UTF-8 inside texts of the log and the history.
"""

from __future__ import annotations

import re
from dataclasses import astuple, dataclass
from datetime import tzinfo
from typing import Any

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from chat_archive.core.entities import AgentRow, Problem
from chat_archive.core.formats import eras, facts
from chat_archive.core.formats.opening import BOM, bom_problem
from chat_archive.core.formats.reader import (
    choose_streaming,
    is_compact,
    message_keys,
    plain_name,
    planted_problem,
    read_date,
    read_id,
    read_profile,
    read_type,
)
from chat_archive.core.model import raw
from chat_archive.core.model.context import AgentContextType
from chat_archive.core.model.headings import plain
from chat_archive.core.model.history import History
from chat_archive.core.model.lazy import value_of
from chat_archive.core.model.times import from_timestamp
from chat_archive.core.model.titles import one_line


class _Skipped(Struct, gc=False):
    """An object nothing is taken from."""


class _Item(Struct, gc=False):
    type: str
    kvps: _Skipped | None
    content: Raw | UnsetType = UNSET
    timestamp: float | UnsetType | None = UNSET
    no: int | None = None
    id: str | UnsetType | None = UNSET
    agentno: int | UnsetType = UNSET
    temp: bool | UnsetType = UNSET


class _Log(Struct, gc=False):
    logs: list[_Item]
    progress: str = ""
    progress_no: int | bool | None = 0


class _Agent(Struct, gc=False):
    number: int
    history: Raw | UnsetType = UNSET
    agent_profile: str | UnsetType | None = UNSET
    data: _Skipped | UnsetType = UNSET


class _Chat(Struct, gc=False, forbid_unknown_fields=True):
    agents: list[_Agent]
    log: _Log
    id: str | UnsetType = UNSET
    name: str | UnsetType | None = UNSET
    created_at: str | UnsetType | None = UNSET
    type: str | UnsetType = UNSET
    last_message: str | UnsetType | None = UNSET
    streaming_agent: int | UnsetType = UNSET
    agent_profile: str | UnsetType | None = UNSET
    data: dict[str, Raw] | UnsetType | None = UNSET
    output_data: dict[str, Raw] | UnsetType | None = UNSET
    responses_delete_on_chat_delete: bool | UnsetType = UNSET


_decode = msgspec.json.Decoder(_Chat).decode


def fast_facts(data: bytes, *, folder: str, zone: tzinfo | None, flat: bool) -> facts.RowFacts | None:
    """The facts, or None when the file is not of the usual shape."""
    problems: list[Problem] = []
    if data.startswith(BOM):
        data = data[len(BOM) :]
        problems.append(bom_problem())
    try:
        chat = _decode(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError):
        return None
    counts = _counts(data, chat)
    if counts is None:
        return None
    made = facts.RowFacts(id="", name=_set(chat.name), type=AgentContextType.USER, raw_type=None)
    made.problems = problems
    made.id, found = read_id(_set(chat.id), chat.id is not UNSET, plain_name(folder, flat))
    problems += found
    given = _set(chat.type)
    made.type, found = read_type(given, chat.type is not UNSET)
    made.raw_type = facts.raw_type_of(given, made.type)
    problems += found
    made.created_at, found = read_date(_set(chat.created_at), "created_at", zone)
    problems += found
    made.last_message, found = read_date(_set(chat.last_message), "last_message", zone)
    problems += found
    made.agent_profile, found = read_profile(_set(chat.agent_profile), "the chat")
    problems += found
    _take_agents(made, chat, counts)
    _take_log(made, chat)
    _take_states(made, chat)
    made.first_words = _first_words(chat)
    made.era = eras.detect(_traces(chat, flat))
    made.newer = made.era == "F"
    return made


def _set(value: Any) -> Any:
    return None if value is UNSET else value


@dataclass(frozen=True, slots=True)
class _Marks:
    """Pieces of a history's text, as escaped in the file, that stand once in each message, and where it begins.

    Inside other texts quotes are escaped once more, so nothing that a message quotes matches. Long pieces are found
    faster than short ones.
    """

    beginning: bytes
    message: bytes
    ai: bytes
    no_bulks: bytes
    topics: bytes


_SPACED = _Marks(
    b'"{\\"_cls\\": \\"History\\", ',
    b'\\"_cls\\": \\"Message\\", ',
    b'\\", \\"ai\\": ',
    b'\\"bulks\\": [], \\"topics\\": [',
    b'], \\"topics\\": [',
)
_COMPACT = _Marks(*(mark.replace(b": ", b":").replace(b", ", b",") for mark in astuple(_SPACED)))
_HEAD = 256
_COUNTER = re.compile(rb'\\"counter\\": ?(\d{1,9})\b')


def _counts(data: bytes, chat: _Chat) -> list[int] | None:
    """Number of messages of each agent; None when marks disagree or a history does not look whole."""
    found = []
    place = 0
    for agent in chat.agents:
        if agent.history is UNSET:
            found.append(0)
            continue
        view = memoryview(agent.history)
        head, tail = bytes(view[:_HEAD]), bytes(view[-_HEAD:])
        if head == b'""':
            found.append(0)
            continue
        # counted where the text lies in the file, since a copy of it would cost as much as the count
        start = data.find(head, place)
        place = start + len(view)
        if start < 0 or data[place - len(tail) : place] != tail:
            return None
        count = _count(data, start, place, head, tail)
        if count is None:
            return None
        found.append(count)
    return found


def _count(data: bytes, start: int, end: int, head: bytes, tail: bytes) -> int | None:
    marks = next((one for one in (_SPACED, _COMPACT) if head.startswith(one.beginning)), None)
    # the current topic comes last, and its messages are the last of it
    if marks is None or not tail.endswith(b']}}"') or b'\\"bulks' not in head:
        return None
    if marks.no_bulks not in head and data.find(marks.topics, start, end) < 0:
        return None
    count = data.count(marks.message, start, end)
    counter = _COUNTER.search(head)
    if counter is not None and int(counter.group(1)) == count:
        return count  # the host's own count of what was ever added says the same
    return count if count == data.count(marks.ai, start, end) else None


def _take_agents(made: facts.RowFacts, chat: _Chat, counts: list[int]) -> None:
    rows = []
    for agent, count in zip(chat.agents, counts, strict=True):
        profile, found = read_profile(_set(agent.agent_profile), f"A{agent.number}")
        made.problems += found
        rows.append(AgentRow(agent.number, profile or made.agent_profile, count))
    made.agents = tuple(rows)
    made.messages = sum(row.messages for row in rows)
    streaming = 0 if chat.streaming_agent is UNSET else chat.streaming_agent
    place, found = choose_streaming(streaming, [row.number for row in rows])
    made.streaming_agent = None if place is None else rows[place].number
    made.problems += found


def _take_log(made: facts.RowFacts, chat: _Chat) -> None:
    made.log_items = len(chat.log.logs)
    # the greatest number is the newest time, but for the rare file that mixes seconds and milliseconds
    stamps = [item.timestamp for item in chat.log.logs if item.timestamp]
    if stamps:
        times = (from_timestamp(stamp) for stamp in ([max(stamps)] if max(stamps) < 1e11 else stamps))
        made.newest_item = max((time for time in times if time is not None), default=None)
    made.progress = one_line(plain(chat.log.progress)) if chat.log.progress else ""
    made.progress_no = chat.log.progress_no


def _take_states(made: facts.RowFacts, chat: _Chat) -> None:
    for key, part in (("data", _set(chat.data)), ("output_data", _set(chat.output_data))):
        if not part:
            continue
        planted = [name for name in part if name.startswith("_")]
        if planted:
            made.problems.append(planted_problem(key, planted))
        wanted = ("project", "lifetime_hours") if key == "data" else facts.OUTPUT_KEYS
        facts.take_state(made, key, {name: value_of(part[name]) for name in wanted if name in part})


def _first_words(chat: _Chat) -> str:
    items = chat.log.logs
    cut = bool(items) and (items[0].no or 0) > 0
    for item in () if cut else items:
        if item.type == "user" and isinstance(item.content, Raw):
            words = one_line(_text(item.content))
            if words:
                return words
    if chat.agents:
        words = facts.words_of_history(History.from_raw(_set(chat.agents[0].history)))
        if words:
            return words
    for item in items if cut else ():
        if item.type == "user" and isinstance(item.content, Raw):
            return one_line(_text(item.content))
    return ""


def _text(part: Raw) -> str:
    value = value_of(part)
    return value if isinstance(value, str) else raw.as_bytes(part).decode("utf-8", "replace")


def _traces(chat: _Chat, flat: bool) -> eras.Traces:
    first = chat.log.logs[0] if chat.log.logs else None
    has_profile = any(agent.agent_profile is not UNSET for agent in chat.agents)
    histories: list[object] = [_set(agent.history) for agent in chat.agents[:4]]
    dated = {"name": chat.name, "created_at": chat.created_at, "type": chat.type, "agent_profile": chat.agent_profile}
    return eras.Traces(
        flat=flat,
        item_has_id=first is not None and first.id is not UNSET,
        item_has_time=first is not None and first.timestamp is not UNSET,
        item_has_agentno=first is not None and first.agentno is not UNSET,
        item_has_temp=first is not None and first.temp is not UNSET,
        items=len(chat.log.logs),
        top_keys=frozenset(key for key, value in dated.items() if value is not UNSET),
        agent_has_profile=has_profile,
        message_keys=frozenset() if has_profile else message_keys(histories),
        compact_history=any(is_compact(part) for part in histories),
    )
