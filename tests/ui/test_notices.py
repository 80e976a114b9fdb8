"""Notices, and the errors and results that become one."""

from __future__ import annotations

import logging

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt, QTimer
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from chat_archive.core.entities import ItemResult, OperationResult
from chat_archive.core.errors import Cancelled, StorageError
from chat_archive.ui import translation
from chat_archive.ui.dialogs.report_dialog import ReportDialog
from chat_archive.ui.dialogs.result_dialog import ResultDialog
from chat_archive.ui.messages import QtMessages
from chat_archive.ui.theme import Theme
from chat_archive.ui.views.notice_bar import Notice, NoticeBar, NoticeKind


@pytest.fixture
def bar(theme: Theme, qtbot: QtBot) -> NoticeBar:
    translation.install(QApplication.instance())  # type: ignore[arg-type]
    made = NoticeBar(theme)
    qtbot.addWidget(made)
    return made


@pytest.fixture
def messages(theme: Theme, bar: NoticeBar) -> QtMessages:
    return QtMessages(theme, bar)


def _clock(notice: Notice) -> QTimer:
    found = notice.findChild(QTimer)
    assert isinstance(found, QTimer)
    return found


def _result(good: int, bad: int = 0, undoable: bool = True, stopped: bool = False) -> OperationResult:
    items = [ItemResult("a", True, "Moved.")] * good + [ItemResult("b", False, "The disk is full.")] * bad
    return OperationResult("trash", tuple(items), undoable=undoable, stopped=stopped)


def test_the_bar_is_there_only_with_a_notice(bar: NoticeBar) -> None:
    assert bar.isHidden()
    notice = bar.show_notice("Hello.")
    assert not bar.isHidden()
    notice.close_notice()
    assert bar.isHidden() and bar.notices == ()


def test_a_notice_goes_by_itself_and_a_failure_stays(bar: NoticeBar, qtbot: QtBot) -> None:
    stays = bar.show_notice("It failed.", NoticeKind.ERROR)
    passing = bar.show_notice("It is done.", NoticeKind.DONE)
    assert _clock(passing).isActive() and _clock(passing).interval() > 5000
    assert not _clock(stays).isActive()
    _clock(passing).timeout.emit()
    assert bar.notices == (stays,)


def test_the_clock_rests_under_the_mouse(bar: NoticeBar) -> None:
    notice = bar.show_notice("It is done.", NoticeKind.DONE)
    place = QPointF(5, 5)
    QApplication.sendEvent(notice, QEnterEvent(place, place, place))
    assert not _clock(notice).isActive()
    QApplication.sendEvent(notice, QEvent(QEvent.Type.Leave))
    assert _clock(notice).isActive()
    notice.close_notice()


def test_three_at_most_and_failures_last_longest(bar: NoticeBar) -> None:
    bar.show_notice("failed", NoticeKind.ERROR)
    for number in range(5):
        bar.show_notice(f"done {number}", NoticeKind.DONE)
    assert [notice.text for notice in bar.notices] == ["failed", "done 3", "done 4"]
    bar.clear()


def test_the_same_words_are_not_there_twice(bar: NoticeBar) -> None:
    bar.show_notice("Saved.")
    bar.show_notice("Saved.")
    assert len(bar.notices) == 1
    bar.clear()


def test_only_the_newest_offers_undo(bar: NoticeBar, qtbot: QtBot) -> None:
    first = bar.show_notice("one", undoable=True)
    second = bar.show_notice("two", undoable=True)
    assert first.undo_button is not None and first.undo_button.isHidden()
    assert second.undo_button is not None and not second.undo_button.isHidden()
    with qtbot.waitSignal(bar.undo_requested):
        qtbot.mouseClick(second.undo_button, Qt.MouseButton.LeftButton)
    assert bar.notices == (first,)
    bar.clear()


def test_it_takes_no_focus_and_is_not_modal(bar: NoticeBar) -> None:
    bar.show_notice("Hello.")
    assert not bar.isModal() and bar.focusPolicy() is Qt.FocusPolicy.NoFocus
    bar.clear()


def test_v2_the_words_are_plain_marked_and_bounded(bar: NoticeBar) -> None:
    notice = bar.show_notice("<b>x</b>\u202e" + "W" * 10_000, NoticeKind.ERROR)
    assert "\u202e" not in notice.text and len(notice.text) <= 600
    bar.clear()


def test_a_result_becomes_one_sentence_with_undo_and_details(
    messages: QtMessages, bar: NoticeBar, qtbot: QtBot
) -> None:
    messages.result(_result(297, 3))
    (notice,) = bar.notices
    assert notice.text == "297 chats moved to the trash, 3 failed."
    assert notice.kind is NoticeKind.ERROR
    assert notice.undo_button is not None and notice.details_button is not None
    with qtbot.waitSignal(messages.undo_requested):
        qtbot.mouseClick(notice.undo_button, Qt.MouseButton.LeftButton)


def test_a_single_item_speaks_for_itself(messages: QtMessages, bar: NoticeBar) -> None:
    messages.result(_result(0, 1))
    (notice,) = bar.notices
    assert notice.text == "b: The disk is full."
    assert notice.undo_button is None and notice.details_button is None
    bar.clear()


def test_a_stopped_batch_says_so(messages: QtMessages, bar: NoticeBar) -> None:
    messages.result(_result(2, stopped=True))
    (notice,) = bar.notices
    assert notice.text.startswith("Stopped:")
    assert notice.kind is NoticeKind.WARNING
    bar.clear()


def test_details_open_the_list(messages: QtMessages, bar: NoticeBar, qtbot: QtBot) -> None:
    messages.result(_result(2, 2))
    (notice,) = bar.notices
    assert notice.details_button is not None
    qtbot.mouseClick(notice.details_button, Qt.MouseButton.LeftButton)
    dialogs = [widget for widget in QApplication.topLevelWidgets() if isinstance(widget, ResultDialog)]
    visible = [dialog for dialog in dialogs if dialog.isVisible()]
    assert len(visible) == 1
    visible[0].close()
    bar.clear()


def test_an_archive_error_is_told_with_path_and_next_step(messages: QtMessages, bar: NoticeBar) -> None:
    messages.error(StorageError("The disk is full.", path="/data/chats", next_step="Free some space."))
    (notice,) = bar.notices
    assert notice.text == "The disk is full.\n/data/chats\nFree some space."
    assert notice.kind is NoticeKind.ERROR
    bar.clear()


def test_being_stopped_is_no_error(messages: QtMessages, bar: NoticeBar) -> None:
    messages.error(Cancelled())
    (notice,) = bar.notices
    assert notice.kind is NoticeKind.INFO and notice.text.startswith("Stopped.")
    bar.clear()


def test_a_fault_opens_one_report_and_the_log_has_no_words_of_it(
    messages: QtMessages, bar: NoticeBar, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        for _ in range(3):
            messages.error(ValueError("SECRET words"))
    reports = [w for w in QApplication.topLevelWidgets() if isinstance(w, ReportDialog) and w.isVisible()]
    assert len(reports) == 1
    assert reports[0].report.count("ValueError") == 3
    assert "SECRET" not in reports[0].report and "SECRET" not in caplog.text
    assert "unexpected ValueError" in caplog.text
    caplog.clear()
    assert bar.notices == ()
    reports[0].close()


def test_a_notice_is_a_notice(theme: Theme, qtbot: QtBot) -> None:
    notice = Notice(theme, "Hello.", NoticeKind.WARNING)
    qtbot.addWidget(notice)
    assert notice.accessibleName() == "Hello."


def test_a_change_that_cannot_be_undone_takes_the_undo_of_older_notices(messages: QtMessages, bar: NoticeBar) -> None:
    messages.result(_result(1))
    older = bar.notices[0].undo_button
    assert older is not None and not older.isHidden()
    messages.result(OperationResult("rename", (ItemResult("b", True, "Renamed back."),)))
    assert older.isHidden()


def test_an_export_leaves_the_undo_of_an_older_notice(messages: QtMessages, bar: NoticeBar) -> None:
    messages.result(_result(1))
    messages.result(OperationResult("export", (ItemResult("b", True, "It was exported."),)))
    older = bar.notices[0].undo_button
    assert older is not None and not older.isHidden()


def test_what_a_notice_offers_is_done_once_and_the_notice_goes(bar: NoticeBar) -> None:
    done: list[str] = []
    notice = bar.show_notice("Old files.", offer=("Move…", lambda: done.append("moved")))
    assert notice.offer_button is not None and notice.offer_button.text() == "Move…"
    notice.offer_button.click()
    assert done == ["moved"] and bar.notices == ()


def test_the_keyboard_is_handed_on_when_its_notice_goes(bar: NoticeBar, qtbot: QtBot) -> None:
    bar.show_notice("Still there.", NoticeKind.ERROR)
    notice = bar.show_notice("Moved.", undoable=True)
    bar.show()
    bar.activateWindow()
    assert notice.undo_button is not None
    notice.undo_button.setFocus()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is notice.undo_button)
    with qtbot.waitSignal(bar.focus_left):
        notice.undo_button.click()
    focused = QApplication.focusWidget()
    if focused is not None:
        focused.clearFocus()
    with qtbot.assertNotEmitted(bar.focus_left):
        bar.notices[0].close_notice()
