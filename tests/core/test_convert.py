"""Flat files of the oldest versions get their folders: exact suffix, only chats, never over anything."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from chat_archive.core import files
from chat_archive.core.archive import Archive
from chat_archive.core.entities import ImportClass
from chat_archive.core.errors import StorageError
from chat_archive.core.layout import PRIVATE_FOLDER
from tests.builders import chat, put, snapshot, text_of, without


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "tmp/chats"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def archive(root: Path) -> Iterator[Archive]:
    with Archive.open(root) as opened:
        yield opened


def names(root: Path) -> set[str]:
    return set(os.listdir(root)) - {PRIVATE_FOLDER}


def flat(root: Path, stem: str, **more: object) -> bytes:
    data = text_of(chat(stem, f"flat {stem}") | more)
    put(root, f"{stem}.json", data, flat=True)
    return data


@pytest.mark.parametrize("stem", ["jason", "session", "aBcDxyzs"])
def test_d01_exactly_the_suffix_is_taken_off(archive: Archive, root: Path, stem: str) -> None:
    data = flat(root, stem)
    moment = (root / f"{stem}.json").stat().st_mtime
    result = archive.convert_flat()
    assert [item.folder for item in result.done] == [stem]
    assert names(root) == {stem}
    assert (root / stem / "chat.json").read_bytes() == data
    assert (root / stem / "chat.json").stat().st_mtime == pytest.approx(moment)


def test_d02_short_names_stay_three_chats(archive: Archive, root: Path) -> None:
    for stem in ("a", "an", "as"):
        flat(root, stem)
    archive.convert_flat()
    assert names(root) == {"a", "an", "as"}


def test_d03_a_chat_in_the_place_is_never_overwritten(archive: Archive, root: Path) -> None:
    put(root, "ab", chat("ab", "the folder"))
    there = (root / "ab/chat.json").read_bytes()
    flat(root, "ab")
    (item,) = archive.flat_files()
    assert item.kind is ImportClass.TAKEN and item.target == ""
    result = archive.convert_flat()
    assert "new id" in result.items[0].text
    assert (root / "ab/chat.json").read_bytes() == there
    (other,) = names(root) - {"ab"}
    made = json.loads((root / other / "chat.json").read_bytes())
    assert (made["id"], made["name"]) == (other, "flat ab")


def test_d04_a_folder_with_the_suffix_is_left_alone(archive: Archive, root: Path) -> None:
    (root / "dir.json").mkdir()
    (root / "dir.json/x").write_text("x")
    before = snapshot(root)
    assert archive.flat_files() == []
    archive.convert_flat()
    assert snapshot(root) == before


def test_d05_names_made_of_the_suffixes_letters_get_their_own_folders(archive: Archive, root: Path) -> None:
    for stem in ("json", "noson"):
        flat(root, stem)
    put(root, ".json", text_of(without(chat(), "id")), flat=True)
    result = archive.convert_flat()
    assert names(root) >= {"json", "noson"}
    assert not (root / "chat.json").exists()
    assert [item.item for item in result.failed] == [".json"]
    assert (root / ".json").exists()


def test_d06_other_json_files_stay_where_they_are(archive: Archive, root: Path) -> None:
    others = {
        "index.json": b'{"version": 1}',
        "export.json": text_of([chat("a"), chat("b")]),
        "cut.json": b'{"id": "x", "log":',
        "list.json": b"[1]",
    }
    for name, data in others.items():
        put(root, name, data, flat=True)
    (root / "link.json").symlink_to(root / "index.json")
    before = snapshot(root)
    result = archive.convert_flat()
    assert len(result.failed) == 5
    assert snapshot(root) == before


def test_the_id_inside_the_file_is_preferred_where_it_is_free(archive: Archive, root: Path) -> None:
    put(root, "renamed.json", chat("Inner001"), flat=True)
    put(root, "second.json", chat("Inner001", "another"), flat=True)
    put(root, "bad.json", chat("../x", "bad id"), flat=True)
    archive.convert_flat()
    assert names(root) == {"Inner001", "second", "bad"}
    for folder in names(root):
        assert json.loads((root / folder / "chat.json").read_bytes())["id"] == folder


def test_a_kill_between_the_two_steps_is_finished_by_the_next_run(
    archive: Archive, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = flat(root, "jason")

    def refuse(path: Path) -> None:
        raise StorageError("killed here")

    monkeypatch.setattr(files, "remove_file", refuse)
    assert archive.convert_flat().failed
    assert names(root) == {"jason", "jason.json"}
    monkeypatch.undo()
    (item,) = archive.flat_files()
    assert item.kind is ImportClass.SAME
    archive.convert_flat()
    assert names(root) == {"jason"}
    assert (root / "jason/chat.json").read_bytes() == data


def test_a_preview_writes_nothing(archive: Archive, root: Path) -> None:
    flat(root, "jason")
    before = snapshot(root)
    assert [item.target for item in archive.flat_files()] == ["jason"]
    assert snapshot(root) == before


@pytest.mark.shared
def test_the_handed_flat_chats_keep_their_bytes(shared: Path, tmp_path: Path) -> None:
    for version in ("v0.7.1", "v0.8", "flat-names"):
        root = tmp_path / version
        root.mkdir()
        sources = {path.name: path.read_bytes() for path in (shared / "chats/legacy" / version / "tmp/chats").iterdir()}
        for name, data in sources.items():
            put(root, name, data, flat=True)
        with Archive.open(root) as archive:
            assert not archive.convert_flat().failed
        for name, data in sources.items():
            assert (root / name.removesuffix(".json") / "chat.json").read_bytes() == data
