"""The Log tab: every item as it was saved, filtered by type, agent and words, with all its keys."""

from __future__ import annotations

import json
from collections import Counter
from datetime import tzinfo

from PySide6.QtCore import QModelIndex, Qt, QTimer
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QSplitter, QTableView, QVBoxLayout, QWidget

from chat_archive.core.model.log import LogItem
from chat_archive.core.model.titles import one_line
from chat_archive.ui.jobs import Job, JobProgress, JobRunner
from chat_archive.ui.models.log_model import Column, LogKey, LogModel, keys_of, matching
from chat_archive.ui.plain_text import ThemedLabel
from chat_archive.ui.theme import Theme
from chat_archive.ui.views.detail_loading import LoadedChat
from chat_archive.ui.views.text_cells import dress_table, widths
from chat_archive.ui.views.text_pane import TextPane
from chat_archive.ui.views.transcript_words import speaker_name
from chat_archive.ui.words import log_items_text, number_text

_TYPING_MS = 150


class LogView(QWidget):
    """A table over a pane. `shown` is the number of rows after filtering."""

    def __init__(self, theme: Theme, runner: JobRunner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._loaded: LoadedChat | None = None
        self._keys: list[LogKey] = []
        self._job: Job | None = None
        self._wanted = 0
        self.model = LogModel(self)
        self.types = self._choice(self.tr("Filter by type"))
        self.agents = self._choice(self.tr("Filter by agent"))
        self.words = QLineEdit()
        self.words.setPlaceholderText(self.tr("Words in heading, text or values"))
        self.words.setAccessibleName(self.tr("Filter by words"))
        self.words.setClearButtonEnabled(True)
        self.count = ThemedLabel(theme, color="muted", role="small")
        bar = QHBoxLayout()
        bar.setContentsMargins(12, 8, 12, 8)
        bar.setSpacing(8)
        bar.addWidget(self.types)
        bar.addWidget(self.agents)
        bar.addWidget(self.words, 1)
        bar.addWidget(self.count)
        self.table = QTableView()
        self.table.setModel(self.model)
        self.table.setAccessibleName(self.tr("Log items"))
        dress_table(self.table, theme)
        self.table.setSortingEnabled(True)
        self.table.sortByColumn(Column.NUMBER, Qt.SortOrder.AscendingOrder)
        self.pane = TextPane(theme, self.tr("The chosen log item"))
        split = QSplitter(Qt.Orientation.Vertical)
        split.addWidget(self.table)
        split.addWidget(self.pane)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        split.setChildrenCollapsible(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(bar)
        layout.addWidget(split, 1)
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(_TYPING_MS)
        self._typing.timeout.connect(self._filter)
        self.words.textChanged.connect(self._on_typed)
        self.types.activated.connect(self._on_choice)
        self.agents.activated.connect(self._on_choice)
        self.table.selectionModel().currentRowChanged.connect(self._on_current)

    def _choice(self, name: str) -> QComboBox:
        box = QComboBox()
        box.setAccessibleName(name)
        box.setToolTip(name)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        return box

    @property
    def shown(self) -> int:
        return self.model.rowCount()

    def clear(self) -> None:
        self._loaded = None
        self._wanted += 1
        self._typing.stop()
        self.model.set_log((), str, None)
        self.pane.set_text("")

    def show_chat(self, loaded: LoadedChat, zone: tzinfo | None) -> None:
        """Take the keys of all items on a worker, then show them."""
        self._loaded = loaded
        self._wanted += 1
        wanted = self._wanted
        self.model.set_log(loaded.context.log.items, self._agent_name, zone)

        def work(progress: JobProgress) -> list[LogKey]:
            return keys_of(loaded.context.log.items, lambda: progress.report(0))

        def done(keys: list[LogKey]) -> None:
            if wanted == self._wanted:
                self._show_keys(keys)

        self._runner.read(self.tr("Reading the log"), work, done=done, quiet=True)

    def _show_keys(self, keys: list[LogKey]) -> None:
        self._keys = keys
        one_day = self.model.set_span(keys)
        types, agents = Counter(key.type for key in keys), Counter(key.agent for key in keys)
        self.types.clear()
        self.types.addItem(self.tr("All types"), None)
        for name, count in sorted(types.items()):
            self.types.addItem(self._entry(one_line(name, 60) or self.tr("(none)"), count), name)
        self.agents.clear()
        self.agents.addItem(self.tr("All agents"), None)
        for number, count in sorted(agents.items()):
            self.agents.addItem(self._entry(self._agent_name(number), count), number)
        self.words.clear()
        self._typing.stop()
        self._apply(keys)
        samples = {
            Column.NUMBER: "00000",
            Column.TIME: "00:00:00" if one_day else "00 MMM 0000, 00:00:00",
            Column.TYPE: "subagent",
            Column.AGENT: "researcher",
        }
        widths(self.table, samples)

    def _entry(self, name: str, count: int) -> str:
        return self.tr("{name} ({count})").format(name=name, count=number_text(count))

    def _agent_name(self, number: int) -> str:
        if self._loaded is None:
            return str(number)
        return speaker_name(self._loaded.transcript.speaker(number))

    def _on_typed(self, _text: str) -> None:
        self._typing.start()

    def _on_choice(self, _place: int) -> None:
        self._filter()

    def _filter(self) -> None:
        """Type and agent at once, words on a worker."""
        self._wanted += 1
        loaded, wanted = self._loaded, self._wanted
        if loaded is None:
            return
        kind, agent = self.types.currentData(), self.agents.currentData()
        keys = [key for key in self._keys if kind in (None, key.type) and agent in (None, key.agent)]
        words = self.words.text().strip()
        if self._job is not None:
            self._job.cancel()
            self._job = None
        if not words:
            self._apply(keys)
            return
        items = loaded.context.log.items

        def work(progress: JobProgress) -> list[LogKey]:
            return matching(items, keys, words, lambda: progress.report(0))

        def done(found: list[LogKey]) -> None:
            if wanted == self._wanted:
                self._apply(found)

        self._job = self._runner.read(self.tr("Filtering the log"), work, done=done, finished=self._forget, quiet=True)

    def _forget(self) -> None:
        self._job = None

    def _apply(self, keys: list[LogKey]) -> None:
        self.model.set_keys(keys)
        total = len(self._keys)
        if not total:
            self.count.setText(self.tr("The log is empty."))
        elif len(keys) == total:
            self.count.setText(log_items_text(total))
        else:
            self.count.setText(
                self.tr("{shown} of {all}").format(shown=number_text(len(keys)), all=log_items_text(total))
            )
        if keys:
            self.table.setCurrentIndex(self.model.index(0, 0))
        else:
            self.pane.set_text("")

    def _on_current(self, current: QModelIndex, _before: QModelIndex) -> None:
        if current.isValid():
            self.pane.set_text(item_text(self.model.item(current.row())))


def item_text(item: LogItem) -> str:
    """Everything an item holds: each key, then the content, then keys this program does not know."""
    lines = [
        f"no: {item.no if item.no is not None else ''}",
        f"id: {item.id or ''}",
        f"type: {item.type}",
        f"agentno: {item.agentno}",
        f"timestamp: {item.raw_timestamp if item.raw_timestamp is not None else ''}",
        f"heading: {item.heading}",
    ]
    lines.extend(problem.text for problem in item.problems)
    if item.kvps:
        lines += ["", "kvps:", json.dumps(item.kvps, ensure_ascii=False, indent=2, default=str)]
    if item.extra:
        lines += ["", json.dumps(item.extra, ensure_ascii=False, indent=2, default=str)]
    if item.content:
        lines += ["", "content:", item.content]
    return "\n".join(lines)
