"""Find inside a chat: true counts, next and previous, what hides a hit is opened."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from chat_archive.core.transcript_text import PAGE
from chat_archive.ui.models.transcript_model import Part
from chat_archive.ui.views.detail_panel import DetailPanel, Tab
from chat_archive.ui.views.transcript_find import spans_of
from tests.builders import chat, item

LOGS = [
    item(0, "user", "Where is the Needle?"),
    item(1, "agent", "{}", heading="A0: looking for a needle"),
    item(2, "tool", "in the hay: needle, needle", kvps={"_tool_name": "x", "where": "needle box"}),
    item(3, "util", "a needle remembered"),
    item(4, "response", "The **nee**dle is `here`. " + "word " * 20_000 + " last needle"),
]


def find(panel: DetailPanel, words: str) -> DetailPanel:
    panel.find_focus()
    panel.transcript.bar.line.setText(words)
    panel.transcript.bar.flush()
    return panel


def test_every_place_is_counted(show: Callable[..., DetailPanel]) -> None:
    panel = find(show(chat(logs=LOGS)), "needle")
    pages = [(hit.entry.type, hit.page) for hit in panel.transcript.hits]
    assert pages[0] == ("user", 0)
    assert ("agent", -1) in pages
    assert pages.count(("tool", 0)) == 3
    assert ("util", -1) in pages
    assert pages[-1][0] == "response"
    assert panel.transcript.bar.count.text() == f"1 of {len(pages)}"


def test_going_on_opens_what_hides_a_hit_and_comes_round(show: Callable[..., DetailPanel]) -> None:
    panel = find(show(chat(logs=LOGS)), "needle")
    transcript = panel.transcript
    seen = []
    for _ in range(len(transcript.hits)):
        row = transcript.view.currentIndex().row()
        seen.append((transcript.model.row(row).entry.type, transcript.model.row(row).part))
        panel.grab()
        QTest.keyClick(transcript.bar.line, Qt.Key.Key_Return)
    assert ("tool", Part.BODY) in seen
    assert ("util", Part.LINE) in seen
    assert ("response", Part.TEXT) in seen
    assert transcript.model.background_shown
    assert transcript.bar.count.text().startswith("1 of")
    QTest.keyClick(transcript.bar.line, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert transcript.bar.count.text().startswith(f"{len(transcript.hits)} of")


def test_a_hit_far_down_a_long_answer_is_brought_into_view(show: Callable[..., DetailPanel]) -> None:
    logs = [item(0, "user", "a"), item(1, "response", "word " * (PAGE // 2) + "haystack end")]
    panel = find(show(chat(logs=logs)), "haystack")
    view = panel.transcript.view
    panel.grab()
    row = panel.transcript.model.row(view.currentIndex().row())
    assert row.page >= 1
    document = view.page.document(row)
    start = spans_of(document.toPlainText(), "haystack")[0][0]
    block = document.findBlock(start)
    line = block.layout().lineForTextPosition(start - block.position())
    y = document.documentLayout().blockBoundingRect(block).top() + line.y()
    top = view.visualRect(view.currentIndex()).top() + view.page.text_top(row) + y
    assert 0 <= top <= view.viewport().height()


def test_nothing_found_is_said(show: Callable[..., DetailPanel]) -> None:
    panel = find(show(chat(logs=LOGS)), "zebra")
    assert panel.transcript.bar.count.text() == "Not found"
    assert not panel.transcript.bar.on.isEnabled()


def test_escape_closes_the_bar_and_takes_the_marks_away(show: Callable[..., DetailPanel]) -> None:
    panel = find(show(chat(logs=LOGS)), "needle")
    QTest.keyClick(panel.transcript.bar.line, Qt.Key.Key_Escape)
    assert panel.transcript.bar.isHidden()
    assert panel.transcript.hits == []


def test_find_leads_to_the_transcript_from_any_tab(show: Callable[..., DetailPanel]) -> None:
    panel = show(chat(logs=LOGS))
    panel.set_current_tab(Tab.LOG)
    panel.find_focus()
    assert panel.current_tab() is Tab.TRANSCRIPT
    assert not panel.transcript.bar.isHidden()


def test_letters_that_fold_into_two_do_not_shift_the_marks() -> None:
    text = "Straße İstanbul needle"
    for start, stop in spans_of(text, "needle"):
        assert text[start:stop] == "needle"
    assert spans_of("aaa", "a") == [(0, 1), (1, 2), (2, 3)]
    assert spans_of("text", "") == []
