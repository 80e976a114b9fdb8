"""The transcript: a chat as people know it from the web page, made from its log and completed from its history.

Section 4.7 of the format: the user's words, the steps that follow, the answer; what stands alone stands alone. The log
is what people saw, so it leads; the history gives back what the log cut (same id) or no longer holds (D-54). The two
are never merged silently: what comes from the history says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from msgspec import Raw

from chat_archive.core.model.agent import Agent
from chat_archive.core.model.context import AgentContext
from chat_archive.core.model.history import Message
from chat_archive.core.model.log import KNOWN_TYPES, LogItem
from chat_archive.core.transcript_steps import Action, Line, line_of_item, line_of_message, shows_as_code
from chat_archive.core.transcript_text import Reply, parse_reply, pictures_in, printed

_SURELY_MESSAGES = 4_000  # bytes; an empty history takes some 120

_STEPS = frozenset({"agent", "tool", "code_exe", "mcp", "subagent", "progress", "info", "util", "browser", "input"})


class Kind(StrEnum):
    USER = "user"  # the person's words, plain text
    STEP = "step"  # one line of a process group
    ANSWER = "answer"  # Markdown
    ALONE = "alone"  # error, hint, late warning, unknown type
    MESSAGE = "message"  # a history entry of another kind than human and ai
    SUMMARY = "summary"  # what the host put in place of older messages, or beside them
    NOTICE = "notice"  # ours: what is missing, empty or not understood


class Notice(StrEnum):
    """What a notice says; the window words it. `count` of the entry is the number it is about."""

    MISSING_START = "missing start"  # at least `count` earlier items were not saved
    MAYBE_MISSING = "maybe missing"  # the log is full and starts at 0: it was renumbered, earlier items may be gone
    LOG_EMPTY = "log empty"  # `count` messages are shown from the history
    NO_HISTORY = "no history"  # a log and no history to continue from
    CHAT_EMPTY = "chat empty"  # neither
    NOT_UNDERSTOOD = "not understood"  # `count` parts, shown raw in `raw`


@dataclass(frozen=True, slots=True)
class Speaker:
    """One agent as the transcript names it. `known` is False where the chain has no such agent."""

    number: int
    profile: str
    depth: int
    known: bool = True


@dataclass(slots=True, eq=False)
class Entry:
    """One thing of the transcript, in reading order. Compared by identity; the text is taken when asked for.

    `time` is aware UTC, `duration` seconds until the next item of the log, both None where unknown. `hidden` counts
    the characters the host cut out of the log item; `recovered` is the whole text where the history still has it.
    """

    kind: Kind
    agent: int = 0
    depth: int = 0
    type: str = ""  # the log type or the message kind, as stored
    time: datetime | None = None
    duration: float | None = None
    item: LogItem | None = None
    message: Message | None = None
    notice: Notice | None = None
    count: int = 0
    raw: tuple[tuple[str, object], ...] = ()
    hidden: int = 0
    recovered: str | None = None
    images: tuple[str, ...] = ()  # embedded pictures of the history that belong here, as data: addresses
    attached: tuple[str, ...] = ()  # names of attached files, as stored
    shown: str | None = None  # a text that is not the item's own content
    _line: Line | None = field(default=None, repr=False)

    @property
    def background(self) -> bool:
        """Memory and rate-limit notes (`util`): the web page hides them too."""
        return self.type == "util"

    @property
    def from_history(self) -> bool:
        return self.message is not None

    @property
    def foldable(self) -> bool:
        """Whether it is one line first, opened by the reader."""
        return self.kind in (Kind.STEP, Kind.SUMMARY) or self.notice is Notice.NOT_UNDERSTOOD

    @property
    def line(self) -> Line:
        """Icon, verb and object of a step, worked out once."""
        if self._line is None:
            if self.item is not None:
                self._line = line_of_item(self.item)
            elif self.message is not None:
                self._line = line_of_message(self.message)
            else:
                self._line = Line(Action.OTHER, self.type)
        return self._line

    @property
    def text(self) -> str:
        """The whole text of the entry, recovered where it was cut; not yet made fit for a screen."""
        if self.recovered is not None:
            return self.recovered
        if self.shown is not None:
            return self.shown
        if self.item is not None:
            return self.item.content
        if self.message is not None:
            return self.message.text()
        return ""

    @property
    def heading(self) -> str:
        return self.item.heading if self.item is not None else ""

    @property
    def code(self) -> bool:
        """Whether the text is best read in a fixed pitch."""
        return self.kind is Kind.STEP and shows_as_code(self.line.action)

    @property
    def values(self) -> list[tuple[str, object]]:
        """The table of the step: keys and values of `kvps` as stored, without what section 4.7 leaves out."""
        kvps = self.item.kvps if self.item is not None else None
        if self.message is not None:
            content = self.message.content
            if isinstance(content, dict) and "tool_result" in content:
                return [(str(key), value) for key, value in content.items() if key != "tool_result"]
            if self.message.ai and isinstance(content, str):
                reply = parse_reply(content)
                return list(reply.values.items()) if reply is not None else []
            return []
        if isinstance(kvps, dict):
            return [(str(key), value) for key, value in kvps.items() if key not in ("reasoning", "finished")]
        return [] if kvps in (None, "", []) else [("kvps", kvps)]

    def pictures(self) -> list[str]:
        """Addresses of the pictures this entry names, as stored: img://, paths, data:. Nothing is opened."""
        found = list(self.images)
        for _, value in self.values:
            if isinstance(value, str) and value.startswith(("img://", "data:image/")):
                found.append(value)
        if self.kind in (Kind.ANSWER, Kind.USER):
            found.extend(pictures_in(self.text))
        return list(dict.fromkeys(found))


@dataclass(slots=True)
class Transcript:
    """All entries of a chat in reading order, and who speaks in it."""

    entries: list[Entry]
    speakers: dict[int, Speaker]
    log_items: int
    completed: bool = False  # True once the history was asked for what the log cut

    def speaker(self, number: int) -> Speaker:
        """The agent with that number, or one without profile where the chain has none (shown as "agent 5")."""
        return self.speakers.get(number) or Speaker(number, "", min(max(number, 0), 4), known=False)


FIRST = 40
"""Entries of the first screen: shown before the rest of a long log is decoded."""


def build(context: AgentContext, first: Callable[[Transcript], None] | None = None) -> Transcript:
    """The transcript of a chat. Asks the histories only where the log is empty or starts late.

    `first` is handed the transcript once when it holds `FIRST` entries and more are to come; entries are only added
    to it afterwards.
    """
    agents = context.agents
    transcript = Transcript([], _speakers(agents), len(context.log.items))
    entries = transcript.entries
    for entry in _entries(context, agents, transcript.speakers):
        if first is not None and len(entries) == FIRST:
            first(transcript)
        entries.append(entry)
    return transcript


def _entries(context: AgentContext, agents: Sequence[Agent], speakers: dict[int, Speaker]) -> Iterator[Entry]:
    items = context.log.items
    if len(items):
        yield from _head(context, items)
        yield from _from_log(items, speakers, _number(agents[0], 0) if agents else 0)
        if not any(_has_history(agent) for agent in agents):
            yield Entry(Kind.NOTICE, notice=Notice.NO_HISTORY)
    else:
        told = list(_from_histories(agents, speakers))
        messages = sum(1 for entry in told if entry.kind is not Kind.SUMMARY or entry.message is not None)
        yield Entry(Kind.NOTICE, notice=Notice.LOG_EMPTY if messages else Notice.CHAT_EMPTY, count=messages)
        yield from told
    unknown = tuple(not_understood(context))
    if unknown:
        yield Entry(Kind.NOTICE, notice=Notice.NOT_UNDERSTOOD, count=len(unknown), raw=unknown)


def not_understood(context: AgentContext, *, histories: bool = False) -> Iterator[tuple[str, object]]:
    """Keys and values of the chat this program does not know, as (place, value). Histories only when asked for."""
    for key, value in context.extra.items():
        yield str(key), value
    for place, agent in enumerate(context.agents):
        for key, value in agent.extra.items():
            yield f"agents / {_number(agent, place)} / {key}", value
    for key, value in context.log.extra.items():
        yield f"log / {key}", value
    for item in context.log.items:
        if item.type and item.type not in KNOWN_TYPES:
            yield f"log / {item.index} / type", item.type
    if not histories:
        return
    for place, agent in enumerate(context.agents):
        where = f"agents / {_number(agent, place)} / history"
        for key, value in agent.history.extra.items():
            yield f"{where} / {key}", value
        for message in agent.history.messages():
            if message.kind and "_cls" in message.raw_values:
                yield f"{where} / {message.kind}", message.content


def tell_not_understood(transcript: Transcript, parts: tuple[tuple[str, object], ...]) -> Entry | None:
    """Put the unknown parts of the whole chat, histories too, into the notice at the end; the entry when it changed."""
    last = transcript.entries[-1] if transcript.entries else None
    if last is not None and last.notice is Notice.NOT_UNDERSTOOD:
        if len(last.raw) == len(parts):
            return None
        last.raw, last.count = parts, len(parts)
        return last
    if not parts:
        return None
    made = Entry(Kind.NOTICE, notice=Notice.NOT_UNDERSTOOD, count=len(parts), raw=parts)
    transcript.entries.append(made)
    return made


def _speakers(agents: Sequence[Agent]) -> dict[int, Speaker]:
    found: dict[int, Speaker] = {}
    for place, agent in enumerate(agents):
        number = _number(agent, place)
        found.setdefault(number, Speaker(number, agent.profile, min(place, 4)))
    return found


def _number(agent: Agent, place: int) -> int:
    return agent.number if isinstance(agent.number, int) else place


def _has_history(agent: Agent) -> bool:
    part = agent.history.undecoded
    if isinstance(part, Raw) and memoryview(part).nbytes > _SURELY_MESSAGES:
        return True  # big ones are not decoded only to be counted
    return next(agent.history.messages(), None) is not None


def _from_log(items: Sequence[LogItem], speakers: dict[int, Speaker], top: int) -> Iterator[Entry]:
    group_open = False
    previous: Entry | None = None
    for item in items:
        kind, group_open = _kind_of(item, top, group_open)
        number = item.agentno
        speaker = speakers.get(number)
        depth = speaker.depth if speaker is not None else min(max(number - top, 0), 4)
        entry = Entry(kind, number, depth, item.type, item.timestamp, None, item)
        if kind is Kind.USER:
            entry.attached = attached_names(item.kvps)
            entry.depth = 0
        elif kind is Kind.ANSWER:
            entry.depth = 0
        if previous is not None and previous.time is not None and entry.time is not None:
            seconds = (entry.time - previous.time).total_seconds()
            previous.duration = seconds if seconds >= 0 else None
        previous = entry
        yield entry


def _kind_of(item: LogItem, top: int, group_open: bool) -> tuple[Kind, bool]:
    """Section 4.7: which part of a turn an item is, and whether a process group is open after it."""
    if item.type == "user":
        return Kind.USER, False
    if item.type in _STEPS:
        return Kind.STEP, True
    if item.type == "warning" and group_open:
        return Kind.STEP, True
    if item.type == "response":
        return (Kind.ANSWER, False) if item.agentno <= top else (Kind.STEP, True)
    return Kind.ALONE, group_open


def attached_names(values: object) -> tuple[str, ...]:
    """Names of attached files in `kvps` or in a history content, as stored; anything else is left out."""
    if not isinstance(values, dict):
        return ()
    names = values.get("attachments")
    if isinstance(names, str):
        names = [names]
    return tuple(name for name in names if isinstance(name, str)) if isinstance(names, list) else ()


# what the log no longer holds


def _head(context: AgentContext, items: Sequence[LogItem]) -> Iterator[Entry]:
    """A notice that the start is missing, and the history's messages from before the first item that pairs."""
    missing = context.log.missing_before
    if missing <= 0 and not context.log.may_miss_earlier:
        return
    agents = context.agents
    before = list(_before_log(agents[0], items)) if missing > 0 and agents else []
    notice = Notice.MISSING_START if missing > 0 else Notice.MAYBE_MISSING
    yield Entry(Kind.NOTICE, notice=notice, count=missing)
    yield from before


def _before_log(agent: Agent, items: Sequence[LogItem]) -> Iterator[Entry]:
    ids = {item.id for item in items if item.id}
    texts = {item.content for item in items if item.type in ("user", "response") and item.content}
    earlier: list[Message] = []
    for message in agent.history.messages():
        if message.id and message.id in ids:
            break
        if _said(message) in texts:
            break
        earlier.append(message)
    else:
        return  # nothing pairs: which messages came before cannot be told, the History tab has them all
    for message in earlier:
        yield entry_of_message(message, 0, 0)


def _said(message: Message) -> str:
    """What a person saw of a message: their own words, or the answer in the model's reply."""
    content = message.content
    if isinstance(content, dict):
        said = content.get("user_message", content.get("user_intervention"))
        return said if isinstance(said, str) and said else "\0"
    if message.ai and isinstance(content, str):
        reply = parse_reply(content)
        return reply.answer if reply is not None and reply.answer else "\0"
    return "\0"


def _from_histories(agents: Sequence[Agent], speakers: dict[int, Speaker]) -> Iterator[Entry]:
    for place, agent in enumerate(agents):
        number = _number(agent, place)
        speaker = speakers.get(number)
        depth = speaker.depth if speaker is not None else 0
        for message in agent.history.messages():
            yield entry_of_message(message, number, depth)


def entry_of_message(message: Message, agent: int, depth: int) -> Entry:
    """A history message as an entry, without a time: the history has none."""
    content = message.content
    if message.kind:
        return Entry(Kind.MESSAGE, agent, depth, message.kind, message=message)
    entry = Entry(Kind.STEP, agent, depth, "ai" if message.ai else "", message=message)
    if isinstance(content, dict):
        said = content.get("user_message", content.get("user_intervention"))
        if said is not None or "system_message" in content:
            entry.kind, entry.depth = Kind.USER if depth == 0 else Kind.STEP, depth
            entry.attached = attached_names(content)
            entry.shown = printed(said if said is not None else content.get("system_message"))
        elif "messages_summary" in content:
            entry.kind, entry.shown = Kind.SUMMARY, printed(content["messages_summary"])
        elif "tool_result" in content:
            entry.type, entry.shown = "tool", printed(content["tool_result"])
        elif "system_warning" in content:
            entry.type, entry.shown = "warning", printed(content["system_warning"])
        elif "raw_content" in content:
            entry.images = tuple(images_of(content))
    elif message.ai and isinstance(content, str):
        reply: Reply | None = parse_reply(content)
        if reply is not None and reply.answer:
            entry.kind, entry.shown = Kind.ANSWER, reply.answer
        elif reply is None:
            entry.kind = Kind.ANSWER
        entry.type = "agent"
    elif not message.ai:
        # a list history (era A) holds the person's words as plain text or as a list of parts
        entry.kind = Kind.USER if depth == 0 else Kind.STEP
    else:
        entry.kind = Kind.ANSWER
    return entry


def images_of(content: dict[object, object] | dict[str, object]) -> Iterator[str]:
    """Addresses of the pictures in a raw message (3.2): `image_url` may be an object or a plain string."""
    parts = content.get("raw_content")
    for part in parts if isinstance(parts, list) else ():
        if isinstance(part, dict):
            address = part.get("image_url")
            if isinstance(address, dict):
                address = address.get("url")
            if isinstance(address, str):
                yield address
