"""What is in the trash, newest first or sorted by a column. Sorting happens here, on plain keys."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, tzinfo
from enum import IntEnum

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from chat_archive.core.entities import TrashEntry, TrashId
from chat_archive.ui import words
from chat_archive.ui.plain_text import shown, tool_tip

Index = QModelIndex | QPersistentModelIndex
_NO_INDEX = QModelIndex()
_ROLE = Qt.ItemDataRole


class TrashColumn(IntEnum):
    TITLE = 0
    PLACE = 1
    TRASHED = 2
    PURGED = 3
    SIZE = 4


class TrashModel(QAbstractTableModel):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._entries: tuple[TrashEntry, ...] = ()
        self._sort = (TrashColumn.TRASHED, Qt.SortOrder.DescendingOrder)
        self._zone: tzinfo | None = None

    @property
    def entries(self) -> tuple[TrashEntry, ...]:
        return self._entries

    def set_zone(self, zone: tzinfo | None) -> None:
        self._zone = zone
        if self._entries:
            last = self.index(len(self._entries) - 1, TrashColumn.PURGED)
            self.dataChanged.emit(self.index(0, TrashColumn.TRASHED), last)

    def set_entries(self, entries: Sequence[TrashEntry]) -> None:
        self.beginResetModel()
        self._entries = tuple(entries)
        self._order()
        self.endResetModel()

    def entry(self, row: int) -> TrashEntry:
        return self._entries[row]

    def rows_of(self, ids: set[TrashId]) -> list[int]:
        return [row for row, entry in enumerate(self._entries) if entry.id in ids]

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._sort = (TrashColumn(max(0, column)), order)
        self.layoutAboutToBeChanged.emit()
        before = self._entries
        kept = self.persistentIndexList()
        self._order()
        places = {id(entry): row for row, entry in enumerate(self._entries)}
        moved = [self.index(places[id(before[index.row()])], index.column()) for index in kept]
        self.changePersistentIndexList(kept, moved)
        self.layoutChanged.emit()

    def _order(self) -> None:
        column, order = self._sort
        far = datetime.max.replace(tzinfo=UTC).timestamp()

        def key(entry: TrashEntry) -> tuple[float | int | str, str]:
            value: float | int | str
            match column:
                case TrashColumn.TITLE:
                    value = entry.title.casefold()
                case TrashColumn.PLACE:
                    value = entry.folder.casefold()
                case TrashColumn.TRASHED:
                    value = entry.trashed_at.timestamp()
                case TrashColumn.PURGED:
                    value = far if entry.purge_at is None else entry.purge_at.timestamp()
                case TrashColumn.SIZE:
                    value = entry.size
            return value, entry.id

        self._entries = tuple(sorted(self._entries, key=key, reverse=order is Qt.SortOrder.DescendingOrder))

    def rowCount(self, parent: Index = _NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self._entries)

    def columnCount(self, parent: Index = _NO_INDEX) -> int:
        return 0 if parent.isValid() else len(TrashColumn)

    def data(self, index: Index, role: int = _ROLE.DisplayRole) -> object:
        if not index.isValid():
            return None
        entry, column = self._entries[index.row()], TrashColumn(index.column())
        if role == _ROLE.DisplayRole:
            return self._text(entry, column)
        if role == _ROLE.ToolTipRole:
            return tool_tip(self._tip(entry, column))
        if role == _ROLE.TextAlignmentRole and column is TrashColumn.SIZE:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _ROLE.DisplayRole) -> object:
        if orientation is not Qt.Orientation.Horizontal or role != _ROLE.DisplayRole:
            return None
        return (
            self.tr("Chat"),
            self.tr("Came from"),
            self.tr("Moved here"),
            self.tr("Kept until"),
            self.tr("Size"),
        )[section]

    def _text(self, entry: TrashEntry, column: TrashColumn) -> str:
        match column:
            case TrashColumn.TITLE:
                return shown(entry.title)
            case TrashColumn.PLACE:
                return shown(entry.folder)
            case TrashColumn.TRASHED:
                return words.relative_time(entry.trashed_at, zone=self._zone)
            case TrashColumn.PURGED:
                if entry.purge_at is None:
                    return self.tr("until emptied")
                return words.exact_day(entry.purge_at, self._zone)
            case TrashColumn.SIZE:
                return words.size_text(entry.size)

    def _tip(self, entry: TrashEntry, column: TrashColumn) -> str:
        match column:
            case TrashColumn.TRASHED:
                return words.exact_time(entry.trashed_at, self._zone)
            case TrashColumn.PURGED:
                return "" if entry.purge_at is None else words.exact_time(entry.purge_at, self._zone)
            case TrashColumn.SIZE:
                return self.tr("{size} in {files}").format(
                    size=words.size_exact(entry.size), files=words.files_text(entry.files)
                )
            case TrashColumn.PLACE:
                return str(entry.path)
        return entry.title
