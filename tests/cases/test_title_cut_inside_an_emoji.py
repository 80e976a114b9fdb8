"""Shortened titles end before the character that does not fit, in file names too."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest

from chat_archive.core.archive import Archive
from chat_archive.core.names import safe_part
from tests.cases.exporting import copied_root, export_all

pytestmark = pytest.mark.shared


def parts_of(title: str) -> set[str]:
    """What a cut may leave: the title up to the end of each whole character."""
    ends = {0}
    for unit in ("🍞", "🇨🇭", "👨\u200d👩\u200d👧", "é"):
        start = title.find(unit)
        while start >= 0:
            ends |= {start, start + len(unit)}
            start = title.find(unit, start + len(unit))
    plain = len(title) - len(title.lstrip("k"))
    return {title[:end] for end in ends | set(range(plain + 1))}


def test_names_end_between_whole_characters(shared: Path, tmp_path: Path) -> None:
    root = copied_root(shared, "title-cut-inside-an-emoji", tmp_path)
    for folder in root.iterdir():
        title = unicodedata.normalize("NFC", json.loads((folder / "chat.json").read_bytes())["name"])
        for limit in range(30, len(title.encode()) + 1):
            assert safe_part(title, limit) in parts_of(title)


def test_the_full_title_is_in_the_file(shared: Path, tmp_path: Path) -> None:
    root = copied_root(shared, "title-cut-inside-an-emoji", tmp_path)
    with Archive.open(root, write=False) as archive:
        result = export_all(archive, tmp_path / "out")
    assert len(result.done) == 4
    for item in result.items:
        assert item.path is not None and item.folder is not None
        assert "\ufffd" not in item.path.name
        made = json.loads(item.path.read_bytes())
        assert made["name"] == json.loads((root / item.folder / "chat.json").read_bytes())["name"]
