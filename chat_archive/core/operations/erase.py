"""Erasing for good (D4): response ids into the outbox, synced; one rename into the purge folder, both folders synced;
only then is anything removed. A crash in between loses neither the chat nor the ids; the next start finishes."""

from __future__ import annotations

import contextlib
import stat
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from chat_archive.core import files
from chat_archive.core.entities import Changes, Folder, ItemResult, OperationResult, TrashId
from chat_archive.core.errors import ArchiveError, BadIdError, StorageError
from chat_archive.core.layout import check_component
from chat_archive.core.operations import trash_slots
from chat_archive.core.operations.batch import Account
from chat_archive.core.operations.chat_places import check_chat, label
from chat_archive.core.progress import NullProgress, Progress
from chat_archive.core.provider import outbox
from chat_archive.core.workspace import Workspace

_CANNOT = "The chat could not be erased"
_QUEUED = "{n} responses stored at the provider are noted in the queue."


@dataclass(frozen=True, slots=True)
class _Doomed:
    """One thing to erase: `parts` below `above`, and the ids it holds."""

    title: str
    above: Path
    parts: tuple[str, ...]
    gathered: outbox.Gathered


def erase(workspace: Workspace, folder: Folder, progress: Progress | None = None) -> OperationResult:
    """Erase one chat from the root. A missing one is no error (format 5.8); its item is skipped then.

    Only the link goes where the folder is one (D-10), and that it is gone is verified (D-11). Raises `BadIdError`
    (D-07, D-08), `ReadOnlyError`, `BusyError`, `StorageError`; then the chat is whole where it was.
    """
    check_component(folder)
    account = Account(progress if progress is not None else NullProgress(), 1)
    with workspace.change_lock:
        workspace.need_writable()
        with files.telling(_CANNOT, workspace.root / folder), files.place(workspace.root) as root:
            if not root.exists(folder):
                item = ItemResult(folder, True, "There was no such chat.", folder, skipped=True)
                return OperationResult("erase", (item,))
            workspace.need_private()
            check_chat(root, folder, files.fingerprint(root.path).device)
            title = label(root, folder).title
            is_link = stat.S_ISLNK(root.lstat(folder).st_mode)
        gathered = outbox.Gathered((), "", (), True) if is_link else outbox.gather(workspace.root, folder)
        doomed = _Doomed(title, workspace.root, (folder,), gathered)
        _queue(workspace, [doomed])
        purged = _purge(workspace, doomed)
        _remove(workspace, [purged])
        account.items.append(ItemResult(title, True, _told(doomed), folder))
        return OperationResult("erase", tuple(account.items), Changes(removed=frozenset({folder})))


def empty(workspace: Workspace, entries: Sequence[TrashId] | None, progress: Progress) -> OperationResult:
    """Erase these trashed chats, or all (None); stopping happens before the first is erased, never half-way.

    Raises `ReadOnlyError`, `BusyError`, and `StorageError` when the response ids could not be written down; then
    nothing was erased.
    """
    with workspace.change_lock:
        workspace.need_private()
        wanted = [e.id for e in trash_slots.entries(workspace)] if entries is None else list(dict.fromkeys(entries))
        account = Account(progress, len(wanted))
        doomed = _gather_all(workspace, wanted, account)
        if account.stopped:
            for one in doomed:
                account.not_reached(one.title)
            return OperationResult("erase", tuple(account.items), stopped=True)
        _queue(workspace, doomed)
        purged: list[str] = []
        for one in doomed:
            try:
                purged.append(_purge(workspace, one, sync=False))
            except ArchiveError as error:
                account.failed(one.title, error)
            else:
                account.done(one.title, _told(one))
        _sync_all(workspace, doomed)
        _remove(workspace, purged)
        trash_slots.drop_if_empty(workspace, {one.parts[0] for one in doomed})
        account.finish()
        return OperationResult("erase", tuple(account.items))


def _gather_all(workspace: Workspace, wanted: Sequence[TrashId], account: Account) -> list[_Doomed]:
    doomed: list[_Doomed] = []
    records: dict[str, trash_slots.Record] = {}
    for entry in wanted:
        if not account.goes_on(entry):
            account.not_reached(entry)
            continue
        try:
            slot, kind, folder = trash_slots.locate(workspace, entry)
            parts = (slot, kind, folder)
            gathered = outbox.Gathered((), "", (), True)
            if kind == trash_slots.CHATS and not workspace.trash_folder.joinpath(*parts).is_symlink():
                gathered = outbox.gather(workspace.trash_folder, *parts)
        except ArchiveError as error:
            account.failed(entry, error)
            continue
        if slot not in records:
            records[slot] = trash_slots.record_of(workspace, slot)
        record = records[slot]
        doomed.append(_Doomed(record.titles.get(folder) or folder, workspace.trash_folder, parts, gathered))
    return doomed


def _queue(workspace: Workspace, doomed: Sequence[_Doomed]) -> None:
    """All ids of all chats, in one synced append (P1). A full disk gets the reserve back for it (D5)."""
    records = [record for one in doomed for record in outbox.records_of(one.parts[-1], one.gathered)]
    try:
        outbox.append(workspace, records)
    except StorageError as error:
        if not files.is_full(error):
            raise
        workspace.release_reserve()
        outbox.append(workspace, records)


def _purge(workspace: Workspace, doomed: _Doomed, *, sync: bool = True) -> str:
    """The rename into the purge folder, verified (D-11); the name it has there."""
    name = uuid.uuid4().hex
    path = doomed.above.joinpath(*doomed.parts)
    with (
        files.telling(_CANNOT, path),
        files.place(doomed.above, *doomed.parts[:-1]) as source,
        files.place(workspace.purge_folder) as purge,
    ):
        files.move_at(source, doomed.parts[-1], purge, name)
        if sync:
            files.sync_place(purge)
            files.sync_place(source)
        if source.exists(doomed.parts[-1]):
            raise StorageError("The chat came back while it was erased; Agent Zero may have it open.", path=path)
    return name


def _sync_all(workspace: Workspace, doomed: Sequence[_Doomed]) -> None:
    with files.telling("The erasing could not be made safe", workspace.purge_folder):
        files.fsync_folder(workspace.purge_folder)
        for parts in {one.parts[:-1] for one in doomed}:
            files.fsync_folder(workspace.trash_folder.joinpath(*parts))


def _remove(workspace: Workspace, purged: Sequence[str]) -> None:
    """What cannot be removed now stays in the purge folder, and the next start tries again (W7)."""
    with contextlib.suppress(OSError), files.place(workspace.purge_folder) as purge:
        for name in purged:
            with contextlib.suppress(OSError, BadIdError):
                files.remove_tree_at(purge, name)
    with contextlib.suppress(ArchiveError):
        workspace.keep_reserve()


def _told(doomed: _Doomed) -> str:
    gathered = doomed.gathered
    alone = trash_slots.MESSAGES in doomed.parts[:-1]  # (slot, kind, folder): the chat itself is still there
    text = ["Its message files were erased." if alone else "Erased."]
    if gathered.responses:
        text.append(_QUEUED.replace("{n}", str(len(gathered.responses))))
    if gathered.kept_because:
        text.append(gathered.kept_because)
    if not gathered.complete:
        text.append("Parts of it were not readable, so this list may be incomplete.")
    return " ".join(text)
