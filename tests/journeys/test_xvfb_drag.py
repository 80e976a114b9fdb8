"""A file dragged with the mouse from another process onto the window, on a real X server, is imported."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Empty, Queue
from typing import IO

import pytest

from tests.builders import chat, make_root

HERE = Path(__file__).resolve().parent
pytestmark = [
    pytest.mark.xvfb,
    pytest.mark.skipif(
        shutil.which("Xvfb") is None or shutil.which("xdotool") is None, reason="needs Xvfb and xdotool"
    ),
]
Start = Callable[..., "Running"]


class Running:
    """A process whose lines can be waited for."""

    def __init__(self, arguments: list[str], environment: dict[str, str]) -> None:
        self.process = subprocess.Popen(
            arguments, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self._lines: Queue[str] = Queue()
        self.seen: list[str] = []
        assert self.process.stdout is not None
        self._reader = threading.Thread(target=self._read, args=(self.process.stdout,))
        self._reader.start()

    def _read(self, stream: IO[str]) -> None:
        for line in stream:
            self._lines.put(line.strip())

    def wait_for(self, start: str, seconds: float = 30.0) -> str:
        """The next line that begins with `start`."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            try:
                line = self._lines.get(timeout=left)
            except Empty:
                break
            self.seen.append(line)
            if line.startswith(start):
                return line
        raise AssertionError(f"no line {start!r} in {seconds} s; seen: {self.seen}")

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(10)
        self._reader.join(10)
        if self.process.stdout is not None:
            self.process.stdout.close()


@pytest.fixture
def screen() -> Iterator[str]:
    """A display of its own; the server chooses a free number and tells it."""
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x800x24", "-nolisten", "tcp"],
        pass_fds=[write],
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    with os.fdopen(read) as answer:
        number = answer.readline().strip()
    assert number, "Xvfb did not start"
    yield f":{number}"
    server.terminate()
    server.wait(10)


@pytest.fixture
def start(screen: str) -> Iterator[Start]:
    environment = {
        **os.environ,
        "DISPLAY": screen,
        "QT_QPA_PLATFORM": "xcb",
        "PYTHONPATH": str(HERE.parent.parent),
    }
    environment.pop("WAYLAND_DISPLAY", None)
    running: list[Running] = []

    def run(*arguments: object) -> Running:
        one = Running([sys.executable, *(str(argument) for argument in arguments)], environment)
        running.append(one)
        return one

    yield run
    for one in reversed(running):
        one.stop()


def _mouse(screen: str, *arguments: object) -> None:
    subprocess.run(
        ["xdotool", *(str(argument) for argument in arguments)],
        env={**os.environ, "DISPLAY": screen},
        check=True,
        timeout=20,
    )


def test_a_real_drag_from_another_process_imports_the_file(screen: str, start: Start, tmp_path: Path) -> None:
    root = make_root(tmp_path, 2)
    source = tmp_path / "carried over.json"
    source.write_text(json.dumps(chat("Drag0001", "Dragged here")), encoding="utf-8")
    window = start(HERE / "window_process.py", root, 300, 100)
    window.wait_for("ready")
    other = start(HERE / "drag_source.py", source, 20, 20)
    place = other.wait_for("ready").split()
    x, y = int(place[1]), int(place[2])
    # a drag is a press, moves with pauses, rest, release: toolkits begin and follow it at a hand's pace
    steps: list[object] = ["mousemove", x, y, "sleep", "0.3", "mousedown", 1]
    for step in range(1, 9):
        steps += ["sleep", "0.05", "mousemove", x + (700 - x) * step // 8, y + (400 - y) * step // 8]
    _mouse(screen, *steps, "sleep", "0.2", "mousemove", 702, 402, "sleep", "0.2", "mouseup", 1)
    assert other.wait_for("dropped")
    assert window.wait_for("imported") == "imported Drag0001"
    stored = json.loads((root / "Drag0001" / "chat.json").read_text(encoding="utf-8"))
    assert stored["name"] == "Dragged here"
    assert source.is_file(), "a drop copies and never takes the file away"
