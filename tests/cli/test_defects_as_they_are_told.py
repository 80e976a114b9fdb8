"""The right result of defects as a person gets it: `list`, `show` and `check`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.builders import chat, history, item, message, put, snapshot, text_of
from tests.cli.conftest import Run


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    made = tmp_path / "usr" / "chats"
    made.mkdir(parents=True)
    return made


def one(run: Run, root: Path, made: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The row and the whole document of the only chat; `show` as text works too."""
    put(root, "Chat0001", made)
    (row,) = run("list", root, "--json").json["chats"]
    shown = run("show", root, "Chat0001", "--format", "json")
    assert shown.status == run("show", root, "Chat0001").status == 0
    return row, shown.json


def told(row: dict[str, Any], defect: str) -> str:
    """The sentences of a row that carry the number."""
    return " ".join(problem["text"] for problem in row["problems"] if problem["defect"] == defect)


def without(made: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in made.items() if name != key}


def test_d21_a_leftover_of_a_killed_save_is_listed_and_left(run: Run, empty: Path) -> None:
    put(empty, "Chat0001", chat("Chat0001"))
    put(empty, "Torn", b'{"id": "To')
    for folder in ("Chat0001", "Torn"):
        (empty / folder / ".chat.json.k3v9_q2x.tmp").write_bytes(text_of(chat(folder)))
    before = snapshot(empty)
    found = run("check", empty, "--json").json
    assert sorted(found["leftovers"]) == ["Chat0001/.chat.json.k3v9_q2x.tmp", "Torn/.chat.json.k3v9_q2x.tmp"]
    rows = {row["folder"]: row for row in run("list", empty, "--json").json["chats"]}
    assert "can be read" in told(rows["Torn"], "D-21")
    assert snapshot(empty) == before


@pytest.mark.parametrize("made", [without(chat(), "log"), chat() | {"log": None}, chat() | {"log": {"logs": None}}])
def test_d27_a_chat_without_log_shows_its_messages(run: Run, empty: Path, made: dict[str, Any]) -> None:
    row, shown = one(run, empty, made)
    assert (row["log_items"], row["agents"][0]["messages"], shown["log"]) == (0, 2, [])
    assert told(row, "D-27")
    assert "Yes, 97 %." in run("show", empty, "Chat0001").out


def test_d28_an_item_without_its_keys_is_shown(run: Run, empty: Path) -> None:
    _row, shown = one(run, empty, chat(logs=[without(item(0, "tool", "a result"), "kvps"), {"content": "bare"}]))
    assert [entry["content"] for entry in shown["log"]] == ["a result", "bare"]
    assert "bare" in run("show", empty, "Chat0001").out


@pytest.mark.parametrize("kind", ["mcp", "hologram", None])
def test_d29_an_old_or_unknown_type_is_a_user_chat_and_named(run: Run, empty: Path, kind: object) -> None:
    row, _shown = one(run, empty, chat() | {"type": kind})
    assert row["type"] == "user"
    assert str(kind if kind is not None else "null") in told(row, "D-29")


@pytest.mark.parametrize("date", [1772442000, "yesterday"])
def test_d30_a_date_that_is_none_is_unknown(run: Run, empty: Path, date: object) -> None:
    row, _shown = one(run, empty, chat() | {"created_at": date})
    assert row["created_at"] is None
    assert told(row, "D-30")
    assert "created unknown" in run("show", empty, "Chat0001").out


def test_d33_d34_d35_nothing_is_made_up(run: Run, empty: Path) -> None:
    bare = without(without(chat(logs=[]), "created_at"), "last_message")
    row, shown = one(run, empty, bare)
    assert (row["created_at"], row["last_message"], row["log_items"], shown["log"]) == (None, None, 0, [])
    old = without(item(0, "user", "x"), "timestamp")
    _row, shown = one(run, empty, chat(logs=[old]))
    assert shown["log"][0]["timestamp"] is None


def test_d36_the_saved_progress_is_told(run: Run, empty: Path) -> None:
    made = chat()
    made["log"]["progress"] = "icon://chat A0: Responding"
    made["log"]["progress_no"] = 7
    row, _shown = one(run, empty, made)
    assert (row["progress"], row["progress_no"]) == ("A0: Responding", 7)
    assert "saved while: A0: Responding" in run("show", empty, "Chat0001").out


def test_d37_d38_d39_the_active_agent_is_one_that_is_there(run: Run, empty: Path) -> None:
    row, _shown = one(run, empty, chat() | {"streaming_agent": 5})
    assert row["streaming_agent"] == 0
    assert told(row, "D-37")
    row, shown = one(run, empty, chat() | {"agents": []})
    assert (row["agents"], row["streaming_agent"], shown["agents"]) == ([], None, [])
    row, _shown = one(run, empty, chat(agents=[{"number": 1, "data": {}, "history": history([message("x")])}]))
    assert [agent["number"] for agent in row["agents"]] == [1]
    assert row["state"] == "ok"


def test_d41_an_old_list_of_messages_is_shown_in_order(run: Run, empty: Path) -> None:
    listed = [{"type": "human", "content": "one"}, {"type": "ai", "content": "two"}]
    _row, shown = one(run, empty, chat(agents=[{"number": 0, "data": {}, "history": listed}]))
    assert [(said["ai"], said["content"]) for said in shown["agents"][0]["messages"]] == [(False, "one"), (True, "two")]


def test_d42_a_byte_order_mark_is_no_damage_and_other_tops_are(run: Run, empty: Path) -> None:
    put(empty, "Marked", b"\xef\xbb\xbf" + text_of(chat("Marked")))
    for name, data in {"List": b"[]", "Five": b"5", "Empty": b""}.items():
        put(empty, name, data)
    rows = {row["folder"]: row for row in run("list", empty, "--json").json["chats"]}
    assert rows.pop("Marked")["state"] == "ok"
    assert {row["state"] for row in rows.values()} == {"damaged"}
    assert all(row["problems"][0]["text"] for row in rows.values())


def test_d50_a_background_chat_is_listed_with_its_type(run: Run, empty: Path) -> None:
    row, _shown = one(run, empty, chat() | {"type": "background"})
    assert (row["type"], row["state"]) == ("background", "ok")


def test_d54_d57_a_late_log_and_a_cut_icon_are_told_in_words(run: Run, empty: Path) -> None:
    cut = item(812, "tool", "done", heading="icon://terminal [0] building icon://done...", kvps=None)
    odd = item(813, "hologram", "a kite", heading="icon://terminal Projecting icon://do...")
    one(run, empty, chat(logs=[cut, odd]))
    said = run("show", empty, "Chat0001").out
    assert "At least 812 earlier items were not saved." in said
    assert "Projecting" in said
    assert "icon://" not in said


def test_d87_a_profile_that_is_a_path_is_text_and_named(run: Run, empty: Path) -> None:
    row, _shown = one(run, empty, chat() | {"agent_profile": "../x"})
    assert row["agent_profile"] == "../x"
    assert told(row, "D-87")


@pytest.mark.parametrize(("kvps", "expected"), [([["a", 1]], {"a": 1}), ("text", "text"), ([1, 2], [1, 2])])
def test_d91_d92_values_of_an_item_are_shown_as_they_are(run: Run, empty: Path, kvps: object, expected: object) -> None:
    _row, shown = one(run, empty, chat(logs=[item(0, "tool", "x", kvps=kvps), None, item(2, "response", "y")]))
    assert shown["log"][0]["kvps"] == expected
    assert [entry["content"] for entry in shown["log"]][::2] == ["x", "y"]
    assert len(shown["log"]) == 3


def test_d94_damage_is_named_by_its_kind_and_place_and_stops_nothing(run: Run, empty: Path) -> None:
    text = text_of(chat("Chat0001"))
    bad = {
        "Cut": text[: len(text) // 2],
        "Wide": text.decode().encode("utf-16"),
        "Trailing": text + b"\ngarbage",
        "Python": str(json.loads(text)).encode(),
    }
    for name, data in bad.items():
        put(empty, name, data)
    put(empty, "Good", chat("Good"))
    rows = {row["folder"]: row for row in run("list", empty, "--json").json["chats"]}
    assert rows.pop("Good")["state"] == "ok"
    assert {name for name, row in rows.items() if row["state"] == "damaged"} == bad.keys()
    assert len({row["problems"][0]["text"] for row in rows.values()}) == len(bad)
    for name, data in bad.items():
        assert run("show", empty, name).status == 1
        assert (empty / name / "chat.json").read_bytes() == data
