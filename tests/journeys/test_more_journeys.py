"""Old flat files, failures in the middle, dialogs of the window, the clipboard."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog

from chat_archive.core.entities import Changes, Folder, ItemResult, OperationResult
from chat_archive.core.errors import StorageError
from chat_archive.core.progress import Progress
from chat_archive.ui.drop import mime_of
from tests.builders import chat, make_root, put, snapshot
from tests.journeys.conftest import Opener


def test_old_flat_files_are_moved_into_folders_only_after_asking(open_window: Opener, tmp_path: Path) -> None:
    root = make_root(tmp_path, 1)
    put(root, "Old00001.json", chat("Old00001", "From long ago"), flat=True)
    before = snapshot(root)
    desk = open_window(root)
    assert "From long ago" in desk.titles
    desk.prompts.yes = False
    desk.do("convert")
    assert desk.prompts.questions == ["confirm_convert"]
    assert snapshot(root) == before
    desk.prompts.yes = True
    desk.do("convert")
    assert not (root / "Old00001.json").exists()
    assert json.loads((root / "Old00001" / "chat.json").read_bytes())["name"] == "From long ago"
    assert "From long ago" in desk.titles
    assert not desk.window.actions_by_id["convert"].isEnabled()  # type: ignore[index]


def test_a_chat_that_could_not_be_moved_stays_in_the_list_and_is_named(
    open_window: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make_root(tmp_path, 3)
    desk = open_window(root)
    archive = desk.window.roots.sessions[0].archive

    def half(folders: list[Folder], progress: Progress) -> OperationResult:
        good, bad = folders[0], folders[1]
        (root / good).rename(tmp_path / "away")
        items = (
            ItemResult("first", True, "Moved.", folder=good),
            ItemResult("second", False, "The folder cannot be written.", folder=bad, path=root / bad),
        )
        return OperationResult("trash", items, Changes(removed=frozenset({good})))

    monkeypatch.setattr(archive, "trash", half)
    desk.choose("Chat0000", "Chat0001")
    desk.settle()
    desk.do("move_to_trash")
    assert desk.folders == {"Chat0001", "Chat0002"}
    assert [item.folder for item in desk.messages.results[-1].failed] == ["Chat0001"]


def test_a_change_that_fails_is_told_as_a_sentence_and_the_row_stays(
    open_window: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make_root(tmp_path, 2)
    desk = open_window(root)

    def refuse(_folders: object, _progress: object) -> OperationResult:
        raise StorageError("The chat could not be moved.", path=root / "Chat0001", next_step="Check the rights.")

    monkeypatch.setattr(desk.window.roots.sessions[0].archive, "trash", refuse)
    desk.choose("Chat0001")
    desk.settle()
    desk.do("move_to_trash")
    assert "Chat0001" in desk.folders
    assert [str(error) for error in desk.messages.errors] == [
        f"The chat could not be moved. ({root / 'Chat0001'}) Check the rights."
    ]


@pytest.mark.parametrize("action", ["settings", "keys", "about"])
def test_windows_of_their_own_open_and_close_with_escape(open_window: Opener, tmp_path: Path, action: str) -> None:
    desk = open_window(make_root(tmp_path, 1))
    desk.do(action)
    dialogs = [one for one in desk.window.findChildren(QDialog) if one.isVisible()]
    assert len(dialogs) == 1
    dialogs[0].reject()
    desk.settle()
    assert not [one for one in desk.window.findChildren(QDialog) if one.isVisible()]


def test_ids_and_paths_go_to_the_clipboard_and_files_come_from_it(open_window: Opener, tmp_path: Path) -> None:
    root = make_root(tmp_path, 3)
    desk = open_window(root)
    desk.choose("Chat0000", "Chat0002")
    desk.settle()
    desk.do("copy_id")
    assert QGuiApplication.clipboard().text().split() == ["Chat0000", "Chat0002"]
    desk.do("copy_path")
    assert QGuiApplication.clipboard().text().split("\n")[0] == str(root / "Chat0000" / "chat.json")
    desk.do("paste")
    assert len(desk.messages.notices) == 1
    source = tmp_path / "from the file manager.json"
    source.write_text(json.dumps(chat("Paste001", "Pasted")), encoding="utf-8")
    QGuiApplication.clipboard().setMimeData(mime_of([source]))
    desk.do("paste")
    assert "Pasted" in desk.titles
    QGuiApplication.clipboard().clear()  # what Python gave it must not outlive Python


def test_importing_the_same_file_twice_leaves_one(open_window: Opener, tmp_path: Path) -> None:
    root = make_root(tmp_path, 1)
    source = tmp_path / "x.json"
    source.write_text(json.dumps(chat("Twice001", "Twice")), encoding="utf-8")
    desk = open_window(root)
    desk.prompts.import_files = [source]
    desk.do("import_files")
    desk.do("import_files")
    assert desk.titles.count("Twice") == 1
    assert desk.messages.results[-1].items[0].skipped


def test_the_open_root_dropped_on_itself_is_refused(open_window: Opener, tmp_path: Path) -> None:
    root = make_root(tmp_path, 2)
    before = snapshot(root)
    desk = open_window(root)
    desk.drop(root)
    assert desk.messages.errors or desk.messages.notices or desk.messages.results or desk.prompts.asked
    assert snapshot(root) == before


def test_old_flat_files_are_told_of_once_with_the_way_to_move_them(open_window: Opener, tmp_path: Path) -> None:
    root = make_root(tmp_path, 1)
    put(root, "Old00001.json", chat("Old00001", "From long ago"), flat=True)
    desk = open_window(root)
    desk.do("refresh")
    (offered,) = desk.messages.offers
    assert sum("old version" in text for text in desk.messages.notices) == 1
    offered[1]()
    desk.settle()
    assert desk.prompts.questions == ["confirm_convert"]
    assert (root / "Old00001" / "chat.json").exists()


def test_a_root_without_flat_files_is_not_told_of(open_window: Opener, tmp_path: Path) -> None:
    assert not open_window(make_root(tmp_path, 1)).messages.offers


def test_a_folder_that_is_open_already_is_told_so(open_window: Opener, tmp_path: Path) -> None:
    root = make_root(tmp_path, 1)
    desk = open_window(root)
    desk.prompts.root = root
    desk.do("open")
    assert any("open already" in text for text in desk.messages.notices)


def test_a_folder_without_chats_is_named_once(open_window: Opener, tmp_path: Path) -> None:
    desk = open_window(make_root(tmp_path / "a", 1))
    desk.prompts.root = tmp_path / "empty"
    desk.prompts.root.mkdir()
    desk.do("open")
    (error,) = desk.messages.errors
    assert str(error).count(str(tmp_path / "empty")) == 1
