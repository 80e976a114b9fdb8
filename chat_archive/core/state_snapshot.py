"""What a front end lists of the open contexts: chats and tasks, sorted by instant (5.5, D-82, D-83)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from chat_archive.core.model.context import AgentContext, AgentContextType
from chat_archive.core.model.times import Instant
from chat_archive.core.model.titles import title_of
from chat_archive.core.siblings import read_surroundings


@dataclass(frozen=True, slots=True)
class ContextState:
    """One open context. `parent_id` is "" at the top level: also for a child whose parent is not open (D-83), then
    `orphan` is True."""

    id: str
    name: str | None
    title: str
    type: str
    created_at: Instant
    last_message: Instant
    parent_id: str
    orphan: bool
    log_items: int
    agents: int
    profile: str


@dataclass(frozen=True, slots=True)
class StateSnapshot:
    """Newest created first; unknown dates last. BACKGROUND contexts are in neither list."""

    contexts: tuple[ContextState, ...]
    tasks: tuple[ContextState, ...]


def take(contexts: Iterable[AgentContext], root: Path) -> StateSnapshot:
    """The snapshot of these contexts. Which are chats of scheduled tasks is read beside the root (1.6)."""
    listed = [context for context in contexts if context.type != AgentContextType.BACKGROUND]
    tasks = read_surroundings(root).tasks
    known = {context.id for context in listed}
    states = sorted((_state(context, known) for context in listed), key=_newest_first)
    is_task = {context.id: context.type == AgentContextType.TASK or context.id in tasks for context in listed}
    return StateSnapshot(
        tuple(state for state in states if not is_task[state.id]),
        tuple(state for state in states if is_task[state.id]),
    )


def _newest_first(state: ContextState) -> tuple[bool, float, str]:
    moment: datetime | None = state.created_at.utc
    return moment is None, 0.0 if moment is None else -moment.timestamp(), state.id


def _state(context: AgentContext, known: set[str]) -> ContextState:
    parent = context.get_output_data("parent_context_id")
    label = context.get_output_data("parent_context_label")
    parent_id = parent if isinstance(parent, str) else ""
    return ContextState(
        id=context.id,
        name=context.name,
        title=title_of(name=context.name, parent_label=label if isinstance(label, str) else "")[0],
        type=str(context.type),
        created_at=context.created_at,
        last_message=context.last_message,
        parent_id=parent_id if parent_id in known else "",
        orphan=bool(parent_id) and parent_id not in known,
        log_items=len(context.log.items),
        agents=len(context.agents),
        profile=context.config.profile,
    )
