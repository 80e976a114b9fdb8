"""Message files go as a whole folder, and the chat stays (H2)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from chat_archive.core.entities import Folder
from chat_archive.core.operations import message_files, trash
from chat_archive.core.progress import NullProgress
from chat_archive.core.workspace import Workspace
from tests.builders import chat, make_root, put

QUIET = NullProgress()


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    root = make_root(tmp_path)
    (root / "Chat0000" / "messages").mkdir()
    (root / "Chat0000" / "messages" / "1.txt").write_text("one")
    (root / "Chat0000" / "messages" / "odd").mkdir()
    (root / "Chat0000" / "images").mkdir()
    return Workspace.open(root)


def remove(workspace: Workspace, *folders: str) -> list[tuple[bool, bool]]:
    result = message_files.remove(workspace, [Folder(f) for f in folders], QUIET)
    return [(item.ok, item.skipped) for item in result.items]


def test_only_the_messages_folder_goes_and_comes_back_whole(workspace: Workspace) -> None:
    before = (workspace.root / "Chat0000" / "chat.json").read_bytes()
    assert remove(workspace, "Chat0000") == [(True, False)]
    assert sorted(p.name for p in (workspace.root / "Chat0000").iterdir()) == ["chat.json", "images"]
    assert (workspace.root / "Chat0000" / "chat.json").read_bytes() == before
    (entry,) = trash.entries(workspace)
    assert (entry.kind, entry.folder, entry.files, entry.title) == ("messages", "Chat0000", 1, "Chat number 0")
    trash.restore(workspace, [entry.id], QUIET)
    assert (workspace.root / "Chat0000" / "messages" / "1.txt").read_text() == "one"
    assert (workspace.root / "Chat0000" / "messages" / "odd").is_dir()
    assert trash.entries(workspace) == []


def test_a_chat_without_them_is_skipped_and_a_bad_id_fails_alone(workspace: Workspace) -> None:
    put(workspace.root, "old.json", chat("old"), flat=True)
    assert remove(workspace, "Chat0001", "old.json", "..", "Gone0000", "Chat0000") == [
        (True, True),
        (True, True),
        (False, False),
        (False, False),
        (True, False),
    ]


@pytest.mark.skipif(os.name == "nt", reason="makes links")
def test_d10_messages_of_a_linked_chat_are_not_touched_and_a_link_is_moved_as_one(
    workspace: Workspace, tmp_path: Path
) -> None:
    target = put(tmp_path / "else", "X", chat("X")).parent
    (target / "messages").mkdir()
    (workspace.root / "Linked00").symlink_to(target)
    assert remove(workspace, "Linked00") == [(True, True)]
    (workspace.root / "Chat0001" / "messages").symlink_to(target / "messages")
    assert remove(workspace, "Chat0001") == [(True, False)]
    assert (target / "messages").is_dir()
    assert trash.entries(workspace)[0].path.is_symlink()


def test_when_the_chat_is_gone_they_stay_in_the_trash(workspace: Workspace) -> None:
    remove(workspace, "Chat0000")
    (entry,) = trash.entries(workspace)
    trash.trash(workspace, [Folder("Chat0000")], QUIET)
    result = trash.restore(workspace, [entry.id], QUIET)
    assert not result.items[0].ok
    assert len(trash.entries(workspace)) == 2


def test_emptied_they_are_gone_and_the_chat_is_not(workspace: Workspace) -> None:
    remove(workspace, "Chat0000")
    trash.empty(workspace, None, QUIET)
    assert trash.entries(workspace) == []
    assert (workspace.root / "Chat0000" / "chat.json").exists()
