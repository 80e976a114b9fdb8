from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from chat_archive.ui.plain_text import (
    ElidedLabel,
    PlainLabel,
    breakable,
    menu_text,
    shown,
    shown_block,
    tool_tip,
)
from chat_archive.ui.theme import Theme


def test_v2_a_label_shows_markup_as_it_is(qapp: QApplication, qtbot: QtBot) -> None:
    label = PlainLabel("<h1>big</h1>")
    qtbot.addWidget(label)
    usual = QLabel("<h1>big</h1>")
    qtbot.addWidget(usual)
    assert label.textFormat() is Qt.TextFormat.PlainText
    assert label.sizeHint().width() > usual.fontMetrics().horizontalAdvance("<h1>big</h1>") - 2


def test_v2_names_are_one_line_with_marks_and_cut() -> None:
    text = shown("a\nb\u202ec" + "W" * 500)
    assert "\n" not in text and "\u202e" not in text
    assert "U+202E" in text
    assert len(text) == 200 and text.endswith("…")


def test_v2_a_block_keeps_its_lines_and_marks_the_rest() -> None:
    assert shown_block("one\r\ntwo\u2066") == "one\ntwo⟨U+2066⟩"
    assert "\ufffd" in shown_block("half \ud83d")
    assert len(shown_block("W" * 10_000)) == 2000


def test_v2_tool_tips_are_escaped() -> None:
    tip = tool_tip('<img src="x"> & more\nsecond')
    assert tip == "<qt>&lt;img src=&quot;x&quot;&gt; &amp; more<br>second</qt>"
    assert tool_tip("") == ""


def test_v2_an_ampersand_is_no_shortcut() -> None:
    assert menu_text("Salt & pepper") == "Salt && pepper"


def test_long_runs_can_wrap_and_the_words_stay() -> None:
    text = breakable("/data/" + "W" * 100)
    assert max(len(part) for part in text.split("\u200b")) <= 12
    assert text.replace("\u200b", "") == "/data/" + "W" * 100


def test_a_cut_line_tells_the_whole_in_its_tool_tip(theme: Theme, qtbot: QtBot) -> None:
    label = ElidedLabel(theme, "W" * 300)
    qtbot.addWidget(label)
    label.resize(100, 20)
    label.show()
    assert label.is_cut
    assert "W" * 300 in label.toolTip()
    assert label.accessibleName() == "W" * 300
    label.set_full_text("short")
    label.resize(300, 20)
    assert not label.is_cut
    assert label.toolTip() == ""


def test_wrapping_a_megabyte_of_one_run_is_bounded(theme: Theme, qtbot: QtBot) -> None:
    label = PlainLabel(breakable(shown_block("W" * 1_000_000)), wrap=True)
    qtbot.addWidget(label)
    assert label.heightForWidth(200) < 10_000
