"""The scheduled tasks bound to chats, in `scheduler/tasks.json` beside the root (format 1.6, 5.8).

A task is bound to the chat its `context_id` names; without one, to the chat that has its `uuid`. Tasks are taken out
and put back by exchanging the file (C2): every byte of the other tasks stays, whatever keys they have.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from chat_archive.core import editing, files, json_edit
from chat_archive.core.errors import ArchiveError, NotFoundError, StorageError, UnreadableError
from chat_archive.core.json_edit import Step
from chat_archive.core.model.titles import one_line

if TYPE_CHECKING:
    from chat_archive.core.workspace import Workspace

PARTS = ("scheduler", "tasks.json")
_LIMIT = 64 * 1024 * 1024
_LISTS: tuple[tuple[Step, ...], ...] = (("tasks",), ())
_DAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@dataclass(frozen=True, slots=True)
class BoundTask:
    """One task as its file has it. `chat` is the id of the chat it is bound to, `when` its schedule in words or "",
    `raw` the JSON text of the whole task."""

    uuid: str
    chat: str
    name: str
    kind: str
    state: str
    when: str
    raw: str


@dataclass(frozen=True, slots=True)
class Tasks:
    """All tasks of an installation. `problem` is a sentence when the file is there and cannot be read, `fault` the
    error when it was the disk that refused: another try may know more."""

    path: Path
    tasks: tuple[BoundTask, ...] = ()
    problem: str = ""
    fault: StorageError | None = None

    def bound_to(self, chat_ids: Collection[str]) -> tuple[BoundTask, ...]:
        return tuple(task for task in self.tasks if task.chat in chat_ids)


def read(root: Path) -> Tasks:
    """The tasks beside a chats root; none when there is no such file. Never raises."""
    path = root.parent.joinpath(*PARTS)
    try:
        data, _ = files.read_settled(root.parent, *PARTS, limit=_LIMIT, whole=editing.is_whole)
        _, spans = _spans(data)
    except NotFoundError:
        return Tasks(path)
    except ArchiveError as error:
        text = f"The scheduled tasks cannot be read, so none is known. {error.what}"
        return Tasks(path, problem=text, fault=error if isinstance(error, StorageError) else None)
    found = (_task(data[start:end]) for start, end in spans)
    return Tasks(path, tuple(task for task in found if task is not None))


def remove(workspace: Workspace, uuids: Collection[str]) -> tuple[BoundTask, ...]:
    """Take these tasks out of the file; what was taken out, in the file's order. A missing file or task is no error.

    Raises `UnreadableError` for a damaged file, which is not changed, `BusyError`, `StorageError`, `ReadOnlyError`.
    """
    taken: list[BoundTask] = []

    def without(data: bytes) -> bytes:
        taken.clear()
        path, spans = _spans(data)
        places: set[int] = set()
        for place, (start, end) in enumerate(spans):
            task = _task(data[start:end])
            if task is not None and task.uuid in uuids:
                places.add(place)
                taken.append(task)
        return json_edit.remove_items(data, path, places)

    if not uuids:
        return ()
    try:
        editing.edit(workspace, PARTS, without, beside=True)
    except NotFoundError:
        return ()
    return tuple(taken)


def put_back(workspace: Workspace, raws: Sequence[str]) -> tuple[BoundTask, ...]:
    """Add tasks that were taken out, but those whose uuid is there again. Raises as `remove`, and `NotFoundError`
    when the file is gone."""
    added: list[BoundTask] = []

    def with_them(data: bytes) -> bytes:
        added.clear()
        path, spans = _spans(data)
        there = {task.uuid for task in (_task(data[start:end]) for start, end in spans) if task is not None}
        for raw in raws:
            task = _task(raw.encode("utf-8", "replace"))
            if task is not None and task.uuid not in there:
                there.add(task.uuid)
                added.append(task)
                data = json_edit.append_item(data, path, raw.encode("utf-8", "replace"))
        return data

    if raws:
        editing.edit(workspace, PARTS, with_them, beside=True)
    return tuple(added)


def parse(raw: str) -> BoundTask | None:
    """A task from its JSON text, as a trash record keeps it; None when it is none."""
    return _task(raw.encode("utf-8", "replace"))


def _spans(data: bytes) -> tuple[tuple[Step, ...], list[tuple[int, int]]]:
    """Where the list of tasks is, and its items: below "tasks", or the text itself in old versions."""
    for path in _LISTS:
        try:
            spans = json_edit.list_items(data, path)
        except UnreadableError as error:
            if error.kind == "not an object" and path:
                continue
            raise
        if spans is not None:
            return path, spans
    raise UnreadableError("The file of scheduled tasks holds no list of tasks.", kind="not tasks")


def _task(raw: bytes) -> BoundTask | None:
    value = json_edit.decode(raw)
    if not isinstance(value, dict):
        return None
    uuid, context = value.get("uuid"), value.get("context_id")
    if not isinstance(uuid, str) or not uuid:
        return None
    chat = context if isinstance(context, str) and context else uuid
    return BoundTask(
        uuid=uuid,
        chat=chat,
        name=_line(value.get("name")) or one_line(uuid),
        kind=_line(value.get("type")),
        state=_line(value.get("state")),
        when=schedule_text(value),
        raw=raw.decode("utf-8", "replace"),
    )


def _line(value: object) -> str:
    return one_line(value) if isinstance(value, str) else ""


def schedule_text(task: Mapping[str, object]) -> str:
    """ "every Monday 08:00", "every day 07:30", else the five fields as they are; "" without a schedule."""
    schedule = task.get("schedule")
    if not isinstance(schedule, dict):
        return ""
    minute, hour, day, month, weekday = (
        str(schedule.get(key, "*")).strip() or "*" for key in ("minute", "hour", "day", "month", "weekday")
    )
    plain = minute.isdecimal() and hour.isdecimal() and int(hour) < 24 and int(minute) < 60
    if plain and day == month == "*":
        clock = f"{int(hour):02d}:{int(minute):02d}"
        if weekday == "*":
            return f"every day {clock}"
        if weekday.isdecimal() and int(weekday) < len(_DAYS):
            return f"every {_DAYS[int(weekday)]} {clock}"
    return one_line(" ".join((minute, hour, day, month, weekday)), 80)
