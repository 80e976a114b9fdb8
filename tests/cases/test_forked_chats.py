"""Removing one of several chats that share their beginning leaves the others whole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from chat_archive.core.archive import Archive
from chat_archive.core.deletion import DeleteChoices
from tests.builders import snapshot

pytestmark = pytest.mark.shared


@pytest.mark.parametrize("for_good", [False, True])
def test_removing_the_fork_leaves_the_other_two_whole(case_input: Callable[[str], Path], for_good: bool) -> None:
    archive = Archive.open(case_input("forked-chats") / "usr" / "chats")
    rows = {row.title: row for row in archive.scan()}
    fork = rows["Kite (fork)"].folder
    before = {name: found for name, found in snapshot(archive.root).items() if not name.startswith(fork)}
    assert archive.delete([fork], replace(DeleteChoices(), for_good=for_good)).items[0].ok
    after = {name: found for name, found in snapshot(archive.root).items() if not name.startswith(".chat-archive")}
    assert after == before
    assert len(list(archive.scan())) == 2
