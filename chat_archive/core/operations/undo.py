"""Taking back and doing again, as long as the program runs. What was written since is never overwritten."""

from __future__ import annotations

from collections.abc import Sequence

from chat_archive.core.entities import Folder, OperationResult
from chat_archive.core.errors import NotFoundError
from chat_archive.core.operations import trash, trash_back
from chat_archive.core.progress import Progress
from chat_archive.core.undo_steps import UndoStep
from chat_archive.core.workspace import Workspace

# verb -> (text for one, text for many)
_TEXTS = {
    "trash": ("Move 1 chat to Trash", "Move {n} chats to Trash"),
    "restore": ("Restore 1 chat", "Restore {n} chats"),
    "rename": ("Rename chat", "Rename {n} chats"),
    "import": ("Import 1 chat", "Import {n} chats"),
    "tidy": ("Tidy away 1 thing", "Tidy away {n} things"),
    "remove_messages": ("Remove message files of 1 chat", "Remove message files of {n} chats"),
}


def undo_info(workspace: Workspace) -> tuple[str, int] | None:
    """(verb of `OperationResult`, number of chats) of what undo would take back, or None."""
    return _info(workspace.stacks.undo)


def redo_info(workspace: Workspace) -> tuple[str, int] | None:
    return _info(workspace.stacks.redo)


def undo_text(workspace: Workspace) -> str:
    """ "" or what undo would take back, e.g. "Move 3 chats to Trash"."""
    return _text(undo_info(workspace))


def redo_text(workspace: Workspace) -> str:
    return _text(redo_info(workspace))


def undo(workspace: Workspace, progress: Progress) -> OperationResult:
    """Take back the last operation. Raises `NotFoundError` when there is none, `ConflictError` when a chat was
    changed since; then the step stays and can be tried again."""
    with workspace.change_lock:
        if not workspace.stacks.undo:
            raise NotFoundError("There is nothing to take back.")
        return workspace.stacks.step_back(progress)


def redo(workspace: Workspace, progress: Progress) -> OperationResult:
    """Do again what was taken back last. Raises as `undo`."""
    with workspace.change_lock:
        if not workspace.stacks.redo:
            raise NotFoundError("There is nothing to do again.")
        return workspace.stacks.step_again(progress)


def remember_import(workspace: Workspace, folders: Sequence[Folder]) -> None:
    """An import made these chats: taking it back moves them to the trash, unless one was changed since."""
    if not folders:
        return
    with workspace.change_lock:
        brought = list(folders)
        seen = {folder: trash_back.chat_print(workspace, folder) for folder in brought}

        def take_back(progress: Progress) -> tuple[OperationResult, UndoStep | None]:
            trash_back.unchanged(workspace, seen)
            return trash.put_away(workspace, brought, progress)

        workspace.stacks.did(UndoStep("import", len(brought), take_back))


def _info(steps: list[UndoStep]) -> tuple[str, int] | None:
    return (steps[-1].verb, steps[-1].count) if steps else None


def _text(info: tuple[str, int] | None) -> str:
    if info is None:
        return ""
    verb, count = info
    one, many = _TEXTS.get(verb, ("", ""))
    return one if count == 1 else many.replace("{n}", str(count))
