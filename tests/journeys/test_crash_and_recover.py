"""The program dies in the middle of a change; the next start puts everything in order without a question."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.builders import make_root, snapshot
from tests.journeys.conftest import Opener

# stops dead at the nth move of a chat, as a power cut or kill -9 would
_DIES = """
import os, sys
from chat_archive.core import files
from chat_archive.core.archive import Archive

root, verb, after = sys.argv[1], sys.argv[2], int(sys.argv[3])
left = [after]
real = files.move_at

def move(*args, **more):
    if left[0] == 0:
        os._exit(9)
    left[0] -= 1
    return real(*args, **more)

files.move_at = move
archive = Archive.open(root)
names = [row.folder for row in archive.scan()]
if verb == "trash":
    archive.trash(names)
else:
    archive.restore([entry.id for entry in archive.trash_entries()])
"""


def _die(root: Path, verb: str, after: int) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", _DIES, str(root), verb, str(after)], capture_output=True, timeout=60, check=False
    )
    assert ended.returncode == 9, ended.stderr.decode()


@pytest.mark.parametrize("after", [0, 1, 3])
def test_a_death_while_trashing_loses_no_chat(open_window: Opener, tmp_path: Path, after: int) -> None:
    root = make_root(tmp_path, 4)
    before = {name: found[3] for name, found in snapshot(root).items() if name.endswith("chat.json")}
    _die(root, "trash", after)
    desk = open_window(root)
    assert not desk.messages.errors
    listed, trashed = len(desk.folders), len(desk.window.trash_entries())
    assert listed + trashed == 4
    if trashed:
        desk.window.changes.restore(desk.window.trash_entries())
        desk.settle()
    assert len(desk.folders) == 4
    after_all = {name: found[3] for name, found in snapshot(root).items() if name.endswith("chat.json")}
    assert {name: found for name, found in after_all.items() if name.startswith("Chat")} == before
    assert list((root / ".chat-archive" / "staging").iterdir()) == []


@pytest.mark.parametrize("after", [0, 2])
def test_a_death_while_restoring_loses_no_chat(open_window: Opener, tmp_path: Path, after: int) -> None:
    root = make_root(tmp_path, 3)
    desk = open_window(root)
    desk.window.pane.list.selectAll()
    desk.do("move_to_trash")
    desk.window.close()
    _die(root, "restore", after)
    again = open_window(root)
    assert not again.messages.errors
    assert len(again.folders) + len(again.window.trash_entries()) == 3
