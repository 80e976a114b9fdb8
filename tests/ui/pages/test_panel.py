"""The detail area as a whole: what it shows, what it drops, what it says when there is nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QLabel,
    QLineEdit,
    QMessageBox,
    QPlainTextEdit,
    QTabBar,
    QWidget,
)
from PySide6.QtWidgets import QAbstractItemView as Lists

from chat_archive.core.archive import Archive
from chat_archive.core.entities import Folder
from chat_archive.core.transcript import FIRST
from chat_archive.ui.jobs import JobRunner
from chat_archive.ui.theme import Theme
from chat_archive.ui.translation import PseudoLanguage
from chat_archive.ui.views.detail_panel import DetailPanel, Tab
from chat_archive.ui.views.raw_view import excerpt, hex_lines
from chat_archive.ui.views.transcript_page import opens_outside
from tests.builders import chat, history, item, message, put


def agents() -> list[dict[str, Any]]:
    stored = {"responses": {"response_id": "resp_1", "state": "provider"}}
    said = message("answer", ai=True, id="b", metadata=stored, tokens=7)
    return [
        {"number": 0, "agent_profile": "agent0", "data": {}, "history": history([message("q", id="a"), said])},
        {"number": 1, "agent_profile": "researcher", "data": {}, "history": history([message("task")])},
    ]


LOGS = [
    item(0, "user", "q", id="a"),
    item(1, "subagent", "", kvps={"profile": "researcher", "message": "task"}),
    item(2, "agent", "{}", heading="A1: looking", agentno=1),
    item(3, "response", "answer", id="b"),
]


def test_the_header_tells_what_a_row_and_the_histories_know(show: Callable[..., DetailPanel]) -> None:
    made = chat(logs=LOGS, agents=agents())
    made["log"]["progress"] = "icon://memory A0: Building prompt |||"
    panel = show(made)
    said = panel.header.accessible_summary()
    assert panel.header.title.text() == "Disk report"
    assert "created 2 Mar 2026" in said
    assert "saved while: A0: Building prompt" in said
    assert "icon://" not in said
    assert "9 tokens" in said
    assert "1 response stored at a provider" in said


def test_the_tabs_count_what_is_in_them(show: Callable[..., DetailPanel]) -> None:
    panel = show(chat(logs=LOGS, agents=agents()))
    panel.set_current_tab(Tab.FILES)
    texts = [panel.tabs.tabText(tab) for tab in Tab]
    assert texts == ["Transcript", "Agents 2", "Log 4", "History 3", "Files 1", "Raw"]


def test_every_tab_shows_the_chat(show: Callable[..., DetailPanel]) -> None:
    panel = show(chat(logs=LOGS, agents=agents()))
    for tab in Tab:
        panel.set_current_tab(tab)
        panel.grab()
    assert panel.transcript.model.rowCount() == 4
    assert panel.agents.model.rowCount() == 2
    assert panel.log.model.rowCount() == 4
    assert panel.history.model.rowCount() == 1
    assert panel.files.model.rowCount() == 1
    assert panel.raw.model.rowCount() == 11


def test_the_chosen_tab_is_kept_from_chat_to_chat(show: Callable[..., DetailPanel]) -> None:
    panel = show(chat(logs=LOGS))
    panel.set_current_tab(Tab.LOG)
    show(chat("Chat0002", logs=LOGS[:2]), folder="Chat0002")
    assert panel.current_tab() is Tab.LOG
    assert panel.log.model.rowCount() == 2
    panel.set_current_tab(99)
    assert panel.current_tab() is Tab.TRANSCRIPT


def test_an_agent_leads_to_the_step_that_called_it(show: Callable[..., DetailPanel]) -> None:
    panel = show(chat(logs=LOGS, agents=agents()))
    panel.set_current_tab(Tab.AGENTS)
    table = panel.agents.table
    table.setCurrentIndex(panel.agents.model.index(0, 0))
    assert not panel.agents.jump.isEnabled()
    table.setCurrentIndex(panel.agents.model.index(1, 0))
    panel.agents.jump.click()
    assert panel.current_tab() is Tab.TRANSCRIPT
    row = panel.transcript.view.currentIndex().row()
    assert panel.transcript.model.row(row).entry.type == "subagent"


def test_the_log_is_filtered_by_type_agent_and_words(show: Callable[..., DetailPanel]) -> None:
    panel = show(chat(logs=LOGS, agents=agents()))
    panel.set_current_tab(Tab.LOG)
    log = panel.log
    log.types.setCurrentIndex(log.types.findData("user"))
    log.types.activated.emit(log.types.currentIndex())
    assert log.shown == 1
    log.types.setCurrentIndex(0)
    log.agents.setCurrentIndex(log.agents.findData(1))
    log.agents.activated.emit(log.agents.currentIndex())
    assert log.shown == 1
    assert "agentno: 1" in log.pane.source
    log.agents.setCurrentIndex(0)
    log.words.setText("task")
    log._typing.stop()
    log._filter()
    assert log.shown == 1
    assert log.count.text() == "1 of 4 log items"
    log.words.setText("zebra")
    log._typing.stop()
    log._filter()
    assert log.shown == 0
    assert log.pane.source == ""


def test_the_history_shows_a_summary_beside_its_original(show: Callable[..., DetailPanel]) -> None:
    past = history([message("the whole original", summary="<< 90 CHARACTERS REMOVED >>")])
    panel = show(chat(agents=[{"number": 0, "data": {}, "history": past}]))
    panel.set_current_tab(Tab.HISTORY)
    model = panel.history.model
    panel.history.tree.setCurrentIndex(model.index(0, 0, model.index(0, 0)))
    assert "the whole original" in panel.history.pane.source
    assert not panel.history.summary.isHidden()
    assert "90 CHARACTERS REMOVED" in panel.history.summary.source


def test_each_agent_has_its_own_history(show: Callable[..., DetailPanel]) -> None:
    panel = show(chat(logs=LOGS, agents=agents()))
    panel.set_current_tab(Tab.HISTORY)
    assert [panel.history.agents.itemText(place) for place in range(2)] == ["A0  agent0", "A1  researcher"]
    panel.history.agents.setCurrentIndex(1)
    panel.history.agents.activated.emit(1)
    assert "1 message" in panel.history.note.text()


def test_a_file_leads_to_its_folder(show: Callable[..., DetailPanel], tmp_path: Path, qtbot: Any) -> None:
    messages = tmp_path / "usr" / "chats" / "Chat0001" / "messages"
    messages.mkdir(parents=True)
    (messages / "1.txt").write_text("x")
    panel = show(chat(logs=LOGS))
    panel.set_current_tab(Tab.FILES)
    files = panel.files
    row = next(row for row in range(files.model.rowCount()) if files.model.file(row).relative == "messages/1.txt")
    files.table.setCurrentIndex(files.model.index(row, 0))
    with qtbot.waitSignal(panel.open_externally) as caught:
        files.open.click()
    assert caught.args == [messages]


def test_a_value_and_its_path_are_copied_from_the_raw_tree(show: Callable[..., DetailPanel]) -> None:
    panel = show(chat(logs=LOGS))
    panel.set_current_tab(Tab.RAW)
    model = panel.raw.model
    row = next(row for row in range(model.rowCount()) if model.index(row, 0).data() == "name")
    panel.raw.tree.setCurrentIndex(model.index(row, 0))
    panel.raw.copy_value()
    assert QGuiApplication.clipboard().text() == "Disk report"
    panel.raw.copy_path()
    assert QGuiApplication.clipboard().text() == "name"
    menu = panel.raw.context_menu()
    assert [action.text() for action in menu.actions()] == ["Copy value", "Copy path"]
    menu.deleteLater()


def test_a_damaged_chat_says_why_in_every_tab(show: Callable[..., DetailPanel]) -> None:
    panel = show(b'{"id": "Chat0001", "log": {"logs": [')
    for tab in Tab:
        panel.set_current_tab(tab)
        panel.grab()
        if tab not in (Tab.RAW, Tab.FILES):
            assert panel._places[tab].currentIndex() == 1
            assert "ends too early" in panel._fault[tab].heading.text()
    assert "ends too early" in panel.raw.bytes.source
    assert "7b 22 69 64" in panel.raw.bytes.source
    assert panel.files.model.rowCount() == 1
    assert not panel.header.rename.isEnabled()


def test_after_a_damaged_chat_a_good_one_is_shown(show: Callable[..., DetailPanel]) -> None:
    panel = show(b"", folder="Broken01")
    show(chat(logs=LOGS))
    for tab in Tab:
        panel.set_current_tab(tab)
        assert panel._places[tab].currentIndex() == 0
    assert panel.raw.stack.currentIndex() == 0
    assert panel.transcript.model.rowCount() == 4


def test_the_bytes_around_the_failing_place_are_shown() -> None:
    from chat_archive.core.errors import UnreadableError

    data = b'{"a": "' + b"x" * 9_000 + b"\x00" + b"y" * 9_000
    text = excerpt(data, UnreadableError("It breaks.", kind="syntax", offset=9_007))
    assert "It breaks." in text
    assert "9,008" in text or "8,992" in text
    assert text.count("\u2026") == 2
    assert hex_lines(b"AB\n", 16) == [f"{16:>10,}  {'41 42 0a':<47}  AB\u00b7"]


def test_nothing_chosen_several_chosen_and_reading_are_told_apart(panel: DetailPanel, show: Callable[..., Any]) -> None:
    panel.show_nothing()
    assert panel.message.heading.text() == "No chat is chosen"
    panel.show_scanning()
    assert "being read" in panel.message.text.text()
    show(chat(logs=LOGS))
    row = panel.row
    assert row is not None
    panel.show_many([row, replace(row, size=2_000_000)])
    assert panel.message.heading.text() == "2 chats, 2.0 MB chosen"
    assert panel.loaded is None


def test_a_long_chat_shows_its_first_screen_before_the_rest(
    theme: Theme, tmp_path: Path, qtbot: Any, runner: JobRunner
) -> None:
    panel = DetailPanel(theme, runner)
    qtbot.addWidget(panel)
    root = tmp_path / "usr" / "chats"
    put(root, "Chat0001", chat(logs=[item(number, "user", f"line {number}") for number in range(500)]))
    counts: list[int] = []
    panel.shown_ready.connect(lambda: counts.append(panel.transcript.model.rowCount()))
    with Archive.open(root, write=False) as archive:
        panel.show_chat(archive, archive.row(Folder("Chat0001")))
        qtbot.waitUntil(lambda: panel.loaded is not None and not runner.busy)
    assert counts == [FIRST]
    assert panel.transcript.model.rowCount() == 500
    texts = [row.entry.text for row in panel.transcript.model.rows]
    assert texts == [f"line {number}" for number in range(500)]


def test_a_stale_chat_is_dropped(theme: Theme, tmp_path: Path, qtbot: Any, runner: JobRunner) -> None:
    panel = DetailPanel(theme, runner)
    qtbot.addWidget(panel)
    root = tmp_path / "usr" / "chats"
    for number in range(4):
        put(root, f"Chat000{number}", chat(f"Chat000{number}", f"Name {number}", logs=LOGS[: number + 1]))
    with Archive.open(root, write=False) as archive:
        for number in (0, 1, 2, 3, 1):
            panel.show_chat(archive, archive.row(Folder(f"Chat000{number}")))
        qtbot.waitUntil(lambda: panel.loaded is not None and not runner.busy)
        assert panel.header.title.text() == "Name 1"
        assert panel.transcript.model.rowCount() == 2
        panel.show_chat(archive, archive.row(Folder("Chat0002")))
        panel.show_nothing()
        qtbot.waitUntil(lambda: not runner.busy)
        assert panel.loaded is None


def test_the_same_row_again_changes_nothing(show: Callable[..., DetailPanel], inline_runner: Any) -> None:
    panel = show(chat(logs=LOGS))
    archive, row = panel._archive, panel.row
    assert archive is not None
    assert row is not None
    before = len(inline_runner.names)
    panel.show_chat(archive, row)
    assert len(inline_runner.names) == before


def test_another_time_zone_is_used_at_once(theme: Theme, inline_runner: Any, qtbot: Any, tmp_path: Path) -> None:
    zones: list[timezone] = [UTC]
    panel = DetailPanel(theme, inline_runner, lambda: zones[0])
    qtbot.addWidget(panel)
    put(tmp_path / "usr" / "chats", "Chat0001", chat(logs=LOGS))
    with Archive.open(tmp_path / "usr" / "chats", write=False) as archive:
        panel.show_chat(archive, archive.row(Folder("Chat0001")))
        panel.set_current_tab(Tab.LOG)
        assert "09:00" in panel.header.accessible_summary()
        assert panel.log.model.index(0, 1).data() == "09:00:00"
        zones[0] = timezone(timedelta(hours=5))
        panel.reload()
        assert "14:00" in panel.header.accessible_summary()
        assert panel.log.model.index(0, 1).data() == "14:00:00"
        panel.show_nothing()


def test_a_changed_chat_is_read_again_in_its_place(show: Callable[..., DetailPanel], tmp_path: Path) -> None:
    logs = [item(number, "user", f"line {number}") for number in range(100)]
    panel = show(chat(logs=logs))
    panel.grab()
    bar = panel.transcript.view.verticalScrollBar()
    bar.setValue(1_500)
    panel.grab()
    value = bar.value()
    put(tmp_path / "usr" / "chats", "Chat0001", chat(name="Renamed", logs=[*logs, item(100, "user", "new")]))
    archive = panel._archive
    assert archive is not None
    panel.refresh(archive.row(Folder("Chat0001")))
    panel.grab()
    assert panel.header.title.text() == "Renamed"
    assert panel.transcript.model.rowCount() == 101
    assert abs(bar.value() - value) < 60


@pytest.mark.parametrize(
    ("address", "opens"),
    [
        ("https://e.example/a?b#c", True),
        ("http://e.example", True),
        ("mailto:a@e.example", True),
        ("https://user:pw@e.example/", False),
        ("https://trusted.example@evil.example/", False),
        ("file:///etc/passwd", False),
        ("smb://host/share", False),
        ("\\\\host\\share", False),
        ("javascript:alert(1)", False),
        ("ms-settings:x", False),
        ("mailto:", False),
        ("http://[bad", False),
        ("", False),
    ],
)
def test_v4_only_web_and_mail_addresses_may_be_opened(address: str, opens: bool) -> None:
    assert opens_outside(address) is opens


def test_v4_the_whole_address_is_asked_about_as_plain_text(panel: DetailPanel) -> None:
    address = "https://e.example/" + "a" * 300 + "?<b>x</b>"
    box = panel.transcript.link_box(address)
    assert box.textFormat() is Qt.TextFormat.PlainText
    assert address in box.informativeText().replace("\u200b", "")
    assert box.standardButtons() & QMessageBox.StandardButton.Open
    assert box.defaultButton() is box.button(QMessageBox.StandardButton.Cancel)
    refused = panel.transcript.link_box("file:///etc/passwd")
    assert not refused.standardButtons() & QMessageBox.StandardButton.Open
    for one in (box, refused):
        one.deleteLater()


HOSTILE = "<b>bold</b> & <img src='file:///etc/passwd'>\u202e\n\x00 \ud83d"


def test_v2_text_from_chats_is_plain_in_every_widget(show: Callable[..., DetailPanel]) -> None:
    made = chat(name=HOSTILE, logs=[item(0, HOSTILE, HOSTILE, heading=HOSTILE, kvps={HOSTILE: HOSTILE})])
    made["agents"][0]["agent_profile"] = HOSTILE
    made[HOSTILE] = HOSTILE
    panel = show(made)
    for tab in Tab:
        panel.set_current_tab(tab)
        panel.grab()
    for label in panel.findChildren(QLabel):
        assert label.textFormat() is Qt.TextFormat.PlainText or not label.text() or "<" not in label.text()
        assert "\u202e" not in label.text()


def named(widget: QWidget) -> str:
    if isinstance(widget, QAbstractButton):
        return widget.accessibleName() or widget.text()
    return widget.accessibleName()


def inside_another_control(widget: QWidget) -> bool:
    """Parts Qt builds controls of: lists of boxes, headers of tables, arrows of tab bars."""
    if "Header" in widget.metaObject().className() or "CornerButton" in widget.metaObject().className():
        return True
    parent = widget.parent()
    while parent is not None:
        if isinstance(parent, QComboBox | QLineEdit | QTabBar):
            return True
        parent = parent.parent()
    return False


def test_every_control_has_a_name(show: Callable[..., DetailPanel]) -> None:
    panel = show(chat(logs=LOGS, agents=agents()))
    for tab in Tab:
        panel.set_current_tab(tab)
    kinds = (QAbstractButton, QComboBox, QLineEdit, QPlainTextEdit, Lists)
    found = [widget for kind in kinds for widget in panel.findChildren(kind) if not inside_another_control(widget)]
    assert len(found) > 15
    for widget in found:
        if not widget.objectName().startswith("qt_"):
            assert named(widget), f"{widget} in {widget.parent()} has no name"


def test_both_schemes_every_size_and_a_stretched_language(
    show: Callable[..., DetailPanel], theme: Theme, qapp: Any
) -> None:
    panel = show(chat(logs=LOGS, agents=agents()))
    for scheme in ("dark", "light"):
        theme.set_scheme(scheme)
        for scale in (0.8, 1.5):
            theme.set_text_scale(scale)
            for tab in Tab:
                panel.set_current_tab(tab)
                assert not panel.grab().isNull()
    stretched = PseudoLanguage()
    qapp.installTranslator(stretched)
    try:
        again = DetailPanel(theme, panel._runner)
        again.resize(600, 700)
        again.show()
        again.grab()
        assert again.tabs.tabText(Tab.LOG).startswith("[")
        again.close()
        again.deleteLater()
    finally:
        qapp.removeTranslator(stretched)


def test_a_chat_that_rested_says_nothing_of_what_it_did_when_it_was_saved(show: Callable[..., DetailPanel]) -> None:
    made = chat(logs=LOGS, agents=agents())
    made["log"]["progress"] = "Waiting for input"
    assert "saved while" not in show(made).header.accessible_summary()


def test_the_arrows_of_a_narrow_tab_bar_lie_inside_the_panel(show: Callable[..., DetailPanel]) -> None:
    panel = show(chat(logs=LOGS, agents=agents()))
    panel.resize(340, 600)
    panel.grab()
    arrows = [button for button in panel.tabs.tabBar().findChildren(QAbstractButton) if button.isVisible()]
    assert len(arrows) == 2
    for arrow in arrows:
        assert arrow.mapTo(panel.tabs, arrow.rect().topRight()).x() < panel.tabs.width()


def test_the_glass_opens_the_find_bar(show: Callable[..., DetailPanel]) -> None:
    panel = show(chat(logs=LOGS, agents=agents()))
    panel.set_current_tab(Tab.LOG)
    panel.header.search.click()
    assert panel.current_tab() is Tab.TRANSCRIPT


def test_names_of_files_take_the_room_of_notes_that_are_not_there(show: Callable[..., DetailPanel]) -> None:
    panel = show(chat(logs=LOGS, agents=agents()))
    panel.set_current_tab(Tab.FILES)
    panel.resize(900, 600)
    panel.grab()
    table = panel.files.table
    assert table.isColumnHidden(4)
    assert table.columnWidth(0) > 300
    assert not table.horizontalScrollBar().maximum()
    panel.resize(340, 600)
    panel.grab()
    assert table.columnWidth(0) >= 100
