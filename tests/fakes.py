"""Stand-ins with the same face as the real thing, for tests that want no thread, no window, no question."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal

from chat_archive.core.errors import Cancelled
from chat_archive.ui.jobs import Job, JobProgress, JobState


class InlineRunner(QObject):
    """`JobRunner` that runs a job before `read` or `write` returns."""

    started = Signal(object)
    ended = Signal(object)
    idle = Signal()
    fault = Signal(object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._numbers = itertools.count(1)
        self.names: list[str] = []
        self.jobs: tuple[Job, ...] = ()
        self.busy = False

    def read(self, name: str, operation: Callable[[JobProgress], Any], **calls: Any) -> Job:
        return self._run(name, operation, writes=False, **calls)

    def write(self, name: str, operation: Callable[[JobProgress], Any], **calls: Any) -> Job:
        return self._run(name, operation, writes=True, **calls)

    def cancel_all(self) -> None:
        return None

    def close(self) -> None:
        return None

    def _run(
        self,
        name: str,
        operation: Callable[[JobProgress], Any],
        *,
        writes: bool,
        done: Callable[[Any], None] | None = None,
        failed: Callable[[Exception], None] | None = None,
        finished: Callable[[], None] | None = None,
        delivered: Callable[[Any], None] | None = None,
        quiet: bool = False,
    ) -> Job:
        job = Job(next(self._numbers), name, writes=writes, quiet=quiet, parent=self)
        self.names.append(name)
        if delivered is not None:
            job.delivered.connect(delivered)
        self.started.emit(job)
        job.state = JobState.RUNNING
        try:
            result = operation(JobProgress(job, lambda call: call()))
        except Cancelled:
            job.state = JobState.STOPPED
        except Exception as error:  # the runner's whole point
            job.state = JobState.FAILED
            if failed is not None:
                failed(error)
            else:
                self.fault.emit(job, error)
        else:
            job.state = JobState.DONE
            if done is not None:
                done(result)
        finally:
            if finished is not None:
                finished()
            job.ended.emit()
            self.ended.emit(job)
            self.idle.emit()
        return job
