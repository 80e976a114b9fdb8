"""Open, read, rename, export, import, trash, undo, restore: through the window to the disk and back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtTest import QTest

from chat_archive.core.entities import ChatState
from chat_archive.ui.models.chat_order import TRASH, Column, Scope, ScopeKind
from chat_archive.ui.prompts import ExportChoice
from chat_archive.ui.views.list_pane import Emptiness
from tests.builders import chat, make_root, put, snapshot
from tests.journeys.conftest import Opener


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Three chats; Chat0001 has a message file."""
    made = make_root(tmp_path, 3)
    messages = made / "Chat0001" / "messages"
    messages.mkdir()
    (messages / "1.txt").write_bytes(b"output of a tool\n")
    return made


def test_opening_lists_every_chat_and_writes_nothing(open_window: Opener, root: Path) -> None:
    before = snapshot(root)
    desk = open_window(root)
    assert desk.titles == ["Chat number 0", "Chat number 1", "Chat number 2"]
    assert desk.window.status.summary.startswith("3 chats")
    assert "usr/chats" in desk.window.windowTitle()
    desk.choose("Chat0001")
    desk.settle()
    assert desk.window.detail.row is not None
    assert desk.window.detail.row.folder == "Chat0001"
    desk.do("refresh")
    assert snapshot(root) == before


def test_renaming_changes_the_name_alone_and_is_undone_to_the_byte(open_window: Opener, root: Path) -> None:
    desk = open_window(root)
    path = root / "Chat0001" / "chat.json"
    before = path.read_bytes()
    desk.choose("Chat0001")
    desk.prompts.name = "Harbour report"
    desk.do("rename")
    after = path.read_bytes()
    assert json.loads(after)["name"] == "Harbour report"
    assert after.replace(b"Harbour report", b"Chat number 1") == before
    assert "Harbour report" in desk.titles
    assert [row.folder for row in desk.window.pane.list.selected_rows()] == ["Chat0001"]
    desk.do("undo")
    assert path.read_bytes() == before
    assert "Chat number 1" in desk.titles


def test_exporting_copies_the_bytes(open_window: Opener, root: Path, tmp_path: Path) -> None:
    desk = open_window(root)
    target = tmp_path / "out"
    target.mkdir()
    desk.choose("Chat0000", "Chat0002")
    desk.prompts.export = ExportChoice(target)
    desk.do("export")
    assert not desk.messages.errors
    written = sorted(path.read_bytes() for path in target.iterdir())
    assert written == sorted((root / name / "chat.json").read_bytes() for name in ("Chat0000", "Chat0002"))
    assert len(desk.messages.results[-1].done) == 2


def test_a_dropped_file_is_shown_first_and_then_imported(open_window: Opener, root: Path, tmp_path: Path) -> None:
    desk = open_window(root)
    source = tmp_path / "elsewhere.json"
    source.write_text(json.dumps(chat("Drop0001", "Dropped report")), encoding="utf-8")
    assert desk.drop(source)
    assert desk.prompts.questions == ["review_import"]
    assert not desk.messages.errors
    assert desk.messages.results[-1].done, desk.messages.results
    assert "Dropped report" in desk.titles
    assert (root / "Drop0001" / "chat.json").is_file()
    assert [row.title for row in desk.window.pane.list.selected_rows()] == ["Dropped report"]
    desk.do("undo")
    assert "Dropped report" not in desk.titles


def test_a_dropped_chat_folder_comes_with_its_messages(open_window: Opener, root: Path, tmp_path: Path) -> None:
    other = make_root(tmp_path / "other", 0)
    put(other, "Fold0001", chat("Fold0001", "Folder chat"))
    (other / "Fold0001" / "messages").mkdir()
    (other / "Fold0001" / "messages" / "1.txt").write_text("kept", encoding="utf-8")
    desk = open_window(root)
    assert desk.drop(other / "Fold0001")
    assert (root / "Fold0001" / "messages" / "1.txt").read_text(encoding="utf-8") == "kept"


def test_looking_at_an_import_and_backing_out_writes_nothing(open_window: Opener, root: Path, tmp_path: Path) -> None:
    desk = open_window(root)
    source = tmp_path / "elsewhere.json"
    source.write_text(json.dumps(chat("Drop0001")), encoding="utf-8")
    before = snapshot(root)
    desk.prompts.import_nothing = True
    desk.drop(source)
    assert desk.prompts.questions == ["review_import"]
    assert snapshot(root) == before


def test_a_link_or_text_is_refused_with_a_sentence(open_window: Opener, root: Path) -> None:
    desk = open_window(root)
    mime = QMimeData()
    mime.setUrls([QUrl("https://example.org/chat.json")])
    desk.drop_mime(mime)
    desk.drop(text="some words")
    assert len(desk.messages.notices) == 2
    assert not desk.prompts.asked


def test_without_an_open_folder_a_dropped_root_is_opened(open_window: Opener, root: Path) -> None:
    desk = open_window()
    assert desk.window.pages.currentWidget() is desk.window.first_run
    assert desk.drop(root)
    assert len(desk.titles) == 3
    assert desk.window.pages.currentWidget() is desk.window.splitter


def test_trash_undo_and_restore_bring_every_byte_back(open_window: Opener, root: Path) -> None:
    desk = open_window(root)
    before = {name: value for name, value in snapshot(root).items() if name.startswith("Chat")}
    desk.choose("Chat0001")
    desk.do("move_to_trash")
    assert desk.prompts.questions == ["choose_deletion"]
    assert desk.folders == {"Chat0000", "Chat0002"}
    assert not (root / "Chat0001").exists()
    desk.do("undo")
    assert desk.folders == {"Chat0000", "Chat0001", "Chat0002"}
    assert {name: value for name, value in snapshot(root).items() if name.startswith("Chat")} == before

    desk.choose("Chat0000", "Chat0001")
    desk.do("move_to_trash")
    desk.window.sidebar.choose(TRASH)
    desk.settle()
    entries = desk.window.trash_entries()
    assert len(entries) == 2
    desk.window.pane.trash.restore_requested.emit(entries)
    desk.settle()
    desk.do("go_all")
    assert desk.folders == {"Chat0000", "Chat0001", "Chat0002"}
    assert {name: value for name, value in snapshot(root).items() if name.startswith("Chat")} == before


def test_emptying_the_trash_asks_and_takes_only_what_was_listed(open_window: Opener, root: Path) -> None:
    desk = open_window(root)
    desk.choose("Chat0002")
    desk.do("move_to_trash")
    desk.window.sidebar.choose(TRASH)
    desk.settle()
    desk.prompts.yes = False
    desk.window.pane.trash.empty_requested.emit(None)
    desk.settle()
    assert len(desk.window.trash_entries()) == 1
    desk.prompts.yes = True
    desk.window.pane.trash.empty_requested.emit(None)
    desk.settle()
    assert desk.window.trash_entries() == []
    assert desk.prompts.questions[-2:] == ["confirm_empty", "confirm_empty"]


def test_message_files_alone_can_go_and_come_back(open_window: Opener, root: Path) -> None:
    desk = open_window(root)
    desk.choose("Chat0001")
    desk.do("remove_messages")
    assert not (root / "Chat0001" / "messages").exists()
    assert (root / "Chat0001" / "chat.json").is_file()
    desk.do("undo")
    assert (root / "Chat0001" / "messages" / "1.txt").read_bytes() == b"output of a tool\n"


def test_what_the_host_does_meanwhile_shows_after_a_refresh(open_window: Opener, root: Path) -> None:
    desk = open_window(root)
    desk.choose("Chat0001")
    put(root, "Chat0009", chat("Chat0009", "New one"))
    put(root, "Chat0000", chat("Chat0000", "Renamed there"), when=1_700_000_000)
    import shutil

    shutil.rmtree(root / "Chat0002")
    desk.do("refresh")
    assert desk.folders == {"Chat0000", "Chat0001", "Chat0009"}
    assert "Renamed there" in desk.titles
    assert [row.folder for row in desk.window.pane.list.selected_rows()] == ["Chat0001"]


def test_a_damaged_chat_is_a_row_with_its_reason_and_no_dialog(open_window: Opener, root: Path) -> None:
    put(root, "Bad00001", b'{"id": "Bad00001", "name": "Cut", "agents": [{"number": 0, "da')
    desk = open_window(root)
    damaged = [row for row in desk.window.model.shown_rows if row.state is ChatState.DAMAGED]
    assert [row.folder for row in damaged] == ["Bad00001"]
    assert damaged[0].problems
    desk.window.sidebar.choose(Scope(ScopeKind.DAMAGED))
    desk.settle()
    assert desk.folders == {"Bad00001"}
    desk.choose("Bad00001")
    desk.settle()
    assert not desk.messages.errors
    assert not desk.window.actions_by_id["rename"].isEnabled()
    desk.do("move_to_trash")
    assert not (root / "Bad00001").exists()


def test_two_roots_side_by_side_each_row_knows_its_own(open_window: Opener, root: Path, tmp_path: Path) -> None:
    other = make_root(tmp_path / "backup", 2, below="tmp/chats")
    desk = open_window(root, other)
    assert len(desk.titles) == 5
    places = {desk.window.model.index(n, Column.ROOT).data() for n in range(5)}
    assert len(places) == 2
    desk.window.sidebar.choose(Scope(ScopeKind.ROOT, str(other)))
    desk.settle()
    assert len(desk.titles) == 2
    desk.window.pane.list.selectAll()
    desk.do("move_to_trash")
    assert list(other.glob("Chat*")) == []
    assert len(list(root.glob("Chat*"))) == 3
    desk.do("close_root")
    assert len(desk.titles) == 3
    assert len(desk.window.roots.sessions) == 1


def test_trashing_over_two_roots_is_one_account(open_window: Opener, root: Path, tmp_path: Path) -> None:
    other = make_root(tmp_path / "backup", 2, below="tmp/chats")
    desk = open_window(root, other)
    desk.window.pane.list.selectAll()
    desk.do("move_to_trash")
    assert desk.titles == []
    assert len(desk.messages.results) == 1
    assert len(desk.messages.results[0].done) == 5
    assert desk.window.pane.emptiness is Emptiness.NO_CHATS


def test_a_root_that_cannot_be_written_says_why_and_offers_no_change(open_window: Opener, root: Path) -> None:
    desk = open_window()
    desk.window.roots.open(root, write=False)
    desk.settle()
    desk.choose("Chat0001")
    desk.settle()
    assert desk.window.status.state_text.startswith("Read-only")
    for action in ("move_to_trash", "rename", "import_files", "remove_messages"):
        assert not desk.window.actions_by_id[action].isEnabled(), action  # type: ignore[index]
    for action in ("export", "copy_id", "refresh"):
        assert desk.window.actions_by_id[action].isEnabled(), action  # type: ignore[index]


def test_the_filter_counts_and_says_when_nothing_is_found(open_window: Opener, root: Path) -> None:
    desk = open_window(root)
    desk.do("filter")
    QTest.keyClicks(desk.window.filter, "number 1")
    desk.settle()
    assert desk.titles == ["Chat number 1"]
    assert desk.window.filter.accessibleDescription() == "1 of 3 chats"
    QTest.keyClicks(desk.window.filter, " zebra")
    desk.settle()
    assert desk.window.pane.emptiness is Emptiness.NOT_FOUND
    QTest.keyClick(desk.window.filter, Qt.Key.Key_Escape)
    desk.settle()
    assert len(desk.titles) == 3


def test_the_window_comes_back_as_it_was_left(open_window: Opener, root: Path) -> None:
    desk = open_window(root)
    desk.window.pane.order_by(Column.TITLE)
    desk.do("table_view")
    desk.window.pane.list.set_column_visible(Column.ID, True)
    desk.window.pane.list.setColumnWidth(Column.TITLE, 333)
    desk.window.close()
    again = open_window(root)
    assert again.window.pane.list.is_table
    assert again.window.model.sort_column is Column.TITLE
    assert Column.ID in again.window.pane.list.visible_columns()
    assert again.window.pane.list.columnWidth(Column.TITLE) == 333
    assert again.window.state.open_roots() == [str(root)]


def test_new_settings_are_used_at_once(open_window: Opener, root: Path) -> None:
    from dataclasses import replace

    put(root, "Naive001", chat("Naive001", "Naive", created_at="2026-03-02T09:00:00"))
    desk = open_window(root, zone="UTC")
    choices = desk.window.choices
    created = desk.window.model.index(0, Column.CREATED).data()
    choices.use(replace(choices.settings, zone="Asia/Tokyo", theme="dark", text_scale=1.5))
    desk.settle()
    assert desk.window.theme.dark
    assert desk.window.theme.text_scale == 1.5
    assert desk.window.model.index(0, Column.CREATED).data() != created
    row = next(row for row in desk.window.model.shown_rows if row.folder == "Naive001")
    assert row.created is not None
    assert row.created.hour == 0  # nine in Tokyo
