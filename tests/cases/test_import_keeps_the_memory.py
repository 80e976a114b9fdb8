"""A chat that is put back holds what the model saw and its message files, not only the log."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chat_archive.core.archive import Archive
from chat_archive.core.entities import Folder

pytestmark = pytest.mark.shared


def test_history_counter_and_message_files_come_along(shared: Path, tmp_path: Path) -> None:
    source = shared / "cases/import-keeps-the-memory/input"
    root = tmp_path / "chats"
    root.mkdir()
    with Archive.open(root) as archive:
        result = archive.import_items(archive.preview_import([source]))
        assert [item.folder for item in result.done] == ["Memo0001"]
        made = json.loads((root / "Memo0001/chat.json").read_bytes())
        was = json.loads((source / "usr/chats/Memo0001/chat.json").read_bytes())
        assert made == was and made["id"] == "Memo0001"
        history = archive.load(Folder("Memo0001")).agents[0].history
        assert len(list(history.messages())) == 8
        assert history.counter == json.loads(was["agents"][0]["history"])["counter"]
        files = {file.relative: file.missing for file in archive.files(Folder("Memo0001"))}
        assert files["messages/1.txt"] is False
    copied = root / "Memo0001/messages/1.txt"
    assert copied.read_bytes() == (source / "usr/chats/Memo0001/messages/1.txt").read_bytes()


def test_a_json_export_brought_back_keeps_it_too(shared: Path, tmp_path: Path) -> None:
    source = shared / "cases/import-keeps-the-memory/input/usr/chats"
    root = tmp_path / "chats"
    root.mkdir()
    with Archive.open(source, write=False) as archive:
        (item,) = archive.export_json([Folder("Memo0001")], tmp_path / "out").items
        assert item.path is not None
    with Archive.open(root) as archive:
        archive.import_items(archive.preview_import([item.path]))
        assert len(list(archive.load(Folder("Memo0001")).agents[0].history.messages())) == 8
