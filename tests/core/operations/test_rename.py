"""A new name is a few bytes exchanged; all else of the file stays (D-46, W6)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chat_archive.core.archive import Archive
from chat_archive.core.entities import ChatState, Folder
from chat_archive.core.errors import ArchiveError, BadIdError, NotFoundError, ReadOnlyError, UnreadableError
from chat_archive.core.operations import rename as operation
from chat_archive.core.operations import trash, undo
from chat_archive.core.progress import NullProgress
from chat_archive.core.workspace import Workspace
from tests.builders import chat, make_root, put, without

QUIET = NullProgress()
A = Folder("Chat0000")


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace.open(make_root(tmp_path))


def rename(workspace: Workspace, folder: str, name: str) -> None:
    operation.rename(workspace, Folder(folder), name, QUIET)


def test_d46_unknown_keys_numbers_and_spelling_stay_byte_for_byte(workspace: Workspace) -> None:
    before = (
        b'\xef\xbb\xbf{\r\n  "id" : "Chat0000",\r\n  "name" : "Old",\r\n'
        b'  "x-plugin": {"temp": 1.0, "n": 12345678901234567890},\r\n  "duration_ms": NaN, "agents": [],\r\n'
        b'  "log": {"logs": [{"lone": "\\ud83d", "lone": 1e5}]},\r\n  "data": null\r\n}\r\n'
    )
    path = put(workspace.root, "Chat0000", before)
    rename(workspace, "Chat0000", "Neu 中文 🙂")
    assert path.read_bytes() == before.replace(b'"Old"', '"Neu 中文 🙂"'.encode())


def test_of_two_names_the_one_that_counts_is_changed(workspace: Workspace) -> None:
    path = put(workspace.root, "Chat0000", b'{"name": "first", "id": "Chat0000", "name": "second"}')
    rename(workspace, "Chat0000", "third")
    assert path.read_bytes() == b'{"name": "first", "id": "Chat0000", "name": "third"}'


def test_a_missing_name_comes_right_after_the_id(workspace: Workspace) -> None:
    path = put(workspace.root, "Chat0000", without(chat("Chat0000"), "name"))
    before = path.read_bytes()
    rename(workspace, "Chat0000", "N")
    assert path.read_bytes() == before.replace(b'{"id": "Chat0000", ', b'{"id": "Chat0000", "name": "N", ')
    undo.undo(workspace, QUIET)
    assert path.read_bytes() == before


def test_without_an_id_the_name_comes_first(workspace: Workspace) -> None:
    path = put(workspace.root, "Chat0000", b'{"agents": [], "log": {}}')
    rename(workspace, "Chat0000", "N")
    assert path.read_bytes() == b'{"name": "N", "agents": [], "log": {}}'


def test_a_flat_file_of_old_versions_is_renamed_too(workspace: Workspace) -> None:
    path = put(workspace.root, "old.json", b'{"id": "old", "agents": [], "log": {}}', flat=True)
    rename(workspace, "old.json", "N")
    assert path.read_bytes() == b'{"id": "old", "name": "N", "agents": [], "log": {}}'


@pytest.mark.parametrize(
    "data", [b"", b"{", b"[]", b'{"id": "a"} x', b"\0" * 100, b'{"id": "a",}', "{}".encode("utf-16")]
)
def test_d22_a_damaged_file_is_refused_and_not_touched(workspace: Workspace, data: bytes) -> None:
    path = put(workspace.root, "Chat0000", data)
    with pytest.raises(UnreadableError) as caught:
        rename(workspace, "Chat0000", "N")
    assert "damaged file is not changed" in str(caught.value)
    assert path.read_bytes() == data
    assert list(workspace.staging.iterdir()) == []


def test_d53_half_a_sign_in_the_new_name_becomes_the_replacement_sign(workspace: Workspace) -> None:
    rename(workspace, "Chat0000", "a\ud83d")
    assert json.loads((workspace.root / "Chat0000" / "chat.json").read_bytes())["name"] == "a\ufffd"


@pytest.mark.parametrize("name", ["", "  \n"])
def test_a_name_of_nothing_is_refused(workspace: Workspace, name: str) -> None:
    with pytest.raises(ArchiveError):
        rename(workspace, "Chat0000", name)


@pytest.mark.parametrize("bad", ["", ".", "..", "../x", "/etc", "a/b", "a\\b", ".chat-archive"])
def test_d08_d09_ids_that_are_paths_are_refused(workspace: Workspace, bad: str) -> None:
    with pytest.raises(BadIdError):
        rename(workspace, bad, "N")


def test_a_missing_chat_is_told(workspace: Workspace) -> None:
    with pytest.raises(NotFoundError):
        rename(workspace, "None0000", "N")


def test_d10_a_linked_chat_is_not_edited(workspace: Workspace, tmp_path: Path) -> None:
    target = put(tmp_path / "else", "X", chat("X"))
    before = target.read_bytes()
    (workspace.root / "Linked00").symlink_to(target.parent)
    with pytest.raises(UnreadableError, match="links are not followed"):
        rename(workspace, "Linked00", "N")
    assert target.read_bytes() == before


def test_read_only_nothing_is_renamed(tmp_path: Path) -> None:
    workspace = Workspace.open(make_root(tmp_path), write=False)
    with pytest.raises(ReadOnlyError):
        rename(workspace, "Chat0000", "N")


def test_the_same_name_writes_nothing(workspace: Workspace) -> None:
    path = workspace.root / "Chat0000" / "chat.json"
    before = path.stat()
    result = operation.rename(workspace, A, "Chat number 0", QUIET)
    assert result.items[0].skipped
    assert not result.undoable
    assert path.stat().st_mtime_ns == before.st_mtime_ns
    assert undo.undo_info(workspace) is None


def test_flags_are_set_and_taken_back_with_the_rest_untouched(workspace: Workspace) -> None:
    path = workspace.root / "Chat0000" / "chat.json"
    before = path.read_bytes()
    where = ("data", "responses_delete_on_chat_delete")
    operation.set_value(workspace, A, where, False)
    assert path.read_bytes() == before.replace(
        b'"data": {}, "output_data"', b'"data": {"responses_delete_on_chat_delete": false}, "output_data"'
    )
    operation.set_value(workspace, A, where, True)
    assert json.loads(path.read_bytes())["data"] == {"responses_delete_on_chat_delete": True}
    undo.undo(workspace, QUIET)
    undo.undo(workspace, QUIET)
    assert path.read_bytes() == before
    with pytest.raises(NotFoundError):
        operation.set_value(workspace, A, ("nothing", "here"), 1)


def test_the_result_says_that_the_host_may_have_it_open(workspace: Workspace) -> None:
    path = workspace.root / "Chat0000" / "chat.json"
    path.touch()
    text = operation.rename(workspace, A, "N", QUIET).items[0].text
    assert "Agent Zero may have it open" in text


def test_a_rename_is_not_taken_for_the_work_of_agent_zero(workspace: Workspace) -> None:
    archive = Archive(workspace)
    rename(workspace, A, "Mine")
    assert archive.row(A).state is ChatState.OK
    assert {row.folder: row.state for row in archive.scan()}[A] is ChatState.OK
    result = undo.undo(workspace, QUIET)
    assert result.items[0].text == "Renamed back."
    assert "Agent Zero" not in trash.trash(workspace, [A], QUIET).items[0].text


def test_a_save_after_a_rename_is_told_as_the_work_of_agent_zero(workspace: Workspace) -> None:
    archive = Archive(workspace)
    rename(workspace, A, "Mine")
    path = workspace.root / A / "chat.json"
    path.write_bytes(path.read_bytes().replace(b"Mine", b"Hers and more"))
    assert archive.row(A).state is ChatState.LIVE


def test_taking_back_offers_no_undo_of_its_own(workspace: Workspace) -> None:
    rename(workspace, A, "One")
    assert not undo.undo(workspace, QUIET).undoable
    assert undo.redo(workspace, QUIET).undoable
