"""Chats moved to the trash of their root (D1): one rename each, whole in one place at any moment.

A slot's record holds what was chosen with the deletion, so that emptying the trash weeks later still does it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from chat_archive.core import files, scheduler_tasks
from chat_archive.core.deletion import DELETE, REMOVE, TRASHING, DeleteChoices
from chat_archive.core.entities import Changes, Fingerprint, Folder, OperationResult, TrashEntry, TrashId
from chat_archive.core.errors import ArchiveError, StorageError
from chat_archive.core.files import Place
from chat_archive.core.operations import trash_back, trash_slots
from chat_archive.core.operations.batch import Account
from chat_archive.core.operations.chat_places import check_chat, label, live_remark, open_elsewhere
from chat_archive.core.operations.plan import fingerprint_now
from chat_archive.core.progress import Progress
from chat_archive.core.undo_steps import UndoStep
from chat_archive.core.workspace import Gone, Workspace

_CANNOT_MOVE = "The chat could not be moved to the trash"
CHANGED = "It was changed since you looked at it, so it was left alone. Look again, then delete it."
TASKS = "What goes with the chats"
TRIED_AGAIN = "It is tried again at the next start."
CAME_BACK = "Agent Zero wrote it again meanwhile, so it is in the folder once more."

Seen = Mapping[Folder, Fingerprint | None]


@dataclass(frozen=True, slots=True)
class _Chosen:
    folder: Folder
    title: str
    id: str
    remark: str


def trash(
    workspace: Workspace,
    folders: Sequence[Folder],
    progress: Progress,
    choices: DeleteChoices | None = None,
    seen: Seen | None = None,
) -> OperationResult:
    """Move chats to the trash. One synced record, one rename each, both folders synced at the end (D1).

    Bad ids, missing chats and what the system refuses are failed items and never stop the others; so is a chat whose
    file is another than in `seen`. Stopping happens between chats. Works on a full disk (D5). Raises `ReadOnlyError`,
    `BusyError`, and `StorageError` when not even a place in the trash could be made.
    """
    with workspace.change_lock:
        result, step = put_away(workspace, folders, progress, choices, seen)
        if step is not None:
            workspace.stacks.did(step)
        return result


def entries(workspace: Workspace) -> list[TrashEntry]:
    """What is in the trash, newest first. Raises `StorageError` when it cannot be read."""
    return trash_slots.entries(workspace)


def restore(workspace: Workspace, entries: Sequence[TrashId], progress: Progress) -> OperationResult:
    """Move back, never over anything (D2): where the place is taken the chat gets a new id, told in its item."""
    with workspace.change_lock:
        result, step = trash_back.bring_back(workspace, entries, progress)
        if step is not None:
            workspace.stacks.did(step)
        return result


def empty(workspace: Workspace, entries: Sequence[TrashId] | None, progress: Progress) -> OperationResult:
    """Erase these entries, or all; see `chat_archive.core.operations.erase`."""
    from chat_archive.core.operations import erase

    return erase.empty(workspace, entries, progress)


def put_away(
    workspace: Workspace,
    folders: Sequence[Folder],
    progress: Progress,
    choices: DeleteChoices | None = None,
    seen: Seen | None = None,
) -> tuple[OperationResult, UndoStep | None]:
    """`trash`, and the step that takes it back; the caller holds the change lock."""
    workspace.need_private()
    choices = choices if choices is not None else DeleteChoices()
    account = Account(progress, len(folders))
    moved: list[Folder] = []
    slot = ""
    remarks: list[str] = []
    with files.telling(_CANNOT_MOVE, workspace.root), files.place(workspace.root) as root:
        chosen = _choose(workspace, root, folders, account, seen)
        if chosen:
            titles = {str(c.folder): c.title for c in chosen}
            tasks = _bound_tasks(workspace, chosen, remarks) if choices.tasks == REMOVE else {}
            slot = trash_slots.make(workspace, trash_slots.CHATS, titles, choices, tasks)
            operation = _note(workspace, slot, len(chosen))
            moved = _move_all(workspace, root, slot, chosen, account)
            finished = _finish(workspace, slot, remarks, account)
            if operation and finished:
                workspace.journal.done(operation)
    if slot and not moved:
        trash_slots.drop_if_empty(workspace, {slot})
    with contextlib.suppress(ArchiveError):
        workspace.keep_reserve()
    account.finish()
    result = OperationResult(
        "trash",
        tuple(account.items),
        Changes(removed=frozenset(moved)),
        undoable=bool(moved),
        stopped=account.stopped,
        remarks=tuple(remarks),
    )
    ids = [TrashId(f"{slot}/{folder}") for folder in moved]
    step = UndoStep("trash", len(moved), lambda p: trash_back.bring_back(workspace, ids, p)) if moved else None
    return result, step


def _bound_tasks(workspace: Workspace, chosen: list[_Chosen], remarks: list[str]) -> dict[str, list[str]]:
    """The JSON text of the tasks bound to each folder. Raises `StorageError` when the disk refuses to tell."""
    tasks = scheduler_tasks.read(workspace.root)
    if tasks.fault is not None:
        raise tasks.fault
    if tasks.problem:
        remarks.append(tasks.problem)
    folders = {one.folder.removesuffix(".json"): one.folder for one in chosen}
    folders = {**{one.id: one.folder for one in chosen}, **folders}
    found: dict[str, list[str]] = {}
    for task in tasks.tasks:
        if task.chat in folders:
            found.setdefault(folders[task.chat], []).append(task.raw)
    return found


def _finish(workspace: Workspace, slot: str, remarks: list[str], account: Account) -> bool:
    """What was chosen to happen with the move; what does not work is a failed item and left to the next start."""
    try:
        remarks.extend(finish_slot(workspace, slot))
    except ArchiveError as error:
        account.failed(TASKS, f"{error} {TRIED_AGAIN}")
        return False
    return True


def finish_slot(workspace: Workspace, slot: str) -> list[str]:
    """Take the scheduled tasks of the chats that lie in a slot out of their file, and queue their responses when that
    was chosen for now. Doing it twice changes nothing. Sentences to tell. Raises `ArchiveError`."""
    from chat_archive.core.operations import erase

    record = trash_slots.record_of(workspace, slot)
    told: list[str] = []
    if record.tasks:
        there = {folder for kind, folder in trash_slots.contents(workspace, slot) if kind == trash_slots.CHATS}
        uuids = {
            task.uuid
            for folder, raws in record.tasks.items()
            if folder in there
            for task in map(scheduler_tasks.parse, raws)
            if task is not None
        }
        told += [f"The scheduled task “{task.name}” was removed." for task in scheduler_tasks.remove(workspace, uuids)]
    if record.choices.cascade_when == TRASHING and record.choices.provider == DELETE:
        queued = erase.queue_slot(workspace, slot)
        if queued:
            told.append(f"{queued} responses are in the queue to be deleted at the provider.")
    return told


def _choose(
    workspace: Workspace, root: Place, folders: Sequence[Folder], account: Account, seen: Seen | None
) -> list[_Chosen]:
    """Those that can be tried; the others are in the account."""
    device = files.fingerprint(root.path).device
    busy = open_elsewhere(root.path)
    chosen: dict[Folder, _Chosen] = {}
    for folder in folders:
        if folder in chosen:
            account.skipped(str(folder), "It was named twice.", folder)
            continue
        try:
            check_chat(root, folder, device)
        except ArchiveError as error:
            account.failed(_shown(folder), error, folder)
            continue
        known = label(root, folder)
        if is_changed(root, folder, seen):
            account.failed(known.title, CHANGED, folder)
            continue
        changed = 0.0 if workspace.changed_by_us(folder, known.changed) else known.changed
        chosen[folder] = _Chosen(folder, known.title, known.id, live_remark(changed, folder in busy))
    return list(chosen.values())


def is_changed(root: Place, folder: Folder, seen: Seen | None) -> bool:
    """Whether the chat's file is another than the one that was looked at."""
    before = seen.get(folder) if seen else None
    return before is not None and fingerprint_now(root.path, folder) != before


def _shown(folder: object) -> str:
    return folder if isinstance(folder, str) and folder.strip() else repr(folder)


def _note(workspace: Workspace, slot: str, count: int) -> str:
    """The intent. The slot with its record is synced already and tells all that recovery needs, so a disk without
    room for this line stops nothing (D5)."""
    try:
        return workspace.journal.intend("trash", {"slot": slot, "kind": trash_slots.CHATS, "count": count})
    except StorageError as error:
        if not files.is_full(error):
            raise
        return ""


def _move_all(workspace: Workspace, root: Place, slot: str, chosen: list[_Chosen], account: Account) -> list[Folder]:
    moved: list[Folder] = []
    with files.place(workspace.trash_folder, slot, trash_slots.CHATS) as chats:
        for one in chosen:
            if not account.goes_on(one.title):
                account.not_reached(one.title, one.folder)
                continue
            try:
                with files.telling(_CANNOT_MOVE, root.path / one.folder):
                    files.move_at(root, one.folder, chats, one.folder)
                    back = root.exists(one.folder)
            except ArchiveError as error:
                account.failed(one.title, error, one.folder)
                continue
            moved.append(one.folder)
            workspace.dismissed.discard(one.folder)
            workspace.gone[one.folder] = Gone(one.title, "trashed", datetime.now(UTC))
            remark = CAME_BACK if back else one.remark
            account.done(one.title, " ".join(filter(None, ("Moved to the trash.", remark))), one.folder)
        try:
            with files.telling("The move could not be made safe", workspace.root):
                files.sync_place(chats)
                files.sync_place(root)
        except ArchiveError as error:
            account.unsafe(moved, error)
    return moved
