"""Opening a chat of 30 MB: the window answers all the time, whatever tab is looked at."""

from __future__ import annotations

import gc
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import msgspec
import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from chat_archive.core.archive import Archive
from chat_archive.core.entities import Folder
from chat_archive.ui.jobs import JobRunner
from chat_archive.ui.theme import Theme
from chat_archive.ui.views.detail_panel import DetailPanel, Tab
from tests.builders import chat, history, item, message, put, topic

LIMIT_MS = 100
FRAME_MS = 16
ATTEMPTS = 3
LOOSE = 3  # absolute figures fail only at three times their value
BEAT_MS = 5

_PROSE = "The tide gauge loses nine minutes a week, so the logger is compared with the harbour clock. "
_CODE = "```python\nfor row in rows:\n    print(row.height, row.time)\n```\n"


def big_chat(log_items: int = 1000, characters: int = 15_000, messages: int = 1000) -> dict[str, object]:
    """A chat of some 30 MB: half log, half history."""
    prose = (_PROSE * (characters // len(_PROSE) + 1))[: characters - 200]
    lines = "\n".join(prose[at : at + 90] for at in range(0, len(prose), 90))
    kinds = ("user", "agent", "tool", "code_exe", "response")
    logs = []
    for number in range(log_items):
        kind = kinds[number % len(kinds)]
        text = f"{number}: {lines}" if kind in ("tool", "code_exe") else f"{number}: {prose}\n\n{_CODE}"
        kvps: dict[str, object] = {"code": "df -h", "session": 0, "runtime": "terminal"} if kind == "code_exe" else {}
        logs.append(item(number, kind, text, id=f"m{number}", kvps=kvps, heading=f"A0: step {number}"))
    said = []
    for number in range(messages):
        text = f"{number}: {prose}"
        if number % 3 == 0:
            said.append(message(text, id=f"m{number}"))
        elif number % 3 == 1:
            reply = {"thoughts": [text[:400]], "tool_name": "response", "tool_args": {"text": text}}
            said.append(message(json.dumps(reply), ai=True, id=f"m{number}"))
        else:
            said.append(message({"tool_name": "x", "tool_result": text}, id=f"m{number}"))
    topics = [topic(said[at : at + 10]) for at in range(0, len(said), 10)]
    agents = [{"number": 0, "agent_profile": "agent0", "data": {}, "history": history((), topics=topics)}]
    return chat("Big00001", "Big", logs=logs, agents=agents)


@contextmanager
def heartbeat(app: QApplication) -> Iterator[list[float]]:
    """Gaps between beats of the event loop, in milliseconds."""
    gaps: list[float] = []
    last = [time.perf_counter()]

    def beat() -> None:
        now = time.perf_counter()
        gaps.append((now - last[0]) * 1000)
        last[0] = now

    timer = QTimer()
    timer.timeout.connect(beat)
    timer.start(BEAT_MS)
    app.processEvents()
    last[0] = time.perf_counter()
    try:
        yield gaps
    finally:
        beat()
        timer.stop()


@pytest.fixture(scope="module")
def big_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("big") / "usr" / "chats"
    put(root, "Big00001", big_chat())
    assert (root / "Big00001" / "chat.json").stat().st_size > 28_000_000
    return root


class _Message(msgspec.Struct):
    id: str
    ai: bool
    content: object
    tokens: int = 0


class _Topic(msgspec.Struct):
    messages: list[_Message]


class _History(msgspec.Struct):
    topics: list[_Topic]
    current: _Topic


class _Agent(msgspec.Struct):
    history: str


class _Item(msgspec.Struct):
    no: int
    type: str
    heading: str
    content: str
    kvps: dict[str, object]


class _Log(msgspec.Struct):
    logs: list[_Item]


class _Chat(msgspec.Struct):
    agents: list[_Agent]
    log: _Log


def typed_parse(data: bytes) -> float:
    """Seconds msgspec takes for the whole chat with types, history included."""
    started = time.perf_counter()
    parsed = msgspec.json.decode(data, type=_Chat)
    for agent in parsed.agents:
        msgspec.json.decode(agent.history, type=_History)
    return time.perf_counter() - started


def resident() -> int:
    """Bytes this process holds now."""
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Desk:
    """A detail area with real workers over the big chat."""

    def __init__(self, app: QApplication, root: Path, qtbot: Any) -> None:
        self.app, self.qtbot = app, qtbot
        self.theme = Theme()
        self.theme.set_scheme("light")
        self.theme.apply(app)
        self.runner = JobRunner()
        self.panel = DetailPanel(self.theme, self.runner)
        self.panel.resize(760, 900)
        self.panel.show()
        self.archive = Archive.open(root, write=False)
        self.row = self.archive.row(Folder("Big00001"))
        app.processEvents()

    def settle(self) -> None:
        self.app.processEvents()
        self.qtbot.waitUntil(lambda: not self.runner.busy, timeout=60_000)
        self.app.processEvents()

    def open(self) -> float:
        """Seconds until the first screen is painted."""
        started = time.perf_counter()
        self.panel.show_chat(self.archive, self.row)
        self.qtbot.waitUntil(lambda: self.panel.transcript.model.rowCount() > 0, timeout=30_000)
        self.app.processEvents()
        return time.perf_counter() - started

    def close(self) -> None:
        self.panel.show_nothing()
        self.runner.close()
        self.archive.close()
        self.panel.close()
        self.panel.deleteLater()


@pytest.fixture
def desk(qapp: QApplication, big_root: Path, qtbot: Any) -> Iterator[Desk]:
    made = Desk(qapp, big_root, qtbot)
    yield made
    made.close()


@pytest.mark.scale
@pytest.mark.slow
def test_no_gap_while_a_30_mb_chat_is_opened_and_each_tab_looked_at(desk: Desk) -> None:
    best: dict[str, float] = {}
    for _ in range(ATTEMPTS):  # other work on the machine makes gaps that are not ours
        gc.collect()
        desk.panel.set_current_tab(Tab.TRANSCRIPT)
        worst: dict[str, float] = {}
        with heartbeat(desk.app) as gaps:
            desk.open()
            desk.settle()
        worst["open"] = max(gaps)
        for tab in Tab:
            with heartbeat(desk.app) as gaps:
                desk.panel.set_current_tab(tab)
                desk.settle()
            worst[tab.name.lower()] = max(gaps)
        best = {name: min(gap, best.get(name, gap)) for name, gap in worst.items()}
        if max(best.values()) < LIMIT_MS:
            break
        desk.panel.show_nothing()
        desk.settle()
    print("\nworst gaps in ms:", {name: round(gap) for name, gap in best.items()})
    assert max(best.values()) < LIMIT_MS, best


@pytest.mark.scale
@pytest.mark.slow
def test_the_first_screen_and_the_memory_stay_near_the_bare_parse(desk: Desk, big_root: Path) -> None:
    data = (big_root / "Big00001" / "chat.json").read_bytes()
    parse = min(typed_parse(data) for _ in range(3))
    size = len(data)
    del data
    gc.collect()
    desk.panel.show_nothing()
    before = resident()
    held = 0
    desk.open()
    for tab in Tab:
        desk.panel.set_current_tab(tab)
        desk.settle()
        held = max(held, resident() - before)
    times = []
    for _ in range(5):
        desk.panel.show_nothing()
        desk.settle()
        times.append(desk.open())
        desk.settle()
    shown = sorted(times)[2]
    print(
        f"\nfirst screen {shown * 1000:.0f} ms, typed parse {parse * 1000:.0f} ms, ratio {shown / parse:.2f};"
        f" held {held / size:.1f} x the size"
    )
    assert shown < (parse * 1.2 + 0.05) * LOOSE
    assert held < 4 * size


@pytest.mark.scale
@pytest.mark.slow
def test_scrolling_lays_out_little_and_stays_smooth(desk: Desk) -> None:
    desk.open()
    desk.settle()
    model, bar = desk.panel.transcript.model, desk.panel.transcript.view.verticalScrollBar()
    for number in range(min(200, model.rowCount()) - 1, -1, -1):
        model.toggle(number)
    desk.app.processEvents()
    frames = []
    for _ in range(300):
        started = time.perf_counter()
        bar.setValue(bar.value() + 90)
        desk.panel.transcript.view.viewport().update()
        desk.app.processEvents()
        frames.append((time.perf_counter() - started) * 1000)
    frames.sort()
    made = desk.panel.transcript.view.page.made
    print(f"\nframes: median {frames[150]:.1f} ms, p99 {frames[296]:.1f} ms; {made} documents laid out")
    assert frames[296] < FRAME_MS * LOOSE
    assert made < 150
