"""The trash of the open archive: what is in it, restoring, and erasing for good."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QPoint, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLayout,
    QMenu,
    QStackedWidget,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from chat_archive.core.entities import TrashEntry
from chat_archive.ui import words
from chat_archive.ui.dialogs.sheet import UNIT, hairline, sheet_button
from chat_archive.ui.models.trash_model import TrashColumn, TrashModel
from chat_archive.ui.plain_text import ThemedLabel
from chat_archive.ui.theme import Theme
from chat_archive.ui.views.chat_header import FlowLayout
from chat_archive.ui.views.text_cells import CellDelegate

# in digits; the title takes what is left
_WIDTHS = {TrashColumn.PLACE: 14, TrashColumn.TRASHED: 15, TrashColumn.PURGED: 15, TrashColumn.SIZE: 11}


class _Table(QTableView):
    """Enter restores; a double click does not, since it is too near to a click."""

    enter_pressed = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.enter_pressed.emit()
            return
        super().keyPressEvent(event)


class TrashView(QWidget):
    """`restore_requested` carries entries; `empty_requested` entries, or None for the whole trash.

    Nothing is done here: who listens asks first (`Prompts.confirm_empty`), then runs the job, then calls `set_entries`.
    """

    restore_requested = Signal(list)
    empty_requested = Signal(object)
    selection_changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._writable = True
        self.model = TrashModel(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._make_head())
        column.addWidget(hairline())
        self._stack = QStackedWidget()
        self._stack.addWidget(self._make_empty())
        self.table = self._make_table()
        self._stack.addWidget(self.table)
        self._fit_table()
        theme.changed.connect(self._fit_table)
        column.addWidget(self._stack, 1)
        self._refresh()

    def set_entries(self, entries: Sequence[TrashEntry]) -> None:
        """Show these; what was selected and is still there stays selected."""
        kept = {entry.id for entry in self.selected()}
        self.model.set_entries(entries)
        selection = QItemSelection()
        for row in self.model.rows_of(kept):
            selection.select(self.model.index(row, 0), self.model.index(row, self.model.columnCount() - 1))
        self.table.selectionModel().select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self._refresh()

    def set_zone(self, zone: tzinfo | None) -> None:
        self.model.set_zone(zone)

    def set_writable(self, writable: bool) -> None:
        """A root that is open to look only restores and erases nothing."""
        self._writable = writable
        self._refresh()

    def selected(self) -> list[TrashEntry]:
        rows = sorted(index.row() for index in self.table.selectionModel().selectedRows())
        return [self.model.entry(row) for row in rows]

    def _make_head(self) -> QLayout:
        """The buttons, and under them the sum, which is told in a line of its own: a narrow pane cuts neither."""
        column = QVBoxLayout()
        column.setContentsMargins(UNIT + 4, UNIT, UNIT + 4, UNIT)
        column.setSpacing(UNIT)
        row = FlowLayout(gap=UNIT, line=UNIT)
        self.sum = ThemedLabel(self._theme, "", color="muted")
        self.restore_button = sheet_button(self.tr("&Restore"))
        self.restore_button.clicked.connect(self._on_restore)
        self.erase_button = sheet_button(self.tr("Erase…"))
        self.erase_button.clicked.connect(self._on_erase)
        self.empty_button = sheet_button(self.tr("E&mpty Trash…"))
        self.empty_button.clicked.connect(lambda: self.empty_requested.emit(None))
        for button in (self.restore_button, self.erase_button, self.empty_button):
            row.addWidget(button)
        column.addLayout(row)
        column.addWidget(self.sum)
        return column

    def _make_empty(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(3 * UNIT, 3 * UNIT, 3 * UNIT, 3 * UNIT)
        column.addStretch(2)
        for label in (
            ThemedLabel(self._theme, self.tr("The trash is empty"), role="title", wrap=True),
            ThemedLabel(
                self._theme,
                self.tr("Chats you move to the trash wait here until you restore them or their time is over."),
                color="muted",
                wrap=True,
            ),
        ):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
            column.addWidget(label)
        column.addStretch(3)
        return page

    def _make_table(self) -> QTableView:
        table = _Table()
        table.setModel(self.model)
        table.setAccessibleName(self.tr("Chats in the trash"))
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        table.setItemDelegate(CellDelegate(table))
        table.setWordWrap(False)
        table.setShowGrid(False)
        table.setAlternatingRowColors(True)
        table.setTabKeyNavigation(False)
        table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        table.verticalHeader().hide()
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setResizeContentsPrecision(0)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter)
        header.setStretchLastSection(False)
        header.setSectionResizeMode(TrashColumn.TITLE, QHeaderView.ResizeMode.Stretch)
        table.setSortingEnabled(True)
        table.sortByColumn(TrashColumn.TRASHED, Qt.SortOrder.DescendingOrder)
        table.selectionModel().selectionChanged.connect(lambda *_: self._refresh())
        table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        table.customContextMenuRequested.connect(self._on_menu)
        table.enter_pressed.connect(self._on_restore)
        return table

    def _fit_table(self) -> None:
        """Rows and columns for the text size in force; the table's own font follows only later."""
        metrics = QFontMetrics(self._theme.font())
        unit = metrics.horizontalAdvance("0")
        self.table.verticalHeader().setDefaultSectionSize(metrics.lineSpacing() + UNIT + 4)
        self.table.horizontalHeader().setMinimumSectionSize(8 * unit)
        for column, width in _WIDTHS.items():
            self.table.setColumnWidth(column, width * unit)

    def _refresh(self) -> None:
        entries = self.model.entries
        chosen = len(self.selected()) if entries else 0
        self._stack.setCurrentIndex(1 if entries else 0)
        total = words.sum_text(len(entries), sum(entry.size for entry in entries))
        if chosen:
            total = self.tr("{sum}, %Ln selected", "", chosen).format(sum=total)
        self.sum.setText(total if entries else "")
        self.sum.setVisible(bool(entries))
        self.restore_button.setText(self.tr("&Restore %Ln chat(s)", "", chosen) if chosen else self.tr("&Restore"))
        self.restore_button.setEnabled(self._writable and chosen > 0)
        self.erase_button.setEnabled(self._writable and chosen > 0)
        self.empty_button.setEnabled(self._writable and bool(entries))
        self.selection_changed.emit()

    def _on_restore(self) -> None:
        if self._writable and self.selected():
            self.restore_requested.emit(self.selected())

    def _on_erase(self) -> None:
        if self._writable and self.selected():
            self.empty_requested.emit(self.selected())

    def _on_menu(self, place: QPoint) -> None:
        if not self.selected():
            return
        menu = QMenu(self)
        restore = menu.addAction(self.restore_button.text(), self._on_restore)
        erase = menu.addAction(self.erase_button.text(), self._on_erase)
        for action in (restore, erase):
            action.setEnabled(self._writable)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.table.viewport().mapToGlobal(place))
