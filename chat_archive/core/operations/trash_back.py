"""Chats brought back from the trash (D2): one rename each, never over anything that has come into their place."""

from __future__ import annotations

import contextlib
import secrets
import string
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field

from chat_archive.core import editing, files, json_edit, scheduler_tasks
from chat_archive.core.deletion import BROUGHT_BACK, TRASHING, DeleteChoices, withdrawn
from chat_archive.core.entities import Changes, Folder, ItemResult, OperationResult, TrashId
from chat_archive.core.errors import ArchiveError, ConflictError, NotFoundError, UnreadableError
from chat_archive.core.files import Place
from chat_archive.core.layout import CHAT_FILE_NAME, MESSAGES_FOLDER
from chat_archive.core.operations import trash_slots
from chat_archive.core.operations.batch import Account
from chat_archive.core.progress import Progress
from chat_archive.core.provider import outbox
from chat_archive.core.undo_steps import UndoStep
from chat_archive.core.workspace import Workspace

_CANNOT_RESTORE = "It could not be brought back"
_ID_SIGNS = string.ascii_letters + string.digits


def bring_back(
    workspace: Workspace, entries: Sequence[TrashId], progress: Progress
) -> tuple[OperationResult, UndoStep | None]:
    """`restore`, and the step that takes it back; the caller holds the change lock."""
    workspace.need_private()
    account = Account(progress, len(entries))
    records = _Records(workspace)
    back: list[Folder] = []
    touched: list[Folder] = []
    with_it = _WithIt()
    slots: set[str] = set()
    with files.telling(_CANNOT_RESTORE, workspace.root), files.place(workspace.root) as root:
        for entry in entries:
            title = records.title_of(entry)
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
                    elif kind == trash_slots.LEFTOVERS:
                        text = _leftovers_back(workspace, slot, folder)
                        touched.append(Folder(folder))
                        new = folder
                    else:
                        new, text = _chat_back(workspace, root, slot, folder)
                        back.append(Folder(new))
                        workspace.gone.pop(new, None)
                        with_it.note(records.of(slot), folder, Folder(new))
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
    remarks = with_it.bring_back(workspace)
    trash_slots.drop_if_empty(workspace, slots)
    account.finish()
    result = OperationResult(
        "restore",
        tuple(account.items),
        Changes(added=frozenset(back), updated=frozenset(touched)),
        undoable=bool(back or touched),
        stopped=account.stopped,
        remarks=tuple(remarks),
    )
    return result, _step_of_restore(workspace, with_it.choices, touched)


@dataclass(slots=True)
class _WithIt:
    """What comes back with the chats: their scheduled tasks, and responses that were queued but may not be sent yet.
    `choices` are those of each chat's deletion, for doing it again."""

    choices: dict[Folder, DeleteChoices] = field(default_factory=dict)
    tasks: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    queued: set[str] = field(default_factory=set)

    def note(self, record: trash_slots.Record, old: str, new: Folder) -> None:
        self.choices[new] = record.choices
        if new == old:
            self.tasks += record.tasks.get(old, ())
        else:
            self.left += record.tasks.get(old, ())
        if record.choices.cascade_when == TRASHING:
            self.queued.add(old)

    def bring_back(self, workspace: Workspace) -> list[str]:
        """Sentences to tell. A task whose uuid is taken by now stays away, nothing of it is overwritten."""
        told: list[str] = []
        try:
            for task in scheduler_tasks.put_back(workspace, self.tasks):
                told.append(f"The scheduled task “{task.name}” was put back.")
            if self.queued:
                wishes = [r for r in outbox.entries(workspace) if r.get("chat") in self.queued and not r.get("hold")]
                outbox.append(workspace, withdrawn(wishes, BROUGHT_BACK))
        except ArchiveError as error:
            told.append(f"The chats are back, but not all that went with them. {error}")
        for task in filter(None, map(scheduler_tasks.parse, self.left)):
            told.append(f"The scheduled task “{task.name}” was not put back, since its chat has a new id.")
        return told


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


def _leftovers_back(workspace: Workspace, slot: str, folder: str) -> str:
    """Each file back beside its chat, never over one that is there."""
    stayed = 0
    with (
        files.place(workspace.trash_folder, slot, trash_slots.LEFTOVERS) as above,
        files.place(workspace.trash_folder, slot, trash_slots.LEFTOVERS, folder) as source,
        files.place(workspace.root, folder) as chat,
    ):
        for name in source.names():
            try:
                files.move_at(source, name, chat, name)
            except FileExistsError:
                stayed += 1
        files.sync_place(chat)
        files.sync_place(source)
        if stayed:
            raise ConflictError("A file of that name is there again, so it was not overwritten.", path=chat.path)
        files.remove_folder_at(above, folder)
    return "The left file was put back."


def _step_of_restore(
    workspace: Workspace, chosen: dict[Folder, DeleteChoices], touched: list[Folder]
) -> UndoStep | None:
    """Each chat to the trash again, as it was chosen then."""
    if not chosen and not touched:
        return None
    seen = {folder: chat_print(workspace, folder) for folder in chosen}

    def again(progress: Progress) -> tuple[OperationResult, UndoStep | None]:
        from chat_archive.core.operations import message_files, trash

        if touched:
            return message_files.put_away(workspace, touched, progress)
        unchanged(workspace, seen)
        done = []
        for choices in dict.fromkeys(chosen.values()):
            folders = [folder for folder, one in chosen.items() if one == choices]
            done.append(trash.put_away(workspace, folders, progress, choices))
        return merged(done)

    return UndoStep("restore", len(chosen) + len(touched), again)


def merged(done: list[tuple[OperationResult, UndoStep | None]]) -> tuple[OperationResult, UndoStep | None]:
    """Several operations of one step as one."""
    result = done[0][0]
    for other, _ in done[1:]:
        result = OperationResult(
            result.verb,
            result.items + other.items,
            result.changes | other.changes,
            result.undoable or other.undoable,
            result.stopped or other.stopped,
            result.remarks + other.remarks,
        )
    steps = [step for _, step in done if step is not None]
    if len(steps) < 2:
        return result, steps[0] if steps else None
    count = sum(step.count for step in steps)
    return result, UndoStep(steps[0].verb, count, lambda p: merged([step.run(p) for step in steps]))


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


class _Records:
    """The records of trash slots, each read once."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._records: dict[str, trash_slots.Record] = {}

    def of(self, slot: str) -> trash_slots.Record:
        if slot not in self._records:
            good = trash_slots.is_slot(slot)
            self._records[slot] = trash_slots.record_of(self._workspace, slot) if good else trash_slots.Record()
        return self._records[slot]

    def title_of(self, entry: str) -> str:
        slot, _, folder = entry.partition("/")
        return self.of(slot).titles.get(folder) or folder or entry
