"""What happens when a root is opened after a crash: finish or roll back, tidy, tell (W7).

Idempotent, may be killed anywhere, asks nothing. Removes only what this program made: files in staging and purge, its
own temporary file beside a chat, empty slots of the trash. A save of the host that a crash left in staging goes back
to its place, or is kept as a recovered version.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from chat_archive.core import files
from chat_archive.core.editing import digest, is_whole
from chat_archive.core.errors import ArchiveError, BadIdError, NotFoundError, UnreadableError
from chat_archive.core.journal import Record
from chat_archive.core.layout import CHAT_FILE_NAME, check_component

if TYPE_CHECKING:
    from chat_archive.core.workspace import Workspace

_NOT_SETTLED = "Something that was begun before the program last stopped could not be finished; it will be tried again."


def recover(workspace: Workspace) -> tuple[str, ...]:
    """Bring the root to rest; the sentences to show. The caller holds the root's lock. Never raises `ArchiveError`
    for one thing that cannot be tidied: it stays for the next start and is told."""
    notices: list[str] = []
    kept: set[str] = set()
    _guard(lambda: _repair_modes(workspace, notices), notices)
    _guard(lambda: _load_journal(workspace, notices), notices)
    for record in workspace.journal.unfinished:
        if _guard(lambda r=record: _settle(workspace, r, notices), notices):  # type: ignore[misc]
            workspace.journal.done(str(record["op"]))
        else:
            kept.update(str(record[key]) for key in ("staged", "held") if key in record)
    if workspace.journal.doubtful:
        _guard(lambda: _keep_unknown(workspace, kept, notices), notices)
    _guard(lambda: _clear_staging(workspace, kept), notices)
    _guard(lambda: _finish_purges(workspace), notices)
    _guard(lambda: _drop_empty_slots(workspace), notices)
    if workspace.journal.doubtful and not workspace.journal.unfinished:
        with contextlib.suppress(ArchiveError):
            workspace.journal.set_aside()
    workspace.journal.trim()
    # a full disk must not keep the archive from opening
    with contextlib.suppress(ArchiveError):
        workspace.keep_reserve()
    return tuple(dict.fromkeys(notices))


def _settle(workspace: Workspace, record: Record, notices: list[str]) -> None:
    """Finish or roll back one operation. A record that names what cannot be a name was not written here."""
    handler = _HANDLERS.get(str(record.get("verb")))
    try:
        if handler is not None:
            handler(workspace, record, notices)
    except BadIdError:
        workspace.journal.doubtful = True


def _guard(step: Callable[[], None], notices: list[str]) -> bool:
    try:
        step()
    except (ArchiveError, OSError):
        notices.append(_NOT_SETTLED)
        return False
    return True


def _repair_modes(workspace: Workspace, notices: list[str]) -> None:
    """Our files 0600, our folders 0700 (L2). The chats in the trash are the host's and keep theirs."""
    repaired = False
    with files.place(workspace.private) as private:
        ours = [workspace.private / name for name in private.names()]
    for path in [workspace.private, *ours]:
        found = os.lstat(path)
        if stat.S_ISDIR(found.st_mode):
            repaired |= files.set_mode(path, 0o700)
        elif stat.S_ISREG(found.st_mode):
            repaired |= files.set_mode(path, 0o600)
    if repaired:
        notices.append("The archive's own folder could be read by other users; its access rights were repaired.")


def _load_journal(workspace: Workspace, notices: list[str]) -> None:
    try:
        repaired = workspace.journal.load()
    except UnreadableError:
        workspace.journal.doubtful = True  # also where it cannot be moved
        workspace.journal.set_aside()
        notices.append("The archive's record of changes could not be read; it was set aside and begun anew.")
        return
    except ArchiveError:
        workspace.journal.doubtful = True
        raise
    if repaired:
        notices.append("The archive's record of changes ended in half a line and was repaired.")


# unfinished operations


def _recover_save(workspace: Workspace, record: Record, _notices: list[str]) -> None:
    """A save that was cut off: its temporary file goes, and the folder when it was made for it and is empty."""
    folder, temporary = str(record.get("folder")), str(record.get("temporary"))
    check_component(folder)
    if not check_component(temporary).startswith(f".{CHAT_FILE_NAME}."):
        return
    try:
        with files.place(workspace.root, folder) as here:
            if here.exists(temporary):
                files.remove_name(here, temporary)
            files.sync_place(here)
            empty = not here.names()
    except (FileNotFoundError, NotADirectoryError):
        return
    if record.get("made") and empty:
        with files.place(workspace.root) as root:
            files.remove_folder_at(root, folder)
            files.sync_place(root)


def _recover_edit(workspace: Workspace, record: Record, notices: list[str]) -> None:
    """What an edit left in staging: ours and the noted base go; anything else is a save of the host."""
    parts = _parts(record)
    for name in (str(record.get("staged")), str(record.get("held"))):
        if not os.path.lexists(workspace.staging / check_component(name)):
            continue
        left, _ = files.read_once(workspace.staging, name)
        start = workspace.root.parent if record.get("beside") is True else workspace.root
        place = _content(start, parts)
        if digest(left) == record.get("ours") or (digest(left) == record.get("base") and is_whole(place)):
            files.remove_file(workspace.staging / name)
        elif digest(place) == record.get("ours") and is_whole(left):
            _put_back(workspace, name, start, parts)
            notices.append(f"A save by Agent Zero that a crash had set aside was put back: {'/'.join(parts)}.")
        else:
            _keep(workspace, name)
            notices.append(
                f"A version of {'/'.join(parts)} that a crash had set aside was kept in {workspace.recovered_folder}."
            )


def _put_back(workspace: Workspace, name: str, start: Path, parts: tuple[str, ...]) -> None:
    with files.place(workspace.staging) as stage, files.place(start, *parts[:-1]) as folder:
        files.rename_over(stage, name, folder, parts[-1])
        files.sync_place(folder)
        files.sync_place(stage)


def _keep(workspace: Workspace, name: str) -> None:
    """Kept as a recovered version: never deleted unseen."""
    files.make_folder(workspace.recovered_folder)
    when = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    target = workspace.recovered_folder / f"{when}-{name.partition('.')[0]}.json"
    files.move_verified(workspace.staging / name, target)


def _recover_restore_as(workspace: Workspace, record: Record, _notices: list[str]) -> None:
    """A chat that was to come back under a new id: still in the trash, it gets its own bytes back."""
    parts = tuple(str(part) for part in _list(record, "parts"))
    for part in parts:
        check_component(part)
    staged = check_component(record.get("staged"))
    base = workspace.staging / staged
    if not os.path.lexists(base):
        return
    if os.path.lexists(workspace.trash_folder.joinpath(*parts)):
        left, _ = files.read_once(workspace.staging, staged)
        if digest(left) == record.get("base"):
            with files.place(workspace.staging) as stage, files.place(workspace.trash_folder, *parts[:-1]) as slot:
                files.rename_over(stage, staged, slot, parts[-1])
                files.sync_place(slot)
            return
    files.remove_file(base)


def _recover_trash(workspace: Workspace, record: Record, notices: list[str]) -> None:
    """Each chat is whole in one place; do what was chosen to go with the move, and tell how far it came."""
    slot, count = check_component(record.get("slot")), record.get("count")
    kind = check_component(record.get("kind", "chats"))
    try:
        with files.place(workspace.trash_folder, slot, kind) as chats:
            moved = len(chats.names())
            files.sync_place(chats)
    except (FileNotFoundError, NotADirectoryError):
        moved = 0
    with files.place(workspace.root) as root:
        files.sync_place(root)
    from chat_archive.core.operations import trash

    notices.extend(trash.finish_slot(workspace, slot))
    if isinstance(count, int) and count > 1 and 0 < moved < count:
        notices.append(
            f"The program stopped while it moved {count} chats to the trash: {moved} are there, the others stayed."
        )


def _recover_erase(workspace: Workspace, record: Record, notices: list[str]) -> None:
    from chat_archive.core.operations import erase_resume

    erase_resume.resume(workspace, record, notices)


def _recover_empty(workspace: Workspace, record: Record, notices: list[str]) -> None:
    from chat_archive.core.operations import erase_resume

    erase_resume.resume_emptying(workspace, record, notices)


_HANDLERS: dict[str, Callable[[Workspace, Record, list[str]], None]] = {
    "save": _recover_save,
    "edit": _recover_edit,
    "restore-as": _recover_restore_as,
    "trash": _recover_trash,
    "erase": _recover_erase,
    "empty": _recover_empty,
}


def _parts(record: Record) -> tuple[str, ...]:
    parts = tuple(check_component(part) for part in _list(record, "parts"))
    if len(parts) not in (1, 2):
        raise BadIdError("The archive's record names no chat.")
    return parts


def _list(record: Record, key: str) -> list[object]:
    value = record.get(key)
    return value if isinstance(value, list) else []


def _content(start: Path, parts: tuple[str, ...]) -> bytes:
    try:
        return files.read_settled(start, *parts, whole=is_whole)[0]
    except NotFoundError:
        return b""


# tidying


def _keep_unknown(workspace: Workspace, kept: set[str], notices: list[str]) -> None:
    """Where the record of changes is not whole, a file in staging may be the only copy of a save of the host."""
    with files.place(workspace.staging) as stage:
        names = [name for name in stage.names() if name not in kept and stat.S_ISREG(stage.lstat(name).st_mode)]
        names = [name for name in names if stage.lstat(name).st_size]
    for name in names:
        _keep(workspace, name)
    if names:
        notices.append(
            f"Files that a change had set aside and nothing tells about were kept in {workspace.recovered_folder}."
        )


def _clear_staging(workspace: Workspace, kept: set[str]) -> None:
    """Everything here is ours: what an unfinished edit still needs was handled, or is named in `kept`."""
    with files.place(workspace.staging) as stage:
        for name in stage.names():
            if name not in kept:
                files.remove_tree_at(stage, name)


def _finish_purges(workspace: Workspace) -> None:
    """What was erased was moved here first; its response ids are in the outbox (D4)."""
    with files.place(workspace.purge_folder) as purge:
        for name in purge.names():
            files.remove_tree_at(purge, name)


def _drop_empty_slots(workspace: Workspace) -> None:
    from chat_archive.core.operations import trash_slots

    trash_slots.drop_empty(workspace)
