"""How the trash lies on disk, so that a chat in it is found without any record.

    trash/<time>-<random>/record.json      when, and the titles; written and synced before anything is moved
    trash/<time>-<random>/chats/<folder>   a chat, under the name it had in the root
    trash/<time>-<random>/messages/<folder>   only the message files of a chat that stayed

A record is a help for people. What is in the trash, and where it came from, is what lies there: a path in a record is
never used (D3).
"""

from __future__ import annotations

import contextlib
import json
import re
import secrets
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from chat_archive.core import files
from chat_archive.core.entities import Folder, TrashEntry, TrashId
from chat_archive.core.errors import ArchiveError, NotFoundError, StorageError
from chat_archive.core.files import Place
from chat_archive.core.layout import check_component
from chat_archive.core.model.times import UNKNOWN, parse_instant
from chat_archive.core.model.titles import one_line

if TYPE_CHECKING:
    from chat_archive.core.workspace import Workspace

CHATS, MESSAGES = "chats", "messages"
_RECORD = "record.json"
_SLOT = re.compile(r"(\d{8}-\d{6})-[0-9a-f]{8}")
_RECORD_LIMIT = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Record:
    """What a slot's record says; empty when it is missing or broken."""

    at: datetime | None = None  # UTC
    titles: Mapping[str, str] = field(default_factory=dict)


def _parts(workspace: Workspace) -> tuple[str, ...]:
    return workspace.trash_folder.relative_to(workspace.root).parts


def _place(workspace: Workspace, *parts: str) -> AbstractContextManager[Place]:
    """A folder of the trash, opened from the root on: a link planted in its place, or in that of the private folder,
    leads nowhere (C6)."""
    return files.place(workspace.root, *_parts(workspace), *parts)


def make(workspace: Workspace, kind: str, titles: Mapping[str, str]) -> str:
    """A new slot with its record, all synced. On a full disk the reserve is given back for it, and without any room
    the slot goes without a record (D5). Raises `ArchiveError`."""
    slot = f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(4)}"
    record = json.dumps({"version": 1, "at": datetime.now(UTC).isoformat(), "kind": kind, "titles": titles}).encode()
    try:
        _make(workspace, slot, kind, record)
    except ArchiveError as error:
        _remove_empty(workspace, slot)
        if not files.is_full(error):
            raise
        workspace.release_reserve()
        _make(workspace, slot, kind, record)
    return slot


def _make(workspace: Workspace, slot: str, kind: str, record: bytes) -> None:
    path = workspace.trash_folder / slot
    with files.telling("A place in the trash could not be made", path), _place(workspace) as trash:
        files.make_folder_at(trash, slot)
        with _place(workspace, slot) as here:
            files.make_folder_at(here, kind)
            try:
                files.write_new_at(here, _RECORD, record)
            except OSError as error:
                reserve_left = (workspace.private / "reserve").exists()
                if not files.is_full(error) or reserve_left:
                    raise
            files.sync_place(here)
        files.sync_place(trash)


def is_slot(name: str) -> bool:
    return _SLOT.fullmatch(name) is not None


def names(workspace: Workspace) -> list[str]:
    """The slots, newest first; none when there is no trash. Raises `StorageError`."""
    try:
        with _place(workspace) as trash:
            return sorted((name for name in trash.names() if _SLOT.fullmatch(name)), reverse=True)
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise files.explain(error, "The trash cannot be read", workspace.trash_folder) from error


def contents(workspace: Workspace, slot: str) -> Iterator[tuple[str, str]]:
    """(kind, folder) of what lies in a slot. Raises `StorageError` when it cannot be read."""
    for kind in (CHATS, MESSAGES):
        try:
            with _place(workspace, slot, kind) as here:
                found = sorted(here.names())
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            raise files.explain(error, "The trash cannot be read", workspace.trash_folder / slot) from error
        yield from ((kind, name) for name in found)


def record_of(workspace: Workspace, slot: str) -> Record:
    """Never raises: a record is a help and no more."""
    try:
        data, _ = files.read_once(workspace.root, *_parts(workspace), slot, _RECORD, limit=_RECORD_LIMIT)
        raw = json.loads(data)
        titles = raw.get("titles") if isinstance(raw, dict) else None
        at = parse_instant(raw.get("at")) if isinstance(raw, dict) else UNKNOWN
    except (ArchiveError, ValueError, RecursionError):
        return Record()
    known = {str(k): one_line(v) for k, v in titles.items() if isinstance(v, str)} if isinstance(titles, dict) else {}
    return Record(None if at.naive else at.utc, known)


def entries(workspace: Workspace) -> list[TrashEntry]:
    """All that is in the trash, newest first, sizes counted. Raises `StorageError`."""
    found: list[TrashEntry] = []
    for slot in names(workspace):
        record = record_of(workspace, slot)
        at = record.at if record.at is not None else _time_of(slot)
        for kind, folder in contents(workspace, slot):
            path = workspace.trash_folder / slot / kind / folder
            size, count = files.measure(path)
            found.append(
                TrashEntry(
                    id=TrashId(f"{slot}/{folder}"),
                    folder=Folder(folder),
                    title=record.titles.get(folder) or one_line(folder),
                    trashed_at=at,
                    purge_at=_later(at, workspace.trash_days) if workspace.trash_days > 0 else None,
                    size=size,
                    files=count,
                    path=path,
                    kind="chat" if kind == CHATS else "messages",
                )
            )
    return found


def locate(workspace: Workspace, entry: str) -> tuple[str, str, str]:
    """(slot, kind, folder) of a trash id. The folder's name is checked like one of an import (D3). Raises
    `BadIdError`, `NotFoundError`."""
    slot, _, folder = entry.partition("/")
    if _SLOT.fullmatch(slot) and check_component(folder):
        for kind in (CHATS, MESSAGES):
            with contextlib.suppress(OSError), _place(workspace, slot, kind) as here:
                if here.exists(folder):
                    return slot, kind, folder
    raise NotFoundError("This is not in the trash any more.", path=entry)


def drop_empty(workspace: Workspace) -> None:
    """Remove slots in which nothing lies. Raises `StorageError`, `OSError`."""
    dropped = False
    for slot in names(workspace):
        if next(contents(workspace, slot), None) is None:
            dropped |= _remove_empty(workspace, slot)
    if dropped:
        files.fsync_folder(workspace.trash_folder)


def drop_if_empty(workspace: Workspace, slots: set[str]) -> None:
    """As `drop_empty` for a few; what cannot be removed is left to the next start."""
    for slot in slots:
        with contextlib.suppress(ArchiveError, OSError):
            if next(contents(workspace, slot), None) is None:
                _remove_empty(workspace, slot)


def _remove_empty(workspace: Workspace, slot: str) -> bool:
    """Only ever removes empty folders and the record, so nothing can be lost by it."""
    try:
        with _place(workspace) as trash:
            if not trash.exists(slot):
                return False
            with _place(workspace, slot) as here:
                for kind in (CHATS, MESSAGES):
                    if here.exists(kind):
                        files.remove_folder_at(here, kind)
                if here.exists(_RECORD):
                    files.remove_name(here, _RECORD)
            files.remove_folder_at(trash, slot)
    except (OSError, StorageError):
        return False
    return True


def _later(at: datetime, days: int) -> datetime | None:
    try:
        return at + timedelta(days=days)
    except OverflowError:
        return None


def _time_of(slot: str) -> datetime:
    day, time = slot[:8], slot[9:15]
    return parse_instant(f"{day}T{time}Z").utc or datetime.fromtimestamp(0, UTC)
