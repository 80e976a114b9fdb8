"""JSON exports: exact bytes, stable names, nothing replaced unasked, nothing half."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from chat_archive.core import files
from chat_archive.core.archive import Archive
from chat_archive.core.entities import Folder
from chat_archive.core.errors import Cancelled, ConflictError, NotFoundError, StorageError
from tests.builders import chat, make_root, put, snapshot, text_of


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_root(tmp_path)


@pytest.fixture
def archive(root: Path) -> Iterator[Archive]:
    with Archive.open(root) as opened:
        yield opened


def every(archive: Archive) -> list[Folder]:
    return sorted({row.folder for row in archive.scan()})


class StopAfter:
    def __init__(self, units: int) -> None:
        self.units = units

    def report(self, done: int, total: int | None = None, item: str = "") -> None:
        if done >= self.units:
            raise Cancelled


def test_an_export_copies_the_bytes_and_changes_nothing(archive: Archive, root: Path, tmp_path: Path) -> None:
    odd = b'{"id": "Odd", "name": "\\ud83d NaN", "log": {"x": NaN, "y": 1.0e5}, "id": "Odd", "agents": []}\r\n'
    put(root, "Odd", odd)
    put(root, "EraA", text_of(chat("EraA", agents=[{"number": 0, "history": [{"type": "human", "content": "x"}]}])))
    before = snapshot(root)
    result = archive.export_json(every(archive), tmp_path / "out")
    assert not result.failed
    assert snapshot(root) == before
    for item in result.items:
        assert item.path is not None and item.folder is not None
        assert item.path.read_bytes() == (root / item.folder / "chat.json").read_bytes()
        assert item.path.stat().st_mode & 0o077 == 0
    assert len(os.listdir(tmp_path / "out")) == 5


def test_a_single_chat_goes_to_the_file_that_was_named(archive: Archive, root: Path, tmp_path: Path) -> None:
    result = archive.export_json([Folder("Chat0001")], tmp_path / "mine.json")
    assert result.items[0].path == tmp_path / "mine.json"
    assert (tmp_path / "mine.json").read_bytes() == (root / "Chat0001/chat.json").read_bytes()


def test_a_second_export_skips_what_is_there_and_replaces_only_when_asked(
    archive: Archive, root: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    archive.export_json(every(archive), out)
    names = sorted(os.listdir(out))
    again = archive.export_json(every(archive), out)
    assert [item.skipped for item in again.items] == [True] * 3
    changed = chat("Chat0001", "Chat number 1", words=["new words"])
    put(root, "Chat0001", changed)
    third = archive.export_json(every(archive), out)
    assert [item.folder for item in third.failed] == ["Chat0001"]
    assert "not replaced" in third.failed[0].text
    fourth = archive.export_json(every(archive), out, overwrite=True)
    assert not fourth.failed
    assert sorted(os.listdir(out)) == names
    assert text_of(changed) in [path.read_bytes() for path in out.iterdir()]


def test_a_failed_write_leaves_the_older_file_and_no_half_one(
    archive: Archive, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    archive.export_json([Folder("Chat0001")], out)
    (name,) = os.listdir(out)
    before = (out / name).read_bytes()
    put(root, "Chat0001", chat("Chat0001", "Chat number 1", words=["x" * 1000]))

    def refuse(fd: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", refuse)
    result = archive.export_json([Folder("Chat0001")], out, overwrite=True)
    monkeypatch.undo()
    assert "disk is full" in result.failed[0].text
    assert os.listdir(out) == [name]
    assert (out / name).read_bytes() == before


def test_what_was_written_is_read_back(archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = files.write_file_beside

    def lossy(target: Path, data: bytes, *, overwrite: bool = False) -> object:
        return real(target, data[:-1], overwrite=overwrite)

    monkeypatch.setattr(files, "write_file_beside", lossy)
    result = archive.export_json([Folder("Chat0001")], tmp_path / "out")
    assert "something else" in result.failed[0].text


def test_d66_an_unknown_chat_is_a_failed_item_and_makes_nothing(archive: Archive, root: Path, tmp_path: Path) -> None:
    before = snapshot(root)
    bad = [Folder(name) for name in ("Unknown1", "", "..", "../x", "Chat0001")]
    result = archive.export_json(bad, tmp_path / "out")
    assert [item.ok for item in result.items] == [False, False, False, False, True]
    assert snapshot(root) == before
    assert len(os.listdir(tmp_path / "out")) == 1


def test_damaged_files_are_copied_and_empty_ones_left_out_by_name(archive: Archive, root: Path, tmp_path: Path) -> None:
    put(root, "Cut", b'{"id": "Cut", "log":')
    put(root, "Nothing1", b"\n")
    result = archive.export_json(every(archive), tmp_path / "out")
    assert [item.folder for item in result.failed] == ["Nothing1"]
    assert "empty" in result.failed[0].text
    cut = next(item for item in result.items if item.folder == "Cut")
    assert cut.remarks and cut.path is not None and cut.path.read_bytes() == b'{"id": "Cut", "log":'
    strict = archive.export_json([Folder("Cut")], tmp_path / "strict", strict=True)
    assert "cannot be rewritten" in strict.failed[0].text


def test_a_strict_export_counts_what_it_replaced(archive: Archive, root: Path, tmp_path: Path) -> None:
    put(root, "Odd", b'{"id": "Odd", "name": "\\ud83d", "agents": [], "log": {"logs": [], "progress": NaN}}')
    result = archive.export_json([Folder("Odd")], tmp_path / "out", strict=True)
    item = result.items[0]
    assert item.path is not None
    assert json.loads(item.path.read_text("utf-8"))["name"] == "\ufffd"
    assert len(item.remarks) == 2 and item.remarks[0] in item.text


def test_stopping_leaves_whole_files_and_lists_the_rest(archive: Archive, tmp_path: Path) -> None:
    result = archive.export_json(every(archive), tmp_path / "out", StopAfter(1))
    assert result.stopped
    assert [(item.folder, item.skipped) for item in result.items] == [
        ("Chat0000", False),
        ("Chat0001", True),
        ("Chat0002", True),
    ]
    assert len(os.listdir(tmp_path / "out")) == 1


def test_exports_are_never_written_into_the_chats_folder(archive: Archive, root: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(root)
    before = snapshot(root)
    for to in (root, root / "new", root / "Chat0001", root / "x.json", tmp_path / "link"):
        with pytest.raises(ConflictError):
            archive.export_json([Folder("Chat0001")], to)
    assert snapshot(root) == before


def test_a_target_that_cannot_be_used_is_told(archive: Archive, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StorageError):
        archive.export_json([Folder("Chat0001")], tmp_path / "file")
    with pytest.raises(NotFoundError):
        archive.export_json(every(archive), tmp_path / "no" / "such")


def test_folders_that_differ_only_in_case_give_two_files(archive: Archive, root: Path, tmp_path: Path) -> None:
    for folder in ("abc", "ABC"):
        put(root, folder, chat(folder, "Kite"))
    archive.export_json([Folder("abc"), Folder("ABC")], tmp_path / "out")
    names = os.listdir(tmp_path / "out")
    assert len({name.casefold() for name in names}) == 2
