"""A chat's row in words: the text of each column, its chips, its tool tip. No widget here."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from chat_archive.core.entities import ChatRow, ChatState, Severity
from chat_archive.core.model.headings import plain
from chat_archive.ui import words
from chat_archive.ui.models.chat_order import Column, is_task
from chat_archive.ui.plain_text import shown

translate = QCoreApplication.translate
_RESTING = "Waiting for input"  # what Agent Zero writes when nothing runs (format, D-36)


@dataclass(frozen=True, slots=True)
class Chip:
    """A word in a small tinted block; `tone` is "danger", "warning", "accent" or "plain"."""

    text: str
    tone: str = "plain"


def column_name(column: Column) -> str:
    return {
        Column.TITLE: translate("row_words", "Name"),
        Column.AGENTS: translate("row_words", "Agents"),
        Column.ACTIVITY: translate("row_words", "Last activity"),
        Column.CREATED: translate("row_words", "Created"),
        Column.LOG: translate("row_words", "Log"),
        Column.MESSAGES: translate("row_words", "Messages"),
        Column.SIZE: translate("row_words", "Size"),
        Column.STATE: translate("row_words", "State"),
        Column.PROJECT: translate("row_words", "Project"),
        Column.PROGRESS: translate("row_words", "Saved while"),
        Column.PROFILE: translate("row_words", "Profile"),
        Column.FIRST_WORDS: translate("row_words", "First words"),
        Column.ID: translate("row_words", "Id"),
        Column.ROOT: translate("row_words", "Folder"),
    }[column]


def no_profile() -> str:
    return translate("row_words", "none", "no profile")


def profile_text(profile: str) -> str:
    return shown(profile, 40) if profile else no_profile()


def chain_text(row: ChatRow) -> str:
    """ "agent0 › developer › none"."""
    if not row.agents:
        return "" if row.damaged else profile_text(row.agent_profile)
    names = [profile_text(agent.profile) for agent in row.agents[:8]]
    if len(row.agents) > 8:
        names.append(f"+{len(row.agents) - 8}")
    return " › ".join(names)


def state_text(row: ChatRow, now: datetime | None = None) -> str:
    """The one word of the row; "" for a chat with which all is well."""
    match row.state:
        case ChatState.DAMAGED:
            return translate("row_words", "damaged")
        case ChatState.DUPLICATE:
            return translate("row_words", "duplicate id")
        case ChatState.LIVE:
            return translate("row_words", "live")
        case ChatState.EXPIRES:
            return expires_text(row.expires_at, now)
        case ChatState.OK:
            return ""


def expires_text(when: datetime | None, now: datetime | None = None) -> str:
    now = now or datetime.now(UTC)
    if when is not None and when <= now:
        return translate("row_words", "expired")
    if when is None:
        return translate("row_words", "expires")
    return translate("row_words", "expires {when}").format(when=words.relative_time(when, now))


def chips(row: ChatRow, now: datetime | None = None, place: str = "") -> list[Chip]:
    """States first, then kinds, then project and, where several roots are open, the place."""
    made: list[Chip] = []
    state = state_text(row, now)
    if state:
        tone = {ChatState.DAMAGED: "danger", ChatState.LIVE: "accent"}.get(row.state, "warning")
        made.append(Chip(state, tone))
    if "newer" in row.flags:
        made.append(Chip(translate("row_words", "newer format"), "warning"))
    elif not row.damaged and any(problem.severity is Severity.PARTIAL for problem in row.problems):
        made.append(Chip(translate("row_words", "partly readable"), "warning"))
    if is_task(row):
        made.append(Chip(translate("row_words", "task")))
    if "child" in row.flags or row.parent_id:
        made.append(Chip(translate("row_words", "child")))
    if "background" in row.flags or row.type == "background":
        made.append(Chip(translate("row_words", "background")))
    if row.flat:
        made.append(Chip(translate("row_words", "flat file")))
    if row.project:
        made.append(Chip(shown(row.project_title or row.project, 24), "accent"))
    if place:
        made.append(Chip(shown(place, 24)))
    return made


def reason(row: ChatRow) -> str:
    """Why a chat is damaged, in one sentence, or ""."""
    for severity in (Severity.DAMAGED, Severity.PARTIAL):
        for problem in row.problems:
            if problem.severity is severity:
                return shown(problem.text)
    return shown(row.problems[0].text) if row.problems else ""


def title_text(row: ChatRow) -> str:
    """The title as a list shows it: one taken from the first message stands in quotes."""
    title = shown(row.title)
    if row.title_given or not is_quotable(row):
        return title
    return translate("row_words", "“{words}”", "a title taken from the first message").format(words=title)


def is_quotable(row: ChatRow) -> bool:
    """Whether a title that was not given is the person's own words (and not *Untitled*)."""
    start = row.first_words[:20].strip()
    return bool(start) and row.title.startswith(start[: max(1, len(start) - 2)])


def working_text(progress: str) -> str:
    """What went on when the chat was saved, without icon markup; "" for a chat that rested, which tells nothing."""
    text = shown(plain(progress))
    return "" if text == _RESTING else text


def counts_text(row: ChatRow) -> str:
    """ "74 log · 57 msg · 495 kB", only the size for a damaged chat."""
    size = words.size_text(row.size)
    if row.damaged:
        return size
    log = translate("row_words", "%Ln log", "log items, short", row.log_items)
    messages = translate("row_words", "%Ln msg", "messages, short", row.messages)
    return f"{log} · {messages} · {size}"


def activity_text(row: ChatRow, now: datetime | None = None, zone: tzinfo | None = None) -> str:
    """Relative, or the short date; "~" stands before a time that is only the file's."""
    text = words.relative_time(row.last_activity, now, zone)
    return f"~{text}" if row.last_activity_from_file and row.last_activity is not None else text


def activity_tip(row: ChatRow, zone: tzinfo | None = None) -> str:
    exact = words.exact_time(row.last_activity, zone, seconds=True)
    if row.last_activity_from_file and row.last_activity is not None:
        return translate("row_words", "{when}: the time of the file, since the chat itself holds none").format(
            when=exact
        )
    return translate("row_words", "Last activity: {when}").format(when=exact)


def row_tip(row: ChatRow, zone: tzinfo | None = None) -> str:
    """Everything the row has no room for, one line each. Plain text; whoever shows it escapes it."""
    lines = [shown(row.title)]
    if not row.title_given:
        lines.append(
            translate("row_words", "No name was given; this is the first message.")
            if is_quotable(row)
            else translate("row_words", "No name was given.")
        )
    lines.append(activity_tip(row, zone))
    lines.append(translate("row_words", "Created: {when}").format(when=words.exact_time(row.created, zone)))
    if row.progress:
        lines.append(translate("row_words", "Saved while: {progress}").format(progress=shown(row.progress)))
    lines.append(translate("row_words", "Id: {id}").format(id=shown(row.id)))
    lines += [shown(problem.text) for problem in row.problems[:6]]
    return "\n".join(lines)


def accessible_text(row: ChatRow, zone: tzinfo | None = None) -> str:
    """What a screen reader says for the whole row."""
    parts = [title_text(row), *(chip.text for chip in chips(row))]
    if row.damaged:
        parts.append(reason(row))
    else:
        parts.append(chain_text(row))
        parts += [words.log_items_text(row.log_items), words.messages_text(row.messages)]
    parts += [words.relative_time(row.last_activity, None, zone), words.size_text(row.size)]
    return ", ".join(part for part in parts if part)


def cell_text(row: ChatRow, column: Column, zone: tzinfo | None = None, place: str = "") -> str:
    """The text of one cell of the table."""
    match column:
        case Column.TITLE:
            return title_text(row)
        case Column.AGENTS:
            return chain_text(row)
        case Column.ACTIVITY:
            return activity_text(row, None, zone)
        case Column.CREATED:
            return words.exact_time(row.created, zone)
        case Column.LOG:
            return "" if row.damaged else words.number_text(row.log_items)
        case Column.MESSAGES:
            return "" if row.damaged else words.number_text(row.messages)
        case Column.SIZE:
            return words.size_text(row.size)
        case Column.STATE:
            return ", ".join(
                chip.text for chip in chips(row) if chip.text != shown(row.project_title or row.project, 24)
            )
        case Column.PROJECT:
            return shown(row.project_title or row.project)
        case Column.PROGRESS:
            return shown(row.progress)
        case Column.PROFILE:
            return "" if row.damaged else profile_text(row.agent_profile)
        case Column.FIRST_WORDS:
            return shown(row.first_words)
        case Column.ID:
            return shown(row.id)
        case Column.ROOT:
            return shown(place or _short(row.root))


def _short(root: Path) -> str:
    return "/".join(root.parts[-2:])
