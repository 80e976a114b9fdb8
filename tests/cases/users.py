"""Run a piece of the program as a user whom access rights can stop."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
NOBODY = 65534
_AS_NOBODY = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")


@contextmanager
def case_for_nobody(case: Path) -> Iterator[Path]:
    """The input of a case, set up by its script, in a place this other user owns and reaches."""
    if os.name == "nt":
        pytest.skip("access rights of POSIX")
    if os.geteuid() == 0 and shutil.which("setpriv") is None:
        pytest.fail("setpriv is missing, so no test can run as another user")
    import tempfile

    with tempfile.TemporaryDirectory(prefix="case-", ignore_cleanup_errors=True) as base:
        Path(base).chmod(0o755)
        work = Path(base) / "work"
        shutil.copytree(case / "input", work)
        for path in [work, *work.rglob("*")]:
            path.chmod(0o755 if path.is_dir() else 0o644)
            if os.geteuid() == 0:
                os.chown(path, NOBODY, NOBODY)
        _run(["sh", "setup.sh"], work)
        try:
            yield work / "usr" / "chats"
        finally:
            _run(["sh", "undo.sh"], work)


def as_nobody(script: str, root: Path) -> str:
    """What the Python text prints, run as that user with the root as its argument; a traceback fails the test."""
    # the other user may not be able to read the checkout, so its parts are imported before the rights are given up
    head = (
        "import os, sys\n"
        f"sys.path[:0] = {[str(PROJECT), *[p for p in sys.path if p]]!r}\n"
        "from pathlib import Path\n"
        "import chat_archive.core.archive\n"
        "from chat_archive.core.archive import Archive\n"
        "from chat_archive.core.errors import ArchiveError\n"
        "from chat_archive.core.operations import trash_slots, erase\n"
        "import zoneinfo, _strptime\n"
        f"if os.geteuid() == 0:\n    os.setgroups([]); os.setgid({NOBODY}); os.setuid({NOBODY})\n"
        "root = Path(sys.argv[1])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", head + script, str(root)], capture_output=True, text=True, cwd="/", check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def _run(command: list[str], work: Path) -> None:
    before = _AS_NOBODY if os.geteuid() == 0 else ()
    subprocess.run([*before, *command], cwd=work, check=True)
