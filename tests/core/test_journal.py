"""The intent log survives a cut at any byte."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from chat_archive.core.errors import StorageError
from chat_archive.core.journal import Journal


def fresh(folder: Path) -> Journal:
    (folder / "staging").mkdir(exist_ok=True)
    journal = Journal(folder / "journal.jsonl", folder / "staging")
    journal.load()
    return journal


def test_an_intent_stays_open_until_it_is_done(tmp_path: Path) -> None:
    journal = fresh(tmp_path)
    first = journal.intend("trash", {"slot": "a"})
    second = journal.intend("edit", {"parts": ["Chät", "chat.json"]})
    journal.done(first)
    again = fresh(tmp_path)
    assert [(r["op"], r["verb"], r["parts"]) for r in again.unfinished] == [(second, "edit", ["Chät", "chat.json"])]


def test_cut_at_every_byte_it_is_a_state_that_was(tmp_path: Path) -> None:
    journal = fresh(tmp_path)
    states = [[]]
    for number in range(3):
        operation = journal.intend("edit", {"number": number})
        states.append([r["op"] for r in journal.unfinished])
        if number != 1:
            journal.done(operation)
            states.append([r["op"] for r in journal.unfinished])
    path = tmp_path / "journal.jsonl"
    whole = path.read_bytes()
    seen = []
    for length in range(len(whole) + 1):
        path.write_bytes(whole[:length])
        cut = fresh(tmp_path)
        found = [r["op"] for r in cut.unfinished]
        assert found in states
        seen.append(found)
        # what is written after a repair is read again
        added = cut.intend("save", {})
        assert [r["op"] for r in fresh(tmp_path).unfinished] == [*found, added]
    assert seen[0] == []
    assert seen[-1] == states[-1]


@pytest.mark.parametrize(
    "junk",
    [b"\0" * 500, b"[1]\n", b'{"op": 5}\n', b"\xff\xfe\n", b"[" * 100_000 + b"\n", b'{"op": "x", "state": []}\n'],
)
def test_lines_that_are_no_record_are_passed_over(tmp_path: Path, junk: bytes) -> None:
    operation = fresh(tmp_path).intend("edit", {})
    path = tmp_path / "journal.jsonl"
    path.write_bytes(path.read_bytes() + junk)
    assert [r["op"] for r in fresh(tmp_path).unfinished] == [operation]


def test_after_a_failed_sync_the_same_file_is_not_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = fresh(tmp_path)
    first = journal.intend("edit", {})
    before = (tmp_path / "journal.jsonl").stat().st_ino

    def fail(fd: int) -> None:
        raise OSError(errno.EIO, "no")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(StorageError):
        journal.intend("edit", {})
    monkeypatch.undo()
    second = journal.intend("edit", {})
    assert [r["op"] for r in fresh(tmp_path).unfinished] == [first, second]
    assert (tmp_path / "journal.jsonl").stat().st_ino != before


def test_a_long_journal_is_begun_anew_only_when_nothing_is_open(tmp_path: Path) -> None:
    journal = fresh(tmp_path)
    operation = journal.intend("edit", {"pad": "x" * 300_000})
    journal.trim()
    assert (tmp_path / "journal.jsonl").stat().st_size > 300_000
    journal.done(operation)
    journal.trim()
    assert (tmp_path / "journal.jsonl").stat().st_size == 0


def test_it_does_not_grow_without_end_while_the_program_runs(tmp_path: Path) -> None:
    journal = fresh(tmp_path)
    for _ in range(12):
        journal.done(journal.intend("save", {"pad": "x" * 50_000}))
    assert (tmp_path / "journal.jsonl").stat().st_size < 400_000
    assert journal.unfinished == ()
