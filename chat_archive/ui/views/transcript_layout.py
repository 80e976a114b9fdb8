"""Where the rows of a transcript stand: estimated heights, corrected when a row is seen, and the documents in use.

Only rows in the window are laid out. A correction never moves what is being read: the first row whose height was
known already keeps its place (design 6: nothing jumps).
"""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterable
from itertools import accumulate

from PySide6.QtCore import QSizeF
from PySide6.QtGui import QFontInfo, QFontMetricsF, QTextDocument

from chat_archive.core.transcript import Kind, Notice
from chat_archive.ui.models.transcript_model import Part, Row, TranscriptModel
from chat_archive.ui.theme import Theme
from chat_archive.ui.views.text_document import (
    CODE_LINE_HEIGHT,
    LINE_HEIGHT,
    markdown_document,
    plain_document,
    value_text,
    values_document,
)
from chat_archive.ui.views.transcript_words import alone_heading, notice_text

MARGIN = 24  # left and right of the column
PADDING = 14  # inside tinted blocks
INDENT = 20  # for each level of the chain
TEXT_INSET = 38  # from a step's edge to its words
COLUMN = 90  # characters
PICTURE_HEIGHT = 220
KEPT = 80  # documents

BODY_PADDING = 10


class Metrics:
    """Measures of one theme: they change with the text size only."""

    def __init__(self, theme: Theme) -> None:
        text = QFontMetricsF(theme.font("text"))
        small = QFontMetricsF(theme.font("small"))
        mono = QFontMetricsF(theme.font("mono"))
        self.line = text.height()
        self.small = small.height()
        self.character = max(text.averageCharWidth(), 1.0)
        pixels = QFontInfo(theme.font("text")).pixelSize()
        self.step = round(max(pixels * 1.45 + 10, text.height() + 8))
        self.header = round(small.height() + 6)
        self.text_line = max(pixels * LINE_HEIGHT, text.height())
        self.mono_line = max(QFontInfo(theme.font("mono")).pixelSize() * CODE_LINE_HEIGHT, mono.height())
        self.mono_character = max(mono.averageCharWidth(), 1.0)
        self.column = round(self.character * COLUMN + 2 * PADDING)


class TranscriptLayout:
    """Heights and tops of all rows, in pixels of the whole page. `theme` and `width` may change."""

    def __init__(self, model: TranscriptModel, theme: Theme) -> None:
        self._model = model
        self._theme = theme
        self.metrics = Metrics(theme)
        self.width = 600
        self._heights: list[float] = []
        self._known: list[bool] = []
        self._tops: list[float] | None = None
        self._documents: OrderedDict[int, tuple[Row, QTextDocument]] = OrderedDict()
        self.made = 0  # documents laid out so far: for tests
        self.picture_size: Callable[[str], QSizeF | None] = lambda _address: None

    # geometry of the column

    @property
    def column(self) -> float:
        """Width of the column of text."""
        return float(max(160, min(self.width - 2 * MARGIN, self.metrics.column)))

    def text_left(self, row: Row) -> float:
        """Where the text of a row begins, from the column's left edge."""
        if row.part in (Part.BODY, Part.LINE) or self.in_step(row):
            return row.entry.depth * INDENT + TEXT_INSET
        if row.entry.kind in (Kind.USER, Kind.ALONE, Kind.NOTICE):
            return PADDING + (26 if row.part is Part.NOTICE else 0)
        return 0

    def in_step(self, row: Row) -> bool:
        """Whether a page, a picture or "show more" belongs to an opened step."""
        return row.entry.foldable

    def text_width(self, row: Row) -> float:
        """Width of the text of a row."""
        right = 2 * BODY_PADDING if row.part is Part.BODY else PADDING if self.tinted(row) else 0
        return max(80.0, self.column - self.text_left(row) - right)

    def text_top(self, row: Row) -> float:
        """Where the text of a row begins, from the row's top without its gap."""
        if row.part is Part.BODY:
            return float(BODY_PADDING if row.page == 0 else 0)
        if row.part is Part.NOTICE:
            return 9
        if row.part is Part.TEXT and row.page == 0:
            top: float = self.metrics.header + (11 if self.tinted(row) else 2)
            if row.entry.kind is Kind.ALONE and alone_heading(row.entry):
                top += self.metrics.text_line
            return top
        return 0

    def tinted(self, row: Row) -> bool:
        """Whether a row lies on a block of its own colour."""
        return row.entry.kind in (Kind.USER, Kind.ALONE, Kind.NOTICE) and not row.entry.foldable

    def gap(self, number: int) -> float:
        """The free space above a row."""
        row = self._model.row(number)
        if number == 0:
            return 18
        before = self._model.row(number - 1)
        if before.entry is row.entry:
            return 8 if row.part is Part.PICTURE and not self.tinted(row) else 0
        if row.part is Part.LINE and before.entry.foldable:
            return 0
        if row.entry.kind is Kind.USER:
            return 22
        return 16 if row.entry.kind is Kind.ANSWER else 12

    # heights

    def reset(self) -> None:
        """All rows are new."""
        self._documents.clear()
        rows = self._model.rows
        self._heights = [self._estimate(number, row) for number, row in enumerate(rows)]
        self._known = [False] * len(rows)
        self._tops = None

    def resize(self, width: int) -> None:
        """Another width: every height is an estimate again."""
        if width != self.width:
            self.width = width
            self.reset()

    def restyle(self) -> None:
        """Another text size or scheme."""
        self.metrics = Metrics(self._theme)
        self.reset()

    def inserted(self, first: int, last: int) -> None:
        rows = self._model.rows
        self._heights[first:first] = [self._estimate(number, rows[number]) for number in range(first, last + 1)]
        self._known[first:first] = [False] * (last - first + 1)
        self._gap_changed(last + 1)
        self._tops = None

    def removed(self, first: int, last: int) -> None:
        del self._heights[first : last + 1]
        del self._known[first : last + 1]
        self._gap_changed(first)
        self._tops = None

    def changed(self, first: int, last: int) -> None:
        """Texts of these rows are others now."""
        for number in range(first, min(last + 1, len(self._heights))):
            row = self._model.row(number)
            self._documents.pop(id(row), None)
            self._heights[number] = self._estimate(number, row)
            self._known[number] = False
        self._tops = None

    def _gap_changed(self, number: int) -> None:
        if number < len(self._heights):
            self._known[number] = False

    @property
    def total(self) -> float:
        """Height of the page with a free end."""
        return self._all_tops()[-1] + 28 if self._heights else 0.0

    def top(self, number: int) -> float:
        return self._all_tops()[number]

    def height(self, number: int) -> float:
        return self._heights[number]

    def row_at(self, y: float) -> int:
        """The row at a place of the page; the nearest one above or below it. -1 when there is none."""
        if not self._heights:
            return -1
        return min(max(bisect_right(self._all_tops(), y) - 1, 0), len(self._heights) - 1)

    def is_known(self, number: int) -> bool:
        return self._known[number]

    def _all_tops(self) -> list[float]:
        if self._tops is None:
            self._tops = list(accumulate(self._heights, initial=0.0))
        return self._tops

    def settle(self, value: float, window: float) -> float:
        """Measure the rows in the window; the scroll position that keeps what is read where it was."""
        if not self._heights:
            return value
        for _ in range(12):
            first, last = self.row_at(value), self.row_at(value + window)
            unknown = [number for number in range(first, last + 1) if not self._known[number]]
            if not unknown:
                return value
            anchor = next((number for number in range(first, last + 1) if self._known[number]), first)
            offset = value - self.top(anchor)
            within = min(offset, self._heights[anchor]) if anchor == first else offset
            self._measure(unknown, anchor, value, window)
            if anchor == first:
                within = min(within, self._heights[anchor])
            value = self.top(anchor) + within
        return value

    def _measure(self, numbers: Iterable[int], anchor: int, value: float, window: float) -> None:
        """Measure until the window is full; what lies beyond may turn out not to be needed."""
        filled = 0.0
        for number in numbers:
            height = self._exact(number)
            self._heights[number] = height
            self._known[number] = True
            self._tops = None
            if number > anchor:
                filled += height
                if filled > window:
                    return

    def _exact(self, number: int) -> float:
        row = self._model.row(number)
        size = self.picture_size(row.picture) if row.part is Part.PICTURE and row.expanded else None
        if size is not None:
            return self.gap(number) + self.picture_scale(row, size) * size.height() + 8
        if row.part in (Part.LINE, Part.PICTURE, Part.MORE):
            return self._estimate(number, row)
        return self.gap(number) + self.text_top(row) + self.document(row).size().height() + self._below(row)

    def picture_scale(self, row: Row, size: QSizeF) -> float:
        """How much smaller a picture is shown, at most as large as it is."""
        return min(self.text_width(row) / size.width(), (PICTURE_HEIGHT - 8) / size.height(), 1.0)

    def picture_came(self, first: int, last: int) -> None:
        """Rows in the window may hold a picture that has just been read: they are measured again."""
        for number in range(max(first, 0), min(last + 1, len(self._known))):
            if self._model.row(number).part is Part.PICTURE:
                self._known[number] = False

    def _below(self, row: Row) -> float:
        if row.part is Part.BODY:
            return BODY_PADDING
        if row.part is Part.NOTICE:
            return 9
        return 11 if self.tinted(row) else 2

    def _estimate(self, number: int, row: Row) -> float:
        gap = self.gap(number)
        metrics = self.metrics
        if row.part is Part.LINE:
            return gap + metrics.step
        if row.part is Part.PICTURE:
            return gap + (PICTURE_HEIGHT if row.expanded else metrics.step)
        if row.part is Part.MORE:
            return gap + metrics.step
        code = row.part is Part.BODY
        character = metrics.mono_character if code else metrics.character
        lines = max(1.0, row.chars * character / self.text_width(row) * 1.15)
        line = metrics.mono_line if code else metrics.text_line
        return gap + self.text_top(row) + lines * line + self._below(row)

    # documents

    def document(self, row: Row) -> QTextDocument:
        """The document of a row, laid out for the column; the last ones used are kept."""
        kept = self._documents.get(id(row))
        if kept is not None:
            self._documents.move_to_end(id(row))
            return kept[1]
        document = self._make(row)
        document.setTextWidth(self.text_width(row))
        self.made += 1
        self._documents[id(row)] = (row, document)
        while len(self._documents) > KEPT:
            self._documents.popitem(last=False)
        return document

    def has_document(self, row: Row) -> bool:
        return row.part in (Part.TEXT, Part.BODY, Part.NOTICE)

    def _make(self, row: Row) -> QTextDocument:
        entry = row.entry
        if row.part is Part.NOTICE:
            return plain_document(self._theme, notice_text(entry))
        text = self._model.text(row)
        if row.part is Part.BODY:
            values = [(key, value_text(value)) for key, value in entry.values] if row.page == 0 else []
            return values_document(self._theme, values, text, code=entry.code or entry.notice is Notice.NOT_UNDERSTOOD)
        if entry.kind is Kind.ANSWER:
            return markdown_document(self._theme, text)
        if entry.kind is Kind.ALONE:
            values = [(key, value_text(value)) for key, value in entry.values] if row.page == 0 else []
            return values_document(self._theme, values, text, code=entry.type == "error")
        return plain_document(self._theme, text)
