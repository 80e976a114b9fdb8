"""Chats with a lifetime say when the program removes them, can be kept, and say who needs their files."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from chat_archive.core.archive import Archive
from chat_archive.core.entities import ChatState, Folder

pytestmark = pytest.mark.shared
LIFE = Folder("Life0001")


@pytest.fixture
def archive(case_input: Callable[[str], Path]) -> Archive:
    return Archive.open(case_input("api-chats-expire") / "usr" / "chats")


def test_it_shows_that_the_program_removes_it_24_hours_after_its_last_use(archive: Archive) -> None:
    row = archive.row(LIFE)
    assert row.state is ChatState.EXPIRES
    assert row.last_message.utc is not None
    assert row.expires_at == row.last_message.utc + timedelta(hours=24)
    assert archive.plan_deletion([LIFE]).chats[0].expires_at == row.expires_at


def test_a_copy_is_kept_when_that_is_wanted_and_outlives_the_chat(archive: Archive) -> None:
    archive.set_keep_copies([LIFE], True)
    assert [copy.folder for copy in archive.keep_wanted_copies(list(archive.scan()))] == [LIFE]
    shutil.rmtree(archive.root / LIFE)
    kept = archive.no_longer_there()
    assert [row.folder for row in kept] == [LIFE]
    base = archive.kept_copies()[0].base
    assert (base / LIFE / "messages" / "1.txt").exists()


def test_removing_it_warns_that_the_loaded_copy_refers_to_its_files(archive: Archive) -> None:
    needed_by = archive.plan_deletion([LIFE]).chats[0].referred_by
    assert [one.folder for one in needed_by] == ["Life0002"]
    assert archive.plan_deletion([Folder("Life0002")]).chats[0].referred_by == ()
