"""The Files tab: everything in the chat's folder, and what the chat names that is not there."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo
from pathlib import Path

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QTableView, QVBoxLayout, QWidget

from chat_archive.core.entities import ChatFile, ChatRow
from chat_archive.ui.models.files_model import Column, FilesModel
from chat_archive.ui.plain_text import ThemedLabel
from chat_archive.ui.theme import Theme
from chat_archive.ui.views.text_cells import dress_table, widths
from chat_archive.ui.words import files_text, size_text

_LEAST_NAME = 120


class FilesView(QWidget):
    """A table and a button. `open_externally` hands out a folder to show in the desktop's file manager."""

    open_externally = Signal(Path)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row: ChatRow | None = None
        self.model = FilesModel(theme, self)
        self.table = QTableView()
        self.table.setModel(self.model)
        self.table.setAccessibleName(self.tr("Files of this chat"))
        dress_table(self.table, theme)
        self.table.setSortingEnabled(True)
        self.table.horizontalHeader().setSortIndicatorClearable(False)
        self.sum = ThemedLabel(theme, color="muted", wrap=True)
        self.open = QPushButton(self.tr("Show in file manager"))
        self.open.setIcon(theme.icon("folder"))
        self.open.clicked.connect(self._on_open)
        bar = QHBoxLayout()
        bar.setContentsMargins(12, 8, 12, 8)
        bar.addWidget(self.sum, 1)
        bar.addWidget(self.open)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(bar)
        layout.addWidget(self.table, 1)
        self.table.doubleClicked.connect(self._on_double_click)
        self.table.viewport().installEventFilter(self)
        theme.changed.connect(lambda: self.open.setIcon(theme.icon("folder")))

    def show_files(self, row: ChatRow, files: Sequence[ChatFile], zone: tzinfo | None) -> None:
        self._row = row
        self.model.set_files(files, zone)
        there = [file for file in files if not file.missing]
        missing = len(files) - len(there)
        text = self.tr("{files}, {size}").format(
            files=files_text(len(there)), size=size_text(sum(file.size for file in there))
        )
        if missing:
            text += self.tr("; %Ln missing", "", missing)
        self.sum.setText(text)
        samples = {
            Column.KIND: "tool result",
            Column.SIZE: "999.9 MB",
            Column.MODIFIED: "00 MMM 0000, 00:00",
        }
        noted = any(self.model.index(row, Column.NOTE).data() for row in range(len(files)))
        # first of all, or the last column that is shown would be stretched in its place
        self.table.horizontalHeader().setStretchLastSection(noted)
        self.table.setColumnHidden(Column.NOTE, not noted)
        widths(self.table, samples)
        self._fit_name()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize:
            self._fit_name()
        return super().eventFilter(watched, event)

    def _fit_name(self) -> None:
        """Names take what the other columns leave, the note included where there is one."""
        table = self.table
        others = sum(table.columnWidth(column) for column in (Column.KIND, Column.SIZE, Column.MODIFIED))
        if not table.isColumnHidden(Column.NOTE):
            others += table.sizeHintForColumn(Column.NOTE)
        room = table.viewport().width()
        least = min(max(table.sizeHintForColumn(Column.NAME), _LEAST_NAME), room * 2 // 3)
        table.setColumnWidth(Column.NAME, max(room - others, least))

    def _on_open(self) -> None:
        """The chat's folder, or the folder of the chosen file."""
        if self._row is None:
            return
        target = self._row.path.parent
        index = self.table.currentIndex()
        if index.isValid() and not self._row.flat and not self.model.file(index.row()).missing:
            parts = self.model.file(index.row()).relative.split("/")[:-1]
            target = target.joinpath(*(part for part in parts if part not in ("", ".", "..")))
        self.open_externally.emit(target)

    def _on_double_click(self, index: QModelIndex) -> None:
        if index.isValid() and index.flags() & Qt.ItemFlag.ItemIsEnabled:
            self._on_open()
