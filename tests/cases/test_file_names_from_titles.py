"""Exported names are allowed on every system, whatever the title is."""

from __future__ import annotations

from pathlib import Path

import pytest

from chat_archive.core.archive import Archive
from tests.cases.exporting import copied_root, export_all, names_by_folder
from tests.core.test_names import legal_everywhere

pytestmark = pytest.mark.shared


def test_ten_titles_give_ten_names_allowed_everywhere(shared: Path, tmp_path: Path) -> None:
    root = copied_root(shared, "file-names-from-titles", tmp_path)
    out = tmp_path / "deep" / "out"
    out.parent.mkdir()
    with Archive.open(root, write=False) as archive:
        names = names_by_folder(export_all(archive, out))
    assert len(set(names.values())) == 10
    assert all(legal_everywhere(name) for name in names.values())
    assert sorted(path.name for path in out.iterdir()) == sorted(names.values())
    assert [path.name for path in out.parent.iterdir()] == ["out"]
    assert names["Fnam0001"].startswith("CON_")  # type: ignore[index]
    assert names["Fnam0002"].startswith("nul_.txt")  # type: ignore[index]
