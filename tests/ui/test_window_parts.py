"""The parts around the list: sidebar, filter field, strip, status line, jobs, places that are empty."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QStyleOptionViewItem
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from chat_archive.core.entities import AgentRow, ChatState
from chat_archive.core.errors import NotFoundError
from chat_archive.ui import row_words
from chat_archive.ui.jobs import JobProgress, JobRunner
from chat_archive.ui.models.chat_list_model import ChatListModel
from chat_archive.ui.models.chat_order import ALL, Column, Entry, Scope, ScopeKind, key_of
from chat_archive.ui.models.job_model import JobColumn, JobModel
from chat_archive.ui.models.sidebar_model import COUNT_ROLE, SidebarModel, count
from chat_archive.ui.theme import Theme
from chat_archive.ui.translation import EnglishPlurals
from chat_archive.ui.views.chat_list import ChatListView
from chat_archive.ui.views.delegates import ChatRowDelegate
from chat_archive.ui.views.filter_bar import FilterField, ListHeader
from chat_archive.ui.views.jobs_panel import JobsPanel
from chat_archive.ui.views.sidebar import Sidebar
from chat_archive.ui.views.status_line import StatusLine
from tests.ui.chat_rows import ROOT, make_damaged, make_row


@pytest.fixture
def list_view(qtbot: QtBot, theme: Theme) -> ChatListView:
    view = ChatListView(theme, lambda: None)
    model = ChatListModel(parent=view)
    model.put(make_row(number) for number in range(200))
    view.set_chat_model(model)
    qtbot.addWidget(view)
    view.resize(430, 600)
    view.show()
    return view


def _lines(model: SidebarModel) -> list[tuple[str, int | None]]:
    return [(model.index(n).data(), model.index(n).data(COUNT_ROLE)) for n in range(model.rowCount())]


def test_the_sidebar_counts_kinds_projects_profiles_and_roots(qtmodeltester: ModelTester, theme: Theme) -> None:
    rows = [
        make_row(0, project="h", project_title="Harbour"),
        make_row(1, type="task"),
        make_row(2, agents=(AgentRow(0, "", 1),), agent_profile=""),
        make_damaged(3),
    ]
    model = SidebarModel()
    qtmodeltester.check(model)
    model.show(count(Entry(row) for row in rows), {ROOT: "usr/chats"}, 2)
    qtmodeltester.check(model)
    assert _lines(model) == [
        ("All chats", 4),
        ("Tasks", 1),
        ("Damaged", 1),
        ("Trash", 2),
        ("Projects", None),
        ("Harbour", 1),
        ("No project", 2),
        ("Profiles", None),
        ("agent0", 2),
        ("developer", 2),
        ("none", 1),
        ("Folders", None),
        ("usr/chats", 4),
    ]


def test_what_is_chosen_stays_chosen_and_falls_back_when_it_is_gone(qtbot: QtBot, theme: Theme) -> None:
    sidebar = Sidebar(theme)
    qtbot.addWidget(sidebar)
    told: list[Scope] = []
    sidebar.scope_changed.connect(told.append)
    rows = [make_row(0, project="p")]
    sidebar.lines.show(count(Entry(row) for row in rows), {ROOT: "usr/chats"}, 0)
    project = Scope(ScopeKind.PROJECT, "p")
    sidebar.choose(project)
    sidebar.lines.show(count(Entry(row) for row in [*rows, make_row(1, project="q")]), {ROOT: "usr/chats"}, 0)
    assert sidebar.scope == project
    assert sidebar.currentIndex().row() == sidebar.lines.find(project)
    sidebar.lines.show(count([]), {ROOT: "usr/chats"}, 0)
    assert sidebar.scope == ALL
    assert told == [project, ALL]


def test_headings_are_passed_over_by_the_arrow_keys(qtbot: QtBot, theme: Theme) -> None:
    sidebar = Sidebar(theme)
    qtbot.addWidget(sidebar)
    sidebar.lines.show(count([Entry(make_row(0))]), {ROOT: "usr/chats"}, 0)
    sidebar.show()
    sidebar.choose(ALL)
    for _ in range(4):
        QTest.keyClick(sidebar, Qt.Key.Key_Down)
    assert sidebar.currentIndex().data() == "agent0"


def test_selection_current_row_and_scroll_survive_a_reset(qtbot: QtBot, list_view: ChatListView) -> None:
    model = list_view.chats
    keys = [key_of(make_row(number)) for number in (100, 101, 150)]
    list_view.select(keys, keys[1])
    changes: list[int] = []
    list_view.selection_changed.connect(lambda: changes.append(1))
    top = list_view.indexAt(list_view.rect().topLeft()).row()
    model.put(make_row(number, title="changed") for number in range(0, 200, 3))
    model.remove(key_of(make_row(number)) for number in range(1, 90, 2))
    assert list_view.selected_keys() == keys
    assert list_view.current_key() == keys[1]
    assert changes == []
    assert model.key_at(list_view.indexAt(list_view.rect().topLeft()).row()) == key_of(make_row(top))
    model.remove([keys[2]])
    assert list_view.selected_keys() == keys[:2]


def test_the_view_at_its_top_stays_there_when_newer_chats_arrive(qtbot: QtBot, list_view: ChatListView) -> None:
    model = list_view.chats
    model.put(make_row(1000 + number, when=make_row(0).last_activity) for number in range(100))
    assert list_view.verticalScrollBar().value() == 0


def test_all_rows_have_one_height_in_both_views(qtbot: QtBot, list_view: ChatListView) -> None:
    list_view.chats.put([make_damaged(300), make_row(301, title="验潮仪 😀 " * 40, first_words="x" * 500)])
    for table in (False, True):
        list_view.set_table(table)
        heights = {list_view.visualRect(list_view.chats.index(n, 0)).height() for n in range(8)}
        assert len(heights) == 1


def test_choosing_columns_changes_only_the_table(qtbot: QtBot, list_view: ChatListView) -> None:
    list_view.set_column_visible(Column.ID, True)
    assert list_view.isColumnHidden(Column.ID)
    list_view.set_table(True)
    assert not list_view.isColumnHidden(Column.ID)
    list_view.set_column_visible(Column.TITLE, False)
    assert not list_view.isColumnHidden(Column.TITLE)
    list_view.set_table(False)
    assert [column for column in Column if not list_view.isColumnHidden(column)] == [Column.TITLE]


@pytest.mark.parametrize("width", [60, 200, 430, 1200])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_kind_of_row_paints_at_every_width(qtbot: QtBot, theme: Theme, width: int, scheme: str) -> None:
    theme.set_scheme(scheme)
    delegate = ChatRowDelegate(theme, lambda: None)
    model = ChatListModel()
    model.put(
        [
            make_row(0, agents=tuple(AgentRow(n, f"profile {n}", 1) for n in range(30))),
            make_damaged(1),
            make_row(2, title="", agents=(), agent_profile="", first_words="", progress="", when=None),
            make_row(3, state=ChatState.EXPIRES, project="p" * 300, type="task", parent_id="x", flat=True),
            make_row(4, title="\u202e<b>" + "W" * 3000),
        ]
    )
    option = QStyleOptionViewItem()
    image = QImage(QSize(width, delegate.row_height), QImage.Format.Format_ARGB32_Premultiplied)
    for number in range(5):
        image.fill(Qt.GlobalColor.white)
        option.rect = image.rect()
        painter = QPainter(image)
        delegate.paint(painter, option, model.index(number, 0))
        painter.end()
    assert delegate.sizeHint(option, model.index(0, 0)).height() == delegate.row_height


def test_states_are_words() -> None:
    from datetime import UTC, datetime, timedelta

    now = datetime(2026, 3, 2, 12, tzinfo=UTC)
    expiring = make_row(0, state=ChatState.EXPIRES, expires_at=now + timedelta(hours=5))
    plurals = EnglishPlurals()
    assert plurals.translate("", "%Ln log", None, 3) == "%Ln log"
    texts = [chip.text for chip in row_words.chips(expiring, now)]
    assert texts[0].startswith("expires in 5 h")
    gone = make_row(0, state=ChatState.EXPIRES, expires_at=now - timedelta(hours=5))
    assert row_words.chips(gone, now)[0].text == "expired"
    assert row_words.chips(make_damaged(0))[0].text == "damaged"
    assert row_words.chips(make_row(0, state=ChatState.DUPLICATE))[0].text == "duplicate id"
    assert [chip.text for chip in row_words.chips(make_row(0, type="task", project="p"), place="usr/chats")] == [
        "task",
        "p",
        "usr/chats",
    ]


def test_the_filter_field_tells_what_it_found_and_escapes(qtbot: QtBot, theme: Theme) -> None:
    field = FilterField(theme)
    qtbot.addWidget(field)
    field.show()
    left: list[int] = []
    field.left.connect(lambda: left.append(1))
    QTest.keyClicks(field, "abc")
    field.show_found(3, 98)
    assert field.accessibleDescription().startswith("3 of ")
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == ""
    assert left == []
    QTest.keyClick(field, Qt.Key.Key_Escape)
    QTest.keyClick(field, Qt.Key.Key_Down)
    assert left == [1, 1]


def test_the_strip_offers_every_column_and_shows_the_direction_in_words(qtbot: QtBot, theme: Theme) -> None:
    strip = ListHeader(theme)
    qtbot.addWidget(strip)
    chosen: list[Column] = []
    strip.order_chosen.connect(chosen.append)
    for action in strip.menu.actions():
        action.trigger()
    assert chosen == list(Column)
    strip.show_order(Column.SIZE, True)
    down = strip._direction.accessibleName()
    strip.show_order(Column.SIZE, False)
    assert strip._direction.accessibleName() != down


def test_work_shows_after_a_while_and_can_be_stopped(qtbot: QtBot, theme: Theme, runner: JobRunner) -> None:
    line = StatusLine(theme, runner)
    qtbot.addWidget(line)
    line.show()
    line._calm.setInterval(1)
    go = threading.Event()

    def work(progress: JobProgress) -> None:
        for number in range(100_000_000):
            progress.report(number, 98, "x")
            go.wait(0.01)

    quiet = runner.read("housekeeping", lambda _p: go.wait(5), quiet=True)
    assert not line._calm.isActive()
    job = runner.read("Reading chats", work)
    line.stop_requested.connect(lambda one: one.cancel())
    qtbot.waitUntil(lambda: line._work.isVisible() and "Reading chats" in line._name.text())
    with qtbot.waitSignal(job.ended):
        line._stop.click()
    assert not line._work.isVisible()
    go.set()
    qtbot.waitUntil(lambda: quiet.over)


def test_short_work_is_never_shown(qtbot: QtBot, theme: Theme, runner: JobRunner) -> None:
    line = StatusLine(theme, runner)
    qtbot.addWidget(line)
    line.show()
    with qtbot.waitSignal(runner.idle):
        runner.read("short", lambda _p: 1)
    assert not line._calm.isActive()
    assert not line._work.isVisible()


def test_the_jobs_panel_lists_what_runs_and_how_it_ended(
    qtbot: QtBot, theme: Theme, runner: JobRunner, qtmodeltester: ModelTester
) -> None:
    panel = JobsPanel(theme, runner)
    qtbot.addWidget(panel)
    model: JobModel = panel.model

    def gone(_progress: JobProgress) -> None:
        raise NotFoundError("The chat is gone.")

    with qtbot.waitSignal(runner.idle):
        runner.write("first", lambda _p: 1)
        runner.write("second", gone, failed=lambda _e: None)
        runner.write("quiet", lambda _p: 1, quiet=True)
    qtmodeltester.check(model)
    shown = {
        model.index(n, JobColumn.NAME).data(): model.index(n, JobColumn.STATE).data() for n in range(model.rowCount())
    }
    assert shown == {"first": "done", "second": "The chat is gone."}
    assert model.running == 0
    model.forget_ended()
    assert model.rowCount() == 0


def test_rows_of_two_roots_tell_their_place(qtbot: QtBot, theme: Theme) -> None:
    other = Path("/elsewhere/tmp/chats")
    model = ChatListModel()
    model.put([make_row(0), make_row(1, root=other)])
    model.set_labels({ROOT: "usr/chats", other: "tmp/chats"})
    assert model.index(0, Column.ROOT).data() == "usr/chats"
    assert model.index(1, Column.ROOT).data() == "tmp/chats"


def test_the_resting_text_of_a_chat_is_no_news() -> None:
    assert row_words.working_text("Waiting for input") == ""
    assert row_words.working_text("icon://memory A0: Building prompt") == "A0: Building prompt"
    assert row_words.working_text("") == ""
