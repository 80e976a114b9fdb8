"""`Archive`: an opened chats root and every operation on it. Window, command line and tests call this and nothing else.

Reading never writes to the root (V7). The private folder is made at the first change, not by opening.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, tzinfo
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from chat_archive.core import scan, user_marks
from chat_archive.core.deletion import DeleteChoices
from chat_archive.core.entities import (
    ChatFile,
    ChatRow,
    ChatState,
    CheckReport,
    Fingerprint,
    Folder,
    ImportItem,
    OnConflict,
    OperationResult,
    Problem,
    TrashEntry,
    TrashId,
)
from chat_archive.core.model.context import AgentContext
from chat_archive.core.operations import (
    check,
    convert,
    delete,
    export,
    import_,
    message_files,
    plan,
    rename,
    tidy,
    trash,
    undo,
)
from chat_archive.core.operations.delete import CameBack
from chat_archive.core.operations.plan import DeletionPlan
from chat_archive.core.operations.tidy import TidyItem
from chat_archive.core.progress import NullProgress, Progress
from chat_archive.core.provider.queue import ResponseQueue
from chat_archive.core.provider.receipts import Receipt
from chat_archive.core.user_marks import KeptCopy, Marks
from chat_archive.core.workspace import Workspace

if TYPE_CHECKING:
    from chat_archive.core.provider.setup import ProviderSetup

_QUIET = NullProgress()
_latest: weakref.ReferenceType[Archive] | None = None


def latest() -> Archive | None:
    """The archive opened last, as long as somebody holds it; for the module functions of `persist_chat` only."""
    return _latest() if _latest is not None else None


class Archive:
    """One chats root. Reads may run side by side on any thread; changes run one at a time (the workspace's lock)."""

    def __init__(self, workspace: Workspace, zone: tzinfo | None = None) -> None:
        self.workspace = workspace
        self.zone = zone
        self._responses: ResponseQueue | None = None

    @classmethod
    def open(cls, path: Path | str, *, write: bool = True, zone: tzinfo | None = None) -> Archive:
        """Open the chats root at `path`, a folder that holds chats.

        With `write`, unfinished work of a crash is finished first and other instances are excluded from the first
        change on; where that is impossible the archive opens read-only and `read_only_reason` says why. Raises
        `NotFoundError` or `StorageError` when there is no folder to read. `zone` is the zone in which dates without
        an offset are read (D-32), the system's by default.
        """
        global _latest  # noqa: PLW0603 - what `persist_chat` works on when nothing else was chosen
        archive = cls(Workspace.open(Path(path), write=write), zone)
        _latest = weakref.ref(archive)
        return archive

    def __enter__(self) -> Archive:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the lock and the folder's descriptor. Calling twice is fine."""
        self.workspace.close()

    @property
    def root(self) -> Path:
        """The resolved root (C6)."""
        return self.workspace.root

    @property
    def read_only_reason(self) -> str:
        """ "" when changes are possible, else a sentence that says why not."""
        return self.workspace.read_only_reason

    @property
    def notices(self) -> tuple[str, ...]:
        """Sentences about what recovery did when the archive was opened."""
        return self.workspace.notices

    # reading

    def scan(self, progress: Progress = _QUIET, known: Mapping[Folder, ChatRow] | None = None) -> Iterator[ChatRow]:
        """Every chat, newest file first, one row at a time. Rows of `known` with the same fingerprint are handed
        out again without opening the file. Never raises for one bad chat: it becomes a damaged row."""
        rows = scan.scan_root(self.workspace.root, progress, known=known, zone=self.zone)
        return (self._at_rest(row) for row in rows)

    def row(self, folder: Folder) -> ChatRow:
        """One row, read now. Raises `NotFoundError`."""
        return self._at_rest(scan.read_one(self.workspace.root, folder, zone=self.zone))

    def _at_rest(self, row: ChatRow) -> ChatRow:
        """A file that is young because it was renamed here does not tell that the host writes it."""
        if row.state is not ChatState.LIVE or row.fingerprint != self.workspace.own_edits.get(row.folder):
            return row
        return replace(row, state=ChatState.OK if row.expires_at is None else ChatState.EXPIRES)

    def find(self, chat_id: str) -> Folder:
        """The folder of a chat named by its folder or by its inner id. Raises `NotFoundError`, or `ConflictError`
        naming the folders when several chats carry that id (D-13)."""
        return scan.find(self.workspace.root, chat_id)

    def read_bytes(self, folder: Folder) -> bytes:
        """The exact bytes of the chat's file, read at rest (C1). Raises `NotFoundError`, `StorageError`."""
        return scan.read_bytes(self.workspace.root, folder)

    def load(self, folder: Folder) -> AgentContext:
        """The chat with everything readable in it; parts are decoded when they are used. Raises `UnreadableError`."""
        return scan.load(self.workspace.root, folder, zone=self.zone)

    def files(self, folder: Folder) -> list[ChatFile]:
        """Every file of the chat's folder, and those the chat names that are missing (D-23, D-24)."""
        return scan.chat_files(self.workspace.root, folder)

    def problems(self) -> tuple[Problem, ...]:
        """What is wrong beside the chats: a side file of names or a list of tasks that is no JSON."""
        return scan.root_problems(self.workspace.root)

    def salvage(self, folder: Folder) -> list[bytes]:
        """Texts of new chats from what parses in a damaged chat's files; [] when nothing does (D-94)."""
        return scan.salvage(self.workspace.root, folder)

    def check(self, progress: Progress = _QUIET) -> CheckReport:
        """What is damaged, duplicate, left over or expiring. Changes nothing."""
        return check.check(self.workspace, progress, zone=self.zone)

    # changing

    def rename(self, folder: Folder, name: str, progress: Progress = _QUIET) -> OperationResult:
        """Exchange the bytes of `name` in the file for the new name; every other byte stays (C2)."""
        return rename.rename(self.workspace, folder, name, progress)

    def trash(self, folders: Sequence[Folder], progress: Progress = _QUIET) -> OperationResult:
        """Move chats to the trash of this root (D1). One synced record, one rename each, every item accounted for."""
        return trash.trash(self.workspace, folders, progress)

    def plan_deletion(
        self,
        folders: Sequence[Folder],
        progress: Progress = _QUIET,
        *,
        rows: Mapping[Folder, ChatRow] | None = None,
    ) -> DeletionPlan:
        """What goes if these chats go: the data of the impact sheet. Changes nothing; `rows` are already known."""
        workspace = self.workspace
        return plan.make(
            workspace.root,
            folders,
            progress,
            others=workspace.other_roots,
            rows=rows,
            cache=workspace.references,
            zone=self.zone,
        )

    def changed_since(self, seen: Mapping[Folder, Fingerprint | None]) -> list[ChatRow]:
        """Chats whose file is another than when it was looked at, as they are now."""
        return plan.changed_since(self.workspace.root, seen, self.zone)

    def delete(
        self,
        folders: Sequence[Folder],
        choices: DeleteChoices,
        progress: Progress = _QUIET,
        *,
        seen: Mapping[Folder, Fingerprint | None] | None = None,
    ) -> OperationResult:
        """To the trash or for good, with responses and tasks as chosen. With `seen` (`DeletionPlan.seen`) a chat that
        changed meanwhile is left alone. Ids are in the queue before a folder is touched (D4)."""
        return delete.delete(self.workspace, folders, choices, progress, seen=seen)

    def came_back(self) -> list[CameBack]:
        """Chats that were deleted here and stand in the root again, because a running host saved them (D-79, C3)."""
        return delete.came_back(self.workspace)

    def dismiss_came_back(self, folder: Folder) -> None:
        """Say no more about this one."""
        delete.dismiss(self.workspace, folder)

    def set_keep_responses(self, folder: Folder, keep: bool | None, progress: Progress = _QUIET) -> OperationResult:
        """Write (True keeps, False deletes) or clear (None) the chat's own flag about its stored responses."""
        return delete.set_keep_responses(self.workspace, folder, keep, progress)

    def keeps_responses(self, folder: Folder) -> bool | None:
        """What the chat's own flag says, None when it has none."""
        return delete.keeps_responses(self.workspace, folder)

    def due_for_purge(self, now: datetime | None = None) -> list[TrashEntry]:
        """What the retention would erase now, oldest first; to be announced before `purge_due`."""
        return delete.due(self.workspace, now)

    def purge_due(self, announced: Sequence[TrashEntry], progress: Progress = _QUIET) -> OperationResult:
        """Erase what was announced and is still due (D3), as its deletion chose for its responses."""
        return delete.purge(self.workspace, announced, progress)

    def preview_tidy(
        self, progress: Progress = _QUIET, *, expired: bool = True, leftover: bool = True
    ) -> list[TidyItem]:
        """Expired chats, leftover files and orphans that could go. Changes nothing."""
        return tidy.preview(self.workspace, progress, expired=expired, leftover=leftover, zone=self.zone)

    def tidy(self, items: Sequence[TidyItem], progress: Progress = _QUIET) -> OperationResult:
        """Move what a preview found to the trash; a recovery becomes a new chat."""
        return tidy.tidy(self.workspace, items, progress)

    @property
    def marks(self) -> Marks:
        """What the person decided about chats here: hidden ones, and of which copies are kept."""
        return user_marks.load(self.workspace)

    def hide(self, folders: Sequence[Folder]) -> None:
        """Hide chats from the list; their folders stay as they are."""
        user_marks.hide(self.workspace, folders)

    def show(self, folders: Sequence[Folder]) -> None:
        """Show hidden chats again."""
        user_marks.show(self.workspace, folders)

    def set_keep_copies(self, folders: Sequence[Folder] | None, keep: bool) -> None:
        """Switch keeping copies of these chats, or of all (None)."""
        user_marks.set_keep(self.workspace, folders, keep)

    def keep_copy(self, folder: Folder) -> KeptCopy | None:
        """Copy the chat as it is now into the archive; None when its newest copy is the same."""
        return user_marks.keep_copy(self.workspace, folder)

    def keep_wanted_copies(self, rows: Sequence[ChatRow]) -> list[KeptCopy]:
        """Copies of those of these chats for which that is switched on and that changed."""
        return user_marks.keep_wanted(self.workspace, rows)

    def kept_copies(self) -> list[KeptCopy]:
        """Every kept version, newest first; its `base` can be read and exported like a root."""
        return user_marks.copies(self.workspace)

    def no_longer_there(self) -> list[ChatRow]:
        """Chats the host removed and of which a copy is kept, with the flag "gone"."""
        return user_marks.no_longer_there(self.workspace, self.zone)

    def trash_entries(self) -> list[TrashEntry]:
        """What is in the trash, newest first. Unreadable records are still listed, under their folder's name."""
        return trash.entries(self.workspace)

    def restore(self, entries: Sequence[TrashId], progress: Progress = _QUIET) -> OperationResult:
        """Move chats back; a taken place is never overwritten: the restored one gets a new id, told in its item."""
        return trash.restore(self.workspace, entries, progress)

    def empty_trash(self, entries: Sequence[TrashId] | None = None, progress: Progress = _QUIET) -> OperationResult:
        """Erase these trashed chats, or all (None); response ids go into the outbox first (D4). No undo."""
        return trash.empty(self.workspace, entries, progress)

    def remove_message_files(self, folders: Sequence[Folder], progress: Progress = _QUIET) -> OperationResult:
        """Move only the `messages` folder of each chat, as a whole, to the trash (H2)."""
        return message_files.remove(self.workspace, folders, progress)

    @property
    def undo_text(self) -> str:
        """ "" or what undo would take back, e.g. "Move 3 chats to Trash"."""
        return undo.undo_text(self.workspace)

    @property
    def redo_text(self) -> str:
        return undo.redo_text(self.workspace)

    @property
    def undo_info(self) -> tuple[str, int] | None:
        """The verb of the last undoable operation and how many chats it was about; for words of one's own."""
        return undo.undo_info(self.workspace)

    @property
    def redo_info(self) -> tuple[str, int] | None:
        return undo.redo_info(self.workspace)

    def undo(self, progress: Progress = _QUIET) -> OperationResult:
        """Take back the last undoable operation (trash, restore, rename, import). Raises `ConflictError`."""
        return undo.undo(self.workspace, progress)

    def redo(self, progress: Progress = _QUIET) -> OperationResult:
        return undo.redo(self.workspace, progress)

    # taking along, bringing back

    def export_json(
        self,
        folders: Sequence[Folder],
        to: Path,
        progress: Progress = _QUIET,
        *,
        strict: bool = False,
        overwrite: bool = False,
    ) -> OperationResult:
        """Copy the bytes of each chat.json to `to` (a folder, or a file name for a single chat). With `strict` the
        file is rewritten to section 8 of the format and what was replaced is counted in its item."""
        return export.export_json(
            self.workspace.root, folders, to, progress, strict=strict, overwrite=overwrite, zone=self.zone
        )

    def preview_import(self, paths: Iterable[Path], progress: Progress = _QUIET) -> list[ImportItem]:
        """What each dropped file or folder is. Nothing is written."""
        return import_.preview(self.workspace, paths, progress, zone=self.zone)

    def import_items(
        self,
        items: Sequence[ImportItem],
        progress: Progress = _QUIET,
        *,
        on_conflict: OnConflict = OnConflict.SKIP,
    ) -> OperationResult:
        """Bring in what a preview found; a chat is visible whole or not at all (I1)."""
        result = import_.import_items(self.workspace, items, progress, on_conflict=on_conflict)
        for folder in result.changes.added:  # brought in by a person, so it did not come back by itself
            self.workspace.gone.pop(folder, None)
            self.workspace.dismissed.add(folder)
        return result

    def flat_files(self) -> list[ImportItem]:
        """Flat `<id>.json` files of v0.7/v0.8 that conversion would move into folders (D-01 to D-06)."""
        return convert.preview(self.workspace)

    def convert_flat(self, progress: Progress = _QUIET) -> OperationResult:
        """Move flat files into folders: exact suffix, only real chats, never over anything."""
        return convert.convert(self.workspace, progress)

    # responses stored at the provider

    @property
    def responses(self) -> ResponseQueue:
        """The durable queue of responses of chats that were let go (P1)."""
        if self._responses is None:
            self._responses = ResponseQueue(self.workspace)
        return self._responses

    def provider_receipts(self) -> list[Receipt]:
        """What became of every response of chats that were let go, newest change first. Raises `StorageError`."""
        return self.responses.receipts()

    @property
    def provider_waiting_count(self) -> int:
        """How many of them are still to be deleted at the provider. Raises `StorageError`."""
        return sum(entry.state.open for entry in self.responses.entries())

    def provider_retry(
        self,
        ids: Sequence[str] | None = None,
        progress: Progress = _QUIET,
        *,
        setup: ProviderSetup | None = None,
        others: Sequence[Archive] = (),
        hurried: bool = True,
        wait: float = 0.0,
        even_shared: bool = False,
        continuing: bool = False,
    ) -> OperationResult:
        """Delete at the provider what waits, or just these (entries or response ids), with the keys and base URLs of
        `setup` (made from the settings when None). What a chat of this or the `others` still uses is kept, unless
        `even_shared`. `hurried` skips our own growing pauses, `wait` goes on trying for that many seconds;
        `continuing` takes only what the person asked for before and is to be tried again.

        Raises `NotFoundError` for an id that is not in the queue, `BusyError` while another run is under way,
        `ReadOnlyError`, `StorageError`.
        """
        from chat_archive.core.provider import work  # what sends is loaded only when something is sent

        return work.retry(
            self.workspace,
            self.responses,
            ids,
            progress,
            setup=setup,
            others=[other.workspace for other in others if other is not self],
            hurried=hurried,
            wait=wait,
            even_shared=even_shared,
            continuing=continuing,
        )

    def provider_forget(self, ids: Sequence[str]) -> OperationResult:
        """Give up these responses: they leave the queue, and may stay at the provider. Raises as `provider_retry`."""
        from chat_archive.core.provider import work

        return work.forget(self.workspace, self.responses, ids)
