"""A long title is cut between whole characters, and a path that is still too long stops no other chat."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from chat_archive.core import files
from chat_archive.core.archive import Archive
from tests.cases.exporting import copied_root, export_all, names_by_folder

pytestmark = pytest.mark.shared


def test_all_are_exported_below_a_deep_folder(shared: Path, tmp_path: Path) -> None:
    root = copied_root(shared, "very-long-titles", tmp_path)
    deep = tmp_path / ("d" * 100) / ("e" * 100)
    deep.mkdir(parents=True)
    with Archive.open(root, write=False) as archive:
        names = names_by_folder(export_all(archive, deep))
    assert len(set(names.values())) == 4
    for name in names.values():
        assert len(name.encode()) <= 255
        shown = name.rsplit(" (", 1)[0]
        assert len(set(shown.replace("…", ""))) == 1
        assert "\ufffd" not in name


def test_a_path_that_is_too_long_is_told_for_that_chat_alone(
    shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = copied_root(shared, "very-long-titles", tmp_path)
    real = files.write_file_beside

    def limited(target: Path, data: bytes, *, overwrite: bool = False) -> object:
        if "Long0012" in target.name:
            raise files.explain(OSError(36, os.strerror(36)), "The file could not be written", target)
        return real(target, data, overwrite=overwrite)

    monkeypatch.setattr(files, "write_file_beside", limited)
    with Archive.open(root, write=False) as archive:
        result = export_all(archive, tmp_path / "out")
    assert [item.folder for item in result.failed] == ["Long0012"]
    assert "too long" in result.failed[0].text
    assert len(os.listdir(tmp_path / "out")) == 3


def test_a_path_that_the_system_refuses_is_told(shared: Path, tmp_path: Path) -> None:
    root = copied_root(shared, "very-long-titles", tmp_path)
    deep = tmp_path
    while len(str(deep)) < 3900:
        deep /= "d" * 100
    os.makedirs(deep)
    with Archive.open(root, write=False) as archive:
        result = export_all(archive, deep)
    assert all(item.ok or "too long" in item.text for item in result.items)
    assert len(os.listdir(deep)) == len(result.done)
