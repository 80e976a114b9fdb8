"""The case restored-from-the-recycle-bin: all file times are new."""

from __future__ import annotations

import subprocess

import pytest

from chat_archive.core import scan

pytestmark = pytest.mark.shared


@pytest.fixture
def root(case_input):  # type: ignore[no-untyped-def]
    return case_input("restored-from-the-recycle-bin") / "usr/chats"


def test_the_same_chats_in_the_same_order_with_the_same_dates(root, rows_of) -> None:
    def seen():  # type: ignore[no-untyped-def]
        rows = sorted(rows_of(root).values(), key=lambda row: row.last_activity)
        return [(row.folder, row.title, row.created_at, row.last_activity) for row in rows]

    before = seen()
    subprocess.run(["sh", str(root.parent.parent / "setup.sh")], cwd=root.parent.parent, check=True)
    assert seen() == before
    assert len(before) == 2
    for folder, *_rest in before:
        assert len(scan.load(root, folder).log.items) > 0
