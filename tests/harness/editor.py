"""The program's rename as the target of races with a live host: `edit(chat_dir, name)`."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from chat_archive.core.entities import Folder
from chat_archive.core.errors import BusyError
from chat_archive.core.operations import rename
from chat_archive.core.progress import NullProgress
from chat_archive.core.workspace import Workspace


def edit(chat_dir: str, name: str) -> str | None:
    """ "conflict" when the host wrote in each of five rounds; then nothing was changed."""
    path = Path(chat_dir)
    workspace = Workspace.open(path.parent)
    try:
        rename.rename(workspace, Folder(path.name), name, NullProgress())
    except BusyError:
        return "conflict"
    finally:
        workspace.close()
    return None
