"""How the window behaves whatever one does: no stray windows, everything named, closing, stopping, emptiness."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAccessible, QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from chat_archive.ui.actions import TABS
from chat_archive.ui.jobs import JobProgress
from chat_archive.ui.models.chat_order import TRASH
from chat_archive.ui.views.list_pane import Emptiness
from tests.builders import chat, make_root, put
from tests.journeys.conftest import Desk, Opener


class StrayWindows(QObject):
    """Notes every window that is shown, but for menus and tool tips."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Show and isinstance(watched, QWindow):
            self.seen.append(watched.objectName())
        return False


def test_no_part_ever_flashes_up_as_a_window_of_its_own(
    open_window: Opener, tmp_path: Path, qapp: QApplication
) -> None:
    root = make_root(tmp_path, 4)
    put(root, "Bad00001", b'{"id": "Bad00001", "agents": [')
    stray = StrayWindows()
    qapp.installEventFilter(stray)
    desk = open_window(root)
    for folder in ("Chat0000", "Bad00001", "Chat0003"):
        desk.choose(folder)
        desk.settle()
        for tab in TABS:
            desk.window.actions_by_id[tab].trigger()
            desk.settle()
    desk.window.pane.list.selectAll()
    desk.settle()
    desk.do("move_to_trash")
    desk.window.sidebar.choose(TRASH)
    desk.settle()
    qapp.removeEventFilter(stray)
    assert stray.seen == ["MainWindowClassWindow"]


def test_every_control_has_a_name_and_a_place_in_the_tab_order(open_window: Opener, tmp_path: Path) -> None:
    desk = open_window(make_root(tmp_path, 2))
    desk.choose("Chat0001")
    desk.settle()
    kinds = (QAbstractButton, QAbstractItemView, QLineEdit, QComboBox, QPlainTextEdit)
    nameless, unreachable = [], []
    for widget in desk.window.findChildren(QWidget):
        if not isinstance(widget, kinds) or not widget.isVisible():
            continue
        # arrows of a tab bar and the like belong to the toolkit
        if isinstance(widget.parent(), QTabBar | QLineEdit) or widget.objectName().startswith("qt_"):
            continue
        interface = QAccessible.queryAccessibleInterface(widget)
        if interface is None or not interface.text(QAccessible.Text.Name):
            nameless.append(widget)
        if not widget.focusPolicy() & Qt.FocusPolicy.TabFocus and not isinstance(widget, QAbstractItemView):
            unreachable.append(widget)
    assert nameless == []
    assert [one for one in unreachable if one.isEnabled()] == []


def test_the_keyboard_goes_round_all_panes(open_window: Opener, tmp_path: Path) -> None:
    desk = open_window(make_root(tmp_path, 2))
    desk.choose("Chat0001")
    desk.settle()
    window = desk.window
    visited = []
    for _ in range(4):
        QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_F6)
        here = QApplication.focusWidget()
        for name, pane in (("sidebar", window.sidebar), ("list", window.pane), ("detail", window.detail)):
            if here is not None and (here is pane or pane.isAncestorOf(here)):
                visited.append(name)
        if here is window.filter:
            visited.append("filter")
    assert sorted(visited) == ["detail", "filter", "list", "sidebar"]


def test_the_window_says_which_emptiness_it_is(open_window: Opener, tmp_path: Path) -> None:
    empty = make_root(tmp_path, 0)
    desk = open_window()
    assert desk.window.pages.currentWidget() is desk.window.first_run
    desk.window.commands.open_root(empty)
    desk.settle()
    assert desk.window.pane.emptiness is Emptiness.NO_CHATS
    assert desk.window.pane.stack.currentWidget() is desk.window.pane.empty
    put(empty, "Chat0001", chat("Chat0001"))
    desk.do("refresh")
    assert desk.window.pane.emptiness is Emptiness.NONE


def test_a_folder_that_is_none_is_told_on_the_first_page(open_window: Opener, tmp_path: Path) -> None:
    desk = open_window()
    desk.window.commands.open_place(tmp_path / "nowhere")
    desk.settle()
    assert desk.window.pages.currentWidget() is desk.window.first_run
    assert desk.window.roots.sessions == ()


def test_closing_waits_for_a_change_and_tells_what_it_did(open_window: Opener, tmp_path: Path, qtbot: QtBot) -> None:
    desk = open_window(make_root(tmp_path, 2))
    go = threading.Event()
    ended: list[str] = []

    def work(_progress: JobProgress) -> str:
        go.wait(10)
        return "written"

    desk.window.runner.write("a change", work, done=ended.append)
    desk.window.close()
    assert desk.window.isVisible()
    assert desk.messages.notices
    with qtbot.waitSignal(desk.window.closed):
        go.set()
    assert ended == ["written"]
    assert not desk.window.isVisible()


def test_a_fault_is_told_and_the_window_goes_on(open_window: Opener, tmp_path: Path) -> None:
    desk = open_window(make_root(tmp_path, 2))
    desk.window.runner.read("broken", lambda _progress: 1 // 0)
    desk.settle()
    assert [type(error) for error in desk.messages.errors] == [ZeroDivisionError]
    desk.choose("Chat0001")
    desk.settle()
    assert desk.window.detail.row is not None


def test_stopping_an_export_half_way_accounts_for_every_chat(open_window: Opener, tmp_path: Path) -> None:
    desk = open_window(make_root(tmp_path, 30))
    session = desk.window.roots.sessions[0]
    rows = desk.window.model.shown_rows
    assert len(rows) == 30
    target = tmp_path / "out"
    target.mkdir()
    seen: list[int] = []

    def work(progress: JobProgress) -> object:
        class Stopping:
            def report(self, done: int, total: int | None = None, item: str = "") -> None:
                seen.append(done)
                if done == 10:
                    from chat_archive.core.errors import Cancelled

                    raise Cancelled
                progress.report(done, total, item)

        return session.archive.export_json([row.folder for row in rows], target, Stopping())

    desk.window.runner.write("export", work, done=desk.messages.results.append)
    desk.settle()
    result = desk.messages.results[-1]
    assert result.stopped
    assert len(result.items) == 30
    assert len(list(target.iterdir())) == len(result.done)


def _rows(desk: Desk) -> list[str]:
    return [str(row.folder) for row in desk.window.pane.list.selected_rows()]


def test_after_trashing_the_next_chat_is_selected(open_window: Opener, tmp_path: Path) -> None:
    desk = open_window(make_root(tmp_path, 4))
    desk.choose("Chat0001")
    desk.settle()
    desk.do("move_to_trash")
    assert _rows(desk) == ["Chat0002"]


@pytest.mark.parametrize("times", [3])
def test_a_periodic_look_that_finds_nothing_changes_nothing(open_window: Opener, tmp_path: Path, times: int) -> None:
    desk = open_window(make_root(tmp_path, 5))
    events: list[str] = []
    model = desk.window.model
    model.modelReset.connect(lambda: events.append("reset"))
    model.dataChanged.connect(lambda *_: events.append("data"))
    model.rowsInserted.connect(lambda *_: events.append("in"))
    model.rowsRemoved.connect(lambda *_: events.append("out"))
    for _ in range(times):
        desk.window.roots.look(quiet=True)
        desk.settle()
    assert events == []
