"""From facts to the row a list shows: title, state, flags, dates (design 5 and 7)."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from chat_archive.core.entities import (
    ChatId,
    ChatRow,
    ChatState,
    Fingerprint,
    Folder,
    Problem,
    Severity,
)
from chat_archive.core.errors import ArchiveError, UnreadableError
from chat_archive.core.formats.facts import RowFacts
from chat_archive.core.layout import CHAT_FILE_NAME
from chat_archive.core.model.times import UNKNOWN
from chat_archive.core.model.titles import one_line, title_of
from chat_archive.core.siblings import Surroundings

LIVE_SECONDS = 120.0  # a file changed this lately counts as being worked on (C4)
BEING_WRITTEN = "being-written"


def chat_path(root: Path, folder: str, flat: bool) -> Path:
    """The file of a chat."""
    return root / folder if flat else root / folder / CHAT_FILE_NAME


def is_live(fingerprint: Fingerprint | None, now: float | None = None) -> bool:
    """Whether the file was changed in the last two minutes. A time in the future is no sign of life."""
    if fingerprint is None:
        return False
    age = (time.time() if now is None else now) - fingerprint.mtime_ns / 1e9
    return -5.0 <= age < LIVE_SECONDS


def make_row(  # noqa: PLR0917 - all of them are needed, in the order they are found
    root: Path,
    folder: Folder,
    flat: bool,
    facts: RowFacts,
    fingerprint: Fingerprint,
    around: Surroundings,
    more: Iterable[Problem] = (),
) -> ChatRow:
    """The row of a chat that could be read."""
    title, given = title_of(
        name=facts.name,
        side_name=around.names.get(facts.id) or around.names.get(folder) or "",
        parent_label=facts.parent_label,
        first_words=facts.first_words,
    )
    moments = [moment for moment in (facts.last_message.utc, facts.newest_item) if moment is not None]
    expires = _expires(facts)
    return ChatRow(
        root=root,
        folder=folder,
        path=chat_path(root, folder, flat),
        id=ChatId(facts.id),
        title=title,
        title_given=given,
        name=facts.name,
        type=facts.type.value,
        raw_type=facts.raw_type,
        created_at=facts.created_at,
        last_message=facts.last_message,
        last_activity=max(moments) if moments else file_time(fingerprint),
        last_activity_from_file=not moments,
        agents=facts.agents,
        streaming_agent=facts.streaming_agent,
        agent_profile=facts.agent_profile,
        project=facts.project,
        project_title=facts.project_title,
        log_items=facts.log_items,
        messages=facts.messages,
        progress=facts.progress,
        progress_no=facts.progress_no,
        first_words=facts.first_words,
        parent_id=facts.parent_id,
        expires_at=expires,
        size=fingerprint.size,
        era=facts.era,
        flat=flat,
        state=_state(fingerprint, expires),
        problems=(*facts.problems, *more),
        fingerprint=fingerprint,
        flags=_flags(facts, around),
    )


def _expires(facts: RowFacts) -> datetime | None:
    """`last_message` + `lifetime_hours` (5.9). A chat without a readable date has no instant to tell."""
    if facts.lifetime_hours is None or facts.last_message.utc is None:
        return None
    try:
        return facts.last_message.utc + timedelta(hours=facts.lifetime_hours)
    except OverflowError:
        return None


def _state(fingerprint: Fingerprint, expires: datetime | None) -> ChatState:
    if is_live(fingerprint):
        return ChatState.LIVE
    return ChatState.EXPIRES if expires is not None else ChatState.OK


def _flags(facts: RowFacts, around: Surroundings) -> frozenset[str]:
    flags = set()
    if facts.type == "task" or facts.id in around.tasks:
        flags.add("task")
    if facts.parent_id:
        flags.add("child")
    if facts.type == "background":
        flags.add("background")
    if facts.newer:
        flags.add("newer")
    return frozenset(flags)


def file_time(fingerprint: Fingerprint | None) -> datetime | None:
    """The file's own time, UTC; None where it is out of any calendar."""
    if fingerprint is None:
        return None
    try:
        return datetime.fromtimestamp(fingerprint.mtime_ns / 1e9, UTC)
    except (OverflowError, ValueError, OSError):
        return None


def damaged_row(
    root: Path,
    folder: Folder,
    flat: bool,
    error: ArchiveError,
    fingerprint: Fingerprint | None,
    *,
    name: str | None = None,
    more: Iterable[Problem] = (),
) -> ChatRow:
    """The row of a chat that cannot be read, with the reason in words. `name`: what its first bytes still tell."""
    code = error.kind if isinstance(error, UnreadableError) else "not-readable"
    text = f"{error.what} {error.next_step}".strip()
    problem = Problem(code, text, Severity.DAMAGED, _DEFECTS.get(code, "D-94"))
    title = one_line(name or "") or one_line(folder) or "Untitled"
    return ChatRow(
        root=root,
        folder=folder,
        path=chat_path(root, folder, flat) if code != "link" or fingerprint else root / folder,
        id=ChatId(folder),
        title=title,
        title_given=bool(name),
        name=name,
        type="user",
        raw_type=None,
        created_at=UNKNOWN,
        last_message=UNKNOWN,
        last_activity=file_time(fingerprint),
        last_activity_from_file=True,
        agents=(),
        streaming_agent=None,
        agent_profile="",
        project="",
        project_title="",
        log_items=0,
        messages=0,
        progress="",
        progress_no=None,
        first_words="",
        parent_id="",
        expires_at=None,
        size=fingerprint.size if fingerprint else 0,
        era="",
        flat=flat,
        state=ChatState.DAMAGED,
        problems=(problem, *more),
        fingerprint=fingerprint,
    )


_DEFECTS = {
    "empty": "D-22",
    "cut": "D-22",
    "zeros": "D-22",
    "blank": "D-42",
    "not-readable": "D-19",
    "deep": "D-45",
    "link": "D-10",
}


def refreshed(row: ChatRow, around: Surroundings) -> ChatRow:
    """A row of an unchanged file with what does not lie in the file: whether it is live or a task, its side name."""
    if row.damaged or row.fingerprint is None:
        return row
    flags = row.flags - {"task"} | ({"task"} if row.type == "task" or row.id in around.tasks else set())
    state = ChatState.LIVE if is_live(row.fingerprint) else ChatState.EXPIRES if row.expires_at else ChatState.OK
    problems = tuple(problem for problem in row.problems if problem.code != "duplicate-id")
    title, given = row.title, row.title_given
    if not (row.name or "").strip() and not row.title_given:
        title, given = title_of(side_name=around.names.get(row.id, ""), first_words=row.first_words)
    if (flags, state, problems, title) == (row.flags, row.state, row.problems, row.title):
        return row
    return replace(row, flags=frozenset(flags), state=state, problems=problems, title=title, title_given=given)


def with_duplicates(row: ChatRow, folders: Iterable[Folder]) -> ChatRow:
    """The row of a chat whose id stands in several folders (D-13)."""
    others = ", ".join(one_line(folder, 60) for folder in sorted(folders) if folder != row.folder)[:300]
    problem = Problem("duplicate-id", f"The same id is in: {others}.", Severity.REMARK, "D-13")
    kept = tuple(known for known in row.problems if known.code != problem.code)
    return replace(row, state=ChatState.DUPLICATE, problems=(*kept, problem))
