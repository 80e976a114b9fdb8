"""The responses at the providers, one line each: filtered and sorted here, on plain keys."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from enum import IntEnum, StrEnum
from pathlib import Path

from PySide6.QtCore import QAbstractTableModel, QCoreApplication, QModelIndex, QObject, QPersistentModelIndex, Qt

from chat_archive.core.provider.receipts import Receipt, ResponseState
from chat_archive.ui import words
from chat_archive.ui.plain_text import shown, tool_tip
from chat_archive.ui.theme import Theme

Index = QModelIndex | QPersistentModelIndex
_NO_INDEX = QModelIndex()
_ROLE = Qt.ItemDataRole
translate = QCoreApplication.translate


class ReceiptColumn(IntEnum):
    STATE = 0
    CHAT = 1
    PROVIDER = 2
    CHANGED = 3
    REASON = 4


class Group(StrEnum):
    """What the filter offers."""

    ALL = "all"
    OPEN = "open"
    DONE = "done"
    KEPT = "kept"

    def holds(self, state: ResponseState) -> bool:
        done = state in (ResponseState.DELETED, ResponseState.GONE)
        match self:
            case Group.ALL:
                return True
            case Group.OPEN:
                return state.open
            case Group.DONE:
                return done
            case Group.KEPT:
                return not done and not state.open


@dataclass(frozen=True, slots=True)
class ReceiptLine:
    """One receipt and the root whose queue it is in."""

    root: Path
    receipt: Receipt

    @property
    def key(self) -> tuple[Path, str]:
        return self.root, self.receipt.entry


def state_text(state: ResponseState) -> str:
    """The answer to "is it gone there, too?" in as few words as it takes."""
    return {
        ResponseState.WAITING: translate("ReceiptsModel", "Still there: waiting"),
        ResponseState.REFUSED: translate("ReceiptsModel", "Still there: refused"),
        ResponseState.NO_KEY: translate("ReceiptsModel", "Still there: no key"),
        ResponseState.KEY_REFUSED: translate("ReceiptsModel", "Still there: key refused"),
        ResponseState.UNKNOWN_BASE: translate("ReceiptsModel", "Still there: unknown base URL"),
        ResponseState.NOT_STORED: translate("ReceiptsModel", "Was never stored"),
        ResponseState.SHARED: translate("ReceiptsModel", "Kept: used by another chat"),
        ResponseState.KEPT: translate("ReceiptsModel", "Kept, as the chat asks"),
        ResponseState.DELETED: translate("ReceiptsModel", "Gone: deletion confirmed"),
        ResponseState.GONE: translate("ReceiptsModel", "Not known there"),
        ResponseState.FORGOTTEN: translate("ReceiptsModel", "Given up, may be there"),
    }[state]


def state_color(state: ResponseState) -> str:
    """Name of the palette's colour; the words say the same."""
    if state is ResponseState.DELETED:
        return "ok"
    if state in (ResponseState.REFUSED, ResponseState.KEY_REFUSED):
        return "danger"
    return "warning" if state.open else "muted"


class ReceiptsModel(QAbstractTableModel):
    """All lines, those the filter lets through shown."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._all: tuple[ReceiptLine, ...] = ()
        self._lines: tuple[ReceiptLine, ...] = ()
        self._sort = (ReceiptColumn.CHANGED, Qt.SortOrder.DescendingOrder)
        self._zone: tzinfo | None = None
        self._group = Group.ALL
        self._words: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[ReceiptLine, ...]:
        """The ones shown, in their order."""
        return self._lines

    @property
    def all_lines(self) -> tuple[ReceiptLine, ...]:
        return self._all

    def set_zone(self, zone: tzinfo | None) -> None:
        self._zone = zone
        self._reset()

    def set_lines(self, lines: Sequence[ReceiptLine]) -> None:
        if tuple(lines) != self._all:
            self._all = tuple(lines)
            self._reset()

    def set_filter(self, group: Group, text: str) -> None:
        """Only this group, and only lines that hold every word of `text`."""
        self._group, self._words = group, tuple(text.casefold().split())
        self._reset()

    def line(self, row: int) -> ReceiptLine:
        return self._lines[row]

    def rows_of(self, keys: Iterable[tuple[Path, str]]) -> list[int]:
        wanted = set(keys)
        return [row for row, line in enumerate(self._lines) if line.key in wanted]

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._sort = (ReceiptColumn(max(0, column)), order)
        self.layoutAboutToBeChanged.emit()
        before = self._lines
        kept = self.persistentIndexList()
        self._lines = self._ordered(self._lines)
        places = {line.key: row for row, line in enumerate(self._lines)}
        moved = [self.index(places[before[index.row()].key], index.column()) for index in kept]
        self.changePersistentIndexList(kept, moved)
        self.layoutChanged.emit()

    def _reset(self) -> None:
        self.beginResetModel()
        self._lines = self._ordered(line for line in self._all if self._passes(line.receipt))
        self.endResetModel()

    def _passes(self, one: Receipt) -> bool:
        if not self._group.holds(one.state):
            return False
        if not self._words:
            return True
        parts = (state_text(one.state), *one.chats, one.provider, one.model, one.base, one.original, one.reason)
        text = "\n".join(parts).casefold()
        return all(word in text for word in self._words)

    def _ordered(self, lines: Iterable[ReceiptLine]) -> tuple[ReceiptLine, ...]:
        column, order = self._sort

        def key(line: ReceiptLine) -> tuple[str | float, str]:
            one = line.receipt
            value: str | float
            match column:
                case ReceiptColumn.STATE:
                    value = state_text(one.state).casefold()
                case ReceiptColumn.CHAT:
                    value = " ".join(one.chats).casefold()
                case ReceiptColumn.PROVIDER:
                    value = f"{one.provider}/{one.model}".casefold()
                case ReceiptColumn.CHANGED:
                    value = one.changed_at.timestamp() if one.changed_at is not None else 0.0
                case ReceiptColumn.REASON:
                    value = one.reason.casefold()
            return value, one.original

        return tuple(sorted(lines, key=key, reverse=order is Qt.SortOrder.DescendingOrder))

    # the table

    def rowCount(self, parent: Index = _NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self._lines)

    def columnCount(self, parent: Index = _NO_INDEX) -> int:
        return 0 if parent.isValid() else len(ReceiptColumn)

    def data(self, index: Index, role: int = _ROLE.DisplayRole) -> object:
        if not index.isValid():
            return None
        one, column = self._lines[index.row()].receipt, ReceiptColumn(index.column())
        if role == _ROLE.DisplayRole:
            return self._text(one, column)
        if role == _ROLE.ToolTipRole:
            return tool_tip(self._tip(one, column))
        if role == _ROLE.ForegroundRole and column is ReceiptColumn.STATE:
            return self._theme.color(state_color(one.state))
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _ROLE.DisplayRole) -> object:
        if orientation is not Qt.Orientation.Horizontal or role != _ROLE.DisplayRole:
            return None
        return (
            self.tr("Is it gone there?"),
            self.tr("Chat"),
            self.tr("Provider"),
            self.tr("Last news"),
            self.tr("Why"),
        )[section]

    def _text(self, one: Receipt, column: ReceiptColumn) -> str:
        match column:
            case ReceiptColumn.STATE:
                return state_text(one.state)
            case ReceiptColumn.CHAT:
                return shown(", ".join(one.chats))
            case ReceiptColumn.PROVIDER:
                name = one.provider or self.tr("unknown", "a provider")
                return shown(f"{name} / {one.model}" if one.model else name)
            case ReceiptColumn.CHANGED:
                return words.relative_time(one.changed_at, zone=self._zone)
            case ReceiptColumn.REASON:
                return shown(one.reason)

    def _tip(self, one: Receipt, column: ReceiptColumn) -> str:
        match column:
            case ReceiptColumn.CHANGED:
                return words.exact_time(one.changed_at, self._zone)
            case ReceiptColumn.PROVIDER:
                return f"{self._text(one, column)}\n{one.base}" if one.base else self._text(one, column)
            case ReceiptColumn.STATE | ReceiptColumn.REASON:
                return details_text(one, self._zone)
        return self._text(one, column)


def details_text(one: Receipt, zone: tzinfo | None = None) -> str:
    """Everything about one response in a few lines."""
    lines = [
        f"{state_text(one.state)}. {one.reason}",
        translate("ReceiptsModel", "Response {id}").format(id=one.original),
    ]
    if one.base:
        lines.append(translate("ReceiptsModel", "Base URL {url}").format(url=one.base))
    if one.attempts:
        lines.append(translate("ReceiptsModel", "Sent %Ln time(s)", "", one.attempts))
    if one.next_try is not None and one.begun:
        text = translate("ReceiptsModel", "Tried again {when}")
        lines.append(text.format(when=words.relative_time(one.next_try, zone=zone)))
    return "\n".join(lines)
