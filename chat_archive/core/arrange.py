"""Order and filter of the rows of a list: one place for the window and the command line."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime

from chat_archive.core.entities import ChatRow
from chat_archive.core.model.titles import sort_key

_LONG_AGO = float("-inf")


def _time(when: datetime | None) -> float:
    return _LONG_AGO if when is None else when.timestamp()


SORT_KEYS: dict[str, Callable[[ChatRow], tuple[float | str, ...]]] = {
    "activity": lambda row: (_time(row.last_activity),),
    "created": lambda row: (_time(row.created),),  # by instant, not by text (D-82)
    "name": lambda row: (sort_key(row.title),),
    "id": lambda row: (row.id,),
    "agents": lambda row: (len(row.agents), ">".join(agent.profile for agent in row.agents)),
    "profile": lambda row: (row.agent_profile.casefold(),),
    "project": lambda row: ((row.project_title or row.project).casefold(),),
    "log": lambda row: (row.log_items,),
    "messages": lambda row: (row.messages,),
    "progress": lambda row: (row.progress.casefold(),),
    "size": lambda row: (row.size,),
    "state": lambda row: (row.state.value,),
}
"""What a list can be sorted by."""

LARGEST_FIRST = frozenset({"activity", "created", "agents", "log", "messages", "size"})
"""Keys whose natural order is the newest or largest first."""


def sort_rows(rows: Iterable[ChatRow], key: str = "activity", *, turned: bool = False) -> list[ChatRow]:
    """Rows in the natural order of `key` or the other way round; equal ones by folder, so that the order is stable.

    Raises KeyError for a key that is not in `SORT_KEYS`.
    """
    value = SORT_KEYS[key]
    by_folder = sorted(rows, key=lambda row: row.folder)
    return sorted(by_folder, key=value, reverse=(key in LARGEST_FIRST) != turned)


def matches(row: ChatRow, query: str) -> bool:
    """Whether every word of `query` is part of the title, the id, the folder, a profile or the project."""
    words = query.casefold().split()
    if not words:
        return True
    parts = [row.title, row.name or "", row.id, row.folder, row.agent_profile, row.project, row.project_title]
    parts += [agent.profile for agent in row.agents]
    text = "\n".join(parts).casefold()
    return all(word in text for word in words)
