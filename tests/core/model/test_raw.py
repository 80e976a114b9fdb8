"""Decoding in stages: every part, whatever it is, gives a value or one kind of error."""

from __future__ import annotations

import json

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Raw

from chat_archive.core.errors import UnreadableError
from chat_archive.core.formats import read_context, read_row_facts
from chat_archive.core.model import raw

TEXTS = st.text(st.characters(exclude_categories=()), max_size=40)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=20,
)
TOP = ("id", "name", "created_at", "type", "last_message", "agents", "streaming_agent", "agent_profile", "log", "data")
INNER = ("output_data", "number", "history", "logs", "kvps", "content", "timestamp", "progress", "no", "_cls", "ai")
KEYS = st.sampled_from((*TOP, *INNER))
CHATS = st.recursive(VALUES, lambda inner: st.dictionaries(KEYS, inner, max_size=8) | st.lists(inner, max_size=3))


def touch(data: bytes) -> None:
    """Use everything a chat has."""
    try:
        context = read_context(data, folder="F")
    except UnreadableError as error:
        assert error.what
        return
    facts = read_row_facts(data, folder="F")
    assert facts.log_items == len(context.log.items)
    assert facts.messages == sum(agent.history.count for agent in context.agents)
    for item in context.log.items:
        assert isinstance(item.heading + item.content + item.type, str)
        json.dumps(item.to_json(), ensure_ascii=False).encode("utf-8")
    for agent in context.agents:
        for message in agent.history.messages():
            message.text().encode("utf-8")
        json.dumps(agent.history.to_json())
    context.all_problems(), context.unknown_parts()


@settings(max_examples=300, deadline=None)
@given(CHATS)
def test_any_json_is_read_or_refused_in_words(value: object) -> None:
    touch(json.dumps(value).encode())


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(KEYS, VALUES, max_size=8), st.dictionaries(KEYS, VALUES, max_size=6), VALUES)
def test_any_parts_of_a_chat(top: dict[str, object], inner: dict[str, object], odd: object) -> None:
    made = top | {
        "log": {"logs": [inner, odd]},
        "agents": [inner | {"history": json.dumps({"current": {"messages": [inner, odd]}})}],
    }
    touch(json.dumps(made).encode())


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_refused_in_words_or_read(data: bytes) -> None:
    touch(data)
    touch(b'{"id": "x", "log": ' + data + b"}")


def test_large_texts_are_unescaped_in_pieces_to_the_same_bytes() -> None:
    line = 'a "quoted" line\\ with 🍞, \u00e9 and \n breaks and no end to it; '
    inner = json.dumps({"text": line * 60_000, "more": "x" * 3_000_000, "pairs": "🍞" * 200_000})
    for ascii_only in (True, False):
        part = msgspec.json.decode(json.dumps(inner, ensure_ascii=ascii_only).encode(), type=Raw)
        assert raw.json_in_text(part) == inner.encode()


def test_lone_surrogates_in_large_texts_are_replaced() -> None:
    outer = '"' + "x" * 3_000_000 + '\\ud83c"'
    assert raw.json_in_text(Raw(outer.encode())).decode().endswith("x\ufffd")


@pytest.mark.parametrize("data", [b'{"a": 1, "a": [2, {"b": 3}]}', b' {"a":{"b":[1,2]},"c" : "x,}:"} '])
def test_members_are_split_by_their_brackets(data: bytes) -> None:
    pairs = raw.split_members(data)
    assert {key: json.loads(value) for key, value in pairs} == json.loads(data)
