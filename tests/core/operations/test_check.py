"""`check` tells what is damaged, duplicate, left over, nested or running out, and changes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from chat_archive.core.archive import Archive
from chat_archive.core.errors import Cancelled
from tests.builders import chat, make_root, put, snapshot, text_of, without


def test_everything_odd_in_a_root_is_told_and_nothing_changed(tmp_path: Path) -> None:
    root = make_root(tmp_path, 2)
    put(root, "Bad", b"")
    put(root, "One", chat("Same"))
    put(root, "Two", chat("Same"))
    put(root, "Api", chat("Api", data={"lifetime_hours": 1}))
    put(root, "old.json", without(chat("old"), "name"), flat=True)
    put(root, "x/y", chat("x/y"))
    (root / "left" / "messages").mkdir(parents=True)
    (root / "left" / "messages" / "1.txt").write_text("x")
    (root / "empty").mkdir()
    (root / "Chat0000" / ".chat.json.k3v9_q2x.tmp").write_bytes(text_of(chat("Chat0000")))
    (root / "Chat0001" / ".chat.json.aaaaaaaa.tmp").write_bytes(b"{")
    (root.parent / "chat_names.json").write_text("no json")
    before = snapshot(tmp_path)
    with Archive.open(root, write=False) as archive:
        report = archive.check()
    assert snapshot(tmp_path) == before
    assert report.chats == 7
    told = {(name, problem.code): problem for name, problem in report.problems}
    assert {
        ("", "side-file"),
        ("Bad", "empty"),
        ("One", "duplicate-id"),
        ("Two", "duplicate-id"),
        ("Api", "expires"),
        ("old.json", "flat"),
        ("x", "nested"),
        ("left", "orphan"),
        ("Chat0000", "leftover"),
        ("Chat0001", "leftover"),
    } <= set(told)
    assert not any(name == "empty" for name, _code in told)
    assert told["x", "nested"].defect == "D-09"
    assert "is a whole chat" in told["Chat0000", "leftover"].text
    assert "not a whole chat" in told["Chat0001", "leftover"].text
    assert report.leftovers == ("Chat0000/.chat.json.k3v9_q2x.tmp", "Chat0001/.chat.json.aaaaaaaa.tmp", "left", "x/y")


def test_d09_a_nested_chat_is_no_row_and_is_told_by_check(tmp_path: Path) -> None:
    root = make_root(tmp_path, 1)
    put(root, "a/b/c", chat("a/b/c"))
    with Archive.open(root, write=False) as archive:
        assert [row.folder for row in archive.scan()] == ["Chat0000"]
        assert [(name, found.defect) for name, found in archive.check().problems] == [("a", "D-09")]


def test_a_good_root_has_nothing_to_tell(tmp_path: Path) -> None:
    with Archive.open(make_root(tmp_path, 3), write=False) as archive:
        report = archive.check()
    assert (report.chats, report.problems, report.leftovers) == (3, (), ())


def test_check_can_be_stopped(tmp_path: Path) -> None:
    class Stop:
        def report(self, done: int, total: int | None = None, item: str = "") -> None:
            raise Cancelled

    with Archive.open(make_root(tmp_path, 3), write=False) as archive, pytest.raises(Cancelled):
        archive.check(Stop())
