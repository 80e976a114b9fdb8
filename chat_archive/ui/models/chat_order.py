"""Which chats a list shows and in what order: columns, sort keys, the filter line, the scope of the sidebar. No Qt.

Sort values are floats, ints and strings only; what is unknown comes last in both directions, and equals stay in the
order of their last activity, newest first.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from chat_archive.core.entities import ChatRow, ChatState, Folder


class ChatKey(NamedTuple):
    """Names one chat among all open roots."""

    root: Path
    folder: Folder


def key_of(row: ChatRow) -> ChatKey:
    return ChatKey(row.root, row.folder)


class Column(IntEnum):
    TITLE = 0
    AGENTS = 1
    ACTIVITY = 2
    CREATED = 3
    LOG = 4
    MESSAGES = 5
    SIZE = 6
    STATE = 7
    PROJECT = 8
    PROGRESS = 9
    PROFILE = 10
    FIRST_WORDS = 11
    ID = 12
    ROOT = 13


FALLING = frozenset({Column.ACTIVITY, Column.CREATED, Column.LOG, Column.MESSAGES, Column.SIZE})
"""Columns whose first click sorts the largest or newest first."""

_STATES = {state: number for number, state in enumerate(ChatState)}


class Entry:
    """One row with what sorting and filtering ask again and again, computed once."""

    def __init__(self, row: ChatRow) -> None:
        self.row = row
        self.key = key_of(row)
        activity = row.last_activity
        # newest first, unknown last, and one order for chats of the same moment
        self.rank = (-activity.timestamp() if activity is not None else float("inf"), row.folder)
        # asked of all chats at the first letter of a filter, so it is made while they arrive
        self.haystack = self._haystack()

    @cached_property
    def profiles(self) -> tuple[str, ...]:
        """Every profile of the chain once, in its order; "" for none. At least one entry."""
        named = tuple(dict.fromkeys(agent.profile for agent in self.row.agents))
        return named or (self.row.agent_profile,)

    def _haystack(self) -> str:
        """What a bare word of the filter is looked for in."""
        row = self.row
        parts = [row.title, row.name or "", row.project, row.project_title, row.id, row.folder]
        parts += [profile or "none" for profile in self.profiles]
        return "\n".join(parts).casefold()

    @cached_property
    def title_key(self) -> str:
        return self.row.title.strip().casefold()


SortValue = float | int | str | None


def _profile_chain(entry: Entry) -> SortValue:
    return " ".join(agent.profile for agent in entry.row.agents).casefold() or None


_VALUES: dict[Column, Callable[[Entry], SortValue]] = {
    Column.TITLE: lambda e: e.title_key or None,
    Column.AGENTS: lambda e: len(e.row.agents) or None,
    Column.ACTIVITY: lambda e: None if e.row.last_activity is None else e.row.last_activity.timestamp(),
    Column.CREATED: lambda e: None if e.row.created is None else e.row.created.timestamp(),
    Column.LOG: lambda e: None if e.row.damaged else e.row.log_items,
    Column.MESSAGES: lambda e: None if e.row.damaged else e.row.messages,
    Column.SIZE: lambda e: e.row.size,
    Column.STATE: lambda e: _STATES[e.row.state],
    Column.PROJECT: lambda e: (e.row.project_title or e.row.project).casefold() or None,
    Column.PROGRESS: lambda e: e.row.progress.casefold() or None,
    Column.PROFILE: _profile_chain,
    Column.FIRST_WORDS: lambda e: e.row.first_words.strip().casefold() or None,
    Column.ID: lambda e: e.row.id or None,
    Column.ROOT: lambda e: str(e.row.root),
}


def ranked(entries: Iterable[Entry]) -> list[Entry]:
    """By last activity, newest first: the order in which equals stand under every column."""
    return sorted(entries, key=_rank)


def _rank(entry: Entry) -> tuple[float, str]:
    return entry.rank


def in_order(by_rank: list[Entry], column: Column, falling: bool) -> list[Entry]:
    """A new list of what `ranked` gave, sorted by `column`; unknown values last whichever way it runs."""
    if column is Column.ACTIVITY and falling:
        return list(by_rank)
    value = _VALUES[column]
    # numbers into the list instead of pairs: ten thousand new tuples would set off the garbage collector
    values = [value(entry) for entry in by_rank]
    known = [number for number, found in enumerate(values) if found is not None]
    # stable in both directions: equals keep the order of their last activity
    known.sort(key=values.__getitem__, reverse=falling)  # type: ignore[arg-type]
    order = [by_rank[number] for number in known]
    if len(known) < len(values):
        order += [entry for entry, found in zip(by_rank, values, strict=True) if found is None]
    return order


# the filter line

Test = Callable[[Entry], bool]


def _contains(get: Callable[[Entry], Iterable[str]], word: str) -> Test:
    if word in ("", "none"):
        return lambda entry: (
            any(not text for text in get(entry))
            or (word == "none" and any(text.casefold() == "none" for text in get(entry)))
        )
    return lambda entry: any(word in text.casefold() for text in get(entry))


_FIELDS: dict[str, Callable[[Entry], Iterable[str]]] = {
    "name": lambda e: (e.row.title, e.row.name or ""),
    "title": lambda e: (e.row.title, e.row.name or ""),
    "profile": lambda e: e.profiles,
    "project": lambda e: (e.row.project_title, e.row.project) if e.row.project_title else (e.row.project,),
    "id": lambda e: (e.row.id, e.row.folder),
}


def _words(text: str) -> list[str]:
    """Split at blanks; double quotes hold words together, an open quote holds to the end."""
    lexer = shlex.shlex(text, posix=True)
    lexer.whitespace_split = True
    lexer.quotes = '"'
    lexer.escape = ""
    lexer.commenters = ""
    try:
        return list(lexer)
    except ValueError:
        return text.replace('"', " ").split()


def matcher(text: str) -> Test | None:
    """A test for the filter line: every word must be found; `-word` must not; `profile:none` has none.

    None when the line is empty and everything passes.
    """
    tests: list[Test] = []
    for word in _words(text.casefold()):
        wanted = not word.startswith("-") or len(word) == 1
        bare = word if wanted else word[1:]
        field, colon, rest = bare.partition(":")
        test = _contains(_FIELDS[field], rest) if colon and field in _FIELDS else _in_haystack(bare)
        tests.append(test if wanted else _not(test))
    if not tests:
        return None
    if len(tests) == 1:
        return tests[0]
    return lambda entry: all(test(entry) for test in tests)


def _in_haystack(word: str) -> Test:
    return lambda entry: word in entry.haystack


def _not(test: Test) -> Test:
    return lambda entry: not test(entry)


# the scope of the sidebar


class ScopeKind(StrEnum):
    ALL = "all"
    TASKS = "tasks"
    DAMAGED = "damaged"
    TRASH = "trash"
    PROJECT = "project"
    PROFILE = "profile"
    ROOT = "root"


@dataclass(frozen=True, slots=True)
class Scope:
    """What the sidebar narrows the list to. `value` is the project or profile ("" is none) or the root's path."""

    kind: ScopeKind = ScopeKind.ALL
    value: str = ""

    def holds(self, entry: Entry) -> bool:
        row = entry.row
        match self.kind:
            case ScopeKind.ALL:
                return True
            case ScopeKind.TASKS:
                return is_task(row)
            case ScopeKind.DAMAGED:
                return row.damaged
            case ScopeKind.PROJECT:
                return not row.damaged and row.project == self.value
            case ScopeKind.PROFILE:
                return not row.damaged and self.value in entry.profiles
            case ScopeKind.ROOT:
                return str(row.root) == self.value
            case ScopeKind.TRASH:
                return False


ALL = Scope()
TRASH = Scope(ScopeKind.TRASH)


def is_task(row: ChatRow) -> bool:
    return row.type == "task" or "task" in row.flags
