"""Offscreen Qt, a theme and a runner for every test, and a check that nothing is left running behind it."""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Iterator
from typing import Any

os.environ["QT_QPA_PLATFORM"] = os.environ.get("CHAT_ARCHIVE_TEST_PLATFORM", "offscreen")

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QTimer
from PySide6.QtWidgets import QApplication

from chat_archive.ui.jobs import JobRunner
from chat_archive.ui.theme import Theme


@pytest.fixture(autouse=True)
def _nothing_left_running(request: pytest.FixtureRequest) -> Iterator[None]:
    """Threads and active timers of ours that outlive a test fail it (set up first, checked last)."""
    before = set(threading.enumerate())
    yield
    if QCoreApplication.instance() is not None:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    threads = [thread.name for thread in threading.enumerate() if thread not in before and thread.is_alive()]
    assert not threads, f"threads left running: {threads}"
    timers = [
        timer
        for timer in gc.get_objects()
        if isinstance(timer, QTimer) and shiboken6.isValid(timer) and timer.isActive()
    ]
    assert not timers, f"timers left running: {[timer.parent() for timer in timers]}"


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[Theme]:
    """A theme in force, light, at the system's size; the application's look is put back afterwards."""
    made = Theme()
    made.set_scheme("light")
    made.apply(qapp)
    yield made
    made.set_text_scale(1.0)
    made.set_scheme("light")
    qapp.setStyleSheet("")


@pytest.fixture
def runner(qapp: QApplication) -> Iterator[JobRunner]:
    made = JobRunner()
    yield made
    made.close()


@pytest.fixture
def inline_runner(qapp: QApplication) -> Any:
    from tests.fakes import InlineRunner

    return InlineRunner()
