"""The input of a handed case, copied to where it may be changed, and opened in the window."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.journeys.conftest import open_window  # noqa: F401 - fixture
from tests.ui.conftest import _nothing_left_running, theme  # noqa: F401 - fixtures


def case_root(shared: Path, tmp_path: Path, name: str, below: str = "usr/chats") -> Path:
    """A copy of the case's chats root with files an hour old, so that none counts as live."""
    import os
    import time

    target = tmp_path / name
    shutil.copytree(shared / "cases" / name / "input", target)
    moment = time.time() - 3600
    for path in target.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
        if path.is_file():
            os.utime(path, (moment, moment))
    return target / below
