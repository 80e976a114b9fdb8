"""The steps of erasing, in the order in which they are safe: ids noted, folder out of the way, then removed (D4)."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from chat_archive.core import files, scheduler_tasks, user_marks
from chat_archive.core.deletion import KEEP, STILL_THERE, DeleteChoices, outbox_records, own_reason, withdrawn
from chat_archive.core.errors import ArchiveError, BadIdError, StorageError
from chat_archive.core.provider import outbox
from chat_archive.core.provider.collect import StoredResponse
from chat_archive.core.provider.references import Reference, ReferenceIndex, reference_index
from chat_archive.core.workspace import Workspace

CANNOT = "The chat could not be erased"
NOTHING = outbox.Gathered((), "", (), True)

Records = Sequence[dict[str, object]]


@dataclass(frozen=True, slots=True)
class Doomed:
    """One thing to erase: `parts` below `above`, the ids it holds, what was chosen for them. `id` is the chat's own,
    `key` how references name it."""

    title: str
    id: str
    above: Path
    parts: tuple[str, ...]
    gathered: outbox.Gathered
    choices: DeleteChoices
    key: tuple[Path, str]

    @property
    def name(self) -> str:
        return self.parts[-1]


def index_for(workspace: Workspace, doomed: Sequence[Doomed]) -> ReferenceIndex:
    """Who else refers to responses; looked for only when some would be deleted at the provider."""
    asked = any(
        one.choices.keep_shared and not own_reason(response, one.gathered.kept_because, one.choices)
        for one in doomed
        for response in one.gathered.responses
    )
    if not asked:
        return ReferenceIndex()
    return reference_index([workspace.root, *workspace.other_roots], cache=workspace.references)


def records_for(doomed: Sequence[Doomed], index: ReferenceIndex, operation: str = "") -> list[dict[str, object]]:
    """The queue's lines for all ids of all chats; what only chats that go along refer to is not shared."""
    together = {one.key for one in doomed}

    def sharing(response: StoredResponse) -> Sequence[Reference]:
        return index.sharing(response.original, together)

    return [
        record
        for one in doomed
        for record in outbox_records(one.name, one.gathered, one.choices, sharing, operation=operation)
    ]


def note(workspace: Workspace, records: Records) -> None:
    """All ids of all chats, in one synced append (P1). A full disk gets the reserve back for it (D5)."""
    try:
        outbox.append(workspace, records)
    except StorageError as error:
        if not files.is_full(error):
            raise
        workspace.release_reserve()
        outbox.append(workspace, records)


def withdraw(workspace: Workspace, kept: Sequence[Doomed], records: Records) -> None:
    """Chats that stayed, or came back, still need their responses: the queue is told so."""
    names = {one.name for one in kept}
    taken_back = [record for record in records if record["chat"] in names and not record["hold"]]
    with contextlib.suppress(ArchiveError):
        outbox.append(workspace, withdrawn(taken_back, STILL_THERE))


def purge(workspace: Workspace, doomed: Doomed) -> str:
    """The rename into the purge folder; the name it has there. The caller syncs. Raises `ArchiveError` (D-11)."""
    name = uuid.uuid4().hex
    with (
        files.telling(CANNOT, doomed.above.joinpath(*doomed.parts)),
        files.place(doomed.above, *doomed.parts[:-1]) as source,
        files.place(workspace.purge_folder) as folder,
    ):
        files.move_at(source, doomed.name, folder, name)
    return name


def sync(workspace: Workspace, doomed: Sequence[Doomed]) -> None:
    """Make the renames safe, before anything is removed. Raises `StorageError`."""
    with files.telling("The erasing could not be made safe", workspace.purge_folder):
        files.fsync_folder(workspace.purge_folder)
        for above in {one.above.joinpath(*one.parts[:-1]) for one in doomed}:
            files.fsync_folder(above)


def remove(workspace: Workspace, purged: Sequence[str]) -> None:
    """What cannot be removed now stays in the purge folder, and the next start tries again (W7)."""
    with contextlib.suppress(OSError), files.place(workspace.purge_folder) as folder:
        for name in purged:
            with contextlib.suppress(OSError, BadIdError):
                files.remove_tree_at(folder, name)
    with contextlib.suppress(ArchiveError):
        workspace.keep_reserve()


def forget_copies(workspace: Workspace, folders: Sequence[str]) -> None:
    """Kept copies leave with their chat; what cannot be removed now is a copy of a chat that is gone, and shown so."""
    with contextlib.suppress(ArchiveError):
        user_marks.forget_copies(workspace, frozenset(folders))


def remove_tasks(workspace: Workspace, chats: Collection[str]) -> list[str]:
    """Take the tasks bound to these chats out of their file; sentences about them. Raises `ArchiveError`."""
    names = {name.removesuffix(".json") for name in chats}
    tasks = scheduler_tasks.read(workspace.root)
    if tasks.fault is not None:
        raise tasks.fault
    taken = scheduler_tasks.remove(workspace, {task.uuid for task in tasks.bound_to(names)})
    told = [f"The scheduled task “{task.name}” was removed." for task in taken]
    return [*told, tasks.problem] if tasks.problem else told


def by_chat(records: Records) -> dict[str, list[dict[str, object]]]:
    """The lines of each chat, by its folder."""
    found: dict[str, list[dict[str, object]]] = {}
    for record in records:
        found.setdefault(str(record["chat"]), []).append(record)
    return found


def told(doomed: Doomed, mine: Records) -> str:
    """What became of one chat, in sentences; `mine` are its own lines."""
    gathered = doomed.gathered
    alone = "messages" in doomed.parts[:-1]  # (slot, kind, folder): the chat itself is still there
    text = ["Its message files were erased." if alone else "Erased."]
    if mine:
        count = "1 response" if len(mine) == 1 else f"{len(mine)} responses"
        verb = "is" if len(mine) == 1 else "are"
        text.append(f"{count} stored at the provider {verb} noted in the queue.")
    if gathered.kept_because and not doomed.choices.overrule:
        text.append(gathered.kept_because)
    elif kept := sum(record["decision"] == KEEP for record in mine):
        text.append("It is kept." if len(mine) == 1 else f"{kept} of them are kept.")
    if not gathered.complete:
        text.append("Parts of it were not readable, so this list may be incomplete.")
    return " ".join(text)
