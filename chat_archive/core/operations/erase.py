"""Erasing for good (D4): response ids into the outbox, synced; one rename into the purge folder, both folders synced;
only then is anything removed. A crash in between loses neither the chat nor the ids; the next start finishes."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from chat_archive.core import files, user_marks
from chat_archive.core.deletion import DELETE, REMOVE, TRASHING, DeleteChoices
from chat_archive.core.entities import Changes, Folder, ItemResult, OperationResult, TrashId
from chat_archive.core.errors import ArchiveError, ConflictError, NotFoundError, StorageError
from chat_archive.core.layout import check_component
from chat_archive.core.operations import erase_steps as steps
from chat_archive.core.operations import trash_slots
from chat_archive.core.operations.batch import Account
from chat_archive.core.operations.chat_places import check_chat, label
from chat_archive.core.operations.erase_steps import CANNOT, NOTHING, Doomed
from chat_archive.core.operations.plan import fingerprint_now
from chat_archive.core.operations.trash import CAME_BACK, CHANGED, TASKS, TRIED_AGAIN, Seen, is_changed
from chat_archive.core.progress import NullProgress, Progress
from chat_archive.core.provider import collect, outbox
from chat_archive.core.provider.references import trashed_as
from chat_archive.core.workspace import Gone, Workspace

Copies = Mapping[str, Sequence[user_marks.KeptCopy]]

_NOT_KNOWN = "What was chosen for its responses is not known any more, so they are kept."


def erase(
    workspace: Workspace, folder: Folder, progress: Progress | None = None, choices: DeleteChoices | None = None
) -> OperationResult:
    """Erase one chat from the root. A missing one is no error (format 5.8); its item is skipped then.

    Only the link goes where the folder is one (D-10), and that it is gone is verified (D-11). Raises `BadIdError`
    (D-07, D-08), `ReadOnlyError`, `BusyError`, `StorageError`; then the chat is whole where it was.
    """
    check_component(folder)
    account = Account(progress if progress is not None else NullProgress(), 1)
    with workspace.change_lock:
        workspace.need_writable()
        if not _is_there(workspace, folder):
            item = ItemResult(folder, True, "There was no such chat.", folder, skipped=True)
            return OperationResult("erase", (item,))
        doomed = look(workspace, folder, choices or DeleteChoices(for_good=True), None, user_marks.by_folder(workspace))
        errors = _carry_out(workspace, [doomed], account)
        if errors:
            raise errors[0]
        return _result(account)


def erase_many(
    workspace: Workspace,
    folders: Sequence[Folder],
    choices: DeleteChoices,
    progress: Progress,
    seen: Seen | None = None,
) -> OperationResult:
    """Erase chats from the root. All are looked at first, and stopping happens then; once the first is touched the
    rest follows. What cannot go, and what changed since `seen`, is a failed item.

    Raises `ReadOnlyError`, `BusyError`, and `StorageError` when the response ids could not be written down; then
    nothing was erased.
    """
    with workspace.change_lock:
        workspace.need_private()
        wanted = list(dict.fromkeys(folders))
        account = Account(progress, len(wanted))
        copies = user_marks.by_folder(workspace)
        doomed: list[Doomed] = []
        for folder in wanted:
            if not account.goes_on(str(folder)):
                account.not_reached(str(folder), folder)
                continue
            try:
                doomed.append(look(workspace, folder, choices, seen, copies))
            except ArchiveError as error:
                account.failed(str(folder) if str(folder).strip() else repr(folder), error, folder)
        if account.stopped:
            for one in doomed:
                account.not_reached(one.title, Folder(one.name))
            return OperationResult("erase", tuple(account.items), stopped=True)
        if doomed:
            _carry_out(workspace, doomed, account)
        account.finish()
        return _result(account)


def empty(workspace: Workspace, entries: Sequence[TrashId] | None, progress: Progress) -> OperationResult:
    """Erase these trashed chats, or all (None); stopping happens before the first is erased, never half-way. What was
    chosen for their responses when they were trashed is done.

    Raises `ReadOnlyError`, `BusyError`, and `StorageError` when the response ids could not be written down; then
    nothing was erased.
    """
    with workspace.change_lock:
        workspace.need_private()
        wanted = [e.id for e in trash_slots.entries(workspace)] if entries is None else list(dict.fromkeys(entries))
        account = Account(progress, len(wanted))
        doomed = _look_into_trash(workspace, wanted, account)
        if account.stopped:
            for one in doomed:
                account.not_reached(one.title)
            return OperationResult("erase", tuple(account.items), stopped=True)
        details = {"entries": ["/".join(one.parts) for one in doomed]}
        operation = workspace.journal.intend("empty", details) if any(o.gathered.responses for o in doomed) else ""
        queued = [_queue_trashed(workspace, doomed, one, operation) for one in _by_name(doomed)]
        purged: list[str] = []
        for group, records in zip(_by_name(doomed), queued, strict=True):
            failed: list[Doomed] = []
            lines = steps.by_chat(records)
            for one in group:
                try:
                    purged.append(steps.purge(workspace, one))
                except ArchiveError as error:
                    failed.append(one)
                    account.failed(one.title, error)
                else:
                    account.done(one.title, steps.told(one, lines.get(one.name, [])))
            steps.withdraw(workspace, failed, records)
        steps.sync(workspace, doomed)
        if operation:
            workspace.journal.done(operation)
        steps.remove(workspace, purged)
        chats = [one.name for one in doomed if one.parts[1] == trash_slots.CHATS]
        steps.forget_copies(workspace, [name for name in chats if not os.path.lexists(workspace.root / name)])
        trash_slots.drop_if_empty(workspace, {one.parts[0] for one in doomed})
        account.finish()
        return OperationResult("erase", tuple(account.items))


def queue_slot(workspace: Workspace, slot: str) -> int:
    """Queue the responses of the chats that lie in a slot of the trash, for deletion at the provider now. How many
    are to be deleted. Doing it twice notes nothing twice. Raises `ArchiveError`."""
    chats = [folder for kind, folder in trash_slots.contents(workspace, slot) if kind == trash_slots.CHATS]
    account = Account(NullProgress(), len(chats))
    doomed = _look_into_trash(workspace, [TrashId(f"{slot}/{folder}") for folder in chats], account)
    records = _queue_trashed(workspace, doomed, doomed)
    return sum(record["decision"] == DELETE for record in records)


# looking


def _is_there(workspace: Workspace, folder: Folder) -> bool:
    with files.telling(CANNOT, workspace.root / folder), files.place(workspace.root) as root:
        return root.exists(folder)


def look(workspace: Workspace, folder: Folder, choices: DeleteChoices, seen: Seen | None, copies: Copies) -> Doomed:
    """What is to be erased in the root, with its kept copies. Raises `ArchiveError`, `ConflictError` when it
    changed since `seen`."""
    check_component(folder)
    workspace.need_private()
    with files.telling(CANNOT, workspace.root / folder), files.place(workspace.root) as root:
        check_chat(root, folder, files.fingerprint(root.path).device)
        known = label(root, folder)
        if is_changed(root, folder, seen):
            raise ConflictError(CHANGED, path=root.path / folder)
        is_link = stat.S_ISLNK(root.lstat(folder).st_mode)
    gathered = NOTHING if is_link else _with_copies(copies.get(folder, []), outbox.gather(workspace.root, folder))
    return Doomed(known.title, known.id, workspace.root, (folder,), gathered, choices, (workspace.root, str(folder)))


def _with_copies(copies: Sequence[user_marks.KeptCopy], gathered: outbox.Gathered) -> outbox.Gathered:
    """The ids of the chat's kept copies too, since they leave with it."""
    found = {one.id: one for one in gathered.responses}
    for copy in copies:
        for one in outbox.gather(copy.base, copy.folder).responses:
            found.setdefault(one.id, one)
    return replace(gathered, responses=tuple(found.values()))


def _look_into_trash(workspace: Workspace, wanted: Sequence[TrashId], account: Account) -> list[Doomed]:
    doomed: list[Doomed] = []
    records: dict[str, trash_slots.Record] = {}
    copies = user_marks.by_folder(workspace)
    for entry in wanted:
        if not account.goes_on(entry):
            account.not_reached(entry)
            continue
        try:
            slot, kind, folder = trash_slots.locate(workspace, entry)
            gathered = _gather_trashed(workspace, slot, kind, folder, copies)
        except ArchiveError as error:
            account.failed(entry, error)
            continue
        if slot not in records:
            records[slot] = trash_slots.record_of(workspace, slot)
        record = records[slot]
        if not record.known and not gathered.kept_because:
            gathered = replace(gathered, kept_because=_NOT_KNOWN)
        title = record.titles.get(folder) or folder
        key = (workspace.root, trashed_as(slot, folder))
        parts = (slot, kind, folder)
        doomed.append(Doomed(title, folder, workspace.trash_folder, parts, gathered, record.choices, key))
    return doomed


def _gather_trashed(workspace: Workspace, slot: str, kind: str, folder: str, copies: Copies) -> outbox.Gathered:
    path = workspace.trash_folder / slot / kind / folder
    if kind == trash_slots.MESSAGES or path.is_symlink():
        return NOTHING
    if kind == trash_slots.CHATS:
        gathered = outbox.gather(workspace.trash_folder, slot, kind, folder)
        stays = os.path.lexists(workspace.root / folder)  # a chat of that name is there, and its copies with it
        return gathered if stays else _with_copies(copies.get(folder, []), gathered)
    found: dict[str, collect.StoredResponse] = {}
    with files.telling("The left files cannot be listed", path), files.place(path) as here:
        names = sorted(here.names())
    for name in names:
        with contextlib.suppress(NotFoundError):
            data, _ = files.read_once(path, name)
            found.update((one.id, one) for one in collect.read(data).responses)
    return outbox.Gathered(tuple(found.values()), "", (), True)


# doing


def _carry_out(workspace: Workspace, doomed: Sequence[Doomed], account: Account) -> list[ArchiveError]:
    """Journal, queue, folder, tasks, in this order; the errors of chats that stayed."""
    index = steps.index_for(workspace, doomed)
    operation = _intend(workspace, doomed)
    records = steps.records_for(doomed, index, operation)
    try:
        steps.note(workspace, records)
    except ArchiveError:
        workspace.journal.done(operation)
        raise
    purged: dict[str, Doomed] = {}
    failed: list[Doomed] = []
    errors: list[ArchiveError] = []
    for one in doomed:
        try:
            purged[steps.purge(workspace, one)] = one
        except ArchiveError as error:
            failed.append(one)
            errors.append(error)
            account.failed(one.title, error, Folder(one.name))
    steps.sync(workspace, doomed)
    back = {one.name: one for one in purged.values() if _is_there(workspace, Folder(one.name))}
    steps.withdraw(workspace, [*failed, *back.values()], records)
    steps.remove(workspace, list(purged))
    steps.forget_copies(workspace, [one.name for one in purged.values() if one.name not in back])
    lines = steps.by_chat(records)
    for one in purged.values():
        workspace.dismissed.discard(one.name)
        workspace.gone[one.name] = Gone(one.title, "erased", datetime.now(UTC))
        text = steps.told(one, lines.get(one.name, []))
        account.done(one.title, f"{text} {CAME_BACK}" if one.name in back else text, Folder(one.name))
    if _tasks_gone(workspace, doomed[0].choices, list(purged.values()), account):
        workspace.journal.done(operation)
    return errors


def _tasks_gone(workspace: Workspace, choices: DeleteChoices, gone: Sequence[Doomed], account: Account) -> bool:
    """Whether the scheduled tasks are as chosen. When not, that is a failed item, and the next start tries again."""
    if choices.tasks != REMOVE:
        return True
    try:
        account.remarks += steps.remove_tasks(workspace, {key for one in gone for key in (one.name, one.id)})
    except ArchiveError as error:
        account.failed(TASKS, f"{error} {TRIED_AGAIN}")
        return False
    return True


def _intend(workspace: Workspace, doomed: Sequence[Doomed]) -> str:
    details: Mapping[str, object] = {
        "folders": {one.name: print_of(workspace, one.name) for one in doomed},
        "chat_ids": {one.name: one.id for one in doomed if one.id != one.name},
        "choices": doomed[0].choices.as_record(),
        "ids": any(one.gathered.responses for one in doomed),
    }
    try:
        return workspace.journal.intend("erase", details)
    except StorageError as error:
        if not files.is_full(error):
            raise
        workspace.release_reserve()
        return workspace.journal.intend("erase", details)


def print_of(workspace: Workspace, folder: str) -> list[int] | None:
    """What tells later whether the chat's file was written since."""
    found = fingerprint_now(workspace.root, folder)
    return None if found is None else [found.size, found.mtime_ns, found.inode]


def _by_name(doomed: Sequence[Doomed]) -> list[list[Doomed]]:
    """Groups in which each folder's name is there once: the queue's lines name chats by it."""
    groups: list[dict[str, Doomed]] = []
    for one in doomed:
        group = next((g for g in groups if one.name not in g), None)
        if group is None:
            groups.append({one.name: one})
        else:
            group[one.name] = one
    return [list(group.values()) for group in groups]


def _queue_trashed(
    workspace: Workspace, together: Sequence[Doomed], doomed: Sequence[Doomed], operation: str = ""
) -> list[dict[str, object]]:
    """Note the ids of trashed chats and give the lines; what was noted when a chat was trashed is not noted again."""
    latest = {(line.get("chat"), line.get("id")): line for line in outbox.entries(workspace)}
    index = steps.index_for(workspace, doomed).without({one.key for one in together})
    records = steps.records_for(doomed, index, operation)
    early = {one.name for one in doomed if one.choices.cascade_when == TRASHING}
    fresh: list[dict[str, object]] = []
    for record in records:
        before = latest.get((record["chat"], record["id"]))
        if before is not None and before.get("trashed") is True and before.get("decision") == DELETE:
            continue
        fresh.append({**record, "trashed": True} if record["chat"] in early else record)
    steps.note(workspace, fresh)
    return records


def _result(account: Account) -> OperationResult:
    gone = frozenset(item.folder for item in account.items if item.ok and not item.skipped and item.folder is not None)
    return OperationResult("erase", tuple(account.items), Changes(removed=gone), remarks=tuple(account.remarks))
