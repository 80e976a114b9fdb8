"""Every handed chat, sound, old, broken and hostile, through the detail area with every tab shown.

No exception, no warning of Qt, no hang, nothing changed on the disk.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from chat_archive.core import scan
from chat_archive.core.archive import Archive
from chat_archive.ui.models.transcript_model import Part
from chat_archive.ui.theme import Theme
from chat_archive.ui.views.detail_panel import DetailPanel, Tab
from tests.builders import snapshot

pytestmark = pytest.mark.shared

SECONDS = 2.0
LOOSE = 3  # a busy machine
_OPENED = (2, 12)  # steps opened at either end of a chat, in the short form and whole


def look_at(panel: DetailPanel, archive: Archive, row: Any, opened: int) -> float:
    """Show a chat, every tab of it, some of its steps opened; the longest it took to answer, in seconds."""
    worst = 0.0

    def timed(action: Any) -> None:
        nonlocal worst
        started = time.perf_counter()
        action()
        panel.grab()
        QApplication.processEvents()
        worst = max(worst, time.perf_counter() - started)

    panel.set_current_tab(Tab.TRANSCRIPT)
    timed(lambda: panel.show_chat(archive, row))
    model, bar = panel.transcript.model, panel.transcript.view.verticalScrollBar()
    lines = [number for number in range(model.rowCount()) if model.row(number).part in (Part.LINE, Part.MORE)]
    for number in sorted({*lines[:opened], *lines[-opened:]}, reverse=True):
        if number < model.rowCount():
            timed(lambda place=number: model.toggle(place))  # type: ignore[misc]
    for share in (0.5, 1.0, 0.0):
        timed(lambda part=share: bar.setValue(round(bar.maximum() * part)))  # type: ignore[misc]
    for tab in Tab:
        timed(lambda place=tab: panel.set_current_tab(place))  # type: ignore[misc]
    model_of_raw = panel.raw.model
    for number in range(min(model_of_raw.rowCount(), 12)):
        index = model_of_raw.index(number, 0)
        if model_of_raw.canFetchMore(index):
            timed(lambda place=index: model_of_raw.fetchMore(place))  # type: ignore[misc]
    return worst


def roots_below(shared: Path) -> list[Path]:
    found = [shared / "chats" / "usr" / "chats", shared / "chats" / "broken" / "usr" / "chats", shared / "real-chats"]
    for version in sorted((shared / "chats" / "legacy").iterdir()):
        found += [root for root in (version / "tmp" / "chats", version / "usr" / "chats") if root.is_dir()]
    return found


@pytest.fixture
def made_panel(theme: Theme, inline_runner: Any, qtbot: Any) -> DetailPanel:
    panel = DetailPanel(theme, inline_runner)
    qtbot.addWidget(panel)
    panel.resize(720, 860)
    panel.show()
    faults: list[object] = []
    inline_runner.fault.connect(lambda _job, error: faults.append(error))
    panel.faults = faults  # type: ignore[attr-defined]
    return panel


def go_through(panel: DetailPanel, root: Path, whole: bool) -> dict[str, float]:
    took: dict[str, float] = {}
    with Archive.open(root, write=False) as archive:
        for row in scan.scan_root(root):
            took[str(row.folder)] = look_at(panel, archive, row, _OPENED[whole])
            assert not panel.faults, (row.folder, panel.faults)  # type: ignore[attr-defined]
    panel.show_nothing()
    return took


def test_every_handed_chat_is_shown_in_every_tab(made_panel: DetailPanel, shared: Path, whole: bool) -> None:
    before = {root: snapshot(root) for root in roots_below(shared)}
    count = 0
    for root in before:
        took = go_through(made_panel, root, whole)
        count += len(took)
        slow = {name: round(seconds, 1) for name, seconds in took.items() if seconds > SECONDS * LOOSE}
        assert not slow, (root, slow)
    assert count > 90
    assert {root: snapshot(root) for root in before} == before


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_every_hostile_chat_is_shown_in_every_tab(
    made_panel: DetailPanel, shared: Path, tmp_path: Path, whole: bool
) -> None:
    root = tmp_path / "usr" / "chats"
    command = [sys.executable, str(shared / "tools" / "hostile_chat.py"), str(root), *(["--big"] if whole else [])]
    subprocess.run(command, check=True, capture_output=True)
    before = snapshot(root)
    took = go_through(made_panel, root, whole)
    slow = {name: round(seconds, 1) for name, seconds in took.items() if seconds > SECONDS * LOOSE}
    assert not slow, slow
    assert snapshot(root) == before
