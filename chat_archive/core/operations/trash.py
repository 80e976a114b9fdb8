"""Chats moved to the trash of their root and back (D1 to D3): one rename each, whole in one place at any moment."""

from __future__ import annotations

import contextlib
import secrets
import string
import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from chat_archive.core import editing, files, json_edit
from chat_archive.core.entities import Changes, Folder, ItemResult, OperationResult, TrashEntry, TrashId
from chat_archive.core.errors import ArchiveError, ConflictError, NotFoundError, StorageError, UnreadableError
from chat_archive.core.files import Place
from chat_archive.core.layout import CHAT_FILE_NAME, MESSAGES_FOLDER
from chat_archive.core.operations import trash_slots
from chat_archive.core.operations.batch import Account
from chat_archive.core.operations.chat_places import check_chat, label, live_remark, open_elsewhere
from chat_archive.core.progress import Progress
from chat_archive.core.undo_steps import UndoStep
from chat_archive.core.workspace import Workspace

_CANNOT_MOVE = "The chat could not be moved to the trash"
_CANNOT_RESTORE = "It could not be brought back"
_ID_SIGNS = string.ascii_letters + string.digits


@dataclass(frozen=True, slots=True)
class _Chosen:
    folder: Folder
    title: str
    remark: str


def trash(workspace: Workspace, folders: Sequence[Folder], progress: Progress) -> OperationResult:
    """Move chats to the trash. One synced record, one rename each, both folders synced at the end (D1).

    Bad ids, missing chats and what the system refuses are failed items and never stop the others; stopping happens
    between chats. Works on a full disk (D5). Raises `ReadOnlyError`, `BusyError`, and `StorageError` when not even a
    place in the trash could be made.
    """
    with workspace.change_lock:
        result, step = put_away(workspace, folders, progress)
        if step is not None:
            workspace.stacks.did(step)
        return result


def entries(workspace: Workspace) -> list[TrashEntry]:
    """What is in the trash, newest first. Raises `StorageError` when it cannot be read."""
    return trash_slots.entries(workspace)


def restore(workspace: Workspace, entries: Sequence[TrashId], progress: Progress) -> OperationResult:
    """Move back, never over anything (D2): where the place is taken the chat gets a new id, told in its item."""
    with workspace.change_lock:
        result, step = bring_back(workspace, entries, progress)
        if step is not None:
            workspace.stacks.did(step)
        return result


def empty(workspace: Workspace, entries: Sequence[TrashId] | None, progress: Progress) -> OperationResult:
    """Erase these entries, or all; see `chat_archive.core.operations.erase`."""
    from chat_archive.core.operations import erase

    return erase.empty(workspace, entries, progress)


# to the trash


def put_away(
    workspace: Workspace, folders: Sequence[Folder], progress: Progress
) -> tuple[OperationResult, UndoStep | None]:
    """`trash`, and the step that takes it back; the caller holds the change lock."""
    workspace.need_private()
    account = Account(progress, len(folders))
    moved: list[Folder] = []
    slot = ""
    with files.telling(_CANNOT_MOVE, workspace.root), files.place(workspace.root) as root:
        chosen = _choose(workspace, root, folders, account)
        if chosen:
            titles = {str(c.folder): c.title for c in chosen}
            slot = trash_slots.make(workspace, trash_slots.CHATS, titles)
            operation = _note(workspace, slot, len(chosen))
            moved = _move_all(workspace, root, slot, chosen, account)
            if operation:
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
    )
    ids = [TrashId(f"{slot}/{folder}") for folder in moved]
    step = UndoStep("trash", len(moved), lambda p: bring_back(workspace, ids, p)) if moved else None
    return result, step


def _choose(workspace: Workspace, root: Place, folders: Sequence[Folder], account: Account) -> list[_Chosen]:
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
        changed = 0.0 if workspace.changed_by_us(folder, known.changed) else known.changed
        chosen[folder] = _Chosen(folder, known.title, live_remark(changed, folder in busy))
    return list(chosen.values())


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
                    if root.exists(one.folder):
                        raise ConflictError("The chat came back while it was moved.", path=root.path / one.folder)
            except ArchiveError as error:
                account.failed(one.title, error, one.folder)
                continue
            moved.append(one.folder)
            account.done(one.title, " ".join(filter(None, ("Moved to the trash.", one.remark))), one.folder)
        try:
            with files.telling("The move could not be made safe", workspace.root):
                files.sync_place(chats)
                files.sync_place(root)
        except ArchiveError as error:
            account.unsafe(moved, error)
    return moved


# back from it


def bring_back(
    workspace: Workspace, entries: Sequence[TrashId], progress: Progress
) -> tuple[OperationResult, UndoStep | None]:
    """`restore`, and the step that takes it back; the caller holds the change lock."""
    workspace.need_private()
    account = Account(progress, len(entries))
    titles = _Titles(workspace)
    back: list[Folder] = []
    touched: list[Folder] = []
    slots: set[str] = set()
    with files.telling(_CANNOT_RESTORE, workspace.root), files.place(workspace.root) as root:
        for entry in entries:
            title = titles.of(entry)
            if not account.goes_on(title):
                account.not_reached(title)
                continue
            try:
                slot, kind, folder = trash_slots.locate(workspace, entry)
                with files.telling(_CANNOT_RESTORE, workspace.trash_folder / slot / kind / folder):
                    if kind == trash_slots.MESSAGES:
                        text = _messages_back(workspace, slot, folder)
                        touched.append(Folder(folder))
                        new = folder
                    else:
                        new, text = _chat_back(workspace, root, slot, folder)
                        back.append(Folder(new))
            except ArchiveError as error:
                account.failed(title, error)
                continue
            slots.add(slot)
            account.items.append(ItemResult(title, True, text, Folder(new), workspace.root / new))
        try:
            with files.telling("The move could not be made safe", workspace.root):
                files.sync_place(root)
                for slot in slots:
                    _sync_slot(workspace, slot)
        except ArchiveError as error:
            account.unsafe([*back, *touched], error)
    trash_slots.drop_if_empty(workspace, slots)
    account.finish()
    result = OperationResult(
        "restore",
        tuple(account.items),
        Changes(added=frozenset(back), updated=frozenset(touched)),
        undoable=bool(back or touched),
        stopped=account.stopped,
    )
    return result, _step_of_restore(workspace, back, touched)


def _sync_slot(workspace: Workspace, slot: str) -> None:
    with (
        contextlib.suppress(FileNotFoundError),
        files.place(workspace.trash_folder, slot, trash_slots.CHATS) as here,
    ):
        files.sync_place(here)


def _chat_back(workspace: Workspace, root: Place, slot: str, folder: str) -> tuple[str, str]:
    """(the folder it has now, a sentence). Never over something that exists."""
    with files.place(workspace.trash_folder, slot, trash_slots.CHATS) as chats:
        if not root.exists(folder):
            try:
                files.move_at(chats, folder, root, folder)
                return folder, "Brought back to its place."
            except FileExistsError:
                pass  # the host was faster
        return _back_under_new_id(workspace, root, chats, slot, folder)


def _back_under_new_id(workspace: Workspace, root: Place, chats: Place, slot: str, folder: str) -> tuple[str, str]:
    """A taken place is kept by who has it; this chat comes back under an id of its own, set in its file too (H4)."""
    new_id = _free_id(root)
    flat = not files.is_folder(chats, folder)
    new = f"{new_id}.json" if flat and folder.endswith(".json") else new_id
    below = (slot, trash_slots.CHATS, folder) + (() if flat else (CHAT_FILE_NAME,))
    told = f"Its place was taken by another chat, so it came back under the new id {new_id}."
    try:
        base, _ = files.read_once(workspace.trash_folder, *below)
        after = _with_id(base, new_id)
    except (UnreadableError, NotFoundError):
        files.move_at(chats, folder, root, new)
        return new, f"{told} Its file is not readable as a chat and was left as it is."
    kept = f"{uuid.uuid4().hex}.tmp"
    staged = f"{uuid.uuid4().hex}.tmp"
    with (
        files.place(workspace.staging) as stage,
        files.place(workspace.trash_folder, *below[:-1]) as here,
    ):
        like = here.lstat(below[-1])
        operation = ""
        try:
            files.write_new_at(stage, kept, base, like=like, keep_owner=False)
            files.write_new_at(stage, staged, after, like=like, keep_owner=False)
            files.sync_place(stage)
            operation = workspace.journal.intend(
                "restore-as", {"parts": list(below), "staged": kept, "base": editing.digest(base)}
            )
            files.rename_over(stage, staged, here, below[-1])
            files.sync_place(here)
            files.move_at(chats, folder, root, new)
        except BaseException:
            _old_id_again(workspace, chats, folder, below, kept, staged, operation)
            raise
        with contextlib.suppress(OSError):
            files.sync_place(root)
            files.remove_name(stage, kept)
        workspace.journal.done(operation)
    return new, told


def _old_id_again(  # noqa: PLR0917 - the state of one move
    workspace: Workspace,
    chats: Place,
    folder: str,
    below: tuple[str, ...],
    kept: str,
    staged: str,
    operation: str,
) -> None:
    """A restore that failed leaves the chat in the trash as it was; what does not work now recovery does."""
    with contextlib.suppress(OSError, ArchiveError), files.place(workspace.staging) as stage:
        if stage.exists(staged):
            files.remove_name(stage, staged)
        if stage.exists(kept) and chats.exists(folder):
            with files.place(workspace.trash_folder, *below[:-1]) as here:
                files.rename_over(stage, kept, here, below[-1])
                files.sync_place(here)
        if operation:
            workspace.journal.done(operation)


def _with_id(data: bytes, new_id: str) -> bytes:
    value = json_edit.encode(new_id)
    if json_edit.find(data, ("id",)) is None:
        return json_edit.insert_member(data, "id", value)
    return json_edit.replace_value(data, ("id",), value)


def _free_id(root: Place) -> str:
    """Eight letters and digits, as Agent Zero makes them (format 1.5), free as folder and flat file."""
    while True:
        found = "".join(secrets.choice(_ID_SIGNS) for _ in range(8))
        if not root.exists(found) and not root.exists(f"{found}.json"):
            return found


def _messages_back(workspace: Workspace, slot: str, folder: str) -> str:
    with (
        files.place(workspace.trash_folder, slot, trash_slots.MESSAGES) as source,
        files.place(workspace.root, folder) as chat,
    ):
        try:
            files.move_at(source, folder, chat, MESSAGES_FOLDER)
        except FileExistsError as error:
            raise ConflictError(
                "The chat has message files again, so the old ones were not put in their place.", path=chat.path
            ) from error
        files.sync_place(chat)
        files.sync_place(source)
    return "The message files were brought back."


def _step_of_restore(workspace: Workspace, back: list[Folder], touched: list[Folder]) -> UndoStep | None:
    if not back and not touched:
        return None
    seen = {folder: chat_print(workspace, folder) for folder in back}

    def again(progress: Progress) -> tuple[OperationResult, UndoStep | None]:
        from chat_archive.core.operations import message_files

        if touched:
            return message_files.put_away(workspace, touched, progress)
        unchanged(workspace, seen)
        return put_away(workspace, back, progress)

    return UndoStep("restore", len(back) + len(touched), again)


def chat_print(workspace: Workspace, folder: str) -> object:
    """What tells whether a chat's file was written since: its fingerprint, None when it cannot be looked at."""
    for path in (workspace.root / folder / CHAT_FILE_NAME, workspace.root / folder):
        try:
            return files.fingerprint(path)
        except ArchiveError:
            continue
    return None


def unchanged(workspace: Workspace, seen: dict[Folder, object]) -> None:
    """Raise `ConflictError` when one of these chats was written since; undo never takes away what it did not bring."""
    for folder, before in seen.items():
        if chat_print(workspace, folder) != before:
            raise ConflictError(
                "This chat was changed since, so the step is not taken back.",
                path=workspace.root / folder,
                next_step="Move it to the trash yourself if it is to go.",
            )


class _Titles:
    """Titles of trash entries, each record read once."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._records: dict[str, trash_slots.Record] = {}

    def of(self, entry: str) -> str:
        slot, _, folder = entry.partition("/")
        if slot not in self._records:
            good = trash_slots.is_slot(slot)
            self._records[slot] = trash_slots.record_of(self._workspace, slot) if good else trash_slots.Record()
        return self._records[slot].titles.get(folder) or folder or entry
