"""Names in other scripts stay readable in the names of files."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from chat_archive.core.archive import Archive
from tests.cases.exporting import copied_root, export_all, names_by_folder

pytestmark = pytest.mark.shared


def test_each_name_still_shows_the_title(shared: Path, tmp_path: Path) -> None:
    root = copied_root(shared, "download-name-not-latin", tmp_path)
    with Archive.open(root, write=False) as archive:
        names = {str(folder): name for folder, name in names_by_folder(export_all(archive, tmp_path / "out")).items()}
    for folder, shown in (("Scrp0000", "水の計り方"), ("Scrp0001", "дождь"), ("Scrp0002", "100% rye 🍞")):
        assert names[folder].startswith(f"{shown} ")


def test_composed_and_decomposed_titles_do_not_meet(shared: Path, tmp_path: Path) -> None:
    root = copied_root(shared, "download-name-not-latin", tmp_path)
    with Archive.open(root, write=False) as archive:
        names = {str(folder): name for folder, name in names_by_folder(export_all(archive, tmp_path / "out")).items()}
    composed = {unicodedata.normalize("NFC", names[folder]) for folder in ("Scrp0003", "Scrp0004")}
    assert len(composed) == 2
    assert all(name == unicodedata.normalize("NFC", name) for name in names.values())
