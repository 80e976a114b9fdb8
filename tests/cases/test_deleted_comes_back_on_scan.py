"""What was deleted or hidden here does not come back with the next look."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from chat_archive.core.archive import Archive
from chat_archive.core.entities import Folder
from tests.builders import chat, put

pytestmark = pytest.mark.shared


def test_moved_to_the_trash_it_is_out_of_the_root_and_a_rescan_does_not_show_it(
    case_input: Callable[[str], Path],
) -> None:
    archive = Archive.open(case_input("deleted-comes-back-on-scan") / "usr" / "chats")
    archive.trash([Folder("Scan0001")])
    assert not (archive.root / "Scan0001").exists()
    assert {row.folder for row in archive.scan()} == {"Scan0002"}


def test_hidden_it_stays_in_the_folder_stays_hidden_when_it_changes_and_can_be_shown_again(
    case_input: Callable[[str], Path],
) -> None:
    archive = Archive.open(case_input("deleted-comes-back-on-scan") / "usr" / "chats")
    hidden = Folder("Scan0002")
    archive.hide([hidden])
    assert (archive.root / hidden / "chat.json").exists()
    rows = {row.folder: row for row in archive.scan()}
    assert set(archive.marks.hidden) == {hidden}
    assert not archive.marks.changed(rows[hidden])
    put(archive.root, hidden, chat(hidden, words=["it goes on"]))
    assert set(archive.marks.hidden) == {hidden}
    assert [archive.marks.changed(row) for row in archive.scan() if row.folder in archive.marks.hidden] == [True]
    archive.show([hidden])
    assert archive.marks.hidden == {}
