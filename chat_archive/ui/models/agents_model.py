"""The chain of agents as a table in chain order: what each one is and holds."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from chat_archive.core.model.titles import one_line
from chat_archive.ui.theme import Theme
from chat_archive.ui.words import number_text

if TYPE_CHECKING:
    from chat_archive.ui.views.detail_loading import AgentFacts

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class Column(IntEnum):
    AGENT = 0
    PROFILE = 1
    MESSAGES = 2
    TOPICS = 3
    BULKS = 4
    TOKENS = 5
    RESPONSES = 6
    STATE = 7


class AgentsModel(QAbstractTableModel):
    """Facts of all agents; indented by their place in the chain."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._agents: list[AgentFacts] = []

    def set_agents(self, agents: Sequence[AgentFacts]) -> None:
        self.beginResetModel()
        self._agents = list(agents)
        self.endResetModel()

    def agent(self, row: int) -> AgentFacts:
        return self._agents[row]

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._agents)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(Column)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self._agents):
            return None
        agent, column = self._agents[index.row()], Column(index.column())
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._text(agent, column)
        if role == Qt.ItemDataRole.ForegroundRole and column is Column.AGENT:
            return self._theme.agent_color(min(agent.place, 4))
        if role == Qt.ItemDataRole.TextAlignmentRole and Column.MESSAGES <= column <= Column.RESPONSES:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None

    def _text(self, agent: AgentFacts, column: Column) -> str:
        if column is Column.AGENT:
            return "\u2003" * min(agent.place, 6) + ("\u2514 " if agent.place else "") + f"A{agent.number}"
        if column is Column.PROFILE:
            name = one_line(agent.profile, 120)
            if name and not agent.own_profile:
                return self.tr("{profile} (the chat's)").format(profile=name)
            return name or self.tr("none")
        if column is Column.STATE:
            return self._state(agent)
        numbers = {
            Column.MESSAGES: agent.messages,
            Column.TOPICS: agent.topics,
            Column.BULKS: agent.bulks,
            Column.TOKENS: agent.tokens,
            Column.RESPONSES: agent.responses,
        }
        return number_text(numbers[column])

    def _state(self, agent: AgentFacts) -> str:
        parts = []
        if agent.streaming:
            parts.append(self.tr("acted last"))
        if agent.problems:
            parts.append(self.tr("%Ln problem(s)", "", len(agent.problems)))
        return self.tr(", ").join(parts)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(Column):
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole and Column.MESSAGES <= section <= Column.RESPONSES:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return {
            Column.AGENT: self.tr("Agent"),
            Column.PROFILE: self.tr("Profile"),
            Column.MESSAGES: self.tr("Messages"),
            Column.TOPICS: self.tr("Topics"),
            Column.BULKS: self.tr("Bulks"),
            Column.TOKENS: self.tr("Tokens"),
            Column.RESPONSES: self.tr("Stored responses"),
            Column.STATE: self.tr("State"),
        }[Column(section)]
