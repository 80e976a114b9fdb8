"""Every model of the detail area behaves as Qt wants: empty, filled, while it changes."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from msgspec import Raw
from PySide6.QtCore import QModelIndex, Qt

from chat_archive.core.entities import ChatFile
from chat_archive.core.formats import read_context
from chat_archive.core.model.context import AgentContext
from chat_archive.core.model.log import LogItem
from chat_archive.core.transcript import Transcript, build
from chat_archive.core.transcript_text import PAGE
from chat_archive.ui.models.agents_model import AgentsModel
from chat_archive.ui.models.agents_model import Column as AgentColumn
from chat_archive.ui.models.files_model import Column as FileColumn
from chat_archive.ui.models.files_model import FilesModel
from chat_archive.ui.models.history_model import HistoryModel, NodeKind, nodes_of
from chat_archive.ui.models.json_model import JsonModel
from chat_archive.ui.models.log_model import Column, LogModel, keys_of, matching
from chat_archive.ui.models.transcript_model import Part, TranscriptModel
from chat_archive.ui.theme import Theme
from chat_archive.ui.views.detail_loading import AgentFacts
from tests.builders import bulk, chat, history, item, message, text_of, topic


def context_of(made: dict[str, Any]) -> AgentContext:
    return read_context(text_of(made), folder="Chat0001")


def long_chat() -> AgentContext:
    logs = [
        item(0, "user", "q" * (PAGE * 2 + 10)),
        item(1, "tool", "r" * (PAGE + 10), kvps={"_tool_name": "x", "a": 1}),
        item(2, "util", "memory"),
        item(3, "response", "# Yes\n\nit is"),
        item(4, "error", "Traceback"),
    ]
    return context_of(chat(logs=logs))


class TestTranscriptModel:
    def test_empty_filled_and_changing(self, qtmodeltester: Any, qapp: Any) -> None:
        model = TranscriptModel()
        qtmodeltester.check(model)
        model.set_transcript(build(long_chat()))
        for number in (0, 1, 2, 3):
            model.toggle(number)
        model.set_background_shown(True)
        model.toggle(0)
        model.set_transcript(Transcript([], {}, 0))
        assert model.rowCount() == 0

    def test_opening_a_step_shows_its_body_and_closing_hides_it(self, qapp: Any) -> None:
        model = TranscriptModel()
        model.set_transcript(build(long_chat()))
        parts = [row.part for row in model.rows]
        assert parts == [Part.TEXT, Part.MORE, Part.LINE, Part.TEXT, Part.TEXT]
        model.toggle(2)
        assert [row.part for row in model.rows][2:5] == [Part.LINE, Part.BODY, Part.MORE]
        model.toggle(2)
        assert [row.part for row in model.rows] == parts

    def test_show_more_shows_page_after_page_until_all_is_there(self, qapp: Any) -> None:
        model = TranscriptModel()
        model.set_transcript(build(long_chat()))
        model.toggle(1)
        assert [row.part for row in model.rows][:3] == [Part.TEXT, Part.TEXT, Part.MORE]
        model.toggle(2)
        assert [row.part for row in model.rows][:4] == [Part.TEXT, Part.TEXT, Part.TEXT, Part.LINE]
        assert "".join(model.text(model.row(number)) for number in range(3)) == "q" * (PAGE * 2 + 10)

    def test_background_steps_are_hidden_until_asked_for(self, qapp: Any) -> None:
        model = TranscriptModel()
        model.set_transcript(build(long_chat()))
        hidden = model.rowCount()
        model.set_background_shown(True)
        assert model.rowCount() == hidden + 1

    def test_reveal_opens_what_hides_a_page(self, qapp: Any) -> None:
        model = TranscriptModel()
        model.set_transcript(build(long_chat()))
        user, tool, util = model.transcript.entries[:3]
        row = model.row(model.reveal(tool, 1))
        assert (row.entry, row.part, row.page) == (tool, Part.BODY, 1)
        row = model.row(model.reveal(user, 2))
        assert (row.entry, row.page) == (user, 2)
        assert model.row(model.reveal(util, 0)).entry is util
        assert model.background_shown

    def test_every_row_says_something_to_a_screen_reader(self, qapp: Any) -> None:
        model = TranscriptModel()
        model.set_transcript(build(long_chat()))
        model.toggle(2)
        for number in range(model.rowCount()):
            text = model.data(model.index(number), Qt.ItemDataRole.AccessibleTextRole)
            assert isinstance(text, str)
            assert text.strip()
            assert len(text) < 5_000


class TestLogModel:
    def filled(self) -> tuple[LogModel, list[LogItem]]:
        items = list(long_chat().log.items)
        model = LogModel()
        model.set_log(items, lambda number: f"agent {number}", UTC)
        model.set_keys(keys_of(items))
        return model, items

    def test_empty_filled_and_changing(self, qtmodeltester: Any, qapp: Any) -> None:
        qtmodeltester.check(LogModel())
        model, items = self.filled()
        qtmodeltester.check(model)
        for column in Column:
            model.sort(column, Qt.SortOrder.DescendingOrder)
            model.sort(column)
        model.set_keys(keys_of(items)[:2])
        model.set_log((), str, None)
        assert model.rowCount() == 0

    def test_sorting_by_each_column_orders_the_rows(self, qapp: Any) -> None:
        model, _ = self.filled()
        model.sort(Column.TYPE)
        kinds = [model.index(row, Column.TYPE).data() for row in range(model.rowCount())]
        assert kinds == sorted(kinds)
        model.sort(Column.NUMBER, Qt.SortOrder.DescendingOrder)
        assert [model.item(row).index for row in range(3)] == [4, 3, 2]

    def test_words_are_found_in_heading_text_and_values(self) -> None:
        logs = [
            item(0, "a", "Needle"),
            item(1, "b", heading="a nEEdle"),
            item(2, "c", kvps={"k": ["needle"]}),
            item(3, "d"),
        ]
        items = context_of(chat(logs=logs)).log.items
        assert [key.index for key in matching(items, keys_of(items), "needle")] == [0, 1, 2]

    def test_odd_numbers_and_times_do_not_break_the_order(self, qapp: Any) -> None:
        logs = [item(None, "a"), item("x", "b"), item(1e300, "c"), item(2, "d", timestamp="never")]
        items = context_of(chat(logs=logs)).log.items
        model = LogModel()
        model.set_log(items, str, None)
        model.set_keys(keys_of(items))
        for column in Column:
            model.sort(column)
            assert model.rowCount() == 4
            for row in range(4):
                assert isinstance(model.index(row, column).data(), str)


class TestHistoryModel:
    def past(self) -> str:
        return history(
            [message("now")],
            topics=[topic([message("one"), message("two", ai=True)], summary="told")],
            bulks=[bulk([topic([message("old")]), bulk([message("oldest", ai=True)])])],
        )

    def test_empty_filled_and_changing(self, qtmodeltester: Any, theme: Theme) -> None:
        model = HistoryModel(theme)
        qtmodeltester.check(model)
        agents = [{"number": 0, "data": {}, "history": self.past()}]
        model.set_nodes(nodes_of(context_of(chat(agents=agents)).agents[0].history))
        qtmodeltester.check(model)
        model.set_nodes([])
        qtmodeltester.check(model)

    def test_the_tree_is_in_reading_order_with_folders(self, theme: Theme) -> None:
        agents = [{"number": 0, "data": {}, "history": self.past()}]
        nodes = nodes_of(context_of(chat(agents=agents)).agents[0].history)
        tops = [node for node in nodes if node.parent is None]
        assert [node.kind for node in tops] == [NodeKind.BULK, NodeKind.TOPIC, NodeKind.CURRENT]
        assert [node.text for node in nodes if node.kind is NodeKind.MESSAGE] == ["old", "oldest", "one", "two", "now"]
        assert tops[1].summary == "told"
        assert [node.place for node in tops] == [0, 1, 2]

    def test_d45_deep_bulks_are_walked_without_recursion(self, theme: Theme) -> None:
        inner: Any = topic([message("deep")])
        for _ in range(90):
            inner = bulk([inner])
        agents = [{"number": 0, "data": {}, "history": history(bulks=[inner])}]
        nodes = nodes_of(context_of(chat(agents=agents)).agents[0].history)
        assert sum(node.kind is NodeKind.MESSAGE for node in nodes) == 1
        assert len(nodes) > 90


def child(model: JsonModel, parent: QModelIndex, key: str) -> QModelIndex:
    """The branch below `parent` with that key."""
    if model.canFetchMore(parent):
        model.fetchMore(parent)
    rows = [model.index(row, 0, parent) for row in range(model.rowCount(parent))]
    return next(index for index in rows if index.data() == key)


class TestJsonModel:
    @pytest.mark.parametrize(
        "part", [{}, Raw(text_of(chat())), {"a": float("nan"), "b": [1, {"c": None}]}], ids=["empty", "chat", "decoded"]
    )
    def test_every_state_is_sound(self, qtmodeltester: Any, theme: Theme, part: object) -> None:
        # one model each: Qt's tester fetches inside a reset and then blames the model for the rows that came
        model = JsonModel(theme)
        model.set_part(part)
        qtmodeltester.check(model)
        for row in range(model.rowCount()):
            index = model.index(row, 0)
            if model.canFetchMore(index):
                model.fetchMore(index)

    def test_another_document_takes_the_place_of_the_first(self, theme: Theme) -> None:
        model = JsonModel(theme)
        model.set_part({"a": [1]})
        model.fetchMore(model.index(0, 0))
        model.set_part({"b": 1, "c": 2})
        assert [model.index(row, 0).data() for row in range(model.rowCount())] == ["b", "c"]
        model.set_part({})
        assert model.rowCount() == 0

    @pytest.mark.parametrize("spelled", ["0", "1", "1.0", "true", "false", "null", "10000000000000000001", "NaN"])
    def test_a_value_is_shown_as_the_file_spells_it(self, theme: Theme, spelled: str) -> None:
        model = JsonModel(theme)
        model.set_part(Raw(('{"a": ' + spelled + "}").encode()))
        assert model.index(0, 1).data() == spelled

    def test_branches_are_decoded_when_they_are_opened(self, theme: Theme) -> None:
        model = JsonModel(theme)
        model.set_part(Raw(json.dumps({"a": {"b": [1, 2]}}).encode()))
        a = model.index(0, 0)
        assert model.rowCount(a) == 0
        assert model.hasChildren(a)
        model.fetchMore(a)
        b = model.index(0, 0, a)
        model.fetchMore(b)
        assert model.path(model.index(1, 0, b)) == "a.b[1]"
        assert model.value_text(model.index(1, 0, b)) == "2"
        assert model.index(0, 0, b).parent() == b

    def test_the_text_of_a_history_opens_as_json(self, theme: Theme) -> None:
        model = JsonModel(theme)
        model.set_part(Raw(text_of(chat())))
        agents = child(model, QModelIndex(), "agents")
        agent = child(model, agents, "[0]")
        past = child(model, agent, "history")
        model.fetchMore(past)
        keys = [model.index(row, 0, past).data() for row in range(model.rowCount(past))]
        assert keys == ["_cls", "counter", "bulks", "topics", "current"]

    def test_long_values_are_cut_with_their_rest_counted(self, theme: Theme) -> None:
        model = JsonModel(theme)
        model.set_part(Raw(json.dumps({"a": "x" * 5_000, "b": "y" * 100_000}).encode()))
        short, long = model.index(0, 1).data(), model.index(1, 1).data()
        assert "+4,800 characters" in short
        assert "bytes" in long
        assert len(short) < 300
        assert len(long) < 300
        assert model.value_text(model.index(1, 0)) == "y" * 100_000

    def test_long_lists_come_in_slices(self, theme: Theme) -> None:
        model = JsonModel(theme)
        model.set_part(Raw(json.dumps(list(range(2_500))).encode()))
        assert model.rowCount() == 1_000
        model.fetchMore(QModelIndex())
        model.fetchMore(QModelIndex())
        assert model.rowCount() == 2_500
        assert not model.canFetchMore(QModelIndex())


def facts(place: int, **more: Any) -> AgentFacts:
    agent = context_of(chat()).agents[0]
    values: dict[str, Any] = {
        "agent": agent, "place": place, "number": place, "profile": "p", "own_profile": True, "messages": 1000,
        "topics": 2, "bulks": 0, "tokens": 5, "responses": 0, "streaming": False, "call": None,
    }  # fmt: skip
    return AgentFacts(**(values | more))


def test_agents_model(qtmodeltester: Any, theme: Theme) -> None:
    model = AgentsModel(theme)
    qtmodeltester.check(model)
    model.set_agents([facts(0), facts(1, streaming=True, own_profile=False)])
    qtmodeltester.check(model)
    assert model.index(0, AgentColumn.MESSAGES).data() == "1,000"
    assert model.index(1, AgentColumn.STATE).data() == "acted last"
    assert "the chat's" in model.index(1, AgentColumn.PROFILE).data()


def test_files_model(qtmodeltester: Any, theme: Theme) -> None:
    model = FilesModel(theme)
    qtmodeltester.check(model)
    when = datetime(2026, 3, 2, tzinfo=UTC)
    files = [
        ChatFile("chat.json", 10_000, when, "chat"),
        ChatFile("messages/2.txt", 600, when, "message"),
        ChatFile("messages/1.txt", 0, None, "message", missing=True),
        ChatFile("evil\n\u202ename", 1, None, "other"),
    ]
    model.set_files(files, UTC)
    qtmodeltester.check(model)
    assert "missing" in model.index(2, FileColumn.NOTE).data().lower()
    assert "\n" not in model.index(3, FileColumn.NAME).data()
    assert "\u202e" not in model.index(3, FileColumn.NAME).data()
    for column in FileColumn:
        model.sort(column, Qt.SortOrder.DescendingOrder)
    model.sort(FileColumn.SIZE)
    assert model.file(3).relative == "chat.json"


@pytest.mark.parametrize("value", [{}, [], "text", 3, None, True])
def test_a_document_of_any_shape_has_a_tree(value: object, theme: Theme) -> None:
    model = JsonModel(theme)
    model.set_part(Raw(json.dumps(value).encode()))
    assert model.rowCount() == 0
