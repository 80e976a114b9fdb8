"""Tidying: seen first, looked at again, then only to the trash; what may hold a lost chat is offered, not removed."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from chat_archive.core.archive import Archive
from chat_archive.core.operations.tidy import TidyItem, TidyKind
from chat_archive.core.provider import outbox
from tests.builders import age, chat, make_root, put, snapshot, text_of
from tests.core.operations.letting_go import names, with_ids

LEFT = ".chat.json.k3v9_q2x.tmp"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """An expired chat, one that lives on, three leftovers and two folders without a chat."""
    root = make_root(tmp_path)
    put(root, "Old00001", chat("Old00001", "Ran out", data={"lifetime_hours": 24}))
    put(root, "New00001", chat("New00001", data={"lifetime_hours": 1_000_000}))
    left(root, "Chat0000", b"{ half")
    left(root, "Chat0001", text_of(chat("Chat0001")))
    put(root, "Bad00000", b'{"id": "Bad00000", "agents": [')
    left(root, "Bad00000", text_of(chat("Bad00000", "Saved at last")))
    orphan(root, "Orphan01")
    (root / "Mine").mkdir()
    (root / "Mine" / "notes.txt").write_text("a person's own")
    return root


def left(root: Path, folder: str, data: bytes) -> Path:
    path = root / folder / LEFT
    path.write_bytes(data)
    age(path)
    return path


def orphan(root: Path, name: str, *, young: bool = False) -> None:
    (root / name / "messages").mkdir(parents=True)
    (root / name / "messages" / "1.txt").write_text("x" * 600)
    if not young:
        age(root / name / "messages")


def kinds(items: list[TidyItem]) -> dict[str, TidyKind]:
    return {item.folder: item.kind for item in items}


def test_the_preview_names_each_with_a_reason_and_changes_nothing(root: Path) -> None:
    before = snapshot(root)
    items = Archive.open(root).preview_tidy()
    assert snapshot(root) == before
    assert kinds(items) == {
        "Old00001": TidyKind.EXPIRED,
        "Chat0000": TidyKind.LEFTOVER,
        "Chat0001": TidyKind.LEFTOVER,
        "Bad00000": TidyKind.RECOVERY,
        "Orphan01": TidyKind.ORPHAN,
    }
    assert all(item.text.endswith(".") for item in items)


def test_each_kind_can_be_asked_for_alone(root: Path) -> None:
    archive = Archive.open(root)
    assert set(kinds(archive.preview_tidy(leftover=False)).values()) == {TidyKind.EXPIRED}
    assert TidyKind.EXPIRED not in kinds(archive.preview_tidy(expired=False)).values()


def test_all_goes_to_the_trash_and_undo_brings_every_byte_back(root: Path) -> None:
    before = snapshot(root)
    archive = Archive.open(root)
    items = [item for item in archive.preview_tidy() if item.kind is not TidyKind.RECOVERY]
    result = archive.tidy(items)
    assert not result.failed
    assert names(root) == ["Bad00000", "Chat0000", "Chat0001", "Chat0002", "Mine", "New00001"]
    assert not (root / "Chat0000" / LEFT).exists()
    assert {entry.kind for entry in archive.trash_entries()} == {"chat", "leftovers"}
    assert archive.undo_text == "Tidy away 4 things"
    archive.undo()
    after = {name: found for name, found in snapshot(root).items() if not name.startswith(".chat-archive")}
    assert {k: v[3] for k, v in after.items()} == {k: v[3] for k, v in before.items()}
    archive.redo()
    assert not (root / "Orphan01").exists()


def test_d21_of_a_left_file_with_the_only_whole_version_a_new_chat_is_made(root: Path) -> None:
    archive = Archive.open(root)
    item = next(item for item in archive.preview_tidy() if item.kind is TidyKind.RECOVERY)
    before = {name: found for name, found in snapshot(root).items() if name.startswith("Bad00000")}
    result = archive.tidy([item])
    new = str(result.items[0].folder)
    assert result.changes.added == {new}
    assert archive.row(result.items[0].folder).title == "Saved at last"  # type: ignore[arg-type]
    assert json.loads((root / new / "chat.json").read_bytes())["id"] == new
    assert {name: found for name, found in snapshot(root).items() if name.startswith("Bad00000")} == before


def test_a_chat_that_is_used_again_is_left_alone(root: Path) -> None:
    archive = Archive.open(root)
    items = archive.preview_tidy(leftover=False)
    put(root, "Old00001", chat("Old00001", data={"lifetime_hours": 1_000_000}))
    result = archive.tidy(items)
    assert result.items[0].skipped
    assert (root / "Old00001" / "chat.json").exists()


def test_a_chat_that_is_only_beginning_is_no_orphan(root: Path) -> None:
    """Message files are there before the first save."""
    orphan(root, "Young001", young=True)
    os.utime(root / "Young001")
    assert "Young001" not in kinds(Archive.open(root).preview_tidy())


def test_a_name_that_is_no_left_file_is_refused(root: Path) -> None:
    archive = Archive.open(root)
    from chat_archive.core.entities import Folder

    for name in ("chat.json", "../x", "", "messages"):
        item = TidyItem(TidyKind.LEFTOVER, Folder("Chat0002"), "x", 1, "", name)
        assert not archive.tidy([item]).items[0].ok
    assert (root / "Chat0002" / "chat.json").exists()


def test_ids_that_only_a_left_file_held_are_noted_when_it_is_erased(root: Path) -> None:
    left(root, "Chat0002", text_of(with_ids("Chat0002", "resp_left")))
    archive = Archive.open(root)
    archive.tidy([item for item in archive.preview_tidy() if item.folder == "Chat0002"])
    archive.empty_trash()
    assert [(r["id"], r["hold"]) for r in outbox.entries(archive.workspace)] == [("resp_left", "")]


def test_put_back_a_left_file_never_goes_over_one_that_is_there(root: Path) -> None:
    archive = Archive.open(root)
    archive.tidy([item for item in archive.preview_tidy() if item.folder == "Chat0000"])
    left(root, "Chat0000", b"another")
    result = archive.undo()
    assert not result.items[0].ok
    assert (root / "Chat0000" / LEFT).read_bytes() == b"another"
    assert len(archive.trash_entries()) == 1
