"""Reads one chat for the detail area, on a worker: the transcript first, what needs the histories after it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from chat_archive.core import files
from chat_archive.core.entities import ChatRow, Problem
from chat_archive.core.errors import ArchiveError
from chat_archive.core.layout import MESSAGES_FOLDER
from chat_archive.core.model.agent import Agent
from chat_archive.core.model.context import AgentContext
from chat_archive.core.model.history import Bulk, Message
from chat_archive.core.transcript import Entry, Transcript, build
from chat_archive.core.transcript_recover import complete
from chat_archive.ui.models.transcript_model import Row, rows_of
from chat_archive.ui.views.transcript_pictures import MOST_BYTES, Place, looks_like_picture, uploads_of

if TYPE_CHECKING:
    from chat_archive.core.archive import Archive

_MOST_FILES = 20_000
_DEEPEST = 4


@dataclass(frozen=True, slots=True)
class AgentFacts:
    """One agent as the Agents tab shows it. `call` is the log position of the step that called it, or None."""

    agent: Agent
    place: int
    number: int
    profile: str
    own_profile: bool
    messages: int
    topics: int
    bulks: int
    tokens: int
    responses: int
    streaming: bool
    call: int | None
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class ChatFacts:
    """What only the histories tell. `changed` are the entries whose text came back."""

    agents: tuple[AgentFacts, ...]
    problems: tuple[Problem, ...]
    changed: tuple[Entry, ...]
    unknown: tuple[str, ...]

    @property
    def tokens(self) -> int:
        return sum(agent.tokens for agent in self.agents)


@dataclass(slots=True, eq=False)
class LoadedChat:
    """One chat as every tab shows it. Parts are decoded when first used, by one thread at a time: hold `lock`."""

    archive: Archive
    row: ChatRow
    context: AgentContext
    transcript: Transcript
    rows: list[Row]
    there: frozenset[tuple[bool, tuple[str, ...]]] = frozenset()
    lock: threading.RLock = field(default_factory=threading.RLock)

    @property
    def ids(self) -> frozenset[str]:
        """Names under which paths of this chat may point to it."""
        return frozenset(name for name in (str(self.row.folder), self.context.id, str(self.row.id)) if name)

    def read_picture(self, place: Place) -> bytes:
        """A picture file of the chat's folder or of the uploads beside the root (C1, C6). Raises `ArchiveError`."""
        if place.uploads:
            data, _ = files.read_once(uploads_of(self.row.root), *place.parts, limit=MOST_BYTES)
        else:
            data, _ = files.read_once(self.row.root, self.row.folder, *place.parts, limit=MOST_BYTES)
        return data


def load_chat(
    archive: Archive,
    row: ChatRow,
    check: Callable[[], None],
    first: Callable[[LoadedChat], None] | None = None,
) -> LoadedChat:
    """Read a chat and make its transcript with all steps folded. Raises `ArchiveError`; `check` may raise to stop.

    `first` is handed the chat with the rows of its first screen; what is returned holds the rows of all of it. Until
    then only the transcript of the first may be used: the rest is still being decoded.
    """
    check()
    context = archive.load(row.folder)
    check()
    there = frozenset() if row.flat else frozenset(_pictures_below(row)) | _uploads(row)

    def begun(transcript: Transcript) -> None:
        check()
        if first is not None:
            first(LoadedChat(archive, row, context, transcript, rows_of(transcript), there))

    transcript = build(context, begun)
    check()
    return LoadedChat(archive, row, context, transcript, rows_of(transcript), there)


def _pictures_below(row: ChatRow) -> Iterator[tuple[bool, tuple[str, ...]]]:
    """Where pictures lie in the chat's folder, by their names; nothing is opened."""
    waiting: list[tuple[str, ...]] = [()]
    seen = 0
    while waiting and seen < _MOST_FILES:
        parts = waiting.pop()
        try:
            with files.place(row.root, row.folder, *parts) as here:
                names = here.names()
        except (ArchiveError, OSError):
            continue
        for name in names:
            seen += 1
            if looks_like_picture(name):
                yield False, (*parts, name)
            elif "." not in name and len(parts) < _DEEPEST and name != MESSAGES_FOLDER:
                waiting.append((*parts, name))


def _uploads(row: ChatRow) -> frozenset[tuple[bool, tuple[str, ...]]]:
    """Names in the uploads folder beside the root, where it is one (4.7)."""
    try:
        with files.place(uploads_of(row.root)) as here:
            return frozenset((True, (name,)) for name in here.names()[:100_000])
    except (ArchiveError, OSError):
        return frozenset()


def read_facts(loaded: LoadedChat, check: Callable[[], None]) -> ChatFacts:
    """What the histories tell, and the texts they give back to the transcript."""
    with loaded.lock:
        context = loaded.context
        found = []
        for place, agent in enumerate(context.agents):
            check()
            found.append(_facts_of(loaded, agent, place, check))
        check()
        changed = complete(loaded.transcript, context, check)
        return ChatFacts(tuple(found), tuple(context.all_problems()), tuple(changed), tuple(context.unknown_parts()))


def _facts_of(loaded: LoadedChat, agent: Agent, place: int, check: Callable[[], None]) -> AgentFacts:
    history = agent.history
    messages = tokens = responses = 0
    for message in history.messages():
        check()
        messages += 1
        tokens += max(0, message.tokens)
        responses += _stored(message)
    return AgentFacts(
        agent,
        place,
        agent.number if isinstance(agent.number, int) else place,
        agent.profile,
        bool(agent.config.profile.strip()),
        messages,
        len(history.topics) + (1 if history.current.messages else 0),
        _bulks(list(history.bulks)),
        tokens,
        responses,
        loaded.context.streaming_agent is agent and len(loaded.context.agents) > 1,
        _call_of(loaded.transcript, agent, place),
        tuple(agent.problems),
    )


def _bulks(waiting: list[object]) -> int:
    count = 0
    while waiting and count < 100_000:
        record = waiting.pop()
        if isinstance(record, Bulk):
            count += 1
            waiting.extend(record.records)
    return count


def _stored(message: Message) -> int:
    """1 when the message names a response kept at a provider (3.4)."""
    block = message.metadata.get("responses") if message.ai else None
    if not isinstance(block, dict):
        return 0
    return int(bool(block.get("response_id")) and block.get("state") in (None, "", "provider"))


def _call_of(transcript: Transcript, agent: Agent, place: int) -> int | None:
    """The last delegation by the agent above before this one first speaks."""
    if place == 0:
        return None
    number = agent.number if isinstance(agent.number, int) else place
    call = None
    for entry in transcript.entries:
        if entry.item is None:
            continue
        if entry.agent == number:
            return call
        if entry.type == "subagent" or entry.line.tool == "call_subordinate":
            call = entry.item.index
    return None


def with_row(loaded: LoadedChat, row: ChatRow) -> LoadedChat:
    """The same chat under a newer row."""
    return replace(loaded, row=row)
