"""The next start after a crash: finishes, puts back, tidies, and removes only what the program made (W7)."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from chat_archive.core import files
from chat_archive.core.editing import digest
from chat_archive.core.entities import Folder
from chat_archive.core.operations import trash
from chat_archive.core.progress import NullProgress
from chat_archive.core.workspace import Workspace
from tests.builders import chat, make_root, put, snapshot, text_of

OLD, OURS, HOST = (text_of(chat("Chat0000", name)) for name in ("old", "ours", "from the host"))


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    opened = Workspace.open(make_root(tmp_path))
    opened.need_private()
    return opened


def crashed_edit(workspace: Workspace, *, staged: bytes | None, place: bytes) -> Workspace:
    """What a kill between the exchange and the end of an edit leaves, opened again."""
    details = {"parts": ["Chat0000", "chat.json"], "staged": "s.tmp", "held": "h.tmp"}
    workspace.journal.intend("edit", details | {"base": digest(OLD), "ours": digest(OURS)})
    put(workspace.root, "Chat0000", place)
    if staged is not None:
        (workspace.staging / "s.tmp").write_bytes(staged)
    workspace.close()
    return Workspace.open(workspace.root)


def place(workspace: Workspace) -> bytes:
    return (workspace.root / "Chat0000" / "chat.json").read_bytes()


def recovered(workspace: Workspace) -> list[bytes]:
    folder = workspace.recovered_folder
    return [p.read_bytes() for p in folder.iterdir()] if folder.exists() else []


@pytest.mark.parametrize(
    ("staged", "at_place", "in_the_end", "kept"),
    [
        (OURS, OLD, OLD, []),  # killed before the exchange
        (OLD, OURS, OURS, []),  # killed after it
        (HOST, OURS, HOST, []),  # killed before a faster save was given back
        (HOST, OLD, OLD, [HOST]),  # a save that is nowhere else, and a place that is not ours
        (HOST, HOST + b" ", HOST + b" ", [HOST]),  # the host saved again since
        (b'{"half', OURS, OURS, [b'{"half']),  # cut off in the middle of a save: never deleted unseen
        (OLD, b"", b"", [OLD]),  # the place holds nothing whole: the last good version is kept
        (None, OURS, OURS, []),
    ],
)
def test_after_a_crash_in_an_edit_each_save_of_the_host_is_in_place_or_kept(
    workspace: Workspace, staged: bytes | None, at_place: bytes, in_the_end: bytes, kept: list[bytes]
) -> None:
    again = crashed_edit(workspace, staged=staged, place=at_place)
    assert place(again) == in_the_end
    assert recovered(again) == kept
    assert list(again.staging.iterdir()) == []
    assert again.journal.unfinished == ()
    assert bool(again.notices) is (staged in (HOST, b'{"half') or bool(kept))


def test_opened_once_more_nothing_changes(workspace: Workspace) -> None:
    again = crashed_edit(workspace, staged=HOST, place=OURS)
    again.close()
    before = snapshot(workspace.root)
    last = Workspace.open(workspace.root)
    after = snapshot(workspace.root)
    assert last.notices == ()
    assert {k: v for k, v in after.items() if "journal" not in k} == {
        k: v for k, v in before.items() if "journal" not in k
    }


def test_of_a_save_cut_off_only_our_own_temporary_file_goes(workspace: Workspace) -> None:
    folder = workspace.root / "Chat0000"
    (folder / ".chat.json.ours.tmp").write_bytes(b"{")
    (folder / ".chat.json.host.tmp").write_bytes(b"{")
    workspace.journal.intend("save", {"folder": "Chat0000", "temporary": ".chat.json.ours.tmp", "made": False})
    workspace.close()
    Workspace.open(workspace.root)
    assert sorted(p.name for p in folder.iterdir()) == [".chat.json.host.tmp", "chat.json"]


@pytest.mark.parametrize("content", ["nothing", "temporary", "more"])
def test_a_folder_made_for_a_save_that_was_cut_off_goes_when_it_is_empty(workspace: Workspace, content: str) -> None:
    folder = workspace.root / "New00000"
    folder.mkdir()
    if content == "temporary":
        (folder / ".chat.json.ours.tmp").write_bytes(b"{")
    if content == "more":
        (folder / "messages").mkdir()
    workspace.journal.intend("save", {"folder": "New00000", "temporary": ".chat.json.ours.tmp", "made": True})
    workspace.close()
    Workspace.open(workspace.root)
    assert folder.exists() is (content == "more")


@pytest.mark.parametrize(
    "record",
    [
        {"verb": "save", "folder": "../victim", "temporary": ".chat.json.x.tmp", "made": True},
        {"verb": "save", "folder": "Chat0000", "temporary": "chat.json", "made": True},
        {"verb": "save", "folder": "Chat0000", "temporary": "../Chat0001/chat.json", "made": True},
        {"verb": "edit", "parts": ["..", "victim", "f"], "staged": "../trash", "held": "/etc"},
        {"verb": "edit", "parts": 5, "staged": None, "held": []},
        {"verb": "restore-as", "parts": ["..", ".."], "staged": "..", "base": "x"},
        {"verb": "trash", "slot": "../..", "kind": "..", "count": 2},
        {"verb": "unheard of"},
        {},
    ],
)
def test_a_record_that_was_tampered_with_harms_nothing(workspace: Workspace, record: dict[str, object]) -> None:
    victim = workspace.root.parent / "victim"
    victim.mkdir()
    (victim / "f").write_bytes(b"mine")
    line = json.dumps({"op": "x", "state": "intent", **record})
    (workspace.private / "journal.jsonl").write_text(line + "\n")
    workspace.close()
    before = {k: v for k, v in snapshot(workspace.root).items() if not k.startswith(".chat-archive")}
    again = Workspace.open(workspace.root)
    assert again.writable
    assert (victim / "f").read_bytes() == b"mine"
    assert {k: v for k, v in snapshot(workspace.root).items() if not k.startswith(".chat-archive")} == before


def test_a_batch_that_was_cut_off_is_told_with_its_numbers(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = files.move_at

    class Killed(BaseException):
        pass

    def die_at_second(source: object, old: str, target: object, new: str) -> None:
        if old == "Chat0001":
            raise Killed
        real(source, old, target, new)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(files, "move_at", die_at_second)
        with pytest.raises(Killed):
            trash.trash(workspace, [Folder(f"Chat000{n}") for n in range(3)], NullProgress())
    workspace.close()
    again = Workspace.open(workspace.root)
    assert again.notices == (
        "The program stopped while it moved 3 chats to the trash: 1 are there, the others stayed.",
    )
    assert [e.title for e in trash.entries(again)] == ["Chat number 0"]


def test_a_torn_last_line_of_the_record_is_repaired_and_told(workspace: Workspace) -> None:
    with (workspace.private / "journal.jsonl").open("ab") as file:
        file.write(b'{"op": "x", "state": "int')
    workspace.close()
    again = Workspace.open(workspace.root)
    assert any("half a line" in notice for notice in again.notices)
    assert (workspace.private / "journal.jsonl").read_bytes() == b""


def test_staging_purge_and_empty_slots_are_cleared_and_the_rest_of_the_private_folder_stays(
    workspace: Workspace,
) -> None:
    (workspace.staging / "left.part" / "deep").mkdir(parents=True)
    (workspace.purge_folder / "x").mkdir()
    (workspace.purge_folder / "x" / "chat.json").write_bytes(b"{}")
    (workspace.trash_folder / "20260101-000000-00000000" / "chats").mkdir(parents=True)
    (workspace.trash_folder / "not ours").mkdir()
    (workspace.private / "notes.json").write_bytes(b"{}")
    (workspace.private / "outbox.jsonl").write_bytes(b"{}\n")
    workspace.close()
    again = Workspace.open(workspace.root)
    assert list(again.staging.iterdir()) == list(again.purge_folder.iterdir()) == []
    assert [p.name for p in again.trash_folder.iterdir()] == ["not ours"]
    assert (workspace.private / "notes.json").exists()
    assert (workspace.private / "outbox.jsonl").read_bytes() == b"{}\n"


def test_what_cannot_be_tidied_is_told_and_keeps_nothing_from_opening(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    (workspace.staging / "left.tmp").write_bytes(b"")
    workspace.close()

    def refuse(*_: object) -> None:
        raise OSError(5, "no")

    with monkeypatch.context() as patch:
        patch.setattr(files, "remove_tree_at", refuse)
        again = Workspace.open(workspace.root)
    assert again.writable
    assert any("could not be finished" in notice for notice in again.notices)
    again.close()
    Workspace.open(workspace.root)
    assert list(workspace.staging.iterdir()) == []


def test_the_reserve_is_made_again_when_there_is_room(workspace: Workspace) -> None:
    workspace.release_reserve()
    workspace.close()
    Workspace.open(workspace.root)
    assert (workspace.private / "reserve").stat().st_size == 256 * 1024


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes")
@pytest.mark.parametrize("kind", ["pipe", "folder", "link", "huge file"])
def test_a_journal_that_is_no_file_is_set_aside_and_a_save_in_staging_is_kept(
    workspace: Workspace, tmp_path: Path, kind: str
) -> None:
    (workspace.staging / "s.tmp").write_bytes(HOST)
    workspace.close()
    journal = workspace.private / "journal.jsonl"
    journal.unlink(missing_ok=True)
    victim = tmp_path / "victim"
    victim.write_bytes(b"mine")
    make: dict[str, Callable[[Path], object]] = {
        "pipe": os.mkfifo,
        "folder": os.mkdir,
        "link": lambda path: path.symlink_to(victim),
        "huge file": lambda path: path.write_bytes(b"\n" * (17 << 20)),
    }
    make[kind](journal)
    again = Workspace.open(workspace.root)
    assert any("set aside" in notice for notice in again.notices)
    assert recovered(again) == [HOST]
    assert trash.trash(again, [Folder("Chat0001")], NullProgress()).items[0].ok
    assert journal.is_file()
    assert not journal.is_symlink()
    assert victim.read_bytes() == b"mine"
    assert [p.name for p in again.private.iterdir() if p.suffix == ".broken"]


@pytest.mark.parametrize(
    "line",
    [
        b"\0\0\0garbage\n",
        b'{"op": "x", "verb": "edit", "state": "intent", "parts": ["a/b"], "staged": "s.tmp"}\n',
        b'{"op": "x", "verb": "save", "state": "intent", "folder": "\\ud800", "temporary": ".chat.json.a.tmp"}\n',
        b'{"op": "x", "verb": "edit", "state": "intent", "parts": ["\\ud800", "chat.json"], "staged": "s.tmp"}\n',
        b'{"op": "x", "verb": "trash", "state": "intent", "slot": "\\ud800", "kind": "chats"}\n',
        b'{"op": "x", "verb": "trash", "state": "intent", "slot": "a", "kind": "../.."}\n',
    ],
)
def test_with_a_record_that_is_not_whole_no_file_in_staging_is_deleted_unseen(
    workspace: Workspace, line: bytes
) -> None:
    (workspace.staging / "s.tmp").write_bytes(HOST)
    (workspace.private / "journal.jsonl").write_bytes(line)
    workspace.close()
    again = Workspace.open(workspace.root)
    assert again.writable
    assert recovered(again) == [HOST]
    assert any("were kept in" in notice for notice in again.notices)
    assert again.journal.unfinished == ()
    again.close()
    assert next(p.read_bytes() for p in again.private.iterdir() if p.suffix == ".broken").startswith(line)
    assert Workspace.open(workspace.root).notices == ()
