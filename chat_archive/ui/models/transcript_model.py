"""Rows of the transcript: what the view lays out one by one. An entry is one row, or several once it is opened.

Texts are cut into pages here, so that no row is ever too big to lay out at once (V6). Nothing is decoded before a row
of it is asked for, but for its size.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from chat_archive.core.model.titles import cut
from chat_archive.core.transcript import Entry, Kind, Notice, Transcript
from chat_archive.core.transcript_text import PAGE, fits, pages, printed, readable
from chat_archive.ui.views.transcript_words import accessible_line

Index = QModelIndex | QPersistentModelIndex
_ACCESSIBLE = 2_000  # characters of a page a screen reader is handed at once
_ROOT = QModelIndex()


class Part(IntEnum):
    TEXT = 0  # a page of words: the user's, an answer, something that stands alone
    LINE = 1  # the one line of a step
    BODY = 2  # a page inside an opened step
    PICTURE = 3
    MORE = 4  # "show more" of a long text
    NOTICE = 5


class Role(IntEnum):
    ROW = Qt.ItemDataRole.UserRole + 1
    EXPANDED = Qt.ItemDataRole.UserRole + 2


@dataclass(slots=True, eq=False)
class Row:
    """One row. `page` counts from 0; `chars` is the size of its text, for the first estimate of its height."""

    entry: Entry
    part: Part
    page: int = 0
    chars: int = 0
    picture: str = ""
    expanded: bool = False


def rows_of(transcript: Transcript, *, background: bool = False) -> list[Row]:
    """The rows of a transcript with every step folded. May be called on a worker."""
    found: list[Row] = []
    for entry in transcript.entries:
        if entry.background and not background:
            continue
        found.extend(rows_of_entry(entry))
    return found


def rows_of_entry(entry: Entry) -> list[Row]:
    """The rows of one folded entry."""
    if entry.foldable:
        return [Row(entry, Part.LINE)]
    if entry.kind is Kind.NOTICE:
        return [Row(entry, Part.NOTICE)]
    found = _paged(entry, Part.TEXT, entry.text)
    found.extend(Row(entry, Part.PICTURE, picture=name) for name in _pictures(entry))
    return found


def body_rows(entry: Entry) -> list[Row]:
    """The rows that appear when a step is opened."""
    found = _paged(entry, Part.BODY, body_text(entry))
    found[0].chars += sum(min(len(printed(value)), 4_000) for _, value in entry.values)
    found.extend(Row(entry, Part.PICTURE, picture=name) for name in _pictures(entry))
    return found


def _paged(entry: Entry, part: Part, text: str) -> list[Row]:
    """The first page, and "show more" where there are others."""
    if fits(text):
        return [Row(entry, part, 0, len(text))]
    first = len(pages(text[: 2 * PAGE])[0])
    return [Row(entry, part, 0, first), Row(entry, Part.MORE, 1, max(len(text) - first, 1))]


def body_text(entry: Entry) -> str:
    """What an opened step shows beneath its values. A model's turn shows its values; its raw text is in the Log tab."""
    if entry.notice is Notice.NOT_UNDERSTOOD:
        return "\n\n".join(f"{name}\n{printed(value)}" for name, value in entry.raw)
    if entry.type == "agent" and entry.values:
        return ""
    return entry.text


def page_texts(entry: Entry, part: Part) -> list[str]:
    """All pages of an entry's text."""
    if part is Part.BODY:
        return pages(body_text(entry))
    return pages(entry.text, markdown=entry.kind is Kind.ANSWER)


def _pictures(entry: Entry) -> list[str]:
    return list(dict.fromkeys([*entry.pictures(), *(f"attachment:{name}" for name in entry.attached)]))


class TranscriptModel(QAbstractListModel):
    """The rows in reading order; opening and "show more" insert rows, closing removes them."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.transcript = Transcript([], {}, 0)
        self._rows: list[Row] = []
        self._background = False
        self._texts: tuple[Entry, Part, list[str]] | None = None
        self.picture_there: Callable[[str], bool] = lambda _name: False

    # what the view asks

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        row = self._rows[index.row()]
        if role == Role.ROW:
            return row
        if role == Role.EXPANDED:
            return row.expanded
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self.accessible(row)
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren

    def row(self, number: int) -> Row:
        return self._rows[number]

    @property
    def rows(self) -> Sequence[Row]:
        return self._rows

    def text(self, row: Row) -> str:
        """The text of a page, from the source: what is laid out and what is copied."""
        kept = self._texts
        if kept is None or kept[0] is not row.entry or kept[1] is not row.part:
            kept = (row.entry, row.part, page_texts(row.entry, row.part))
            self._texts = kept
        return kept[2][row.page] if row.page < len(kept[2]) else ""

    def accessible(self, row: Row) -> str:
        """What a screen reader says: who, when, and the beginning of the text."""
        said = accessible_line(row.entry, self.transcript, row.part == Part.MORE)
        if row.part in (Part.TEXT, Part.BODY):
            said = f"{said} {cut(readable(self.text(row)), _ACCESSIBLE)}"
        return said

    # what changes it

    def set_transcript(self, transcript: Transcript, rows: list[Row] | None = None) -> None:
        """Show another transcript; `rows` are those of `rows_of`, made on a worker."""
        self.beginResetModel()
        self.transcript = transcript
        self._rows = rows_of(transcript, background=self._background) if rows is None else rows
        self._look_for_pictures(self._rows)
        self._texts = None
        self.endResetModel()

    def complete(self, rows: list[Row]) -> None:
        """All rows of a transcript of which the first are shown: the others are added, the shown ones stay."""
        shown = {id(row.entry) for row in self._rows}
        if self._background:
            rows = rows_of(self.transcript, background=True)
        new = [row for row in rows if id(row.entry) not in shown]
        if new:
            self._look_for_pictures(new)
            self._append(new)

    @property
    def background_shown(self) -> bool:
        return self._background

    def set_background_shown(self, shown: bool) -> None:
        """Show or hide memory and rate-limit steps, as the web page does."""
        if shown != self._background:
            self._background = shown
            self.set_transcript(self.transcript)

    def toggle(self, number: int) -> None:
        """Open a folded row or fold it again; "show more" shows the next page. Other rows do nothing."""
        row = self._rows[number]
        if row.part is Part.MORE:
            self._show_more(number)
        elif row.part is Part.LINE and row.expanded:
            self._fold(number)
        elif row.part is Part.LINE:
            self._unfold(number)

    def refresh(self, entries: Sequence[Entry]) -> None:
        """What the history gave back has changed these entries; opened ones are folded and opened again."""
        changed = set(map(id, entries))
        there = {id(row.entry) for row in self._rows}
        for entry in entries:
            if id(entry) not in there and not entry.background:
                self._append(rows_of_entry(entry))
        for number in range(len(self._rows) - 1, -1, -1):
            row = self._rows[number]
            if id(row.entry) not in changed or row.part not in (Part.LINE, Part.TEXT) or row.page:
                continue
            if row.expanded:
                self._fold(number)
                self._unfold(number)
            elif row.part is Part.TEXT:
                self._renew(number)
            index = self.index(number)
            self.dataChanged.emit(index, index)
        self._texts = None

    def entry_row(self, entry: Entry) -> int:
        """The first row of an entry, -1 when it is not shown."""
        for number, row in enumerate(self._rows):
            if row.entry is entry:
                return number
        return -1

    def reveal(self, entry: Entry, page: int) -> int:
        """Open what hides page `page` of an entry and return its row; -1 for the entry's line or first row."""
        number = self.entry_row(entry)
        if number < 0:
            if not entry.background:
                return -1
            self.set_background_shown(True)
            number = self.entry_row(entry)
            if number < 0:
                return -1
        if page < 0:
            return number
        if self._rows[number].part is Part.LINE:
            if not self._rows[number].expanded:
                self._unfold(number)
            number += 1
        while self._rows[number].page < page:
            following = number + 1
            if following >= len(self._rows) or self._rows[following].entry is not entry:
                break
            if self._rows[following].part is Part.MORE:
                self._show_more(following)
            elif self._rows[following].part is Part.PICTURE:
                break
            number = following
        return number

    def _look_for_pictures(self, rows: Sequence[Row]) -> None:
        """A picture that is there gets its place before it is read, so that nothing moves when it comes."""
        for row in rows:
            if row.part is Part.PICTURE:
                row.expanded = self.picture_there(row.picture)

    def _unfold(self, number: int) -> None:
        row = self._rows[number]
        new = body_rows(row.entry)
        self._look_for_pictures(new)
        self.beginInsertRows(QModelIndex(), number + 1, number + len(new))
        self._rows[number + 1 : number + 1] = new
        row.expanded = True
        self.endInsertRows()
        index = self.index(number)
        self.dataChanged.emit(index, index)

    def _fold(self, number: int) -> None:
        row = self._rows[number]
        last = self._last_of(number)
        if last > number:
            self.beginRemoveRows(QModelIndex(), number + 1, last)
            del self._rows[number + 1 : last + 1]
            row.expanded = False
            self.endRemoveRows()
        row.expanded = False
        index = self.index(number)
        self.dataChanged.emit(index, index)

    def _renew(self, number: int) -> None:
        """Make the rows after the first of an entry again; the first keeps its place."""
        entry = self._rows[number].entry
        last = self._last_of(number)
        new = rows_of_entry(entry)
        self._look_for_pictures(new)
        if last > number:
            self.beginRemoveRows(QModelIndex(), number + 1, last)
            del self._rows[number + 1 : last + 1]
            self.endRemoveRows()
        self._rows[number].chars = new[0].chars
        if len(new) > 1:
            self.beginInsertRows(QModelIndex(), number + 1, number + len(new) - 1)
            self._rows[number + 1 : number + 1] = new[1:]
            self.endInsertRows()

    def _append(self, new: list[Row]) -> None:
        first = len(self._rows)
        self.beginInsertRows(QModelIndex(), first, first + len(new) - 1)
        self._rows.extend(new)
        self.endInsertRows()

    def _last_of(self, number: int) -> int:
        entry = self._rows[number].entry
        last = number
        while last + 1 < len(self._rows) and self._rows[last + 1].entry is entry:
            last += 1
        return last

    def _show_more(self, number: int) -> None:
        more = self._rows[number]
        part = self._rows[number - 1].part
        self._texts = None
        texts = page_texts(more.entry, part)
        page = Row(more.entry, part, more.page, len(texts[more.page]) if more.page < len(texts) else 0)
        self.beginInsertRows(QModelIndex(), number, number)
        self._rows.insert(number, page)
        self.endInsertRows()
        number += 1
        if more.page + 1 < len(texts):
            more.page += 1
            more.chars = max(more.chars - page.chars, 1)
            index = self.index(number)
            self.dataChanged.emit(index, index)
        else:
            self.beginRemoveRows(QModelIndex(), number, number)
            del self._rows[number]
            self.endRemoveRows()
