"""The Agents tab: the chain, and the step that called each one."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QTableView, QVBoxLayout, QWidget

from chat_archive.ui.models.agents_model import AgentsModel, Column
from chat_archive.ui.plain_text import ThemedLabel, shown
from chat_archive.ui.theme import Theme
from chat_archive.ui.views.detail_loading import ChatFacts
from chat_archive.ui.views.text_cells import dress_table


class AgentsView(QWidget):
    """A table of the agents. `call_requested` hands out the log position of the step that called the chosen one."""

    call_requested = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = AgentsModel(theme, self)
        self.table = QTableView()
        self.table.setModel(self.model)
        self.table.setAccessibleName(self.tr("Agents of this chat"))
        dress_table(self.table, theme)
        self.jump = QPushButton(self.tr("Show the call in the transcript"))
        self.jump.setEnabled(False)
        self.jump.clicked.connect(self._on_jump)
        self.note = ThemedLabel(theme, color="muted", wrap=True)
        self.note.setContentsMargins(12, 8, 12, 8)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.note)
        foot = QHBoxLayout()
        foot.setContentsMargins(12, 8, 12, 8)
        foot.addWidget(self.jump)
        foot.addStretch(1)
        layout.addLayout(foot)
        self.table.selectionModel().currentRowChanged.connect(self._on_current)
        self.table.doubleClicked.connect(self._on_jump)

    def clear(self) -> None:
        self.model.set_agents(())
        self.note.hide()

    def show_facts(self, facts: ChatFacts) -> None:
        self.model.set_agents(facts.agents)
        self.table.resizeColumnsToContents()
        for column in Column:
            self.table.setColumnWidth(column, min(self.table.columnWidth(column), 320))
        if not facts.agents:
            self.note.setText(self.tr("This chat names no agents."))
        else:
            lines = [shown(problem.text, 300) for agent in facts.agents for problem in agent.problems][:8]
            self.note.setText("\n".join(lines))
        self.note.setVisible(bool(self.note.text()))
        if facts.agents:
            self.table.setCurrentIndex(self.model.index(0, 0))
        self._on_current(self.table.currentIndex(), QModelIndex())

    def _on_current(self, current: QModelIndex, _before: QModelIndex) -> None:
        self.jump.setEnabled(current.isValid() and self.model.agent(current.row()).call is not None)

    def _on_jump(self) -> None:
        index = self.table.currentIndex()
        call = self.model.agent(index.row()).call if index.isValid() else None
        if call is not None:
            self.call_requested.emit(call)
