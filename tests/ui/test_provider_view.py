"""The view of responses at the provider: what it says, what it lets through, and what a hand can ask for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from chat_archive.core.entities import Folder
from chat_archive.core.provider.bases import Base
from chat_archive.core.provider.receipts import Receipt, ResponseState
from chat_archive.ui import translation
from chat_archive.ui.dialogs.provider_dialogs import BasesDialog, EnvQuestion, ForgetQuestion, KeyDialog, SharedQuestion
from chat_archive.ui.models.chat_order import PROVIDER
from chat_archive.ui.models.receipts_model import Group, ReceiptColumn, ReceiptLine, ReceiptsModel, state_text
from chat_archive.ui.models.sidebar_model import SidebarCounts, SidebarModel
from chat_archive.ui.theme import Theme
from chat_archive.ui.views.provider_view import ProviderView

THEN = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def line(name: str, state: ResponseState, *, chat: str = "Chat0001", reason: str = "Why.", age: int = 0) -> ReceiptLine:
    return ReceiptLine(
        Path("/data"),
        Receipt(
            entry=f"entry-{name}",
            response_id=name,
            original=name,
            provider="openai",
            model="gpt-5",
            base="https://api.openai.com/v1",
            chats=(Folder(chat),),
            state=state,
            reason=reason,
            noted_at=THEN,
            changed_at=THEN - timedelta(minutes=age),
            attempts=2,
        ),
    )


ALL = [line(f"resp_{state.name.lower()}", state, age=number) for number, state in enumerate(ResponseState)]


@pytest.fixture
def view(theme: Theme, qtbot: QtBot) -> ProviderView:
    translation.install(QApplication.instance())  # type: ignore[arg-type]
    made = ProviderView(theme)
    qtbot.addWidget(made)
    made.resize(1000, 600)
    made.show()
    return made


def select(view: ProviderView, *names: str) -> None:
    view.table.clearSelection()
    for row, one in enumerate(view.model.lines):
        if one.receipt.original in names:
            view.table.selectionModel().select(
                view.model.index(row, 0),
                view.table.selectionModel().SelectionFlag.Select | view.table.selectionModel().SelectionFlag.Rows,
            )


def test_the_model_keeps_the_rules_of_models(theme: Theme, qtmodeltester: ModelTester) -> None:
    model = ReceiptsModel(theme)
    qtmodeltester.check(model)
    model.set_lines(ALL)
    for column in ReceiptColumn:
        model.sort(column, Qt.SortOrder.AscendingOrder)
    model.set_zone(UTC)
    qtmodeltester.check(model)


def test_every_state_has_words_of_its_own_and_its_group(theme: Theme, qapp: QApplication) -> None:
    translation.install(QApplication.instance())  # type: ignore[arg-type]
    assert len({state_text(state) for state in ResponseState}) == len(ResponseState)
    for state in ResponseState:
        assert sum(group.holds(state) for group in (Group.OPEN, Group.DONE, Group.KEPT)) == 1
        assert Group.ALL.holds(state)
    assert state_text(ResponseState.GONE) != state_text(ResponseState.DELETED), "with a wrong key all is not known"


def test_the_sum_says_how_many_are_still_there(view: ProviderView) -> None:
    view.set_lines(ALL)
    assert view.sum.text().startswith("5 of 11 responses still at the provider, 1 gone, 1 not known there, 2 kept")
    view.set_lines([line("resp_a", ResponseState.DELETED)])
    assert "Nothing more is to be deleted at the provider" in view.sum.text()


def test_filter_by_group_and_words(view: ProviderView) -> None:
    view.set_lines([*ALL, line("resp_other", ResponseState.WAITING, chat="Harbour1")])
    view.group.setCurrentIndex(1)
    assert {one.receipt.state for one in view.model.lines} == {state for state in ResponseState if state.open}
    view.field.setText("harbour gpt-5")
    assert [one.receipt.original for one in view.model.lines] == ["resp_other"]
    view.field.setText("nothing has this")
    assert "Nothing found" in [label.text() for label in view.findChildren(QLabel)]


def test_what_is_selected_stays_selected_when_receipts_change(view: ProviderView) -> None:
    view.set_lines(ALL)
    select(view, "resp_no_key")
    view.set_lines([line("resp_new", ResponseState.WAITING), *ALL[1:]])
    assert [one.receipt.original for one in view.selected()] == ["resp_no_key"]
    assert "Response resp_no_key" in view.details.text().replace("\u200b", "")


def test_buttons_ask_for_what_is_selected(view: ProviderView, qtbot: QtBot) -> None:
    view.set_lines(ALL)
    with qtbot.waitSignal(view.retry_requested) as caught:
        view.retry_button.click()
    assert caught.args == [None]
    assert not view.forget_button.isEnabled()
    select(view, "resp_waiting", "resp_deleted")
    with qtbot.waitSignal(view.retry_requested) as caught:
        view.retry_button.click()
    assert {one.receipt.original for one in caught.args[0]} == {"resp_waiting", "resp_deleted"}
    with qtbot.waitSignal(view.forget_requested) as caught:
        view.forget_button.click()
    assert [one.receipt.original for one in caught.args[0]] == ["resp_waiting"], "what is gone cannot be given up"


@pytest.mark.parametrize(("writable", "working"), [(False, False), (True, True)])
def test_nothing_is_sent_twice_or_from_a_root_to_look_at(view: ProviderView, writable: bool, working: bool) -> None:
    view.set_lines(ALL)
    view.set_state(writable=writable, working=working)
    view.table.selectAll()
    assert not view.retry_button.isEnabled()
    assert not view.forget_button.isEnabled()


def test_nothing_more_to_do_leaves_nothing_to_press(view: ProviderView) -> None:
    view.set_lines([line("resp_a", ResponseState.DELETED)])
    assert not view.retry_button.isEnabled()
    assert not view.keys_button.isEnabled()


def test_copy_takes_the_selected_lines_as_a_table(view: ProviderView) -> None:
    view.set_lines(ALL)
    select(view, "resp_gone")
    view.copy_button.click()
    text = QGuiApplication.clipboard().text()
    assert "resp_gone" in text
    assert "resp_deleted" not in text


def test_hostile_words_are_shown_as_they_are(view: ProviderView) -> None:
    evil = "<img src=x onerror=y>\x1b]0;pwn\x07\u202e"
    view.set_lines([line("resp_a", ResponseState.REFUSED, chat=evil, reason=evil)])
    view.table.selectAll()
    assert view.details.textFormat() is Qt.TextFormat.PlainText
    assert "\x1b" not in view.details.text()
    tip = view.model.index(0, ReceiptColumn.REASON).data(Qt.ItemDataRole.ToolTipRole)
    assert "<img" not in tip


def test_the_sidebar_shows_it_only_when_there_is_something(qapp: QApplication) -> None:
    translation.install(QApplication.instance())  # type: ignore[arg-type]
    model = SidebarModel()
    model.show(SidebarCounts(), {}, 0)
    assert model.find(PROVIDER) == -1
    model.show(SidebarCounts(), {}, 0, 2)
    row = model.find(PROVIDER)
    assert model.index(row).data() == "Provider"
    assert model.index(row).data(Qt.ItemDataRole.AccessibleTextRole) == "Provider, 2 responses"


# the questions


def press(dialog: QLabel | object, text: str) -> None:
    assert hasattr(dialog, "findChildren")
    next(one for one in dialog.findChildren(QPushButton) if one.text() == text).click()


def test_giving_up_is_never_the_answer_of_enter(theme: Theme, qtbot: QtBot) -> None:
    translation.install(QApplication.instance())  # type: ignore[arg-type]
    dialog = ForgetQuestion(theme, ALL[:1])
    qtbot.addWidget(dialog)
    assert dialog.heading.text() == "Give up 1 response?"
    assert dialog.lead.text().startswith("It may stay stored")
    assert not dialog.forget_button.isDefault()
    with qtbot.waitSignal(dialog.accepted):
        dialog.forget_button.click()
    shared = SharedQuestion(theme, ALL[:2])
    qtbot.addWidget(shared)
    assert not shared.delete_button.isDefault()
    with qtbot.waitSignal(shared.accepted):
        shared.delete_button.click()


def test_the_question_about_the_env_file_names_it(theme: Theme, qtbot: QtBot) -> None:
    for button, allowed in (("Use the keys", True), ("Do not use them", False)):
        dialog = EnvQuestion(theme, Path("/a0/usr/.env"))
        qtbot.addWidget(dialog)
        assert "/a0/usr/.env" in "".join(one.text() for one in dialog.findChildren(QLabel)).replace("\u200b", "")
        press(dialog, button)
        assert dialog.allowed is allowed


def test_a_key_is_hidden_and_belongs_to_one_base(theme: Theme, qtbot: QtBot) -> None:
    bases = [
        (Base("openai", "openai", "https://api.openai.com/v1", ""), True),
        (Base("xai", "xai", "https://api.x.ai/v1", ""), False),
    ]
    dialog = KeyDialog(theme, bases, False)
    qtbot.addWidget(dialog)
    assert dialog.choice is None
    assert not dialog.use_button.isEnabled()
    field = dialog._field
    assert field.echoMode() is field.EchoMode.Password
    field.setText(" sk-1 ")
    assert dialog.choice is not None
    assert dialog.choice.base_url == "https://api.x.ai/v1", "the one that lacks a key comes first"
    assert dialog.choice.secret.reveal() == "sk-1"
    assert "sk-1" not in repr(dialog.choice)
    assert not dialog._keep.isEnabled()


def test_base_urls_are_checked_while_they_are_typed(theme: Theme, qtbot: QtBot) -> None:
    dialog = BasesDialog(theme, ["openai=https://mine.example/v1"])
    qtbot.addWidget(dialog)
    assert dialog.use_button.isEnabled()
    dialog._field.setPlainText("openai=http://plain.example/v1\n\n")
    assert not dialog.use_button.isEnabled()
    assert "https" in dialog._fault.text()
