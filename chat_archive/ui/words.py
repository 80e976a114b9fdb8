"""Times, sizes, counts and results in the words of the screen. No widget here.

Instants come in aware, in UTC; a zone of None is the system's. Sizes are bytes and are shown in steps of 1,000.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta, tzinfo

from PySide6.QtCore import QCoreApplication, QDate, QLocale

from chat_archive.core.entities import ImportClass, ImportItem, ItemResult, OnConflict, OperationResult
from chat_archive.core.errors import ArchiveError
from chat_archive.core.model.titles import one_line
from chat_archive.core.provider.receipts import ResponseState
from chat_archive.ui.translation import words_locale

translate = QCoreApplication.translate
_NAME_LIMIT = 60  # of a chat in a sentence
_MINUTE, _HOUR = 60, 3600
_UNITS = ("kB", "MB", "GB", "TB", "PB")


# times


def local(when: datetime, zone: tzinfo | None = None) -> datetime:
    """The wall time a person reads, in `zone` or the system's."""
    return when.astimezone(zone)


def day_text(day: date, today: date) -> str:
    """ "3 Mar", with the year when it is not this one."""
    shape = (
        translate("words", "d MMM", "a day of this year")
        if day.year == today.year
        else translate("words", "d MMM yyyy", "a day of another year")
    )
    return words_locale().toString(QDate(day.year, day.month, day.day), shape)


def relative_time(when: datetime | None, now: datetime | None = None, zone: tzinfo | None = None) -> str:
    """ "2 h ago", "yesterday", "3 Mar", "3 Mar 2025"; "unknown" for None. A time ahead says "in 5 h"."""
    if when is None:
        return translate("words", "unknown", "a time")
    now = now or datetime.now(UTC)
    seconds = int((now - when).total_seconds())
    today, day = local(now, zone).date(), local(when, zone).date()
    if seconds < 0:
        return _ahead(-seconds, day, today)
    if seconds < _MINUTE:
        return translate("words", "just now")
    if seconds < _HOUR:
        return translate("words", "%Ln min ago", "", seconds // _MINUTE)
    if day == today or seconds < 6 * _HOUR:
        return translate("words", "%Ln h ago", "", seconds // _HOUR)
    if day == today - timedelta(days=1):
        return translate("words", "yesterday")
    return day_text(day, today)


def _ahead(seconds: int, day: date, today: date) -> str:
    if seconds < _MINUTE:
        return translate("words", "just now")
    if seconds < _HOUR:
        return translate("words", "in %Ln min", "", seconds // _MINUTE)
    if day == today or seconds < 24 * _HOUR:
        return translate("words", "in %Ln h", "", seconds // _HOUR)
    if day == today + timedelta(days=1):
        return translate("words", "tomorrow")
    return day_text(day, today)


def exact_time(when: datetime | None, zone: tzinfo | None = None, *, seconds: bool = False) -> str:
    """ "2 Mar 2026, 09:30" in the zone, for tool tips and details; "unknown" for None."""
    if when is None:
        return translate("words", "unknown", "a time")
    wall = local(when, zone)
    day = exact_day(when, zone)
    clock = wall.strftime("%H:%M:%S" if seconds else "%H:%M")
    return translate("words", "{day}, {clock}", "date and time").format(day=day, clock=clock)


def exact_day(when: datetime, zone: tzinfo | None = None) -> str:
    """ "2 Mar 2026" in the zone."""
    day = local(when, zone)
    shape = translate("words", "d MMM yyyy", "a date")
    return words_locale().toString(QDate(day.year, day.month, day.day), shape)


def duration_text(seconds: float) -> str:
    """ "4 s", "2 min", "1 h 5 min", "3 d"."""
    whole = max(0, round(seconds))
    if whole < _MINUTE:
        return translate("words", "%Ln s", "a duration in seconds", whole)
    if whole < _HOUR:
        return translate("words", "%Ln min", "a duration in minutes", whole // _MINUTE)
    hours, minutes = whole // _HOUR, whole % _HOUR // _MINUTE
    if hours >= 48:
        return translate("words", "%Ln d", "a duration in days", hours // 24)
    if not minutes:
        return translate("words", "%Ln h", "a duration in hours", hours)
    return translate("words", "{hours} h {minutes} min").format(hours=hours, minutes=minutes)


# sizes and numbers


def number_text(value: int) -> str:
    """With the locale's separators."""
    return QLocale().toString(value)


def size_text(size: int) -> str:
    """ "812 bytes", "495 kB", "3.9 MB": steps of 1,000, one decimal below ten."""
    if size < 1000:
        return translate("words", "%Ln byte(s)", "", max(0, size))
    value = float(size)
    unit = ""
    for unit in _UNITS:  # noqa: B007 - the last one stays when a size is beyond all of them
        value /= 1000
        if value < 999.5:
            break
    decimals = 1 if value < 9.95 and unit != "kB" else 0
    return translate("words", "{number} {unit}", "a size").format(
        number=QLocale().toString(value, "f", decimals), unit=unit
    )


def size_exact(size: int) -> str:
    """ "494,812 bytes", for tool tips."""
    return translate("words", "%Ln byte(s)", "", size)


# counts


def chats_text(count: int) -> str:
    return translate("words", "%Ln chat(s)", "", count)


def files_text(count: int) -> str:
    return translate("words", "%Ln file(s)", "", count)


def log_items_text(count: int) -> str:
    return translate("words", "%Ln log item(s)", "", count)


def messages_text(count: int) -> str:
    return translate("words", "%Ln message(s)", "", count)


def agents_text(count: int) -> str:
    return translate("words", "%Ln agent(s)", "", count)


def responses_text(count: int) -> str:
    return translate("words", "%Ln response(s)", "", count)


def days_text(count: int) -> str:
    return translate("words", "%Ln day(s)", "", count)


def characters_more(count: int) -> str:
    return translate("words", "+%Ln character(s)", "", count)


def sum_text(chats: int, size: int) -> str:
    """ "98 chats, 14 MB"."""
    return translate("words", "{chats}, {size}").format(chats=chats_text(chats), size=size_text(size))


def title_list(titles: Sequence[str], limit: int = 5) -> list[str]:
    """The first `limit` titles, and a line that counts the others."""
    lines = list(titles[:limit])
    if len(titles) > limit:
        lines.append(translate("words", "and %Ln more", "", len(titles) - limit))
    return lines


# operations


def operation_text(verb: str, count: int) -> str:
    """What an operation is called, for "Undo …", jobs and buttons: "Move 3 chats to Trash"."""
    texts = {
        "rename": translate("words", "Rename %Ln chat(s)", "", count),
        "trash": translate("words", "Move %Ln chat(s) to Trash", "", count),
        "restore": translate("words", "Restore %Ln chat(s)", "", count),
        "import": translate("words", "Import %Ln chat(s)", "", count),
        "export": translate("words", "Export %Ln chat(s)", "", count),
        "erase": translate("words", "Erase %Ln chat(s) for good", "", count),
        "tidy": translate("words", "Tidy away %Ln thing(s)", "", count),
        "remove_messages": translate("words", "Remove the message files of %Ln chat(s)", "", count),
        "convert": translate("words", "Move %Ln old chat(s) into folders", "", count),
        "provider": translate("words", "Delete %Ln response(s) at the provider", "", count),
        "provider_forget": translate("words", "Give up %Ln response(s)", "", count),
    }
    return texts.get(verb) or translate("words", "Change %Ln chat(s)", "", count)


def undo_label(verb: str, count: int) -> str:
    return translate("words", "Undo: {what}").format(what=operation_text(verb, count))


def result_sentence(result: OperationResult) -> str:
    """One sentence for the sum: "297 chats moved to the trash, 3 failed." A single item speaks for itself."""
    if len(result.items) == 1 and not result.stopped:
        item = result.items[0]
        text = item_sentences(item)
        if not item.item:
            return text
        return translate("words", "{chat}: {what}").format(chat=one_line(item.item, _NAME_LIMIT), what=text)
    done, failed = len(result.done), len(result.failed)
    skipped = sum(1 for item in result.items if item.ok and item.skipped)
    if not result.items:
        return translate("words", "Nothing to do.")
    parts = _provider_parts(result) if result.verb == "provider" else _parts(result, done, skipped, failed)
    text = translate("words", ", ", "between the parts of a sentence").join(parts)
    if result.stopped:
        return translate("words", "Stopped: {what}.").format(what=text)
    return translate("words", "{what}.", "a whole sentence").format(what=text)


def _provider_parts(result: OperationResult) -> list[str]:
    """What the provider confirmed, apart from what it does not know (P1)."""
    count = Counter(item.state for item in result.items)
    deleted, gone = count[ResponseState.DELETED.value], count[ResponseState.GONE.value]
    kept = sum(1 for item in result.items if item.ok) - deleted - gone
    parts = []
    if deleted or not (gone or kept or result.failed):
        parts.append(translate("words", "%Ln response(s) deleted at the provider", "", deleted))
    if gone:
        parts.append(translate("words", "%Ln response(s) not known at the provider", "", gone))
    if kept:
        parts.append(translate("words", "%Ln response(s) kept", "", kept))
    if result.failed:
        parts.append(translate("words", "%Ln response(s) still there", "", len(result.failed)))
    return parts


def _parts(result: OperationResult, done: int, skipped: int, failed: int) -> list[str]:
    parts = []
    if done or not (failed or skipped):
        parts.append(_done_text(result.verb, done))
    elif result.verb == "import":
        parts.append(_none_of(len(result.items)))
    if skipped:
        parts.append(translate("words", "%Ln skipped", "", skipped))
    if failed:
        parts.append(translate("words", "%Ln failed", "", failed))
    return parts


def _done_text(verb: str, count: int) -> str:
    texts = {
        "rename": translate("words", "%Ln chat(s) renamed", "", count),
        "trash": translate("words", "%Ln chat(s) moved to the trash", "", count),
        "restore": translate("words", "%Ln chat(s) restored", "", count),
        "import": translate("words", "%Ln chat(s) imported", "", count),
        "export": translate("words", "%Ln chat(s) exported", "", count),
        "erase": translate("words", "%Ln chat(s) erased for good", "", count),
        "tidy": translate("words", "%Ln thing(s) moved to the trash", "", count),
        "remove_messages": translate("words", "Message files of %Ln chat(s) moved to the trash", "", count),
        "convert": translate("words", "%Ln old chat(s) moved into (its folder|their folders)", "", count),
        "provider_forget": translate("words", "%Ln response(s) given up", "", count),
    }
    return texts.get(verb) or translate("words", "%Ln chat(s) changed", "", count)


def _none_of(count: int) -> str:
    return translate("words", "0 of %Ln imported", "", count)


def item_mark(item: ItemResult) -> str:
    """The state of one item as a word, so that colour is never the only sign."""
    if not item.ok:
        return translate("words", "failed")
    return translate("words", "skipped") if item.skipped else translate("words", "done")


def item_sentences(item: ItemResult) -> str:
    """What became of an item, and what is worth knowing about it."""
    return " ".join([item.text, *(remark for remark in item.remarks if remark not in item.text)])


def result_report(result: OperationResult) -> str:
    """Every item with its sentence, for the clipboard."""
    lines = [result_sentence(result), ""]
    lines += [f"{item_mark(item)}\t{item.item}\t{item_sentences(item)}" for item in result.items]
    lines += ["", *result.remarks] if result.remarks else []
    return "\n".join(lines) + "\n"


def error_sentences(error: ArchiveError) -> list[str]:
    """What happened, to which file, what one can do next: one line each, empty ones left out."""
    path = "" if error.path is None else str(error.path)
    return [line for line in (error.what, path, error.next_step) if line]


# import


def import_class_text(kind: ImportClass) -> str:
    return {
        ImportClass.NEW: translate("words", "new"),
        ImportClass.SAME: translate("words", "already there"),
        ImportClass.TAKEN: translate("words", "id is taken"),
        ImportClass.DAMAGED: translate("words", "damaged"),
        ImportClass.NOT_A_CHAT: translate("words", "not a chat"),
    }[kind]


def import_effect_text(item: ImportItem, on_conflict: OnConflict) -> str:
    """What would happen to an item under this choice, after "This chat"."""
    if item.kind is ImportClass.NEW:
        if not item.target:
            return translate("words", "comes in under a new id")
        if item.target == item.id:
            return translate("words", "comes in under its own id")
        return translate("words", "comes in under the id {id}").format(id=item.target)
    if item.kind is ImportClass.SAME:
        return translate("words", "is left as it is")
    if item.kind is ImportClass.TAKEN:
        return {
            OnConflict.SKIP: translate("words", "is skipped; yours stays"),
            OnConflict.UPDATE: translate("words", "replaces yours, which goes to the trash"),
            OnConflict.KEEP_BOTH: translate("words", "comes in beside yours with a new id"),
        }[on_conflict]
    return translate("words", "cannot be imported")
