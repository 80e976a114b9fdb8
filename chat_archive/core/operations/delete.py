"""Letting chats go: to the trash or for good, with what hangs on them, and what came back afterwards (D-79, C3)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from chat_archive.core import files, json_edit
from chat_archive.core.deletion import DeleteChoices
from chat_archive.core.entities import Folder, OperationResult, TrashEntry, TrashId
from chat_archive.core.errors import ArchiveError, NotFoundError
from chat_archive.core.layout import CHAT_FILE_NAME
from chat_archive.core.model.titles import one_line
from chat_archive.core.operations import erase, rename, trash, trash_slots
from chat_archive.core.operations.chat_places import chat_parts
from chat_archive.core.operations.trash import Seen
from chat_archive.core.progress import Progress
from chat_archive.core.workspace import Gone, Workspace

FLAG = "responses_delete_on_chat_delete"


@dataclass(frozen=True, slots=True)
class CameBack:
    """A chat that was taken out of the root and stands in it again. `how` is "trashed" or "erased"."""

    folder: Folder
    title: str
    how: str
    at: datetime


def delete(
    workspace: Workspace,
    folders: Sequence[Folder],
    choices: DeleteChoices,
    progress: Progress,
    *,
    seen: Seen | None = None,
) -> OperationResult:
    """Do what was chosen. With `seen` (of a plan) a chat whose file is another by now is left alone and told.

    Raises `ReadOnlyError`, `BusyError`, `StorageError`; everything else is a failed item.
    """
    if choices.for_good:
        return erase.erase_many(workspace, folders, choices, progress, seen)
    return trash.trash(workspace, folders, progress, choices, seen)


def came_back(workspace: Workspace) -> list[CameBack]:
    """Chats that this program took out of the root and that stand there again, because a running Agent Zero saved
    them. Those in the trash are known from earlier runs, too: when their file was written after they were moved."""
    gone = dict(workspace.gone)
    for slot in trash_slots.names(workspace):
        at = trash_slots.time_of(slot)
        for kind, folder in trash_slots.contents(workspace, slot):
            if kind == trash_slots.CHATS and folder not in gone and _written_after(workspace, folder, at):
                record = trash_slots.record_of(workspace, slot)
                gone[folder] = Gone(record.titles.get(folder) or one_line(folder), "trashed", at)
    dismissed = workspace.dismissed
    return [
        CameBack(Folder(folder), known.title, known.how, known.at)
        for folder, known in gone.items()
        if folder not in dismissed and os.path.lexists(workspace.root / folder)
    ]


def dismiss(workspace: Workspace, folder: Folder) -> None:
    """The person wants no more to hear about this one, until it is deleted again."""
    workspace.gone.pop(folder, None)
    workspace.dismissed.add(folder)


def _written_after(workspace: Workspace, folder: str, at: datetime) -> bool:
    for path in (workspace.root / folder / CHAT_FILE_NAME, workspace.root / folder):
        try:
            return files.fingerprint(path).mtime_ns / 1e9 > at.timestamp()
        except ArchiveError:
            continue
    return False


def due(workspace: Workspace, now: datetime | None = None) -> list[TrashEntry]:
    """What the retention would erase now: past its date, or beyond the size the trash may have, oldest first. Only
    looks. Raises `StorageError`."""
    now = now if now is not None else datetime.now(UTC)
    limit = workspace.trash_megabytes * 1_000_000
    if not limit:
        before = now - timedelta(days=workspace.trash_days)
        if workspace.trash_days <= 0 or all(
            trash_slots.time_of(slot) > before for slot in trash_slots.names(workspace)
        ):
            return []
    found: list[TrashEntry] = []
    size = 0
    for entry in trash_slots.entries(workspace):
        size += entry.size
        if (entry.purge_at is not None and entry.purge_at <= now) or (limit and size > limit):
            found.append(entry)
    return found[::-1]


def purge(workspace: Workspace, announced: Sequence[TrashEntry], progress: Progress) -> OperationResult:
    """Erase what `due` announced and what is still due; nothing that was not announced. Raises as `erase.empty`."""
    still = {entry.id for entry in due(workspace)}
    wanted = [TrashId(entry.id) for entry in announced if entry.id in still]
    if not wanted:
        return OperationResult("erase", ())
    return erase.empty(workspace, wanted, progress)


def set_keep_responses(workspace: Workspace, folder: Folder, keep: bool | None, progress: Progress) -> OperationResult:
    """Write or clear the chat's own flag (format 6.4): True keeps its responses at the provider, False lets them be
    deleted, None takes the flag away. It stands in `data`, which Agent Zero keeps when it saves; flags of agents come
    from their model's settings and stay. Raises as `rename`."""
    data, _ = files.read_settled(workspace.root, *chat_parts(workspace.root, folder))
    places = [path for path in (("data", FLAG), (FLAG,)) if json_edit.find(data, path) is not None]
    if keep is None:
        return rename.remove_value(workspace, folder, places, progress)
    holder = json_edit.value_at(data, ("data",))
    path = ("data", FLAG) if holder is not None and holder[:1] == b"{" else (FLAG,)
    if path != (FLAG,) and (FLAG,) in places:  # the one at the top would still count
        rename.remove_value(workspace, folder, [(FLAG,)], progress)
    return rename.set_value(workspace, folder, path, not keep, progress)


def keeps_responses(workspace: Workspace, folder: Folder) -> bool | None:
    """What the chat's own flag says: True keep, False delete, None no flag of its own. Raises `ArchiveError`."""
    data, _ = files.read_settled(workspace.root, *chat_parts(workspace.root, folder))
    try:
        found = [json_edit.value_at(data, path) for path in (("data", FLAG), (FLAG,))]
    except NotFoundError:
        return None
    said = [value for value in found if value is not None]
    return None if not said else b"false" in said
