"""What a person decided about chats, kept in the archive's own folder and never in a chat: hidden, and kept copies.

`.chat-archive/marks.json` holds the marks; `.chat-archive/copies/<time>-<hash>/<folder>/` one copied version of a chat
(design 3). A copy is made of bytes, never of links (H3), and is there whole or not at all.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING

from chat_archive.core import files
from chat_archive.core.entities import ChatRow, Fingerprint, Folder
from chat_archive.core.entries import entry_of
from chat_archive.core.errors import ArchiveError, NotFoundError
from chat_archive.core.layout import CHAT_FILE_NAME, check_component
from chat_archive.core.operations import trash_slots
from chat_archive.core.row_reading import RowReader

if TYPE_CHECKING:
    from chat_archive.core.workspace import Workspace

FILE_NAME = "marks.json"
COPIES = "copies"
_LIMIT = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Marks:
    """`hidden` gives size and time of each hidden chat's file when it was hidden. `kept` are chats of which versions
    are kept, `keep_all` keeps those of every chat. `extra` is what a newer version wrote."""

    hidden: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    kept: frozenset[str] = frozenset()
    keep_all: bool = False
    extra: Mapping[str, object] = field(default_factory=dict)

    def changed(self, row: ChatRow) -> bool:
        """Whether a hidden chat was written since it was hidden; it stays hidden, and is counted."""
        seen = self.hidden.get(row.folder)
        return seen is not None and row.fingerprint is not None and seen != _print(row.fingerprint)


@dataclass(frozen=True, slots=True)
class KeptCopy:
    """One kept version. `base` is a folder that holds the chat as a root does, so that it can be read and exported."""

    folder: Folder
    base: Path
    at: datetime


def load(workspace: Workspace) -> Marks:
    """The marks; none when there is no file or it makes no sense. Never raises."""
    try:
        data, _ = files.read_once(workspace.private, FILE_NAME, limit=_LIMIT)
        raw = json.loads(data)
    except (ArchiveError, ValueError, RecursionError):
        return Marks()
    if not isinstance(raw, dict):
        return Marks()
    hidden = raw.get("hidden")
    kept = raw.get("kept")
    found = {
        str(folder): (seen[0], seen[1])
        for folder, seen in (hidden.items() if isinstance(hidden, dict) else ())
        if isinstance(seen, list) and len(seen) == 2 and all(isinstance(one, int) for one in seen)
    }
    return Marks(
        found,
        frozenset(one for one in kept if isinstance(one, str)) if isinstance(kept, list) else frozenset(),
        raw.get("keep_all") is True,
        {key: value for key, value in raw.items() if key not in ("version", "hidden", "kept", "keep_all")},
    )


def hide(workspace: Workspace, folders: Sequence[Folder]) -> None:
    """Hide chats from the list; nothing in the root changes. Raises `BadIdError`, `ReadOnlyError`, `StorageError`."""
    with workspace.change_lock:
        marks = load(workspace)
        hidden = dict(marks.hidden)
        for folder in folders:
            check_component(folder)
            found = _fingerprint(workspace, folder)
            hidden[folder] = _print(found) if found is not None else (0, 0)
        _save(workspace, Marks(hidden, marks.kept, marks.keep_all, marks.extra))


def show(workspace: Workspace, folders: Sequence[Folder]) -> None:
    """Show hidden chats again. Raises as `hide`."""
    with workspace.change_lock:
        marks = load(workspace)
        hidden = {folder: seen for folder, seen in marks.hidden.items() if folder not in folders}
        _save(workspace, Marks(hidden, marks.kept, marks.keep_all, marks.extra))


def set_keep(workspace: Workspace, folders: Sequence[Folder] | None, keep: bool) -> None:
    """Switch keeping copies of these chats, or of all (None). Copies that are there stay. Raises as `hide`."""
    with workspace.change_lock:
        marks = load(workspace)
        if folders is None:
            _save(workspace, Marks(marks.hidden, marks.kept, keep, marks.extra))
            return
        names = frozenset(check_component(folder) for folder in folders)
        kept = marks.kept | names if keep else marks.kept - names
        _save(workspace, Marks(marks.hidden, kept, marks.keep_all, marks.extra))


def keep_copy(workspace: Workspace, folder: Folder) -> KeptCopy | None:
    """Copy the chat as it is now, unless its newest copy has the same file. Raises `NotFoundError`, `StorageError`,
    `UnreadableError` (a link)."""
    check_component(folder)
    with workspace.change_lock:
        workspace.need_private()
        entry = entry_of(workspace.root, folder)
        if entry.trouble is not None:
            raise entry.trouble
        data, _ = files.read_settled(workspace.root, *entry.parts)
        newest = next((one for one in copies(workspace) if one.folder == folder), None)
        if newest is not None and _holds(newest, entry.parts, data):
            return None
        staged = workspace.staging / uuid.uuid4().hex
        files.make_folder(staged)
        if entry.flat:
            files.write_new(staged / folder, data)
        else:
            files.copy_tree_from(workspace.root / folder, staged / folder)
        above = workspace.private / COPIES
        files.make_folder(above)
        at = datetime.now(UTC)
        base = above / f"{at:%Y%m%d-%H%M%S}-{uuid.uuid4().hex[:8]}"
        files.move_verified(staged, base)
        return KeptCopy(folder, base, at)


def keep_wanted(workspace: Workspace, rows: Sequence[ChatRow]) -> list[KeptCopy]:
    """Copy those of the chats for which that is switched on and that changed since their last copy. One that cannot
    be copied now is tried at the next look."""
    marks = load(workspace)
    made: list[KeptCopy] = []
    for row in rows:
        if not (marks.keep_all or row.folder in marks.kept) or row.damaged:
            continue
        try:
            copy = keep_copy(workspace, row.folder)
        except ArchiveError:
            continue
        if copy is not None:
            made.append(copy)
    return made


def copies(workspace: Workspace) -> list[KeptCopy]:
    """Every kept version, newest first. Raises `StorageError`."""
    found: list[KeptCopy] = []
    above = workspace.private / COPIES
    try:
        with files.place(above) as here:
            names = sorted(here.names(), reverse=True)
        for name in names:
            with files.place(above, name) as here:
                found += [KeptCopy(Folder(folder), above / name, _time(name)) for folder in sorted(here.names())]
    except (FileNotFoundError, NotADirectoryError):
        return found
    except OSError as error:
        raise files.explain(error, "The kept copies cannot be read", above) from error
    return found


def by_folder(workspace: Workspace) -> dict[str, list[KeptCopy]]:
    """The kept versions of each chat. Raises `StorageError`."""
    found: dict[str, list[KeptCopy]] = {}
    for copy in copies(workspace):
        found.setdefault(copy.folder, []).append(copy)
    return found


def no_longer_there(workspace: Workspace, zone: tzinfo | None = None) -> list[ChatRow]:
    """Chats that are gone from the folder, but not by this program, and of which a copy is kept: rows read from the
    newest copy, with the flag "gone". What the person deleted is in the trash, or was erased, and is not among them."""
    deleted = {folder for slot in trash_slots.names(workspace) for _, folder in trash_slots.contents(workspace, slot)}
    deleted |= {folder for folder, gone in workspace.gone.items() if gone.how == "erased"}
    rows: dict[str, ChatRow] = {}
    for copy in copies(workspace):
        if copy.folder in rows or copy.folder in deleted or _fingerprint(workspace, copy.folder) is not None:
            continue
        try:
            row = RowReader.of(copy.base, zone).row(entry_of(copy.base, copy.folder))
        except (NotFoundError, ArchiveError):
            continue
        if row is not None:
            rows[copy.folder] = _gone(row)
    return list(rows.values())


def forget_copies(workspace: Workspace, folders: Collection[str]) -> None:
    """Remove every kept version of these chats: they leave with them when they are deleted for good. Raises
    `StorageError`."""
    if not folders:
        return
    with workspace.change_lock:
        for copy in copies(workspace):
            if copy.folder in folders:
                files.remove_tree(copy.base)


def _gone(row: ChatRow) -> ChatRow:
    return replace(row, flags=row.flags | {"gone"})


def _holds(copy: KeptCopy, parts: tuple[str, ...], data: bytes) -> bool:
    try:
        return files.read_once(copy.base, *parts, limit=len(data) + 1)[0] == data
    except ArchiveError:
        return False


def _fingerprint(workspace: Workspace, folder: str) -> Fingerprint | None:
    for path in (workspace.root / folder / CHAT_FILE_NAME, workspace.root / folder):
        try:
            return files.fingerprint(path)
        except ArchiveError:
            continue
    return None


def _print(found: Fingerprint) -> tuple[int, int]:
    return found.size, found.mtime_ns


def _time(name: str) -> datetime:
    try:
        return datetime.strptime(name[:15], "%Y%m%d-%H%M%S").replace(tzinfo=UTC)
    except ValueError:
        return datetime.fromtimestamp(0, UTC)


def _save(workspace: Workspace, marks: Marks) -> None:
    private = workspace.need_private()
    raw = {
        **marks.extra,
        "version": 1,
        "hidden": {folder: list(seen) for folder, seen in marks.hidden.items()},
        "kept": sorted(marks.kept),
        "keep_all": marks.keep_all,
    }
    files.replace_atomic(private / FILE_NAME, json.dumps(raw).encode(), workspace.staging)
