"""The page a transcript is painted on: rows stand where the layout puts them, only those in the window are laid out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import tzinfo

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    Qt,
)
from PySide6.QtGui import QPainter, QPaintEvent, QRegion, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QWidget

from chat_archive.core.transcript import Entry, Transcript
from chat_archive.ui.models.transcript_model import Part, Row, TranscriptModel
from chat_archive.ui.theme import Theme
from chat_archive.ui.views.transcript_layout import BODY_PADDING, MARGIN, TranscriptLayout
from chat_archive.ui.views.transcript_painter import Painted, TranscriptPainter
from chat_archive.ui.views.transcript_pictures import PictureStore
from chat_archive.ui.views.transcript_selection import Point, TextSelection

Index = QModelIndex | QPersistentModelIndex


class TranscriptCanvas(QAbstractItemView):
    """Layout, painting and places of a `TranscriptModel`; what a hand does with it is in `TranscriptView`."""

    def __init__(
        self, model: TranscriptModel, theme: Theme, pictures: PictureStore, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._page = TranscriptLayout(model, theme)
        self._model = model
        self._theme = theme
        self._painter = TranscriptPainter(theme, self._page, pictures)
        self._selection: TextSelection | None = None
        self._hovered = -1
        self._settling = False
        self._copies: list[tuple[QRectF, Row, int, int]] = []
        self._hits: Callable[[Row, str], tuple[list[tuple[int, int]], int]] | None = None
        self._line_hits: Callable[[Entry], bool] | None = None
        self.setModel(model)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setMouseTracking(True)
        self.viewport().setMouseTracking(True)
        model.rowsRemoved.connect(self._on_rows_removed)
        theme.changed.connect(self._on_theme_changed)
        self._page.picture_size = pictures.size
        pictures.changed.connect(self._on_picture)

    # what others set

    @property
    def page(self) -> TranscriptLayout:
        return self._page

    def set_transcript(self, transcript: Transcript, rows: list[Row] | None, zone: tzinfo | None) -> None:
        """Show a transcript from its beginning."""
        self._painter.transcript = transcript
        self._painter.zone = zone
        self._model.set_transcript(transcript, rows)
        self.verticalScrollBar().setValue(0)

    def set_finder(
        self,
        hits: Callable[[Row, str], tuple[list[tuple[int, int]], int]] | None,
        line_hits: Callable[[Entry], bool] | None,
    ) -> None:
        """Who tells the places to mark in the text of a row (and which is current), and in a step's line."""
        self._hits, self._line_hits = hits, line_hits
        self.viewport().update()

    def show_place(self, number: int, position: int | None) -> None:
        """Bring a row, or a place in its text, into view."""
        if not 0 <= number < self._model.rowCount():
            return
        self.setCurrentIndex(self._model.index(number))
        for _ in range(3):  # measuring what comes into view may move the place
            self._settle()
            row = self._model.row(number)
            y = self._page.top(number) + self._page.gap(number)
            height = self._page.height(number) - self._page.gap(number)
            if position is not None and self._page.has_document(row):
                document = self._page.document(row)
                block = document.findBlock(position)
                line = block.layout().lineForTextPosition(position - block.position())
                y += self._page.text_top(row) + document.documentLayout().blockBoundingRect(block).top()
                y += line.y() if line.isValid() else 0
                height = self._page.metrics.text_line
            self._bring(y, height)

    def _bring(self, y: float, height: float) -> None:
        bar, window = self.verticalScrollBar(), self.viewport().height()
        if y < bar.value() + 8 or y + min(height, window - 16) > bar.value() + window - 8:
            bar.setValue(round(y - min(window / 3, max(8, (window - height) / 2))))

    # layout

    def reset(self) -> None:
        super().reset()
        self._selection = None
        self._hovered = -1
        self._page.reset()
        self._update_bar()
        self.viewport().update()

    def rowsInserted(self, parent: Index, start: int, end: int) -> None:
        self._page.inserted(start, end)
        self._selection = self._selection.moved(start, end - start + 1) if self._selection else None
        super().rowsInserted(parent, start, end)
        self._update_bar()
        self.viewport().update()

    def _on_rows_removed(self, _parent: Index, start: int, end: int) -> None:
        self._page.removed(start, end)
        self._selection = self._selection.moved(start, start - end - 1) if self._selection else None
        self._hovered = -1
        self._update_bar()
        self.viewport().update()

    def dataChanged(self, first: Index, last: Index, roles: Sequence[int] = ()) -> None:
        self._page.changed(first.row(), last.row())
        self._update_bar()
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        row, within = self._reading()
        self._page.resize(self.viewport().width())
        self._update_bar()
        self._read_on(row, within)

    def _on_picture(self) -> None:
        value, window = self.verticalScrollBar().value(), self.viewport().height()
        self._page.picture_came(self._page.row_at(value), self._page.row_at(value + window))
        self.viewport().update()

    def _on_theme_changed(self) -> None:
        row, within = self._reading()
        self._page.restyle()
        self._painter.restyle()
        self._update_bar()
        self._read_on(row, within)
        self.viewport().update()

    def _reading(self) -> tuple[int, float]:
        """The first row in the window and the share of it that is above."""
        number = self._page.row_at(self.verticalScrollBar().value())
        if number < 0:
            return -1, 0.0
        above = self.verticalScrollBar().value() - self._page.top(number)
        return number, above / max(self._page.height(number), 1.0)

    def _read_on(self, number: int, within: float) -> None:
        if 0 <= number < self._model.rowCount():
            self.verticalScrollBar().setValue(round(self._page.top(number) + within * self._page.height(number)))

    def _settle(self) -> None:
        """Measure what is in the window; keeps what is read where it is."""
        if self._settling:
            return
        self._settling = True
        try:
            bar = self.verticalScrollBar()
            value = self._page.settle(bar.value(), self.viewport().height())
            self._update_bar()
            if round(value) != bar.value():
                bar.setValue(round(value))
        finally:
            self._settling = False

    def _update_bar(self) -> None:
        bar, window = self.verticalScrollBar(), self.viewport().height()
        bar.setPageStep(max(window - 40, 1))
        bar.setSingleStep(round(self._page.metrics.text_line * 1.5))
        bar.setRange(0, max(0, round(self._page.total) - window))

    def updateGeometries(self) -> None:
        super().updateGeometries()
        self._update_bar()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        self.viewport().update()

    @property
    def _left(self) -> float:
        return float(MARGIN)

    def _row_rect(self, number: int) -> QRectF:
        """A row without the gap above, in the window's coordinates."""
        gap = self._page.gap(number)
        top = self._page.top(number) + gap - self.verticalScrollBar().value()
        return QRectF(self._left, top, self._page.column, self._page.height(number) - gap)

    # painting

    def paintEvent(self, event: QPaintEvent) -> None:
        self._settle()
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), self._theme.color("base"))
        self._copies.clear()
        if self._model.rowCount():
            value, window = self.verticalScrollBar().value(), self.viewport().height()
            for number in range(self._page.row_at(value), self._page.row_at(value + window) + 1):
                self._paint_row(painter, number, QRectF(event.rect()))
        painter.end()

    def _paint_row(self, painter: QPainter, number: int, dirty: QRectF) -> None:
        rect = self._row_rect(number)
        if rect.bottom() < dirty.top() or rect.top() > dirty.bottom():
            return
        row = self._model.row(number)
        drawn = Painted(
            hovered=number == self._hovered and row.part in (Part.LINE, Part.MORE),
            focused=self.hasFocus() and number == self.currentIndex().row(),
            first_of_block=number == 0 or self._model.row(number - 1).entry is not row.entry or self._starts(number),
            last_of_block=self._ends(number),
        )
        if self._page.has_document(row):
            document = self._page.document(row)
            if self._selection is not None:
                drawn.selected = self._selection.range_in(number, document.characterCount())
            if self._hits is not None:
                drawn.hits, drawn.current_hit = self._hits(row, document.toPlainText())
        elif row.part is Part.LINE and self._line_hits is not None:
            drawn.line_hit = self._line_hits(row.entry)
        painter.save()
        painter.translate(self._left, 0)
        self._painter.paint(painter, row, (rect.top(), rect.height()), drawn, dirty.translated(-self._left, 0))
        painter.restore()
        for place, first, last in drawn.copies:
            self._copies.append((place.translated(self._left, 0), row, first, last))

    def _starts(self, number: int) -> bool:
        """Whether a row begins the block of an opened step, under its line."""
        return self._model.row(number - 1).part is Part.LINE

    def _ends(self, number: int) -> bool:
        """Whether a row is the last on its ground; pictures of a step stand below it."""
        if number + 1 >= self._model.rowCount():
            return True
        row, below = self._model.row(number), self._model.row(number + 1)
        return below.entry is not row.entry or (row.part is Part.BODY and below.part is Part.PICTURE)

    # places

    def _row_under(self, point: QPoint) -> int:
        number = self._page.row_at(point.y() + self.verticalScrollBar().value())
        if number < 0:
            return -1
        rect = self._row_rect(number)
        return number if rect.top() <= point.y() <= rect.bottom() else -1

    def _point_at(self, point: QPoint, *, near: bool = False) -> Point | None:
        """The place in the text under a point of the window; the nearest one when `near`."""
        number = self._page.row_at(point.y() + self.verticalScrollBar().value())
        if number < 0:
            return None
        row = self._model.row(number)
        if not self._page.has_document(row):
            return Point(number, 0) if near else None
        rect = self._row_rect(number)
        inner = QPointF(point) - rect.topLeft() - QPointF(self._text_x(row), self._page.text_top(row))
        document = self._page.document(row)
        size = document.size()
        if not near and not QRectF(-4, -2, size.width() + 8, size.height() + 4).contains(inner):
            return None
        inner.setX(min(max(inner.x(), 0), size.width()))
        if inner.y() < 0:
            return Point(number, 0)
        return Point(number, document.documentLayout().hitTest(inner, Qt.HitTestAccuracy.FuzzyHit))

    def _text_x(self, row: Row) -> float:
        return self._page.text_left(row) + (BODY_PADDING if row.part is Part.BODY else 0)

    def _link_at(self, point: QPoint) -> str:
        number = self._row_under(point)
        if number < 0 or not self._page.has_document(self._model.row(number)):
            return ""
        row = self._model.row(number)
        rect = self._row_rect(number)
        inner = QPointF(point) - rect.topLeft() - QPointF(self._text_x(row), self._page.text_top(row))
        return self._page.document(row).documentLayout().anchorAt(inner)

    def _copy_at(self, point: QPoint) -> tuple[Row, int, int] | None:
        for place, row, first, last in self._copies:
            if place.contains(QPointF(point)):
                return row, first, last
        return None

    # what QAbstractItemView asks

    def visualRect(self, index: Index) -> QRect:
        if not index.isValid() or index.row() >= self._model.rowCount():
            return QRect()
        return self._row_rect(index.row()).toAlignedRect()

    def scrollTo(
        self, index: Index, hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible
    ) -> None:
        # the view scrolls when it was asked to by a key or by `show_place`, never because a row was clicked
        return

    def indexAt(self, point: QPoint) -> QModelIndex:
        number = self._row_under(point)
        return self._model.index(number) if number >= 0 else QModelIndex()

    def moveCursor(self, _action: QAbstractItemView.CursorAction, _modifiers: Qt.KeyboardModifier) -> QModelIndex:
        return self.currentIndex()

    def horizontalOffset(self) -> int:
        return 0

    def verticalOffset(self) -> int:
        return self.verticalScrollBar().value()

    def isIndexHidden(self, _index: Index) -> bool:
        return False

    def setSelection(self, rect: QRect, command: QItemSelectionModel.SelectionFlag) -> None:
        index = self.indexAt(rect.center())
        if index.isValid():
            self.selectionModel().select(index, command)

    def visualRegionForSelection(self, selection: QItemSelection) -> QRegion:
        region = QRegion()
        for index in selection.indexes()[:200]:
            region += self.visualRect(index)
        return region
