"""Walking a root: what is a row, in which order, with which state, and that looking changes nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from chat_archive.core import files, scan
from chat_archive.core.entities import ChatRow, ChatState, Folder
from chat_archive.core.errors import Cancelled, ConflictError, NotFoundError
from chat_archive.core.layout import PRIVATE_FOLDER
from tests.builders import CREATED, age, chat, history, item, make_root, message, put, snapshot, text_of, without


def rows_of(root: Path, **more: object) -> dict[str, ChatRow]:
    return {row.folder: row for row in scan.scan_root(root, **more)}  # type: ignore[arg-type]


def test_newest_file_first_and_each_row_once(tmp_path: Path) -> None:
    root = make_root(tmp_path, 4)
    assert [row.folder for row in scan.scan_root(root)] == ["Chat0003", "Chat0002", "Chat0001", "Chat0000"]


def test_looking_changes_nothing(tmp_path: Path) -> None:
    root = make_root(tmp_path, 2)
    put(root, "Bad", b'{"cut')
    before = snapshot(tmp_path)
    for row in scan.scan_root(root):
        if not row.damaged:
            scan.load(root, row.folder)
        scan.chat_files(root, row.folder)
    assert snapshot(tmp_path) == before


def test_known_rows_of_unchanged_files_are_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = make_root(tmp_path, 3)
    known = {Folder(name): row for name, row in rows_of(root).items()}
    put(root, "Chat0001", chat("Chat0001", "New name"))
    read: list[str] = []
    real = files.read_once

    def counting(root: Path, *parts: str, **more: int) -> object:
        read.append(parts[0])
        return real(root, *parts, **more)

    monkeypatch.setattr(files, "read_once", counting)
    rows = rows_of(root, known=known)
    assert [name for name in read if name.startswith("Chat")] == ["Chat0001"]
    assert rows["Chat0001"].name == "New name"
    assert rows["Chat0000"] is known[Folder("Chat0000")]


def test_the_private_folder_and_other_entries_are_no_rows(tmp_path: Path) -> None:
    root = make_root(tmp_path, 1)
    put(root, PRIVATE_FOLDER, chat("inside"))
    (root / "empty").mkdir()
    (root / "notes.txt").write_text("x")
    (root / "_index.dat").write_bytes(b"\0")
    (root / "only-messages" / "messages").mkdir(parents=True)
    assert set(rows_of(root)) == {"Chat0000"}


def test_a_stopped_scan_raises_cancelled(tmp_path: Path) -> None:
    class Stop:
        def report(self, done: int, total: int | None = None, item: str = "") -> None:
            if done == 1:
                raise Cancelled

    found = scan.scan_root(make_root(tmp_path, 3), Stop())
    next(found)
    with pytest.raises(Cancelled):
        next(found)


def test_a_missing_root_is_told(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        list(scan.scan_root(tmp_path / "nowhere"))


def test_d06_only_chats_among_the_json_files_of_the_root_are_rows(tmp_path: Path) -> None:
    root = make_root(tmp_path, 0)
    put(root, "old.json", without(chat("old"), "name", "created_at", "type", "last_message"), flat=True)
    put(root, "index.json", b'{"version": 3, "entries": []}', flat=True)
    put(root, "list.json", b"[1, 2]", flat=True)
    put(root, "cut.json", text_of(chat())[:200], flat=True)
    put(root, "words.json", b"not json at all", flat=True)
    rows = rows_of(root)
    assert set(rows) == {"old.json", "cut.json"}
    assert (rows["old.json"].id, rows["old.json"].flat, rows["old.json"].problems) == ("old", True, ())
    assert rows["cut.json"].damaged


def test_d04_a_folder_named_like_a_flat_file_is_a_chat_of_that_name(tmp_path: Path) -> None:
    root = make_root(tmp_path, 0)
    put(root, "dir.json", without(chat(), "id"))
    (root / "empty.json").mkdir()
    rows = rows_of(root)
    assert list(rows) == ["dir.json"]
    assert (rows["dir.json"].id, rows["dir.json"].flat) == ("dir.json", False)


def test_d10_a_linked_folder_is_listed_and_never_followed(tmp_path: Path) -> None:
    root = make_root(tmp_path, 1)
    secret = tmp_path / "secret"
    put(secret, "inside", chat("inside", "CANARY"))
    (root / "link").symlink_to(secret / "inside")
    (root / "Chat0009").mkdir()
    (root / "Chat0009" / "chat.json").symlink_to(secret / "inside" / "chat.json")
    rows = rows_of(root)
    for name in ("link", "Chat0009"):
        assert rows[name].damaged
        assert "link" in rows[name].problems[0].text
        assert "CANARY" not in repr(rows[name])


def test_d13_chats_of_one_id_are_all_shown_as_duplicates_at_the_end(tmp_path: Path) -> None:
    root = make_root(tmp_path, 1)
    put(root, "One", chat("Same"), when=time.time() - 5000)
    put(root, "Two", chat("Same"), when=time.time() - 4000)
    listed = list(scan.scan_root(root))
    assert [row.folder for row in listed[:3]] == ["Two", "One", "Chat0000"]
    assert {row.folder for row in listed[3:]} == {"One", "Two"}
    rows = rows_of(root)
    assert rows["One"].state is rows["Two"].state is ChatState.DUPLICATE
    assert "Two" in rows["One"].problems[-1].text
    assert rows["Chat0000"].state is ChatState.OK
    again = rows_of(root, known={Folder(name): row for name, row in rows.items()})
    assert again == rows


def test_d16_a_chat_whose_name_starts_with_a_dot_is_listed(tmp_path: Path) -> None:
    root = make_root(tmp_path, 0)
    put(root, ".hidden", chat(".hidden"))
    assert rows_of(root)[".hidden"].state is ChatState.OK


def test_d17_a_root_with_pattern_signs_in_its_path_is_listed(tmp_path: Path) -> None:
    root = make_root(tmp_path / "my [x] *?", 2)
    assert len(rows_of(root)) == 2


def test_d21_a_leftover_that_parses_is_named_at_its_damaged_chat(tmp_path: Path) -> None:
    root = make_root(tmp_path, 0)
    put(root, "Torn", b'{"id": "To')
    (root / "Torn" / ".chat.json.k3v9_q2x.tmp").write_bytes(text_of(chat("Torn", "Whole again")))
    row = rows_of(root)["Torn"]
    assert row.damaged
    assert [problem.code for problem in row.problems] == ["cut", "leftover"]
    assert "can be read" in row.problems[1].text
    assert [json.loads(text)["name"] for text in scan.salvage(root, "Torn")][-1] == "Whole again"


def test_d47_one_bad_file_among_many_is_a_row_with_its_reason(tmp_path: Path) -> None:
    root = make_root(tmp_path, 5)
    put(root, "Bad", b"{")
    rows = rows_of(root)
    assert len(rows) == 6
    assert rows["Bad"].problems[0].text.startswith("The file ends too early, at byte 1.")


def test_d82_last_activity_is_the_newest_instant_whatever_its_offset(tmp_path: Path) -> None:
    root = make_root(tmp_path, 0)
    put(
        root,
        "East",
        chat("East", created_at="2026-03-02T10:00:00+09:00", last_message="2026-03-02T10:00:00+09:00", logs=[]),
    )
    put(
        root,
        "West",
        chat("West", created_at="2026-03-02T02:00:00+00:00", last_message="2026-03-02T02:00:00+00:00", logs=[]),
    )
    rows = rows_of(root)
    assert rows["East"].last_activity < rows["West"].last_activity  # type: ignore[operator]


def test_d83_a_child_whose_parent_is_gone_is_listed_and_flagged(tmp_path: Path) -> None:
    root = make_root(tmp_path, 0)
    put(root, "Kid", chat("Kid", None, output_data={"parent_context_id": "gone", "parent_context_label": "Part 2"}))
    row = rows_of(root)["Kid"]
    assert (row.parent_id, row.title, row.title_given) == ("gone", "Part 2", True)
    assert "child" in row.flags


def test_d86_an_api_chat_tells_when_it_runs_out(tmp_path: Path) -> None:
    root = make_root(tmp_path, 0)
    put(root, "Api", chat("Api", data={"lifetime_hours": 24}))
    row = rows_of(root)["Api"]
    assert row.state is ChatState.EXPIRES
    assert row.expires_at is not None
    assert row.expires_at.isoformat() == "2026-03-03T09:00:00+00:00"


def test_a_file_changed_in_the_last_minutes_is_live(tmp_path: Path) -> None:
    root = make_root(tmp_path, 1)
    age(root / "Chat0000" / "chat.json", time.time() - 30)
    row = rows_of(root)["Chat0000"]
    assert row.state is ChatState.LIVE
    age(root / "Chat0000" / "chat.json", time.time() - 500)
    assert rows_of(root)["Chat0000"].state is ChatState.OK


def test_a_half_written_young_file_is_not_called_damaged_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make_root(tmp_path, 0)
    path = put(root, "Busy", b'{"id": "Bu', when=time.time())
    monkeypatch.setattr(scan, "SECOND_LOOKS_SECONDS", 0.0)
    found = scan.scan_root(root)
    first = next(found)
    assert (first.state, first.damaged) == (ChatState.LIVE, False)
    path.write_bytes(text_of(chat("Busy", "Whole now")))
    assert next(found).name == "Whole now"


def test_a_young_file_that_stays_broken_is_told_in_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = make_root(tmp_path, 0)
    put(root, "Busy", b'{"id": "Bu', when=time.time())
    monkeypatch.setattr(scan, "SECOND_LOOKS_SECONDS", 0.0)
    assert rows_of(root)["Busy"].damaged


def test_tasks_are_told_by_the_scheduler_or_by_their_type(tmp_path: Path) -> None:
    root = make_root(tmp_path, 3)
    put(root, "Typed", chat("Typed") | {"type": "task"})
    tasks = {
        "tasks": [
            {"uuid": "Chat0000", "context_id": "Chat0000"},
            {"uuid": "T2", "context_id": "Chat0001"},
            {"uuid": "Chat0002"},
            5,
        ]
    }
    (root.parent / "scheduler").mkdir()
    (root.parent / "scheduler" / "tasks.json").write_text(json.dumps(tasks))
    flagged = {name for name, row in rows_of(root).items() if "task" in row.flags}
    assert flagged == {"Typed", "Chat0000", "Chat0002"}


def test_a_known_row_still_learns_that_it_became_a_task(tmp_path: Path) -> None:
    root = make_root(tmp_path, 1)
    known = {Folder(name): row for name, row in rows_of(root).items()}
    (root.parent / "scheduler").mkdir()
    (root.parent / "scheduler" / "tasks.json").write_text('{"tasks": [{"uuid": "Chat0000"}]}')
    assert "task" in rows_of(root, known=known)["Chat0000"].flags


def test_first_words_come_from_the_log_or_from_the_history(tmp_path: Path) -> None:
    root = make_root(tmp_path, 0)
    said = [{"number": 0, "data": {}, "history": history([message("from the history")])}]
    put(root, "Log", chat("Log", agents=said, logs=[item(0, "info", "x"), item(1, "user", "from\nthe log")]))
    put(root, "History", chat("History", agents=said, logs=[]))
    put(root, "Cut", chat("Cut", agents=said, logs=[item(7, "user", "late")]))
    put(root, "None", chat("None", agents=[], logs=[]))
    found = {name: row.first_words for name, row in rows_of(root).items()}
    assert found == {"Log": "from the log", "History": "from the history", "Cut": "from the history", "None": ""}


def test_find_by_folder_inner_id_and_flat_name(tmp_path: Path) -> None:
    root = make_root(tmp_path, 1)
    put(root, "Copy", chat("Inner"))
    put(root, "flat.json", without(chat("flat"), "name"), flat=True)
    assert scan.find(root, "Chat0000") == "Chat0000"
    assert scan.find(root, "Inner") == "Copy"
    assert scan.find(root, "flat") == "flat.json"
    put(root, "Copy2", chat("Inner"))
    with pytest.raises(ConflictError, match=r"Copy, Copy2"):
        scan.find(root, "Inner")
    for bad in ("nothing", "", "..", "../x", "a/b", "\0"):
        with pytest.raises(NotFoundError):
            scan.find(root, bad)
        with pytest.raises(NotFoundError):
            scan.read_one(root, bad)


def test_one_row_is_the_same_as_in_the_list(tmp_path: Path) -> None:
    root = make_root(tmp_path, 2)
    put(root, "Bad", b"[]")
    for name, row in rows_of(root).items():
        assert scan.read_one(root, name) == row


def test_d23_d24_message_files_that_are_named_and_missing_are_listed(tmp_path: Path) -> None:
    root = make_root(tmp_path, 0)
    results = [
        message({"tool_name": "t", "tool_result": "r", "file": f"/a0/usr/chats/Old/messages/{name}"})
        for name in ("1.txt", "2.txt", "../../../etc/passwd", "x.txt")
    ]
    put(root, "Files", chat("Files", agents=[{"number": 0, "data": {}, "history": history(results)}]))
    for name in (
        "messages/1.txt",
        "images/vision-load/x.png",
        "browser/screenshots/a.png",
        "backups/pre-compact-20260101-000000.json",
        ".chat.json.abc.tmp",
        "chat.json.backup.20260714_101500",
        "odd.bin",
    ):
        path = root / "Files" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")
    (root / "Files" / "messages" / "3.txt").symlink_to("/etc/passwd")
    found = {file.relative: file for file in scan.chat_files(root, "Files")}
    assert {name: file.kind for name, file in found.items()} == {
        "chat.json": "chat",
        "messages/1.txt": "message",
        "messages/2.txt": "message",
        "messages/3.txt": "message",
        "images/vision-load/x.png": "image",
        "browser/screenshots/a.png": "screenshot",
        "backups/pre-compact-20260101-000000.json": "backup",
        ".chat.json.abc.tmp": "leftover",
        "chat.json.backup.20260714_101500": "copy",
        "odd.bin": "other",
    }
    assert [name for name, file in found.items() if file.missing] == ["messages/2.txt"]
    assert found["messages/3.txt"].note.startswith("A link")


def test_d25_each_root_is_listed_by_itself(tmp_path: Path) -> None:
    old, new = make_root(tmp_path, 1, below="tmp/chats"), make_root(tmp_path, 2)
    assert (len(rows_of(old)), len(rows_of(new))) == (1, 2)


def test_d48_a_row_of_a_large_chat_makes_no_objects_of_its_messages(tmp_path: Path) -> None:
    import tracemalloc

    root = make_root(tmp_path, 0)
    many = [message("x" * 10_000, id=str(number)) for number in range(1_000)]
    path = put(root, "Large", chat("Large", agents=[{"number": 0, "data": {}, "history": history(many)}]))
    size = path.stat().st_size
    tracemalloc.start()
    row = next(scan.scan_root(root))
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert row.messages == 1_000
    assert peak < 2.6 * size


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="changes its user, which only root can")
def test_d19_files_of_another_user_are_rows_with_advice(reachable: Path) -> None:
    root = make_root(reachable, 2)
    (root / "Chat0000" / "chat.json").chmod(0o600)
    # the modules are imported by root: the interpreter may lie where others cannot read
    code = """if True:
        import json, os, sys
        from pathlib import Path
        from chat_archive.core import scan
        os.setgroups([]), os.setgid(65534), os.setuid(65534)
        rows = scan.scan_root(Path(sys.argv[1]))
        print(json.dumps({row.folder: [row.state, [problem.text for problem in row.problems]] for row in rows}))
    """
    done = subprocess.run([sys.executable, "-c", code, str(root)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)
    assert rows["Chat0000"][0] == "damaged"
    assert "not allowed" in rows["Chat0000"][1][0]
    assert "user" in rows["Chat0000"][1][0]
    assert rows["Chat0001"] == ["ok", []]


def test_created_is_kept_apart_from_activity(tmp_path: Path) -> None:
    root = make_root(tmp_path, 1)
    row = rows_of(root)["Chat0000"]
    assert row.created_at.raw == CREATED
    assert row.last_activity is not None
    assert not row.last_activity_from_file
    put(root, "Bare", without(chat("Bare", logs=[]), "created_at", "last_message"))
    bare = rows_of(root)["Bare"]
    assert (bare.last_activity_from_file, bare.created) == (True, None)
