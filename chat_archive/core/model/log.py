"""What people saw: `log` with its items, each decoded when it is first used (format 4)."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, overload

from chat_archive.core.entities import Problem, Severity
from chat_archive.core.model import raw
from chat_archive.core.model.lazy import Lazy, take_integer, take_text, value_of
from chat_archive.core.model.times import from_timestamp

LOG_SIZE = 1000  # items the host keeps at most (D-54)

_CURRENT = ("user", "agent", "response", "tool", "code_exe", "mcp", "subagent", "progress", "util", "info", "warning")
_RARE = ("browser", "error", "hint", "input", "rate_limit", "model_setup_gate")
KNOWN_TYPES = frozenset((*_CURRENT, *_RARE))
"""Types of format 4.2. Others are kept and shown all the same."""


class LogItem(Lazy):
    """One item. `index` is its position in the file, the only stable reference (4.5); `no` what the file says.

    `kvps` is an object, None, or for odd files a list or text (D-92). `timestamp` is None where there is none (D-34).
    `extra` holds other keys (`temp`, `duration_ms`, unknown ones), `known` the keys the item had in the file.
    """

    _fields = frozenset(
        {
            "no", "id", "type", "heading", "content", "kvps", "timestamp", "raw_timestamp", "agentno", "extra",
            "problems", "raw_values", "known",
        }
    )  # fmt: skip
    index: int
    no: object
    id: str | None
    type: str
    heading: str
    content: str
    kvps: Any
    timestamp: datetime | None
    raw_timestamp: object
    agentno: int
    extra: dict[str, object]
    problems: list[Problem]
    raw_values: dict[str, object]
    known: frozenset[str]

    def __init__(
        self,
        type: str,
        heading: str = "",
        content: str = "",
        kvps: Any = None,
        *,
        index: int = 0,
        id: str | None = None,
        timestamp: float | None = None,
        agentno: int = 0,
    ) -> None:
        self.index = index
        self.no = index
        self.id = id
        self.type = type
        self.heading = heading
        self.content = content
        self.kvps = {} if kvps is None else kvps
        self.raw_timestamp = timestamp
        self.timestamp = from_timestamp(timestamp)
        self.agentno = agentno
        self.extra = {}
        self.problems = []
        self.raw_values = {}
        self.known = frozenset({"no", "id", "type", "heading", "content", "kvps", "timestamp", "agentno"})

    @classmethod
    def from_part(cls, part: object, index: int) -> LogItem:
        """An item that is decoded when it is first used. Never raises."""
        item = cls.__new__(cls)
        item.index = index
        item._part = part
        return item

    def _decode(self, part: object) -> None:
        self.problems = []
        self.raw_values = {}
        found = raw.members(part)
        self.known = frozenset(found or ())
        if found is None:
            self._tell("item-not-object", f"Log item {self.index} is {raw.kind_of(part)} and no object.", "D-92")
            self.raw_values["item"] = value_of(part)
            found = {"content": part}
        fields = dict(found)
        self.no = value_of(fields.pop("no", None))
        self.id = self._text(fields, "id") or None
        if "type" not in fields and "item" not in self.raw_values:
            self._tell("item-type", f"Log item {self.index} has no type.", "D-28")
        self.type = self._text(fields, "type")
        self.heading = self._text(fields, "heading")
        self.content = self._text(fields, "content")
        self.kvps = self._pairs(fields)
        self.raw_timestamp = value_of(fields.pop("timestamp", None))
        self.timestamp = from_timestamp(_number(self.raw_timestamp))
        if isinstance(self.raw_timestamp, str) and len(self.raw_timestamp) > 300:
            self._tell(
                "big-number", f"Log item {self.index} has a number of {len(self.raw_timestamp):,} digits for a time."
            )
        old = fields.get("agent_number") if "agentno" not in fields else None
        number = value_of(fields.pop("agentno", old))
        self.agentno = take_integer(number) or 0
        if number is not None and (take_integer(number) is None or isinstance(number, str)):
            self.raw_values["agentno"] = number
        self.extra = {key: value_of(value) for key, value in fields.items()}

    def _text(self, fields: dict[str, object], key: str) -> str:
        part = fields.get(key)
        if part is not None and not raw.is_text(part):
            value = value_of(part)
            if value is not None:
                self.raw_values[key] = value
        return take_text(fields, key)

    def _pairs(self, fields: dict[str, object]) -> Any:
        if "kvps" not in fields and "item" not in self.raw_values:
            self._tell("item-kvps", f"Log item {self.index} has no key-value pairs.", "D-28")
        value = value_of(fields.pop("kvps", None))
        if isinstance(value, dict | None):
            return value
        self.raw_values["kvps"] = value
        if isinstance(value, list):
            pairs = [pair for pair in value if isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str)]
            if len(pairs) == len(value):
                return dict(pairs)  # the host takes a list of pairs as an object (D-91)
        self._tell("item-kvps", f"The key-value pairs of log item {self.index} are {raw.kind_of(value)}.", "D-92")
        return value

    def _tell(self, code: str, text: str, defect: str = "") -> None:
        self.problems.append(Problem(code, text, Severity.PARTIAL, defect))

    def to_json(self) -> dict[str, object]:
        """The item as the format writes it; keys it did not have in the file only where they say something."""
        if "item" in self.raw_values:
            return {"no": self.index, "type": self.type, "content": self.content, "kvps": None}
        values: dict[str, object] = {
            "no": self.no,
            "id": self.id,
            "type": self.type,
            "heading": self.heading,
            "content": self.content,
            "kvps": self.kvps,
            "timestamp": self.raw_timestamp,
            "agentno": self.agentno,
        }
        values.update(self.raw_values)
        optional = ("id", "timestamp", "agentno")
        return {key: value for key, value in values.items() if key in self.known or key not in optional} | self.extra


def _number(value: object) -> object:
    """A timestamp written as text is still one."""
    if isinstance(value, str) and len(value) <= 40:
        try:
            return float(value)
        except ValueError:
            return None
    return value


class LogItems(Sequence[LogItem]):
    """The items of a log: a part becomes a `LogItem` when it is asked for, and stays that object."""

    def __init__(self, parts: Sequence[object] = ()) -> None:
        self._items: list[object] = list(parts)

    def __len__(self) -> int:
        return len(self._items)

    @overload
    def __getitem__(self, index: int) -> LogItem: ...
    @overload
    def __getitem__(self, index: slice) -> list[LogItem]: ...
    def __getitem__(self, index: int | slice) -> LogItem | list[LogItem]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self._items)))]
        item = self._items[index]
        if not isinstance(item, LogItem):
            item = LogItem.from_part(item, index if index >= 0 else len(self._items) + index)
            self._items[index] = item
        return item

    def __iter__(self) -> Iterator[LogItem]:
        for index in range(len(self._items)):
            yield self[index]

    def append(self, item: LogItem) -> None:
        """Add an item at the end, giving it its place."""
        item.index = len(self._items)
        self._items.append(item)


class Log:
    """The log of a chat. `progress` and `progress_no` are what the file says (D-36)."""

    def __init__(self) -> None:
        self.guid: str = str(uuid.uuid4())
        self.items: LogItems = LogItems()
        self.progress: str = ""
        self.progress_no: Any = 0
        self.extra: dict[str, object] = {}
        self.problems: list[Problem] = []
        self.raw_values: dict[str, object] = {}

    @classmethod
    def from_part(cls, part: object, *, present: bool = True) -> Log:
        """The log from the value of the `log` key. Never raises; what is wrong is told in `problems` (D-27)."""
        log = cls()
        log.guid = ""
        found = raw.members(part)
        if found is None:
            items = raw.elements(part)
            if items is not None:
                log._tell("log-list", "The log is a list and no object; its items are shown.")
                log.items = LogItems(items)
            elif not present or part is None or raw.kind_of(part) == "null":
                log._tell("log-missing", "The file has no log.", "D-27")
            else:
                log._tell("log-kind", f"The log is {raw.kind_of(part)} and cannot be shown.", "D-27")
            return log
        fields = dict(found)
        log.guid = take_text(fields, "guid")
        if not raw.is_text(fields.get("progress", "")):
            log.raw_values["progress"] = value_of(fields["progress"])
        log.progress = take_text(fields, "progress")
        log.progress_no = value_of(fields.pop("progress_no", 0))
        log._read_items(fields)
        log.extra = {key: value_of(value) for key, value in fields.items()}
        return log

    def _read_items(self, fields: dict[str, object]) -> None:
        if "logs" not in fields:
            return
        part = fields.pop("logs")
        items = raw.elements(part)
        if items is None:
            found = raw.members(part)
            if found is not None:
                self._tell("logs-object", "The log's items are an object and no list; its values are shown.")
                items = list(found.values())
            elif raw.kind_of(part) == "null":
                self._tell("logs-null", "The log has no list of items.", "D-27")
            else:
                self._tell("logs-kind", f"The log's items are {raw.kind_of(part)} or cannot be read.", "D-27")
        self.items = LogItems(items or ())

    def _tell(self, code: str, text: str, defect: str = "D-26") -> None:
        self.problems.append(Problem(code, text, Severity.PARTIAL, defect))

    @property
    def missing_before(self) -> int:
        """How many earlier items were not saved, by the first item's own number (D-54)."""
        first = take_integer(self.items[0].no) if self.items else None
        return max(first or 0, 0)

    @property
    def may_miss_earlier(self) -> bool:
        """Exactly as many items as the host keeps: earlier ones may be gone without a trace (D-54)."""
        return len(self.items) == LOG_SIZE and self.missing_before == 0

    def add(
        self,
        type: str,
        heading: str = "",
        content: str = "",
        kvps: Any = None,
        *,
        id: str | None = None,
        agentno: int = 0,
    ) -> LogItem:
        """Add an item as the host does, stamped with the time of now."""
        item = LogItem(type, heading, content, kvps, id=id, timestamp=time.time(), agentno=agentno)
        self.items.append(item)
        item.no = item.index
        return item

    def to_json(self) -> dict[str, object]:
        """The log as the format writes it, the last `LOG_SIZE` items."""
        items = [item.to_json() for item in self.items[-LOG_SIZE:]]
        values: dict[str, object] = {
            "guid": self.guid,
            "logs": items,
            "progress": self.progress,
            "progress_no": self.progress_no,
        }
        return values | self.raw_values | self.extra
