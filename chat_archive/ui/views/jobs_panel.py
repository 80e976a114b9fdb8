"""What runs and what became of it, opened from the status bar; nothing in it is modal."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QHBoxLayout, QHeaderView, QPushButton, QTreeView, QVBoxLayout, QWidget

from chat_archive.ui.jobs import JobRunner
from chat_archive.ui.models.job_model import JobColumn, JobModel
from chat_archive.ui.plain_text import ThemedLabel
from chat_archive.ui.theme import Theme
from chat_archive.ui.views.delegates import TableCellDelegate


class JobsPanel(QFrame):
    """A list of jobs with a button that stops the chosen one."""

    def __init__(self, theme: Theme, runner: JobRunner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "panel")
        self.model = JobModel(runner, self)
        self.list = QTreeView(self)
        self.list.setAccessibleName(self.tr("Running and ended work"))
        self.list.setModel(self.model)
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setFrameShape(QTreeView.Shape.NoFrame)
        self.list.setHeaderHidden(True)
        self.list.setItemDelegate(TableCellDelegate(theme, self.list))
        self.list.header().setSectionResizeMode(JobColumn.NAME, QHeaderView.ResizeMode.Stretch)
        self.list.header().setStretchLastSection(False)
        self.list.setColumnWidth(JobColumn.STATE, 280)
        self._stop = QPushButton(self.tr("S&top"), self)
        self._stop.setToolTip(self.tr("Ask the chosen work to stop; what was done stays done"))
        self._stop.clicked.connect(self._on_stop)
        clear = QPushButton(self.tr("C&lear the ended"), self)
        clear.clicked.connect(self.model.forget_ended)
        title = ThemedLabel(theme, self.tr("Work"), role="small", color="muted", bold=True, parent=self)
        row = QHBoxLayout()
        row.setContentsMargins(12, 8, 12, 8)
        row.setSpacing(8)
        row.addWidget(title)
        row.addStretch(1)
        row.addWidget(self._stop)
        row.addWidget(clear)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(row)
        layout.addWidget(self.list)
        self.setFixedHeight(190)
        self.list.selectionModel().currentChanged.connect(lambda *_: self._update())
        self.model.rowsInserted.connect(lambda *_: self._update())
        self.model.dataChanged.connect(lambda *_: self._update())
        self.model.modelReset.connect(self._update)
        self._update()

    def _update(self) -> None:
        job = self.model.job_at(self.list.currentIndex().row())
        self._stop.setEnabled(job is not None and not job.token.cancelled)

    def _on_stop(self) -> None:
        job = self.model.job_at(self.list.currentIndex().row())
        if job is not None:
            job.cancel()
        self._update()
