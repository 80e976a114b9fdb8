"""The case many-chats-slow: 400 chats of 50 to 400 KB (the core part)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from chat_archive.core import files, scan
from tests.builders import age

pytestmark = pytest.mark.shared


@pytest.fixture
def root(case_input):  # type: ignore[no-untyped-def]
    return case_input("many-chats-slow") / "usr/chats"


@pytest.fixture
def many(root):  # type: ignore[no-untyped-def]
    subprocess.run([sys.executable, "make.py"], cwd=root.parent.parent, check=True)
    for path in root.glob("*/chat.json"):
        age(path)
    return root


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads the memory from Linux")
def test_400_rows_no_row_twice_in_time_and_memory(many) -> None:
    code = """if True:
        import re, sys, time
        from pathlib import Path
        from chat_archive.core import scan
        start = time.perf_counter()
        folders = [row.folder for row in scan.scan_root(Path(sys.argv[1]))]
        seconds = time.perf_counter() - start
        highest = re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text()).group(1)
        print(len(folders), len(set(folders)), seconds, highest)
    """
    done = subprocess.run([sys.executable, "-c", code, str(many)], capture_output=True, text=True, check=True)
    rows, different, seconds, kilobytes = done.stdout.split()
    assert (int(rows), int(different)) == (400, 400)
    assert float(seconds) < 2 * 3  # three times the figure: the machine may be busy
    assert int(kilobytes) < 300 * 1024


def test_a_second_look_opens_no_chat(many, monkeypatch) -> None:
    known = {row.folder: row for row in scan.scan_root(many)}
    opened: list[str] = []
    monkeypatch.setattr(files, "read_once", lambda _root, *parts, **_more: opened.append(parts[0]) or (b"{}", None))
    assert len({row.folder for row in scan.scan_root(many, known=known)}) == 400
    assert not [name for name in opened if name.startswith("Many")]
