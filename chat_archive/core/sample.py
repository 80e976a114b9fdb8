"""The sample archive, copied to the person's own data folder so that it can be played with."""

from __future__ import annotations

import re
import uuid
from datetime import UTC, datetime
from pathlib import Path

from chat_archive.core import files
from chat_archive.core.layout import CHAT_FILE_NAME, CHATS_FOLDER
from chat_archive.core.settings import data_folder

# of chats from before dates were saved
_BEFORE_DATES = datetime(2025, 4, 20, 9, 0, tzinfo=UTC)
_CREATED = re.compile(rb'"created_at": "([^"]+)"')


def sample_root(bundled: Path, target: Path | None = None) -> Path:
    """The chats root of the copy, made from `bundled` (the folder with `usr/chats` in it) when it is not there yet.

    A copy that was played with stays as it is; removing its folder brings a fresh one. Raises `StorageError`.
    """
    target = target or data_folder() / "sample"
    root = target / CHATS_FOLDER
    if root.is_dir():
        return root
    files.make_folders(target.parent)
    half = target.with_name(f"{target.name}.half")
    if half.exists():
        files.remove_tree(half)
    files.copy_tree_from(bundled, half)
    for path in sorted(half.rglob("*")):
        if path.is_file():
            files.set_modified(path, _time_of(path))
    if target.exists():  # emptied or used for something else: what is in it is not ours to remove
        files.move_verified(target, target.with_name(f"{target.name}.old-{uuid.uuid4().hex[:8]}"))
    files.move_verified(half, target)
    return root


def _time_of(path: Path) -> float:
    """The day the chat says it was made. A file that is new would look as if Agent Zero were writing it now."""
    found = _CREATED.search(path.read_bytes()[:4096]) if path.name == CHAT_FILE_NAME else None
    return (datetime.fromisoformat(found[1].decode()) if found else _BEFORE_DATES).timestamp()
