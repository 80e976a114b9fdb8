"""Lines of the handed cases about what a person sees or does, held in the whole window; one test a case."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from chat_archive.ui import row_words
from chat_archive.ui.models.chat_order import Column
from chat_archive.ui.prompts import ExportChoice
from tests.builders import age, snapshot
from tests.cases.panel_of import notices_of, texts_of
from tests.cases.window_of import (
    _nothing_left_running,  # noqa: F401 - fixture
    case_root,
    open_window,  # noqa: F401 - fixture
    theme,  # noqa: F401 - fixture
)
from tests.journeys.conftest import Desk, Opener

pytestmark = pytest.mark.shared

Place = Callable[..., Path]


@pytest.fixture
def place(shared: Path, tmp_path: Path) -> Place:
    return lambda case, below="usr/chats": case_root(shared, tmp_path, case, below)


def cells(desk: Desk, column: Column) -> list[str]:
    model = desk.window.model
    return [str(model.index(number, column).data()) for number in range(model.rowCount())]


def look_at(desk: Desk, folder: str) -> None:
    desk.choose(folder)
    desk.settle()
    assert desk.window.detail.header.isVisible()


def nothing_was_said(desk: Desk) -> bool:
    return not (desk.prompts.asked or desk.messages.errors or desk.messages.results)


def test_volume_layouts(open_window: Opener, place: Place) -> None:  # noqa: F811
    desk = open_window()
    desk.window.commands.open_place(place("volume-layouts", "two"))
    desk.settle()
    assert desk.prompts.questions == ["choose_among"]
    assert sorted(desk.titles) == ["First of two", "Second of two"]
    assert dict(zip(desk.titles, cells(desk, Column.ROOT), strict=True)) == {
        "First of two": "one/usr/chats",
        "Second of two": "two/usr/chats",
    }


def test_both_roots_at_once(open_window: Opener, place: Place) -> None:  # noqa: F811
    tree = place("both-roots-at-once", ".")
    before = snapshot(tree)
    desk = open_window()
    desk.window.commands.open_place(tree)
    desk.settle()
    places = dict(zip(desk.titles, cells(desk, Column.ROOT), strict=True))
    assert places["Still in tmp"].endswith("tmp/chats")
    assert places["Already in usr"].endswith("usr/chats")
    look_at(desk, "Both0001")
    assert snapshot(tree) == before


def test_damaged_files_among_good(open_window: Opener, place: Place) -> None:  # noqa: F811
    desk = open_window(place("damaged-files-among-good"))
    assert len(desk.folders) == 6
    reasons = {str(row.folder): row_words.reason(row) for row in desk.window.model.shown_rows if row.damaged}
    for folder, words in {
        "Bad00001": "empty",
        "Bad00002": "only zero bytes",
        "Bad00003": "is a folder",
        "Bad00004": "ends too early, at byte 1484",
        "Bad00005": "not JSON",
    }.items():
        assert words in reasons.pop(folder)
        look_at(desk, folder)
        assert desk.window.actions_by_id["show_in_files"].isEnabled()
    assert reasons == {}
    look_at(desk, "Good0001")
    assert len(texts_of(desk.window.detail)) == 4
    assert nothing_was_said(desk)


def test_folder_named_undefined(open_window: Opener, place: Place) -> None:  # noqa: F811
    desk = open_window(place("folder-named-undefined"))
    assert desk.folders == {"null", "[object Object]"}
    look_at(desk, "[object Object]")
    assert "The id in the file differs from the folder's name" in desk.window.detail.header.problems.text()
    look_at(desk, "null")
    assert "folder's name is taken" in desk.window.detail.header.problems.text()
    assert nothing_was_said(desk)


def test_null_where_a_list_was(open_window: Opener, place: Place) -> None:  # noqa: F811
    desk = open_window(place("null-where-a-list-was"))
    lacks = {
        "Null0000": "The list of agents is null",
        "Null0001": "has no log",
        "Null0002": "no list of items",
        "Null0003": "The history in the file is null",
        "Null0004": "data is a list",
    }
    for folder, words in lacks.items():
        look_at(desk, folder)
        assert words in desk.window.detail.header.problems.text(), folder
        assert len(texts_of(desk.window.detail)) == 2
    assert {str(row.folder) for row in desk.window.model.shown_rows if row.problems} == lacks.keys()
    assert nothing_was_said(desk)


def test_null_number_refused(open_window: Opener, place: Place) -> None:  # noqa: F811
    desk = open_window(place("null-number-refused"), zone="UTC")
    look_at(desk, "Numb0001")
    assert len(texts_of(desk.window.detail)) == 2
    entries = desk.window.detail.transcript.model.transcript.entries
    assert [entry.time and f"{entry.time:%Y-%m-%d}" for entry in entries] == [None, "2026-03-02"]
    assert nothing_was_said(desk)


def test_history_is_a_list(open_window: Opener, place: Place, tmp_path: Path) -> None:  # noqa: F811
    root = place("history-is-a-list", "tmp/chats")
    desk = open_window(root)
    assert all(text.startswith("~") for text in cells(desk, Column.ACTIVITY))
    assert all("the time of the file" in row_words.activity_tip(row) for row in desk.window.model.shown_rows)
    look_at(desk, "Old2.json")
    assert len(texts_of(desk.window.detail)) == 4
    assert notices_of(desk.window.detail) == ["The log is empty. 4 messages below are taken from the history."]
    look_at(desk, "Old1.json")
    assert len(texts_of(desk.window.detail)) == 4
    assert notices_of(desk.window.detail) == []
    desk.choose("Old1.json", "Old2.json")
    desk.prompts.export = ExportChoice(tmp_path / "out", strict=False)
    desk.do("export")
    made = {path.read_bytes() for path in (tmp_path / "out").iterdir()}
    assert made == {path.read_bytes() for path in root.iterdir()}


def test_half_emoji(open_window: Opener, place: Place, tmp_path: Path) -> None:  # noqa: F811
    root = place("half-emoji")
    desk = open_window(root)
    look_at(desk, "Half0001")
    assert texts_of(desk.window.detail) == ["Say \ufffd cocktail", "\ufffd and \U0001f378"]
    desk.prompts.export = ExportChoice(tmp_path / "out", strict=False)
    desk.do("export")
    (made,) = (tmp_path / "out").iterdir()
    assert made.read_bytes() == (root / "Half0001/chat.json").read_bytes()
    desk.prompts.export = ExportChoice(tmp_path / "strict", strict=True)
    desk.do("export")
    (made,) = (tmp_path / "strict").iterdir()
    assert rb"\ud83c cocktail" not in made.read_bytes()
    made.read_bytes().decode("utf-8")


def test_half_emoji_in_a_title(open_window: Opener, place: Place, tmp_path: Path) -> None:  # noqa: F811
    desk = open_window(place("half-emoji-in-a-title"))
    desk.window.filter.setText("lantern")
    desk.settle()
    assert desk.titles == ["lantern \ufffd night"]
    look_at(desk, "Surr0001")
    assert len(texts_of(desk.window.detail)) == 2
    desk.prompts.export = ExportChoice(tmp_path / "out", strict=False)
    desk.do("export")
    assert len(list((tmp_path / "out").iterdir())) == 1
    assert not desk.messages.errors


def test_last_message_never_moves(open_window: Opener, place: Place) -> None:  # noqa: F811
    root = place("last-message-never-moves")
    order = ["Sort0002", "Sort0001", "Sort0003"]
    desk = open_window(root, zone="UTC")
    assert [row.folder for row in desk.window.model.shown_rows] == order
    assert all("2 Mar 2026" in text for text in cells(desk, Column.CREATED))
    assert len(set(cells(desk, Column.ACTIVITY))) == 3
    age(root / "Sort0003" / "chat.json", os.stat(root / "Sort0001" / "chat.json").st_mtime + 600)
    desk.do("refresh")
    assert [row.folder for row in desk.window.model.shown_rows] == order


def test_names_in_a_side_file(open_window: Opener, place: Place) -> None:  # noqa: F811
    root = place("names-in-a-side-file", "tmp/chats")
    desk = open_window(root)
    assert sorted(desk.titles) == ["Bread notes", "Kite notes"]
    assert nothing_was_said(desk)
    (root.parent / "chat_names.json").write_text("not json", "utf-8")
    again = open_window(root)
    assert len(again.folders) == 2
    assert not {"Bread notes", "Kite notes"} & set(again.titles)
    assert sum("chat_names.json" in text for text in again.messages.notices) == 1
    again.do("refresh")
    assert sum("chat_names.json" in text for text in again.messages.notices) == 1


def test_titles_all_the_same(open_window: Opener, place: Place) -> None:  # noqa: F811
    desk = open_window(place("titles-all-the-same"))
    words, dates = cells(desk, Column.FIRST_WORDS), cells(desk, Column.CREATED)
    assert all(words)
    assert len(set(zip(words, dates, strict=True))) == 4


def test_wrong_name_shown(open_window: Opener, place: Place) -> None:  # noqa: F811
    desk = open_window(place("wrong-name-shown"))
    shown = dict(zip((str(row.folder) for row in desk.window.model.shown_rows), cells(desk, Column.TITLE), strict=True))
    assert shown == {
        "curried-kite": "Weather diary",
        "Wron0002": "“How long should the tail of a small kite be?”",
    }


def test_chats_without_id(open_window: Opener, place: Place) -> None:  # noqa: F811
    root = place("chats-without-id")
    desk = open_window(root)
    assert len(desk.folders) == 3
    desk.choose("Noid0001")
    desk.do("move_to_trash")
    assert desk.folders == {"Noid0000", "Noid0002"}
    assert {path.name for path in root.iterdir() if not path.name.startswith(".")} == {"Noid0000", "Noid0002"}
