"""Which response ids a chat holds: structural places only, decoded, and never lost for a damaged file."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat_archive.core.provider.collect import (
    cascade,
    cascade_disabled,
    collect,
    collect_from_bytes,
    collect_ids,
    decode,
    read,
)


def wrapped(original: str, provider: str = "openai", model: str = "None") -> str:
    text = f"litellm:custom_llm_provider:{provider};model_id:{model};response_id:{original}"
    return "resp_" + base64.b64encode(text.encode()).decode()


def message(block: dict[str, object], **more: object) -> dict[str, object]:
    return {"_cls": "Message", "ai": True, "content": "x", "metadata": {"responses": block}, **more}


def chat(state: object = None, blocks: list[dict[str, object]] | None = None, **top: object) -> dict[str, object]:
    history = {"bulks": [], "topics": [], "current": {"messages": [message(block) for block in blocks or []]}}
    data = {} if state is None else {"responses_state": state}
    return {"id": "x", "agents": [{"number": 0, "data": data, "history": json.dumps(history)}], "log": {}, **top}


def test_ids_of_the_state_come_first_and_each_once() -> None:
    document = chat(
        {"response_id": "resp_b", "response_ids": ["resp_a", "resp_b", " ", None]}, [{"response_id": "resp_c"}]
    )
    assert [found.id for found in collect_ids(document)] == ["resp_b", "resp_a", "resp_c"]


def test_a_wrapped_id_is_decoded_and_a_plain_one_kept() -> None:
    assert decode(wrapped("resp_123")) == ("openai", "resp_123")
    assert decode(wrapped("resp_1;2", "xai")) == ("xai", "resp_1;2")
    assert decode(wrapped("resp_1").rstrip("=")) == ("openai", "resp_1")
    assert decode(wrapped("resp_1", "None")) == ("", "resp_1")
    for plain in ("resp_123", "resp_", "", "resp_%%%", "resp_bGl0ZWxsbQ=="):
        assert decode(plain) == ("", plain)


def test_model_key_base_and_state_of_the_message_complete_the_state_entry() -> None:
    block: dict[str, object] = {
        "response_id": "resp_a",
        "provider_model_key": "azure/gpt",
        "state": "local",
        "capability": {"cache_key": "azure/gpt|azure|https://x.example/"},
    }
    (found,) = collect_ids(chat({"response_ids": ["resp_a"]}, [block]))
    assert (found.provider, found.model_key, found.base, found.state) == (
        "azure",
        "azure/gpt",
        "https://x.example/",
        "local",
    )


def test_ids_inside_bulks_of_bulks_are_found_in_reading_order() -> None:
    bulk = {
        "_cls": "Bulk",
        "records": [{"_cls": "Bulk", "records": [{"messages": [message({"response_id": "resp_1"})]}]}],
    }
    history = {
        "current": {"messages": [message({"response_id": "resp_3"})]},
        "topics": [{"messages": [message({"response_id": "resp_2"})]}],
        "bulks": [bulk],
    }
    document = {"agents": [{"history": json.dumps(history)}]}
    assert [found.id for found in collect_ids(document)] == ["resp_1", "resp_2", "resp_3"]


def test_d72_local_and_bridged_ids_are_not_stored() -> None:
    blocks: list[dict[str, object]] = [
        {"response_id": wrapped("resp_1")},
        {"response_id": wrapped("resp_2"), "state": "local"},
        {"response_id": wrapped("chatcmpl-3")},
        {"response_id": wrapped("gen-4", "openrouter")},
    ]
    assert [found.stored for found in collect_ids(chat(None, blocks))] == [True, False, False, False]


def test_d73_quoted_ids_are_not_collected() -> None:
    quoted = json.dumps(chat({"response_id": "resp_of_another"}, [{"response_id": "resp_quoted"}]))
    document = chat({"response_id": "resp_own"})
    document["log"] = {"logs": [{"content": quoted}, {"metadata": {"responses": {"response_id": "resp_log"}}}]}
    history = {
        "current": {
            "messages": [
                {
                    "ai": False,
                    "content": {"tool_result": quoted, "metadata": {"responses": {"response_id": "resp_tool"}}},
                }
            ]
        }
    }
    document["agents"][0]["history"] = json.dumps(history)  # type: ignore[index]
    assert [found.id for found in collect_ids(document)] == ["resp_own"]


@pytest.mark.parametrize(
    "document", [[], 5, None, {}, {"agents": 5}, {"agents": [5, None]}, {"agents": [{"data": 5, "history": 5}]}]
)
def test_d74_files_of_another_shape_hold_no_ids_and_raise_nothing(document: object) -> None:
    assert collect_ids(document) == []
    assert collect_from_bytes(json.dumps(document).encode()) == []
    assert cascade_disabled(document) == ""


def test_d75_ids_of_a_damaged_file_are_salvaged_and_marked() -> None:
    whole = json.dumps(chat({"response_id": wrapped("resp_1")}, [{"response_id": wrapped("resp_2")}])).encode()
    found = read(whole[:-20])
    assert [(one.original, one.certain) for one in found.responses] == [("resp_1", False), ("resp_2", False)]
    assert not found.complete
    assert found.remarks
    assert collect_from_bytes(whole[:-20], salvage=False) == []


def test_d75_a_damaged_history_inside_a_good_file_is_salvaged() -> None:
    document = chat({"response_id": "resp_own"}, [{"response_id": "resp_in_history"}])
    document["agents"][0]["history"] = document["agents"][0]["history"][:-5]  # type: ignore[index]
    found = collect(document)
    assert {one.id: one.certain for one in found.responses} == {"resp_own": True, "resp_in_history": False}
    assert not found.complete


@pytest.mark.parametrize("value", ["false", 0, None, "no"])
def test_d76_only_exactly_false_disables(value: object) -> None:
    told = cascade(chat(responses_delete_on_chat_delete=value))
    assert not told.disabled
    assert told.remarks


def test_d77_one_agent_disables_the_chat_and_is_named() -> None:
    document = chat()
    document["agents"].append({"number": 1, "data": {"responses_delete_on_chat_delete": False}})  # type: ignore[attr-defined]
    assert "agent 1" in cascade_disabled(document)
    assert cascade_disabled(chat(responses_delete_on_chat_delete=False))
    assert cascade_disabled(chat(data={"responses_delete_on_chat_delete": False}))
    assert cascade_disabled(chat(data={"responses_delete_on_chat_delete": True})) == ""


def test_d93_one_text_is_one_id_and_a_number_is_left_out() -> None:
    text = collect(chat({"response_ids": "resp_abc"}))
    assert [found.id for found in text.responses] == ["resp_abc"]
    assert text.remarks
    number = collect(chat({"response_ids": 5, "response_id": "resp_ok"}))
    assert [found.id for found in number.responses] == ["resp_ok"]
    assert number.remarks


@given(st.binary(max_size=400))
def test_any_bytes_are_taken(data: bytes) -> None:
    read(data)
    read(b'{"agents":[{"history":' + data + b"}]}")


# what the real program collects otherwise, and the numbered right result behind it
DIFFERENT = {
    ("usr", "MxMRDwQ9"): "D-73",
    ("exports", "responses-openai.json"): "D-73",
    ("broken", "bom"): "D-42",
    ("broken", "deep-nesting"): "D-75",
    ("broken", "invalid-utf8"): "D-75",
    ("broken", "trailing-garbage"): "D-75",
    ("broken", "truncated"): "D-75",
    ("broken", "utf16"): "D-75",
    ("broken", "response-ids-number"): "D-93",
}


@pytest.mark.shared
def test_collected_ids_agree_with_the_real_program(shared: Path) -> None:
    compared = 0
    differing = set()
    for expected in sorted((shared / "chats/expected").glob("*.json")):
        for result in json.loads(expected.read_text())["results"]:
            path = found_file(shared, expected.stem, result["path"])
            if path is None or not isinstance(result.get("provider"), dict | None):
                continue
            provider = result.get("provider") or {}
            data = path.read_bytes()
            compared += 1
            if [found.id for found in collect_from_bytes(data)] != provider.get("response_ids", []):
                differing.add((expected.stem, result["path"]))
            if "delete_disabled" in provider:
                assert bool(cascade_disabled(json.loads(data))) == provider["delete_disabled"], path
    assert compared > 90
    assert differing == set(DIFFERENT)


def found_file(shared: Path, group: str, name: str) -> Path | None:
    if group == "real-chats":
        roots = [shared / "real-chats"]
    elif group.startswith("legacy-"):
        base = shared / "chats/legacy" / group.removeprefix("legacy-")
        roots = [base / "tmp/chats", base / "usr/chats"]
    elif group == "exports":
        roots = [shared / "chats/exports"]
    else:
        roots = [shared / "chats" / group / "usr/chats" if group == "broken" else shared / "chats/usr/chats"]
    for root in roots:
        for path in (root / name / "chat.json", root / name):
            if path.is_file():
                return path
    return None
