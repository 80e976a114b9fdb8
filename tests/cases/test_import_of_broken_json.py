"""What is no JSON or no chat is refused with its reason and place, and nothing is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from chat_archive.core.archive import Archive
from chat_archive.core.chat_store import ChatStore

pytestmark = pytest.mark.shared


def test_nothing_of_three_is_imported_and_each_says_why(shared: Path, tmp_path: Path) -> None:
    source = shared / "cases/import-of-broken-json/input"
    with Archive.open(tmp_path) as archive:
        items = archive.preview_import([source / name for name in ("comma.json", "brace.json", "numbers.json")])
        result = archive.import_items(items)
    assert result.remarks[0].startswith("0 of 3 imported")
    comma, brace, numbers = (item.text for item in result.failed)
    assert comma.startswith("comma.json 1:")
    assert brace.startswith("brace.json 1:2961 (at the end)")
    assert "not a chat" in numbers
    assert list(tmp_path.iterdir()) == []


def test_texts_of_them_are_refused_too(shared: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    paths = sorted((shared / "cases/import-of-broken-json/input").iterdir())
    with Archive.open(tmp_path) as archive:
        store = ChatStore(archive)
        assert store.load_texts([path.read_text() for path in paths]) == []
        assert len(store.problems) == 3
    assert list(tmp_path.iterdir()) == []
    caplog.clear()
