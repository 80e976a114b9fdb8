"""Contexts and documents written as Agent Zero writes them, whatever they hold."""

from __future__ import annotations

import datetime
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chat_archive.core.formats import read_context
from chat_archive.core.layout import is_well_formed
from chat_archive.core.model.context import AgentConfig, AgentContext
from chat_archive.core.model.log import LOG_SIZE
from chat_archive.core.model.raw import PartError
from chat_archive.core.model.serialise import strict_text, to_text
from tests.builders import bulk, chat, history, item, message, text_of, topic

ORDER = [
    "id",
    "name",
    "created_at",
    "type",
    "last_message",
    "agents",
    "streaming_agent",
    "agent_profile",
    "log",
    "data",
    "output_data",
]


def refuse_constant(name: str) -> None:
    raise AssertionError(f"{name} is no strict JSON")


def strictly(text: str) -> dict[str, Any]:
    """Parse as strict JSON in valid UTF-8."""
    found = json.loads(text.encode("utf-8").decode("utf-8"), parse_constant=refuse_constant)
    assert isinstance(found, dict)
    return found


def keeps_section_8(document: dict[str, Any], *, broken_history: bool = False) -> None:
    """Every rule of format 8 that a file by itself can keep."""
    assert is_well_formed(document["id"])
    assert document.get("type", "user") in ("user", "task", "background")
    assert isinstance(document["log"], dict)
    for entry in document["log"].get("logs", []):
        assert isinstance(entry["type"], str)
        assert isinstance(entry["kvps"], dict | None)
    for key in ("created_at", "last_message"):
        if document.get(key):
            assert datetime.datetime.fromisoformat(document[key]).tzinfo is not None
            assert not document[key].endswith("Z")
    for agent in document["agents"]:
        assert type(agent["number"]) is int
        assert isinstance(agent["data"], dict)
        assert isinstance(agent["history"], str)
        if agent["history"] and not broken_history:
            found = json.loads(agent["history"], parse_constant=refuse_constant)
            assert {"bulks", "topics", "current"} <= found.keys()
            every_record_loads(found)


def every_record_loads(found: dict[str, Any]) -> None:
    waiting = [(found["current"], "Topic"), *((one, "Topic") for one in found["topics"])]
    waiting += [(one, "Bulk") for one in found["bulks"]]
    while waiting:
        record, kind = waiting.pop()
        kind = record["_cls"] if kind == "" else kind
        assert kind in ("Topic", "Bulk", "Message")
        if kind == "Message":
            assert "ai" in record
            int(record.get("sequence", 0))
            continue
        assert isinstance(record["summary"], str)
        waiting += [
            (one, "Message" if kind == "Topic" else "") for one in record["messages" if kind == "Topic" else "records"]
        ]


def test_a_fresh_context_is_written_in_the_order_of_the_format() -> None:
    context = AgentContext(AgentConfig("agent0"), name="Kite")
    assert context.agent0 is not None
    context.agent0.history.add_message(False, {"user_message": "How long?"})
    context.log.add("user", content="How long?")
    text = to_text(context).text
    document = strictly(text)
    assert list(document) == ORDER
    assert list(document["agents"][0]) == ["number", "agent_profile", "data", "history"]
    assert list(document["log"]) == ["guid", "logs", "progress", "progress_no"]
    assert list(document["log"]["logs"][0]) == [
        "no",
        "id",
        "type",
        "heading",
        "content",
        "kvps",
        "timestamp",
        "agentno",
    ]
    assert text == json.dumps(document, ensure_ascii=False)
    keeps_section_8(document)


def test_the_profile_stands_at_both_places_with_its_fallback() -> None:
    document = strictly(to_text(AgentContext(AgentConfig("researcher"))).text)
    assert document["agent_profile"] == document["agents"][0]["agent_profile"] == "researcher"
    empty = strictly(to_text(AgentContext()).text)
    assert empty["agent_profile"] == empty["agents"][0]["agent_profile"] == ""


def test_private_keys_are_never_written() -> None:
    context = AgentContext(data={"_persist_chat_saved": True, "project": "x"}, output_data={"_hidden": 1})
    assert context.agent0 is not None
    context.agent0.set_data("_secret", 1)
    context.agent0.set_data("iteration_no", 3)
    document = strictly(to_text(context).text)
    assert document["data"] == {"project": "x"}
    assert document["output_data"] == {}
    assert document["agents"][0]["data"] == {"iteration_no": 3}


def test_d51_values_that_cannot_be_encoded_become_null_and_are_counted() -> None:
    context = AgentContext(
        data={"set": {1}, "when": datetime.date(2026, 1, 1), "bytes": b"x", "kept": [1, (2, 3)], 5: "five"}
    )
    made = to_text(context)
    assert strictly(made.text)["data"] == {"set": None, "when": None, "bytes": None, "kept": [1, [2, 3]], "5": "five"}
    assert made.nulls == 3
    assert any(remark.startswith("3 values") for remark in made.remarks)


def test_d52_circles_and_tuple_keys_do_not_stop_a_save() -> None:
    circle: dict[Any, Any] = {"name": "a"}
    circle["self"] = circle
    context = AgentContext(data={"circle": circle, ("a", 1): 2})
    assert context.agent0 is not None
    context.agent0.history.add_message(True, {"odd": {1, 2}})
    made = to_text(context)
    document = strictly(made.text)
    assert document["data"]["circle"] == {"name": "a", "self": None}
    assert made.nulls == 3
    assert json.loads(document["agents"][0]["history"])["current"]["messages"][0]["content"] == {"odd": None}


def test_d53_lone_surrogates_become_replacement_marks_and_are_counted() -> None:
    context = AgentContext(name="high \ud83d alone", data={"pair": "\ud83d\ude00", "key\udc00": 1})
    made = to_text(context)
    document = strictly(made.text)
    assert document["name"] == "high \ufffd alone"
    assert document["data"] == {"pair": "\U0001f600", "key\ufffd": 1}
    assert made.surrogates == 2


def test_d43_numbers_that_are_none_become_null_and_are_counted() -> None:
    made = to_text(AgentContext(data={"a": float("nan"), "b": [float("inf"), 1.0]}))
    assert strictly(made.text)["data"] == {"a": None, "b": [None, 1.0]}
    assert made.nans == 2


def test_d54_at_most_a_thousand_log_items_are_written() -> None:
    context = AgentContext()
    for number in range(LOG_SIZE + 5):
        context.log.add("info", content=str(number))
    logs = strictly(to_text(context).text)["log"]["logs"]
    assert len(logs) == LOG_SIZE
    assert (logs[0]["no"], logs[0]["content"], logs[-1]["content"]) == (5, "5", str(LOG_SIZE + 4))


def test_unknown_keys_are_written_back_in_their_place() -> None:
    made = chat(x_order=1.0, x_big=10000000000000000001)
    made["agents"][0]["x_note"] = {"deep": [1]}
    made["log"]["x_log"] = True
    made["log"]["logs"][0]["x_mark"] = "☃"
    made["agents"][0]["history"] = history([message("hi") | {"x_message": 1}], x_history=2)
    context = read_context(text_of(made), folder="Chat0001")
    assert json.loads(to_text(context).text) == made


def test_a_history_keeps_its_own_spelling_while_nothing_in_it_changes() -> None:
    compact = json.dumps(json.loads(history([message("Grün")])), separators=(",", ":"))
    made = chat(agents=[{"number": 0, "agent_profile": "agent0", "data": {}, "history": compact}])
    context = read_context(text_of(made), folder="Chat0001")
    assert [m.text() for m in context.agents[0].history.messages()] == ["Grün"]
    assert json.loads(to_text(context).text)["agents"][0]["history"] == compact
    context.agents[0].history.add_message(True, "new")
    changed = json.loads(json.loads(to_text(context).text)["agents"][0]["history"])
    assert [m["content"] for m in changed["current"]["messages"]] == [{"user_message": "Grün"}, "new"]


def test_d26_a_history_that_cannot_be_read_is_not_lost_by_a_save() -> None:
    cut = history([message("hi")])[:-9]
    made = chat(agents=[{"number": 0, "agent_profile": "agent0", "data": {}, "history": cut}])
    context = read_context(text_of(made), folder="Chat0001")
    list(context.agents[0].history.messages())
    assert json.loads(to_text(context).text)["agents"][0]["history"] == cut


ODD: list[dict[str, Any]] = [
    {"id": "../x"},
    {"type": "mcp"},
    {"type": None},
    {"created_at": "2026-03-02T09:00:00Z"},
    {"created_at": 5, "last_message": "yesterday"},
    {"created_at": "2026-03-02T09:00:00"},
    {"name": 42},
    {"agents": None},
    {"agents": ["x", None, {"data": None, "history": None}, {"number": "1", "data": [], "history": 5}]},
    {"agents": {"number": 0}},
    {"streaming_agent": "0", "agent_profile": 7},
    {"log": None},
    {"log": [item(0, "user")]},
    {"log": {"logs": None}},
    {"log": {"logs": [None, 5, "text", {}, {"type": 1, "kvps": "x"}, {"type": "user", "kvps": [["a", 1]]}]}},
    {"data": [], "output_data": "x"},
]
ODD_HISTORIES: list[object] = [
    {"current": {"messages": [message("hi")]}},
    [{"type": "human", "content": "hi"}, {"type": "ai", "content": "yes"}],
    "not json",
    history([message("hi")])[:-9],
    history([{"_cls": "Message", "content": "no ai"}, 5, {"_cls": "Message", "ai": True, "sequence": "first"}]),
    history(
        bulks=[
            {
                "_cls": "Bulk",
                "records": [
                    {"_cls": "Galaxy", "x": 1},
                    {"_cls": "History", "bulks": [], "topics": [topic([])], "current": topic([message("deep")])},
                    None,
                ],
            }
        ]
    ),
    history(bulks=[bulk([bulk([topic([message("hi")])])])], current=5),
    json.dumps({"bulks": 5, "topics": {}, "current": []}),
    history([message(float("nan"))]),
]


@pytest.mark.parametrize(
    "change", [*ODD, *({"agents": [{"number": 0, "data": {}, "history": one}]} for one in ODD_HISTORIES)]
)
def test_what_is_written_strictly_can_be_loaded(change: dict[str, Any]) -> None:
    data = text_of(chat() | change)
    keeps_section_8(strictly(strict_text(data, "Chat0001").text))
    context = read_context(data, folder="Chat0001")
    keeps_section_8(strictly(to_text(context).text), broken_history=True)


def test_a_strict_rewrite_tells_what_it_replaced() -> None:
    data = b'{"id": "a", "name": "\\ud83d", "log": {"logs": [{"type": "x", "kvps": {"t": NaN}}]}}'
    made = strict_text(data, "a")
    assert strictly(made.text)["name"] == "\ufffd"
    assert (made.surrogates, made.nans, made.nulls) == (1, 1, 0)
    assert len(made.remarks) == 2


def test_a_strict_rewrite_refuses_what_is_no_object() -> None:
    for data in (b"[]", b"5", b"", b"{", b"[" * 5000):
        with pytest.raises(PartError):
            strict_text(data, "a")


def test_a_strict_rewrite_gives_an_id_even_where_the_folder_has_none() -> None:
    assert is_well_formed(strictly(strict_text(b'{"id": "", "log": {}}', ".odd name").text)["id"])


json_values: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(alphabet=st.characters(), max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(alphabet=st.characters(), max_size=8), inner, max_size=3)
    ),
    max_leaves=12,
)


@settings(max_examples=150)
@given(st.dictionaries(st.sampled_from([*ORDER, "x"]), json_values), json_values, json_values)
def test_any_document_is_rewritten_to_something_loadable(top: dict[str, Any], entry: Any, record: Any) -> None:
    top.setdefault("log", {"logs": [entry]})
    top.setdefault("agents", [{"history": json.dumps({"bulks": [record], "topics": [record], "current": record})}])
    keeps_section_8(strictly(strict_text(text_of(top), "Chat0001").text))


@pytest.mark.shared
@pytest.mark.parametrize("group", ["chats/usr/chats", "chats/exports", "chats/legacy/2026-06/usr/chats"])
def test_clean_chats_come_back_the_same(shared: Path, group: str) -> None:
    paths = [p / "chat.json" if p.is_dir() else p for p in sorted((shared / group).iterdir())]
    assert paths
    for path in paths:
        data = path.read_bytes()
        context = read_context(data, folder=path.parent.name)
        for agent in context.agents:
            list(agent.history.messages())
        assert json.loads(to_text(context).text) == json.loads(data), path


class Odd:
    def __str__(self) -> str:
        raise RuntimeError("no text")

    __repr__ = __str__


def test_d51_d52_what_cannot_even_be_printed_becomes_null(tmp_path: Path) -> None:
    huge = 10**5000
    context = AgentContext(id="Odd00001")
    context.data = {"huge": huge, huge: 1, Odd(): 2, "odd": Odd(), "(1, 2)": "kept", (1, 2): 3, "fits": 10**4000}
    made = to_text(context)
    assert json.loads(made.text)["data"] == {
        "huge": None,
        "int": None,
        "Odd": None,
        "odd": None,
        "(1, 2)": "kept",
        "fits": 10**4000,
    }
    assert made.nulls == 5
