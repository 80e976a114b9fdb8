"""Stand-ins with the same face as the real thing, for tests that want no thread, no window, no question."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, QThread, Signal

from chat_archive.core.deletion import DeleteChoices
from chat_archive.core.entities import (
    ChatRow,
    FoundRoot,
    ImportItem,
    OnConflict,
    OperationResult,
    TrashEntry,
)
from chat_archive.core.errors import Cancelled
from chat_archive.core.operations.plan import DeletionPlan
from chat_archive.core.provider.bases import Base
from chat_archive.ui.dialogs.provider_dialogs import KeyChoice
from chat_archive.ui.jobs import Job, JobProgress, JobState
from chat_archive.ui.models.receipts_model import ReceiptLine
from chat_archive.ui.prompts import DeletionAnswer, ExportChoice, ImportChoice, PlanSource


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


class FakePrompts:
    """Answers without a window. Set the answers before; `asked` tells in order what was asked and about what."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, tuple[Any, ...]]] = []
        self.yes = True
        self.name: str | None = "New name"
        self.root: Path | None = None
        self.among: list[FoundRoot] | None = None  # None: all that were found
        self.export: ExportChoice | None = None
        self.import_files: list[Path] = []
        self.import_folder: list[Path] = []
        self.on_conflict = OnConflict.SKIP
        self.import_nothing = False
        self.deletion: DeleteChoices = DeleteChoices()
        self.plans: list[DeletionPlan] = []  # those that `choose_deletion` was given last

    @property
    def questions(self) -> list[str]:
        return [name for name, _about in self.asked]

    def _note(self, name: str, about: Sequence[Any] = ()) -> None:
        self.asked.append((name, tuple(about)))

    def confirm_trash(self, rows: Sequence[ChatRow]) -> bool:
        self._note("confirm_trash", rows)
        return self.yes

    def choose_deletion(self, rows: Sequence[ChatRow], plans: PlanSource) -> DeletionAnswer | None:
        """Answers when the plans are there or could not be made; with a real runner that is awaited."""
        self._note("choose_deletion", rows)
        self.plans = []
        ended: list[object] = []

        def done(found: Sequence[DeletionPlan]) -> None:
            self.plans = list(found)
            ended.append(found)

        stop = plans(done, ended.append)
        for _ in range(2000):
            if ended:
                break
            QCoreApplication.processEvents()
            QThread.msleep(5)
        stop()
        return DeletionAnswer(self.deletion, tuple(self.plans)) if self.yes and rows else None

    def confirm_empty(self, entries: Sequence[TrashEntry]) -> bool:
        self._note("confirm_empty", entries)
        return self.yes

    def confirm_remove_messages(self, rows: Sequence[ChatRow]) -> bool:
        self._note("confirm_remove_messages", rows)
        return self.yes

    def confirm_convert(self, items: Sequence[ImportItem]) -> bool:
        self._note("confirm_convert", items)
        return self.yes

    def new_name(self, row: ChatRow) -> str | None:
        self._note("new_name", (row,))
        return self.name

    def choose_root(self) -> Path | None:
        self._note("choose_root")
        return self.root

    def choose_among(self, found: Sequence[FoundRoot]) -> list[FoundRoot]:
        self._note("choose_among", found)
        return list(found) if self.among is None else self.among

    def choose_export_target(self, rows: Sequence[ChatRow]) -> ExportChoice | None:
        self._note("choose_export_target", rows)
        return self.export

    def choose_import_files(self) -> list[Path]:
        self._note("choose_import_files")
        return self.import_files

    def choose_import_folder(self) -> list[Path]:
        self._note("choose_import_folder")
        return self.import_folder

    def review_import(self, items: Sequence[ImportItem]) -> ImportChoice | None:
        self._note("review_import", items)
        taken = tuple(item for item in items if item.importable)
        return None if self.import_nothing or not taken else ImportChoice(taken, self.on_conflict)


class RecordingMessages:
    """Keeps what the program told, in order."""

    def __init__(self) -> None:
        self.errors: list[BaseException] = []
        self.results: list[OperationResult] = []
        self.notices: list[str] = []
        self.offers: list[tuple[str, Callable[[], object]]] = []

    def error(self, error: BaseException) -> None:
        self.errors.append(error)

    def result(self, result: OperationResult) -> None:
        self.results.append(result)

    def notice(self, text: str, offer: tuple[str, Callable[[], object]] | None = None) -> None:
        self.notices.append(text)
        if offer is not None:
            self.offers.append(offer)


class FakeProviderPrompts:
    """Answers about responses at a provider, without a window."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.yes = True
        self.env: bool | None = True
        self.key: KeyChoice | None = None
        self.bases: list[str] | None = None
        self.table: Path | None = None
        self.offered: list[tuple[Base, bool]] = []

    def confirm_forget(self, lines: Sequence[ReceiptLine]) -> bool:
        self.asked.append(f"forget {len(lines)}")
        return self.yes

    def confirm_shared(self, lines: Sequence[ReceiptLine]) -> bool:
        self.asked.append(f"shared {len(lines)}")
        return self.yes

    def may_read_env(self, path: Path) -> bool | None:
        self.asked.append(f"env {path.name}")
        return self.env

    def ask_key(self, bases: Sequence[tuple[Base, bool]], keyring: bool) -> KeyChoice | None:
        self.asked.append("key")
        self.offered = list(bases)
        return self.key

    def ask_bases(self, lines: Sequence[str]) -> list[str] | None:
        self.asked.append("bases")
        return self.bases

    def choose_table(self) -> Path | None:
        self.asked.append("table")
        return self.table
