"""One chat without an expected field does not stop the others, and the sum is true."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from chat_archive.core.archive import Archive

pytestmark = pytest.mark.shared


@pytest.fixture
def bundled(shared: Path) -> list[bytes]:
    with zipfile.ZipFile(shared / "cases/one-odd-chat-in-a-bundle/input/bundle.zip") as bundle:
        return [bundle.read(name) for name in sorted(bundle.namelist())]


def test_all_five_are_imported_and_three_carry_a_mark(bundled: list[bytes], tmp_path: Path) -> None:
    source = tmp_path / "bundle.json"
    source.write_bytes(b"[" + b", ".join(bundled) + b"]")
    root = tmp_path / "chats"
    root.mkdir()
    with Archive.open(root) as archive:
        items = archive.preview_import([source])
        assert sum(bool(item.remarks) for item in items) == 3
        said = " ".join(remark for item in items for remark in item.remarks)
        assert "no log" in said and "no agents" in said and "key-value" in said
        result = archive.import_items(items)
        assert len(result.done) == 5
        assert "5 read, 3 with remarks, 0 refused" in result.remarks[0]
        assert len({row.folder for row in archive.scan()}) == 5


def test_a_zip_is_named_and_never_ignored(shared: Path, tmp_path: Path) -> None:
    with Archive.open(tmp_path) as archive:
        source = shared / "cases/one-odd-chat-in-a-bundle/input"
        for path in (source, source / "bundle.zip"):
            (item,) = archive.preview_import([path])
            assert item.source.name == "bundle.zip"
            assert "unpack" in item.reason
