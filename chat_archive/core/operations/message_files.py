"""Only the message files of chats, moved to the trash as a whole folder (H2): never one file of it."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from chat_archive.core import files
from chat_archive.core.entities import Changes, Folder, OperationResult, TrashId
from chat_archive.core.errors import ArchiveError
from chat_archive.core.files import Place
from chat_archive.core.layout import MESSAGES_FOLDER
from chat_archive.core.operations import trash_slots
from chat_archive.core.operations.batch import Account
from chat_archive.core.operations.chat_places import check_chat, label
from chat_archive.core.progress import Progress
from chat_archive.core.undo_steps import UndoStep
from chat_archive.core.workspace import Workspace

_CANNOT = "The message files could not be moved to the trash"


def remove(workspace: Workspace, folders: Sequence[Folder], progress: Progress) -> OperationResult:
    """Move the `messages` folder of each chat to the trash; chats without one are skipped.

    A chat that fails is a failed item and stops no other. Raises `ReadOnlyError`, `BusyError`, `StorageError`.
    """
    with workspace.change_lock:
        result, step = put_away(workspace, folders, progress)
        if step is not None:
            workspace.stacks.did(step)
        return result


def put_away(
    workspace: Workspace, folders: Sequence[Folder], progress: Progress
) -> tuple[OperationResult, UndoStep | None]:
    """`remove`, and the step that takes it back; the caller holds the change lock."""
    workspace.need_private()
    account = Account(progress, len(folders))
    moved: list[Folder] = []
    slot = ""
    with files.telling(_CANNOT, workspace.root), files.place(workspace.root) as root:
        chosen = _choose(workspace, root, folders, account)
        if chosen:
            slot = trash_slots.make(workspace, trash_slots.MESSAGES, {str(k): v for k, v in chosen.items()})
            moved = _move_all(workspace, slot, chosen, account)
    if slot and not moved:
        trash_slots.drop_if_empty(workspace, {slot})
    with contextlib.suppress(ArchiveError):
        workspace.keep_reserve()
    account.finish()
    result = OperationResult(
        "remove_messages",
        tuple(account.items),
        Changes(updated=frozenset(moved)),
        undoable=bool(moved),
        stopped=account.stopped,
    )
    return result, _step(workspace, slot, moved)


def _step(workspace: Workspace, slot: str, moved: list[Folder]) -> UndoStep | None:
    from chat_archive.core.operations import trash_back

    ids = [TrashId(f"{slot}/{folder}") for folder in moved]
    return (
        UndoStep("remove_messages", len(moved), lambda p: trash_back.bring_back(workspace, ids, p)) if moved else None
    )


def _choose(workspace: Workspace, root: Place, folders: Sequence[Folder], account: Account) -> dict[Folder, str]:
    device = files.fingerprint(root.path).device
    chosen: dict[Folder, str] = {}
    for folder in dict.fromkeys(folders):
        try:
            check_chat(root, folder, device)
            title = label(root, folder).title
            with files.telling(_CANNOT, root.path / folder):
                if not files.is_folder(root, folder):
                    account.skipped(title, "It has no folder of its own, so no message files.", folder)
                    continue
                with files.place(workspace.root, folder) as chat:
                    if not chat.exists(MESSAGES_FOLDER):
                        account.skipped(title, "It has no message files.", folder)
                        continue
        except ArchiveError as error:
            account.failed(folder or repr(folder), error, folder)
            continue
        chosen[folder] = title
    return chosen


def _move_all(workspace: Workspace, slot: str, chosen: dict[Folder, str], account: Account) -> list[Folder]:
    moved: list[Folder] = []
    with files.place(workspace.trash_folder, slot, trash_slots.MESSAGES) as target:
        for folder, title in chosen.items():
            if not account.goes_on(title):
                account.not_reached(title, folder)
                continue
            try:
                with (
                    files.telling(_CANNOT, workspace.root / folder / MESSAGES_FOLDER),
                    files.place(workspace.root, folder) as chat,
                ):
                    files.move_at(chat, MESSAGES_FOLDER, target, folder)
                    moved.append(folder)
                    files.sync_place(chat)
            except ArchiveError as error:
                account.failed(title, error, folder)
                continue
            account.done(title, "The message files were moved to the trash.", folder)
        try:
            with files.telling("The move could not be made safe", target.path):
                files.sync_place(target)
        except ArchiveError as error:
            account.unsafe(moved, error)
    return moved
