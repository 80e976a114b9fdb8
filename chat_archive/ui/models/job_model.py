"""What runs and what became of it: one line a job, running ones first, the last ended ones below."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QCoreApplication, QModelIndex, QObject, QPersistentModelIndex, Qt

from chat_archive.core.errors import ArchiveError
from chat_archive.ui import words
from chat_archive.ui.jobs import Job, JobRunner, JobState
from chat_archive.ui.plain_text import shown, tool_tip

_KEPT = 30
_ANYWHERE = QModelIndex()
AnyIndex = QModelIndex | QPersistentModelIndex
translate = QCoreApplication.translate


class JobColumn(IntEnum):
    NAME = 0
    STATE = 1


@dataclass(slots=True)
class JobLine:
    """`job` is None once it ended; `text` then says how."""

    name: str
    job: Job | None
    text: str = ""


def progress_text(job: Job) -> str:
    """ "61 of 98", "61", or that it waits."""
    if job.state is JobState.WAITING:
        return translate("JobModel", "waiting")
    if job.token.cancelled:
        return translate("JobModel", "stopping…")
    if job.total_units:
        return translate("JobModel", "{done} of {total}").format(
            done=words.number_text(job.done_units), total=words.number_text(job.total_units)
        )
    return words.number_text(job.done_units) if job.done_units else translate("JobModel", "running")


def ending_text(job: Job) -> str:
    """How a job ended, as a word or, for errors a person can act on, as their sentence."""
    if job.state is JobState.DONE:
        return translate("JobModel", "done")
    if job.state is JobState.STOPPED:
        return translate("JobModel", "stopped")
    if isinstance(job.error, ArchiveError):
        return shown(job.error.what)
    return translate("JobModel", "failed")


class JobModel(QAbstractTableModel):
    """Follows a `JobRunner`. Quiet housekeeping is not listed."""

    def __init__(self, runner: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lines: list[JobLine] = []
        runner.started.connect(self._on_started)
        runner.ended.connect(self._on_ended)

    def job_at(self, number: int) -> Job | None:
        return self._lines[number].job if 0 <= number < len(self._lines) else None

    @property
    def running(self) -> int:
        return sum(line.job is not None for line in self._lines)

    def forget_ended(self) -> None:
        self.beginResetModel()
        self._lines = [line for line in self._lines if line.job is not None]
        self.endResetModel()

    def rowCount(self, parent: AnyIndex = _ANYWHERE) -> int:
        return 0 if parent.isValid() else len(self._lines)

    def columnCount(self, parent: AnyIndex = _ANYWHERE) -> int:
        return 0 if parent.isValid() else len(JobColumn)

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        line = self._lines[index.row()]
        state = progress_text(line.job) if line.job is not None else line.text
        if role == Qt.ItemDataRole.DisplayRole:
            return line.name if index.column() == JobColumn.NAME else state
        if role == Qt.ItemDataRole.ToolTipRole:
            return tool_tip(f"{line.name}\n{state}")
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{line.name}: {state}"
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return translate("JobModel", "Work") if section == JobColumn.NAME else translate("JobModel", "State")
        return None

    # inside

    def _on_started(self, job: Job) -> None:
        if job.quiet:
            return
        self.beginInsertRows(_ANYWHERE, 0, 0)
        self._lines.insert(0, JobLine(shown(job.name), job))
        self.endInsertRows()
        job.progressed.connect(lambda *_news: self._tell(job))

    def _on_ended(self, job: Job) -> None:
        number = self._find(job)
        if number < 0:
            return
        self._lines[number] = JobLine(self._lines[number].name, None, ending_text(job))
        self._changed(number)
        if len(self._lines) > _KEPT:
            last = len(self._lines) - 1
            if self._lines[last].job is None:
                self.beginRemoveRows(_ANYWHERE, last, last)
                del self._lines[last]
                self.endRemoveRows()

    def _tell(self, job: Job) -> None:
        number = self._find(job)
        if number >= 0:
            self._changed(number)

    def _find(self, job: Job) -> int:
        return next((number for number, line in enumerate(self._lines) if line.job is job), -1)

    def _changed(self, number: int) -> None:
        cell = self.index(number, JobColumn.STATE)
        self.dataChanged.emit(cell, cell)
