"""What became of the responses kept at model providers: a table with filter, and what one can do about each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import tzinfo

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QPoint, Qt, Signal
from PySide6.QtGui import QFontMetrics, QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QMenu,
    QStackedWidget,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from chat_archive.core.provider.receipts import ResponseState, to_csv
from chat_archive.ui.dialogs.sheet import UNIT, hairline, sheet_button
from chat_archive.ui.models.receipts_model import Group, ReceiptColumn, ReceiptLine, ReceiptsModel, details_text
from chat_archive.ui.plain_text import ThemedLabel, breakable, shown_block
from chat_archive.ui.theme import Theme
from chat_archive.ui.views.empty_place import EmptyPlace

# in digits; the reason takes what is left
_WIDTHS = {ReceiptColumn.STATE: 30, ReceiptColumn.CHAT: 16, ReceiptColumn.PROVIDER: 20, ReceiptColumn.CHANGED: 12}


class ProviderView(QWidget):
    """`retry_requested` carries lines, or None for all that are open; `forget_requested` lines; `keys_requested` and
    `bases_requested` ask for the dialogs, `table_requested` carries the lines to save. Nothing is done here."""

    retry_requested = Signal(object)
    forget_requested = Signal(list)
    keys_requested = Signal()
    bases_requested = Signal()
    table_requested = Signal(list)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._writable = True
        self._working = False
        self._zone: tzinfo | None = None
        self.model = ReceiptsModel(theme, self)
        self.table = self._make_table()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._make_head())
        column.addLayout(self._make_filter())
        column.addWidget(hairline())
        self._stack = QStackedWidget()
        self._empty = EmptyPlace(theme)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self.table)
        column.addWidget(self._stack, 1)
        column.addWidget(hairline())
        self.details = ThemedLabel(theme, "", color="muted", wrap=True, selectable=True)
        self.details.setContentsMargins(UNIT + 4, UNIT, UNIT + 4, UNIT)
        self.details.setAccessibleName(self.tr("About the chosen response"))
        column.addWidget(self.details)
        self._fit_table()
        theme.changed.connect(self._fit_table)
        self._refresh()

    def set_lines(self, lines: Sequence[ReceiptLine]) -> None:
        """Show these; what was selected and is still there stays selected."""
        kept = {line.key for line in self.selected()}
        self.model.set_lines(lines)
        selection = QItemSelection()
        for row in self.model.rows_of(kept):
            selection.select(self.model.index(row, 0), self.model.index(row, self.model.columnCount() - 1))
        self.table.selectionModel().select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self._refresh()

    def set_zone(self, zone: tzinfo | None) -> None:
        self._zone = zone
        self.model.set_zone(zone)

    def set_state(self, *, writable: bool, working: bool) -> None:
        """A root that is open to look only sends nothing; while one run is under way no other begins."""
        self._writable, self._working = writable, working
        self._refresh()

    def selected(self) -> list[ReceiptLine]:
        rows = sorted(index.row() for index in self.table.selectionModel().selectedRows())
        return [self.model.line(row) for row in rows]

    # making it

    def _make_head(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(UNIT + 4, UNIT, UNIT + 4, UNIT)
        row.setSpacing(UNIT)
        self.sum = ThemedLabel(self._theme, "", wrap=True)
        row.addWidget(self.sum, 1)
        self.retry_button = sheet_button(self.tr("&Try Again"), "primary")
        self.retry_button.clicked.connect(self._on_retry)
        self.keys_button = sheet_button(self.tr("&Key…"))
        self.keys_button.clicked.connect(self.keys_requested)
        self.bases_button = sheet_button(self.tr("&Base URLs…"))
        self.bases_button.clicked.connect(self.bases_requested)
        self.forget_button = sheet_button(self.tr("&Give Up…"))
        self.forget_button.clicked.connect(self._on_forget)
        for button in (self.retry_button, self.keys_button, self.bases_button, self.forget_button):
            row.addWidget(button)
        return row

    def _make_filter(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(UNIT + 4, 0, UNIT + 4, UNIT)
        row.setSpacing(UNIT)
        self.group = QComboBox()
        self.group.setAccessibleName(self.tr("Which responses are listed"))
        for text, group in (
            (self.tr("All"), Group.ALL),
            (self.tr("Still there"), Group.OPEN),
            (self.tr("Gone"), Group.DONE),
            (self.tr("Kept or given up"), Group.KEPT),
        ):
            self.group.addItem(text, group)
        self.field = QLineEdit()
        self.field.setPlaceholderText(self.tr("Filter by chat, provider, id or reason"))
        self.field.setAccessibleName(self.tr("Filter the responses"))
        self.field.setClearButtonEnabled(True)
        self.copy_button = sheet_button(self.tr("&Copy"))
        self.copy_button.clicked.connect(self.copy)
        self.table_button = sheet_button(self.tr("&Save as Table…"))
        self.table_button.clicked.connect(lambda: self.table_requested.emit(self.selected() or list(self.model.lines)))
        self.group.currentIndexChanged.connect(self._on_filter)
        self.field.textChanged.connect(self._on_filter)
        row.addWidget(self.group)
        row.addWidget(self.field, 1)
        row.addWidget(self.copy_button)
        row.addWidget(self.table_button)
        return row

    def _make_table(self) -> QTableView:
        table = QTableView()
        table.setModel(self.model)
        table.setAccessibleName(self.tr("Responses at the providers"))
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
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
        header.setStretchLastSection(True)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        table.setSortingEnabled(True)
        table.sortByColumn(ReceiptColumn.CHANGED, Qt.SortOrder.DescendingOrder)
        table.selectionModel().selectionChanged.connect(lambda *_: self._refresh())
        table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        table.customContextMenuRequested.connect(self._on_menu)
        return table

    def _fit_table(self) -> None:
        """Rows and columns for the text size in force; the table's own font follows only later."""
        metrics = QFontMetrics(self._theme.font())
        unit = metrics.horizontalAdvance("0")
        self.table.verticalHeader().setDefaultSectionSize(metrics.lineSpacing() + UNIT + 4)
        self.table.horizontalHeader().setMinimumSectionSize(8 * unit)
        for column, width in _WIDTHS.items():
            self.table.setColumnWidth(column, width * unit)

    # showing how things stand

    def _refresh(self) -> None:
        every, chosen = self.model.all_lines, self.selected()
        self.sum.setText(self._sum())
        waiting = [line for line in (chosen or every) if line.receipt.state.open]
        again = [line for line in chosen if line.receipt.state in (ResponseState.GONE, ResponseState.SHARED)]
        free = self._writable and not self._working
        self.retry_button.setText(
            self.tr("&Try %Ln Again", "", len(waiting)) if chosen and waiting else self.tr("&Try Again")
        )
        self.retry_button.setEnabled(free and bool(waiting or again))
        self.forget_button.setEnabled(free and any(not line.receipt.state.final for line in chosen))
        self.keys_button.setEnabled(free and any(line.receipt.state.open for line in every))
        self.bases_button.setEnabled(self._writable and bool(every))
        for button in (self.copy_button, self.table_button):
            button.setEnabled(bool(self.model.lines))
        self.details.setVisible(len(chosen) == 1)
        if len(chosen) == 1:
            self.details.setText(breakable(shown_block(details_text(chosen[0].receipt, self._zone))))
        if not self.model.lines:
            self._say_empty(bool(every))
        self._stack.setCurrentIndex(1 if self.model.lines else 0)

    def _sum(self) -> str:
        """ "2 of 40 responses are still at the provider, 37 are gone, 1 is kept." """
        states = Counter(line.receipt.state for line in self.model.all_lines)
        total = sum(states.values())
        if not total:
            return ""
        still = sum(number for state, number in states.items() if state.open)
        gone, unknown = states[ResponseState.DELETED], states[ResponseState.GONE]
        kept = states[ResponseState.SHARED] + states[ResponseState.KEPT]
        if still:
            text = self.tr("{still} of %Ln response(s) still at the provider", "", total).format(still=still)
        else:
            text = self.tr("Nothing more is to be deleted at the provider: %Ln response(s)", "", total)
        parts = [text]
        if gone:
            parts.append(self.tr("%Ln gone", "responses", gone))
        if unknown:
            parts.append(self.tr("%Ln not known there", "responses", unknown))
        if kept:
            parts.append(self.tr("%Ln kept", "responses", kept))
        if states[ResponseState.NOT_STORED]:
            parts.append(self.tr("%Ln never stored", "responses", states[ResponseState.NOT_STORED]))
        if states[ResponseState.FORGOTTEN]:
            parts.append(self.tr("%Ln given up", "responses", states[ResponseState.FORGOTTEN]))
        return ", ".join(parts)

    def _say_empty(self, filtered: bool) -> None:
        if filtered:
            self._empty.say(self.tr("Nothing found"), self.tr("No response passes the filter."), icon="search")
            return
        self._empty.say(
            self.tr("No responses at a provider"),
            self.tr(
                "When an erased chat left responses stored at its model provider, each is listed here until it is gone."
            ),
            icon="cloud",
        )

    # what a hand does

    def _on_filter(self) -> None:
        kept = {line.key for line in self.selected()}
        self.model.set_filter(Group(self.group.currentData()), self.field.text())
        selection = QItemSelection()
        for row in self.model.rows_of(kept):
            selection.select(self.model.index(row, 0), self.model.index(row, self.model.columnCount() - 1))
        self.table.selectionModel().select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self._refresh()

    def _on_retry(self) -> None:
        self.retry_requested.emit(self.selected() or None)

    def _on_forget(self) -> None:
        lines = [line for line in self.selected() if not line.receipt.state.final]
        if lines:
            self.forget_requested.emit(lines)

    def copy(self) -> None:
        """The selected lines, or all that are listed, as a table."""
        lines = self.selected() or list(self.model.lines)
        QGuiApplication.clipboard().setText(to_csv(line.receipt for line in lines))

    def _on_menu(self, place: QPoint) -> None:
        if not self.selected():
            return
        menu = QMenu(self)
        for button in (self.retry_button, self.forget_button, self.copy_button, self.table_button):
            menu.addAction(button.text(), button.click).setEnabled(button.isEnabled())
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.table.viewport().mapToGlobal(place))
