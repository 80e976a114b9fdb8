"""Bringing chats in: looked at first, staged, and visible whole or not at all (I1 to I6)."""

from __future__ import annotations

import contextlib
import os
import uuid
from collections.abc import Iterable, Sequence
from datetime import tzinfo
from pathlib import Path

from chat_archive.core import files
from chat_archive.core.entities import (
    Changes,
    Folder,
    ImportItem,
    ItemResult,
    OnConflict,
    OperationResult,
)
from chat_archive.core.errors import ArchiveError, Cancelled, ConflictError, UnreadableError
from chat_archive.core.layout import CHAT_FILE_NAME
from chat_archive.core.operations import chat_ids, trash, undo
from chat_archive.core.operations.batch import NOT_REACHED
from chat_archive.core.operations.chat_ids import free_id, holds, is_taken, with_id
from chat_archive.core.operations.import_preview import Finder
from chat_archive.core.operations.import_reading import Counter, Limits, documents, files_beside, read_file
from chat_archive.core.progress import NullProgress, Progress
from chat_archive.core.undo_steps import UndoStep
from chat_archive.core.workspace import Workspace

_DEFAULT_LIMITS = Limits()


def preview(
    workspace: Workspace,
    paths: Iterable[Path],
    progress: Progress,
    *,
    zone: tzinfo | None = None,
    limits: Limits = _DEFAULT_LIMITS,
) -> list[ImportItem]:
    """What each file or folder of `paths` is: one item a chat found, and one for each thing that is none, with the
    reason. A folder may be one chat, a chats root, or lie above some. Nothing is written. Raises `Cancelled`."""
    finder = Finder(workspace.root, progress, zone, limits)
    for path in paths:
        finder.look(Path(os.path.abspath(path)))
    return finder.settled()


def import_items(
    workspace: Workspace,
    items: Sequence[ImportItem],
    progress: Progress,
    *,
    on_conflict: OnConflict = OnConflict.SKIP,
    limits: Limits = _DEFAULT_LIMITS,
) -> OperationResult:
    """Bring in what `preview` found. Each chat is staged, synced and renamed into the root, never over anything.

    An id that is taken by a different chat is left out, gets a new id, or takes the place of the old version, which
    goes to the trash. Stopping leaves whole chats and lists the rest. Raises `ReadOnlyError`, `BusyError`.
    """
    run = _Run(workspace, on_conflict, limits)
    results: list[ItemResult] = []
    stopped = False
    with workspace.change_lock:
        if any(item.importable for item in items):
            workspace.need_writable()
        for place, item in enumerate(items):
            try:
                progress.report(place, len(items), item.title)
            except Cancelled:
                stopped = True
                results += [
                    ItemResult(name_of(left), True, NOT_REACHED, path=left.source, skipped=True)
                    for left in items[place:]
                ]
                break
            results.append(run.bring_in(item))
        if not stopped:
            with contextlib.suppress(Cancelled):  # too late: all is done
                progress.report(len(items), len(items))
        undoable = bool(run.added) and not run.updated
        if undoable:
            undo.remember_import(workspace, sorted(run.added))
    changes = Changes(added=frozenset(run.added), updated=frozenset(run.updated))
    return OperationResult(
        "import", tuple(results), changes, undoable=undoable, stopped=stopped, remarks=(_sum(items, results),)
    )


def name_of(item: ImportItem) -> str:
    """What a person knows an item by: its file, and its place in it."""
    return item.source.name if item.index is None else f"{item.source.name} [{item.index + 1}]"


def _sum(items: Sequence[ImportItem], results: Sequence[ItemResult]) -> str:
    read = sum(item.importable for item in items)
    marked = sum(item.importable and bool(item.remarks) for item in items)
    done = sum(result.ok and not result.skipped for result in results)
    return f"{done} of {len(items)} imported; {read} read, {marked} with remarks, {len(items) - read} refused."


class _Run:
    """One import on its way. Used under the change lock."""

    def __init__(self, workspace: Workspace, on_conflict: OnConflict, limits: Limits) -> None:
        self.workspace = workspace
        self.on_conflict = on_conflict
        self.limits = limits
        self.added: set[Folder] = set()
        self.updated: set[Folder] = set()
        self._source: tuple[Path, list[bytes]] | None = None

    def bring_in(self, item: ImportItem) -> ItemResult:
        """Import one item. Never raises `ArchiveError`."""
        if not item.importable:
            return ItemResult(name_of(item), ok=False, text=item.reason, path=item.source)
        try:
            data = self._bytes(item)
            if not chat_ids.names(data, item.id):
                raise UnreadableError("It has changed since it was looked at.", kind="changed", path=item.source)
            return self._import(item, data)
        except ArchiveError as error:
            text = f"It was not imported. {error.what} {error.next_step}".strip()
            return ItemResult(name_of(item), ok=False, text=text, path=error.path or item.source)

    def _bytes(self, item: ImportItem) -> bytes:
        """The chat's bytes, read now: what a preview saw may have changed."""
        path = item.source / CHAT_FILE_NAME if item.source.is_dir() else item.source
        if item.index is None:
            data = read_file(path, self.limits)
            held = documents(path, data)
            if len(held) != 1 or held[0].refused:
                raise UnreadableError("It has changed since it was looked at.", kind="changed", path=path)
            return held[0].data if held[0].index is not None else data
        if self._source is None or self._source[0] != item.source:
            held = documents(path, read_file(path, self.limits))
            self._source = (item.source, [one.data for one in held])
        if item.index >= len(self._source[1]):
            raise UnreadableError("It has changed since it was looked at.", kind="changed", path=item.source)
        return self._source[1][item.index]

    def _import(self, item: ImportItem, data: bytes) -> ItemResult:
        root = self.workspace.root
        target = item.target
        old: Folder | None = None
        if target and is_taken(root, target):
            if holds(root, target, with_id(data, target)) or holds(root, target, data):
                text = "It is there already; nothing was written."
                return self._told(item, text, Folder(target), skipped=True)
            if self.on_conflict is OnConflict.SKIP:
                text = "It was left out: a different chat with this id is there."
                return self._told(item, text, Folder(target), skipped=True)
            if self.on_conflict is OnConflict.UPDATE and os.path.lexists(root / target):
                old = Folder(target)
            else:
                target = ""
        chat_id = target or free_id(root)
        self._put(item, chat_id, with_id(data, chat_id), old)
        folder = Folder(chat_id)
        if old is not None:
            self.updated.add(folder)
            return self._told(item, "It was imported; the older version is in the trash.", folder)
        self.added.add(folder)
        text = "It was imported." if chat_id == item.id else f"It was imported under the new id {chat_id}."
        return self._told(item, text, folder)

    def _told(self, item: ImportItem, text: str, folder: Folder, *, skipped: bool = False) -> ItemResult:
        return ItemResult(
            name_of(item), ok=True, text=text, folder=folder, path=item.source, skipped=skipped, remarks=item.remarks
        )

    def _put(self, item: ImportItem, chat_id: str, data: bytes, old: Folder | None) -> None:
        self.workspace.need_private()
        with contextlib.ExitStack() as stack:
            staged = stage_chat(self.workspace, stack, chat_id, data)
            if item.source.is_dir() and item.index is None:  # what lies beside a list belongs to none of its chats
                self._copy_beside(item.source, staged)
            files.fsync_folder(staged)
            moment = item.last_activity.timestamp() if item.last_activity is not None else None
            if moment is not None and moment > 0:
                files.set_modified(staged / CHAT_FILE_NAME, moment)
            back = self._put_aside(old) if old is not None else None
            try:
                place_chat(self.workspace, staged, chat_id, "import")
            except ArchiveError:
                if back is not None:
                    back.run(NullProgress())
                raise

    def _put_aside(self, old: Folder) -> UndoStep | None:
        """The old version goes to the trash; the step that brings it back."""
        result, step = trash.put_away(self.workspace, [old], NullProgress())
        for item in result.failed:
            raise ConflictError(item.text, path=self.workspace.root / old)
        return step

    def _copy_beside(self, source: Path, staged: Path) -> None:
        """The files of the folder that come along, byte for byte, by the same rules as the preview."""
        counter = Counter(self.limits)
        for relative in files_beside(source, counter).taken:
            parts = relative.split("/")
            data, _ = files.read_settled(
                source, *parts, limit=self.limits.file_bytes, whole=lambda _data: True, seconds=0.3
            )
            files.make_folders(staged.joinpath(*parts[:-1]))
            files.write_new(staged.joinpath(*parts), data)


def stage_chat(workspace: Workspace, stack: contextlib.ExitStack, chat_id: str, data: bytes) -> Path:
    """A chat's folder with its chat.json in the private staging, removed when `stack` ends if it is still there."""
    slot = workspace.staging / uuid.uuid4().hex
    files.make_folder(slot)
    stack.callback(_drop, slot)
    staged = slot / chat_id
    files.make_folder(staged)
    files.write_new(staged / CHAT_FILE_NAME, data)
    return staged


def _drop(slot: Path) -> None:
    with contextlib.suppress(ArchiveError):  # recovery clears staging, too
        files.remove_tree(slot)


def place_chat(workspace: Workspace, staged: Path, chat_id: str, verb: str) -> None:
    """Give a staged chat its place in the root by one rename, never over anything. Raises `ConflictError`."""
    operation = workspace.journal.intend(verb, {"folder": chat_id})
    try:
        files.move_verified(staged, workspace.root / chat_id)
    finally:
        workspace.journal.done(operation)
