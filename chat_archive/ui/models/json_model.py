"""The file as it is: a JSON tree whose branches are decoded when they are opened.

A branch holds the undecoded bytes of its value, so that opening a file of any size costs one pass over its top level.
Text that is JSON itself (histories) can be opened as such.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from msgspec import Raw
from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from chat_archive.core.model import raw
from chat_archive.core.model.raw import PartError
from chat_archive.core.model.titles import cut, one_line, visible_text
from chat_archive.ui.theme import Theme
from chat_archive.ui.words import characters_more, translate

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_VALUE = 200  # characters of a value in its line
_SLICE = 1_000  # children shown at once
_DEEPEST = 400


class Column(IntEnum):
    KEY = 0
    VALUE = 1


class Kind(IntEnum):
    SIMPLE = 0
    TEXT = 1
    LIST = 2
    OBJECT = 3


@dataclass(slots=True, eq=False)
class Node:
    """One value. `key` is its name or its place in a list; `children` is None until it was opened."""

    key: str | int
    part: object
    parent: Node | None
    number: int = 0
    place: int = 0
    depth: int = 0
    kind: Kind = Kind.SIMPLE
    text: str = ""
    total: int = 0  # children there are; `children` may hold fewer
    inside: bool = False  # its child is the JSON inside its text
    children: list[Node] | None = None
    waiting: list[tuple[str | int, object]] = field(default_factory=list)


def _plain(index: Index) -> QModelIndex:
    return index if isinstance(index, QModelIndex) else QModelIndex(index)  # type: ignore[call-overload]


class JsonModel(QAbstractItemModel):
    """Keys and values of one file. `set_part` takes the whole document, undecoded."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._nodes: list[Node] = []
        self._root = Node("", None, None)

    def set_part(self, part: object) -> None:
        """Show another document: `msgspec.Raw` of the file's bytes, or values already decoded."""
        self.beginResetModel()
        self._nodes = []
        self._root = self._make("", part, None)
        self._open(self._root)
        self._root.children = []
        self._take(self._root)
        self.endResetModel()

    def node(self, index: Index) -> Node:
        number = index.internalId()
        return self._nodes[number] if index.isValid() and number < len(self._nodes) else self._root

    def path(self, index: Index) -> str:
        """Where a value stands, as people write it: agents[0].history."""
        parts: list[str] = []
        node: Node | None = self.node(index)
        while node is not None and node.parent is not None:
            key = node.key
            if isinstance(key, int):
                parts.append(f"[{key}]")
            elif node.parent.inside:
                parts.append("")
            else:
                parts.append(f".{key}" if key.isidentifier() else f'["{visible_text(key)}"]')
            node = node.parent
        return "".join(reversed(parts)).lstrip(".")

    def value_text(self, index: Index, limit: int = 2_000_000) -> str:
        """The whole value: a text as it is, everything else as JSON; cut at `limit` characters."""
        node = self.node(index)
        try:
            if node.kind is Kind.TEXT:
                text = str(raw.decode(node.part))
            else:
                text = raw.as_bytes(node.part).decode("utf-8", "replace")
        except PartError as error:
            return str(error)
        return text if len(text) <= limit else cut(text, limit) + characters_more(len(text) - limit)

    # what the view asks

    def index(self, row: int, column: int, parent: Index = _ROOT) -> QModelIndex:
        children = self.node(parent).children or []
        if parent.isValid() and parent.column() != 0:
            return QModelIndex()
        if 0 <= row < len(children) and 0 <= column < len(Column):
            return self.createIndex(row, column, children[row].number)
        return QModelIndex()

    def parent(self, index: Index = _ROOT) -> QModelIndex:  # type: ignore[override]
        if not index.isValid():
            return QModelIndex()
        above = self.node(index).parent
        if above is None or above is self._root:
            return QModelIndex()
        return self.createIndex(above.place, 0, above.number)

    def rowCount(self, parent: Index = _ROOT) -> int:
        if parent.isValid() and parent.column() != 0:
            return 0
        return len(self.node(parent).children or ())

    def columnCount(self, _parent: Index = _ROOT) -> int:
        return len(Column)

    def hasChildren(self, parent: Index = _ROOT) -> bool:
        if parent.isValid() and parent.column() != 0:
            return False
        node = self.node(parent)
        return bool(node.children) or (node.children is None and self._may_open(node))

    def canFetchMore(self, parent: Index) -> bool:
        if parent.isValid() and parent.column() != 0:
            return False
        node = self.node(parent)
        return bool(node.waiting) or (node.children is None and self._may_open(node))

    def fetchMore(self, parent: Index) -> None:
        node = self.node(parent)
        if node.children is None:
            self._open(node)
            node.children = []
        count = min(_SLICE, len(node.waiting))
        if count:
            first = len(node.children)
            self.beginInsertRows(_plain(parent), first, first + count - 1)
            self._take(node)
            self.endInsertRows()

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        node = self.node(index)
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            if index.column() == Column.KEY:
                return f"[{node.key}]" if isinstance(node.key, int) else one_line(node.key, 120) or '""'
            return node.text
        if role == Qt.ItemDataRole.ForegroundRole and (
            index.column() == Column.KEY or node.kind in (Kind.LIST, Kind.OBJECT)
        ):
            return self._theme.color("muted")
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal or role != Qt.ItemDataRole.DisplayRole:
            return None
        return {Column.KEY: self.tr("Key"), Column.VALUE: self.tr("Value")}.get(section)  # type: ignore[call-overload]

    # inside

    def _make(self, key: str | int, part: object, parent: Node | None) -> Node:
        node = Node(key, part, parent, depth=0 if parent is None else parent.depth + 1)
        what = raw.kind_of(part)
        node.kind = {"text": Kind.TEXT, "a list": Kind.LIST, "an object": Kind.OBJECT}.get(what, Kind.SIMPLE)
        node.text = self._text(node)
        if parent is not None:
            node.number = len(self._nodes)
            self._nodes.append(node)
        return node

    def _text(self, node: Node) -> str:
        if node.kind in (Kind.LIST, Kind.OBJECT):
            size = memoryview(node.part).nbytes if isinstance(node.part, Raw) else 0
            name = translate("raw", "object") if node.kind is Kind.OBJECT else translate("raw", "list")
            return translate("raw", "{what}, %Ln byte(s)", "", size).format(what=name) if size else name
        if isinstance(node.part, Raw):
            view = memoryview(node.part)
            if view.nbytes > 20_000:
                return self._long_text(bytes(view[: _VALUE * 8]), view.nbytes)
        try:
            value = raw.decode(node.part)
        except PartError as error:
            return one_line(str(error))
        if isinstance(value, str):
            shown = one_line(value, _VALUE)
            return shown if len(value) <= _VALUE else f"{shown}  {characters_more(len(value) - _VALUE)}"
        # numbers keep the spelling of the file: 1.0, twenty digits, NaN
        spelled = bytes(node.part).decode("ascii", "replace") if isinstance(node.part, Raw) else json.dumps(value)
        return one_line(spelled, _VALUE)

    def _long_text(self, head: bytes, size: int) -> str:
        """The beginning of a long text without decoding all of it."""
        text = head[1:].decode("utf-8", "ignore").replace('\\"', '"').replace("\\n", " ").replace("\\\\", "\\")
        return f"{one_line(text, _VALUE)}  {translate('raw', '+%Ln byte(s)', '', max(size - _VALUE, 0))}"

    def _may_open(self, node: Node) -> bool:
        if node.depth > _DEEPEST:
            return False
        if node.kind in (Kind.LIST, Kind.OBJECT):
            if isinstance(node.part, Raw):
                head = bytes(memoryview(node.part)[:64])
                return bool(head[1:].strip().strip(b"]}")) or memoryview(node.part).nbytes > 64
            return bool(node.part)
        return node.kind is Kind.TEXT and node.key == "history" and len(node.text) > 2

    def _open(self, node: Node) -> None:
        """Find the children of a node; `_take` makes the first of them."""
        part = node.part
        if node.kind is Kind.TEXT:
            try:
                part = Raw(str(raw.decode(part)).encode("utf-8", "replace"))
            except PartError:
                return
            node.inside = True
        found = raw.members(part)
        if found is not None:
            node.waiting = list(found.items())
        else:
            node.waiting = list(enumerate(raw.elements(part) or ()))
        node.total = len(node.waiting)

    def _take(self, node: Node) -> None:
        taken, node.waiting = node.waiting[:_SLICE], node.waiting[_SLICE:]
        children = node.children if node.children is not None else []
        for key, part in taken:
            child = self._make(key, part, node)
            child.place = len(children)
            children.append(child)
        node.children = children
