"""What can be tidied away in a root: expired chats, files an interrupted save left, folders without a chat.

Always looked at first, then moved to the trash and never further. The host's temporary files are not ours (H1): they
go only when a person says so, and one that holds a whole chat while the chat's own file does not is offered as a new
chat instead (D-21, D-94).
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from enum import StrEnum

from chat_archive.core import files
from chat_archive.core.entities import Changes, ChatRow, Folder, ItemResult, OperationResult, TrashId
from chat_archive.core.entries import leftovers
from chat_archive.core.errors import ArchiveError, NotFoundError
from chat_archive.core.layout import MESSAGES_FOLDER, PRIVATE_FOLDER, is_host_temporary
from chat_archive.core.operations import chat_ids, trash, trash_back, trash_slots
from chat_archive.core.operations.batch import Account
from chat_archive.core.progress import NullProgress, Progress
from chat_archive.core.row_reading import leftover_parses
from chat_archive.core.scan import scan_root
from chat_archive.core.undo_steps import UndoStep
from chat_archive.core.workspace import Workspace

_YOUNG_SECONDS = 600.0  # a new chat has message files before its first save


class TidyKind(StrEnum):
    EXPIRED = "expired"  # a chat whose lifetime ran out
    LEFTOVER = "leftover"  # a temporary file that is of no more use
    RECOVERY = "recovery"  # a temporary file that holds the chat while its own file is damaged
    ORPHAN = "orphan"  # a folder without a chat


@dataclass(frozen=True, slots=True)
class TidyItem:
    """One thing to tidy. `name` is the temporary file's name, else "". `size` in bytes, `text` a whole sentence."""

    kind: TidyKind
    folder: Folder
    title: str
    size: int
    text: str
    name: str = ""


def preview(
    workspace: Workspace,
    progress: Progress,
    *,
    expired: bool = True,
    leftover: bool = True,
    zone: tzinfo | None = None,
    now: datetime | None = None,
) -> list[TidyItem]:
    """What could go, with a reason each. Only looks. Raises what the root itself raises, and `Cancelled`."""
    now = now if now is not None else datetime.now(UTC)
    rows = {row.folder: row for row in scan_root(workspace.root, progress, zone=zone)}
    found: list[TidyItem] = []
    for row in rows.values():
        if expired and row.expires_at is not None and row.expires_at <= now:
            size, _ = files.measure(workspace.root / row.folder)
            text = (
                f"Its lifetime ran out at {row.expires_at:%Y-%m-%d %H:%M} UTC; Agent Zero deletes it when it cleans up."
            )
            found.append(TidyItem(TidyKind.EXPIRED, row.folder, row.title, size, text))
        if leftover and not row.flat:
            found += _leftovers(workspace, row)
    if leftover:
        found += _orphans(workspace, rows.keys())
    return found


def _leftovers(workspace: Workspace, row: ChatRow) -> list[TidyItem]:
    found = []
    for name in leftovers(workspace.root, row.folder):
        whole = leftover_parses(workspace.root, row.folder, name)
        size, _ = files.measure(workspace.root / row.folder / name)
        if whole and row.damaged:
            kind, text = (
                TidyKind.RECOVERY,
                "An interrupted save left it, and it holds the chat, whose own file is damaged.",
            )
        elif whole:
            kind, text = TidyKind.LEFTOVER, "An interrupted save left it; the chat's own file can be read."
        else:
            kind, text = TidyKind.LEFTOVER, "An interrupted save left it, and it cannot be read as a chat."
        found.append(TidyItem(kind, row.folder, row.title, size, text, name))
    return found


def _orphans(workspace: Workspace, chats: Collection[str]) -> list[TidyItem]:
    """Folders with nothing but message files or the host's temporary files in them; others are somebody's."""
    found: list[TidyItem] = []
    with files.telling("The chats folder cannot be read", workspace.root), files.place(workspace.root) as root:
        names = sorted(root.names())
    for name in names:
        if name == PRIVATE_FOLDER or name in chats:
            continue
        try:
            with files.place(workspace.root, name) as here:
                inside = here.names()
                young = any(time.time() - here.lstat(one).st_mtime < _YOUNG_SECONDS for one in inside)
        except (OSError, ArchiveError):
            continue  # a file, a link, or not for this user
        temporary = [one for one in inside if is_host_temporary(one)]
        if young or not inside or set(inside) - {MESSAGES_FOLDER} - set(temporary):
            continue
        size, _ = files.measure(workspace.root / name)
        whole = [one for one in temporary if leftover_parses(workspace.root, name, one)]
        if whole:
            text = "The folder has no chat.json, but an interrupted save left a file that holds the chat."
            found.append(TidyItem(TidyKind.RECOVERY, Folder(name), name, size, text, whole[-1]))
        else:
            text = "The folder has no chat.json: its chat is gone or was never saved."
            found.append(TidyItem(TidyKind.ORPHAN, Folder(name), name, size, text))
    return found


def tidy(workspace: Workspace, items: Sequence[TidyItem], progress: Progress) -> OperationResult:
    """Move expired chats, orphans and leftovers to the trash; of a recovery make a new chat and leave all as it was.

    Every item is looked at again first. One step of undo. Raises `ReadOnlyError`, `BusyError`, `StorageError`.
    """
    with workspace.change_lock:
        workspace.need_private()
        account = Account(progress, len(items))
        whole = [item for item in items if item.kind in (TidyKind.EXPIRED, TidyKind.ORPHAN)]
        still = {(item.kind, item.folder) for item in _now(workspace, whole)}
        steps: list[UndoStep] = []
        changes = Changes()
        for item in items:
            if item.kind in (TidyKind.EXPIRED, TidyKind.ORPHAN) and (item.kind, item.folder) not in still:
                account.skipped(item.title, "It is not so any more, so it was left alone.", item.folder)
        going = [item.folder for item in whole if (item.kind, item.folder) in still]
        if going:
            result, step = trash.put_away(workspace, going, progress)
            account.items += result.items
            account.stopped = account.stopped or result.stopped
            changes |= result.changes
            steps += [step] if step is not None else []
        left = [item for item in items if item.kind is TidyKind.LEFTOVER]
        if left:
            touched, step = _put_away_leftovers(workspace, left, account)
            changes |= Changes(updated=frozenset(touched))
            steps += [step] if step is not None else []
        for item in items:
            if item.kind is TidyKind.RECOVERY:
                changes |= Changes(added=frozenset(_recover(workspace, item, account)))
        account.finish()
        if steps:
            count = sum(step.count for step in steps)
            runs = tuple(steps)
            workspace.stacks.did(UndoStep("tidy", count, lambda p: trash_back.merged([step.run(p) for step in runs])))
        return OperationResult("tidy", tuple(account.items), changes, bool(steps), account.stopped)


def _now(workspace: Workspace, items: Sequence[TidyItem]) -> list[TidyItem]:
    """Those of the items that are still so: a host may have used an expired chat since."""
    if not items:
        return []
    found = {(item.kind, item.folder): item for item in preview(workspace, NullProgress())}
    return [item for item in items if (item.kind, item.folder) in found]


def _put_away_leftovers(
    workspace: Workspace, items: Sequence[TidyItem], account: Account
) -> tuple[list[Folder], UndoStep | None]:
    slot = trash_slots.make(workspace, trash_slots.LEFTOVERS, {str(item.folder): item.title for item in items})
    moved: dict[Folder, None] = {}
    with (
        files.telling("The left files could not be moved", workspace.root),
        files.place(workspace.trash_folder, slot, trash_slots.LEFTOVERS) as target,
    ):
        for item in items:
            title = f"{item.title}: {item.name}"
            if not account.goes_on(title):
                account.not_reached(title, item.folder)
                continue
            try:
                _move_one(workspace, target, slot, item)
            except ArchiveError as error:
                account.failed(title, error, item.folder)
                continue
            moved[item.folder] = None
            account.done(title, "The left file was moved to the trash.", item.folder)
        files.sync_place(target)
    if not moved:
        trash_slots.drop_if_empty(workspace, {slot})
        return [], None
    ids = [TrashId(f"{slot}/{folder}") for folder in moved]
    return list(moved), UndoStep("trash", len(ids), lambda p: trash_back.bring_back(workspace, ids, p))


def _move_one(workspace: Workspace, target: files.Place, slot: str, item: TidyItem) -> None:
    if not is_host_temporary(item.name):
        raise NotFoundError("This is no file of an interrupted save.")
    with files.telling("The left file could not be moved", workspace.root / item.folder / item.name):
        if not target.exists(item.folder):
            files.make_folder_at(target, item.folder)
        with (
            files.place(workspace.root, item.folder) as chat,
            files.place(workspace.trash_folder, slot, trash_slots.LEFTOVERS, item.folder) as here,
        ):
            files.move_at(chat, item.name, here, item.name)
            files.sync_place(here)
            files.sync_place(chat)


def _recover(workspace: Workspace, item: TidyItem, account: Account) -> list[Folder]:
    """A new chat with the bytes of the left file; that and the damaged chat stay."""
    title = f"{item.title}: {item.name}"
    if not account.goes_on(title):
        account.not_reached(title, item.folder)
        return []
    try:
        data, _ = files.read_once(workspace.root, item.folder, item.name)
        new = Folder(chat_ids.free_id(workspace.root))
        files.save_beside(workspace, new, chat_ids.with_id(data, new))
    except ArchiveError as error:
        account.failed(title, error, item.folder)
        return []
    text = (
        f"Brought back from the left file as the new chat {new}; the file and the damaged chat were left as they are."
    )
    account.items.append(ItemResult(title, True, text, new, workspace.root / new))
    with contextlib.suppress(ArchiveError):
        workspace.keep_reserve()
    return [new]
