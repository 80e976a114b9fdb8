"""Importing: looked at first, whole or not at all, never over anything."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from chat_archive.core import files
from chat_archive.core.archive import Archive
from chat_archive.core.entities import Folder, ImportClass, ImportItem, OnConflict, OperationResult
from chat_archive.core.errors import Cancelled, ReadOnlyError
from chat_archive.core.files import names as renaming
from chat_archive.core.layout import PRIVATE_FOLDER
from chat_archive.core.operations import import_
from chat_archive.core.operations.import_reading import Limits
from chat_archive.core.progress import NullProgress
from tests.builders import CREATED, age, chat, make_root, put, snapshot, text_of, without

EIGHT = re.compile(r"[A-Za-z0-9]{8}")
PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 20


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_root(tmp_path)


@pytest.fixture
def archive(root: Path) -> Iterator[Archive]:
    with Archive.open(root) as opened:
        yield opened


@pytest.fixture
def drop(tmp_path: Path) -> Path:
    folder = tmp_path / "drop"
    folder.mkdir()
    return folder


def names(root: Path) -> set[str]:
    return set(os.listdir(root)) - {PRIVATE_FOLDER}


def given(drop: Path, name: str, made: object) -> Path:
    path = drop / name
    path.write_bytes(made if isinstance(made, bytes) else text_of(made))
    age(path)
    return path


def look(archive: Archive, *paths: Path) -> list[ImportItem]:
    return archive.preview_import(paths)


def bring(archive: Archive, *paths: Path, on_conflict: OnConflict = OnConflict.SKIP) -> OperationResult:
    return archive.import_items(look(archive, *paths), on_conflict=on_conflict)


# looking


def test_a_preview_tells_what_each_thing_is_and_writes_nothing(archive: Archive, root: Path, drop: Path) -> None:
    paths = [
        given(drop, "new.json", chat("New00001", "Kite")),
        given(drop, "same.json", chat("Chat0001", "Chat number 1")),
        given(drop, "taken.json", chat("Chat0002", "another", created_at="2020-01-01T00:00:00+00:00")),
        given(drop, "cut.json", b'{"id": "x",\n "log": '),
        given(drop, "list.json", b"[1, 2]"),
        given(drop, "words.txt", b"just words"),
        given(drop, "a.zip", b"PK\x03\x04"),
    ]
    (drop / "link.json").symlink_to(paths[0])
    (drop / "empty").mkdir()
    os.mkfifo(drop / "pipe")
    before = snapshot(root)
    items = look(archive, *paths, drop / "link.json", drop / "empty", drop / "pipe", drop / "missing")
    kinds = [item.kind for item in items]
    assert kinds[:5] == [
        ImportClass.NEW,
        ImportClass.SAME,
        ImportClass.TAKEN,
        ImportClass.DAMAGED,
        ImportClass.NOT_A_CHAT,
    ]
    assert not any(item.importable for item in items[3:])
    assert all(item.reason.endswith(".") for item in items)
    assert (items[0].id, items[0].title, items[0].agents, items[0].messages, items[0].log_items) == (
        "New00001",
        "Kite",
        1,
        2,
        2,
    )
    assert items[3].reason.startswith("cut.json 2:9")
    assert "unpack" in items[6].reason
    assert "link" in items[7].reason
    assert snapshot(root) == before
    assert not (root / PRIVATE_FOLDER).exists()


def test_the_open_root_dropped_on_itself_is_refused(archive: Archive, root: Path, tmp_path: Path) -> None:
    (item,) = look(archive, root)
    assert not item.importable and "open chats folder itself" in item.reason
    (tmp_path / "alias").symlink_to(root)
    assert not look(archive, tmp_path / "alias")[0].importable
    archive.trash([Folder("Chat0000")])
    assert not any(item.importable for item in look(archive, root / PRIVATE_FOLDER / "trash"))


def test_another_root_is_many_chats(archive: Archive, root: Path, tmp_path: Path) -> None:
    other = make_root(tmp_path / "other", 2)
    put(other, "flat0001.json", chat("flat0001", "flat"), flat=True)
    put(other, "Only0001", chat("Only0001", "only here"))
    result = bring(archive, tmp_path / "other")
    assert {item.folder for item in result.done} == {"flat0001", "Only0001"}
    assert (root / "flat0001/chat.json").read_bytes() == (other / "flat0001.json").read_bytes()


def test_d12_a_copied_folder_does_not_take_the_real_chats_id(archive: Archive, root: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    put(other, "A_copy", chat("Orig0001", "the copy"))
    put(other, "Orig0001", chat("Orig0001", "the real one"))
    result = bring(archive, other)
    assert len(result.done) == 2
    assert json.loads((root / "Orig0001/chat.json").read_bytes())["name"] == "the real one"


def test_a_file_of_a_chats_folder_is_only_taken_when_the_rules_allow_it(
    archive: Archive, root: Path, drop: Path
) -> None:
    folder = put(drop, "Full0001", chat("Full0001", "Full")).parent
    taken = {
        "messages/1.txt": b"one",
        "messages/27.txt": b"more",
        "backups/pre-compact-20260714-101500.json": b"{}",
        "backups/pre-compact-20260714-101500.txt": b"x",
        "images/vision-load/a.png": PNG,
        "browser/screenshots/b.jpg": b"\xff\xd8\xff" + b"0" * 20,
        "screenshots/desktop/c.webp": b"RIFF0000WEBPVP8 ",
    }
    left = {
        ".chat.json.k3v9.tmp": b"{}",
        "chat.json.backup.20260714_101500": b"{}",
        "messages/notes.txt": b"x",
        "messages/1.txt.exe": b"x",
        "images/fake.png": b"<svg>",
        "images/run.sh": b"x",
        "images/con.png": PNG,
        "plugin.dat": b"x",
        "a/b/c/d/e/f/g/h/i.png": PNG,
    }
    for relative, data in {**taken, **left}.items():
        path = folder / relative
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    (folder / "messages/2.txt").symlink_to("/etc/hostname")
    (folder / "images/linked").symlink_to("/etc")
    (item,) = look(archive, folder)
    assert item.files == len(taken)
    out = [reason.split(":")[0] for reason in item.left_out]
    assert set(left) - {"a/b/c/d/e/f/g/h/i.png"} <= set(out)
    assert any(name.startswith("a/b/c") for name in out)
    assert {"messages/2.txt", "images/linked"} <= set(out)
    result = archive.import_items([item])
    assert result.items[0].ok
    found = {
        str(p.relative_to(root / "Full0001")): p.read_bytes() for p in (root / "Full0001").rglob("*") if p.is_file()
    }
    assert found == {**taken, "chat.json": (folder / "chat.json").read_bytes()}
    for path in (root / "Full0001").rglob("*"):
        assert path.stat().st_mode & 0o777 == (0o700 if path.is_dir() else 0o600)


def test_over_a_limit_is_refused_with_the_figure(archive: Archive, drop: Path) -> None:
    path = given(drop, "big.json", chat("Big00001", words=["x" * 5000]))
    for limits, said in (
        (Limits(file_bytes=1000), "limit"),
        (Limits(all_bytes=1000), "limit"),
        (Limits(entries=0), "limit"),
    ):
        (item,) = import_.preview(archive.workspace, [path], NullProgress(), limits=limits)
        assert not item.importable
        assert said in item.reason


# bringing in


def test_an_imported_file_keeps_its_id_bytes_and_date(archive: Archive, root: Path, drop: Path) -> None:
    path = given(drop, "Kite (New00001).json", chat("New00001", "Kite"))
    result = bring(archive, path)
    assert result.items[0].text == "It was imported."
    assert result.changes.added == {"New00001"}
    target = root / "New00001/chat.json"
    assert target.read_bytes() == path.read_bytes()
    newest = datetime.fromisoformat(CREATED).timestamp() + 60
    assert target.stat().st_mtime == newest
    assert target.stat().st_mode & 0o777 == 0o600
    assert not os.listdir(root / PRIVATE_FOLDER / "staging")


def test_the_same_bytes_are_there_already(archive: Archive, root: Path, drop: Path) -> None:
    path = given(drop, "x.json", chat("New00001", "Kite"))
    bring(archive, path)
    before = snapshot(root / "New00001")
    for on_conflict in OnConflict:
        result = bring(archive, path, on_conflict=on_conflict)
        assert result.items[0].skipped and "already" in result.items[0].text
    assert snapshot(root / "New00001") == before
    assert len(names(root)) == 4
    twice = look(archive, given(drop, "y.json", chat("Two00001")), given(drop, "z.json", chat("Two00001")))
    assert [item.kind for item in twice] == [ImportClass.NEW, ImportClass.SAME]


def test_a_taken_id_is_skipped_kept_beside_or_updated(archive: Archive, root: Path, drop: Path) -> None:
    path = given(drop, "x.json", chat("Chat0001", "newer"))
    old = (root / "Chat0001/chat.json").read_bytes()
    assert bring(archive, path).items[0].skipped
    assert (root / "Chat0001/chat.json").read_bytes() == old

    beside = bring(archive, path, on_conflict=OnConflict.KEEP_BOTH)
    folder = beside.items[0].folder
    assert folder is not None and EIGHT.fullmatch(folder) and folder != "Chat0001"
    made = json.loads((root / folder / "chat.json").read_bytes())
    assert (made["id"], made["name"]) == (folder, "newer")

    updated = bring(archive, path, on_conflict=OnConflict.UPDATE)
    assert updated.changes.updated == {"Chat0001"}
    assert (root / "Chat0001/chat.json").read_bytes() == path.read_bytes()
    (entry,) = archive.trash_entries()
    assert (entry.path / "chat.json").read_bytes() == old


def test_a_new_id_changes_only_the_bytes_of_the_id(archive: Archive, root: Path, drop: Path) -> None:
    data = b'\xef\xbb\xbf{ "x_first": 1.0,\r\n "id": "../bad", "log": {"logs": [NaN]}, "big": 10000000000000000001 }'
    result = bring(archive, given(drop, "odd.json", data))
    folder = result.items[0].folder
    assert folder is not None and EIGHT.fullmatch(folder)
    assert (root / folder / "chat.json").read_bytes() == data.replace(b'"../bad"', f'"{folder}"'.encode())


@pytest.mark.parametrize(
    "made", [without(chat(), "id"), chat(""), chat() | {"id": None}, chat("a/b"), chat("."), chat("ä")]
)
def test_d14_a_file_without_a_usable_id_gets_a_new_one(archive: Archive, root: Path, drop: Path, made: object) -> None:
    result = bring(archive, given(drop, "x.json", made))
    folder = result.items[0].folder
    assert folder is not None and EIGHT.fullmatch(folder)
    assert json.loads((root / folder / "chat.json").read_bytes())["id"] == folder
    assert names(root) == {"Chat0000", "Chat0001", "Chat0002", folder}


def test_d15_a_number_as_id_becomes_text(archive: Archive, root: Path, drop: Path) -> None:
    bring(archive, given(drop, "x.json", chat() | {"id": 12}))
    assert json.loads((root / "12/chat.json").read_bytes())["id"] == "12"


def test_d61_an_array_is_several_chats(archive: Archive, root: Path, drop: Path) -> None:
    path = given(drop, "all.json", [chat("Arr00001", "one"), 5, chat("Arr00002", "two"), chat("Arr00001", "three")])
    result = bring(archive, path)
    assert [item.ok for item in result.items] == [True, False, True, True]
    assert result.items[1].item == "all.json [2]"
    assert {json.loads((root / name / "chat.json").read_bytes())["name"] for name in names(root)} >= {
        "one",
        "two",
        "three",
    }
    assert len(names(root)) == 6


def test_d62_a_lifetime_is_told(archive: Archive, drop: Path) -> None:
    (item,) = look(archive, given(drop, "x.json", chat("Life0001", data={"lifetime_hours": 24})))
    assert "24 hours" in item.remarks[0] and "2026-03-03 09:00 UTC" in item.remarks[0]


def test_d63_an_unknown_parent_is_told_and_a_known_one_not(archive: Archive, drop: Path) -> None:
    paths = [
        given(drop, f"{number}.json", chat(f"Kid0000{number}", output_data={"parent_context_id": parent}))
        for number, parent in enumerate(("Gone0001", "Chat0001", "Kid00000"))
    ]
    items = look(archive, *paths)
    assert [any("belongs to" in remark for remark in item.remarks) for item in items] == [True, False, False]


def test_d87_a_profile_that_is_a_path_is_told_before_writing(archive: Archive, drop: Path) -> None:
    (item,) = look(archive, given(drop, "x.json", chat("Prof0001", agent_profile="../evil")))
    assert any("profile" in remark.lower() for remark in item.remarks)


def test_d43_numbers_that_are_none_are_told_and_kept(archive: Archive, root: Path, drop: Path) -> None:
    data = b'{"id": "Nan00001", "agents": [], "log": {"logs": [], "progress_no": NaN}, "name": "\\ud83d"}'
    path = given(drop, "x.json", data)
    (item,) = look(archive, path)
    assert len([remark for remark in item.remarks if ": 1." in remark]) == 2
    bring(archive, path)
    assert (root / "Nan00001/chat.json").read_bytes() == data


def test_stopping_leaves_whole_chats_and_lists_the_rest(archive: Archive, root: Path, drop: Path) -> None:
    items = look(archive, *[given(drop, f"{n}.json", chat(f"Stop000{n}")) for n in range(3)])

    class StopAtTwo:
        def report(self, done: int, total: int | None = None, item: str = "") -> None:
            if done == 2:
                raise Cancelled

    result = archive.import_items(items, StopAtTwo())
    assert result.stopped
    assert [item.skipped for item in result.items] == [False, False, True]
    assert names(root) >= {"Stop0000", "Stop0001"} and "Stop0002" not in names(root)


def test_a_failed_import_leaves_nothing(
    archive: Archive, root: Path, drop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = put(drop, "Half0001", chat("Half0001")).parent
    (folder / "messages").mkdir()
    (folder / "messages/1.txt").write_text("x")
    items = look(archive, folder)
    real = files.write_new

    def refuse(path: Path, data: bytes, mode: int = 0o600) -> object:
        if path.name == "1.txt":
            raise files.explain(OSError(28, "full"), "It could not be written", path)
        return real(path, data, mode)

    monkeypatch.setattr(files, "write_new", refuse)
    result = archive.import_items(items)
    assert "disk is full" in result.failed[0].text
    assert "Half0001" not in names(root)
    assert not os.listdir(root / PRIVATE_FOLDER / "staging")


def test_the_place_taken_meanwhile_is_never_overwritten(archive: Archive, root: Path, drop: Path) -> None:
    items = look(archive, given(drop, "x.json", chat("Late0001", "imported")))
    put(root, "Late0001", chat("Late0001", "the host's"))
    result = archive.import_items(items)
    assert result.items[0].skipped
    assert json.loads((root / "Late0001/chat.json").read_bytes())["name"] == "the host's"


def test_a_source_that_changed_into_something_else_is_refused(archive: Archive, root: Path, drop: Path) -> None:
    path = given(drop, "x.json", chat("Late0001"))
    items = look(archive, path)
    path.write_bytes(b"[]")
    age(path)
    assert archive.import_items(items).failed
    assert "Late0001" not in names(root)


def test_an_import_is_undone_into_the_trash_and_redone(archive: Archive, root: Path, drop: Path) -> None:
    result = bring(archive, *[given(drop, f"{n}.json", chat(f"Undo000{n}")) for n in range(2)])
    assert result.undoable and archive.undo_text
    archive.undo()
    assert names(root) == {"Chat0000", "Chat0001", "Chat0002"}
    assert len(archive.trash_entries()) == 2
    archive.redo()
    assert names(root) >= {"Undo0000", "Undo0001"}


def test_a_read_only_archive_still_previews(root: Path, drop: Path) -> None:
    path = given(drop, "x.json", chat("New00001"))
    with Archive.open(root, write=False) as archive:
        items = look(archive, path)
        assert items[0].importable
        with pytest.raises(ReadOnlyError):
            archive.import_items(items)


def test_the_sum_says_how_many(archive: Archive, drop: Path) -> None:
    result = bring(archive, given(drop, "a.json", chat("Sum00001")), given(drop, "b.json", b"{"))
    assert result.remarks == ("1 of 2 imported; 1 read, 0 with remarks, 1 refused.",)


@pytest.mark.shared
def test_everything_that_is_handed_comes_in_or_is_named(shared: Path, tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    with Archive.open(root) as archive:
        for group in ("usr/chats", "broken/usr/chats", "legacy"):
            result = bring(archive, shared / "chats" / group)
            assert all(item.text.endswith(".") for item in result.items)
            for item in result.done:
                assert item.folder is not None
                assert archive.row(item.folder).id == item.folder
        for item in bring(archive, shared / "chats/exports").items:
            assert item.skipped


def test_a_list_of_chats_in_a_folder_s_chat_json_is_imported(tmp_path: Path) -> None:
    source = put(tmp_path, "Listed01", [chat("Listed01", "one"), chat("Listed02", "two")]).parent
    (source / "messages").mkdir()
    (source / "messages" / "1.txt").write_bytes(b"of nobody knows which")
    with Archive.open(make_root(tmp_path)) as archive:
        result = archive.import_items(archive.preview_import([source]))
        assert [item.ok for item in result.items] == [True, True]
        assert sorted(archive.row(Folder(name)).title for name in ("Listed01", "Listed02")) == ["one", "two"]
        assert not (archive.root / "Listed01" / "messages").exists()


@pytest.mark.parametrize("listed", [False, True])
def test_another_chat_under_the_name_of_the_one_looked_at_is_not_imported(tmp_path: Path, listed: bool) -> None:
    def made(chat_id: str) -> bytes:
        data = text_of(chat(chat_id))
        return b"[" + data + b"]" if listed else data

    source = put(tmp_path, "one.json", made("Looked01"), flat=True)
    with Archive.open(make_root(tmp_path)) as archive:
        items = archive.preview_import([source])
        source.write_bytes(made("Other001"))
        (result,) = archive.import_items(items).items
        assert not result.ok
        assert "changed since" in result.text
        assert not (archive.root / "Looked01").exists()


def test_a_text_nested_too_deep_is_called_that(tmp_path: Path) -> None:
    source = put(tmp_path, "deep.json", b'{"agents": ' + b"[" * 100_000, flat=True)
    with Archive.open(make_root(tmp_path)) as archive:
        (item,) = archive.preview_import([source])
    assert item.kind is ImportClass.DAMAGED
    assert "null" not in item.reason


def test_until_it_is_whole_and_synced_nothing_of_a_chat_is_in_the_root(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make_root(tmp_path)
    source = put(tmp_path / "from", "Staged01", chat("Staged01")).parent
    (source / "messages").mkdir()
    (source / "messages" / "1.txt").write_bytes(b"one")
    synced: set[int] = set()
    moved: list[str] = []
    real_sync, real_rename = os.fsync, renaming.rename_new

    def sync(descriptor: int) -> None:
        assert "Staged01" in os.listdir(root) or set(os.listdir(root)) <= {*known, PRIVATE_FOLDER}
        real_sync(descriptor)
        synced.add(os.fstat(descriptor).st_ino)

    def rename(from_: files.Place, old: str, to: files.Place, new: str) -> None:
        if new == "Staged01":
            whole = from_.path / old
            for path in (whole, *whole.rglob("*")):
                assert path.stat().st_ino in synced, f"{path} was not synced"
            moved.append(new)
        real_rename(from_, old, to, new)

    with Archive.open(root) as archive:
        known = set(os.listdir(root))
        items = archive.preview_import([source])
        monkeypatch.setattr(os, "fsync", sync)
        monkeypatch.setattr(renaming, "rename_new", rename)
        assert archive.import_items(items).items[0].ok
    assert moved == ["Staged01"]


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_folder_reached_over_a_link_is_looked_through_like_any_other(archive: Archive, tmp_path: Path) -> None:
    make_root(tmp_path / "disk" / "agent-zero", 2)
    (tmp_path / "linked").symlink_to(tmp_path / "disk", target_is_directory=True)
    items = archive.preview_import([tmp_path / "linked" / "agent-zero"])
    assert len(items) == 2 and all(item.importable for item in items)
