"""list, show and check."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.builders import age, chat, history, item, make_root, message, put, snapshot
from tests.cli.conftest import Run

SORT_KEYS = [
    *("activity", "created", "name", "id", "agents", "profile", "project", "log", "messages", "progress", "size"),
    "state",
]
ROW_KEYS = [
    *("id", "folder", "title", "name", "type", "created_at", "last_message", "last_activity", "agents"),
    *("streaming_agent", "agent_profile", "project", "log_items", "progress", "progress_no", "size", "state"),
    "problems",
]


def test_list_json_is_one_document_of_the_documented_shape(run: Run, root: Path) -> None:
    said = run("list", root, "--json")
    assert said.status == 0
    assert list(said.json) == ["root", "chats", "problems"]
    assert said.json["root"] == str(root)
    assert [list(row) for row in said.json["chats"]] == [ROW_KEYS] * 3
    assert list(said.json["chats"][0]["agents"][0]) == ["number", "profile", "messages"]


def test_list_names_every_chat_on_a_line_of_its_own(run: Run, root: Path) -> None:
    said = run("list", root)
    assert said.status == 0
    lines = said.out.splitlines()
    assert [line.split()[0] for line in lines[1:4]] == ["Chat0000", "Chat0001", "Chat0002"]
    assert lines[-1].startswith("3 chats, ")


@pytest.mark.parametrize("place", ["..", "../..", "Chat0001", "Chat0001/chat.json"])
def test_every_place_around_a_root_will_do(run: Run, root: Path, place: str) -> None:
    assert run("list", root / place, "--json").json["root"] == str(root)


def test_list_can_be_filtered_by_all_words(run: Run, root: Path) -> None:
    put(root, "Other001", chat("Other001", "Tide gauge", data={"project": "harbour"}))
    assert [row["id"] for row in run("list", root, "--json", "--filter", "TIDE harb").json["chats"]] == ["Other001"]
    assert run("list", root, "--json", "--filter", "tide nothing").json["chats"] == []


def test_d82_list_is_sorted_by_instant_and_not_by_text(run: Run, tmp_path: Path) -> None:
    root = tmp_path / "usr" / "chats"
    put(root, "early", chat("early", created_at="2026-03-01T09:00:00+09:00"))
    put(root, "late", chat("late", created_at="2026-03-01T08:00:00-05:00"))
    assert [row["id"] for row in run("list", root, "--json", "--sort", "created").json["chats"]] == ["late", "early"]
    assert [row["id"] for row in run("list", root, "--json", "--sort=-created").json["chats"]] == ["early", "late"]


def test_every_documented_sort_key_works(run: Run, root: Path) -> None:
    for key in SORT_KEYS:
        assert run("list", root, "--sort", key).status == 0
    assert run("list", root, "--sort", "colour").status == 2


def test_d47_a_damaged_file_is_a_row_with_its_reason(run: Run, root: Path) -> None:
    put(root, "Broken01", b'{"id": "Broken01", "agents": [')
    said = run("list", root)
    assert said.status == 0
    assert "damaged: The file ends too early" in said.out
    assert "4 chats" in said.out


def test_a_file_that_is_being_written_is_still_one_row(run: Run, root: Path) -> None:
    path = put(root, "Broken01", b'{"id": "Brok')
    age(path, path.stat().st_mtime + 3600)
    assert len(run("list", root, "--json").json["chats"]) == 4


def test_hostile_names_cannot_drive_the_terminal(run: Run, tmp_path: Path) -> None:
    root = tmp_path / "usr" / "chats"
    name = "evil\x1b[2J\x07\u202ename\ud800\nsecond line"
    made = chat("Evil0001", name, words=("\x1b]0;owned\x07 hello", "ok\x9b31m"))
    put(root, "Evil0001", json.dumps(made).encode())
    for words in (("list", root), ("show", root, "Evil0001"), ("show", root, "Evil0001", "--history")):
        said = run(*words)
        assert said.status == 0
        assert not any(sign in said.out for sign in "\x1b\x07\u202e\x9b\ud800")
    document = run("list", root, "--json").out
    document.encode("utf-8")
    assert json.loads(document)["chats"][0]["name"] == name.replace("\ud800", "\ufffd")


def test_show_prints_who_said_what(run: Run, root: Path) -> None:
    said = run("show", root, "Chat0001")
    assert said.status == 0
    assert said.out.startswith("Chat number 1\n")
    assert said.out.index("Is the disk full?") < said.out.index("Yes, 97 %.")


def test_show_markdown_quotes_the_person_and_keeps_the_answer(run: Run, root: Path) -> None:
    said = run("show", root, "Chat0001", "--format", "markdown")
    assert said.out.startswith("# Chat number 1\n")
    assert "> Is the disk full?" in said.out
    assert "\nYes, 97 %.\n" in said.out


def test_show_json_has_the_documented_shape(run: Run, root: Path) -> None:
    document = run("show", root, "Chat0001", "--format", "json").json
    assert list(document) == ["chat", "agents", "log"]
    assert list(document["chat"]) == ROW_KEYS
    assert list(document["agents"][0]) == ["number", "profile", "messages"]
    assert list(document["agents"][0]["messages"][0]) == ["id", "ai", "content"]
    assert list(document["log"][0]) == ["no", "id", "type", "agentno", "timestamp", "heading", "content", "kvps"]


@pytest.fixture
def chain(tmp_path: Path) -> Path:
    """A chat of two agents who each said something of their own."""
    agents = [
        {"number": 0, "agent_profile": "agent0", "data": {}, "history": history([message("from the person")])},
        {"number": 1, "agent_profile": "qa", "data": {}, "history": history([message("from the superior")])},
    ]
    logs = [item(0, "user", "from the person"), item(1, "tool", "found by one", agentno=1)]
    put(tmp_path / "usr" / "chats", "Chain001", chat("Chain001", agents=agents, logs=logs))
    return tmp_path / "usr" / "chats"


def test_show_one_agent_leaves_the_others_out(run: Run, chain: Path) -> None:
    document = run("show", chain, "Chain001", "--format", "json", "--agent", 1).json
    assert [agent["number"] for agent in document["agents"]] == [1]
    assert [entry["content"] for entry in document["log"]] == ["found by one"]
    text = run("show", chain, "Chain001", "--history", "--agent", 1).out
    assert "from the superior" in text
    assert "from the person" not in text
    assert "from the person" not in run("show", chain, "Chain001", "--agent", 1).out


def test_show_an_agent_that_is_not_there_names_those_that_are(run: Run, chain: Path) -> None:
    said = run("show", chain, "Chain001", "--agent", 7)
    assert said.status == 1
    assert "0, 1" in said.err


def test_show_history_in_markdown_fences_what_holds_fences(run: Run, tmp_path: Path) -> None:
    words = ("```\nls\n```", "done")
    root = tmp_path / "usr" / "chats"
    put(root, "Fence001", chat("Fence001", words=words))
    said = run("show", root, "Fence001", "--history", "--format", "markdown")
    assert said.status == 0
    assert "````" in said.out


def test_show_a_damaged_chat_says_why_and_fails(run: Run, root: Path) -> None:
    put(root, "Broken01", b"[1, 2")
    said = run("show", root, "Broken01")
    assert said.status == 1
    assert said.out == ""
    assert "Broken01" in said.err


def test_d43_nan_in_a_chat_is_null_in_the_document(run: Run, tmp_path: Path) -> None:
    root = tmp_path / "usr" / "chats"
    logs = [item(0, "tool", "x", kvps={"a": float("nan"), "b": [float("inf")]})]
    put(root, "Nan00001", chat("Nan00001", logs=logs))
    said = run("show", root, "Nan00001", "--format", "json")
    assert said.status == 0
    assert said.json["log"][0]["kvps"] == {"a": None, "b": [None]}


def test_d45_a_value_nested_too_deeply_is_no_traceback(run: Run, tmp_path: Path) -> None:
    root = tmp_path / "usr" / "chats"
    made = json.dumps(chat("Deep0001")).replace('"kvps": {}', '"kvps": {"a": ' + "[" * 5000 + "]" * 5000 + "}", 1)
    put(root, "Deep0001", made.encode())
    said = run("show", root, "Deep0001", "--format", "json")
    assert said.status in (0, 1)
    assert run("list", root).status == 0


def test_d66_an_unknown_id_is_an_error_and_makes_nothing(run: Run, root: Path) -> None:
    before = snapshot(root)
    for words in (
        ("show", root, "Nobody01"),
        ("rename", root, "Nobody01", "x"),
        ("export", root, "Nobody01", "--to", root),
    ):
        said = run(*words)
        assert said.status == 1
        assert "Nobody01" in said.err
    assert snapshot(root) == before


@pytest.mark.parametrize("bad", ["", ".", "..", "../x", "/etc", "a/b", "a\\b", ".chat-archive"])
def test_d08_ids_that_are_paths_are_refused(run: Run, root: Path, bad: str) -> None:
    before = snapshot(root)
    assert run("show", root, bad).status == 1
    assert run("delete", root, bad, "--yes").status == 1
    assert snapshot(root) == before


def test_d13_two_chats_with_one_id_must_be_named_by_folder(run: Run, root: Path) -> None:
    put(root, "Chat0001_backup", chat("Chat0001", "The copy"))
    put(root, "Chat0001_other", chat("Chat0001", "Another copy"))
    assert "The copy" in run("show", root, "Chat0001_backup").out


def test_check_names_what_is_odd_and_changes_nothing(run: Run, root: Path) -> None:
    put(root, "Broken01", b"")
    put(root, "Copy0001", chat("Chat0001"))
    before = snapshot(root)
    said = run("check", root)
    assert said.status == 0
    assert "Broken01: " in said.out
    assert "Nothing was changed." in said.out
    document = run("check", root, "--json").json
    assert list(document) == ["root", "chats", "problems", "leftovers"]
    assert "Broken01" in {problem["entry"] for problem in document["problems"]}
    assert snapshot(root) == before


def test_reading_writes_nothing_anywhere(run: Run, tmp_path: Path, own_home: Path) -> None:
    root = make_root(tmp_path / "install")
    before, home = snapshot(tmp_path), snapshot(own_home)
    run("list", root)
    run("show", root, "Chat0001")
    run("check", root)
    run("trash", root, "list")
    assert snapshot(tmp_path) == before
    assert snapshot(own_home) == home


def test_an_item_of_an_agent_the_chain_lacks_says_so_and_can_be_asked_for(run: Run, tmp_path: Path) -> None:
    root = tmp_path / "usr" / "chats"
    logs = [item(0, "user", "a voice", agentno=5), item(1, "tool", "a step", agentno=6), item(2, "response", "yes")]
    put(root, "Chat0001", chat("Chat0001", logs=logs))
    said = run("show", root, "Chat0001").out
    assert "You to agent 5" in said
    assert "> agent 6 " in said
    alone = run("show", root, "Chat0001", "--agent", 5)
    assert alone.status == 0
    assert "a voice" in alone.out
    assert "yes" not in alone.out
    (only,) = run("show", root, "Chat0001", "--format", "json", "--agent", 5).json["log"]
    assert only["agentno"] == 5
    assert "It has: 0, 5, 6." in run("show", root, "Chat0001", "--agent", 7).err


def test_parts_a_newer_program_wrote_are_counted_and_named_in_histories_too(run: Run, tmp_path: Path) -> None:
    root = tmp_path / "usr" / "chats"
    agents = [{"number": 0, "data": {}, "history": history([message("hello")], milestones=[{"label": "half way"}])}]
    put(root, "Chat0001", chat("Chat0001", agents=agents))
    put(root, "Chat0002", chat("Chat0002", agents=agents, format_version=3))
    said = run("show", root, "Chat0001").out
    assert "1 part of this chat is not known to this version; it is kept." in said
    assert 'agents / 0 / history / milestones: [{"label": "half way"}]' in said
    said = run("show", root, "Chat0002", "--format", "markdown").out
    assert "2 parts of this chat are not known to this version; they are kept." in said
    assert "format_version: 3" in said
