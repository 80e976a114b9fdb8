"""The History tab: what the model saw, agent by agent, in reading order, with summaries beside their originals."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QSplitter,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from chat_archive.core.entities import Problem
from chat_archive.core.transcript_text import printed
from chat_archive.ui.jobs import JobProgress, JobRunner
from chat_archive.ui.models.history_model import Column, HistoryModel, Node, NodeKind, nodes_of
from chat_archive.ui.plain_text import ThemedLabel, shown
from chat_archive.ui.theme import Theme
from chat_archive.ui.views.detail_loading import LoadedChat
from chat_archive.ui.views.text_cells import dress_tree
from chat_archive.ui.views.text_pane import TextPane
from chat_archive.ui.words import messages_text, number_text

_UNFOLDED = 400  # nodes; more than that and only the top level is unfolded


class HistoryView(QWidget):
    """A chooser of agents over a tree, with the text of the chosen node."""

    def __init__(self, theme: Theme, runner: JobRunner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._loaded: LoadedChat | None = None
        self._wanted = 0
        self.model = HistoryModel(theme, self)
        self.agents = QComboBox()
        self.agents.setAccessibleName(self.tr("Whose history is shown"))
        self.agents.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.agents.activated.connect(self._show_agent)
        self.note = ThemedLabel(theme, color="muted", role="small", wrap=True)
        bar = QHBoxLayout()
        bar.setContentsMargins(12, 8, 12, 8)
        bar.setSpacing(8)
        bar.addWidget(self.agents)
        bar.addWidget(self.note, 1)
        self.tree = QTreeView()
        self.tree.setModel(self.model)
        self.tree.setAccessibleName(self.tr("Messages of the history"))
        dress_tree(self.tree)
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(Column.TEXT, QHeaderView.ResizeMode.Stretch)
        self.pane = TextPane(theme, self.tr("The chosen message"))
        self.summary = TextPane(theme, self.tr("The summary of the chosen message"), code=False)
        self.summary.hide()
        texts = QSplitter(Qt.Orientation.Horizontal)
        texts.addWidget(self.pane)
        texts.addWidget(self.summary)
        texts.setChildrenCollapsible(False)
        split = QSplitter(Qt.Orientation.Vertical)
        split.addWidget(self.tree)
        split.addWidget(texts)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        split.setChildrenCollapsible(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(bar)
        layout.addWidget(split, 1)
        self.tree.selectionModel().currentRowChanged.connect(self._on_current)
        theme.changed.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        metrics = self.tree.fontMetrics()
        self.tree.header().resizeSection(Column.FROM, metrics.horizontalAdvance("summarised") + 28)
        self.tree.header().resizeSection(Column.TOKENS, metrics.horizontalAdvance("1,000,000") + 28)

    def clear(self) -> None:
        self._loaded = None
        self._wanted += 1
        self.model.set_nodes([])
        self._show_node(None)

    def show_chat(self, loaded: LoadedChat) -> None:
        """Choose among the agents of a chat; the first one's history is read."""
        self._loaded = loaded
        self.agents.clear()
        for place, agent in enumerate(loaded.context.agents):
            number = agent.number if isinstance(agent.number, int) else place
            name = shown(agent.profile, 60)
            self.agents.addItem(f"A{number}  {name}".rstrip())
        self.agents.setEnabled(self.agents.count() > 1)
        self.model.set_nodes([])
        self._show_node(None)
        if self.agents.count():
            self._show_agent(0)
        else:
            self.note.setText(self.tr("This chat names no agents, so there is no history."))

    def _show_agent(self, place: int) -> None:
        loaded = self._loaded
        agents = loaded.context.agents if loaded is not None else ()
        if loaded is None or not 0 <= place < len(agents):
            return
        self._wanted += 1
        wanted, agent = self._wanted, agents[place]
        self.note.setText(self.tr("Reading the history\u2026"))

        def work(progress: JobProgress) -> tuple[list[Node], list[Problem]]:
            with loaded.lock:
                return nodes_of(agent.history, lambda: progress.report(0)), list(agent.history.problems)

        def done(result: tuple[list[Node], list[Problem]]) -> None:
            if wanted == self._wanted:
                self._show_nodes(*result)

        self._runner.read(self.tr("Reading the history"), work, done=done, quiet=True)

    def _show_nodes(self, nodes: list[Node], problems: list[Problem]) -> None:
        self.model.set_nodes(nodes)
        messages = sum(1 for node in nodes if node.kind is NodeKind.MESSAGE)
        parts = [shown(problem.text, 200) for problem in problems[:3]]
        if messages:
            parts.insert(0, messages_text(messages))
        else:
            parts.insert(0, self.tr("This agent has no history."))
        self.note.setText(" \u00b7 ".join(parts))
        if len(nodes) <= _UNFOLDED:
            self.tree.expandToDepth(1)
        else:
            last = next((node for node in reversed(nodes) if node.parent is None), None)
            if last is not None:
                self.tree.expand(self.model.index_of(last))
        if nodes:
            self.tree.setCurrentIndex(self.model.index(0, 0))

    def _on_current(self, current: QModelIndex, _before: QModelIndex) -> None:
        self._show_node(self.model.node(current) if current.isValid() else None)

    def _show_node(self, node: Node | None) -> None:
        message = node.message if node is not None else None
        summary = node.summary if node is not None else ""
        self.pane.set_text("" if message is None else message_text(message.content))
        if node is not None and message is None:
            self.pane.set_text(summary or node.text)
        beside = bool(summary) and message is not None
        self.summary.setVisible(beside)
        self.summary.set_text(summary if beside else "")
        self.summary.set_caption(self.tr("What the model is given instead") if beside else "")
        caption = ""
        if message is not None:
            caption = self.tr("Original") if beside else ""
        elif summary:
            caption = self.tr("Summary")
        self.pane.set_caption(caption)


def message_text(content: object) -> str:
    """The content of a message to read: text as it is, the rest as JSON, pictures named and not printed."""
    return printed(_without_base64(content))


def _without_base64(value: object, depth: int = 0) -> object:
    if isinstance(value, str):
        if value.startswith("data:") and len(value) > 200:
            head = value.partition(",")[0]
            return f"{head},\u2026 ({number_text(len(value))})"
        return value
    if depth > 40:
        return value
    if isinstance(value, dict):
        return {key: _without_base64(part, depth + 1) for key, part in value.items()}
    if isinstance(value, list):
        return [_without_base64(part, depth + 1) for part in value]
    return value
