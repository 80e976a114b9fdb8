"""The list model: order, filter, narrow changes, and what Qt demands of a model."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from chat_archive.core.entities import AgentRow, ChatState
from chat_archive.ui.models.chat_list_model import KEY_ROLE, ROW_ROLE, ChatListModel
from chat_archive.ui.models.chat_order import Column, Scope, ScopeKind, key_of
from tests.ui.chat_rows import START, make_damaged, make_row


def titles(model: ChatListModel) -> list[str]:
    return [row.title for row in model.shown_rows]


def recorded(model: ChatListModel) -> list[str]:
    events: list[str] = []
    model.modelReset.connect(lambda: events.append("reset"))
    model.rowsInserted.connect(lambda _p, first, last: events.append(f"in {first}-{last}"))
    model.rowsRemoved.connect(lambda _p, first, last: events.append(f"out {first}-{last}"))
    model.dataChanged.connect(lambda first, last: events.append(f"data {first.row()}-{last.row()}"))
    return events


def test_the_model_keeps_qts_rules_empty_filled_and_while_changing(qtmodeltester: ModelTester, qtbot: QtBot) -> None:
    model = ChatListModel()
    qtmodeltester.check(model)
    model.put(make_row(number) for number in range(0, 100, 2))
    qtmodeltester.check(model)
    model.put(make_row(number) for number in range(1, 100, 10))
    model.put([make_row(4, title="Other", size=5), make_damaged(200)])
    model.remove(key_of(make_row(number)) for number in range(0, 40, 3))
    model.set_filter("number 5")
    model.sort(Column.TITLE, Qt.SortOrder.DescendingOrder)
    model.set_scope(Scope(ScopeKind.DAMAGED))
    model.set_scope(Scope())
    model.set_filter("")
    qtmodeltester.check(model)


def test_newest_first_and_batches_arrive_at_their_place(qtbot: QtBot) -> None:
    model = ChatListModel()
    events = recorded(model)
    model.put(make_row(number) for number in (0, 1, 2))
    model.put(make_row(number) for number in (3, 4))
    model.put([make_row(9, when=START + timedelta(hours=1), title="Newest")])
    assert events == ["in 0-2", "in 3-4", "in 0-0"]
    assert titles(model) == ["Newest", *(f"Chat number {number}" for number in range(5))]


def test_an_equal_row_costs_nothing_and_a_changed_one_only_itself(qtbot: QtBot) -> None:
    model = ChatListModel()
    model.put(make_row(number) for number in range(10))
    events = recorded(model)
    model.put(make_row(number) for number in range(10))
    assert events == []
    model.put([make_row(3, progress="Thinking")])
    assert events == ["data 3-3"]
    model.remove([key_of(make_row(7))])
    assert events == ["data 3-3", "out 7-7"]


def test_many_scattered_changes_are_one_reset(qtbot: QtBot) -> None:
    model = ChatListModel()
    model.put(make_row(number) for number in range(1000))
    events = recorded(model)
    model.remove(key_of(make_row(number)) for number in range(0, 1000, 2))
    assert events == ["reset"]
    assert model.rowCount() == 500


@pytest.mark.parametrize("column", list(Column))
@pytest.mark.parametrize("falling", [True, False])
def test_every_column_sorts_and_unknown_values_come_last(qtbot: QtBot, column: Column, falling: bool) -> None:
    model = ChatListModel()
    rows = [make_row(number, title=f"T{number % 3}", project=f"p{number}", size=2**40 + number) for number in range(6)]
    nothing: dict[str, Any] = {"when": None, "agents": (), "progress": "", "first_words": "", "project": ""}
    model.put([*rows, make_damaged(50, **nothing, title="", id="")])
    model.set_order(column, falling)
    assert model.rowCount() == 7
    last = model.row_at(6)
    known_anyway = {Column.SIZE, Column.STATE, Column.ROOT}
    if column not in known_anyway:
        assert last.damaged


def test_large_sizes_and_times_sort_as_numbers(qtbot: QtBot) -> None:
    model = ChatListModel()
    model.put([make_row(0, size=3 * 2**31), make_row(1, size=999), make_row(2, size=2**31)])
    model.sort(Column.SIZE, Qt.SortOrder.AscendingOrder)
    assert [row.size for row in model.shown_rows] == [999, 2**31, 3 * 2**31]


@pytest.mark.parametrize("falling", [True, False])
def test_equal_titles_stay_in_order_of_date(qtbot: QtBot, falling: bool) -> None:
    model = ChatListModel()
    model.put(make_row(number, title="Same") for number in (4, 0, 3, 1, 2))
    model.set_order(Column.TITLE, falling)
    assert [row.folder for row in model.shown_rows] == [f"Chat000{number}" for number in range(5)]


def test_titles_sort_without_case_and_leading_blanks(qtbot: QtBot) -> None:
    model = ChatListModel()
    model.put([make_row(0, title="banana"), make_row(1, title="  Apple"), make_row(2, title="Cherry")])
    model.set_order(Column.TITLE, False)
    assert titles(model) == ["  Apple", "banana", "Cherry"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", {"A", "B", "C", "D"}),
        ("ALPHA", {"A"}),
        ("number", set()),
        ("developer", {"A"}),
        ("kite-repair", {"B"}),
        ("none", {"C"}),
        ("profile:none", {"C"}),
        ("profile:", {"C"}),
        ("-profile:none", {"A", "B", "D"}),
        ("profile:kite", {"B"}),
        ("project:none", {"A", "B", "C"}),
        ("harbour", {"D"}),
        ("id:chat0001", {"B"}),
        ('"tide gauge"', {"D"}),
        ("gauge tide", {"D"}),
        ("-gauge", {"A", "B", "C"}),
        ('"unclosed', set()),
        ("'", set()),
        ("-", {"B"}),
    ],
)
def test_the_filter_finds_name_profile_project_and_id(qtbot: QtBot, text: str, found: set[str]) -> None:
    model = ChatListModel()
    model.put(
        [
            make_row(0, title="Alpha", name="A"),
            make_row(1, title="Beta", name="B", agents=(AgentRow(0, "kite-repair", 1),)),
            make_row(2, title="Gamma", name="C", agents=(AgentRow(0, "", 1),), agent_profile=""),
            make_row(
                3, title="Tide gauge", name="D", agents=(AgentRow(0, "x", 1),), project="h", project_title="Harbour"
            ),
        ]
    )
    model.set_filter(text)
    assert {row.name for row in model.shown_rows} == found


def test_scopes_narrow_the_list(qtbot: QtBot) -> None:
    other = Path("/elsewhere/tmp/chats")
    model = ChatListModel()
    model.put([make_row(0), make_row(1, type="task"), make_damaged(2), make_row(3, root=other, project="p")])
    for scope, expected in (
        (Scope(ScopeKind.TASKS), 1),
        (Scope(ScopeKind.DAMAGED), 1),
        (Scope(ScopeKind.PROJECT, "p"), 1),
        (Scope(ScopeKind.PROJECT, ""), 2),
        (Scope(ScopeKind.PROFILE, "developer"), 3),
        (Scope(ScopeKind.ROOT, str(other)), 1),
        (Scope(), 4),
    ):
        model.set_scope(scope)
        assert model.rowCount() == expected, scope


def test_the_same_folder_in_two_roots_is_two_chats(qtbot: QtBot) -> None:
    other = Path("/elsewhere/tmp/chats")
    model = ChatListModel()
    model.put([make_row(0), make_row(0, root=other)])
    assert model.rowCount() == 2
    model.set_labels({make_row(0).root: "usr/chats", other: "tmp/chats"})
    places = {model.index(number, Column.ROOT).data() for number in range(2)}
    assert places == {"usr/chats", "tmp/chats"}


def test_every_cell_has_words_and_hostile_text_stays_on_one_line(qtbot: QtBot) -> None:
    model = ChatListModel()
    model.put(
        [
            make_row(0, title="\n\n<b>bold</b>\u202eevil\x07", first_words="a\nb" * 500, progress="<img src=x>"),
            make_damaged(1),
            make_row(2, state=ChatState.LIVE, agents=tuple(AgentRow(n, f"p{n}", 1) for n in range(40))),
        ]
    )
    for number in range(3):
        for column in Column:
            index = model.index(number, column)
            text = index.data()
            assert isinstance(text, str)
            assert "\n" not in text
            assert "\u202e" not in text
            assert len(text) <= 220
            tip = index.data(Qt.ItemDataRole.ToolTipRole)
            assert "<b>" not in tip
            assert "<img" not in tip
        assert model.index(number, 0).data(Qt.ItemDataRole.AccessibleTextRole)
        assert model.index(number, 0).data(ROW_ROLE) is model.row_at(number)
        assert model.index(number, 0).data(KEY_ROLE) == model.key_at(number)
