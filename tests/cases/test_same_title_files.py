"""Chats of one title give one file each, under the same name at each export."""

from __future__ import annotations

from pathlib import Path

import pytest

from chat_archive.core.archive import Archive
from tests.cases.exporting import copied_root, export_all, names_by_folder

pytestmark = pytest.mark.shared


def test_seven_chats_give_seven_files_with_stable_names(shared: Path, tmp_path: Path) -> None:
    root = copied_root(shared, "same-title-files", tmp_path)
    with Archive.open(root, write=False) as archive:
        names = names_by_folder(export_all(archive, tmp_path / "one"))
        assert len({name.casefold() for name in names.values()}) == 7
        assert names_by_folder(export_all(archive, tmp_path / "two")) == names
        assert all(folder in name for folder, name in names.items())


def test_a_second_export_replaces_nothing_and_makes_no_copies(shared: Path, tmp_path: Path) -> None:
    root = copied_root(shared, "same-title-files", tmp_path)
    out = tmp_path / "out"
    with Archive.open(root, write=False) as archive:
        export_all(archive, out)
        before = {path.name: path.stat().st_mtime_ns for path in out.iterdir()}
        again = export_all(archive, out)
    assert all(item.skipped for item in again.items)
    assert {path.name: path.stat().st_mtime_ns for path in out.iterdir()} == before
