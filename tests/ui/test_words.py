from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from chat_archive.core.entities import ImportClass, ItemResult, OnConflict, OperationResult
from chat_archive.core.errors import StorageError
from chat_archive.ui import translation, words
from tests.ui.dialogs.samples import item

NOW = datetime(2026, 3, 4, 15, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _english(qapp: QApplication) -> None:
    translation.install(qapp)
    QLocale.setDefault(QLocale("en_US"))


@pytest.mark.parametrize(
    ("ago", "text"),
    [
        (timedelta(seconds=5), "just now"),
        (timedelta(minutes=1), "1 min ago"),
        (timedelta(minutes=59), "59 min ago"),
        (timedelta(hours=2), "2 h ago"),
        (timedelta(hours=20), "yesterday"),
        (timedelta(days=1, hours=14), "yesterday"),
        (timedelta(days=2), "2 Mar"),
        (timedelta(days=200), "16 Aug 2025"),
        (timedelta(hours=-5), "in 5 h"),
        (timedelta(minutes=-12), "in 12 min"),
        (timedelta(days=-1, hours=-3), "tomorrow"),
    ],
)
def test_times_are_said_as_people_say_them(ago: timedelta, text: str) -> None:
    assert words.relative_time(NOW - ago, NOW, UTC) == text


def test_yesterday_is_a_day_of_the_readers_zone() -> None:
    when = datetime(2026, 3, 3, 22, 0, tzinfo=UTC)
    now = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)
    assert words.relative_time(when, now, UTC) == "yesterday"
    assert words.relative_time(when, now, ZoneInfo("Asia/Tokyo")) == "14 h ago"


def test_an_evening_just_past_midnight_is_hours_ago() -> None:
    now = datetime(2026, 3, 4, 1, 0, tzinfo=UTC)
    assert words.relative_time(now - timedelta(hours=3), now, UTC) == "3 h ago"


def test_an_unknown_time_is_said_to_be_unknown() -> None:
    assert words.relative_time(None) == "unknown"
    assert words.exact_time(None) == "unknown"


def test_exact_times_are_in_the_readers_zone() -> None:
    when = datetime(2026, 3, 2, 9, 30, 15, tzinfo=UTC)
    assert words.exact_time(when, UTC) == "2 Mar 2026, 09:30"
    assert words.exact_time(when, ZoneInfo("Asia/Tokyo"), seconds=True) == "2 Mar 2026, 18:30:15"


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (0, "0 bytes"),
        (1, "1 byte"),
        (999, "999 bytes"),
        (1000, "1 kB"),
        (494_812, "495 kB"),
        (999_499, "999 kB"),
        (999_600, "1.0 MB"),
        (3_900_000, "3.9 MB"),
        (61_400_000, "61 MB"),
        (1_500_000_000, "1.5 GB"),
    ],
)
def test_sizes_go_in_steps_of_a_thousand(size: int, text: str) -> None:
    assert words.size_text(size) == text


def test_numbers_take_the_separators_of_the_locale() -> None:
    assert words.chats_text(12_345) == "12,345 chats"
    QLocale.setDefault(QLocale("de_DE"))
    assert words.chats_text(12_345) == "12.345 chats"
    assert words.size_text(3_900_000) == "3,9 MB"
    assert words.number_text(1_000) == "1.000"


def test_durations_are_short() -> None:
    assert [words.duration_text(s) for s in (0, 4.4, 120, 3900, 7200, 260_000)] == [
        "0 s",
        "4 s",
        "2 min",
        "1 h 5 min",
        "2 h",
        "3 d",
    ]


def test_one_is_never_many() -> None:
    assert words.chats_text(1) == "1 chat"
    assert words.chats_text(0) == "0 chats"
    assert words.operation_text("trash", 1) == "Move 1 chat to Trash"
    assert words.undo_label("trash", 12) == "Undo: Move 12 chats to Trash"


def _result(good: int, bad: int = 0, skipped: int = 0, verb: str = "trash", stopped: bool = False) -> OperationResult:
    items = [ItemResult("a", True, "It was done.")] * good
    items += [ItemResult("b", False, "The disk is full.")] * bad
    items += [ItemResult("c", True, "Already there.", skipped=True)] * skipped
    return OperationResult(verb, tuple(items), stopped=stopped)


@pytest.mark.parametrize(
    ("result", "text"),
    [
        (_result(297, 3), "297 chats moved to the trash, 3 failed."),
        (_result(2), "2 chats moved to the trash."),
        (_result(1), "a: It was done."),
        (_result(0, 1), "b: The disk is full."),
        (_result(1, 1, 1, "import"), "1 chat imported, 1 skipped, 1 failed."),
        (_result(0, 3, verb="import"), "0 of 3 imported, 3 failed."),
        (_result(0, 2), "2 failed."),
        (_result(0, 0, 2, "import"), "0 of 2 imported, 2 skipped."),
        (_result(5, 2, stopped=True), "Stopped: 5 chats moved to the trash, 2 failed."),
        (_result(0), "Nothing to do."),
        (_result(2, verb="something new"), "2 chats changed."),
    ],
)
def test_a_result_is_one_true_sentence(result: OperationResult, text: str) -> None:
    assert words.result_sentence(result) == text


def test_what_the_provider_does_not_know_is_told_apart_from_what_it_deleted() -> None:
    states = ["deleted"] * 3 + ["already gone"] * 2 + ["kept because shared", "waiting"]
    skipped = {"kept because shared"}
    items = tuple(ItemResult("r", one != "waiting", "Why.", skipped=one in skipped, state=one) for one in states)
    assert words.result_sentence(OperationResult("provider", items)) == (
        "3 responses deleted at the provider, 2 responses not known at the provider, 1 response kept, "
        "1 response still there."
    )
    assert words.result_sentence(OperationResult("provider", items[-1:] * 2)) == "2 responses still there."


def test_a_remark_is_not_told_twice_and_a_long_title_is_cut() -> None:
    item = ItemResult("t" * 300, True, "It was exported. Damaged.", remarks=("Damaged.", "Large."))
    text = words.result_sentence(OperationResult("export", (item,)))
    assert text.endswith(": It was exported. Damaged. Large.")
    assert len(text) < 100


@pytest.mark.parametrize(
    "verb", ["rename", "trash", "restore", "import", "export", "erase", "remove_messages", "convert"]
)
def test_every_verb_has_its_own_words(verb: str) -> None:
    assert words.result_sentence(_result(2, verb=verb)) != "2 chats changed."
    assert words.operation_text(verb, 2) != "Change 2 chats"


def test_the_report_accounts_for_every_item() -> None:
    report = words.result_report(_result(2, 1, 1))
    assert report.splitlines()[0] == "2 chats moved to the trash, 1 skipped, 1 failed."
    assert "failed\tb\tThe disk is full." in report
    assert "skipped\tc\tAlready there." in report


def test_an_error_says_what_where_and_what_next() -> None:
    error = StorageError("The disk is full.", path="/data/chats", next_step="Free some space.")
    assert words.error_sentences(error) == ["The disk is full.", "/data/chats", "Free some space."]


def test_a_list_of_titles_ends_with_the_number_of_the_others() -> None:
    titles = [f"Chat {n}" for n in range(8)]
    assert words.title_list(titles) == [*titles[:5], "and 3 more"]
    assert words.title_list(titles[:5]) == titles[:5]


@pytest.mark.parametrize("choice", list(OnConflict))
@pytest.mark.parametrize("kind", list(ImportClass))
def test_every_class_has_words_for_every_choice(kind: ImportClass, choice: OnConflict) -> None:
    assert words.import_class_text(kind)
    effect = words.import_effect_text(item(kind), choice)
    assert effect
    if kind in (ImportClass.DAMAGED, ImportClass.NOT_A_CHAT):
        assert effect == "cannot be imported"
