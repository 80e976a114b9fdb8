"""The facts of one list row from one read of the file: the typed decoder first, the tolerant reader for what it
refuses. No objects are made for messages (design 2, "two speeds")."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, tzinfo

from chat_archive.core.entities import AgentRow, Problem
from chat_archive.core.formats.reader import read_context
from chat_archive.core.model.content import plain_text
from chat_archive.core.model.context import AgentContext, AgentContextType
from chat_archive.core.model.headings import plain
from chat_archive.core.model.lazy import take_integer
from chat_archive.core.model.times import UNKNOWN, Instant
from chat_archive.core.model.titles import one_line

_LOOK_FOR_WORDS = 400  # messages of a history looked at for the first words


@dataclass(slots=True)
class RowFacts:
    """What a list shows of one chat, as far as its own file says it."""

    id: str
    name: str | None
    type: AgentContextType
    raw_type: str | None
    created_at: Instant = UNKNOWN
    last_message: Instant = UNKNOWN
    newest_item: datetime | None = None
    agents: tuple[AgentRow, ...] = ()
    streaming_agent: int | None = None
    agent_profile: str = ""
    project: str = ""
    project_title: str = ""
    log_items: int = 0
    messages: int = 0
    progress: str = ""
    progress_no: int | bool | None = None
    first_words: str = ""
    parent_id: str = ""
    parent_label: str = ""
    lifetime_hours: float | None = None
    era: str = ""
    newer: bool = False
    problems: list[Problem] = field(default_factory=list)


def read_row_facts(data: bytes, *, folder: str, zone: tzinfo | None = None, flat: bool = False) -> RowFacts:
    """The facts of the chat in `data`. Raises `UnreadableError` only."""
    return facts_of(read_context(data, folder=folder, zone=zone, flat=flat))


def facts_of(context: AgentContext) -> RowFacts:
    """The same facts from an opened chat."""
    agents = tuple(AgentRow(agent.number, agent.profile, agent.history.count) for agent in context.agents)
    active = context.streaming_agent
    progress_no = context.log.progress_no
    return RowFacts(
        id=context.id,
        name=context.name,
        type=context.type,
        raw_type=raw_type_of(context.raw_type, context.type),
        created_at=context.created_at,
        last_message=context.last_message,
        newest_item=max((item.timestamp for item in context.log.items if item.timestamp), default=None),
        agents=agents,
        streaming_agent=active.number if active is not None else None,
        agent_profile=context.config.profile,
        project=text_or_name(context.data.get("project")) or text_or_name(context.output_data.get("project")),
        project_title=title_in(context.output_data.get("project")),
        log_items=len(context.log.items),
        messages=sum(agent.messages for agent in agents),
        progress=one_line(plain(context.log.progress)),
        progress_no=progress_no if isinstance(progress_no, bool) else take_integer(progress_no),
        first_words=first_words_of(context),
        parent_id=text_or_name(context.output_data.get("parent_context_id")),
        parent_label=text_or_name(context.output_data.get("parent_context_label")),
        lifetime_hours=hours(context.data.get("lifetime_hours")),
        era=context.era,
        newer=bool(context.extra) or context.era == "F",
        problems=context.all_problems() + [found for item in context.log.items for found in item.problems][:20],
    )


def raw_type_of(value: object, taken: AgentContextType) -> str | None:
    """The type as stored where it differs from how the chat is treated (D-29)."""
    if value is None or value == taken.value:
        return None
    return one_line(value) if isinstance(value, str) else str(value)[:60]


def text_or_name(value: object) -> str:
    """A text, or the `name` of an object, else ""."""
    if isinstance(value, dict):
        value = value.get("name")
    return value if isinstance(value, str) else ""


def title_in(value: object) -> str:
    """The `title` of a project's object, else ""."""
    title = value.get("title") if isinstance(value, dict) else None
    return title if isinstance(title, str) else ""


def hours(value: object) -> float | None:
    """`lifetime_hours` as a number (5.9), else None."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 < value < 10_000_000 else None


def first_words_of(context: AgentContext) -> str:
    """The first message of the user, one line: from the log, else from the history."""
    if context.log.missing_before == 0:
        for item in context.log.items:
            if item.type == "user":
                words = one_line(item.content)
                if words:
                    return words
    for agent in context.agents[:1]:
        for place, message in enumerate(agent.history.messages()):
            if place >= _LOOK_FOR_WORDS:
                break
            words = user_words(message.content, message.ai or bool(message.kind))
            if words:
                return words
    for item in context.log.items:
        if item.type == "user" and item.content.strip():
            return one_line(item.content)
    return ""


def user_words(content: object, ai: bool) -> str:
    """What the user said in a message's content, one line, or ""."""
    if ai:
        return ""
    if isinstance(content, dict):
        content = content.get("user_message", content.get("user_intervention"))
        return one_line(plain_text(content)) if content else ""
    return one_line(plain_text(content))
