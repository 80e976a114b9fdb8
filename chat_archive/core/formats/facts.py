"""The facts of one list row, and how they are taken from a chat's parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from chat_archive.core.entities import AgentRow, Problem
from chat_archive.core.model.content import plain_text
from chat_archive.core.model.context import AgentContext, AgentContextType
from chat_archive.core.model.headings import plain
from chat_archive.core.model.history import History
from chat_archive.core.model.lazy import take_integer
from chat_archive.core.model.times import UNKNOWN, Instant
from chat_archive.core.model.titles import one_line

OUTPUT_KEYS = ("project", "parent_context_id", "parent_context_label")
_LOOK_FOR_WORDS = 400  # messages of a history looked at for the first words
_ITEM_PROBLEMS = 20  # of single log items, told in a row

# parts an era after the reference version writes and the format page knows of
_KNOWN_EXTRA = frozenset({"responses_delete_on_chat_delete"})


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


def facts_of(context: AgentContext) -> RowFacts:
    """The facts from an opened chat."""
    agents = tuple(AgentRow(agent.number, agent.profile, agent.history.count) for agent in context.agents)
    active = context.streaming_agent
    progress_no = context.log.progress_no
    made = RowFacts(
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
        log_items=len(context.log.items),
        messages=sum(agent.messages for agent in agents),
        progress=one_line(plain(context.log.progress)),
        progress_no=progress_no if isinstance(progress_no, bool) else take_integer(progress_no),
        first_words=first_words_of(context),
        era=context.era,
        newer=bool(context.extra.keys() - _KNOWN_EXTRA) or context.era == "F",
        problems=context.all_problems(),
    )
    made.problems += [found for item in context.log.items for found in item.problems][:_ITEM_PROBLEMS]
    take_state(made, "data", context.data)
    take_state(made, "output_data", context.output_data)
    return made


def take_state(made: RowFacts, key: str, values: Mapping[str, Any]) -> None:
    """Project, parent and lifetime from `data` or `output_data` (format 2.5)."""
    project = values.get("project")
    made.project = made.project or text_or_name(project)
    if key == "data":
        made.lifetime_hours = hours(values.get("lifetime_hours"))
        return
    made.project_title = title_in(project)
    made.parent_id = text_or_name(values.get("parent_context_id"))
    made.parent_label = text_or_name(values.get("parent_context_label"))


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
    """The first message of the user, one line: from the log, or from the history where the log has lost its start."""
    cut = context.log.missing_before > 0
    words = "" if cut else _words_of_log(context)
    if not words and context.agent0 is not None:
        words = words_of_history(context.agent0.history)
    return words or _words_of_log(context)


def _words_of_log(context: AgentContext) -> str:
    for item in context.log.items:
        if item.type == "user":
            words = one_line(item.content)
            if words:
                return words
    return ""


def words_of_history(history: History) -> str:
    """The first message of the user in a history, one line, or ""."""
    for place, message in enumerate(history.messages()):
        if place >= _LOOK_FOR_WORDS:
            break
        words = "" if message.ai or message.kind else user_words(message.content)
        if words:
            return words
    return ""


def user_words(content: object) -> str:
    """What the user said in a message's content, one line, or ""."""
    if isinstance(content, dict):
        content = content.get("user_message", content.get("user_intervention"))
    return one_line(plain_text(content)) if content else ""
