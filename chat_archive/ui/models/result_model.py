"""The items of a finished batch: what each was and what became of it; failures first."""

from __future__ import annotations

from enum import IntEnum

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from chat_archive.core.entities import ItemResult, OperationResult
from chat_archive.ui import words
from chat_archive.ui.plain_text import TEXT_LIMIT, shown, tool_tip
from chat_archive.ui.theme import Theme

Index = QModelIndex | QPersistentModelIndex
_NO_INDEX = QModelIndex()
_ROLE = Qt.ItemDataRole


class ResultColumn(IntEnum):
    STATE = 0
    ITEM = 1
    TEXT = 2


class ResultModel(QAbstractTableModel):
    def __init__(self, theme: Theme, result: OperationResult, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._result = result
        self._items: tuple[ItemResult, ...] = ()
        self.show_failed_only(False)

    def show_failed_only(self, only: bool) -> None:
        self.beginResetModel()
        kept = self._result.failed if only else self._result.items
        self._items = tuple(sorted(kept, key=lambda item: (item.ok, item.skipped is False)))
        self.endResetModel()

    def item(self, row: int) -> ItemResult:
        return self._items[row]

    def rowCount(self, parent: Index = _NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self._items)

    def columnCount(self, parent: Index = _NO_INDEX) -> int:
        return 0 if parent.isValid() else len(ResultColumn)

    def data(self, index: Index, role: int = _ROLE.DisplayRole) -> object:
        if not index.isValid():
            return None
        item, column = self._items[index.row()], ResultColumn(index.column())
        if role == _ROLE.DisplayRole:
            return self._text(item, column)
        if role == _ROLE.ToolTipRole:
            return tool_tip(words.item_sentences(item) if column is ResultColumn.TEXT else _where(item))
        if role == _ROLE.DecorationRole and column is ResultColumn.STATE:
            return self._theme.icon(*_icon(item))
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _ROLE.DisplayRole) -> object:
        if orientation is not Qt.Orientation.Horizontal or role != _ROLE.DisplayRole:
            return None
        return (self.tr("State"), self.tr("Item"), self.tr("What became of it"))[section]

    def _text(self, item: ItemResult, column: ResultColumn) -> str:
        if column is ResultColumn.STATE:
            return words.item_mark(item)
        return shown(item.item) if column is ResultColumn.ITEM else shown(words.item_sentences(item), TEXT_LIMIT)


def _icon(item: ItemResult) -> tuple[str, str]:
    if not item.ok:
        return "error", "danger"
    return ("info", "muted") if item.skipped else ("check", "ok")


def _where(item: ItemResult) -> str:
    return str(item.path) if item.path is not None else item.item
