"""Which responses are still used by a chat that stays (D-64): in its file, in its `backups/` (D-78), or in the trash.

Deleting such a response at the provider would break the continuation of a chat nobody asked to delete.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from chat_archive.core.entities import Folder
from chat_archive.core.progress import Progress
from chat_archive.core.provider.references import Reference, reference_index
from chat_archive.core.workspace import Workspace


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
            if not (one.place == "trash" and one.root == root and one.name in leaving)
        )


def references(
    workspaces: Sequence[Workspace],
    wanted: Collection[str] | None,
    progress: Progress,
    *,
    leaving: Collection[tuple[Path, Folder]] = (),
) -> References:
    """Look through every chat of these roots, their backups and the trash.
    `wanted` limits the count to these responses (as the provider calls them); `leaving` are chats that are about to go
    and do not count.

    Changes nothing. Raises `Cancelled`, and `StorageError` when a root or its trash cannot be listed: not knowing is no
    reason to delete.
    """
    roots = [workspace.root for workspace in workspaces]
    index = reference_index(roots, progress, workspaces[0].references if workspaces else None, strict=True)
    found: dict[str, tuple[Reference, ...]] = {}
    for original, users in index.ids.items():
        stay = tuple(one for one in users if (one.root, one.name) not in leaving)
        if stay and (wanted is None or original in wanted):
            found[original] = stay
    return References(found, index.unread)
