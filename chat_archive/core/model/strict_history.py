"""The `history` of an agent as the string Agent Zero can load: all three keys, every record of a known class."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from chat_archive.core.model import raw
from chat_archive.core.model.history import History

if TYPE_CHECKING:
    from chat_archive.core.model.strict import Replaced

Plain = Callable[[object, "Replaced"], Any]


def history_text(value: object, replaced: Replaced, plain: Plain, *, keep_broken: bool) -> str:
    """The text for `value`, the content of the `history` key in any shape. A sound text comes back as it is."""
    if value is None or value == "":
        return ""
    document: object = value
    if isinstance(value, str):
        if raw.depth(value.encode("utf-8", "surrogatepass")) > raw.MAX_DEPTH:
            replaced.repair("A history is nested very deep and was left as it is.")
            return value
        try:
            document = json.loads(value)
        except (ValueError, RecursionError):
            return _broken(value, replaced, keep_broken)
    if isinstance(document, list):  # era A (3.5)
        replaced.repair("A history of the oldest kind was written in today's form.")
        document = History.from_raw(document).to_json()
    if not isinstance(document, dict):
        return _broken(value, replaced, keep_broken)
    found = (replaced.nulls, replaced.nans, replaced.surrogates)
    made = plain(document, replaced)
    changed = _set_right(made) or not isinstance(value, str)
    if changed:
        replaced.repair("Parts of a history that Agent Zero could not load were set right.")
    elif found == (replaced.nulls, replaced.nans, replaced.surrogates) and isinstance(value, str):
        return value  # sound: its own spacing and escapes stay
    return json.dumps(made, ensure_ascii=False, allow_nan=False)


def _broken(value: object, replaced: Replaced, keep_broken: bool) -> str:
    if keep_broken and isinstance(value, str):
        replaced.repair("A history that cannot be read was kept as it is.")
        return value
    history = History.from_raw(value)
    replaced.repair(f"A history is damaged; {history.count} of its messages could be read and were written.")
    if not history.count:
        return ""
    return json.dumps(history.to_json(), ensure_ascii=False, allow_nan=False)


def _set_right(history: dict[str, Any]) -> bool:
    """Change in place what makes loading fail (D-26, D-89); whether anything was changed."""
    changed = False
    for key, empty in (("bulks", list), ("topics", list), ("current", dict)):
        if not isinstance(history.get(key), empty):
            history[key] = empty()
            changed = True
    waiting: list[tuple[Any, str]] = [(history["current"], "Topic")]
    for key, kind in (("bulks", "Bulk"), ("topics", "Topic")):
        changed |= _only_objects(history, key)
        waiting += [(record, kind) for record in history[key]]
    while waiting:
        record, kind = waiting.pop()
        if kind == "record":
            kind, altered = _class_of(record)
            changed |= altered
        if kind == "Message":
            changed |= _message(record)
            continue
        key, inner = ("messages", "Message") if kind == "Topic" else ("records", "record")
        if not isinstance(record.get("summary"), str):
            record["summary"] = ""
            changed = True
        changed |= _only_objects(record, key)
        waiting += [(below, inner) for below in record[key]]
    return changed


def _only_objects(holder: dict[str, Any], key: str) -> bool:
    """Make `holder[key]` a list of objects; anything else in it becomes a message that says it."""
    listed = holder.get(key)
    if isinstance(listed, list) and all(isinstance(record, dict) for record in listed):
        return False
    if not isinstance(listed, list):
        listed = [] if listed is None else [listed]
    holder[key] = [
        record if isinstance(record, dict) else {"_cls": "Message", "ai": False, "content": record} for record in listed
    ]
    return True


def _class_of(record: dict[str, Any]) -> tuple[str, bool]:
    """The class of a record inside a bulk, set right in place, and whether that changed it."""
    cls = record.get("_cls")
    if cls in ("Topic", "Bulk", "Message"):
        return str(cls), False
    if cls == "History":  # D-89: its parts become the records of a bulk
        records = [*_listed(record.pop("bulks", None)), *_listed(record.pop("topics", None))]
        records += _listed([record.pop("current")] if "current" in record else None)
        record.clear()
        record.update({"_cls": "Bulk", "summary": "", "records": records})
        return "Bulk", True
    if isinstance(record.get("messages"), list):
        record["_cls"] = "Topic"
    elif isinstance(record.get("records"), list):
        record["_cls"] = "Bulk"
    elif "ai" in record or "content" in record:
        record["_cls"] = "Message"
    else:
        content = dict(record)
        record.clear()
        record.update({"_cls": "Message", "ai": False, "content": content})
    return str(record["_cls"]), True


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _message(message: dict[str, Any]) -> bool:
    changed = False
    if not isinstance(message.get("ai"), bool):
        message["ai"] = bool(message.get("ai"))
        changed = True
    sequence = message.get("sequence", 0)
    words = isinstance(sequence, str) and not sequence.strip().lstrip("+-").isdecimal()
    if words or isinstance(sequence, list | dict):
        message["sequence"] = 0
        changed = True
    return changed
