"""Erasing for good: ids first, then one rename, then nothing is left; never more than was named."""

from __future__ import annotations

import errno
import json
from pathlib import Path

import pytest

from chat_archive.core import files
from chat_archive.core.entities import Folder
from chat_archive.core.errors import ArchiveError, BadIdError, ReadOnlyError, StorageError
from chat_archive.core.operations import erase as operation
from chat_archive.core.workspace import Workspace
from tests.builders import chat, make_root, put

AGENTS = [{"number": 0, "data": {"responses_state": {"response_ids": ["resp_one", "resp_two"]}}, "history": ""}]


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    root = make_root(tmp_path)
    put(root, "Chat0001", chat("Chat0001", agents=AGENTS))
    return Workspace.open(root)


def noted(workspace: Workspace) -> list[str]:
    path = workspace.private / "outbox.jsonl"
    return [json.loads(line)["id"] for line in path.read_text().splitlines()] if path.exists() else []


def test_the_ids_are_noted_and_the_chat_is_gone(workspace: Workspace) -> None:
    result = operation.erase(workspace, Folder("Chat0001"))
    assert result.changes.removed == {"Chat0001"}
    assert "2 responses" in result.items[0].text
    assert noted(workspace) == ["resp_one", "resp_two"]
    assert sorted(p.name for p in workspace.root.iterdir()) == [".chat-archive", "Chat0000", "Chat0002"]
    assert list(workspace.purge_folder.iterdir()) == []


def test_the_order_is_ids_then_rename_then_removal(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    for name in ("append_synced", "move_at", "remove_tree_at"):
        real = getattr(files, name)

        def note(*args: object, _name: str = name, _real: object = real, **kwargs: object) -> object:
            order.append(_name)
            return _real(*args, **kwargs)  # type: ignore[operator]

        monkeypatch.setattr(files, name, note)
    operation.erase(workspace, Folder("Chat0001"))
    assert order == ["append_synced", "move_at", "remove_tree_at"]


@pytest.mark.parametrize("bad", ["", "  ", ".", "..", "../victim", "/abs", "a/b", "a\\b", "a\0", ".chat-archive"])
def test_d07_d08_an_id_that_is_a_path_is_refused(workspace: Workspace, bad: str) -> None:
    (workspace.root.parent / "victim").mkdir()
    with pytest.raises(BadIdError):
        operation.erase(workspace, Folder(bad))
    assert (workspace.root.parent / "victim").is_dir()
    assert len(list(workspace.root.iterdir())) == 3


def test_a_missing_chat_is_no_error_and_makes_nothing(workspace: Workspace) -> None:
    result = operation.erase(workspace, Folder("Gone0000"))
    assert result.items[0].skipped
    assert not workspace.private.exists()


def test_d10_of_a_link_only_the_link_goes(workspace: Workspace, tmp_path: Path) -> None:
    target = put(tmp_path / "else", "X", chat("X", agents=AGENTS))
    mode = target.stat().st_mode
    (workspace.root / "Linked00").symlink_to(target.parent)
    operation.erase(workspace, Folder("Linked00"))
    assert not (workspace.root / "Linked00").is_symlink()
    assert target.stat().st_mode == mode
    assert noted(workspace) == []


def test_d11_what_cannot_be_removed_is_an_error_and_stays_whole(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EACCES, "no")

    monkeypatch.setattr(files, "move_at", refuse)
    with pytest.raises(StorageError, match="not allowed"):
        operation.erase(workspace, Folder("Chat0001"))
    assert (workspace.root / "Chat0001" / "chat.json").exists()


def test_d11_an_id_that_names_a_file_is_an_error(workspace: Workspace) -> None:
    (workspace.root / "notes").write_bytes(b"mine")
    with pytest.raises(ArchiveError):
        operation.erase(workspace, Folder("notes"))
    assert (workspace.root / "notes").read_bytes() == b"mine"


def test_when_the_ids_cannot_be_noted_nothing_is_erased(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise StorageError("full")

    monkeypatch.setattr(files, "append_synced", full)
    monkeypatch.setattr(files, "replace_atomic", full)
    with pytest.raises(StorageError):
        operation.erase(workspace, Folder("Chat0001"))
    assert (workspace.root / "Chat0001" / "chat.json").exists()


def test_a_chat_the_disk_does_not_read_is_not_erased_for_its_ids_would_be_forgotten(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise StorageError("The file cannot be read: the disk reported an error.")

    monkeypatch.setattr(files, "read_settled", broken)
    with pytest.raises(StorageError):
        operation.erase(workspace, Folder("Chat0001"))
    assert (workspace.root / "Chat0001" / "chat.json").exists()


def test_d5_ids_of_a_damaged_chat_are_found_by_pattern_and_told_as_such(workspace: Workspace) -> None:
    put(workspace.root, "Bad00000", b'{"x": "resp_lost_1", ')
    text = operation.erase(workspace, Folder("Bad00000")).items[0].text
    assert "incomplete" in text
    assert noted(workspace) == ["resp_lost_1"]


def test_removal_that_is_cut_off_is_finished_by_the_next_start(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EIO, "no")

    with monkeypatch.context() as patch:
        patch.setattr(files, "remove_tree_at", refuse)
        assert operation.erase(workspace, Folder("Chat0001")).items[0].ok
    assert len(list(workspace.purge_folder.iterdir())) == 1
    workspace.close()
    Workspace.open(workspace.root)
    assert list(workspace.purge_folder.iterdir()) == []


def test_read_only_nothing_is_erased(workspace: Workspace) -> None:
    with pytest.raises(ReadOnlyError):
        operation.erase(Workspace.open(workspace.root, write=False), Folder("Chat0001"))
    assert (workspace.root / "Chat0001").is_dir()
