"""What the server removed stays when a copy is kept; what the person removed is in the trash and nowhere else."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from chat_archive.core import scan
from chat_archive.core.archive import Archive
from chat_archive.core.entities import Folder
from chat_archive.core.operations import export
from chat_archive.core.progress import NullProgress

pytestmark = pytest.mark.shared
BY_SERVER, BY_PERSON = Folder("Gone0001"), Folder("Gone0002")


@pytest.fixture
def archive(case_input: Callable[[str], Path]) -> Archive:
    archive = Archive.open(case_input("source-gone-is-not-deleted") / "usr" / "chats")
    archive.set_keep_copies(None, True)
    archive.keep_wanted_copies(list(archive.scan()))
    return archive


def test_removed_by_the_server_it_stays_readable_and_exportable_and_is_marked(archive: Archive, tmp_path: Path) -> None:
    data = (archive.root / BY_SERVER / "chat.json").read_bytes()
    shutil.rmtree(archive.root / BY_SERVER)
    archive.trash([BY_PERSON])
    rows = archive.no_longer_there()
    assert [(row.folder, "gone" in row.flags) for row in rows] == [(BY_SERVER, True)]
    base = next(copy.base for copy in archive.kept_copies() if copy.folder == BY_SERVER)
    assert len(scan.load(base, BY_SERVER).log.items) == rows[0].log_items
    out = tmp_path / "out"
    out.mkdir()
    export.export_json(base, [BY_SERVER], out, NullProgress())
    assert [path.read_bytes() for path in out.iterdir()] == [data]


def test_removed_by_the_person_it_is_only_in_the_trash(archive: Archive) -> None:
    archive.trash([BY_PERSON])
    assert [row.folder for row in archive.scan()] == [BY_SERVER]
    assert archive.no_longer_there() == []
    assert [entry.folder for entry in archive.trash_entries()] == [BY_PERSON]


def test_when_it_comes_back_its_mark_goes_away(archive: Archive) -> None:
    aside = archive.root.parent / "aside"
    shutil.move(archive.root / BY_SERVER, aside)
    assert archive.no_longer_there()
    shutil.move(aside, archive.root / BY_SERVER)
    assert archive.no_longer_there() == []
