"""What the cases on exports and imports share: an archive on a copy of a case's input, everything exported."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from chat_archive.core.archive import Archive
from chat_archive.core.entities import Folder, OperationResult


def copied_root(shared: Path, case: str, tmp_path: Path) -> Path:
    """A copy of the case's chats root, an hour old."""
    root = tmp_path / "root" / "chats"
    shutil.copytree(shared / "cases" / case / "input/usr/chats", root)
    for path in root.rglob("*"):
        os.utime(path, (1_700_000_000, 1_700_000_000))
    return root


def export_all(archive: Archive, to: Path) -> OperationResult:
    """Every chat of the archive, by folder name."""
    return archive.export_json(sorted({row.folder for row in archive.scan()}), to)


def names_by_folder(result: OperationResult) -> dict[Folder, str]:
    """The file each chat was exported to."""
    return {item.folder: item.path.name for item in result.items if item.folder and item.path and item.ok}
