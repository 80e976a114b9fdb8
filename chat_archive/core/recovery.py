"""What happens when a root is opened after a crash: finish or roll back, tidy, tell (W7). Replaced piece by piece."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chat_archive.core.workspace import Workspace


def recover(workspace: Workspace) -> tuple[str, ...]:
    workspace.journal.load()
    return ()
