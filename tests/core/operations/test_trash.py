"""To the trash and back, byte for byte, each chat whole in one place, each item accounted for."""

from __future__ import annotations

import errno
import json
import os
import shutil
from datetime import timedelta
from pathlib import Path

import pytest

from chat_archive.core import files
from chat_archive.core.entities import Folder, TrashId
from chat_archive.core.errors import Cancelled, StorageError
from chat_archive.core.files import names
from chat_archive.core.operations import trash as operation
from chat_archive.core.operations import trash_slots
from chat_archive.core.progress import NullProgress
from chat_archive.core.workspace import Workspace
from tests.builders import chat, make_root, put

QUIET = NullProgress()


def tree(path: Path) -> dict[str, tuple[int, int, bytes]]:
    """Every file with its mode, time and bytes."""
    return {
        str(p.relative_to(path)): (p.lstat().st_mode, p.lstat().st_mtime_ns, p.read_bytes() if p.is_file() else b"")
        for p in sorted(path.rglob("*"))
        if ".chat-archive" not in p.parts
    }


def of(*folders: str) -> list[Folder]:
    return [Folder(folder) for folder in folders]


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    root = make_root(tmp_path)
    (root / "Chat0001" / "messages").mkdir()
    (root / "Chat0001" / "messages" / "1.txt").write_bytes(b"\xff output")
    return Workspace.open(root)


def test_trashed_and_restored_it_is_the_same_to_the_byte(workspace: Workspace) -> None:
    before = tree(workspace.root)
    result = operation.trash(workspace, of("Chat0001", "Chat0002"), QUIET)
    assert result.changes.removed == {"Chat0001", "Chat0002"}
    assert result.undoable
    assert [item.item for item in result.items] == ["Chat number 1", "Chat number 2"]
    assert sorted(p.name for p in workspace.root.iterdir()) == [".chat-archive", "Chat0000"]
    entries = operation.entries(workspace)
    assert {(e.folder, e.title, e.files) for e in entries} == {
        ("Chat0001", "Chat number 1", 2),
        ("Chat0002", "Chat number 2", 1),
    }
    assert all(e.purge_at == e.trashed_at + timedelta(days=30) for e in entries)
    back = operation.restore(workspace, [e.id for e in entries], QUIET)
    assert back.changes.added == {"Chat0001", "Chat0002"}
    assert tree(workspace.root) == before
    assert operation.entries(workspace) == []
    assert list(workspace.trash_folder.iterdir()) == []


@pytest.mark.parametrize(
    "bad", ["", " ", ".", "..", "../victim", "/abs/dir", "a/b", "a\\b", "a\0b", ".chat-archive", "x" * 300]
)
def test_d07_d08_an_id_that_is_no_chat_s_name_is_refused_and_stops_no_other(workspace: Workspace, bad: str) -> None:
    (workspace.root.parent / "victim").mkdir()
    result = operation.trash(workspace, of(bad, "Chat0001"), QUIET)
    assert [item.ok for item in result.items] == [False, True]
    assert (workspace.root.parent / "victim").is_dir()
    assert (workspace.root / "Chat0000").is_dir()
    assert not (workspace.root / "Chat0001").exists()


def test_d10_of_a_linked_chat_only_the_link_is_moved(workspace: Workspace, tmp_path: Path) -> None:
    target = put(tmp_path / "else", "X", chat("X"))
    target.chmod(0o640)
    before = tree(tmp_path / "else")
    (workspace.root / "Linked00").symlink_to(target.parent)
    result = operation.trash(workspace, of("Linked00"), QUIET)
    assert result.items[0].ok
    assert not (workspace.root / "Linked00").is_symlink()
    assert operation.entries(workspace)[0].path.is_symlink()
    assert tree(tmp_path / "else") == before
    operation.restore(workspace, [operation.entries(workspace)[0].id], QUIET)
    assert (workspace.root / "Linked00").readlink() == target.parent
    operation.trash(workspace, of("Linked00"), QUIET)
    operation.empty(workspace, None, QUIET)
    assert tree(tmp_path / "else") == before


def test_d11_an_id_that_names_a_file_is_a_failure(workspace: Workspace) -> None:
    (workspace.root / "notes.txt").write_bytes(b"mine")
    os.mkfifo(workspace.root / "pipe.json")
    result = operation.trash(workspace, of("notes.txt", "pipe.json", "Gone0000"), QUIET)
    assert [item.ok for item in result.items] == [False, False, False]
    assert (workspace.root / "notes.txt").read_bytes() == b"mine"
    assert operation.entries(workspace) == []
    assert list(workspace.trash_folder.iterdir()) == []


def test_d11_a_chat_that_cannot_be_moved_stays_and_is_named(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = files.move_at

    def move(source: object, old: str, target: object, new: str) -> None:
        if old == "Chat0001":
            raise PermissionError(errno.EACCES, "no")
        real(source, old, target, new)  # type: ignore[arg-type]

    monkeypatch.setattr(files, "move_at", move)
    result = operation.trash(workspace, of("Chat0000", "Chat0001", "Chat0002"), QUIET)
    assert [item.ok for item in result.items] == [True, False, True]
    assert "not allowed" in result.items[1].text
    assert result.items[1].path == workspace.root / "Chat0001"
    assert (workspace.root / "Chat0001" / "chat.json").exists()


def test_another_disk_is_told_and_nothing_is_copied(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    def other_disk(*_: object) -> None:
        raise OSError(errno.EXDEV, "other disk")

    monkeypatch.setattr(names, "_rename_with", other_disk)
    result = operation.trash(workspace, of("Chat0000"), QUIET)
    assert "another disk" in result.items[0].text
    assert not result.items[0].ok
    assert operation.entries(workspace) == []


def test_d17_a_path_with_signs_of_a_pattern_is_a_path(tmp_path: Path) -> None:
    root = make_root(tmp_path, below="in[x]stall*?/usr/chats")
    workspace = Workspace.open(root)
    before = tree(root)
    operation.trash(workspace, of("Chat0000", "Chat0001", "Chat0002"), QUIET)
    entries = operation.entries(workspace)
    assert len(entries) == 3
    operation.restore(workspace, [e.id for e in entries], QUIET)
    assert tree(root) == before


def test_a_damaged_chat_a_flat_file_and_a_dot_name_are_trashed_too(workspace: Workspace) -> None:
    put(workspace.root, "Bad00000", b"\0\0{")
    put(workspace.root, "old.json", chat("old", "Old one"), flat=True)
    put(workspace.root, ".dotted", chat(".dotted", "Dotted"))
    before = tree(workspace.root)
    result = operation.trash(workspace, of("Bad00000", "old.json", ".dotted"), QUIET)
    assert [item.item for item in result.items] == ["Bad00000", "Old one", "Dotted"]
    assert all(item.ok for item in result.items)
    operation.restore(workspace, [e.id for e in operation.entries(workspace)], QUIET)
    assert tree(workspace.root) == before


def test_stopping_happens_between_chats_and_the_rest_is_accounted_for(workspace: Workspace) -> None:
    class StopAtSecond:
        def report(self, done: int, total: int | None = None, item: str = "") -> None:
            if done == 1:
                raise Cancelled

    result = operation.trash(workspace, of("Chat0000", "Chat0001", "Chat0002"), StopAtSecond())
    assert result.stopped
    assert len(result.items) == 3
    assert [item.skipped for item in result.items] == [False, True, True]
    assert result.changes.removed == {"Chat0000"}
    assert (workspace.root / "Chat0001").is_dir()


def test_named_twice_it_is_moved_once(workspace: Workspace) -> None:
    result = operation.trash(workspace, of("Chat0000", "Chat0000"), QUIET)
    assert sorted(item.skipped for item in result.items) == [False, True]
    assert all(item.ok for item in result.items)


def test_a_taken_place_is_kept_and_the_restored_chat_gets_a_new_id(workspace: Workspace) -> None:
    before = json.loads((workspace.root / "Chat0001" / "chat.json").read_bytes())
    operation.trash(workspace, of("Chat0001"), QUIET)
    put(workspace.root, "Chat0001", chat("Chat0001", "came back"))
    result = operation.restore(workspace, [operation.entries(workspace)[0].id], QUIET)
    (new,) = result.changes.added
    assert new != "Chat0001"
    assert f"new id {new}" in result.items[0].text
    assert json.loads((workspace.root / "Chat0001" / "chat.json").read_bytes())["name"] == "came back"
    after = json.loads((workspace.root / new / "chat.json").read_bytes())
    assert after.pop("id") == new
    assert before.pop("id") == "Chat0001"
    assert after == before
    assert (workspace.root / new / "messages" / "1.txt").read_bytes() == b"\xff output"
    assert list(workspace.staging.iterdir()) == []


def test_a_damaged_chat_whose_place_is_taken_comes_back_as_it_is(workspace: Workspace) -> None:
    put(workspace.root, "Bad00000", b"{")
    operation.trash(workspace, of("Bad00000"), QUIET)
    put(workspace.root, "Bad00000", chat("Bad00000"))
    result = operation.restore(workspace, [operation.entries(workspace)[0].id], QUIET)
    (new,) = result.changes.added
    assert (workspace.root / new / "chat.json").read_bytes() == b"{"


def test_a_restore_under_a_new_id_that_fails_leaves_the_trash_as_it_was(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    operation.trash(workspace, of("Chat0001"), QUIET)
    put(workspace.root, "Chat0001", chat("Chat0001", "came back"))
    entry = operation.entries(workspace)[0]
    before = (entry.path / "chat.json").read_bytes()

    def fail(*_: object) -> None:
        raise OSError(errno.EIO, "no")

    monkeypatch.setattr(files, "move_at", fail)
    result = operation.restore(workspace, [entry.id], QUIET)
    assert not result.items[0].ok
    assert (entry.path / "chat.json").read_bytes() == before
    assert list(workspace.staging.iterdir()) == []
    assert workspace.journal.unfinished == ()


@pytest.mark.parametrize("damage", ["missing", "broken", "paths"])
def test_a_record_is_never_needed_and_its_paths_never_used(workspace: Workspace, tmp_path: Path, damage: str) -> None:
    before = tree(workspace.root)
    operation.trash(workspace, of("Chat0001"), QUIET)
    (record,) = workspace.trash_folder.glob("*/record.json")
    if damage == "missing":
        record.unlink()
    elif damage == "broken":
        record.write_bytes(b'{"titles": [')
    else:
        record.write_text(
            json.dumps({"at": "x", "titles": {"Chat0001": "../../evil"}, "folder": "/etc", "path": "../x"})
        )
    (entry,) = operation.entries(workspace)
    assert entry.folder == "Chat0001"
    assert operation.restore(workspace, [entry.id], QUIET).items[0].ok
    assert tree(workspace.root) == before


@pytest.mark.parametrize(
    "bad", ["", "x", "../x/y", "20260101-000000-00000000/Chat0001", "20260101-000000-00000000/../..", "a/b/c"]
)
def test_a_trash_id_that_is_none_is_a_failed_item(workspace: Workspace, bad: str) -> None:
    for act in (operation.restore, operation.empty):
        result = act(workspace, [TrashId(bad)], QUIET)
        assert [item.ok for item in result.items] == [False]
    assert (workspace.root / "Chat0001").is_dir()


def test_d5_a_full_disk_stops_no_deletion(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace.need_private()
    assert (workspace.private / "reserve").stat().st_size > 100_000
    real = os.write

    def full(fd: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(os, "write", full)
    result = operation.trash(workspace, of("Chat0000", "Chat0001"), QUIET)
    monkeypatch.setattr(os, "write", real)
    assert all(item.ok for item in result.items)
    assert not (workspace.private / "reserve").exists()
    assert {e.folder for e in operation.entries(workspace)} == {"Chat0000", "Chat0001"}
    operation.restore(workspace, [e.id for e in operation.entries(workspace)], QUIET)
    assert (workspace.root / "Chat0001" / "messages" / "1.txt").exists()


def test_when_the_disk_cannot_make_it_safe_that_is_told_at_each_item(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace.need_private()
    real = files.sync_place
    calls = [0]

    def sync(folder: object) -> None:
        calls[0] += 1
        if calls[0] > 2:
            raise OSError(errno.EIO, "no")
        real(folder)  # type: ignore[arg-type]

    monkeypatch.setattr(operation.files, "sync_place", sync)
    result = operation.trash(workspace, of("Chat0000"), QUIET)
    assert not result.items[0].ok
    assert "could not make that safe" in result.items[0].text
    assert result.changes.removed == {"Chat0000"}


def test_emptying_removes_what_was_named_and_nothing_else(workspace: Workspace) -> None:
    operation.trash(workspace, of("Chat0000", "Chat0001", "Chat0002"), QUIET)
    one = next(e for e in operation.entries(workspace) if e.folder == "Chat0001")
    result = operation.empty(workspace, [one.id], QUIET)
    assert [item.item for item in result.items] == ["Chat number 1"]
    assert {e.folder for e in operation.entries(workspace)} == {"Chat0000", "Chat0002"}
    assert operation.empty(workspace, [], QUIET).items == ()
    assert len(operation.entries(workspace)) == 2
    operation.empty(workspace, None, QUIET)
    assert operation.entries(workspace) == []
    assert list(workspace.purge_folder.iterdir()) == []


def test_emptying_writes_the_response_ids_down_first(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    agents = [{"number": 0, "data": {"responses_state": {"response_ids": ["resp_a", "resp_b"]}}, "history": ""}]
    put(workspace.root, "Chat0000", chat("Chat0000", agents=agents))
    operation.trash(workspace, of("Chat0000"), QUIET)

    def full(*_: object, **__: object) -> None:
        raise StorageError("full")

    with monkeypatch.context() as patch:
        patch.setattr(files, "append_synced", full)
        patch.setattr(files, "replace_atomic", full)
        with pytest.raises(StorageError):
            operation.empty(workspace, None, QUIET)
    assert len(operation.entries(workspace)) == 1
    operation.empty(workspace, None, QUIET)
    lines = (workspace.private / "outbox.jsonl").read_text().splitlines()
    assert [json.loads(line)["id"] for line in lines] == ["resp_a", "resp_b"]


def test_the_trash_of_a_root_without_one_is_empty(tmp_path: Path) -> None:
    workspace = Workspace.open(make_root(tmp_path))
    assert operation.entries(workspace) == []
    assert not workspace.private.exists()


def test_a_chat_that_was_just_saved_is_moved_and_the_danger_is_told(workspace: Workspace) -> None:
    (workspace.root / "Chat0000" / "chat.json").touch()
    result = operation.trash(workspace, of("Chat0000", "Chat0001"), QUIET)
    assert "Agent Zero may have it open" in result.items[0].text
    assert result.items[1].text == "Moved to the trash."


def test_the_trash_survives_a_restart_of_the_program(workspace: Workspace) -> None:
    operation.trash(workspace, of("Chat0001"), QUIET)
    workspace.close()
    again = Workspace.open(workspace.root)
    assert [e.folder for e in operation.entries(again)] == ["Chat0001"]
    shutil.rmtree(operation.entries(again)[0].path)
    again.close()
    assert operation.entries(Workspace.open(workspace.root)) == []


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
@pytest.mark.parametrize("planted", [".chat-archive", ".chat-archive/trash", ".chat-archive/trash/SLOT"])
def test_a_link_planted_in_the_place_of_the_trash_is_not_looked_through(tmp_path: Path, planted: str) -> None:
    root = make_root(tmp_path)
    slot = "20260101-000000-aaaaaaaa"
    elsewhere = tmp_path / "elsewhere"
    chat_there = elsewhere.joinpath(*{0: ("trash", slot), 1: (slot,), 2: ()}[planted.count("/")], "chats", "Chat0009")
    chat_there.mkdir(parents=True)
    link = root / planted.replace("SLOT", slot)
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(elsewhere)
    opened = Workspace.open(root, write=False)
    assert operation.entries(opened) == []
    assert trash_slots.record_of(opened, slot) == trash_slots.Record()


@pytest.mark.parametrize("at", ["9999-12-31T23:59:59+00:00", "0001-01-01T00:00:00+14:00", "9999-12-31T00:00:00-14:00"])
def test_a_time_out_of_range_in_a_record_or_a_name_is_not_used(workspace: Workspace, at: str) -> None:
    operation.trash(workspace, [Folder("Chat0001")], QUIET)
    slot = next(workspace.trash_folder.iterdir())
    (slot / "record.json").write_text(json.dumps({"at": at, "titles": {"Chat0001": "Kept"}}))
    slot.rename(slot.with_name("99991231-235959-aaaaaaaa"))
    (entry,) = operation.entries(workspace)
    assert (entry.title, entry.trashed_at.year) == ("Kept", 1970)
    workspace.trash_days = 10**12
    assert operation.entries(workspace)[0].purge_at is None
