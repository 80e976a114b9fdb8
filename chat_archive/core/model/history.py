"""What the model saw: `agents[].history` as History, Bulk, Topic and Message (format 3).

Everything is decoded when it is first used: the text of a history when its topics are asked for, a message when one
of its fields is. Walking is iterative and bounded (D-45, D-89). Whatever is not understood is kept in `extra` or
`unknown` and counted, and the original part stays reachable through `History.original`.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import msgspec

from chat_archive.core.entities import Problem, Severity
from chat_archive.core.model import raw
from chat_archive.core.model.lazy import Lazy, take_integer, take_text, value_of
from chat_archive.core.model.raw import PartError

CONTENT_LOST = "Content lost"
MAX_RECORDS = 1_000_000  # bounds the walk over a planted history


class Message(Lazy):
    """One message. `kind` is "" or the type of an era-A entry that is neither human nor ai ("system", "tool", ...).

    `content` is any of the shapes of format 3.2. `extra` holds keys the format does not know, `raw_values` what a
    known field said where that could not be taken over as it was.
    """

    _fields = frozenset(
        {
            "id",
            "ai",
            "content",
            "metadata",
            "sequence",
            "summary",
            "tokens",
            "kind",
            "extra",
            "problems",
            "raw_values",
            "known",
        }
    )
    id: str
    ai: bool
    content: object
    metadata: dict[str, Any]
    sequence: int
    summary: str
    tokens: int
    kind: str
    extra: dict[str, object]
    problems: list[Problem]
    raw_values: dict[str, object]
    known: frozenset[str]

    def __init__(
        self,
        content: object = "",
        *,
        ai: bool = False,
        id: str | None = None,
        metadata: dict[str, Any] | None = None,
        sequence: int = 0,
        summary: str = "",
        tokens: int = 0,
        kind: str = "",
    ) -> None:
        self.id = str(uuid.uuid4()) if id is None else id
        self.ai = ai
        self.content = content
        self.metadata = {} if metadata is None else metadata
        self.sequence = sequence
        self.summary = summary
        self.tokens = tokens
        self.kind = kind
        self.extra = {}
        self.problems = []
        self.raw_values = {}
        self.known = frozenset({"_cls", "id", "ai", "content", "metadata", "sequence", "summary", "tokens"})

    @classmethod
    def from_part(cls, part: object) -> Message:
        """A message that is decoded when it is first used. Never raises."""
        message = cls.__new__(cls)
        message._part = part
        return message

    def _decode(self, part: object) -> None:
        found = raw.members(part)
        self.problems = []
        self.raw_values = {}
        fields = {} if found is None else dict(found)
        self.known = frozenset(fields)
        if found is None:
            self.problems.append(_partial("message-not-object", "A message is no object; it is shown so.", "D-26"))
            fields = {"content": part, "ai": False}
        entry = "type" in fields and "_cls" not in fields and "ai" not in fields
        cls = value_of(fields.pop("_cls", None))
        self.id = take_text(fields, "id")
        self.kind = self._kind(fields, cls, entry)
        self.content = self._content(fields)
        metadata = value_of(fields.pop("metadata", None))
        if metadata is not None and not isinstance(metadata, dict):
            self.raw_values["metadata"] = metadata
        self.metadata = metadata if isinstance(metadata, dict) else {}
        self.sequence = self._number(fields, "sequence")
        self.tokens = self._number(fields, "tokens")
        self.summary = take_text(fields, "summary")
        self.extra = {key: value_of(value) for key, value in fields.items()}

    def _kind(self, fields: dict[str, object], cls: object, entry: bool) -> str:
        """Sets `ai`; the name of what this is when it is no plain message."""
        if entry:
            name = value_of(fields.pop("type"))
            # the host takes everything but "human" for the model's; what neither is keeps its name (format 3.5)
            self.ai = name == "ai"
            if name in ("ai", "human"):
                return ""
            return name if isinstance(name, str) and name else "message"
        ai = value_of(fields.pop("ai", None))
        self.ai = bool(ai)
        if not isinstance(ai, bool):
            self.raw_values["ai"] = ai
            self.problems.append(_partial("message-ai", "A message does not say who wrote it.", "D-26"))
        if cls is not None and cls != "Message":
            self.raw_values["_cls"] = cls
            self.problems.append(_partial("unknown-record", f"A record of the unknown kind {str(cls)[:60]!r}.", "D-26"))
            return str(cls)[:60]
        return ""

    def _content(self, fields: dict[str, object]) -> object:
        if "content" not in fields:
            if self.kind:
                return {key: value_of(value) for key, value in fields.items()}
            return CONTENT_LOST
        try:
            return raw.decode(fields.pop("content"))
        except PartError as error:
            self.problems.append(_partial("content", f"The content of a message cannot be read: {error.what}.", "D-45"))
            return CONTENT_LOST

    def _number(self, fields: dict[str, object], key: str) -> int:
        value = value_of(fields.pop(key, None))
        number = take_integer(value)
        if (number is None and value is not None) or isinstance(value, str):
            self.raw_values[key] = value
            if number is None:
                self.problems.append(_partial(f"message-{key}", f"The {key} of a message is no number.", "D-26"))
        return number or 0

    @property
    def is_message(self) -> bool:
        """Whether this is a message and no record of an unknown kind; asks only for its `_cls`."""
        part = self.undecoded
        if part is None:
            return "_cls" not in self.raw_values
        return raw.class_of(part) in (None, "Message")

    def text(self) -> str:
        """The content as plain text for people: the words of a user, the result of a tool, the texts of a list of
        parts, else JSON. Pictures appear as their preview, never as base64."""
        from chat_archive.core.model.content import plain_text

        return plain_text(self.content)

    def to_json(self) -> dict[str, object]:
        """The message as the format writes it, keys it did not have in the file only where they say something."""
        values: dict[str, object] = {
            "_cls": "Message",
            "id": self.id,
            "ai": self.ai,
            "content": self.content,
            "metadata": self.metadata,
            "sequence": self.sequence,
            "summary": self.summary,
            "tokens": self.tokens,
        }
        values.update(self.raw_values)
        absent = {"id": "", "metadata": {}, "sequence": 0, "tokens": 0}
        kept = {
            key: value
            for key, value in values.items()
            if key in self.known or key not in absent or value != absent[key]
        }
        return kept | self.extra


class Topic(Lazy):
    """One user turn: `summary` (an annotation) and `messages`."""

    _fields = frozenset({"summary", "messages", "extra", "problems"})
    summary: str
    messages: list[Message]
    extra: dict[str, object]
    problems: list[Problem]

    def __init__(self, summary: str = "", messages: list[Message] | None = None) -> None:
        self.summary = summary
        self.messages = [] if messages is None else messages
        self.extra = {}
        self.problems = []

    @classmethod
    def from_part(cls, part: object) -> Topic:
        """A topic that is decoded when it is first used. Never raises."""
        topic = cls.__new__(cls)
        topic._part = part
        return topic

    def _decode(self, part: object) -> None:
        self.problems = []
        found = raw.members(part)
        if found is None:
            if part is not None:
                self.problems.append(_partial("topic", f"A topic is {raw.kind_of(part)} and no object.", "D-26"))
            found = {}
        fields = dict(found)
        fields.pop("_cls", None)
        self.summary = take_text(fields, "summary")
        listed = fields.pop("messages", None)
        items = raw.elements(listed)
        if items is None and listed is not None and raw.kind_of(listed) != "null":
            self.problems.append(_partial("messages", "The messages of a topic are no list.", "D-26"))
        self.messages = [Message.from_part(item) for item in items or ()]
        self.extra = {key: value_of(value) for key, value in fields.items()}

    @property
    def count(self) -> int:
        """Number of messages, without making one while nothing of the topic was used."""
        part = self.undecoded
        if isinstance(part, msgspec.Raw):
            try:
                listed = msgspec.json.decode(part, type=_TopicClasses).messages
                return sum(1 for item in listed if item.cls in (None, "Message"))
            except (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError):
                pass
        return sum(1 for message in self.messages if message.is_message)

    def to_json(self) -> dict[str, object]:
        """The topic as the format writes it."""
        return {
            "_cls": "Topic",
            "summary": self.summary,
            "messages": [message.to_json() for message in self.messages],
        } | self.extra


class _TopicClasses(msgspec.Struct, gc=False):
    messages: list[raw.Classed] = []


class Bulk(Lazy):
    """Summarised older topics: `summary` and `records` (Topic, Bulk or Message), nested without limit."""

    _fields = frozenset({"summary", "records", "extra", "problems"})
    summary: str
    records: list[Topic | Bulk | Message]
    extra: dict[str, object]
    problems: list[Problem]

    def __init__(self, summary: str = "", records: list[Topic | Bulk | Message] | None = None) -> None:
        self.summary = summary
        self.records = [] if records is None else records
        self.extra = {}
        self.problems = []

    @classmethod
    def from_part(cls, part: object) -> Bulk:
        """A bulk that is decoded when it is first used. Never raises."""
        bulk = cls.__new__(cls)
        bulk._part = part
        return bulk

    def _decode(self, part: object) -> None:
        self.problems = []
        found = raw.members(part)
        if found is None:
            self.problems.append(_partial("bulk", f"A bulk is {raw.kind_of(part)} and no object.", "D-26"))
            found = {}
        fields = dict(found)
        fields.pop("_cls", None)
        self.summary = take_text(fields, "summary")
        listed = fields.pop("records", None)
        items = raw.elements(listed)
        if items is None and listed is not None:
            self.problems.append(_partial("records", "The records of a bulk are no list.", "D-26"))
        self.records = [record_from_part(item) for item in items or ()]
        self.extra = {key: value_of(value) for key, value in fields.items()}

    def to_json(self) -> dict[str, object]:
        """The bulk as the format writes it. Iterative callers only: nests as deep as the bulks do."""
        return {
            "_cls": "Bulk",
            "summary": self.summary,
            "records": [record.to_json() for record in self.records],
        } | self.extra


def record_from_part(part: object) -> Topic | Bulk | Message:
    """One record of a bulk by its `_cls`. A whole History inside a bulk counts as a bulk of its parts (D-89)."""
    cls = raw.class_of(part)
    found = (raw.members(part) or {}) if cls is None or cls == "History" else {}
    if cls == "Topic" or (cls is None and "messages" in found):
        return Topic.from_part(part)
    if cls == "Bulk" or (cls is None and "records" in found):
        return Bulk.from_part(part)
    if cls == "History":
        inner = [*(raw.elements(found.get("bulks")) or ()), *(raw.elements(found.get("topics")) or ())]
        if "current" in found:
            inner.append(found["current"])
        bulk = Bulk("", [record_from_part(item) for item in inner])
        bulk.problems.append(_partial("history-in-bulk", "A whole history stands inside a bulk.", "D-89"))
        return bulk
    return Message.from_part(part)


class History(Lazy):
    """The history of one agent. `original` is what the file had: text, a list (era A), an object, or None."""

    _fields = frozenset({"counter", "bulks", "topics", "current", "extra", "problems", "shape"})
    counter: int
    bulks: list[Bulk | Topic | Message]
    topics: list[Topic]
    current: Topic
    extra: dict[str, object]
    problems: list[Problem]
    shape: str  # "text", "list", "object", "empty", "broken"

    def __init__(self) -> None:
        self.original: object = None
        self._set_empty("empty")

    def _set_empty(self, shape: str) -> None:
        self.counter = 0
        self.bulks = []
        self.topics = []
        self.current = Topic()
        self.extra = {}
        self.problems = []
        self.shape = shape

    @classmethod
    def from_raw(cls, part: object) -> History:
        """A history that is decoded when it is first used. `part`: the value of the `history` key. Never raises."""
        history = cls.__new__(cls)
        history.original = part
        history._part = part
        return history

    def _decode(self, part: object) -> None:
        from chat_archive.core.model import history_reading

        self._set_empty("empty")
        history_reading.fill(self, part)

    def messages(self) -> Iterator[Message]:
        """Every message in reading order: bulks with their records, topics, current. Iterative and bounded."""
        waiting: list[Topic | Bulk | Message] = [self.current, *reversed(self.topics), *reversed(self.bulks)]
        seen = 0
        while waiting and seen < MAX_RECORDS:
            record = waiting.pop()
            seen += 1
            if isinstance(record, Message):
                yield record
            elif isinstance(record, Topic):
                yield from record.messages
                seen += len(record.messages)
            else:
                waiting.extend(reversed(record.records))

    @property
    def count(self) -> int:
        """Number of messages, without making one; records of an unknown kind are none."""
        waiting: list[Topic | Bulk | Message] = [self.current, *self.topics, *self.bulks]
        seen = total = 0
        while waiting and seen < MAX_RECORDS:
            record = waiting.pop()
            seen += 1
            if isinstance(record, Message):
                total += record.is_message
            elif isinstance(record, Topic):
                total += record.count
            else:
                waiting.extend(record.records)
        return total

    def unknown(self) -> list[str]:
        """Names of the parts of this history the program does not know."""
        names = [f"history.{key}" for key in self.extra]
        for message in self.messages():
            if message.kind and "_cls" in message.raw_values:
                names.append(f"history record {message.kind}")
        return names

    def add_message(
        self, ai: bool, content: object, *, tokens: int = 0, id: str = "", metadata: dict[str, Any] | None = None
    ) -> Message:
        """Add a message as the host does: a user's message or intervention starts a new topic (format 3)."""
        starts = isinstance(content, dict) and not ai and ({"user_message", "user_intervention"} & content.keys())
        if starts and self.current.messages:
            self.topics.append(self.current)
            self.current = Topic()
        self.counter += 1
        message = Message(content, ai=ai, id=id or None, metadata=metadata, sequence=self.counter, tokens=tokens)
        self.current.messages.append(message)
        if self.shape == "broken":
            self.shape = "mended"  # from now on what could be read is the history; the old text is no longer enough
        return message

    def to_json(self) -> dict[str, object]:
        """The history as an object in the format's key order."""
        return {
            "_cls": "History",
            "counter": self.counter,
            "bulks": [bulk.to_json() for bulk in self.bulks],
            "topics": [topic.to_json() for topic in self.topics],
            "current": self.current.to_json(),
        } | self.extra


def _partial(code: str, text: str, defect: str = "") -> Problem:
    return Problem(code, text, Severity.PARTIAL, defect)
