"""Four hundred chats: rows appear as they are read, the window answers meanwhile, no row stands there twice."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest
from PySide6.QtCore import QElapsedTimer, QTimer

from tests.cases.window_of import (  # noqa: F401 - fixtures
    _nothing_left_running,
    case_root,
    open_window,
    theme,
)
from tests.journeys.conftest import Opener

pytestmark = [pytest.mark.shared, pytest.mark.slow]


@pytest.fixture
def root(shared: Path, tmp_path: Path) -> Path:
    case_root(shared, tmp_path, "many-chats-slow")
    place = tmp_path / "many-chats-slow"
    subprocess.run([sys.executable, "make.py"], cwd=place, check=True, capture_output=True, timeout=120)
    return place / "usr" / "chats"


def test_the_list_fills_while_the_window_answers(open_window: Opener, root: Path) -> None:  # noqa: F811
    desk = open_window()
    qtbot = desk.qtbot
    clock = QElapsedTimer()
    clock.start()
    gaps: list[int] = []
    counts: list[int] = []
    beat = QTimer()

    def tick() -> None:
        gaps.append(clock.restart())
        counts.append(desk.window.model.rowCount())

    beat.setInterval(0)
    beat.timeout.connect(tick)
    beat.start()
    started = time.monotonic()
    desk.window.commands.open_root(root)
    qtbot.waitUntil(lambda: desk.window.model.rowCount() > 0, timeout=20_000)
    first = time.monotonic() - started
    desk.settle(60_000)
    whole = time.monotonic() - started
    beat.stop()
    folders = [row.folder for row in desk.window.model.shown_rows]
    print(f"first rows after {first:.2f} s, all after {whole:.2f} s, longest gap {max(gaps)} ms")
    assert len(folders) == len(set(folders)) == 400
    assert len(set(counts)) > 2, "rows come in batches, not all at the end"
    assert first < 3 * 2
    assert max(gaps) < 3 * 100, "the window never stands still"
    started = time.monotonic()
    desk.do("refresh")
    again = time.monotonic() - started
    print(f"nothing changed: looked through in {again:.2f} s")
    assert again < 3 * 1
