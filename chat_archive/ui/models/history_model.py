"""The history of one agent as a tree in reading order: bulks and topics are folders, messages are leaves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from chat_archive.core.model.history import Bulk, History, Message, Topic
from chat_archive.core.model.titles import one_line
from chat_archive.core.transcript_text import parse_reply
from chat_archive.ui.theme import Theme
from chat_archive.ui.words import number_text

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_LINE = 200
_MOST_NODES = 300_000


class NodeKind(StrEnum):
    BULK = "bulk"
    TOPIC = "topic"
    CURRENT = "current"
    MESSAGE = "message"


class Column(IntEnum):
    TEXT = 0
    FROM = 1
    TOKENS = 2


@dataclass(slots=True, eq=False)
class Node:
    """One line of the tree. `number` is its key in the model, `place` its row below `parent`."""

    kind: NodeKind
    number: int = 0
    place: int = 0
    parent: Node | None = None
    text: str = ""
    speaker: str = ""  # "user", "ai", "tool", "warning", "summary", "picture", or an unknown kind's name
    tokens: int = 0
    message: Message | None = None
    summary: str = ""
    children: list[Node] = field(default_factory=list)


def nodes_of(history: History, check: Callable[[], None] = lambda: None) -> list[Node]:
    """All nodes, parents before children; those without parent are the top level. Iterative (D-45)."""
    found: list[Node] = []
    waiting: list[tuple[Bulk | Topic | Message, Node | None, bool]] = [(history.current, None, True)]
    waiting.extend((record, None, False) for record in reversed(history.topics))
    waiting.extend((record, None, False) for record in reversed(history.bulks))
    while waiting and len(found) < _MOST_NODES:
        check()
        record, parent, current = waiting.pop()
        if isinstance(record, Message):
            found.append(_message_node(record))
        elif isinstance(record, Topic):
            if current and not record.messages and not record.summary:
                continue
            found.append(Node(NodeKind.CURRENT if current else NodeKind.TOPIC, summary=record.summary))
            waiting.extend((message, found[-1], False) for message in reversed(record.messages))
        else:
            found.append(Node(NodeKind.BULK, summary=record.summary))
            waiting.extend((inner, found[-1], False) for inner in reversed(record.records))
        found[-1].parent = parent
        found[-1].number = len(found) - 1
    tops = 0
    for node in found:
        if node.parent is None:
            node.place, tops = tops, tops + 1
        else:
            node.place = len(node.parent.children)
            node.parent.children.append(node)
    for node in reversed(found):
        _sum_up(node)
    return found


def _sum_up(node: Node) -> None:
    """Folders carry the tokens of all below; their words are the summary, else the first message."""
    if node.kind is NodeKind.MESSAGE:
        return
    node.tokens = sum(child.tokens for child in node.children)
    node.text = one_line(node.summary, _LINE) or next((child.text for child in node.children if child.text), "")


def _message_node(message: Message) -> Node:
    text, speaker = _words(message)
    return Node(
        NodeKind.MESSAGE,
        text=one_line(text, _LINE),
        speaker=speaker,
        tokens=max(message.tokens, 0),
        message=message,
        summary=message.summary,
    )


def _words(message: Message) -> tuple[str, str]:
    content = message.content
    if message.kind:
        return message.text(), one_line(message.kind, 40)
    if isinstance(content, dict):
        for key, speaker in (
            ("user_message", "user"),
            ("user_intervention", "user"),
            ("tool_result", "tool"),
            ("system_warning", "warning"),
            ("messages_summary", "summary"),
            ("raw_content", "picture"),
        ):
            if key in content:
                return message.text(), speaker
    if message.ai and isinstance(content, str):
        reply = parse_reply(content)
        if reply is not None:
            return reply.answer or reply.headline or reply.tool or content, "ai"
    return message.text(), "ai" if message.ai else "user"


class HistoryModel(QAbstractItemModel):
    """Shows the nodes of one history."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._nodes: list[Node] = []
        self._tops: list[Node] = []

    def set_nodes(self, nodes: list[Node]) -> None:
        self.beginResetModel()
        self._nodes = nodes
        self._tops = [node for node in nodes if node.parent is None]
        self.endResetModel()

    def node(self, index: Index) -> Node | None:
        number = index.internalId()
        return self._nodes[number] if index.isValid() and number < len(self._nodes) else None

    def index_of(self, node: Node) -> QModelIndex:
        return self.createIndex(node.place, 0, node.number)

    def index(self, row: int, column: int, parent: Index = _ROOT) -> QModelIndex:
        found = self._children(parent)
        if 0 <= row < len(found) and 0 <= column < len(Column):
            return self.createIndex(row, column, found[row].number)
        return QModelIndex()

    def parent(self, index: Index = _ROOT) -> QModelIndex:  # type: ignore[override]
        node = self.node(index) if index.isValid() else None
        if node is None or node.parent is None:
            return QModelIndex()
        return self.createIndex(node.parent.place, 0, node.parent.number)

    def _children(self, parent: Index) -> list[Node]:
        if not parent.isValid():
            return self._tops
        node = self.node(parent)
        return node.children if node is not None and parent.column() == 0 else []

    def rowCount(self, parent: Index = _ROOT) -> int:
        return len(self._children(parent))

    def columnCount(self, _parent: Index = _ROOT) -> int:
        return len(Column)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        node = self.node(index) if index.isValid() else None
        if node is None:
            return None
        column = Column(index.column())
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._text(node, column)
        if role == Qt.ItemDataRole.DecorationRole and column is Column.TEXT:
            return self._theme.icon(_icon(node), "muted")
        if role == Qt.ItemDataRole.ForegroundRole and (node.kind is not NodeKind.MESSAGE or column is not Column.TEXT):
            return self._theme.color("muted")
        if role == Qt.ItemDataRole.TextAlignmentRole and column is Column.TOKENS:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None

    def _text(self, node: Node, column: Column) -> str:
        if column is Column.TOKENS:
            return number_text(node.tokens) if node.tokens else ""
        if column is Column.FROM:
            return self._from(node)
        if node.kind is NodeKind.MESSAGE:
            return node.text or self.tr("(empty)")
        names = {
            NodeKind.BULK: self.tr("Bulk of %Ln record(s)", "", len(node.children)),
            NodeKind.TOPIC: self.tr("Topic of %Ln message(s)", "", len(node.children)),
            NodeKind.CURRENT: self.tr("Current topic of %Ln message(s)", "", len(node.children)),
        }
        return (
            self.tr("{what}: {words}").format(what=names[node.kind], words=node.text) if node.text else names[node.kind]
        )

    def _from(self, node: Node) -> str:
        if node.kind is not NodeKind.MESSAGE:
            return self.tr("summarised") if node.summary else ""
        names = {
            "user": self.tr("user"),
            "ai": self.tr("model"),
            "tool": self.tr("tool"),
            "warning": self.tr("warning"),
            "summary": self.tr("summary"),
            "picture": self.tr("picture"),
        }
        return names.get(node.speaker, node.speaker)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal or role != Qt.ItemDataRole.DisplayRole:
            return None
        if not 0 <= section < len(Column):
            return None
        return {Column.TEXT: self.tr("Message"), Column.FROM: self.tr("From"), Column.TOKENS: self.tr("Tokens")}[
            Column(section)
        ]


def _icon(node: Node) -> str:
    if node.kind is NodeKind.BULK:
        return "folder"
    if node.kind is not NodeKind.MESSAGE:
        return "list"
    return {"user": "user", "ai": "agent", "tool": "tool", "warning": "warning", "picture": "image"}.get(
        node.speaker, "note"
    )
