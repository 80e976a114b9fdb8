"""The transcript on the screen: little is laid out, nothing jumps, everything can be reached and copied."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtTest import QTest

from chat_archive.core.formats import read_context
from chat_archive.core.transcript import Kind, build
from chat_archive.core.transcript_text import PAGE
from chat_archive.ui.models.transcript_model import Part, TranscriptModel
from chat_archive.ui.theme import Theme
from chat_archive.ui.views.transcript_pictures import PictureStore
from chat_archive.ui.views.transcript_selection import Point, TextSelection
from chat_archive.ui.views.transcript_view import TranscriptView
from tests.builders import chat, item, text_of


def logs(turns: int, words: str = "word " * 60) -> list[dict[str, Any]]:
    found = []
    for turn in range(turns):
        found += [
            item(4 * turn, "user", f"question {turn}"),
            item(4 * turn + 1, "agent", "{}", heading=f"A0: step {turn}", kvps={"thoughts": ["a"]}),
            item(4 * turn + 2, "code_exe", f"output {turn}", kvps={"code": "df -h", "session": 0}),
            item(4 * turn + 3, "response", f"answer {turn}\n\n{words}"),
        ]
    return found


@pytest.fixture
def view(theme: Theme, inline_runner: Any, qtbot: Any) -> TranscriptView:
    model = TranscriptModel()
    made = TranscriptView(model, theme, PictureStore(inline_runner, model))
    model.setParent(made)
    qtbot.addWidget(made)
    made.resize(700, 600)
    made.show()
    return made


def fill(view: TranscriptView, made: dict[str, Any]) -> TranscriptModel:
    model = view.model()
    assert isinstance(model, TranscriptModel)
    view.set_transcript(build(read_context(text_of(made), folder="Chat0001")), None, None)
    view.grab()
    return model


def row_with(model: TranscriptModel, part: Part, words: str) -> int:
    return next(number for number, row in enumerate(model.rows) if row.part is part and words in model.accessible(row))


def test_only_what_is_in_the_window_is_laid_out(view: TranscriptView) -> None:
    model = fill(view, chat(logs=logs(1_000)))
    assert model.rowCount() == 4_000
    assert view.page.made < 30
    bar = view.verticalScrollBar()
    for step in range(10):
        bar.setValue(bar.maximum() * step // 9)
        view.grab()
    assert view.page.made < 250


def test_nothing_jumps_when_estimates_become_heights(view: TranscriptView) -> None:
    model = fill(view, chat(logs=logs(200, "short lines\n\n" * 30)))
    bar = view.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    view.grab()
    for _ in range(60):
        before = {
            number: view.visualRect(model.index(number)).top()
            for number in range(model.rowCount())
            if view.page.is_known(number) and 0 <= view.visualRect(model.index(number)).top() < 600
        }
        value = bar.value()
        bar.setValue(value - 37)
        view.grab()
        for number, top in before.items():
            assert abs(view.visualRect(model.index(number)).top() - top - 37) <= 2


def test_opening_a_step_moves_nothing_above_it(view: TranscriptView) -> None:
    model = fill(view, chat(logs=logs(50)))
    bar = view.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    view.grab()
    number = next(
        number
        for number in range(model.rowCount())
        if model.row(number).part is Part.LINE and 100 < view.visualRect(model.index(number)).top() < 400
    )
    above = view.visualRect(model.index(number - 1)).top()
    place = view.visualRect(model.index(number)).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(120, place.y()))
    view.grab()
    assert model.row(number).expanded
    assert model.row(number + 1).part is Part.BODY
    assert view.visualRect(model.index(number - 1)).top() == above
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(120, place.y()))
    assert not model.row(number).expanded


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Space])
def test_a_step_opens_by_keyboard(view: TranscriptView, key: Qt.Key) -> None:
    model = fill(view, chat(logs=logs(3)))
    view.setFocus()
    view.setCurrentIndex(model.index(0))
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert view.currentIndex().row() == 1
    QTest.keyClick(view, key)
    assert model.row(1).expanded


def test_all_rows_can_be_reached_by_keyboard(view: TranscriptView) -> None:
    model = fill(view, chat(logs=logs(30)))
    view.setFocus()
    for _ in range(3_000):
        QTest.keyClick(view, Qt.Key.Key_Down)
        view.grab() if view.page.made % 7 == 0 else None
        if view.currentIndex().row() == model.rowCount() - 1:
            break
    assert view.currentIndex().row() == model.rowCount() - 1
    QTest.keyClick(view, Qt.Key.Key_Home)
    assert view.verticalScrollBar().value() == 0
    QTest.keyClick(view, Qt.Key.Key_End)
    assert view.verticalScrollBar().value() == view.verticalScrollBar().maximum()


def test_a_whole_message_is_copied_from_its_source(view: TranscriptView) -> None:
    model = fill(view, chat(logs=[item(0, "user", "A" * 9_000), item(1, "response", "**bold** answer")]))
    view.setCurrentIndex(model.index(0))
    view.copy()
    assert QGuiApplication.clipboard().text() == "You:\n" + "A" * 9_000
    view.setCurrentIndex(model.index(1))
    view.copy_markdown()
    assert QGuiApplication.clipboard().text() == "**agent0**\n\n**bold** answer"


def test_a_stretch_across_messages_is_copied(view: TranscriptView) -> None:
    made = [
        item(0, "user", "first words"),
        item(1, "agent", "{}", heading="A0: step"),
        item(2, "response", "last words"),
    ]
    fill(view, chat(logs=made))
    view._selection = TextSelection(Point(0, 6), Point(2, 4))
    view.copy()
    assert QGuiApplication.clipboard().text() == "words\nThought step\nlast"


def test_a_mouse_drag_selects_text(view: TranscriptView) -> None:
    model = fill(view, chat(logs=[item(0, "user", "some words to take along")]))
    rect = view.visualRect(model.index(0))
    y = rect.top() + round(view.page.text_top(model.row(0))) + 8
    QTest.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(rect.left() + 15, y))
    QTest.mouseMove(view.viewport(), QPoint(rect.left() + 90, y))
    QTest.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(rect.left() + 90, y))
    assert "some words to take along".startswith(view.selected_text())
    assert len(view.selected_text()) > 5
    QTest.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(rect.left() + 20, y))
    assert view.selected_text() == "some"


def test_select_all_takes_the_message_under_the_focus(view: TranscriptView) -> None:
    model = fill(view, chat(logs=[item(0, "user", "one"), item(1, "response", "two")]))
    view.setFocus()
    view.setCurrentIndex(model.index(1))
    QTest.keyClick(view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert view.selected_text() == "two"


def test_a_fence_longer_than_any_inside_keeps_markup_out(view: TranscriptView) -> None:
    model = fill(view, chat(logs=[item(0, "user", "```` <b> ````\n# no heading")]))
    view.setCurrentIndex(model.index(0))
    view.copy_markdown()
    text = QGuiApplication.clipboard().text()
    assert "`````\n```` <b> ````\n# no heading\n`````" in text


def test_a_long_message_comes_in_pages(view: TranscriptView) -> None:
    model = fill(view, chat(logs=[item(0, "user", "word " * 60_000)]))
    assert [row.part for row in model.rows] == [Part.TEXT, Part.MORE]
    assert model.row(0).chars == PAGE
    view.setCurrentIndex(model.index(1))
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert [row.part for row in model.rows] == [Part.TEXT, Part.TEXT, Part.MORE]


def test_a_click_on_a_link_hands_out_its_address_and_opens_nothing(view: TranscriptView, qtbot: Any) -> None:
    fill(view, chat(logs=[item(0, "response", "[" + "x" * 30 + "](https://e.example/a?b=1)")]))
    rect = view.visualRect(view.model().index(0, 0))
    place = QPoint(rect.left() + 30, rect.bottom() - 12)
    with qtbot.waitSignal(view.link_clicked) as caught:
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert caught.args == ["https://e.example/a?b=1"]


def test_the_copy_mark_of_a_code_block_copies_the_code(view: TranscriptView) -> None:
    fill(view, chat(logs=[item(0, "response", "a\n\n```\nx = 1\n  y = 2\n```\n")]))
    place, _, _, _ = view._copies[0]
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place.center().toPoint())
    assert QGuiApplication.clipboard().text() == "x = 1\n  y = 2"


def test_the_reading_place_stays_when_width_and_text_size_change(view: TranscriptView, theme: Theme) -> None:
    model = fill(view, chat(logs=logs(60)))
    number = row_with(model, Part.TEXT, "question 30")
    view.show_place(number, None)
    view.grab()
    view.resize(520, 600)
    view.grab()
    assert -400 < view.visualRect(model.index(number)).top() < 600
    theme.set_text_scale(1.5)
    view.grab()
    assert -600 < view.visualRect(model.index(number)).top() < 700


def test_a_screen_reader_finds_the_rows(view: TranscriptView) -> None:
    model = fill(view, chat(logs=logs(2)))
    found = QAccessible.queryAccessibleInterface(view)
    assert found is not None
    assert found.text(QAccessible.Text.Name) == "Transcript"
    assert "question 0" in model.index(0).data(Qt.ItemDataRole.AccessibleTextRole)


def test_the_context_menu_offers_copying_and_background_steps(view: TranscriptView) -> None:
    model = fill(view, chat(logs=[item(0, "user", "a"), item(1, "util", "b"), item(2, "response", "c")]))
    view.background_toggled.connect(model.set_background_shown)
    menu = view.context_menu(QPoint(100, 60))
    texts = [action.text() for action in menu.actions()]
    assert "Copy message" in texts
    assert "Copy message as Markdown" in texts
    before = model.rowCount()
    next(action for action in menu.actions() if action.isCheckable()).trigger()
    assert model.rowCount() == before + 1
    menu.deleteLater()


def test_every_kind_of_row_is_painted_in_both_schemes(view: TranscriptView, theme: Theme) -> None:
    made = [
        item(812, "user", "a", kvps={"attachments": ["one.png", "two.pdf"]}),
        item(813, "agent", "{}", kvps={"thoughts": ["t"], "": None}),
        item(814, "code_exe", "x\n\n<< 12 Characters hidden >>\n\ny", kvps={"code": "ls", "Screenshot": "img://x.png"}),
        item(815, "response", "b", agentno=3),
        item(816, "warning", "w"),
        item(817, "response", "c ![p](http://e.example/p.png)"),
        item(818, "error", "Traceback", heading="Error", kvps={"text": "limit"}),
        item(819, "hint", "h"),
        item(820, "hologram", "k", kvps={"lumen": 3}),
        item(821, "warning", "late"),
    ]
    model = fill(view, chat(logs=made, later=1))
    for number in range(model.rowCount() - 1, -1, -1):
        if model.row(number).part is Part.LINE:
            model.toggle(number)
    kinds = {row.entry.kind for row in model.rows}
    assert kinds == {Kind.NOTICE, Kind.USER, Kind.STEP, Kind.ANSWER, Kind.ALONE}
    for scheme in ("dark", "light"):
        theme.set_scheme(scheme)
        view.resize(700, 3_000)
        assert not view.grab().isNull()
    view.resize(120, 300)
    view.grab()
