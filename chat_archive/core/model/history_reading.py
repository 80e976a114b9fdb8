"""Turning the value of a `history` key, whatever it is, into a `History` (format 3, 3.5; D-26, D-41)."""

from __future__ import annotations

from msgspec import Raw

from chat_archive.core.entities import Problem, Severity
from chat_archive.core.model import raw
from chat_archive.core.model.history import History, Message, Topic, record_from_part
from chat_archive.core.model.lazy import take_integer
from chat_archive.core.model.mending import close_cut
from chat_archive.core.model.raw import PartError

_KNOWN = frozenset({"_cls", "counter", "bulks", "topics", "current"})
_MAX_LAYERS = 5  # JSON in a string in a string: opened as far as people have seen it


def fill(history: History, part: object) -> None:
    """Set every field of `history` from `part`. Never raises; what is wrong is told in `history.problems`."""
    kind = raw.kind_of(part)
    if kind == "null":
        if part is not None:
            _tell(
                history,
                "history-null",
                "The history in the file is null: the agent remembers nothing.",
                Severity.REMARK,
            )
        return
    if kind == "text":
        _from_text(history, part)
    elif kind == "a list":
        _from_list(history, part)
    elif kind == "an object":
        history.shape = "object"
        _tell(
            history, "history-object", "The history is an object and not text; its messages are shown.", Severity.REMARK
        )
        _from_members(history, raw.members(part) or {})
    else:
        history.shape = "broken"
        _tell(history, "history-kind", f"The history is {kind} and cannot be shown.")


def _from_text(history: History, part: object) -> None:
    try:
        data = raw.json_in_text(part)
    except PartError as error:
        history.shape = "broken"
        _tell(history, "history-invalid", f"The history cannot be read: {error.what}.")
        return
    if not data[:1024].strip() and not data.strip():
        return
    history.shape = "text"
    for _layer in range(_MAX_LAYERS):
        inner = Raw(data)
        found = raw.members(inner)
        if found is not None:
            _from_members(history, found)
            return
        kind = raw.kind_of(Raw(data[:1024].lstrip() or data.lstrip()))
        if kind == "a list" and raw.elements(inner) is not None:
            _from_list(history, inner)
            return
        if kind != "text" or raw.members(inner) is not None:
            break
        try:
            data = raw.decode_json(bytes(data)).encode("utf-8", "replace")
        except (PartError, AttributeError):
            break
    _from_broken(history, bytes(data))


def _from_broken(history: History, data: bytes) -> None:
    """Show what stands before the place where the text stops being JSON (D-26)."""
    history.shape = "broken"
    try:
        raw.decode_json(data)
        reason = "it is no record of a history"
    except PartError as error:
        reason = error.what
    _tell(history, "history-invalid", f"The history is damaged: {reason}. What stands before is shown.")
    mended = close_cut(data)
    found = None if mended is None else raw.members(Raw(mended))
    if found is not None:
        problems = list(history.problems)
        _from_members(history, found)
        history.problems = problems


def _from_list(history: History, part: object) -> None:
    """A history of v0.7.1, or records in a plain list: shown in order as one topic (D-41)."""
    history.shape = "list"
    items = raw.elements(part) or []
    history.current = Topic("", [Message.from_part(item) for item in items])
    history.counter = len(items)


def _from_members(history: History, found: dict[str, object]) -> None:
    try:
        counter = raw.decode(found.get("counter", 0))
    except PartError:
        counter = None
    number = take_integer(counter)
    if number is None and counter is not None:
        _tell(history, "history-counter", "The history's counter is no number.", Severity.REMARK)
    history.counter = number or 0
    for key in ("bulks", "topics", "current"):
        if key not in found:
            _tell(history, f"history-{key}", f"The history has no part named {key}.")
    history.bulks = [record_from_part(item) for item in _list(history, found, "bulks")]
    history.topics = [Topic.from_part(item) for item in _list(history, found, "topics")]
    for record in history.bulks:
        if isinstance(record, Message) and not record.is_message:
            _tell(history, "unknown-record", "A record of an unknown kind stands among the bulks.")
    cls = raw.class_of(found)
    if cls not in (None, "History"):
        _tell(history, "unknown-record", f"The history says it is of the unknown kind {cls[:60]!r}.")
    current = found.get("current")
    if "current" in found and raw.members(current) is None:
        _tell(history, "history-current", f"The current topic is {raw.kind_of(current)} and no object.")
        current = None
    history.current = Topic.from_part(current) if current is not None else Topic()
    for key, value in found.items():
        if key not in _KNOWN:
            try:
                history.extra[key] = raw.decode(value)
            except PartError as error:
                history.extra[key] = f"({error.what})"


def _list(history: History, found: dict[str, object], key: str) -> list[object]:
    part = found.get(key)
    if part is None:
        return []
    items = raw.elements(part)
    if items is None:
        _tell(history, f"history-{key}", f"The history's {key} are {raw.kind_of(part)} and no list.")
        return []
    return items


def _tell(history: History, code: str, text: str, severity: Severity = Severity.PARTIAL) -> None:
    history.problems.append(Problem(code, text, severity, "D-26"))
