"""Jobs end exactly once, off the interface's thread, and their news arrive on it."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from chat_archive.core.errors import NotFoundError
from chat_archive.ui.jobs import JobProgress, JobRunner, JobState


def test_a_result_arrives_on_the_interface_thread(qtbot: QtBot, runner: JobRunner) -> None:
    seen: list[Any] = []
    job = runner.read(
        "look",
        lambda _p: threading.current_thread().name,
        done=lambda name: seen.append((name, threading.current_thread() is threading.main_thread())),
    )
    with qtbot.waitSignal(job.ended):
        pass
    assert len(seen) == 1
    assert seen[0][0].startswith("reader")
    assert seen[0][1]


@pytest.mark.parametrize("how", ["done", "failed", "stopped", "dies"])
def test_a_job_ends_exactly_once_whatever_happens(qtbot: QtBot, runner: JobRunner, how: str) -> None:
    ends: list[str] = []

    def work(progress: JobProgress) -> int:
        if how == "failed":
            raise NotFoundError("It is gone.")
        if how == "dies":
            raise SystemExit
        while how == "stopped":
            progress.report(1, 2)
        return 1

    job = runner.read(
        "work",
        work,
        done=lambda _r: ends.append("done"),
        failed=lambda _e: ends.append("failed"),
        finished=lambda: ends.append("finished"),
    )
    with qtbot.waitSignal(job.ended):
        if how == "stopped":
            job.cancel()
    expected = {"done": ["done"], "failed": ["failed"], "dies": ["failed"], "stopped": []}[how]
    assert ends == [*expected, "finished"]
    assert not runner.busy


def test_a_fault_nobody_takes_is_announced(qtbot: QtBot, runner: JobRunner) -> None:
    with qtbot.waitSignal(runner.fault) as caught:
        runner.read("broken", lambda _p: 1 // 0)
    assert isinstance(caught.args[1], ZeroDivisionError)


def test_a_callback_that_raises_does_not_keep_the_job_alive(qtbot: QtBot, runner: JobRunner) -> None:
    ends: list[str] = []

    def raising(_result: object) -> None:
        raise ValueError("in a callback")

    with qtbot.captureExceptions() as raised, qtbot.waitSignal(runner.ended):
        runner.read("work", lambda _p: 1, done=raising, finished=lambda: ends.append("finished"))
    assert [str(info[1]) for info in raised] == ["in a callback"]
    assert ends == ["finished"]
    assert not runner.busy


def test_changes_run_one_after_the_other_in_order(qtbot: QtBot, runner: JobRunner) -> None:
    order: list[int] = []
    inside: list[int] = []

    def work(number: int) -> None:
        inside.append(number)
        assert len(inside) == 1
        order.append(number)
        inside.remove(number)

    with qtbot.waitSignal(runner.idle):
        for number in range(20):
            runner.write("change", lambda _p, n=number: work(n))
    assert order == list(range(20))


def test_a_cancelled_read_hands_out_nothing_but_a_change_is_always_told(qtbot: QtBot, runner: JobRunner) -> None:
    go = threading.Event()
    told: list[str] = []

    def wait(_progress: JobProgress) -> str:
        go.wait(5)
        return "result"

    read = runner.read("read", wait, done=lambda _r: told.append("read"))
    write = runner.write("write", wait, done=lambda _r: told.append("write"))
    read.cancel()
    qtbot.waitUntil(lambda: write.state is JobState.RUNNING)
    write.cancel()
    with qtbot.waitSignal(runner.idle):
        go.set()
    assert told == ["write"]


def test_parts_come_in_order_and_progress_is_throttled(qtbot: QtBot, runner: JobRunner) -> None:
    parts: list[object] = []
    reports: list[object] = []
    hold = threading.Event()

    def work(progress: JobProgress) -> None:
        hold.wait(5)
        for number in range(2000):
            progress.report(number + 1, 2000, "x")
            if number % 500 == 0:
                progress.deliver(number)

    job = runner.read("many", work, delivered=parts.append)
    job.progressed.connect(lambda done, total, item: reports.append(done))
    with qtbot.waitSignal(job.ended):
        hold.set()
    assert parts == [0, 500, 1000, 1500]
    assert reports[-1] == 2000
    assert len(reports) < 100


def test_closing_ends_every_job_and_leaves_no_thread(qtbot: QtBot) -> None:
    runner = JobRunner()
    ends: list[int] = []

    def forever(progress: JobProgress) -> None:
        while True:
            progress.report(0)

    for number in range(6):
        runner.read("loop", forever, finished=lambda n=number: ends.append(n))
    runner.close()
    assert sorted(ends) == list(range(6))
    assert not [thread for thread in threading.enumerate() if thread.name.startswith(("reader", "writer"))]
