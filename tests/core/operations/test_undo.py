"""Undo and redo, checked against a model; what was written since is never taken away."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from chat_archive.core import editing
from chat_archive.core.entities import Folder, TrashId
from chat_archive.core.errors import ArchiveError, ConflictError, NotFoundError
from chat_archive.core.operations import message_files, rename, trash, undo
from chat_archive.core.progress import NullProgress
from chat_archive.core.workspace import Workspace
from tests.builders import chat, make_root, put

QUIET = NullProgress()


@pytest.fixture(autouse=True)
def short_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """No host writes here, so an edit need not wait for one."""
    monkeypatch.setattr(editing, "LOOK_SECONDS", 0.01)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    root = make_root(tmp_path)
    for number in range(3):
        (root / f"Chat000{number}" / "messages").mkdir()
        (root / f"Chat000{number}" / "messages" / "1.txt").write_text(f"output {number}")
    return Workspace.open(root)


def content(workspace: Workspace) -> dict[str, bytes]:
    return {
        str(p.relative_to(workspace.root)): p.read_bytes()
        for p in workspace.root.rglob("*")
        if p.is_file() and ".chat-archive" not in p.parts
    }


def ids(workspace: Workspace) -> list[TrashId]:
    return [entry.id for entry in trash.entries(workspace)]


def do(workspace: Workspace, what: str) -> None:
    a, b = Folder("Chat0000"), Folder("Chat0001")
    if what == "trash":
        trash.trash(workspace, [a, b], QUIET)
    elif what == "restore":
        trash.restore(workspace, ids(workspace), QUIET)
    elif what == "rename":
        rename.rename(workspace, a, "New", QUIET)
    else:
        message_files.remove(workspace, [a, b], QUIET)


@pytest.mark.parametrize(
    ("what", "text", "info"),
    [
        ("trash", "Move 2 chats to Trash", ("trash", 2)),
        ("restore", "Restore 2 chats", ("restore", 2)),
        ("rename", "Rename chat", ("rename", 1)),
        ("messages", "Remove message files of 2 chats", ("remove_messages", 2)),
    ],
)
def test_each_operation_is_taken_back_and_done_again_to_the_byte(
    workspace: Workspace, what: str, text: str, info: tuple[str, int]
) -> None:
    if what == "restore":
        do(workspace, "trash")
    before = content(workspace)
    do(workspace, what)
    after = content(workspace)
    assert after != before
    for _ in range(3):
        assert (undo.undo_text(workspace), undo.undo_info(workspace)) == (text, info)
        undo.undo(workspace, QUIET)
        assert content(workspace) == before
        assert (undo.redo_text(workspace), undo.redo_info(workspace)) == (text, info)
        undo.redo(workspace, QUIET)
        assert content(workspace) == after
    assert undo.redo_text(workspace) == ""


def test_one_chat_is_spoken_of_as_one(workspace: Workspace) -> None:
    trash.trash(workspace, [Folder("Chat0000")], QUIET)
    assert undo.undo_text(workspace) == "Move 1 chat to Trash"


def test_with_nothing_done_there_is_nothing_to_take_back(workspace: Workspace) -> None:
    assert undo.undo_text(workspace) == undo.redo_text(workspace) == ""
    for act in (undo.undo, undo.redo):
        with pytest.raises(NotFoundError):
            act(workspace, QUIET)


def test_something_new_ends_what_could_be_done_again(workspace: Workspace) -> None:
    do(workspace, "rename")
    undo.undo(workspace, QUIET)
    trash.trash(workspace, [Folder("Chat0002")], QUIET)
    assert undo.redo_text(workspace) == ""


def test_an_undone_deletion_whose_place_is_taken_gets_a_new_id(workspace: Workspace) -> None:
    do(workspace, "trash")
    put(workspace.root, "Chat0000", chat("Chat0000", "came back"))
    result = undo.undo(workspace, QUIET)
    assert json.loads((workspace.root / "Chat0000" / "chat.json").read_bytes())["name"] == "came back"
    assert len(result.changes.added) == 2
    (new,) = result.changes.added - {"Chat0001"}
    assert json.loads((workspace.root / new / "chat.json").read_bytes())["name"] == "Chat number 0"
    assert any("new id" in item.text for item in result.items)


def test_a_restored_chat_that_was_saved_since_is_not_taken_away_again(workspace: Workspace) -> None:
    do(workspace, "trash")
    do(workspace, "restore")
    put(workspace.root, "Chat0001", chat("Chat0001", "saved since"))
    with pytest.raises(ConflictError, match="changed since"):
        undo.undo(workspace, QUIET)
    assert (workspace.root / "Chat0000").is_dir()
    assert undo.undo_text(workspace) == "Restore 2 chats"


def test_a_name_that_was_changed_again_is_not_taken_back(workspace: Workspace) -> None:
    do(workspace, "rename")
    put(workspace.root, "Chat0000", chat("Chat0000", "by the host"))
    with pytest.raises(ConflictError):
        undo.undo(workspace, QUIET)
    assert json.loads((workspace.root / "Chat0000" / "chat.json").read_bytes())["name"] == "by the host"


def test_taking_a_name_back_keeps_what_the_host_saved_since(workspace: Workspace) -> None:
    do(workspace, "rename")
    put(workspace.root, "Chat0000", chat("Chat0000", "New", words=("more", "words")))
    undo.undo(workspace, QUIET)
    document = json.loads((workspace.root / "Chat0000" / "chat.json").read_bytes())
    assert document["name"] == "Chat number 0"
    assert [item["content"] for item in document["log"]["logs"]] == ["more", "words"]


def test_an_import_is_taken_back_unless_its_chat_was_changed(workspace: Workspace) -> None:
    put(workspace.root, "Brought0", chat("Brought0"))
    undo.remember_import(workspace, [Folder("Brought0")])
    assert undo.undo_text(workspace) == "Import 1 chat"
    undo.undo(workspace, QUIET)
    assert not (workspace.root / "Brought0").exists()
    undo.redo(workspace, QUIET)
    assert (workspace.root / "Brought0" / "chat.json").exists()
    undo.remember_import(workspace, [Folder("Brought0")])
    put(workspace.root, "Brought0", chat("Brought0", "used since"))
    with pytest.raises(ConflictError):
        undo.undo(workspace, QUIET)
    assert (workspace.root / "Brought0").is_dir()


def test_message_files_that_came_again_keep_their_place(workspace: Workspace) -> None:
    do(workspace, "messages")
    assert not (workspace.root / "Chat0000" / "messages").exists()
    (workspace.root / "Chat0000" / "messages").mkdir()
    (workspace.root / "Chat0000" / "messages" / "1.txt").write_text("new")
    result = undo.undo(workspace, QUIET)
    assert sorted(item.ok for item in result.items) == [False, True]
    assert (workspace.root / "Chat0000" / "messages" / "1.txt").read_text() == "new"
    assert [entry.kind for entry in trash.entries(workspace)] == ["messages"]


def test_a_closed_program_forgets_the_steps_and_keeps_the_trash(workspace: Workspace) -> None:
    do(workspace, "trash")
    workspace.close()
    again = Workspace.open(workspace.root)
    assert undo.undo_text(again) == ""
    assert len(ids(again)) == 2


@pytest.mark.parametrize("seed", range(12))
def test_any_row_of_deeds_leaves_what_a_model_says(tmp_path: Path, seed: int) -> None:
    """Delete, undo, redo, restore, empty, rename and restart in any order, against three plain dicts."""
    rng = random.Random(seed)
    workspace = Workspace.open(make_root(tmp_path, 4))
    here = {f"Chat000{n}": f"Chat number {n}" for n in range(4)}
    bin_: dict[str, str] = {}
    past: list[tuple[dict[str, str], dict[str, str]]] = []
    future: list[tuple[dict[str, str], dict[str, str]]] = []
    for _ in range(25):
        deed = rng.choice(["trash", "undo", "redo", "restore", "empty", "rename", "restart"])
        state = (dict(here), dict(bin_))
        done = False
        if deed == "trash" and here:
            chosen = rng.sample(sorted(here), rng.randint(1, len(here)))
            trash.trash(workspace, [Folder(c) for c in chosen], QUIET)
            bin_ |= {c: here.pop(c) for c in chosen}
            done = True
        elif deed == "restore" and bin_:
            entry = rng.choice(trash.entries(workspace))
            trash.restore(workspace, [entry.id], QUIET)
            here[entry.folder] = bin_.pop(entry.folder)
            done = True
        elif deed == "rename" and here:
            name = f"name {rng.random()}"
            chosen = [rng.choice(sorted(here))]
            rename.rename(workspace, Folder(chosen[0]), name, QUIET)
            here[chosen[0]] = name
            done = True
        elif deed == "empty":
            trash.empty(workspace, None, QUIET)
            bin_.clear()
            past.clear()
            future.clear()
            workspace.stacks.undo.clear()
            workspace.stacks.redo.clear()
        elif deed == "restart":
            workspace.close()
            workspace = Workspace.open(workspace.root)
            past.clear()
            future.clear()
        elif deed in ("undo", "redo"):
            source, target = (past, future) if deed == "undo" else (future, past)
            act: Any = undo.undo if deed == "undo" else undo.redo
            if source:
                act(workspace, QUIET)
                target.append(state)
                here, bin_ = (dict(part) for part in source.pop())
            else:
                with pytest.raises(ArchiveError):
                    act(workspace, QUIET)
        if done:
            past.append(state)
            future.clear()
        names = {
            p.name: json.loads((p / "chat.json").read_bytes())["name"]
            for p in workspace.root.iterdir()
            if p.name != ".chat-archive"
        }
        assert names == here
        assert {e.folder for e in trash.entries(workspace)} == set(bin_)
