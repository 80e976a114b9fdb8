"""Which responses are still used by a chat that stays (D-64): in its file, in its `backups/` (D-78), or in the trash.

Deleting such a response at the provider would break the continuation of a chat nobody asked to delete.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from chat_archive.core import files
from chat_archive.core.entities import Folder
from chat_archive.core.errors import ArchiveError
from chat_archive.core.layout import CHAT_FILE_NAME, PRIVATE_FOLDER, check_component
from chat_archive.core.operations import trash_slots
from chat_archive.core.progress import Progress
from chat_archive.core.provider import collect
from chat_archive.core.workspace import Workspace

_BACKUPS = "backups"
_SETTLE = 0.3  # seconds a file that is being written is waited for
_HINT = b"respons"  # every place of 6.1 has it in its key


@dataclass(frozen=True, slots=True)
class Reference:
    """One chat that uses a response. `where` is "chat", "backup" or "trash"."""

    root: Path
    folder: Folder
    where: str


@dataclass(frozen=True, slots=True)
class References:
    """By the name the provider has for a response: who uses it. `unread` are files that could not be looked into."""

    by_id: dict[str, tuple[Reference, ...]]
    unread: tuple[Path, ...] = ()

    def others(self, original: str, root: Path, leaving: Collection[str]) -> tuple[Reference, ...]:
        """Who uses it apart from the chats of `root` in the folders `leaving` as far as they lie in the trash: that is
        where a chat that is let go waits."""
        return tuple(
            one
            for one in self.by_id.get(original, ())
            if not (one.where == "trash" and one.root == root and one.folder in leaving)
        )


def references(
    workspaces: Iterable[Workspace],
    wanted: Collection[str] | None,
    progress: Progress,
    *,
    leaving: Collection[tuple[Path, Folder]] = (),
) -> References:
    """Walk every chat of these roots, its backups and the trash. `wanted` limits the count to these responses (as the
    provider calls them); `leaving` are chats that are about to go and do not count.

    Changes nothing. Raises `Cancelled`, and `StorageError` when a root or its trash cannot be listed: not knowing is no
    reason to delete.
    """
    found: dict[str, list[Reference]] = {}
    unread: list[Path] = []
    count = 0
    for workspace in workspaces:
        for place, folder, where, parts in _places(workspace):
            count += 1
            progress.report(count, None, folder)
            if (workspace.root, folder) in leaving:
                continue
            for original in _ids(place, parts, unread):
                if wanted is None or original in wanted:
                    users = found.setdefault(original, [])
                    reference = Reference(workspace.root, folder, where)
                    if reference not in users:
                        users.append(reference)
    return References({original: tuple(users) for original, users in found.items()}, tuple(unread))


def _places(workspace: Workspace) -> Iterator[tuple[Path, Folder, str, tuple[str, ...]]]:
    """(folder the parts lie below, chat, where, parts) of every file that can hold ids."""
    with files.telling("The chats cannot be listed", workspace.root), files.place(workspace.root) as root:
        names = sorted(name for name in root.names() if name != PRIVATE_FOLDER)
    for name in names:
        yield from _of_chat(workspace.root, (), name, "chat")
    for slot in trash_slots.names(workspace):
        for kind, name in trash_slots.contents(workspace, slot):
            if kind == trash_slots.CHATS:
                yield from _of_chat(workspace.trash_folder, (slot, kind), name, "trash")


def _of_chat(
    top: Path, above: tuple[str, ...], name: str, where: str
) -> Iterator[tuple[Path, Folder, str, tuple[str, ...]]]:
    folder = Folder(name)
    try:
        check_component(name)
        with files.place(top, *above) as here:
            if not files.is_folder(here, name):
                if name.endswith(".json"):
                    yield top, folder, where, (*above, name)
                return
    except (ArchiveError, OSError):
        return  # gone meanwhile, or no name of a chat
    yield top, folder, where, (*above, name, CHAT_FILE_NAME)
    backups: list[str] = []
    with contextlib.suppress(OSError), files.place(top, *above, name, _BACKUPS) as held:
        backups = sorted(one for one in held.names() if one.startswith("pre-compact-") and one.endswith(".json"))
    for backup in backups:
        yield top, folder, "backup" if where == "chat" else where, (*above, name, _BACKUPS, backup)


def _ids(top: Path, parts: tuple[str, ...], unread: list[Path]) -> Iterator[str]:
    try:
        data, _ = files.read_settled(top, *parts, seconds=_SETTLE)
    except ArchiveError:
        path = top.joinpath(*parts)
        if path.is_file():
            unread.append(path)
        return
    if _HINT in data or data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        for response in collect.collect_from_bytes(data):
            yield response.original
