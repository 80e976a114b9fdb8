"""The only thread code: jobs on two lanes, reads side by side, changes one after the other.

An operation gets a `JobProgress` and returns its result; it touches no widget. Callbacks run on the interface's
thread. Every job ends exactly once, after success, failure and stopping alike.
"""

from __future__ import annotations

import itertools
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from enum import StrEnum
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal

from chat_archive.core.errors import Cancelled
from chat_archive.core.progress import CancelToken, Throttle, stop_if

Operation = Callable[["JobProgress"], Any]
_READERS = 2  # parsing holds the interpreter's lock; more readers only wait for each other


class JobState(StrEnum):
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    STOPPED = "stopped"


class JobProgress:
    """The core's `Progress` of one job. `report` raises `Cancelled` once the job was asked to stop."""

    def __init__(self, job: Job, send: Callable[[Callable[[], None]], None]) -> None:
        self._job = job
        self._send = send
        self._throttle = Throttle()

    @property
    def cancelled(self) -> bool:
        return self._job.token.cancelled

    def report(self, done: int, total: int | None = None, item: str = "") -> None:
        stop_if(self._job.token)
        if self._throttle.passes(done, total):
            self._send(lambda: self._job.take_progress(done, total, item))

    def deliver(self, part: object) -> None:
        """Hand a finished part of the result to the interface before the rest is there."""
        stop_if(self._job.token)
        self._send(lambda: self._job.take_part(part))


class Job(QObject):
    """One piece of work as the interface sees it. Lives on the interface's thread."""

    progressed = Signal(object, object, str)  # done, total or None, item
    delivered = Signal(object)
    ended = Signal()

    def __init__(self, number: int, name: str, *, writes: bool, quiet: bool, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.number = number
        self.name = name
        self.writes = writes
        self.quiet = quiet  # housekeeping: never shown in the status bar
        self.state = JobState.WAITING
        self.token = CancelToken()
        self.done_units = 0
        self.total_units: int | None = None
        self.item = ""
        self.result: object = None
        self.error: Exception | None = None

    def cancel(self) -> None:
        """Ask to stop between units. A read that was stopped hands out nothing more; a change reports what it did."""
        self.token.cancel()

    @property
    def over(self) -> bool:
        return self.state in (JobState.DONE, JobState.FAILED, JobState.STOPPED)

    def take_progress(self, done: int, total: int | None, item: str) -> None:
        if self.over:
            return
        self.done_units, self.total_units, self.item = done, total, item
        self.progressed.emit(done, total, item)

    def take_part(self, part: object) -> None:
        if not self.over and not self.token.cancelled:
            self.delivered.emit(part)


class JobRunner(QObject):
    """Runs jobs. `read` for what only looks (parallel), `write` for changes (one thread, in order)."""

    started = Signal(object)  # Job
    ended = Signal(object)  # Job
    idle = Signal()
    fault = Signal(object, object)  # Job, error that no `failed` callback took
    _wake = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._numbers = itertools.count(1)
        self._mail: deque[Callable[[], None]] = deque()
        self._jobs: dict[int, Job] = {}
        self._closed = False
        self._readers: ThreadPoolExecutor | None = None
        self._writer: ThreadPoolExecutor | None = None
        self._wake.connect(self._drain, Qt.ConnectionType.QueuedConnection)

    def read(
        self,
        name: str,
        operation: Operation,
        *,
        done: Callable[[Any], None] | None = None,
        failed: Callable[[Exception], None] | None = None,
        finished: Callable[[], None] | None = None,
        delivered: Callable[[Any], None] | None = None,
        quiet: bool = False,
    ) -> Job:
        """Start work that changes nothing. `done` is not called when the job was cancelled meanwhile."""
        job = self._make(name, writes=False, quiet=quiet)
        if self._readers is None:
            self._readers = ThreadPoolExecutor(_READERS, thread_name_prefix="reader")
        self._launch(self._readers, job, operation, (done, failed, finished, delivered))
        return job

    def write(
        self,
        name: str,
        operation: Operation,
        *,
        done: Callable[[Any], None] | None = None,
        failed: Callable[[Exception], None] | None = None,
        finished: Callable[[], None] | None = None,
        delivered: Callable[[Any], None] | None = None,
        quiet: bool = False,
    ) -> Job:
        """Start a change. What it returns is always told by `done`, also when it was asked to stop half-way."""
        job = self._make(name, writes=True, quiet=quiet)
        if self._writer is None:
            self._writer = ThreadPoolExecutor(1, thread_name_prefix="writer")
        self._launch(self._writer, job, operation, (done, failed, finished, delivered))
        return job

    @property
    def jobs(self) -> tuple[Job, ...]:
        """Those waiting or running, oldest first."""
        return tuple(self._jobs.values())

    @property
    def busy(self) -> bool:
        return bool(self._jobs)

    def cancel_all(self) -> None:
        for job in self.jobs:
            job.cancel()

    def close(self) -> None:
        """Stop everything that can be stopped and wait for the rest, writers last; every job still ends once."""
        if self._closed:
            return
        self._closed = True
        self.cancel_all()
        for pool in (self._readers, self._writer):
            if pool is not None:
                pool.shutdown(wait=True)
        self._drain()

    # inside

    def _make(self, name: str, *, writes: bool, quiet: bool) -> Job:
        if self._closed:
            raise RuntimeError("the runner is closed")
        job = Job(next(self._numbers), name, writes=writes, quiet=quiet, parent=self)
        self._jobs[job.number] = job
        return job

    def _launch(
        self,
        pool: ThreadPoolExecutor,
        job: Job,
        operation: Operation,
        calls: tuple[
            Callable[[Any], None] | None,
            Callable[[Exception], None] | None,
            Callable[[], None] | None,
            Callable[[Any], None] | None,
        ],
    ) -> None:
        done, failed, finished, delivered = calls
        if delivered is not None:
            job.delivered.connect(delivered)
        self.started.emit(job)
        pool.submit(self._work, job, operation, lambda: self._end(job, done, failed, finished))

    def _work(self, job: Job, operation: Operation, end: Callable[[], None]) -> None:
        """On the worker's thread: run, note the outcome, tell the interface once."""
        state = JobState.FAILED
        try:
            stop_if(job.token)
            self._send(lambda: self._begin(job))
            job.result = operation(JobProgress(job, self._send))
            state = JobState.DONE
        except Cancelled:
            state = JobState.STOPPED
        except Exception as error:
            job.error = error
        except BaseException as error:  # a worker must not die silently, and the job must end
            job.error = RuntimeError(f"{type(error).__name__} in a job")
        finally:

            def finish() -> None:
                # a read that was called off has nobody left to tell; a change that happened is always told
                stopped = job.token.cancelled and not job.writes
                job.state = JobState.STOPPED if stopped else state
                end()

            self._send(finish)

    def _begin(self, job: Job) -> None:
        if not job.over:
            job.state = JobState.RUNNING

    def _end(
        self,
        job: Job,
        done: Callable[[Any], None] | None,
        failed: Callable[[Exception], None] | None,
        finished: Callable[[], None] | None,
    ) -> None:
        """On the interface's thread, once a job. The callbacks may raise; the job is over all the same."""
        self._jobs.pop(job.number, None)
        try:
            if job.state is JobState.DONE and done is not None:
                done(job.result)
            elif job.state is JobState.FAILED and job.error is not None:
                if failed is not None:
                    failed(job.error)
                else:
                    self.fault.emit(job, job.error)
        finally:
            try:
                if finished is not None:
                    finished()
            finally:
                job.ended.emit()
                self.ended.emit(job)
                if not self._jobs:
                    self.idle.emit()
                job.result = None
                job.deleteLater()

    def _send(self, call: Callable[[], None]) -> None:
        self._mail.append(call)
        self._wake.emit()

    def _drain(self) -> None:
        if threading.current_thread() is not threading.main_thread():
            return
        while True:
            try:
                call = self._mail.popleft()
            except IndexError:
                return
            call()
