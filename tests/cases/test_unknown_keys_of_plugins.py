"""What plugins wrote into a chat survives every way of writing it again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chat_archive.core.archive import Archive
from chat_archive.core.chat_store import ChatStore
from chat_archive.core.entities import Folder
from tests.cases.exporting import copied_root

pytestmark = pytest.mark.shared


@pytest.fixture
def root(shared: Path, tmp_path: Path) -> Path:
    return copied_root(shared, "unknown-keys-of-plugins", tmp_path)


def check(text: bytes) -> None:
    made = json.loads(text)
    assert made["data"]["chat_rename"]["locked"] is True
    assert made["output_data"]["x_badge"] == ["a", None]
    assert made["agents"][0]["x_note"] == {"deep": [1, {"big": 10000000000000000001}]}
    assert made["log"]["logs"][0]["x_mark"] == "☃"
    assert b'"x_order": 1.0' in text and b"10000000000000000001" in text
    assert list(made)[-1] == "x_order"


@pytest.mark.parametrize("strict", [False, True])
def test_a_json_export_holds_every_key_in_its_place(root: Path, tmp_path: Path, strict: bool) -> None:
    with Archive.open(root, write=False) as archive:
        (item,) = archive.export_json([Folder("Plug0001")], tmp_path / "out", strict=strict).items
    assert item.path is not None
    check(item.path.read_bytes())
    assert json.loads(item.path.read_bytes()) == json.loads((root / "Plug0001/chat.json").read_bytes())


def test_a_save_and_a_rename_keep_them(root: Path) -> None:
    with Archive.open(root) as archive:
        assert not archive.rename(Folder("Plug0001"), "Renamed").failed
        check((root / "Plug0001/chat.json").read_bytes())
        store = ChatStore(archive)
        store.load_all()
        store.save_all()
        check((root / "Plug0001/chat.json").read_bytes())


def test_the_reading_view_ignores_them_without_an_error(root: Path) -> None:
    with Archive.open(root, write=False) as archive:
        row = archive.row(Folder("Plug0001"))
    assert not row.damaged
    assert row.title == "Locked title"
