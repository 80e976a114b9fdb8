"""export, import, rename, delete, trash and convert."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from tests.builders import chat, make_root, put, snapshot, text_of
from tests.cli.conftest import Run


def test_export_copies_the_bytes(run: Run, root: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    said = run("export", root, "Chat0001", "Chat0002", "--to", out)
    assert said.status == 0
    written = {path.read_bytes() for path in out.iterdir()}
    assert written == {(root / name / "chat.json").read_bytes() for name in ("Chat0001", "Chat0002")}


def test_export_to_a_file_of_a_given_name(run: Run, root: Path, tmp_path: Path) -> None:
    target = tmp_path / "one.json"
    assert run("export", root, "Chat0001", "--to", target).status == 0
    assert target.read_bytes() == (root / "Chat0001" / "chat.json").read_bytes()


def test_export_never_replaces_a_file_unless_told_to(run: Run, root: Path, tmp_path: Path) -> None:
    target = tmp_path / "one.json"
    target.write_text("mine")
    assert run("export", root, "Chat0001", "--to", target).status == 1
    assert target.read_text() == "mine"
    assert run("export", root, "Chat0001", "--to", target, "--overwrite").status == 0
    assert target.read_text() != "mine"


def test_export_goes_on_after_an_id_that_is_not_there(run: Run, root: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    said = run("export", root, "Nobody01", "Chat0001", "--to", out)
    assert said.status == 1
    assert "Nobody01" in said.err
    assert len(list(out.iterdir())) == 1


def test_strict_export_is_strict_json(run: Run, root: Path, tmp_path: Path) -> None:
    put(root, "Nan00001", text_of(chat("Nan00001")).replace(b'"data": {}}', b'"data": {"x": NaN}}'))
    target = tmp_path / "one.json"
    assert run("export", root, "Nan00001", "--to", target, "--strict").status == 0
    json.loads(target.read_text(), parse_constant=pytest.fail)


def test_import_says_first_what_each_is_and_writes_nothing(run: Run, root: Path, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_bytes(text_of(chat("New00001", "A new one")))
    bad.write_text("[1, 2")
    before = snapshot(root)
    said = run("import", root, good, bad, "--dry-run")
    assert said.status == 1
    assert "new: A new one" in said.out
    assert str(bad) in said.err
    assert snapshot(root) == before
    items = run("import", root, good, bad, "--dry-run", "--json").json["items"]
    assert [(entry["source"], entry["importable"]) for entry in items] == [(str(good), True), (str(bad), False)]


def test_d60_import_brings_in_the_good_and_names_the_bad(run: Run, root: Path, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_bytes(text_of(chat("New00001", "A new one")))
    bad.write_text("[1, 2")
    said = run("import", root, good, bad)
    assert said.status == 1
    assert "bad.json" in said.err
    assert (root / "New00001" / "chat.json").read_bytes() == good.read_bytes()


def test_import_of_an_id_that_is_taken(run: Run, root: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_bytes(text_of(chat("Chat0001", "A different one")))
    assert run("import", root, other).status == 0
    assert len(list(root.glob("*/chat.json"))) == 3, "skipped by default"
    assert run("import", root, other, "--on-conflict", "keep-both").status == 0
    assert len(list(root.glob("*/chat.json"))) == 4
    names = {row["title"]: row["id"] for row in run("list", root, "--json").json["chats"]}
    assert names["A different one"] != "Chat0001"


def test_import_into_an_empty_folder_makes_it_a_root(run: Run, root: Path, tmp_path: Path) -> None:
    empty = tmp_path / "fresh"
    empty.mkdir()
    assert run("import", empty, root / "Chat0001").status == 0
    assert [row["id"] for row in run("list", empty, "--json").json["chats"]] == ["Chat0001"]


def test_import_into_a_folder_of_other_things_is_refused(run: Run, root: Path, tmp_path: Path) -> None:
    other = tmp_path / "photos"
    other.mkdir()
    (other / "cat.jpg").write_bytes(b"x")
    assert run("import", other, root / "Chat0001").status == 3
    assert [path.name for path in other.iterdir()] == ["cat.jpg"]


def test_rename_changes_the_name_and_no_other_byte(run: Run, root: Path) -> None:
    path = root / "Chat0001" / "chat.json"
    before = path.read_bytes()
    said = run("rename", root, "Chat0001", "Größe 10 😀")
    assert said.status == 0
    assert path.read_bytes() == before.replace(b'"Chat number 1"', '"Größe 10 😀"'.encode())


def test_delete_moves_to_the_trash_and_restore_brings_every_byte_back(run: Run, root: Path) -> None:
    before = (root / "Chat0001" / "chat.json").read_bytes()
    assert run("delete", root, "Chat0001", "--yes").status == 0
    assert not (root / "Chat0001").exists()
    entries = run("trash", root, "list", "--json").json["entries"]
    assert [entry["folder"] for entry in entries] == ["Chat0001"]
    assert list(entries[0]) == ["id", "folder", "title", "trashed_at", "purge_at", "size", "files"]
    assert "Chat number 1" in run("trash", root, "list").out
    assert run("trash", root, "restore", "Chat0001").status == 0
    assert (root / "Chat0001" / "chat.json").read_bytes() == before


def test_delete_without_a_yes_is_refused_where_nobody_can_be_asked(
    run: Run, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    before = snapshot(root)
    said = run("delete", root, "Chat0001")
    assert said.status == 2
    assert "--yes" in said.err
    assert snapshot(root) == before
    monkeypatch.setattr("sys.stdin", None)
    assert run("delete", root, "Chat0001").status == 2


class Terminal(io.StringIO):
    """A person at a keyboard."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("answer", "gone"), [("y\n", True), ("YES\n", True), ("\n", False), ("n\n", False), ("", False)]
)
def test_delete_asks_on_a_terminal(
    run: Run, root: Path, monkeypatch: pytest.MonkeyPatch, answer: str, gone: bool
) -> None:
    monkeypatch.setattr("sys.stdin", Terminal(answer))
    said = run("delete", root, "Chat0001", "Chat0002")
    assert "Move 2 chats to the trash" in said.err
    assert said.status == (0 if gone else 2)
    assert (root / "Chat0001").exists() is not gone


def test_delete_dry_run_counts_and_changes_nothing(run: Run, root: Path) -> None:
    (root / "Chat0001" / "messages").mkdir()
    (root / "Chat0001" / "messages" / "1.txt").write_text("x" * 600)
    before = snapshot(root)
    said = run("delete", root, "Chat0001", "--dry-run")
    assert said.status == 0
    assert "2 files" in said.out
    would = run("delete", root, "Chat0001", "--dry-run", "--json").json["chats"]
    assert would[0]["size"] == 600 + (root / "Chat0001" / "chat.json").stat().st_size
    assert snapshot(root) == before


def test_only_the_message_files_can_go_and_come_back(run: Run, root: Path) -> None:
    file = root / "Chat0001" / "messages" / "1.txt"
    file.parent.mkdir()
    file.write_text("x" * 600)
    assert run("delete", root, "Chat0001", "--messages-only", "--yes").status == 0
    assert not file.parent.exists()
    assert (root / "Chat0001" / "chat.json").exists()
    assert run("trash", root, "restore", "Chat0001").status == 0
    assert file.read_text() == "x" * 600


def test_emptying_the_trash_wants_a_yes(run: Run, root: Path) -> None:
    run("delete", root, "Chat0001", "Chat0002", "--yes")
    assert run("trash", root, "empty").status == 2
    assert len(run("trash", root, "list", "--json").json["entries"]) == 2
    said = run("trash", root, "empty", "--yes", "--json")
    assert said.status == 0
    assert {entry["ok"] for entry in said.json["items"]} == {True}
    assert run("trash", root, "list", "--json").json["entries"] == []
    assert not list(root.glob(".chat-archive/trash/*/*"))


def test_an_entry_that_is_not_in_the_trash_is_named(run: Run, root: Path) -> None:
    said = run("trash", root, "restore", "Nobody01")
    assert said.status == 1
    assert "Nobody01" in said.err
    assert run("trash", root, "restore").status == 2


def test_two_entries_from_one_folder_are_told_apart_by_their_own_id(run: Run, root: Path) -> None:
    for name in ("first", "second"):
        put(root, "Twice001", chat("Twice001", name))
        run("delete", root, "Twice001", "--yes")
    assert run("trash", root, "restore", "Twice001").status == 1
    entry = next(entry for entry in run("trash", root, "list", "--json").json["entries"] if entry["title"] == "first")
    assert run("trash", root, "restore", entry["id"]).status == 0
    assert run("show", root, "Twice001").out.startswith("first\n")


def test_d01_flat_files_become_folders_when_asked(run: Run, tmp_path: Path) -> None:
    root = tmp_path / "tmp" / "chats"
    put(root, "jason.json", chat("jason"), flat=True)
    put(root, "notes.json", b'{"a": 1}', flat=True)
    before = snapshot(root)
    assert run("convert", root, "--dry-run").status == 0
    assert run("convert", root).status == 2
    assert snapshot(root) == before
    assert run("convert", root, "--yes").status in (0, 1)
    assert (root / "jason" / "chat.json").exists()
    assert (root / "notes.json").exists()


def test_ready_and_ack_frame_a_change(run: Run, root: Path) -> None:
    for words in (
        ("rename", root, "Chat0001", "x"),
        ("delete", root, "Chat0001", "--yes"),
        ("trash", root, "restore", "Chat0001"),
    ):
        lines = run(*words, "--ack").out.splitlines()
        assert lines[0] == "READY"
        assert lines.count("ACK") == 1


def test_no_ack_for_what_was_not_done(run: Run, root: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text("[1,")
    assert "ACK" not in run("import", root, bad, "--ack").out
    assert "ACK" not in run("delete", root, "Nobody01", "--yes", "--ack").out
    assert "ACK" not in run("delete", root, "Nobody01", "Chat0001", "--yes", "--ack").out


def test_d11_a_chat_that_cannot_be_moved_is_named_and_stays(
    run: Run, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from chat_archive.core.operations import trash

    def refuse(*_args: object, **_more: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(trash.files, "move_at", refuse)
    said = run("delete", root, "Chat0001", "--yes", "--ack")
    assert said.status in (1, 3)
    assert "ACK" not in said.out
    assert (root / "Chat0001" / "chat.json").exists()


def test_an_archive_that_cannot_be_opened_is_status_3(run: Run, tmp_path: Path) -> None:
    for words in (("list", tmp_path / "nowhere"), ("list", tmp_path), ("show", tmp_path, "x"), ("check", tmp_path)):
        said = run(*words)
        assert said.status == 3
        assert str(words[1]) in said.err


def test_several_installations_want_one_named_before_a_change(run: Run, tmp_path: Path) -> None:
    one, two = make_root(tmp_path / "one"), make_root(tmp_path / "two")
    said = run("delete", tmp_path, "Chat0001", "--yes")
    assert said.status == 3
    assert str(one) in said.err
    assert str(two) in said.err
    assert (one / "Chat0001").exists()


def test_options_may_stand_before_the_names_of_chats(run: Run, root: Path, tmp_path: Path) -> None:
    said = run("export", root, "--to", tmp_path / "out", "Chat0001", "Chat0002")
    assert said.status == 0
    assert len(list((tmp_path / "out").iterdir())) == 2
    assert run("delete", root, "Chat0001", "--yes", "Chat0002").status == 0
    assert run("trash", root, "restore", "--json", "Chat0002").status == 0
    assert (root / "Chat0002").is_dir()
    assert not (root / "Chat0001").exists()


@pytest.mark.parametrize(
    "words", [("export", "ROOT", "--to", "x", "Chat0001", "--nope"), ("list", "ROOT", "more"), ("check", "ROOT", "-x")]
)
def test_what_no_command_knows_is_wrong_use(run: Run, root: Path, words: tuple[str, ...]) -> None:
    said = run(*(root if word == "ROOT" else word for word in words))
    assert said.status == 2
    assert "unrecognized arguments" in said.err
    assert "Chat0001" not in said.err.splitlines()[-1]
