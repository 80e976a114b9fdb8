"""The impact sheet: everything that goes is named, three choices that stick, and no key press erases anything."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtWidgets import QApplication, QDialog, QLabel
from pytestqt.qtbot import QtBot

from chat_archive.core.deletion import DeleteChoices
from chat_archive.core.operations.plan import DeletionPlan
from chat_archive.core.settings import Settings
from chat_archive.ui.dialogs.impact_sheet import ImpactSheet
from chat_archive.ui.prompts import DeletionAnswer, QtPrompts
from chat_archive.ui.theme import Theme
from tests.ui.dialogs.samples import CHINESE, picture_plan, plan, planned, response, row, rows, task

THREE = [row(), row(CHINESE), row("Weekly water report")]
Open = Callable[..., ImpactSheet]


@pytest.fixture
def open_sheet(theme: Theme, qtbot: QtBot) -> Open:
    def make(count: int = 3, made: DeletionPlan | None = None, **choices: object) -> ImpactSheet:
        shown_rows = THREE[:count] if count <= 3 else rows(count)
        sheet = ImpactSheet(theme, shown_rows, DeleteChoices(**choices), 30)  # type: ignore[arg-type]
        qtbot.addWidget(sheet)
        sheet.show()
        if made is not None:
            sheet.set_plans([made])
        QApplication.processEvents()
        return sheet

    return make


def words(sheet: ImpactSheet) -> str:
    return "\n".join(label.text().replace("\u200b", "") for label in sheet.findChildren(QLabel) if not label.isHidden())


def press_enter(sheet: ImpactSheet, qtbot: QtBot) -> bool:
    qtbot.keyClick(sheet.focusWidget() or sheet, Qt.Key.Key_Return)
    return sheet.result() == int(QDialog.DialogCode.Accepted)


# what is said


def test_the_sheet_says_what_the_picture_says(open_sheet: Open) -> None:
    sheet = open_sheet(made=picture_plan())
    text = words(sheet)
    for part in (
        "Move 3 chats to Trash?",
        "They stay in the archive's trash for 30 days and come back with Undo.",
        "Nothing is erased now, here or at the provider.",
        "5.1 MB in 69 files, 2 earlier versions (backups)",
        "17 responses at openai",
        "2 of them are also used by “Tide gauge (branch)”",
        "“Weekly water report”, every Monday 08:00",
        "It may write a chat back; you will be told.",
        "Also delete the 15 responses stored at the provider when the trash is emptied",
        "2 that other chats use are kept.",
        "Also remove the scheduled task bound to it",
    ):
        assert part in text
    assert sheet.proceed.text() == "Move 3 chats to Trash"


def test_it_is_there_at_once_and_says_what_is_still_counted(open_sheet: Open) -> None:
    sheet = open_sheet()
    assert sheet.counting
    assert words(sheet).count("counting…") == 3
    assert sheet.proceed.isEnabled()
    sheet.set_plans([picture_plan()])
    assert "counting…" not in words(sheet)


def test_erasing_waits_for_the_whole_picture(open_sheet: Open) -> None:
    sheet = open_sheet(for_good=True)
    assert not sheet.proceed.isEnabled()
    assert "waits until all is counted" in words(sheet)
    sheet.set_plans([picture_plan()])
    assert sheet.proceed.isEnabled()
    assert sheet.proceed.text() == "Erase 3 chats for good"


def test_what_could_not_be_counted_is_said_and_can_only_go_to_the_trash(open_sheet: Open) -> None:
    sheet = open_sheet()
    sheet.set_failed("The disk reported an error.")
    assert "The disk reported an error." in words(sheet)
    assert "counting…" not in words(sheet)
    assert sheet.proceed.isEnabled()
    sheet.for_good.box.click()
    assert not sheet.proceed.isEnabled()


def test_nothing_that_can_go_leaves_nothing_to_press(open_sheet: Open) -> None:
    sheet = open_sheet(1, plan(refused=(("Gone", "There is no such chat."),)))
    assert not sheet.proceed.isEnabled()
    assert "There is no such chat." in words(sheet)


def test_for_good_the_words_say_so_everywhere(open_sheet: Open) -> None:
    sheet = open_sheet(made=picture_plan())
    sheet.for_good.box.click()
    text = words(sheet)
    assert "Erase 3 chats for good?" in text
    assert "cannot be brought back" in text
    assert "when the trash is emptied" not in text


def test_when_the_settings_say_at_trashing_the_sheet_says_now(open_sheet: Open) -> None:
    text = words(open_sheet(made=picture_plan(), cascade_when="trashing"))
    assert "What is stored at the provider is deleted now" in text
    assert "when the trash is emptied" not in text


# the three choices


def test_the_remembered_choices_stand_ticked(open_sheet: Open) -> None:
    chosen = DeleteChoices(for_good=True, provider="keep", tasks="remove")
    sheet = open_sheet(made=picture_plan(), for_good=True, provider="keep", tasks="remove")
    assert sheet.choices == chosen


def test_each_tick_is_in_the_answer(open_sheet: Open) -> None:
    sheet = open_sheet(made=picture_plan())
    assert sheet.choices == DeleteChoices()
    for tick in (sheet.for_good, sheet.even_shared, sheet.tasks):
        tick.box.click()
    assert sheet.choices == DeleteChoices(for_good=True, keep_shared=False, tasks="remove")
    sheet.provider.box.click()
    assert sheet.choices.provider == "keep"
    assert sheet.choices.keep_shared, "what is kept anyway is not sent because others use it"


def test_the_number_follows_the_ticks(open_sheet: Open) -> None:
    sheet = open_sheet(made=picture_plan())
    sheet.even_shared.box.click()
    assert "Also delete the 17 responses" in words(sheet)


def test_a_click_on_the_words_is_a_click_on_the_box(open_sheet: Open, qtbot: QtBot) -> None:
    sheet = open_sheet(made=picture_plan())
    before = sheet.tasks.checked
    qtbot.mouseClick(sheet.tasks, Qt.MouseButton.LeftButton, pos=sheet.tasks.words.pos() + QPoint(20, 5))
    assert sheet.tasks.checked is not before


def test_d77_a_chat_that_says_no_is_off_explained_and_can_be_overruled(open_sheet: Open) -> None:
    reason = (
        "responses_delete_on_chat_delete is false in agent 1 of the chain, so the responses of the whole chat are kept."
    )
    sheet = open_sheet(1, plan(planned(responses=(response(),), disabled=reason)))
    assert not sheet.provider.box.isEnabled()
    assert not sheet.provider.checked
    assert "says itself to keep them" in words(sheet)
    assert "agent 1 of the chain" in words(sheet)
    assert not sheet.choices.overrule
    sheet.overrule.box.click()
    assert sheet.choices.overrule
    assert sheet.choices.provider == "delete"


def test_d77_among_others_only_that_chat_is_kept(open_sheet: Open) -> None:
    made = plan(planned(responses=(response("a"),)), planned(CHINESE, responses=(response("b"),), disabled="No."))
    sheet = open_sheet(2, made)
    assert sheet.provider.box.isEnabled()
    assert "Also delete the 1 response stored" in words(sheet)
    assert f"“{CHINESE}” says itself to keep them." in words(sheet)
    sheet.overrule.box.click()
    assert "Also delete the 2 responses stored" in words(sheet)
    sheet.provider.box.click()
    assert sheet.choices.provider == "keep"
    assert not sheet.choices.overrule


def test_what_a_chat_makes_impossible_does_not_change_what_is_remembered(open_sheet: Open) -> None:
    sheet = open_sheet(1, plan(planned()), provider="delete", tasks="remove")
    assert not sheet.provider.box.isEnabled()
    assert not sheet.tasks.box.isEnabled()
    assert "Nothing of it is stored at a provider." in words(sheet)
    assert "No scheduled task is bound to it." in words(sheet)
    assert sheet.choices == DeleteChoices(provider="delete", tasks="remove")


# keys


def test_one_chat_to_the_trash_goes_with_enter(open_sheet: Open, qtbot: QtBot) -> None:
    assert press_enter(open_sheet(1, plan(planned())), qtbot)


@pytest.mark.parametrize("count", [2, 3, 31, 500])
def test_enter_never_means_yes_to_more_than_one(open_sheet: Open, qtbot: QtBot, count: int) -> None:
    assert not press_enter(open_sheet(count, picture_plan()), qtbot)


def test_enter_never_erases_not_even_one(open_sheet: Open, qtbot: QtBot) -> None:
    sheet = open_sheet(1, plan(planned()))
    sheet.for_good.box.click()
    assert not press_enter(sheet, qtbot)


def test_above_thirty_the_button_stands_apart(open_sheet: Open) -> None:
    many, few = open_sheet(31), open_sheet(30)
    assert few.footer.indexOf(few.proceed) >= 0
    assert many.footer.indexOf(many.proceed) < 0
    assert "31 chats go at once" in words(many)


def test_every_choice_has_a_name_and_its_sentence_for_a_screen_reader(open_sheet: Open) -> None:
    sheet = open_sheet(made=plan(planned(responses=(response(shared="Other"),), tasks=(task(),), disabled="")))
    for tick in (sheet.to_trash, sheet.for_good, sheet.provider, sheet.even_shared, sheet.tasks):
        assert tick.box.accessibleName() == tick.words.text() != ""
        assert tick.box.accessibleDescription() == tick.sentence.text() != ""


# the question


def ask(
    theme: Theme, press: Callable[[ImpactSheet], None], settings: Settings, count: int = 3
) -> tuple[DeletionAnswer | None, list[str]]:
    events: list[str] = []

    def plans(done: Callable[[Sequence[DeletionPlan]], None], _failed: object) -> Callable[[], None]:
        events.append("begun")
        done([picture_plan()])
        return lambda: events.append("stopped")

    def answer() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, ImpactSheet)
        press(dialog)

    QTimer.singleShot(0, answer)
    return QtPrompts(theme, lambda: settings).choose_deletion(THREE[:count], plans), events


def test_the_answer_holds_choices_and_plans_and_the_counting_is_stopped(theme: Theme, qtbot: QtBot) -> None:
    settings = Settings(provider_responses="keep", task_choice="remove")
    answer, events = ask(theme, lambda sheet: sheet.proceed.click(), settings)
    assert answer is not None
    assert answer.choices == DeleteChoices(provider="keep", tasks="remove")
    assert [one.files for one in answer.plans] == [69]
    assert events == ["begun", "stopped"]


def test_backing_out_is_no_answer(theme: Theme, qtbot: QtBot) -> None:
    answer, events = ask(theme, lambda sheet: sheet.cancel.click(), Settings())
    assert answer is None
    assert events == ["begun", "stopped"]


def test_one_chat_goes_unasked_where_that_was_set_but_never_for_good(theme: Theme, qtbot: QtBot) -> None:
    never = lambda *_: pytest.fail("asked")  # noqa: E731
    prompts = QtPrompts(theme, lambda: Settings(confirm_trash=False, provider_responses="keep"))
    answer = prompts.choose_deletion(THREE[:1], never)
    assert answer == DeletionAnswer(DeleteChoices(provider="keep"))
    settings = Settings(confirm_trash=False, delete_for_good=True)
    assert ask(theme, lambda sheet: sheet.reject(), settings, 1)[0] is None
