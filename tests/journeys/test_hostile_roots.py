"""Every handed chat, broken ones too, is opened in the window: no crash, no hang, no fault, nothing written."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from chat_archive.ui.actions import TABS
from chat_archive.ui.models.chat_order import Column
from tests.builders import snapshot
from tests.journeys.conftest import Desk, Opener

pytestmark = [pytest.mark.shared, pytest.mark.slow]


def _read_everything(desk: Desk, whole: bool) -> None:
    """Choose chats one after the other as a person would, each with all its tabs."""
    window = desk.window
    model = window.model
    keys = [model.key_at(number) for number in range(model.rowCount())]
    step = 1 if whole else max(1, len(keys) // 25)
    for place, key in enumerate(keys[::step]):
        started = time.monotonic()
        window.pane.list.select([key])
        desk.settle(60_000)
        for tab in TABS if whole or place % 5 == 0 else TABS[:1]:
            window.actions_by_id[tab].trigger()
            desk.settle(60_000)
        assert time.monotonic() - started < 60, key
    for column in Column:
        model.set_order(column, True)
        model.set_order(column, False)
    window.grab()


@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", ["chats", "real-chats"])
def test_all_handed_chats_can_be_opened(
    open_window: Opener, shared: Path, tmp_path: Path, name: str, whole: bool
) -> None:
    roots = sorted({path.parent.parent for path in (shared / name).rglob("chat.json")})
    assert roots
    desk = open_window()
    for number, found in enumerate(roots if whole else roots[:12]):
        root = tmp_path / f"root{number}"
        shutil.copytree(found, root, symlinks=True)
        for path in [root, *root.rglob("*")]:
            if not path.is_symlink():
                path.chmod(0o755 if path.is_dir() else 0o644)
        before = snapshot(root)
        desk.window.commands.open_root(root)
        desk.settle(120_000)
        assert desk.window.model.rowCount() > 0
        _read_everything(desk, whole)
        assert snapshot(root) == before
        assert desk.messages.errors == []
        desk.window.roots.close(desk.window.roots.sessions[0])
        desk.settle()


@pytest.mark.timeout(600)
def test_the_hostile_chats_can_be_opened(open_window: Opener, shared: Path, tmp_path: Path, whole: bool) -> None:
    made = tmp_path / "hostile"
    subprocess.run(
        [sys.executable, str(shared / "tools" / "hostile_chat.py"), str(made)],
        check=True,
        capture_output=True,
        timeout=300,
    )
    root = next(iter(sorted({path.parent.parent for path in made.rglob("chat.json")})))
    desk = open_window()
    desk.window.commands.open_root(root)
    desk.settle(120_000)
    assert desk.window.model.rowCount() > 50
    _read_everything(desk, whole)
    assert desk.messages.errors == []
