"""The files of a chat's folder, and those the chat names that are not there."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from chat_archive.core.entities import ChatFile
from chat_archive.core.model.titles import one_line
from chat_archive.ui.theme import Theme
from chat_archive.ui.words import exact_time, size_text

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class Column(IntEnum):
    NAME = 0
    KIND = 1
    SIZE = 2
    MODIFIED = 3
    NOTE = 4


class FilesModel(QAbstractTableModel):
    """Files in the order the archive gives them, or by a column."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._zone: tzinfo | None = None
        self._files: list[ChatFile] = []

    def set_files(self, files: Sequence[ChatFile], zone: tzinfo | None) -> None:
        self.beginResetModel()
        self._files, self._zone = list(files), zone
        self.endResetModel()

    def file(self, row: int) -> ChatFile:
        return self._files[row]

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._files)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(Column)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        if not 0 <= column < len(Column):
            return
        keys: dict[Column, Any] = {
            Column.NAME: lambda file: file.relative.casefold(),
            Column.KIND: lambda file: (file.kind, file.relative),
            Column.SIZE: lambda file: (file.size, file.relative),
            Column.MODIFIED: lambda file: (file.modified.timestamp() if file.modified else -1.0, file.relative),
            Column.NOTE: lambda file: (file.missing, file.note, file.relative),
        }
        self.beginResetModel()
        self._files.sort(key=keys[Column(column)], reverse=order == Qt.SortOrder.DescendingOrder)
        self.endResetModel()

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self._files):
            return None
        file, column = self._files[index.row()], Column(index.column())
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._text(file, column)
        if role == Qt.ItemDataRole.ForegroundRole and file.missing:
            return self._theme.color("warning" if column is Column.NOTE else "muted")
        if role == Qt.ItemDataRole.DecorationRole and column is Column.NAME:
            return self._theme.icon(_ICONS.get(file.kind, "file"), "muted")
        if role == Qt.ItemDataRole.TextAlignmentRole and column is Column.SIZE:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None

    def _text(self, file: ChatFile, column: Column) -> str:
        if column is Column.NAME:
            return one_line(file.relative, 300)
        if column is Column.KIND:
            return kind_text(self, file.kind)
        if column is Column.SIZE:
            return "" if file.missing else size_text(file.size)
        if column is Column.MODIFIED:
            return "" if file.modified is None else exact_time(file.modified, self._zone)
        if file.missing:
            return one_line(file.note) or self.tr("missing: the chat names it, but it is not there")
        return one_line(file.note)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal or role != Qt.ItemDataRole.DisplayRole:
            return None
        if not 0 <= section < len(Column):
            return None
        return {
            Column.NAME: self.tr("Name"),
            Column.KIND: self.tr("Kind"),
            Column.SIZE: self.tr("Size"),
            Column.MODIFIED: self.tr("Changed"),
            Column.NOTE: self.tr("Note"),
        }[Column(section)]


_ICONS = {"chat": "chat", "message": "document", "image": "image", "screenshot": "camera", "backup": "restore"}


def kind_text(model: QObject, kind: str) -> str:
    """A kind of file in the words of the screen."""
    names = {
        "chat": model.tr("chat"),
        "message": model.tr("tool result"),
        "image": model.tr("picture"),
        "screenshot": model.tr("screenshot"),
        "backup": model.tr("backup"),
        "leftover": model.tr("left over from a killed save"),
        "copy": model.tr("copy"),
        "other": model.tr("other"),
    }
    return names.get(kind, kind)
