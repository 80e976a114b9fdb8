"""The log as a table. Keys to sort and filter by are taken once, on a worker; a row's text when it is painted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from chat_archive.core.model.headings import plain
from chat_archive.core.model.log import LogItem
from chat_archive.core.model.titles import one_line
from chat_archive.core.transcript_text import printed
from chat_archive.ui.words import exact_time, local

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_LINE = 300


class Column(IntEnum):
    NUMBER = 0
    TIME = 1
    TYPE = 2
    AGENT = 3
    TEXT = 4


@dataclass(frozen=True, slots=True)
class LogKey:
    """What one item is sorted and filtered by. `time` is seconds of the epoch, below all others where unknown."""

    index: int
    number: float
    time: float
    type: str
    agent: int


def keys_of(items: Sequence[LogItem], check: Callable[[], None] = lambda: None) -> list[LogKey]:
    """One key for each item, in the file's order."""
    found = []
    for item in items:
        check()
        number = item.no if isinstance(item.no, int | float) else item.index
        when = item.timestamp.timestamp() if item.timestamp is not None else -1.0
        found.append(LogKey(item.index, float(min(max(number, -1e15), 1e15)), when, item.type, item.agentno))
    return found


def matching(
    items: Sequence[LogItem], keys: Iterable[LogKey], words: str, check: Callable[[], None] = lambda: None
) -> list[LogKey]:
    """The keys whose item holds `words` in heading, content or values, letters' case ignored."""
    wanted = words.casefold()
    found = []
    for key in keys:
        check()
        item = items[key.index]
        if (
            wanted in item.heading.casefold()
            or wanted in item.content.casefold()
            or (item.kvps and wanted in printed(item.kvps).casefold())
        ):
            found.append(key)
    return found


class LogModel(QAbstractTableModel):
    """Shows chosen keys in a chosen order; `items` are those of one chat."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._items: Sequence[LogItem] = ()
        self._keys: list[LogKey] = []
        self._agent_name: Callable[[int], str] = str
        self._zone: tzinfo | None = None
        self._order = (Column.NUMBER, False)
        self._one_day = False

    def set_log(self, items: Sequence[LogItem], agent_name: Callable[[int], str], zone: tzinfo | None) -> None:
        """Another chat's items; nothing is shown before `set_keys`."""
        self.beginResetModel()
        self._items, self._agent_name, self._zone, self._keys = items, agent_name, zone, []
        self.endResetModel()

    def set_span(self, keys: Sequence[LogKey]) -> bool:
        """Whether all items are of one day, so that a time is told without its date."""
        days = {datetime.fromtimestamp(key.time, UTC).astimezone(self._zone).date() for key in keys if key.time > 0}
        self._one_day = len(days) == 1
        return self._one_day

    def set_keys(self, keys: Sequence[LogKey]) -> None:
        """Show these items, in the order chosen last."""
        self.beginResetModel()
        self._keys = self._sorted(keys)
        self.endResetModel()

    def item(self, row: int) -> LogItem:
        return self._items[self._keys[row].index]

    def row_of(self, index: int) -> int:
        """The row of the item at that place of the file, -1 when it is filtered out."""
        return next((row for row, key in enumerate(self._keys) if key.index == index), -1)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        if not 0 <= column < len(Column):
            return
        self._order = (Column(column), order == Qt.SortOrder.DescendingOrder)
        self.set_keys(self._keys)

    def _sorted(self, keys: Sequence[LogKey]) -> list[LogKey]:
        column, downwards = self._order
        if column is Column.NUMBER:
            found = sorted(keys, key=lambda key: key.index)
        elif column is Column.TIME:
            found = sorted(keys, key=lambda key: (key.time, key.index))
        elif column is Column.TYPE:
            found = sorted(keys, key=lambda key: (key.type, key.index))
        elif column is Column.AGENT:
            found = sorted(keys, key=lambda key: (key.agent, key.index))
        else:
            found = sorted(keys, key=lambda key: (self._line(self._items[key.index]).casefold(), key.index))
        return found[::-1] if downwards else found

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._keys)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(Column)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self._keys):
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._text(self.item(index.row()), Column(index.column()))
        if role == Qt.ItemDataRole.ToolTipRole and index.column() == Column.TIME:
            return exact_time(self.item(index.row()).timestamp, self._zone, seconds=True)
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() == Column.NUMBER:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None

    def _text(self, item: LogItem, column: Column) -> str:
        if column is Column.NUMBER:
            return one_line(str(item.index if item.no is None else item.no), 20)
        if column is Column.TIME:
            return self._when(item.timestamp)
        if column is Column.TYPE:
            return one_line(item.type, 60)
        if column is Column.AGENT:
            return self._agent_name(item.agentno)
        return self._line(item)

    def _when(self, when: datetime | None) -> str:
        if when is None:
            return ""
        if self._one_day:
            return local(when, self._zone).strftime("%H:%M:%S")
        return exact_time(when, self._zone, seconds=True)

    def _line(self, item: LogItem) -> str:
        heading = plain(item.heading)
        text = one_line(item.content, _LINE)
        if heading and text:
            return one_line(f"{heading} \u2014 {text}", _LINE)
        return one_line(heading, _LINE) or text or one_line(printed(item.kvps) if item.kvps else "", _LINE)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal or role != Qt.ItemDataRole.DisplayRole:
            return None
        if not 0 <= section < len(Column):
            return None
        return {
            Column.NUMBER: self.tr("No."),
            Column.TIME: self.tr("Time"),
            Column.TYPE: self.tr("Type"),
            Column.AGENT: self.tr("Agent"),
            Column.TEXT: self.tr("Text"),
        }[Column(section)]
