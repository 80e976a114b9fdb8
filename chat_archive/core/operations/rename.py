"""The name of a chat, and its flags: one value in the file exchanged, every other byte kept (C2, W6, D-46)."""

from __future__ import annotations

from collections.abc import Sequence

from chat_archive.core import editing, files, json_edit
from chat_archive.core.entities import Changes, Folder, ItemResult, OperationResult
from chat_archive.core.errors import ArchiveError, ConflictError, NotFoundError, UnreadableError
from chat_archive.core.json_edit import Step
from chat_archive.core.model.titles import one_line
from chat_archive.core.operations.chat_places import chat_parts, label, live_remark, open_elsewhere
from chat_archive.core.progress import Progress
from chat_archive.core.undo_steps import UndoStep
from chat_archive.core.workspace import Workspace

_NAME: tuple[Step, ...] = ("name",)


def rename(workspace: Workspace, folder: Folder, name: str, progress: Progress) -> OperationResult:
    """Give a chat a name. Any Unicode; lone surrogates become U+FFFD (D-53). Flat files of old versions too.

    Raises `UnreadableError` for a damaged file, which is not changed, `BusyError` when the host keeps writing it,
    `NotFoundError`, `BadIdError`, `ReadOnlyError`, `StorageError`.
    """
    if not name.strip():
        raise ArchiveError("A name needs at least one sign.")
    with workspace.change_lock:
        result, step = _exchange(workspace, folder, _NAME, json_edit.encode(name), "rename")
        if step is not None:
            workspace.stacks.did(step)
        progress.report(1, 1, name)
        return result


def set_value(
    workspace: Workspace, folder: Folder, path: tuple[Step, ...], value: object, progress: Progress | None = None
) -> OperationResult:
    """Set any value of a chat's file, for example ("data", "responses_delete_on_chat_delete"). A missing last key is
    added at the end of its object. Raises as `rename`; `NotFoundError` when there is no such object."""
    with workspace.change_lock:
        result, step = _exchange(workspace, folder, path, json_edit.encode(value), "rename")
        if step is not None:
            workspace.stacks.did(step)
        if progress is not None:
            progress.report(1, 1, str(folder))
        return result


def remove_value(
    workspace: Workspace, folder: Folder, paths: Sequence[tuple[Step, ...]], progress: Progress
) -> OperationResult:
    """Take members out of a chat's file, each one step of undo. Raises as `set_value`."""
    with workspace.change_lock:
        item = ItemResult(folder, True, "There was nothing to take out.", folder, skipped=True)
        result = OperationResult("rename", (item,))
        for path in paths:
            result, step = _exchange(workspace, folder, path, None, "rename")
            if step is not None:
                workspace.stacks.did(step)
        progress.report(1, 1, str(folder))
        return result


def _exchange(
    workspace: Workspace,
    folder: Folder,
    path: tuple[Step, ...],
    new: bytes | None,
    verb: str,
    *,
    taking_back: bool = False,
) -> tuple[OperationResult, UndoStep | None]:
    """Set the value at `path` to the JSON bytes `new`; None removes a member that had been added."""
    workspace.need_writable()
    parts = chat_parts(workspace.root, folder)
    with files.telling("The chat could not be looked at", workspace.root / folder), files.place(workspace.root) as root:
        before = label(root, folder)
    is_open = folder in open_elsewhere(workspace.root)
    ours = workspace.changed_by_us(folder, before.changed)
    edited = editing.edit(workspace, parts, lambda data: _with(data, path, new))
    title = _title(edited.after) or before.title
    if edited.after == edited.before:
        text = "It has this name already." if path == _NAME else "It is so already."
        item = ItemResult(title, True, text, folder, skipped=True)
        return OperationResult(verb, (item,)), None
    old = json_edit.value_at(edited.before, path)
    text = _done(path, taking_back)
    remark = live_remark(0.0 if ours else before.changed, is_open)
    if remark:
        remark = f"{remark} An open chat may get its old name back with the next save."
    item = ItemResult(title, True, " ".join(filter(None, (text, remark, edited.remark))), folder)
    result = OperationResult(verb, (item,), Changes(updated=frozenset({folder})), undoable=True)
    return result, UndoStep(verb, 1, lambda p: _take_back(workspace, folder, path, new, old, p))


def _take_back(  # noqa: PLR0917 - the state of one edit
    workspace: Workspace,
    folder: Folder,
    path: tuple[Step, ...],
    ours: bytes | None,
    old: bytes | None,
    progress: Progress,
) -> tuple[OperationResult, UndoStep | None]:
    """The old bytes of the value again, when the value is still the one that was set. What the host saved around it
    since stays."""
    parts = chat_parts(workspace.root, folder)
    data, _ = files.read_settled(workspace.root, *parts, whole=editing.is_whole)
    now = json_edit.value_at(data, path)
    if (now is None) != (ours is None) or (
        now is not None and ours is not None and json_edit.decode(now) != json_edit.decode(ours)
    ):
        raise ConflictError(
            "This value was changed again since, so the step is not taken back.",
            path=workspace.root.joinpath(*parts),
        )
    progress.report(0, 1, "")
    return _exchange(workspace, folder, path, old, "rename", taking_back=True)


def _with(data: bytes, path: tuple[Step, ...], new: bytes | None) -> bytes:
    if new is None:
        return json_edit.remove_member(data, str(path[-1])) if len(path) == 1 else _without(data, path)
    if json_edit.find(data, path) is not None:
        return json_edit.replace_value(data, path, new)
    key = path[-1]
    if len(path) == 1 and isinstance(key, str):
        return json_edit.insert_member(data, key, new)
    try:
        if isinstance(key, str):
            return json_edit.insert_into(data, path[:-1], key, new)
    except KeyError:
        pass
    raise NotFoundError("The chat's file has no place for this value.")


def _without(data: bytes, path: tuple[Step, ...]) -> bytes:
    span = json_edit.find(data, path[:-1])
    if span is None:
        raise UnreadableError("The value is not there any more.", kind="missing")
    inner = json_edit.remove_member(data[span[0] : span[1]], str(path[-1]))
    return data[: span[0]] + inner + data[span[1] :]


def _done(path: tuple[Step, ...], taking_back: bool) -> str:
    if path != _NAME:
        return "Changed."
    return "Renamed back." if taking_back else "Renamed."


def _title(data: bytes) -> str:
    raw = json_edit.value_at(data, _NAME)
    value = json_edit.decode(raw) if raw is not None else None
    return one_line(value) if isinstance(value, str) else ""
