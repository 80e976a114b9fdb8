"""The middle of the window: the strip with the order, then the list, an empty place, or the trash."""

from __future__ import annotations

from collections.abc import Callable
from datetime import tzinfo
from enum import StrEnum

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from chat_archive.ui import words
from chat_archive.ui.models.chat_list_model import ChatListModel, first_direction
from chat_archive.ui.models.chat_order import Column, ScopeKind
from chat_archive.ui.theme import Theme
from chat_archive.ui.views.chat_list import ChatListView
from chat_archive.ui.views.empty_place import EmptyPlace
from chat_archive.ui.views.filter_bar import ListHeader
from chat_archive.ui.views.trash_view import TrashView


class Emptiness(StrEnum):
    NONE = "none"
    SCANNING = "scanning"
    NO_CHATS = "no chats"
    NOT_FOUND = "not found"
    NONE_OF_KIND = "none of kind"


class ListPane(QWidget):
    """Shows which emptiness it is where there is nothing to list."""

    clear_requested = Signal()  # the button of "nothing found"
    import_requested = Signal()  # the button of "no chats"

    def __init__(
        self, theme: Theme, model: ChatListModel, zone: Callable[[], tzinfo | None], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._model = model
        self._kind = Emptiness.NONE
        self._in_trash = False
        self.header = ListHeader(theme, self)
        self.list = ChatListView(theme, zone, self)
        self.list.set_chat_model(model)
        self.empty = EmptyPlace(theme, self)
        self.trash = TrashView(theme)
        self.stack = QStackedWidget(self)
        for page in (self.list, self.empty, self.trash):
            self.stack.addWidget(page)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.header)
        layout.addWidget(self.stack, 1)
        self.header.order_chosen.connect(self.order_by)
        self.header.reverse_requested.connect(self.reverse)
        self.list.horizontalHeader().sortIndicatorChanged.connect(lambda *_: self._show_order())
        self.empty.button_pressed.connect(self._on_button)
        self._show_order()

    @property
    def emptiness(self) -> Emptiness:
        return self._kind

    def order_by(self, column: Column) -> None:
        """Sort by a column; the same again turns the order round."""
        falling = not self._model.falling if column is self._model.sort_column else first_direction(column)
        self._model.set_order(column, falling)
        self._show_order()

    def reverse(self) -> None:
        self.order_by(self._model.sort_column)

    def set_table(self, table: bool) -> None:
        self.list.set_table(table)
        self.header.show_choice(not table)
        self._show_order()

    def show_trash(self, on: bool) -> None:
        self._in_trash = on
        self.header.setVisible(not on)
        self.stack.setCurrentWidget(self.trash if on else self.list)

    def update_emptiness(self, scanning: bool) -> None:
        """Look whether there is something to list, and say so in the strip or in the empty place."""
        model = self._model
        shown = model.rowCount()
        narrowed = bool(model.filter_text.strip())
        if shown:
            self._kind = Emptiness.NONE
        elif scanning:
            self._kind = Emptiness.SCANNING
        elif not model.total:
            self._kind = Emptiness.NO_CHATS
        else:
            self._kind = Emptiness.NOT_FOUND if narrowed else Emptiness.NONE_OF_KIND
        count = self.tr("%Ln found", "chats", shown) if narrowed else words.chats_text(shown)
        self.header.show_count(count)
        if self._in_trash:
            return
        self._say()
        self.stack.setCurrentWidget(self.list if self._kind is Emptiness.NONE else self.empty)

    # inside

    def _show_order(self) -> None:
        self.header.show_order(self._model.sort_column, self._model.falling)
        self.list.show_order()

    def _say(self) -> None:
        match self._kind:
            case Emptiness.SCANNING:
                self.empty.say(self.tr("Reading chats…"), self.tr("They appear here as they are read."), icon="refresh")
            case Emptiness.NO_CHATS:
                self.empty.say(
                    self.tr("This folder holds no chats"),
                    self.tr("Drop chat files here, or import them from a file that was exported elsewhere."),
                    self.tr("Import…"),
                )
            case Emptiness.NOT_FOUND:
                self.empty.say(
                    self.tr("Nothing found"),
                    self.tr("No chat here has all of these words in its name, profile, project or id."),
                    self.tr("Clear the filter"),
                    icon="search",
                )
            case Emptiness.NONE_OF_KIND:
                self.empty.say(*self._none_of_kind())
            case Emptiness.NONE:
                pass

    def _none_of_kind(self) -> tuple[str, str, str, str]:
        match self._model.scope.kind:
            case ScopeKind.DAMAGED:
                return self.tr("No damaged chats"), self.tr("Every chat here can be read."), "", "check"
            case ScopeKind.TASKS:
                text = self.tr("Chats that belong to a scheduled task are listed here.")
                return self.tr("No task chats"), text, "", "tasks"
            case _:
                return self.tr("No chats here"), "", "", "empty"

    def _on_button(self) -> None:
        if self._kind is Emptiness.NOT_FOUND:
            self.clear_requested.emit()
        elif self._kind is Emptiness.NO_CHATS:
            self.import_requested.emit()
