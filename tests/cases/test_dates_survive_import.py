"""Imported chats keep their dates and their order; the file's time is the last activity."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from chat_archive.core.archive import Archive
from tests.cases.exporting import export_all

pytestmark = pytest.mark.shared


def dates(archive: Archive) -> dict[str, tuple[datetime | None, datetime | None]]:
    return {row.id: (row.created, row.last_activity) for row in archive.scan()}


def test_dates_and_order_are_the_same_after_export_and_import(shared: Path, tmp_path: Path) -> None:
    source = shared / "cases/dates-survive-import/input/usr/chats"
    root = tmp_path / "chats"
    root.mkdir()
    with Archive.open(source, write=False) as archive:
        before = dates(archive)
        export_all(archive, tmp_path / "out")
    with Archive.open(root) as archive:
        archive.import_items(archive.preview_import([tmp_path / "out"]))
        after = dates(archive)
        by_file_time = [row.id for row in archive.scan()]
    assert after == before
    assert len({created.year for created, _ in before.values() if created}) == 3
    newest_first = sorted(
        before, key=lambda chat_id: before[chat_id][1] or datetime.min.replace(tzinfo=UTC), reverse=True
    )
    assert by_file_time == newest_first
    for chat_id, (_, last) in before.items():
        assert last is not None
        assert (root / chat_id / "chat.json").stat().st_mtime == pytest.approx(last.timestamp(), abs=1)
