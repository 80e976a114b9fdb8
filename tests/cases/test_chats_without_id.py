"""Chats without an id are told apart by their folders, and an import gives each its own."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from chat_archive.core.archive import Archive
from chat_archive.core.entities import Folder
from chat_archive.core.layout import PRIVATE_FOLDER
from tests.cases.exporting import copied_root

pytestmark = pytest.mark.shared


def test_removing_the_second_moves_only_its_folder(shared: Path, tmp_path: Path) -> None:
    root = copied_root(shared, "chats-without-id", tmp_path)
    with Archive.open(root) as archive:
        assert sorted(row.folder for row in archive.scan()) == ["Noid0000", "Noid0001", "Noid0002"]
        archive.trash([Folder("Noid0001")])
        assert [entry.folder for entry in archive.trash_entries()] == ["Noid0001"]
    assert set(os.listdir(root)) == {PRIVATE_FOLDER, "Noid0000", "Noid0002"}


def test_a_bundle_gives_three_chats_with_ids_of_their_own(shared: Path, tmp_path: Path) -> None:
    source = shared / "cases/chats-without-id/input/bundle.json"
    with Archive.open(tmp_path) as archive:
        result = archive.import_items(archive.preview_import([source]))
    folders = set(os.listdir(tmp_path)) - {PRIVATE_FOLDER}
    assert len(result.done) == len(folders) == 3
    for folder in folders:
        assert json.loads((tmp_path / folder / "chat.json").read_bytes())["id"] == folder
