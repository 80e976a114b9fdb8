"""Walks a chats root and reads what is there, changing nothing (V7).

A root is read by one listing, one look at each chat's file and one read of those that changed. Nothing is opened but
the chats and two siblings of the root: the scheduler's tasks and the side file of names of old versions. No link is
followed (C1, C6).
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from datetime import tzinfo
from pathlib import Path

import msgspec

from chat_archive.core import files
from chat_archive.core.chat_files import chat_files, link_remarks
from chat_archive.core.entities import ChatRow, Folder, Problem
from chat_archive.core.entries import Entry, entries, entry_of, leftovers
from chat_archive.core.errors import ArchiveError, ConflictError, NotFoundError, UnreadableError
from chat_archive.core.formats import read_context
from chat_archive.core.formats.unreadable import salvage as salvage_bytes
from chat_archive.core.model.context import AgentContext
from chat_archive.core.model.titles import one_line
from chat_archive.core.progress import NullProgress, Progress
from chat_archive.core.row_reading import RowReader, is_being_written, is_whole, leftover_parses, leftover_remarks
from chat_archive.core.rows import chat_path, refreshed, with_duplicates
from chat_archive.core.siblings import Surroundings, read_surroundings

__all__ = ["chat_files", "entries", "find", "load", "read_bytes", "read_one", "root_problems", "salvage", "scan_root"]

SECOND_LOOKS_SECONDS = 2.0  # in all, for files that were being written when first looked at (C1)


def scan_root(
    root: Path,
    progress: Progress | None = None,
    *,
    known: Mapping[Folder, ChatRow] | None = None,
    zone: tzinfo | None = None,
) -> Iterator[ChatRow]:
    """Every chat of the root, newest file first, one row at a time; never raises for one bad chat.

    Rows of `known` whose file has the same fingerprint are handed out again without opening it. After the last chat
    **some rows come a second time** and replace the one of the same folder: chats whose id stands in several folders
    (D-13), which only the whole root shows, and files that were being written at the first look (C1).
    Raises `StorageError` or `NotFoundError` for the root itself, and what `progress.report` raises.
    """
    progress = progress or NullProgress()
    found = entries(root)
    reader = RowReader.of(root, zone)
    same_id: dict[str, dict[Folder, ChatRow]] = {}
    waiting: list[Entry] = []
    for done, entry in enumerate(found):
        progress.report(done, len(found), entry.folder)
        row = _known_row(entry, known, reader.around) or reader.row(entry)
        if row is None:
            continue
        if is_being_written(row):
            waiting.append(entry)
        if not row.damaged:
            same_id.setdefault(row.id, {})[row.folder] = row
        yield row
    progress.report(len(found), len(found), "")
    for row in _second_looks(reader, waiting):
        if not row.damaged:
            same_id.setdefault(row.id, {})[row.folder] = row
        yield row
    for rows in same_id.values():
        if len(rows) > 1:
            yield from (with_duplicates(row, rows) for row in rows.values())


def root_problems(root: Path) -> tuple[Problem, ...]:
    """What is wrong with the siblings read with the root; each is told once and ignored."""
    return read_surroundings(root).problems


def _known_row(entry: Entry, known: Mapping[Folder, ChatRow] | None, around: Surroundings) -> ChatRow | None:
    row = known.get(entry.folder) if known else None
    if row is None or entry.fingerprint is None or row.fingerprint != entry.fingerprint or is_being_written(row):
        return None
    return refreshed(row, around)


def _second_looks(reader: RowReader, waiting: list[Entry]) -> Iterator[ChatRow]:
    """Files that were being written, read at rest; `SECOND_LOOKS_SECONDS` in all, then they are told as they are."""
    deadline = time.monotonic() + SECOND_LOOKS_SECONDS
    for entry in waiting:
        row = reader.settled(entry, max(deadline - time.monotonic(), 0.0))
        if row is not None:
            yield row


def read_one(root: Path, folder: str, *, zone: tzinfo | None = None) -> ChatRow:
    """One row, read now; waits up to 2 seconds for a file that is being written. Duplicates of its id elsewhere are
    not looked for: only `scan_root` tells them. Raises `NotFoundError`, `StorageError`."""
    entry = entry_of(root, folder)
    reader = RowReader.of(root, zone)
    row = reader.row(entry)
    if row is not None and is_being_written(row):
        row = reader.settled(entry, SECOND_LOOKS_SECONDS)
    if row is None:
        raise NotFoundError("There is no such chat.", path=root / one_line(folder, 80))
    return row


def find(root: Path, chat_id: str) -> Folder:
    """The folder of a chat named by its folder, its flat file or its inner id. Raises `NotFoundError`, or
    `ConflictError` naming the folders when several chats carry that id (D-13)."""
    if not chat_id.strip():  # a chat without an id goes by its folder (D-07, D-14)
        raise NotFoundError("An empty id names no chat.", path=root)
    found = entries(root)
    names = {entry.folder for entry in found}
    for name in (chat_id, f"{chat_id}.json"):
        if name in names:
            return Folder(name)
    carrying = sorted(entry.folder for entry in found if _inner_id(root, entry) == chat_id)
    if not carrying:
        raise NotFoundError("There is no chat with this id or folder name.", path=root / one_line(chat_id, 80))
    if len(carrying) > 1:
        listed = ", ".join(one_line(folder, 60) for folder in carrying)
        raise ConflictError(f"Several chats carry this id: {listed}.", next_step="Name the chat by its folder.")
    return carrying[0]


class _IdOnly(msgspec.Struct, gc=False):
    id: object = None


def _inner_id(root: Path, entry: Entry) -> str | None:
    if entry.trouble is not None:
        return None
    try:
        data, _ = files.read_once(root, *entry.parts)
    except ArchiveError:
        return None
    try:
        value = msgspec.json.decode(data, type=_IdOnly).id
    except (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError):
        try:
            return read_context(data, folder=entry.folder, flat=entry.flat).id
        except UnreadableError:
            return None
    return str(value) if isinstance(value, str | int) else None


def read_bytes(root: Path, folder: str) -> bytes:
    """The exact bytes of the chat's file, read at rest (C1). Raises `NotFoundError`, `StorageError`,
    `UnreadableError` (a link, no regular file, too large)."""
    entry = entry_of(root, folder)
    if entry.trouble is not None:
        raise entry.trouble
    data, _ = files.read_settled(root, *entry.parts, whole=is_whole)
    return data


def load(root: Path, folder: str, *, zone: tzinfo | None = None) -> AgentContext:
    """The chat with everything readable in it. Raises `UnreadableError`, `NotFoundError`, `StorageError`."""
    entry = entry_of(root, folder)
    data = read_bytes(root, folder)
    try:
        context = read_context(data, folder=entry.folder, zone=zone, flat=entry.flat)
    except UnreadableError as error:
        error.path = chat_path(root, folder, entry.flat)
        raise
    if not entry.flat:
        context.problems.extend(link_remarks(root, folder))
        context.problems.extend(leftover_remarks(root, entry))
    return context


def salvage(root: Path, folder: str) -> list[bytes]:
    """Texts of new chats from what parses in a damaged chat's file and in leftovers of killed saves; [] when nothing
    does. The files stay as they are (D-94)."""
    entry = entry_of(root, folder)
    found: list[bytes] = []
    if entry.trouble is None:
        try:
            found = salvage_bytes(files.read_settled(root, *entry.parts, whole=is_whole)[0])
        except ArchiveError:
            found = []
    if not entry.flat:
        for name in leftovers(root, folder):
            if leftover_parses(root, folder, name):
                found.append(files.read_once(root, folder, name)[0])
    return found
