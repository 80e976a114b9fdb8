"""The case chats-without-id: the id is missing, empty and null (the reading part)."""

from __future__ import annotations

import pytest

from chat_archive.core import scan

pytestmark = pytest.mark.shared


@pytest.fixture
def root(case_input):  # type: ignore[no-untyped-def]
    return case_input("chats-without-id") / "usr/chats"


def test_three_rows_told_apart_by_folder(root, rows_of) -> None:
    rows = rows_of(root)
    assert {row.id: row.folder for row in rows.values()} == {
        name: name for name in ("Noid0000", "Noid0001", "Noid0002")
    }
    assert {row.title for row in rows.values()} == {"No id 0", "No id 1", "No id 2"}
    assert all(problem.defect == "D-14" for row in rows.values() for problem in row.problems)
    for name in rows:
        assert scan.find(root, name) == name
