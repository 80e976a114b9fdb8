"""A chat whose folder cannot be changed is not half removed, and no rights are changed or tried again with more."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases.users import as_nobody, case_for_nobody

TRY = """
def state():
    ours = root / ".chat-archive"
    return sorted((str(p), p.lstat().st_mode) for p in root.rglob("*") if p != ours and ours not in p.parents)
before = state()
archive = Archive.open(root)
result = archive.trash(["Perm0002", "Perm0000"])
print([item.ok for item in sorted(result.items, key=lambda item: item.folder)])
print(next(item.text for item in result.items if item.folder == "Perm0002"))
try:
    erase.erase(archive.workspace, "Perm0002")
except ArchiveError as error:
    print(error)
archive.restore([entry.id for entry in archive.trash_entries()])
print(state() == before)
print(archive.trash_entries() == [])
"""


@pytest.mark.shared
def test_removing_it_fails_with_a_sentence_naming_the_folder_and_the_other_goes(shared: Path) -> None:
    with case_for_nobody(shared / "cases" / "folder-not-readable") as root:
        moved, told, erased, unchanged, empty = as_nobody(TRY, root).splitlines()
    assert moved == "[True, False]"
    for sentence in (told, erased):
        assert "not allowed" in sentence
        assert str(root / "Perm0002") in sentence
        assert "0500" in sentence
    assert (unchanged, empty) == ("True", "True")
