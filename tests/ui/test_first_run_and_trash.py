from __future__ import annotations

from datetime import UTC
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from chat_archive.core.entities import FoundRoot
from chat_archive.ui import translation
from chat_archive.ui.models.trash_model import TrashColumn, TrashModel
from chat_archive.ui.theme import Theme
from chat_archive.ui.views.first_run import FirstRunPage
from chat_archive.ui.views.trash_view import TrashView
from tests.ui.dialogs.samples import CHINESE, THEN, entries, found


def _words(widget: FirstRunPage | TrashView) -> str:
    return "\n".join(label.text() for label in widget.findChildren(QLabel)).replace("\u200b", "")


def _page(theme: Theme, qtbot: QtBot) -> FirstRunPage:
    translation.install(QApplication.instance())  # type: ignore[arg-type]
    page = FirstRunPage(theme)
    qtbot.addWidget(page)
    page.resize(900, 700)
    page.show()
    return page


# the first page


def test_it_says_where_chats_usually_are(theme: Theme, qtbot: QtBot) -> None:
    text = _words(_page(theme, qtbot))
    for place in (
        "/var/lib/docker/volumes/a0_usr/_data/chats",
        "usr/chats",
        "tmp/chats",
        "docker cp CONTAINER:/a0/usr/chats FOLDER",
    ):
        assert place in text
    assert "Looking at the usual places…" in text


def test_found_places_open_with_one_click(theme: Theme, qtbot: QtBot) -> None:
    page = _page(theme, qtbot)
    page.set_places(found())
    text = _words(page)
    assert "98 chats" in text and "1 chat\n" in text and "cannot be read" in text
    buttons = [button for button in page.findChildren(QPushButton) if button.text() == "Open"]
    assert [button.isEnabled() for button in buttons] == [True, True, False]
    assert all("/" in button.accessibleName() for button in buttons)
    with qtbot.waitSignal(page.place_chosen) as caught:
        qtbot.mouseClick(buttons[0], Qt.MouseButton.LeftButton)
    assert caught.args == [Path("/data/usr/chats")]


def test_nothing_found_is_said(theme: Theme, qtbot: QtBot) -> None:
    page = _page(theme, qtbot)
    page.set_places([])
    assert "No folder with chats was found" in _words(page)


def test_many_places_are_counted(theme: Theme, qtbot: QtBot) -> None:
    page = _page(theme, qtbot)
    page.set_places([FoundRoot(Path(f"/data/{n}/usr/chats"), f"{n}", n) for n in range(20)])
    assert "and 12 more" in _words(page)


def test_the_two_other_ways_on(theme: Theme, qtbot: QtBot) -> None:
    page = _page(theme, qtbot)
    with qtbot.waitSignal(page.open_requested):
        qtbot.mouseClick(page.open_button, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(page.sample_requested):
        qtbot.mouseClick(page.sample_button, Qt.MouseButton.LeftButton)


def test_why_the_page_is_here_can_be_said(theme: Theme, qtbot: QtBot) -> None:
    page = _page(theme, qtbot)
    page.show_sentence("The folder is gone.")
    assert "The folder is gone." in _words(page)
    page.show_sentence("")
    assert "The folder is gone." not in _words(page)


# the trash


def test_the_trash_model_keeps_the_rules_of_models(qtmodeltester: ModelTester) -> None:
    model = TrashModel()
    qtmodeltester.check(model)
    model.set_entries(entries())
    qtmodeltester.check(model)
    model.sort(TrashColumn.SIZE)
    model.set_zone(UTC)
    qtmodeltester.check(model)


def test_every_column_sorts(qapp: QApplication) -> None:
    model = TrashModel()
    model.set_entries(entries())
    orders = {}
    for column in TrashColumn:
        model.sort(column, Qt.SortOrder.AscendingOrder)
        orders[column] = [entry.id for entry in model.entries]
    assert orders[TrashColumn.TITLE] == ["slot2", "slot0", "slot1"]
    assert orders[TrashColumn.PLACE] == ["slot0", "slot1", "slot2"]
    assert orders[TrashColumn.TRASHED] == ["slot2", "slot1", "slot0"]
    assert orders[TrashColumn.PURGED] == ["slot2", "slot0", "slot1"]
    assert orders[TrashColumn.SIZE] == ["slot2", "slot1", "slot0"]


def _trash(theme: Theme, qtbot: QtBot) -> TrashView:
    translation.install(QApplication.instance())  # type: ignore[arg-type]
    view = TrashView(theme)
    qtbot.addWidget(view)
    view.set_zone(UTC)
    view.resize(900, 400)
    view.set_entries(entries())
    view.show()
    return view


def test_a_line_tells_title_place_when_and_until_when(theme: Theme, qtbot: QtBot) -> None:
    model = _trash(theme, qtbot).model
    row = next(row for row in range(3) if model.entry(row).title == CHINESE)
    texts = [model.data(model.index(row, column)) for column in TrashColumn]
    assert texts[0] == CHINESE
    assert texts[1] == "Chat0001"
    assert texts[3] == "until emptied"
    other = next(row for row in range(3) if model.entry(row).purge_at is not None)
    assert "2026" in str(model.data(model.index(other, TrashColumn.PURGED)))
    assert THEN.year == 2026


def test_an_empty_trash_says_what_it_is(theme: Theme, qtbot: QtBot) -> None:
    view = _trash(theme, qtbot)
    view.set_entries([])
    assert not view.table.isVisible()
    assert "The trash is empty" in _words(view)
    assert not view.empty_button.isEnabled() and not view.restore_button.isEnabled()


def test_buttons_count_and_carry_what_is_selected(theme: Theme, qtbot: QtBot) -> None:
    view = _trash(theme, qtbot)
    assert view.sum.text() == "3 chats, 8 kB"
    assert not view.restore_button.isEnabled()
    view.table.selectAll()
    assert view.restore_button.text() == "&Restore 3 chats"
    assert view.sum.text() == "3 chats, 8 kB, 3 selected"
    with qtbot.waitSignal(view.restore_requested) as caught:
        qtbot.mouseClick(view.restore_button, Qt.MouseButton.LeftButton)
    assert caught.args == [view.selected()] and len(view.selected()) == 3
    with qtbot.waitSignal(view.empty_requested) as caught:
        qtbot.mouseClick(view.erase_button, Qt.MouseButton.LeftButton)
    assert caught.args == [view.selected()]
    with qtbot.waitSignal(view.empty_requested) as caught:
        qtbot.mouseClick(view.empty_button, Qt.MouseButton.LeftButton)
    assert caught.args == [None]


def test_selection_survives_new_entries_and_sorting(theme: Theme, qtbot: QtBot) -> None:
    view = _trash(theme, qtbot)
    row = next(row for row in range(3) if view.model.entry(row).id == "slot1")
    view.table.selectRow(row)
    view.set_entries(entries()[1:])
    assert [entry.id for entry in view.selected()] == ["slot1"]
    view.model.sort(TrashColumn.SIZE, Qt.SortOrder.AscendingOrder)
    assert [entry.id for entry in view.selected()] == ["slot1"]


def test_a_root_to_look_only_restores_and_erases_nothing(theme: Theme, qtbot: QtBot) -> None:
    view = _trash(theme, qtbot)
    view.table.selectAll()
    view.set_writable(False)
    for button in (view.restore_button, view.erase_button, view.empty_button):
        assert not button.isEnabled()


def test_enter_on_the_list_restores(theme: Theme, qtbot: QtBot) -> None:
    view = _trash(theme, qtbot)
    view.table.selectRow(0)
    view.table.setFocus()
    with qtbot.waitSignal(view.restore_requested):
        qtbot.keyClick(view.table, Qt.Key.Key_Return)


def test_ten_thousand_entries_sort_quickly(theme: Theme, qtbot: QtBot) -> None:
    import time
    from dataclasses import replace

    from chat_archive.core.entities import TrashId

    view = _trash(theme, qtbot)
    one = entries()[0]
    view.set_entries([replace(one, id=TrashId(str(n)), size=n, title=f"Chat {n}") for n in range(10_000)])
    started = time.perf_counter()
    view.model.sort(TrashColumn.SIZE, Qt.SortOrder.AscendingOrder)
    assert time.perf_counter() - started < 0.5
    assert view.model.entry(0).size == 0


def test_no_button_of_the_trash_is_cut_in_a_narrow_pane(theme: Theme, qtbot: QtBot) -> None:
    view = _trash(theme, qtbot)
    view.resize(300, 500)
    view.show()
    view.table.selectAll()
    QApplication.processEvents()
    view.grab()
    for button in (view.restore_button, view.erase_button, view.empty_button):
        assert button.width() >= button.sizeHint().width()
        assert view.rect().contains(button.geometry())
    assert view.sum.width() >= view.sum.sizeHint().width()
