"""Hidden chats and kept copies: nothing in the root changes, a copy is whole, what the host removed stays readable."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from chat_archive.core.archive import Archive
from chat_archive.core.deletion import DeleteChoices
from chat_archive.core.entities import Folder
from chat_archive.core.errors import ArchiveError
from tests.builders import chat, make_root, put, snapshot
from tests.core.operations.letting_go import of, queue, with_ids

ONE = Folder("Chat0001")


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return Archive.open(make_root(tmp_path))


def chats_of(archive: Archive) -> dict[str, object]:
    return {name: found for name, found in snapshot(archive.root).items() if not name.startswith(".chat-archive")}


def test_hiding_leaves_the_folder_and_is_remembered(archive: Archive) -> None:
    before = chats_of(archive)
    archive.hide(of("Chat0001"))
    assert chats_of(archive) == before
    archive.close()
    again = Archive.open(archive.root)
    assert set(again.marks.hidden) == {"Chat0001"}
    assert not again.marks.changed(again.row(ONE))
    put(again.root, "Chat0001", chat("Chat0001", words=["a"] * 4))
    assert again.marks.changed(again.row(ONE))
    again.show(of("Chat0001"))
    assert not again.marks.hidden


def test_marks_that_make_no_sense_are_none_and_keys_of_a_newer_version_stay(archive: Archive) -> None:
    archive.hide(of("Chat0001"))
    path = archive.workspace.private / "marks.json"
    for broken in (b"", b"[]", b'{"hidden": 5, "kept": "x"}', b"\xff"):
        path.write_bytes(broken)
        assert archive.marks.hidden == {}
    path.write_bytes(b'{"version": 9, "stars": ["x"], "hidden": {"a": [1, 2]}}')
    archive.set_keep_copies(None, True)
    assert archive.marks.extra == {"stars": ["x"]}
    assert archive.marks.keep_all


def test_a_bad_id_is_refused_and_nothing_is_made(archive: Archive) -> None:
    for bad in ("", "..", "a/b"):
        with pytest.raises(ArchiveError):
            archive.hide(of(bad))
        with pytest.raises(ArchiveError):
            archive.keep_copy(Folder(bad))


def test_a_copy_is_bytes_and_not_a_link_and_is_made_once_a_version(archive: Archive) -> None:
    (archive.root / ONE / "messages").mkdir()
    (archive.root / ONE / "messages" / "1.txt").write_bytes(b"x" * 700)
    copy = archive.keep_copy(ONE)
    assert copy is not None
    assert (copy.base / ONE / "messages" / "1.txt").read_bytes() == b"x" * 700
    here, there = archive.root / ONE / "chat.json", copy.base / ONE / "chat.json"
    assert here.read_bytes() == there.read_bytes()
    assert here.stat().st_ino != there.stat().st_ino
    assert archive.keep_copy(ONE) is None
    put(archive.root, "Chat0001", chat("Chat0001", words=["more"]))
    assert archive.keep_copy(ONE) is not None
    assert len(archive.kept_copies()) == 2
    assert list(archive.workspace.staging.iterdir()) == []


def test_only_chats_for_which_it_is_switched_on_are_copied(archive: Archive) -> None:
    archive.set_keep_copies(of("Chat0001"), True)
    rows = list(archive.scan())
    assert [one.folder for one in archive.keep_wanted_copies(rows)] == ["Chat0001"]
    assert archive.keep_wanted_copies(rows) == []
    archive.set_keep_copies(of("Chat0001"), False)
    archive.set_keep_copies(None, True)
    assert {one.folder for one in archive.keep_wanted_copies(rows)} == {"Chat0000", "Chat0002"}


def test_what_the_host_removed_stays_readable_and_exportable_and_what_the_person_deleted_does_not(
    archive: Archive, tmp_path: Path
) -> None:
    from chat_archive.core.operations import export
    from chat_archive.core.progress import NullProgress

    for name in ("Chat0000", "Chat0001", "Chat0002"):
        archive.keep_copy(Folder(name))
    shutil.rmtree(archive.root / "Chat0001")
    archive.trash(of("Chat0002"))
    rows = archive.no_longer_there()
    assert [(row.folder, row.title, "gone" in row.flags) for row in rows] == [("Chat0001", "Chat number 1", True)]
    base = next(one.base for one in archive.kept_copies() if one.folder == "Chat0001")
    out = tmp_path / "out"
    out.mkdir()
    assert export.export_json(base, of("Chat0001"), out, NullProgress()).items[0].ok
    assert len(list(out.iterdir())) == 1
    put(archive.root, "Chat0001", chat("Chat0001"))
    assert archive.no_longer_there() == []


def test_copies_leave_with_the_chat_and_their_ids_are_noted(archive: Archive) -> None:
    put(archive.root, "Chat0001", with_ids("Chat0001", "resp_old"))
    archive.keep_copy(ONE)
    put(archive.root, "Chat0001", with_ids("Chat0001", "resp_new"))
    archive.delete(of("Chat0001"), DeleteChoices(for_good=True))
    assert queue(archive.workspace) == {("Chat0001", "resp_new"): "", ("Chat0001", "resp_old"): ""}
    assert archive.kept_copies() == []
    assert archive.no_longer_there() == []


def test_a_copy_of_a_chat_the_host_removed_keeps_what_another_would_delete(archive: Archive) -> None:
    put(archive.root, "Chat0001", with_ids("Chat0001", "resp_x"))
    put(archive.root, "Chat0002", with_ids("Chat0002", "resp_x"))
    archive.keep_copy(ONE)
    shutil.rmtree(archive.root / ONE)
    archive.delete(of("Chat0002"), DeleteChoices(for_good=True))
    assert "earlier version" in queue(archive.workspace)["Chat0002", "resp_x"]


def test_a_copy_that_is_cut_off_leaves_nothing(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    from chat_archive.core import files

    archive.hide(of("Chat0000"))

    def die(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(files, "move_verified", die)
        with pytest.raises(KeyboardInterrupt):
            archive.keep_copy(ONE)
    archive.close()
    again = Archive.open(archive.root)
    again.workspace.need_private()
    assert again.kept_copies() == []
    assert list(again.workspace.staging.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="links")
def test_a_link_is_not_copied(archive: Archive, tmp_path: Path) -> None:
    put(tmp_path / "else", "X", chat("X"))
    (archive.root / "Linked00").symlink_to(tmp_path / "else" / "X")
    with pytest.raises(ArchiveError):
        archive.keep_copy(Folder("Linked00"))
