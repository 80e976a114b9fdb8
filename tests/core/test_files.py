"""Reading beside a writer, and writing in the order that survives a crash."""

from __future__ import annotations

import contextlib
import errno
import os
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from chat_archive.core import files
from chat_archive.core.errors import ConflictError, NotFoundError, StorageError, UnreadableError
from chat_archive.core.files import reading
from tests.builders import age


def test_a_file_at_rest_is_read_with_its_fingerprint(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "f").write_bytes(b"{}")
    data, seen = files.read_settled(tmp_path, "a", "f")
    assert data == b"{}"
    assert seen == files.fingerprint(tmp_path / "a" / "f")


@pytest.mark.skipif(os.name == "nt", reason="makes links and pipes")
def test_links_pipes_folders_and_big_files_are_refused_without_waiting(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "f").write_bytes(b"secret")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "real" / "l").symlink_to(tmp_path / "real" / "f")
    os.mkfifo(tmp_path / "real" / "pipe")
    (tmp_path / "real" / "d").mkdir()
    for parts, kind in [
        (("link", "f"), "link"),
        (("real", "l"), "link"),
        (("real", "pipe"), "not a file"),
        (("real", "d"), "not a file"),
    ]:
        with pytest.raises(UnreadableError) as caught:
            files.read_settled(tmp_path, *parts)
        assert caught.value.kind == kind
    with pytest.raises(UnreadableError) as caught:
        files.read_settled(tmp_path, "real", "f", limit=3)
    assert caught.value.kind == "too large"


@pytest.mark.parametrize("part", ["..", ".", "", "a/b", "a\0b"])
def test_a_part_that_is_a_path_is_refused(tmp_path: Path, part: str) -> None:
    with pytest.raises(StorageError):
        files.read_once(tmp_path, part, "f")


def test_a_missing_file_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        files.read_once(tmp_path, "none", "f")


def test_a_half_file_that_is_young_is_read_again_until_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "chat.json"
    path.write_bytes(b'{"id": "a", "na')

    def host_finishes(_seconds: float) -> None:
        path.write_bytes(b'{"id": "a", "name": "b"}')

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading.time, "sleep", host_finishes)
        data, _ = files.read_settled(tmp_path, "chat.json")
    assert data == b'{"id": "a", "name": "b"}'


def test_a_half_file_that_is_old_is_given_at_once(tmp_path: Path) -> None:
    path = tmp_path / "chat.json"
    path.write_bytes(b'{"id"')
    age(path)
    began = time.monotonic()
    assert files.read_settled(tmp_path, "chat.json")[0] == b'{"id"'
    assert time.monotonic() - began < 1


def test_a_file_that_grows_while_it_is_read_is_told_as_changing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"1")
    real = os.read

    def read_and_grow(fd: int, size: int) -> bytes:
        data = real(fd, size)
        with path.open("ab") as more:
            more.write(b"2" * 10)
        return data

    monkeypatch.setattr(reading.os, "read", read_and_grow)
    with pytest.raises(UnreadableError) as caught:
        files.read_once(tmp_path, "f", limit=1000)
    assert caught.value.kind in {"changing", "too large"}


def test_new_files_and_folders_are_for_their_owner_alone_whatever_the_umask(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        files.make_folder(tmp_path / "d")
        files.write_new(tmp_path / "d" / "f", b"x")
    finally:
        os.umask(old)
    if os.name != "nt":
        assert (tmp_path / "d").stat().st_mode & 0o777 == 0o700
        assert (tmp_path / "d" / "f").stat().st_mode & 0o777 == 0o600


def test_write_new_never_writes_over_something_or_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"old")
    (tmp_path / "l").symlink_to(tmp_path / "elsewhere")
    for name in ("f", "l"):
        with pytest.raises(ConflictError):
            files.write_new(tmp_path / name, b"new")
    assert (tmp_path / "f").read_bytes() == b"old"
    assert not (tmp_path / "elsewhere").exists()


def test_a_short_write_is_gone_on_with_to_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: real(fd, bytes(data)[:3]))
    files.write_new(tmp_path / "f", b"0123456789")
    assert (tmp_path / "f").read_bytes() == b"0123456789"


@pytest.mark.parametrize("call", ["write", "fsync", "close"])
def test_a_failed_write_sync_or_close_leaves_nothing_and_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    (tmp_path / "staging").mkdir()
    target = tmp_path / "f"
    target.write_bytes(b"old")
    real = getattr(os, call)
    seen: list[int] = []

    def fail(fd: int, *more: Any) -> Any:
        if os.fstat(fd).st_nlink == 1 and not seen:
            import stat

            if stat.S_ISREG(os.fstat(fd).st_mode):
                seen.append(fd)
                if call == "close":
                    real(fd)
                raise OSError(errno.EIO, "no")
        return real(fd, *more)

    monkeypatch.setattr(os, call, fail)
    with pytest.raises(StorageError):
        files.replace_atomic(target, b"new", tmp_path / "staging")
    monkeypatch.undo()
    assert target.read_bytes() == b"old"
    assert list((tmp_path / "staging").iterdir()) == []


def test_d20_a_failed_sync_of_a_folder_is_told_and_only_where_the_disk_cannot_it_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail_with(code: int) -> None:
        def fsync(fd: int) -> None:
            raise OSError(code, os.strerror(code))

        monkeypatch.setattr(os, "fsync", fsync)

    fail_with(errno.EIO)
    with pytest.raises(StorageError):
        files.fsync_folder(tmp_path)
    fail_with(errno.EINVAL)
    files.fsync_folder(tmp_path)


def test_d20_where_folders_cannot_be_opened_nothing_is_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from chat_archive.core.files import places

    monkeypatch.setattr(places, "HAS_DESCRIPTORS", False)
    files.write_new(tmp_path / "f", b"x")
    (tmp_path / "d").mkdir()
    files.move_verified(tmp_path / "f", tmp_path / "d" / "f")
    assert files.read_once(tmp_path, "d", "f")[0] == b"x"


def test_a_move_is_never_over_something_not_even_an_empty_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from chat_archive.core.files import names

    for _ in range(2):  # with the system's call, then without it
        (tmp_path / "a").mkdir(exist_ok=True)
        (tmp_path / "b").mkdir(exist_ok=True)
        with pytest.raises(ConflictError):
            files.move_verified(tmp_path / "a", tmp_path / "b")
        assert (tmp_path / "a").is_dir()
        monkeypatch.setattr(names, "_call", lambda: None)


def test_another_disk_is_an_error_to_tell_and_never_a_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from chat_archive.core.files import names

    def other_disk(*_: object) -> None:
        raise OSError(errno.EXDEV, "other disk")

    monkeypatch.setattr(names, "_rename_with", other_disk)
    (tmp_path / "a").mkdir()
    with pytest.raises(StorageError, match="another disk"):
        files.move_verified(tmp_path / "a", tmp_path / "b")
    assert (tmp_path / "a").is_dir()
    assert not (tmp_path / "b").exists()


def test_a_tree_is_removed_without_following_links_and_however_deep(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "f").write_bytes(b"x")
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "link").symlink_to(kept)
    # deeper than a path may be long
    fd = os.open(tree, os.O_RDONLY)
    for _ in range(1500):
        os.mkdir("deeper", dir_fd=fd)
        below = os.open("deeper", os.O_RDONLY, dir_fd=fd)
        os.close(fd)
        fd = below
    os.close(fd)
    files.remove_tree(tree)
    assert not tree.exists()
    assert (kept / "f").read_bytes() == b"x"
    (tmp_path / "link").symlink_to(kept)
    files.remove_tree(tmp_path / "link")
    assert (kept / "f").exists()
    files.remove_tree(tmp_path / "missing")


def test_a_folder_that_cannot_be_read_stops_a_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "s"
    (source / "closed").mkdir(parents=True)
    closed = (source / "closed").stat().st_ino
    real = os.listdir

    def listdir(place: Any) -> list[str]:
        if isinstance(place, int) and os.fstat(place).st_ino == closed:
            raise PermissionError(errno.EACCES, "closed")
        return real(place)

    monkeypatch.setattr(os, "listdir", listdir)
    with pytest.raises(StorageError):
        files.copy_tree_from(source, tmp_path / "t")


def test_a_copy_takes_regular_files_and_names_what_it_left_out(tmp_path: Path) -> None:
    source = tmp_path / "s"
    (source / "messages").mkdir(parents=True)
    (source / "messages" / "1.txt").write_bytes(b"1")
    (source / "link").symlink_to("/etc/passwd")
    os.mkfifo(source / "pipe")
    left = files.copy_tree_from(source, tmp_path / "t")
    assert sorted(left) == ["link", "pipe"]
    assert [p.name for p in (tmp_path / "t").iterdir()] == ["messages"]
    assert (tmp_path / "t" / "messages" / "1.txt").read_bytes() == b"1"


def test_an_export_is_never_over_a_file_unless_that_was_asked(tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    target.write_bytes(b"old")
    with pytest.raises(ConflictError):
        files.write_file_beside(target, b"new")
    assert target.read_bytes() == b"old"
    files.write_file_beside(target, b"new", overwrite=True)
    assert [(p.name, p.read_bytes()) for p in tmp_path.iterdir()] == [("out.json", b"new")]


def test_a_failed_append_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "log"
    files.append_synced(path, b"one\n")
    real = os.write

    def half(fd: int, data: Any) -> int:
        real(fd, bytes(data)[:2])
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(os, "write", half)
    with pytest.raises(StorageError, match="full"):
        files.append_synced(path, b"two\n")
    monkeypatch.undo()
    assert path.read_bytes() == b"one\n"


def test_two_files_are_exchanged_in_one_step(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"1")
    (tmp_path / "b").write_bytes(b"2")
    files.exchange(tmp_path / "a", tmp_path / "b")
    assert ((tmp_path / "a").read_bytes(), (tmp_path / "b").read_bytes()) == (b"2", b"1")


def test_descriptors_are_all_closed_again(tmp_path: Path) -> None:
    if not Path("/proc/self/fd").exists():
        pytest.skip("cannot count descriptors here")
    assert threading.active_count() >= 1
    before = len(os.listdir("/proc/self/fd"))
    test_links_pipes_folders_and_big_files_are_refused_without_waiting(tmp_path)
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_folder_that_another_process_makes_at_the_same_moment_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.mkdir

    def both(name: str, mode: int = 0o777, *, dir_fd: int | None = None) -> None:
        with contextlib.suppress(FileExistsError):
            real(name, mode, dir_fd=dir_fd)
        real(name, mode, dir_fd=dir_fd)

    monkeypatch.setattr(os, "mkdir", both)
    assert files.make_folder(tmp_path / "new") is False
    assert (tmp_path / "new").is_dir()


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_planted_while_a_tree_is_removed_leads_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    victim = tmp_path / "victim"
    victim.mkdir()
    (victim / "mine").write_bytes(b"mine")
    tree = tmp_path / "tree"
    (tree / "below").mkdir(parents=True)
    real = os.open

    def planting(path: Any, flags: int, *more: Any, **named: Any) -> int:
        if path == "below" and not (tree / "below").is_symlink():
            (tree / "below").rmdir()
            (tree / "below").symlink_to(victim)
        return real(path, flags, *more, **named)

    monkeypatch.setattr(os, "open", planting)
    with pytest.raises(StorageError):
        files.remove_tree(tree)
    assert (victim / "mine").read_bytes() == b"mine"
