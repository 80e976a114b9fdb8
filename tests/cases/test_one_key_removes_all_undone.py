"""A chat that was moved to the trash comes back to its place with its messages folder, to the byte."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from chat_archive.core.archive import Archive
from chat_archive.core.entities import Folder
from tests.builders import snapshot


@pytest.mark.shared
def test_undo_brings_it_back_to_the_byte(shared: Path, tmp_path: Path) -> None:
    shutil.copytree(shared / "cases" / "one-key-removes-all" / "input", tmp_path / "work")
    for path in [tmp_path / "work", *(tmp_path / "work").rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)
    root = tmp_path / "work" / "usr" / "chats"
    before = {name: state for name, state in snapshot(root).items() if name != "Keys0001"}
    with Archive.open(root) as archive:
        archive.trash([Folder("Keys0001")])
        assert sorted(p.name for p in root.iterdir()) == [".chat-archive", "Keys0002"]
        assert archive.undo_text == "Move 1 chat to Trash"
        archive.undo()
    after = {name: state for name, state in snapshot(root).items() if not name.startswith(".chat-archive")}
    after.pop("Keys0001")
    assert after == before
    assert (root / "Keys0001" / "messages" / "1.txt").stat().st_size == 800
