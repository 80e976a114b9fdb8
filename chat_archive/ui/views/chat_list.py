"""The list of chats: two-line rows or a plain table, one view and one selection for both.

Selection, current row and scroll are kept by key through every reset of the model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import tzinfo

from PySide6.QtCore import (
    QByteArray,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPoint,
    Qt,
    Signal,
)
from PySide6.QtGui import QContextMenuEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTableView, QWidget

from chat_archive.core.entities import ChatRow
from chat_archive.ui.models.chat_list_model import ChatListModel
from chat_archive.ui.models.chat_order import ChatKey, Column
from chat_archive.ui.row_words import column_name
from chat_archive.ui.theme import Theme
from chat_archive.ui.views.delegates import ChatRowDelegate, TableCellDelegate

TABLE_COLUMNS = (
    Column.TITLE,
    Column.AGENTS,
    Column.ACTIVITY,
    Column.LOG,
    Column.MESSAGES,
    Column.SIZE,
    Column.STATE,
)
"""Shown in the table until the person chooses others."""

_WIDTHS = {
    Column.TITLE: 260,
    Column.AGENTS: 190,
    Column.LOG: 64,
    Column.MESSAGES: 84,
    Column.SIZE: 76,
    Column.STATE: 130,
    Column.CREATED: 130,
    Column.PROGRESS: 160,
    Column.FIRST_WORDS: 240,
}


class ChatListView(QTableView):
    """Shows a `ChatListModel`. A table, since a tree asks the model for every row after each reset."""

    selection_changed = Signal()
    trash_requested = Signal()  # Backspace in the list
    read_requested = Signal()  # Enter or double click
    drag_started = Signal()

    def __init__(self, theme: Theme, zone: Callable[[], tzinfo | None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rows_delegate = ChatRowDelegate(theme, zone, self)
        self._table_delegate = TableCellDelegate(theme, self)
        self._table = False
        self._menu: QMenu | None = None
        self._kept: tuple[frozenset[ChatKey], ChatKey | None, ChatKey | None, int] | None = None
        self._quiet = False
        self.setAccessibleName(self.tr("Chats"))
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setDragEnabled(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.setMouseTracking(True)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setTabKeyNavigation(False)
        self.setFrameShape(QTableView.Shape.NoFrame)
        header = self.horizontalHeader()
        header.setAccessibleName(self.tr("Columns"))
        header.setStretchLastSection(False)
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionsMovable(True)
        header.setResizeContentsPrecision(0)
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header.customContextMenuRequested.connect(self._on_columns_menu)
        self._columns: dict[Column, bool] = {column: column in TABLE_COLUMNS for column in Column}
        self._table_state: QByteArray | None = None
        self.doubleClicked.connect(lambda _index: self.read_requested.emit())
        theme.changed.connect(self._on_theme)

    # what the window asks

    def set_chat_model(self, model: ChatListModel) -> None:
        # connected before the view itself listens, so that what was selected is noted in time
        model.modelAboutToBeReset.connect(self._keep)
        model.rowsAboutToBeRemoved.connect(self._on_about_to_remove)
        model.rowsAboutToBeInserted.connect(self._note_top)
        self.setModel(model)
        model.modelReset.connect(self._restore)
        model.rowsRemoved.connect(self._on_removed)
        model.counted.connect(self._back_to_top)
        self.selectionModel().selectionChanged.connect(self._on_selection)
        self._dress()

    @property
    def chats(self) -> ChatListModel:
        model = self.model()
        assert isinstance(model, ChatListModel)
        return model

    @property
    def is_table(self) -> bool:
        return self._table

    def set_table(self, table: bool) -> None:
        if table == self._table:
            return
        if self._table:
            self._table_state = self.horizontalHeader().saveState()
        self._table = table
        top = self._top_key()
        self._dress()
        self._scroll_to_top_key(top)

    def set_menu(self, menu: QMenu) -> None:
        """The context menu of the rows; it shares the window's actions."""
        self._menu = menu

    def selected_keys(self) -> list[ChatKey]:
        """In the order of the list."""
        model = self.chats
        return [model.key_at(number) for number in self._selected_numbers()]

    def selected_rows(self) -> list[ChatRow]:
        model = self.chats
        return [model.row_at(number) for number in self._selected_numbers()]

    @property
    def selected_count(self) -> int:
        return len(self._selected_numbers()) if self.model() is not None else 0

    def current_key(self) -> ChatKey | None:
        index = self.currentIndex()
        return self.chats.key_at(index.row()) if index.isValid() else None

    def select(self, keys: Iterable[ChatKey], current: ChatKey | None = None) -> None:
        """Select exactly these chats, as ranges; those not shown are left out."""
        model = self.chats
        numbers = sorted(number for key in keys if (number := model.find(key)) >= 0)
        selection = self._ranges(numbers)
        place = model.find(current) if current is not None else (numbers[0] if numbers else -1)
        if place >= 0:
            index = model.index(place, Column.TITLE)
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
        self.selectionModel().select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        if place >= 0:
            self.scrollTo(model.index(place, Column.TITLE))

    # columns of the table

    def visible_columns(self) -> list[Column]:
        return [column for column, on in self._columns.items() if on]

    def set_column_visible(self, column: Column, on: bool) -> None:
        if column is Column.TITLE:
            return
        self._columns[column] = on
        if self._table:
            self.setColumnHidden(column, not on)

    def table_state(self) -> QByteArray:
        """Order and widths, for the next start; empty when the table was never shown."""
        if self._table:
            return self.horizontalHeader().saveState()
        return self._table_state or QByteArray()

    def restore_table_state(self, state: QByteArray, columns: Sequence[Column]) -> None:
        if columns:
            self._columns = {column: column in columns or column is Column.TITLE for column in Column}
        self._table_state = None if state.isEmpty() else state
        self._dress()

    def fill_columns_menu(self, menu: QMenu) -> None:
        for column in Column:
            if column is Column.TITLE:
                continue
            action = menu.addAction(column_name(column))
            action.setCheckable(True)
            action.setChecked(self._columns[column])
            action.toggled.connect(lambda on, which=column: self.set_column_visible(which, on))

    # Qt's face

    def keyPressEvent(self, event: QKeyEvent) -> None:
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        if plain and event.key() == Qt.Key.Key_Backspace:
            self.trash_requested.emit()
            event.accept()
            return
        if plain and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.read_requested.emit()
            event.accept()
            return
        super().keyPressEvent(event)

    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        """Home and End go to the first and last chat, not to a cell of the row."""
        rows = self.model().rowCount()
        if rows and action is QAbstractItemView.CursorAction.MoveHome:
            return self.model().index(0, Column.TITLE)
        if rows and action is QAbstractItemView.CursorAction.MoveEnd:
            return self.model().index(rows - 1, Column.TITLE)
        return super().moveCursor(action, modifiers)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self._menu is not None:
            where = event.globalPos()
            if event.reason() is QContextMenuEvent.Reason.Keyboard and self.currentIndex().isValid():
                where = self.viewport().mapToGlobal(self.visualRect(self.currentIndex()).center())
            self._menu.popup(where)

    def startDrag(self, supported: Qt.DropAction) -> None:
        # what a drag carries are exported files; whoever makes them listens
        if self.selected_count:
            self.drag_started.emit()

    # inside

    def _dress(self) -> None:
        header = self.horizontalHeader()
        header.setVisible(self._table)
        if self._table:
            self.setItemDelegate(self._table_delegate)
            self.setAlternatingRowColors(True)
            header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
            if self._table_state is not None:
                header.restoreState(self._table_state)
                header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
            else:
                for column in Column:
                    self.setColumnWidth(column, _WIDTHS.get(column, 100))
            for column, on in self._columns.items():
                self.setColumnHidden(column, not on)
            model = self.model()
            if isinstance(model, ChatListModel):
                order = Qt.SortOrder.DescendingOrder if model.falling else Qt.SortOrder.AscendingOrder
                header.setSortIndicator(model.sort_column, order)
            self.setSortingEnabled(True)
        else:
            self.setSortingEnabled(False)
            self.setItemDelegate(self._rows_delegate)
            self.setAlternatingRowColors(False)
            for column in Column:
                self.setColumnHidden(column, column is not Column.TITLE)
            if header.count():
                header.setSectionResizeMode(Column.TITLE, QHeaderView.ResizeMode.Stretch)
        height = (self._table_delegate if self._table else self._rows_delegate).row_height
        self.verticalHeader().setMinimumSectionSize(height)
        self.verticalHeader().setDefaultSectionSize(height)
        self.setHorizontalScrollBarPolicy(
            Qt.ScrollBarPolicy.ScrollBarAsNeeded if self._table else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        )
        self.doItemsLayout()

    def show_order(self) -> None:
        """Let the table's header show the order that was chosen elsewhere."""
        if self._table:
            model = self.chats
            order = Qt.SortOrder.DescendingOrder if model.falling else Qt.SortOrder.AscendingOrder
            self.horizontalHeader().setSortIndicator(model.sort_column, order)

    def _on_theme(self) -> None:
        self._dress()

    def _on_columns_menu(self, where: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.fill_columns_menu(menu)
        menu.popup(self.horizontalHeader().mapToGlobal(where))

    def _selected_numbers(self) -> list[int]:
        numbers: set[int] = set()
        for one in self.selectionModel().selection().toList():
            numbers.update(range(one.top(), one.bottom() + 1))
        return sorted(numbers)

    def _ranges(self, numbers: Sequence[int]) -> QItemSelection:
        model = self.chats
        selection = QItemSelection()
        last_column = model.columnCount() - 1
        start = 0
        for place in range(1, len(numbers) + 1):
            if place == len(numbers) or numbers[place] != numbers[place - 1] + 1:
                first = model.index(numbers[start], 0)
                selection.select(first, model.index(numbers[place - 1], last_column))
                start = place
        return selection

    def _on_selection(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        # Qt also tells of rows that only moved, with nothing in either
        if not self._quiet and not (selected.isEmpty() and deselected.isEmpty()):
            self.selection_changed.emit()

    def _top_key(self) -> ChatKey | None:
        if self.model() is None or self.verticalScrollBar().value() == 0:
            return None
        index = self.indexAt(QPoint(2, 1))
        return self.chats.key_at(index.row()) if index.isValid() else None

    def _scroll_to_top_key(self, key: ChatKey | None, offset: int = 0) -> None:
        if key is None:
            return
        number = self.chats.find(key)
        if number >= 0:
            self.scrollTo(self.chats.index(number, 0), QAbstractItemView.ScrollHint.PositionAtTop)
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + offset)

    def _top(self) -> tuple[ChatKey | None, int]:
        """The chat at the upper edge and how many pixels of it are out of sight; None at the very top."""
        key = self._top_key()
        return key, 0 if key is None else -self.visualRect(self.chats.index(self.chats.find(key), 0)).top()

    def _note_top(self, *_: object) -> None:
        """Before the first of several runs of rows comes or goes."""
        if self._anchor is None:
            self._anchor = self._top()

    def _back_to_top(self) -> None:
        """What is read stays where it is when rows come or go above it."""
        if self._anchor is not None:
            (key, offset), self._anchor = self._anchor, None
            self._scroll_to_top_key(key, offset)

    def _keep(self) -> None:
        self._kept = (frozenset(self.selected_keys()), self.current_key(), *self._top())
        self._quiet = True

    def _restore(self) -> None:
        self._quiet = False
        if self._kept is None:
            return
        keys, current, top, offset = self._kept
        self._kept = None
        model = self.chats
        numbers = sorted(number for key in keys if (number := model.find(key)) >= 0)
        self._quiet = True
        if current is not None and (place := model.find(current)) >= 0:
            index = model.index(place, Column.TITLE)
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
        self.selectionModel().select(self._ranges(numbers), QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self._quiet = False
        self._scroll_to_top_key(top, offset)
        if len(numbers) != len(keys):
            self.selection_changed.emit()

    def _on_about_to_remove(self, _parent: QModelIndex, first: int, last: int) -> None:
        """When everything selected goes, the next chat takes its place, so that one can go on with the keyboard."""
        self._note_top()
        selected = self._selected_numbers()
        going = bool(selected) and all(first <= number <= last for number in selected)
        self._next_after_removal = first if going and not self._quiet else -1

    def _on_removed(self, _parent: QModelIndex, _first: int, _last: int) -> None:
        number = min(self._next_after_removal, self.chats.rowCount() - 1)
        if self._next_after_removal >= 0 and number >= 0:
            self.select([self.chats.key_at(number)])

    _next_after_removal = -1
    _anchor: tuple[ChatKey | None, int] | None = None
