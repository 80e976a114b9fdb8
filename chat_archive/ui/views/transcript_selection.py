"""What is selected in a transcript: a stretch of text across rows, copied from the source where rows are whole."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QTextCursor, QTextDocument

from chat_archive.core.transcript import Entry, Kind, Transcript
from chat_archive.core.transcript_text import printed, readable
from chat_archive.ui.models.transcript_model import Row, body_text
from chat_archive.ui.views.text_document import source_of, title_case, value_text
from chat_archive.ui.views.transcript_words import alone_heading, header_name, line_text, notice_text


@dataclass(frozen=True, slots=True)
class Point:
    """A place in the text: a row, by number, and a position in its document."""

    row: int
    position: int

    def __lt__(self, other: Point) -> bool:
        return (self.row, self.position) < (other.row, other.position)


@dataclass(slots=True)
class TextSelection:
    """From the place the mouse went down to where it is; either order."""

    anchor: Point
    end: Point

    @property
    def empty(self) -> bool:
        return self.anchor == self.end

    def range_in(self, row: int, length: int) -> tuple[int, int] | None:
        """The selected positions of a row whose document has `length` positions, or None."""
        first, last = sorted((self.anchor, self.end))
        if row < first.row or row > last.row:
            return None
        start = first.position if row == first.row else 0
        stop = last.position if row == last.row else length
        return (start, stop) if stop > start else None

    def moved(self, at: int, by: int) -> TextSelection | None:
        """The same selection after rows came (`by` > 0) or went at row `at`; None when it is cut."""
        points = []
        for point in (self.anchor, self.end):
            if by < 0 and at <= point.row < at - by:
                return None
            points.append(Point(point.row + by, point.position) if point.row >= at else point)
        return TextSelection(points[0], points[1])


def word_at(document: QTextDocument, position: int) -> tuple[int, int]:
    cursor = QTextCursor(document)
    cursor.setPosition(min(position, document.characterCount() - 1))
    cursor.select(QTextCursor.SelectionType.WordUnderCursor)
    return cursor.selectionStart(), cursor.selectionEnd()


def selected_text(document: QTextDocument, start: int, stop: int) -> str:
    cursor = QTextCursor(document)
    end = document.characterCount() - 1
    cursor.setPosition(min(start, end))
    cursor.setPosition(min(stop, end), QTextCursor.MoveMode.KeepAnchor)
    return source_of(cursor.selectedText())


def entry_text(entry: Entry, transcript: Transcript) -> str:
    """An entry as plain text, with who speaks; what is copied of a whole message."""
    if entry.kind is Kind.NOTICE and not entry.foldable:
        return notice_text(entry)
    if entry.foldable:
        parts = [line_text(entry), _values_text(entry), readable(body_text(entry))]
        return "\n".join(part for part in parts if part)
    parts = [f"{header_name(entry, transcript)}:", alone_heading(entry)]
    if entry.kind is Kind.ALONE:
        parts.append(_values_text(entry))
    parts.append(readable(entry.text))
    return "\n".join(part for part in parts if part)


def entry_markdown(entry: Entry, transcript: Transcript) -> str:
    """An entry as Markdown: answers as they are, everything else kept from being read as markup."""
    if entry.kind is Kind.NOTICE and not entry.foldable:
        return "> " + _escaped(notice_text(entry))
    if entry.foldable:
        body = "\n".join(part for part in (_values_text(entry), readable(body_text(entry))) if part)
        return f"- {_escaped(line_text(entry))}" + (f"\n\n{fenced(body)}" if body else "")
    head = f"**{_escaped(header_name(entry, transcript))}**"
    if entry.kind is Kind.ANSWER:
        return f"{head}\n\n{readable(entry.text)}"
    return f"{head}\n\n{fenced(readable(entry.text))}"


def fenced(text: str) -> str:
    """A code fence longer than any inside."""
    longest = max((len(run) for run in _runs(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text}\n{fence}"


def _runs(text: str) -> list[str]:
    import re

    return re.findall("`+", text)


def _escaped(text: str) -> str:
    return "".join("\\" + char if char in "\\`*_[]<>#|!" else char for char in text)


def _values_text(entry: Entry) -> str:
    return "\n".join(
        f"{title_case(key)}: {readable(value if isinstance(value, str) else printed(value))}"
        for key, value in entry.values
    )


def row_words(row: Row) -> str:
    """The words a row without a document stands for when it lies inside a selection."""
    return line_text(row.entry) if row.entry.foldable and row.page == 0 else ""


__all__ = [
    "Point",
    "TextSelection",
    "entry_markdown",
    "entry_text",
    "fenced",
    "row_words",
    "selected_text",
    "value_text",
    "word_at",
]
