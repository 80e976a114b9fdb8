"""The list, cold: complete with counts, beside the time to read the bytes and find four keys with msgspec."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from chat_archive.core import scan
from tests.scale.conftest import Maker

pytestmark = [pytest.mark.shared, pytest.mark.scale, pytest.mark.slow]

RATIO = 2.0  # to reach; fails at BAR
BAR = 3.0
MEGABYTES = 250


class FourKeys(msgspec.Struct):
    id: str | None = None
    name: str | None = None
    created_at: str | None = None
    type: str | None = None


def read_four_keys(root: Path) -> int:
    decode = msgspec.json.Decoder(FourKeys).decode
    found = 0
    for name in os.listdir(root):
        try:
            with open(root / name / "chat.json", "rb", buffering=0) as file:
                decode(file.read())
            found += 1
        except (OSError, msgspec.MsgspecError, UnicodeError):
            continue
    return found


def seconds(action: Callable[[], object]) -> float:
    """Of this thread's own work, so that what else the machine does counts little."""
    start = time.thread_time()
    action()
    return time.thread_time() - start


@pytest.fixture
def root(make_archive: Maker, whole: bool) -> Path:
    return make_archive(1000 if whole else 150, "--seed", "11", "--median-kb", "200")


def test_the_list_costs_at_most_twice_the_reading(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [row for row in scan.scan_root(root) if not row.damaged]  # also warms the files
    assert all(row.log_items or row.messages or row.problems for row in rows)
    bare, ours = [], []
    gc.collect()
    gc.freeze()  # the heap of a test run is not that of the program
    for _round in range(7):
        # in turn, so that what else the machine does weighs on both; the calmest round of each counts
        bare.append(seconds(lambda: read_four_keys(root)))
        ours.append(seconds(lambda: sum(1 for _ in scan.scan_root(root))))
    gc.unfreeze()
    ratio = min(ours) / min(bare)
    with capsys.disabled():
        print(f"\nlist of {len(rows)} chats: {ratio:.2f} x reading and four keys (to reach {RATIO}, bar {BAR})")
    assert ratio <= BAR


def test_an_unchanged_root_opens_no_chat(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    known = {row.folder: row for row in scan.scan_root(root)}
    cold = seconds(lambda: sum(1 for _ in scan.scan_root(root)))
    warm = seconds(lambda: sum(1 for _ in scan.scan_root(root, known=known)))
    with capsys.disabled():
        print(f"\nlist again with nothing changed: {warm / cold:.3f} of the first time")
    assert warm < cold / 3


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads the memory from Linux")
def test_a_list_stays_small(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = """if True:
        import json, re, sys
        from pathlib import Path
        from chat_archive.core import scan
        rows = {row.folder: row for row in scan.scan_root(Path(sys.argv[1]))}
        # the highest of this program alone: the usual call also counts the process that started it
        highest = re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text()).group(1)
        print(json.dumps([len(rows), int(highest) // 1024]))
    """
    done = subprocess.run([sys.executable, "-c", code, str(root)], capture_output=True, text=True, check=True)
    rows, megabytes = json.loads(done.stdout)
    with capsys.disabled():
        print(f"\n{rows} rows held: {megabytes} MB resident (bar {MEGABYTES})")
    assert megabytes <= MEGABYTES
