"""The case folder-not-readable: a file, a folder and a folder for reading only, seen by a user who is not root."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.shared


@pytest.fixture
def root(case_input):  # type: ignore[no-untyped-def]
    return case_input("folder-not-readable") / "usr/chats"


SCRIPT = """if True:
    import json, os, sys
    from pathlib import Path
    from chat_archive.core import scan
    os.setgroups([]), os.setgid(65534), os.setuid(65534)
    root = Path(sys.argv[1])
    rows = {row.folder: row for row in scan.scan_root(root)}
    print(json.dumps({name: [row.state, [found.text for found in row.problems]] for name, row in rows.items()}))
    assert len(scan.load(root, "Perm0000").log.items) == 2
"""


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="changes its user, which only root can")
def test_three_rows_say_what_is_not_allowed_and_the_fourth_opens(root, tmp_path) -> None:
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_uid == 0 and len(folder.parts) > 2:
            folder.chmod(0o755)
    for path in [root.parent.parent, *root.parent.parent.rglob("*")]:
        os.chown(path, 65534, 65534)
    subprocess.run(["sh", "setup.sh"], cwd=root.parent.parent, check=True)
    modes = {path: path.stat().st_mode for path in root.rglob("*")}
    done = subprocess.run([sys.executable, "-c", SCRIPT, str(root)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)
    assert rows["Perm0000"] == ["ok", []]
    assert rows["Perm0001"][0] == "damaged"
    assert "The file cannot be read" in rows["Perm0001"][1][0]
    assert rows["Perm0002"][0] == "ok"
    assert "cannot be changed" in rows["Perm0002"][1][0]
    assert rows["Perm0003"][0] == "damaged"
    assert "The folder cannot be opened" in rows["Perm0003"][1][0]
    assert {path: path.stat().st_mode for path in root.rglob("*")} == modes
