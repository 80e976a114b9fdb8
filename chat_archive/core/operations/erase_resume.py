"""Finishing an erasing, or emptying, that a crash cut off between its steps (D-81)."""

from __future__ import annotations

import os
from collections.abc import Mapping

from chat_archive.core import user_marks
from chat_archive.core.deletion import REMOVE, STILL_THERE, choices_from, withdrawn
from chat_archive.core.entities import Folder, TrashId
from chat_archive.core.errors import ArchiveError
from chat_archive.core.layout import check_component
from chat_archive.core.operations import erase, trash_slots
from chat_archive.core.operations import erase_steps as steps
from chat_archive.core.operations.erase import look, print_of
from chat_archive.core.progress import NullProgress
from chat_archive.core.provider import outbox
from chat_archive.core.workspace import Workspace


def resume(workspace: Workspace, record: Mapping[str, object], notices: list[str]) -> None:
    """Go on where the journal's record says. A chat that is still there goes when its ids were noted and its file is
    the one that was looked at; one that was changed since stays, its ids are taken back, and that is told. Where no
    id was noted, nothing had begun and nothing happens. Raises `ArchiveError` when it cannot be done now."""
    operation = str(record.get("op"))
    listed = record.get("folders")
    folders = listed if isinstance(listed, dict) else {}
    choices = choices_from(record.get("choices"))
    lines = [line for line in outbox.entries(workspace) if line.get("op") == operation]
    begun = bool(lines) or record.get("ids") is False
    gone: list[str] = []
    for folder, noted in folders.items():
        check_component(folder)
        if not os.path.lexists(workspace.root / folder):
            gone.append(folder)
            continue
        if not begun:
            continue
        mine = [line for line in lines if line.get("chat") == folder]
        if noted is None or print_of(workspace, folder) != noted:
            outbox.append(workspace, withdrawn(mine, STILL_THERE))
            notices.append(f"A chat that was to be erased has been changed since, so it stays: {folder}.")
            continue
        doomed = look(workspace, Folder(folder), choices, None, user_marks.by_folder(workspace))
        held = {line.get("id") for line in mine}
        missing = steps.records_for([doomed], steps.index_for(workspace, [doomed]), operation)
        steps.note(workspace, [line for line in missing if line["id"] not in held])
        purged = steps.purge(workspace, doomed)
        steps.sync(workspace, [doomed])
        steps.remove(workspace, [purged])
        gone.append(folder)
        notices.append(f"A chat that was being erased when the program last stopped is erased now: {folder}.")
    if gone and choices.tasks == REMOVE:
        ids = record.get("chat_ids")
        known = ids if isinstance(ids, dict) else {}
        steps.remove_tasks(workspace, {*gone, *(str(known[folder]) for folder in gone if folder in known)})


def resume_emptying(workspace: Workspace, record: Mapping[str, object], notices: list[str]) -> None:
    """Erase what still lies in the trash of an emptying whose ids were noted. Raises as `resume`."""
    operation = record.get("op")
    listed = record.get("entries")
    if not any(line.get("op") == operation for line in outbox.entries(workspace)):
        return
    there: list[TrashId] = []
    for entry in listed if isinstance(listed, list) else []:
        parts = tuple(str(entry).split("/"))
        if len(parts) != 3 or not trash_slots.is_slot(parts[0]) or parts[1] not in trash_slots.KINDS:
            continue
        check_component(parts[2])
        if os.path.lexists(workspace.trash_folder.joinpath(*parts)):
            there.append(TrashId(f"{parts[0]}/{parts[2]}"))
    if not there:
        return
    # only a part of the ids may have been written down before the crash: the emptying is done whole, from its beginning
    result = erase.empty(workspace, there, NullProgress())
    if result.failed:
        raise ArchiveError("The emptying of the trash could not be finished.")
    notices.append(f"The emptying of the trash that was cut off is finished: {len(result.done)} more were erased.")
