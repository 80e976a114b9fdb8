"""The line at the foot of the window: what is listed and selected, what runs, whether the folder can be changed."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QSizePolicy, QStatusBar, QToolButton, QWidget

from chat_archive.ui.jobs import Job, JobRunner
from chat_archive.ui.models.job_model import progress_text
from chat_archive.ui.plain_text import ElidedLabel, ThemedLabel, shown, tool_tip
from chat_archive.ui.theme import Theme

CALM_MS = 600
"""Work that is over sooner is not shown at all."""


class StatusLine(QStatusBar):
    """`show_summary` at the left, the oldest running job in the middle, `show_state` at the right."""

    stop_requested = Signal(object)  # Job
    jobs_requested = Signal()

    def __init__(self, theme: Theme, runner: JobRunner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._runner = runner
        self._job: Job | None = None
        self.setSizeGripEnabled(False)
        self._summary = ElidedLabel(theme, role="small", color="muted")
        self.addWidget(self._summary, 1)
        self._work = QWidget()
        self._name = QToolButton()
        self._name.setAccessibleName(self.tr("Running work"))
        self._name.setToolTip(self.tr("Show all work"))
        self._name.clicked.connect(self.jobs_requested)
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setFixedWidth(140)
        self._bar.setAccessibleName(self.tr("Progress"))
        self._stop = QToolButton()
        self._stop.setToolTip(self.tr("Stop; what was done stays done"))
        self._stop.setAccessibleName(self.tr("Stop"))
        self._stop.clicked.connect(self._on_stop)
        row = QHBoxLayout(self._work)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self._name)
        row.addWidget(self._bar, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self._stop)
        self.addPermanentWidget(self._work)
        self._work.hide()
        self._state_icon = QLabel()
        self._state = ThemedLabel(theme, role="small", color="muted")
        self._state.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self._state.setAccessibleName(self.tr("State of the folder"))
        self.addPermanentWidget(self._state_icon)
        self.addPermanentWidget(self._state)
        self._calm = QTimer(self)
        self._calm.setSingleShot(True)
        self._calm.setInterval(CALM_MS)
        self._calm.timeout.connect(self._appear)
        runner.started.connect(self._on_started)
        runner.ended.connect(self._on_ended)
        self._icon_name = ""
        self._restyle()
        theme.changed.connect(self._restyle)

    def show_summary(self, text: str) -> None:
        self._summary.set_full_text(text)

    @property
    def summary(self) -> str:
        return self._summary.full_text

    def show_state(self, text: str, tip: str = "", icon: str = "") -> None:
        """ "Agent Zero is writing here", or "Read-only" with the reason as tool tip."""
        self._state.setText(shown(text))
        self._state.setToolTip(tool_tip(tip))
        self._state.setAccessibleDescription(shown(tip))
        self._icon_name = icon
        self._paint_state()

    @property
    def state_text(self) -> str:
        return self._state.text()

    def close_down(self) -> None:
        self._calm.stop()

    # inside

    def _restyle(self) -> None:
        self._stop.setIcon(self._theme.icon("close", "muted"))
        self._name.setFont(self._theme.font("small"))
        self._paint_state()

    def _paint_state(self) -> None:
        self._state_icon.setVisible(bool(self._icon_name))
        if self._icon_name:
            side = self._state.fontMetrics().height()
            self._state_icon.setPixmap(self._theme.icon(self._icon_name, "muted").pixmap(side, side))

    def _on_started(self, job: Job) -> None:
        if job.quiet:
            return
        job.progressed.connect(lambda *_news: self._on_progress(job))
        if self._job is None and not self._calm.isActive():
            self._calm.start()

    def _on_ended(self, job: Job) -> None:
        if job is self._job:
            self._job = None
            self._appear()
        elif not self._running():
            self._calm.stop()

    def _running(self) -> list[Job]:
        return [job for job in self._runner.jobs if not job.quiet and not job.over]

    def _appear(self) -> None:
        running = self._running()
        self._job = running[0] if running else None
        self._work.setVisible(self._job is not None)
        if self._job is not None:
            self._on_progress(self._job)

    def _on_progress(self, job: Job) -> None:
        if job is not self._job:
            return
        others = len(self._running()) - 1
        text = self.tr("{name}, {progress}").format(name=shown(job.name, 60), progress=progress_text(job))
        if others > 0:
            text = self.tr("{work} and %n more", "", others).format(work=text)
        self._name.setText(text.replace("&", "&&"))
        self._name.setAccessibleDescription(text)
        total = job.total_units or 0
        # bytes of large files are beyond what a bar counts
        self._bar.setRange(0, 1000 if total else 0)
        if total:
            self._bar.setValue(min(1000, job.done_units * 1000 // total))
        self._stop.setEnabled(not job.token.cancelled)

    def _on_stop(self) -> None:
        if self._job is not None:
            self.stop_requested.emit(self._job)
            self._on_progress(self._job)
