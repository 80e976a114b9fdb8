"""Where no chat can be moved out of the root, deleting says so and leaves everything as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases.users import as_nobody, case_for_nobody

TRY = """
before = sorted(str(p.relative_to(root)) for p in root.rglob("*"))
archive = Archive.open(root)
print(archive.read_only_reason)
try:
    print(archive.trash(["Stay0001"]).items[0].text)
except ArchiveError as error:
    print(error)
print([row.id for row in archive.scan()])
print(sorted(str(p.relative_to(root)) for p in root.rglob("*")) == before)
"""


@pytest.mark.shared
def test_removing_ends_with_a_sentence_that_says_what_and_where_and_the_row_stays(shared: Path) -> None:
    with case_for_nobody(shared / "cases" / "delete-does-nothing") as root:
        reason, told, rows, unchanged = as_nobody(TRY, root).splitlines()
    assert str(root) in reason
    assert "0500" in reason
    assert told.startswith("Nothing can be changed here.")
    assert str(root) in told
    assert rows == "['Stay0001']"
    assert unchanged == "True"
