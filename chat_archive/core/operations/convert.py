"""Flat files of v0.7 and v0.8 made into folders (format 5.7, D-01 to D-06)."""

from __future__ import annotations

import contextlib
import stat
from dataclasses import replace
from pathlib import Path

from chat_archive.core import files
from chat_archive.core.entities import Changes, Folder, ImportClass, ImportItem, ItemResult, OperationResult
from chat_archive.core.errors import ArchiveError, Cancelled, ConflictError
from chat_archive.core.layout import CHAT_FILE_NAME, is_well_formed
from chat_archive.core.operations.batch import NOT_REACHED
from chat_archive.core.operations.chat_ids import free_id, with_id
from chat_archive.core.operations.import_ import place_chat, stage_chat
from chat_archive.core.operations.import_preview import Finder, not_taken
from chat_archive.core.operations.import_reading import Limits, read_file
from chat_archive.core.progress import NullProgress, Progress
from chat_archive.core.workspace import Workspace

SUFFIX = ".json"
_NO_LIMITS = Limits(entries=10**9, all_bytes=10**15)  # the person's own root


def preview(workspace: Workspace) -> list[ImportItem]:
    """Every file directly in the root whose name ends in exactly `.json`: chats with the id of the folder they would
    get as `target` ("" for a new one), and files that are no chats and stay where they are (D-06). Folders are left
    alone (D-04). Writes nothing. Raises `StorageError` when the root cannot be read."""
    items: list[ImportItem] = []
    given: set[str] = set()
    for name in _flat_names(workspace.root):
        item = _look(workspace.root, name)
        if item.importable:
            item = _with_target(workspace.root, item, name, given)
            given.add(item.target)
        items.append(item)
    return items


def _flat_names(root: Path) -> list[str]:
    with files.telling("The chats folder cannot be read", root), files.place(root) as here:
        found = []
        for name in here.names():
            if name.endswith(SUFFIX):
                with contextlib.suppress(FileNotFoundError):
                    if not stat.S_ISDIR(here.lstat(name).st_mode):
                        found.append(name)
    return sorted(found)


def _look(root: Path, name: str) -> ImportItem:
    if name == SUFFIX:  # D-05
        reason = "It has no name before .json; import it to have it here."
        return not_taken(root / name, reason)
    finder = Finder(root, NullProgress(), None, _NO_LIMITS)
    finder.look(root / name)
    items = finder.found()
    if len(items) == 1 and items[0].index is None:
        return items[0]
    # an array of chats is an export and not a chat of the host
    reason = f"{name} holds a list of chats; import it to have them here."
    return replace(items[0], kind=ImportClass.NOT_A_CHAT, index=None, reason=reason, target="")


def _with_target(root: Path, item: ImportItem, name: str, given: set[str]) -> ImportItem:
    """The id inside the file where it may be given and is free, else the name without `.json`, else a new one."""
    stem = name.removesuffix(SUFFIX)
    data = read_file(root / name, _NO_LIMITS)
    for chat_id in dict.fromkeys((item.id, stem)):
        if not is_well_formed(chat_id) or chat_id in given:
            continue
        if not (root / chat_id).exists() and not (root / chat_id).is_symlink():
            return replace(item, kind=ImportClass.NEW, target=chat_id, reason=f"It gets the folder {chat_id}.")
        if any(holds_folder(root, chat_id, made) for made in (data, with_id(data, chat_id))):
            text = f"The folder {chat_id} holds the same chat; only the flat file is left to remove."
            return replace(item, kind=ImportClass.SAME, target=chat_id, reason=text)
    why = "its id is taken by another chat, which stays" if item.id or stem else "it has no name that can be an id"
    return replace(item, kind=ImportClass.TAKEN, target="", reason=f"It gets a folder with a new id: {why}.")


def holds_folder(root: Path, folder: str, data: bytes) -> bool:
    """Whether `folder` has a chat.json with exactly these bytes."""
    try:
        return files.read_once(root, folder, CHAT_FILE_NAME, limit=len(data) + 1)[0] == data
    except ArchiveError:
        return False


def convert(workspace: Workspace, progress: Progress) -> OperationResult:
    """Give each flat chat its folder. The new folder is whole in its place before the flat file is removed, so a kill
    at any moment leaves the chat, and the next run removes a flat file whose folder is there. Nothing is ever
    overwritten. Raises `ReadOnlyError`, `BusyError`, `StorageError`."""
    results: list[ItemResult] = []
    added: set[Folder] = set()
    removed: set[Folder] = set()
    stopped = False
    with workspace.change_lock:
        items = preview(workspace)
        if any(item.importable for item in items):
            workspace.need_writable()
        for place, item in enumerate(items):
            try:
                progress.report(place, len(items), item.title)
            except Cancelled:
                stopped = True
                results += [
                    ItemResult(left.source.name, True, NOT_REACHED, path=left.source, skipped=True)
                    for left in items[place:]
                ]
                break
            result = _convert(workspace, item)
            results.append(result)
            if result.ok and result.folder is not None and not result.skipped:
                added.add(result.folder)
                removed.add(Folder(item.source.name))
    changes = Changes(added=frozenset(added), removed=frozenset(removed))
    return OperationResult("convert", tuple(results), changes, stopped=stopped)


def _convert(workspace: Workspace, item: ImportItem) -> ItemResult:
    name = item.source.name
    if not item.importable:
        return ItemResult(name, ok=False, text=f"It was left where it is. {item.reason}", path=item.source)
    try:
        before = files.fingerprint(item.source)
        data = read_file(item.source, _NO_LIMITS)
        chat_id = item.target or free_id(workspace.root)
        if item.kind is not ImportClass.SAME:
            _place(workspace, chat_id, with_id(data, chat_id), before.mtime_ns / 1e9)
        if files.fingerprint(item.source) != before:
            raise ConflictError("The flat file changed meanwhile and was kept beside the new folder.", path=item.source)
        files.remove_file(item.source)
        files.fsync_folder(workspace.root)
    except ArchiveError as error:
        return ItemResult(name, ok=False, text=f"{error.what} {error.next_step}".strip(), path=item.source)
    text = f"It was moved into the folder {chat_id}."
    if not item.target:
        text = f"It was moved into the folder {chat_id} under a new id, since a different chat has its own."
    return ItemResult(name, ok=True, text=text, folder=Folder(chat_id), path=item.source)


def _place(workspace: Workspace, chat_id: str, data: bytes, moment: float) -> None:
    workspace.need_private()
    with contextlib.ExitStack() as stack:
        staged = stage_chat(workspace, stack, chat_id, data)
        files.set_modified(staged / CHAT_FILE_NAME, moment)
        files.fsync_folder(staged)
        place_chat(workspace, staged, chat_id, "convert")
