"""The frozen things the core hands out. No behaviour beyond small derived facts."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import NewType

from chat_archive.core.model.times import Instant

ChatId = NewType("ChatId", str)
"""The id a chat says it has (format 1.5). Not unique on a broken disk, never a path."""

Folder = NewType("Folder", str)
"""The name of a chat's entry directly in the root: its folder, or a flat `<id>.json` file (eras A and B).

Unique within a root, so it is the key of a chat everywhere in the program."""

TrashId = NewType("TrashId", str)
"""The slot of one trashed chat in the private folder."""


class Severity(StrEnum):
    REMARK = "remark"  # worth knowing; nothing is lost
    PARTIAL = "partial"  # a part could not be read, the rest is shown
    DAMAGED = "damaged"  # the file is not readable as a chat


@dataclass(frozen=True, slots=True)
class Problem:
    """Something found at one chat. `code` is stable and for machines, `text` a whole sentence for people."""

    code: str
    text: str
    severity: Severity = Severity.REMARK
    defect: str = ""  # "D-12" where the format page numbers it


class ChatState(StrEnum):
    """The one word of a row; the strongest wins in this order: damaged, duplicate, live, expires, ok."""

    DAMAGED = "damaged"
    DUPLICATE = "duplicate id"
    LIVE = "live"
    EXPIRES = "expires"
    OK = "ok"


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What tells one version of a file from the next. `mtime_ns` in nanoseconds, `size` in bytes."""

    size: int
    mtime_ns: int
    inode: int
    device: int


@dataclass(frozen=True, slots=True)
class AgentRow:
    """One agent of the chain as a list shows it. `number` is as stored, None where the file has none."""

    number: int | None
    profile: str
    messages: int


@dataclass(frozen=True, slots=True)
class ChatRow:
    """Everything a list shows of one chat. Made from one read of the file, without objects for histories."""

    root: Path
    folder: Folder
    path: Path  # the chat.json or flat file itself
    id: ChatId
    title: str  # one line, marks for control characters, never empty
    title_given: bool  # False: taken from the first user message or "Untitled"
    name: str | None  # as stored, unchanged
    type: str  # "user", "task", "background": how it is treated
    raw_type: str | None  # as stored when that differs ("mcp", D-29)
    created_at: Instant
    last_message: Instant
    last_activity: datetime | None  # aware, UTC
    last_activity_from_file: bool  # True: only the file's time was left
    agents: tuple[AgentRow, ...]
    streaming_agent: int | None  # the agent that is active by the file, first agent where none matches (D-37)
    agent_profile: str  # "" = none
    project: str  # "" = none
    project_title: str
    log_items: int
    messages: int  # of all agents
    progress: str  # plain text, no icon markup (D-36)
    progress_no: int | bool | None
    first_words: str  # first user message, one line, cut to 200 characters
    parent_id: str  # output_data.parent_context_id or ""
    expires_at: datetime | None  # last_message + lifetime_hours (5.9)
    size: int  # bytes of chat.json
    era: str  # "A" to "F", "" when damaged
    flat: bool  # a flat file of v0.7/v0.8
    state: ChatState
    problems: tuple[Problem, ...] = ()
    fingerprint: Fingerprint | None = None
    flags: frozenset[str] = frozenset()  # "task", "child", "background", "newer", "trashed"

    @property
    def damaged(self) -> bool:
        return self.state is ChatState.DAMAGED

    @property
    def created(self) -> datetime | None:
        return self.created_at.utc


@dataclass(frozen=True, slots=True)
class ChatFile:
    """One file of a chat's folder. `relative` uses '/'; `missing` files are named by the chat but not there."""

    relative: str
    size: int
    modified: datetime | None
    kind: str  # "chat", "message", "image", "screenshot", "backup", "leftover", "copy", "other"
    missing: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Changes:
    """What an operation did to the list: views decide from it what to redraw."""

    added: frozenset[Folder] = frozenset()
    removed: frozenset[Folder] = frozenset()
    updated: frozenset[Folder] = frozenset()

    def __or__(self, other: Changes) -> Changes:
        return Changes(self.added | other.added, self.removed | other.removed, self.updated | other.updated)


@dataclass(frozen=True, slots=True)
class ItemResult:
    """What became of one item of a batch. `item` is what the person knows it by (title or file name)."""

    item: str
    ok: bool
    text: str  # a whole sentence
    folder: Folder | None = None  # of the chat it is about, where there is one
    path: Path | None = None  # the file written, imported, or refused
    skipped: bool = False  # not done on purpose; `ok` is True
    remarks: tuple[str, ...] = ()  # what was replaced or is worth knowing, one sentence each
    state: str = ""  # of a response at a provider: a `ResponseState`


@dataclass(frozen=True, slots=True)
class OperationResult:
    """Every operation returns one. `items` accounts for each thing asked for, also those not reached when stopped."""

    verb: str  # "rename", "trash", "restore", "import", "export", "erase", "remove_messages", "convert"
    items: tuple[ItemResult, ...]
    changes: Changes = Changes()
    undoable: bool = False
    stopped: bool = False
    remarks: tuple[str, ...] = ()

    @property
    def failed(self) -> tuple[ItemResult, ...]:
        return tuple(item for item in self.items if not item.ok)

    @property
    def done(self) -> tuple[ItemResult, ...]:
        return tuple(item for item in self.items if item.ok and not item.skipped)


@dataclass(frozen=True, slots=True)
class TrashEntry:
    """One chat in the trash. `size` and `files` count the folder; `purge_at` is when retention would remove it."""

    id: TrashId
    folder: Folder  # the place it came from
    title: str
    trashed_at: datetime
    purge_at: datetime | None
    size: int
    files: int
    path: Path  # the folder (or flat file) inside the trash
    kind: str = "chat"  # "chat", or "messages": only the message files of a chat that stayed


class ImportClass(StrEnum):
    """What a thing to import is, before anything is written."""

    NEW = "new"
    SAME = "same"  # the same bytes under the same id are there already
    TAKEN = "taken"  # the id is taken by a different chat: it gets a new id
    DAMAGED = "damaged"
    NOT_A_CHAT = "not a chat"


class OnConflict(StrEnum):
    SKIP = "skip"
    UPDATE = "update"
    KEEP_BOTH = "keep-both"


@dataclass(frozen=True, slots=True)
class ImportItem:
    """One chat found in what was dropped. `source` is the file or folder, `index` its place in an array or None."""

    source: Path
    index: int | None
    kind: ImportClass
    id: str  # as the file says, "" when none
    title: str
    reason: str  # a sentence: why it is what it is, what will happen
    created_at: Instant
    last_activity: datetime | None
    agents: int
    log_items: int
    messages: int
    size: int
    files: int  # beside chat.json, that come along
    left_out: tuple[str, ...] = ()  # files of the folder that are not taken, with the reason
    remarks: tuple[str, ...] = ()
    target: str = ""  # the id it will have in the root, "" when a new one is made

    @property
    def importable(self) -> bool:
        return self.kind in (ImportClass.NEW, ImportClass.SAME, ImportClass.TAKEN)


@dataclass(frozen=True, slots=True)
class FoundRoot:
    """A chats root found at or below (or above) a chosen place. `label` tells it apart from the others found."""

    path: Path
    label: str
    chats: int  # entries that look like chats; -1 when the folder cannot be read
    note: str = ""


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What `check` found. Nothing was changed."""

    chats: int
    problems: tuple[tuple[str, Problem], ...]  # (entry name in the root, what)
    leftovers: tuple[str, ...] = field(default=())  # .chat.json.*.tmp of the host and orphans, relative to the root
