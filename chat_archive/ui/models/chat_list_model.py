"""The chats of all open roots as an item model over one Python list, sorted and filtered without a proxy.

A change is told as narrowly as it can be: one row's data, a few runs of rows in or out, else a reset, around which the
view keeps selection, current row and scroll by key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import tzinfo
from pathlib import Path
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from chat_archive.core.entities import ChatRow
from chat_archive.ui import row_words, words
from chat_archive.ui.models.chat_order import (
    ALL,
    FALLING,
    ChatKey,
    Column,
    Entry,
    Scope,
    in_order,
    key_of,
    matcher,
    ranked,
)
from chat_archive.ui.plain_text import tool_tip

ROW_ROLE = Qt.ItemDataRole.UserRole + 1  # ChatRow
KEY_ROLE = Qt.ItemDataRole.UserRole + 2  # ChatKey
PLACE_ROLE = Qt.ItemDataRole.UserRole + 3  # str: label of the root, "" while only one is open

_RUNS = 48  # beyond so many separate runs a reset is cheaper than telling each
RIGHT = frozenset({Column.LOG, Column.MESSAGES, Column.SIZE})
_ANYWHERE = QModelIndex()
AnyIndex = QModelIndex | QPersistentModelIndex


class ChatListModel(QAbstractTableModel):
    """Rows are chats, columns are `Column`."""

    counted = Signal()  # the number of shown chats, or their size, changed

    def __init__(self, zone: Callable[[], tzinfo | None] = lambda: None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._zone = zone
        self._entries: dict[ChatKey, Entry] = {}
        self._ranked: list[Entry] = []  # newest first, the order of equals
        self._sorted: list[Entry] = []
        self._shown: list[Entry] = []
        self._places: dict[ChatKey, int] | None = None
        self._column = Column.ACTIVITY
        self._falling = True
        self._scope = ALL
        self._filter = ""
        self._labels: Mapping[Path, str] = {}

    # what is there

    @property
    def sort_column(self) -> Column:
        return self._column

    @property
    def falling(self) -> bool:
        return self._falling

    @property
    def scope(self) -> Scope:
        return self._scope

    @property
    def filter_text(self) -> str:
        return self._filter

    @property
    def total(self) -> int:
        """Chats of all open roots, shown or not."""
        return len(self._entries)

    @property
    def entries(self) -> Iterable[Entry]:
        return self._entries.values()

    @property
    def shown_rows(self) -> list[ChatRow]:
        return [entry.row for entry in self._shown]

    @property
    def shown_size(self) -> int:
        return sum(entry.row.size for entry in self._shown)

    def row_at(self, number: int) -> ChatRow:
        return self._shown[number].row

    def key_at(self, number: int) -> ChatKey:
        return self._shown[number].key

    def find(self, key: ChatKey) -> int:
        """The row number of a chat, -1 when it is not shown."""
        if self._places is None:
            self._places = {entry.key: number for number, entry in enumerate(self._shown)}
        return self._places.get(key, -1)

    def get(self, key: ChatKey) -> ChatRow | None:
        """The row of a chat, shown or not."""
        entry = self._entries.get(key)
        return None if entry is None else entry.row

    # changing what is there

    def put(self, rows: Iterable[ChatRow]) -> None:
        """Add rows, or replace those with the same key. Rows that are equal to what is there cost nothing."""
        changed: set[ChatKey] = set()
        for row in rows:
            key = key_of(row)
            old = self._entries.get(key)
            if old is not None and old.row == row:
                continue
            self._entries[key] = Entry(row)
            changed.add(key)
        if changed:
            self._ranked = ranked(self._entries.values())
            self._sorted = in_order(self._ranked, self._column, self._falling)
            self._show(changed)

    def remove(self, keys: Iterable[ChatKey]) -> None:
        gone = [key for key in keys if self._entries.pop(key, None) is not None]
        if gone:
            left = set(gone)
            self._ranked = [entry for entry in self._ranked if entry.key not in left]
            self._sorted = [entry for entry in self._sorted if entry.key not in left]
            self._show(set())

    def set_labels(self, labels: Mapping[Path, str]) -> None:
        """Labels of the open roots; shown at the rows while there are several."""
        self._labels = dict(labels) if len(labels) > 1 else {}
        self._repaint()

    def set_scope(self, scope: Scope) -> None:
        if scope != self._scope:
            self._scope = scope
            self._reset()

    def set_filter(self, text: str) -> None:
        if text != self._filter:
            self._filter = text
            self._reset()

    def set_order(self, column: Column, falling: bool) -> None:
        if (column, falling) != (self._column, self._falling):
            self._column, self._falling = column, falling
            self._sorted = in_order(self._ranked, column, falling)
            self._reset()

    def retime(self) -> None:
        """Times are shown relative to now: paint them again."""
        self._repaint(Column.ACTIVITY, Column.ACTIVITY)

    def rezone(self) -> None:
        self._repaint()

    # Qt's face

    def rowCount(self, parent: AnyIndex = _ANYWHERE) -> int:
        return 0 if parent.isValid() else len(self._shown)

    def columnCount(self, parent: AnyIndex = _ANYWHERE) -> int:
        return 0 if parent.isValid() else len(Column)

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        flag = Qt.ItemFlag
        return flag.ItemIsEnabled | flag.ItemIsSelectable | flag.ItemIsDragEnabled | flag.ItemNeverHasChildren

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self._shown):
            return None
        entry = self._shown[index.row()]
        row, column = entry.row, Column(index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            return row_words.cell_text(row, column, self._zone(), self._labels.get(row.root, ""))
        if role == ROW_ROLE:
            return row
        if role == KEY_ROLE:
            return entry.key
        if role == PLACE_ROLE:
            return self._labels.get(row.root, "")
        if role == Qt.ItemDataRole.ToolTipRole:
            return tool_tip(self._tip(row, column))
        if role == Qt.ItemDataRole.TextAlignmentRole and column in RIGHT:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.AccessibleTextRole and column is Column.TITLE:
            return row_words.accessible_text(row, self._zone())
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(Column):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return row_words.column_name(Column(section))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if Column(section) in RIGHT else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Called by a table's header."""
        if 0 <= column < len(Column):
            self.set_order(Column(column), order is Qt.SortOrder.DescendingOrder)

    # inside

    def _tip(self, row: ChatRow, column: Column) -> str:
        if column is Column.TITLE:
            return row_words.row_tip(row, self._zone())
        if column is Column.ACTIVITY:
            return row_words.activity_tip(row, self._zone())
        if column is Column.STATE:
            return row_words.reason(row)
        if column is Column.ROOT:
            return str(row.root)
        if column is Column.SIZE:
            return words.size_exact(row.size)
        return row_words.cell_text(row, column, self._zone())

    def _wanted(self) -> list[Entry]:
        test = matcher(self._filter)
        scope = None if self._scope == ALL else self._scope.holds
        if scope is None and test is None:
            return list(self._sorted)
        if test is None:
            return [entry for entry in self._sorted if scope is None or scope(entry)]
        if scope is None:
            return [entry for entry in self._sorted if test(entry)]
        return [entry for entry in self._sorted if scope(entry) and test(entry)]

    def _reset(self) -> None:
        self.beginResetModel()
        self._shown = self._wanted()
        self._places = None
        self.endResetModel()
        self.counted.emit()

    def _show(self, changed: set[ChatKey]) -> None:
        """Go from what is shown to what should be shown, as narrowly as possible."""
        new = self._wanted()
        old_keys = [entry.key for entry in self._shown]
        new_keys = [entry.key for entry in new]
        before, after = set(old_keys), set(new_keys)
        stay = before & after
        kept_in_order = [key for key in old_keys if key in stay] == [key for key in new_keys if key in stay]
        out_runs = _runs(old_keys, before - after)
        in_runs = _runs(new_keys, after - before)
        if not kept_in_order or len(out_runs) + len(in_runs) > _RUNS:
            self.beginResetModel()
            self._shown = new
            self._places = None
            self.endResetModel()
        else:
            self._replace(new, out_runs, in_runs)
            self._tell_changed(changed & stay)
        self.counted.emit()

    def _replace(
        self, new: list[Entry], out_runs: Sequence[tuple[int, int]], in_runs: Sequence[tuple[int, int]]
    ) -> None:
        for first, last in reversed(out_runs):
            self.beginRemoveRows(_ANYWHERE, first, last)
            del self._shown[first : last + 1]
            self._places = None
            self.endRemoveRows()
        for first, last in in_runs:
            self.beginInsertRows(_ANYWHERE, first, last)
            self._shown[first:first] = new[first : last + 1]
            self._places = None
            self.endInsertRows()
        self._shown = new
        self._places = None

    def _tell_changed(self, changed: set[ChatKey]) -> None:
        numbers = sorted(self.find(key) for key in changed)
        last_column = len(Column) - 1
        for first, last in _number_runs(numbers):
            self.dataChanged.emit(self.index(first, 0), self.index(last, last_column))

    def _repaint(self, first: Column = Column.TITLE, last: Column = Column.ROOT) -> None:
        if self._shown:
            self.dataChanged.emit(self.index(0, first), self.index(len(self._shown) - 1, last))


def _runs(keys: Sequence[ChatKey], wanted: set[ChatKey]) -> list[tuple[int, int]]:
    """First and last number of each unbroken run of `wanted` in `keys`."""
    if not wanted:
        return []
    return _number_runs([number for number, key in enumerate(keys) if key in wanted])


def _number_runs(numbers: Sequence[int]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs


def first_direction(column: Column) -> bool:
    """Whether a column is first sorted falling: newest and largest first."""
    return column in FALLING
