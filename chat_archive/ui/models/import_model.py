"""What a preview found, one row per chat or per file that is none, with a tick for what can come in."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo
from enum import IntEnum

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from chat_archive.core.entities import ImportClass, ImportItem, OnConflict
from chat_archive.ui import words
from chat_archive.ui.plain_text import shown, tool_tip
from chat_archive.ui.theme import Theme

Index = QModelIndex | QPersistentModelIndex
_NO_INDEX = QModelIndex()
_ROLE = Qt.ItemDataRole


class ImportColumn(IntEnum):
    TITLE = 0
    KIND = 1
    EFFECT = 2
    ACTIVITY = 3
    COUNTS = 4
    SIZE = 5
    ID = 6
    CREATED = 7
    SOURCE = 8


class ImportModel(QAbstractTableModel):
    """`ticks_changed` comes after each change of what is ticked or of the choice for conflicts."""

    ticks_changed = Signal()

    def __init__(
        self,
        theme: Theme,
        items: Sequence[ImportItem],
        on_conflict: OnConflict = OnConflict.SKIP,
        zone: tzinfo | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._items = tuple(items)
        self._zone = zone
        self._on_conflict = on_conflict
        self._ticked = [item.importable for item in self._items]

    # what the dialog asks

    @property
    def items(self) -> tuple[ImportItem, ...]:
        return self._items

    @property
    def on_conflict(self) -> OnConflict:
        return self._on_conflict

    def item(self, row: int) -> ImportItem:
        return self._items[row]

    def chosen(self) -> tuple[ImportItem, ...]:
        """Every ticked item, also those that the choice for conflicts leaves out: the result names them."""
        return tuple(item for item, ticked in zip(self._items, self._ticked, strict=True) if ticked)

    def coming_in(self) -> int:
        """How many of the ticked would write something under the present choice."""
        return sum(1 for item in self.chosen() if self.writes(item))

    def writes(self, item: ImportItem) -> bool:
        if item.kind is ImportClass.NEW:
            return True
        return item.kind is ImportClass.TAKEN and self._on_conflict is not OnConflict.SKIP

    def set_on_conflict(self, choice: OnConflict) -> None:
        if choice is self._on_conflict:
            return
        self._on_conflict = choice
        self._tell(ImportColumn.EFFECT)

    def tick_all(self, ticked: bool) -> None:
        self._ticked = [ticked and item.importable for item in self._items]
        self._tell(ImportColumn.TITLE)

    def _tell(self, column: ImportColumn) -> None:
        if self._items:
            self.dataChanged.emit(self.index(0, column), self.index(len(self._items) - 1, column))
        self.ticks_changed.emit()

    # the model

    def rowCount(self, parent: Index = _NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self._items)

    def columnCount(self, parent: Index = _NO_INDEX) -> int:
        return 0 if parent.isValid() else len(ImportColumn)

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        flags = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemNeverHasChildren
        if index.column() == ImportColumn.TITLE and self._items[index.row()].importable:
            flags |= Qt.ItemFlag.ItemIsUserCheckable
        return flags

    def data(self, index: Index, role: int = _ROLE.DisplayRole) -> object:
        if not index.isValid():
            return None
        item, column = self._items[index.row()], ImportColumn(index.column())
        if role == _ROLE.DisplayRole:
            return self._text(item, column)
        if role == _ROLE.CheckStateRole and column is ImportColumn.TITLE and item.importable:
            return Qt.CheckState.Checked if self._ticked[index.row()] else Qt.CheckState.Unchecked
        if role == _ROLE.DecorationRole and column is ImportColumn.TITLE and not item.importable:
            return self._theme.icon("error", "danger")
        if role == _ROLE.ToolTipRole:
            return tool_tip(self._tip(item, column))
        if role == _ROLE.TextAlignmentRole and column is ImportColumn.SIZE:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role == _ROLE.AccessibleTextRole:
            return self._text(item, column) or self.headerData(column, Qt.Orientation.Horizontal)
        return None

    def setData(self, index: Index, value: object, role: int = _ROLE.EditRole) -> bool:
        if role != _ROLE.CheckStateRole or not index.isValid() or index.column() != ImportColumn.TITLE:
            return False
        if not self._items[index.row()].importable:
            return False
        self._ticked[index.row()] = Qt.CheckState(value) is Qt.CheckState.Checked
        self.dataChanged.emit(index, index, [_ROLE.CheckStateRole])
        self.ticks_changed.emit()
        return True

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _ROLE.DisplayRole) -> object:
        if orientation is not Qt.Orientation.Horizontal or role != _ROLE.DisplayRole:
            return None
        return {
            ImportColumn.TITLE: self.tr("Chat"),
            ImportColumn.KIND: self.tr("What it is"),
            ImportColumn.EFFECT: self.tr("What will happen"),
            ImportColumn.ACTIVITY: self.tr("Last activity"),
            ImportColumn.COUNTS: self.tr("Content"),
            ImportColumn.SIZE: self.tr("Size"),
            ImportColumn.ID: self.tr("Id"),
            ImportColumn.CREATED: self.tr("Created"),
            ImportColumn.SOURCE: self.tr("From"),
        }[ImportColumn(section)]

    def effect(self, item: ImportItem) -> str:
        return shown(words.import_effect_text(item, self._on_conflict))

    def _text(self, item: ImportItem, column: ImportColumn) -> str:
        match column:
            case ImportColumn.TITLE:
                return shown(item.title) or shown(item.source.name)
            case ImportColumn.KIND:
                return words.import_class_text(item.kind)
            case ImportColumn.EFFECT:
                return self.effect(item)
            case ImportColumn.ACTIVITY:
                return words.relative_time(item.last_activity, zone=self._zone) if item.importable else ""
            case ImportColumn.CREATED:
                return words.exact_time(item.created_at.utc, self._zone) if item.importable else ""
            case ImportColumn.COUNTS:
                return counts_text(item) if item.importable else ""
            case ImportColumn.SIZE:
                return words.size_text(item.size)
            case ImportColumn.ID:
                return shown(item.id)
            case ImportColumn.SOURCE:
                return shown(source_text(item))

    def _tip(self, item: ImportItem, column: ImportColumn) -> str:
        if column is ImportColumn.ACTIVITY:
            return words.exact_time(item.last_activity, self._zone) if item.importable else ""
        if column is ImportColumn.SIZE:
            return words.size_exact(item.size)
        if column is ImportColumn.SOURCE:
            return str(item.source)
        return item.reason


def counts_text(item: ImportItem) -> str:
    """ "3 agents · 74 log items · 57 messages · 2 files"."""
    parts = [words.agents_text(item.agents), words.log_items_text(item.log_items), words.messages_text(item.messages)]
    if item.files:
        parts.append(words.files_text(item.files))
    return " · ".join(parts)


def source_text(item: ImportItem) -> str:
    """The file's name, with the place inside an array of chats."""
    name = item.source.name or str(item.source)
    return name if item.index is None else f"{name} [{item.index + 1}]"
