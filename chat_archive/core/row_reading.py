"""From one entry of the root to its row, whatever lies there (C1, D-19, D-22, D-94)."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, replace
from datetime import tzinfo
from pathlib import Path

import msgspec

from chat_archive.core import files
from chat_archive.core.entities import ChatRow, ChatState, Fingerprint, Folder, Problem, Severity
from chat_archive.core.entries import Entry, leftovers
from chat_archive.core.errors import ArchiveError, NotFoundError, UnreadableError
from chat_archive.core.formats import read_context, read_row_facts
from chat_archive.core.model import raw
from chat_archive.core.model.lazy import value_of
from chat_archive.core.model.mending import close_cut
from chat_archive.core.rows import BEING_WRITTEN, damaged_row, make_row
from chat_archive.core.siblings import Surroundings, read_surroundings

_YOUNG_SECONDS = 2.0
_CHAT_MARKS = (b'"log"', b'"agents"')


@dataclass(frozen=True, slots=True)
class RowReader:
    """What is the same for every row of one root. `can_change`: whether this user can write into the root."""

    root: Path
    around: Surroundings
    zone: tzinfo | None
    can_change: bool

    @classmethod
    def of(cls, root: Path, zone: tzinfo | None) -> RowReader:
        return cls(root, read_surroundings(root), zone, os.access(root, os.W_OK))

    def row(self, entry: Entry) -> ChatRow | None:
        """The row by a first look, without waiting; None for what is gone or no chat (D-06)."""
        try:
            if entry.trouble is not None:
                raise entry.trouble
            data, fingerprint = files.read_once(self.root, *entry.parts)
        except NotFoundError:
            return None  # removed since the listing
        except ArchiveError as error:
            if isinstance(error, UnreadableError) and error.kind == "changing":
                return self._written(entry)
            return damaged_row(self.root, entry.folder, entry.flat, error, entry.fingerprint)
        return self._row_of(entry, data, fingerprint, last_look=False)

    def settled(self, entry: Entry, seconds: float) -> ChatRow | None:
        """The row of a file that was being written, read at rest or after `seconds` as it is then."""
        try:
            data, fingerprint = files.read_settled(self.root, *entry.parts, whole=is_whole, seconds=seconds)
        except NotFoundError:
            return None
        except ArchiveError as error:
            if isinstance(error, UnreadableError) and error.kind == "changing":
                return self._written(entry)
            return damaged_row(self.root, entry.folder, entry.flat, error, entry.fingerprint)
        return self._row_of(entry, data, fingerprint, last_look=True)

    def _row_of(self, entry: Entry, data: bytes, fingerprint: Fingerprint, *, last_look: bool) -> ChatRow | None:
        try:
            facts = read_row_facts(data, folder=entry.folder, zone=self.zone, flat=entry.flat)
        except UnreadableError as error:
            if entry.flat and not may_be_flat_chat(data, error):
                return None
            if _is_young(fingerprint) and not last_look:
                return self._written(replace(entry, fingerprint=fingerprint))
            name, more = name_in_head(data), leftover_remarks(self.root, entry)
            return damaged_row(self.root, entry.folder, entry.flat, error, fingerprint, name=name, more=more)
        if entry.flat and not looks_like_chat(data):
            return None
        more = [] if entry.flat or not self.can_change else _rights_remarks(self.root, entry.folder)
        return make_row(self.root, entry.folder, entry.flat, facts, fingerprint, self.around, more)

    def _written(self, entry: Entry) -> ChatRow:
        error = UnreadableError("The file is being written at this moment; it is read again.", kind=BEING_WRITTEN)
        row = damaged_row(self.root, entry.folder, entry.flat, error, entry.fingerprint)
        problem = replace(row.problems[0], severity=Severity.REMARK, defect="")
        return replace(row, state=ChatState.LIVE, problems=(problem,))


def is_being_written(row: ChatRow) -> bool:
    """Whether the file looked half written at the first look; nothing is said about damage then (C1)."""
    return any(problem.code == BEING_WRITTEN for problem in row.problems)


def _is_young(fingerprint: Fingerprint) -> bool:
    return time.time() - fingerprint.mtime_ns / 1e9 < _YOUNG_SECONDS


def is_whole(data: bytes) -> bool:
    """Whether the bytes parse as JSON at the top; the test for a file that may be half written."""
    try:
        msgspec.json.decode(data, type=dict[str, msgspec.Raw])
    except (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError):
        return files.ends_closed(data)
    return True


def looks_like_chat(data: bytes) -> bool:
    """Whether a JSON file directly in the root is a chat and not an index, export or setting (D-06)."""
    try:
        found = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
    except (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError):
        return any(mark in data for mark in _CHAT_MARKS)
    return "log" in found or "agents" in found


def may_be_flat_chat(data: bytes, error: UnreadableError) -> bool:
    """Whether a damaged JSON file in the root was a chat: empty ones, and those with a chat's keys in them."""
    if error.kind in ("array", "not a chat"):
        return False
    return not data.strip(b"\0 \t\r\n") or any(mark in data for mark in _CHAT_MARKS)


def name_in_head(data: bytes) -> str | None:
    """The name that the first bytes of a damaged file still tell; the host writes it before the long parts."""
    mended = close_cut(data[:4096])
    found = None if mended is None else raw.members(msgspec.Raw(mended))
    name = value_of(found.get("name")) if found else None
    return name if isinstance(name, str) and name.strip() else None


def _rights_remarks(root: Path, folder: Folder) -> list[Problem]:
    if os.access(root / folder, os.W_OK | os.X_OK):
        return []
    text = "The folder of this chat cannot be changed by this user; it can only be read."
    return [Problem("folder-read-only", text, Severity.REMARK, "D-19")]


def leftover_remarks(root: Path, entry: Entry) -> list[Problem]:
    if entry.flat:
        return []
    remarks = []
    for name in leftovers(root, entry.folder):
        if leftover_parses(root, entry.folder, name):
            text = f"An interrupted save left {name}, which can be read: it may hold the chat."
        else:
            text = f"An interrupted save left {name}, which cannot be read either."
        remarks.append(Problem("leftover", text, Severity.REMARK, "D-21"))
    return remarks


def leftover_parses(root: Path, folder: str, name: str) -> bool:
    """Whether a leftover of a killed save is a whole chat."""
    try:
        data, _ = files.read_once(root, folder, name)
        read_context(data, folder=folder)
    except ArchiveError:
        return False
    return True
