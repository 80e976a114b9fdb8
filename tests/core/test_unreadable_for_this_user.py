"""Files of another user: said in words, never a crash (D-19)."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.builders import chat, put
from tests.cases.users import as_nobody

TRY = """
archive = Archive.open(root)
(row,) = archive.scan()
print(row.state, "|", row.problems[0].text)
for act in (archive.read_bytes, archive.load, lambda folder: archive.rename(folder, "N")):
    try:
        act("Root0001")
    except ArchiveError as error:
        print(error)
"""


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="needs files of another user")
def test_d19_a_file_of_root_is_a_row_with_its_reason_and_a_way_out() -> None:
    import tempfile

    base = Path(tempfile.mkdtemp(prefix="chats-"))
    try:
        base.chmod(0o755)
        root = base / "chats"
        path = put(root, "Root0001", chat("Root0001"))
        path.chmod(0o600)
        for folder in (root, path.parent):
            folder.chmod(0o777)
        row, *told = as_nobody(TRY, root).splitlines()
    finally:
        shutil.rmtree(base)
    assert row.startswith("damaged | ")
    assert len(told) == 3
    for sentence in told:
        assert "not allowed" in sentence
        assert "user number 0" in sentence
        assert "0600" in sentence
