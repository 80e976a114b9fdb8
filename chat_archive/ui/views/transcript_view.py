"""The transcript on the screen: only rows in the window are laid out, whatever the size of the chat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import tzinfo

from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QRegion,
    QResizeEvent,
    QTextCursor,
)
from PySide6.QtWidgets import QAbstractItemView, QFrame, QMenu, QWidget

from chat_archive.core.transcript import Entry, Transcript
from chat_archive.ui.models.transcript_model import Part, Row, TranscriptModel
from chat_archive.ui.theme import Theme
from chat_archive.ui.views.text_document import source_of
from chat_archive.ui.views.transcript_layout import MARGIN, TranscriptLayout
from chat_archive.ui.views.transcript_painter import Painted, TranscriptPainter
from chat_archive.ui.views.transcript_pictures import PictureStore
from chat_archive.ui.views.transcript_selection import (
    Point,
    TextSelection,
    entry_markdown,
    entry_text,
    row_words,
    selected_text,
    word_at,
)

Index = QModelIndex | QPersistentModelIndex
_TOGGLES = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


class TranscriptView(QAbstractItemView):
    """Shows a `TranscriptModel`. `link_clicked` hands out a link's whole address; nothing is opened here (V4)."""

    link_clicked = Signal(str)
    background_toggled = Signal(bool)

    def __init__(
        self, model: TranscriptModel, theme: Theme, pictures: PictureStore, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._page = TranscriptLayout(model, theme)
        self._model = model
        self._theme = theme
        self._painter = TranscriptPainter(theme, self._page, pictures)
        self._selection: TextSelection | None = None
        self._pressed: Point | None = None
        self._pressed_row = -1
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
        self.setAccessibleName(self.tr("Transcript"))
        model.rowsRemoved.connect(self._on_rows_removed)
        theme.changed.connect(self._on_theme_changed)
        pictures.changed.connect(self.viewport().update)

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
        self._hovered = self._pressed_row = -1
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
            last_of_block=number + 1 >= self._model.rowCount() or self._model.row(number + 1).entry is not row.entry,
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
        return self._page.text_left(row) + (10 if row.part is Part.BODY else 0)

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

    # mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            event.accept()
            return
        point = event.position().toPoint()
        self._pressed_row = self._row_under(point)
        place = self._point_at(point)
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and self._selection is not None:
            near = self._point_at(point, near=True)
            if near is not None:
                self._selection.end = near
        else:
            self._pressed = place
            self._selection = TextSelection(place, place) if place is not None else None
        if self._pressed_row >= 0:
            self.setCurrentIndex(self._model.index(self._pressed_row))
        self.viewport().update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        if event.buttons() & Qt.MouseButton.LeftButton and self._pressed is not None:
            self._scroll_towards(point)
            near = self._point_at(point, near=True)
            if near is not None and self._selection is not None:
                self._selection.end = near
                self.viewport().update()
            return
        number = self._row_under(point)
        if number != self._hovered:
            self._hovered = number
            self.viewport().update()
        self._set_cursor(point, number)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        point = event.position().toPoint()
        dragged = self._selection is not None and not self._selection.empty
        self._pressed = None
        if dragged:
            return
        copied = self._copy_at(point)
        link = self._link_at(point)
        if copied is not None:
            self._copy_code(*copied)
        elif link:
            self.link_clicked.emit(link)
        elif self._pressed_row >= 0 and self._pressed_row == self._row_under(point):
            self._model.toggle(self._pressed_row)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        place = self._point_at(event.position().toPoint())
        if place is None:
            self.mousePressEvent(event)
            return
        start, stop = word_at(self._page.document(self._model.row(place.row)), place.position)
        self._selection = TextSelection(Point(place.row, start), Point(place.row, stop))
        self.viewport().update()

    def leaveEvent(self, event: object) -> None:
        self._hovered = -1
        self.viewport().update()

    def _scroll_towards(self, point: QPoint) -> None:
        bar = self.verticalScrollBar()
        if point.y() < 0:
            bar.setValue(bar.value() - 20)
        elif point.y() > self.viewport().height():
            bar.setValue(bar.value() + 20)

    def _set_cursor(self, point: QPoint, number: int) -> None:
        shape = Qt.CursorShape.ArrowCursor
        if (
            self._link_at(point)
            or self._copy_at(point) is not None
            or (number >= 0 and self._model.row(number).part in (Part.LINE, Part.MORE))
        ):
            shape = Qt.CursorShape.PointingHandCursor
        elif self._point_at(point) is not None:
            shape = Qt.CursorShape.IBeamCursor
        if self.viewport().cursor().shape() != shape:
            self.viewport().setCursor(shape)

    # keyboard

    def event(self, event: QEvent) -> bool:
        # Copy and Select all mean the text here, not the chats in the list
        keys = (QKeySequence.StandardKey.Copy, QKeySequence.StandardKey.SelectAll)
        ours = event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
        if ours and any(event.matches(key) for key in keys):  # type: ignore[attr-defined]
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self.select_all()
        elif event.key() in _TOGGLES and self.currentIndex().isValid():
            self._model.toggle(self.currentIndex().row())
        elif event.key() == Qt.Key.Key_Escape and self._selection is not None and not self._selection.empty:
            self._selection = None
            self.viewport().update()
        elif event.key() in (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp, Qt.Key.Key_Home, Qt.Key.Key_End):
            self._turn_page(event.key())
        elif event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self._step(1 if event.key() == Qt.Key.Key_Down else -1)
        else:
            event.ignore()

    def _turn_page(self, key: int) -> None:
        bar = self.verticalScrollBar()
        targets = {
            Qt.Key.Key_PageDown: bar.value() + bar.pageStep(),
            Qt.Key.Key_PageUp: bar.value() - bar.pageStep(),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: bar.maximum(),
        }
        bar.setValue(targets[Qt.Key(key)])
        if key == Qt.Key.Key_End:
            for _ in range(3):  # the end moves while estimates become heights
                self._settle()
                bar.setValue(bar.maximum())
        first = self._page.row_at(bar.value() + (self.viewport().height() if key == Qt.Key.Key_End else 0))
        if first >= 0:
            self.selectionModel().setCurrentIndex(self._model.index(first), QItemSelectionModel.SelectionFlag.NoUpdate)

    def _step(self, by: int) -> None:
        """The next row gets the focus; a row taller than the window is read through first."""
        bar, window = self.verticalScrollBar(), self.viewport().height()
        number = self.currentIndex().row()
        if number < 0:
            number = self._page.row_at(bar.value()) - (1 if by > 0 else 0)
        else:
            rect = self._row_rect(number)
            if (by > 0 and rect.bottom() > window) or (by < 0 and rect.top() < 0):
                bar.setValue(bar.value() + by * bar.singleStep())
                return
        number = min(max(number + by, 0), self._model.rowCount() - 1)
        if number < 0:
            return
        self.setCurrentIndex(self._model.index(number))
        self._settle()
        rect = self._row_rect(number)
        if rect.bottom() > window and by > 0:
            bar.setValue(bar.value() + round(min(rect.bottom() - window + 12, max(rect.top() - 12, 0))))
        elif rect.top() < 0:
            bar.setValue(bar.value() + round(max(rect.top() - 12, -window + 40)))

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if not self.currentIndex().isValid() and self._model.rowCount():
            first = self._page.row_at(self.verticalScrollBar().value())
            self.selectionModel().setCurrentIndex(
                self._model.index(max(first, 0)), QItemSelectionModel.SelectionFlag.NoUpdate
            )

    # copying

    def selected_text(self) -> str:
        """The selected stretch; rows in its middle are whole, from the source."""
        if self._selection is None or self._selection.empty:
            return ""
        first, last = sorted((self._selection.anchor, self._selection.end))
        parts = []
        for number in range(first.row, last.row + 1):
            row = self._model.row(number)
            if not self._page.has_document(row):
                parts.append(row_words(row))
                continue
            document = self._page.document(row)
            found = self._selection.range_in(number, document.characterCount())
            if found is not None:
                parts.append(selected_text(document, *found))
        return "\n".join(part for part in parts if part)

    def copy(self) -> None:
        """The selection, else the whole message under the focus."""
        text = self.selected_text()
        if not text and self.currentIndex().isValid():
            text = entry_text(self._model.row(self.currentIndex().row()).entry, self._model.transcript)
        self._to_clipboard(text)

    def copy_markdown(self) -> None:
        if self.currentIndex().isValid():
            entry = self._model.row(self.currentIndex().row()).entry
            self._to_clipboard(entry_markdown(entry, self._model.transcript))

    def select_all(self) -> None:
        """The whole text of the message under the focus."""
        number = self.currentIndex().row()
        if number < 0:
            return
        rows = self._model.rows
        first = last = number
        while first > 0 and rows[first - 1].entry is rows[number].entry:
            first -= 1
        while last + 1 < len(rows) and rows[last + 1].entry is rows[number].entry:
            last += 1
        end = self._page.document(rows[last]).characterCount() if self._page.has_document(rows[last]) else 0
        self._selection = TextSelection(Point(first, 0), Point(last, end))
        self.viewport().update()

    def _copy_code(self, row: Row, first: int, last: int) -> None:
        document = self._page.document(row)
        cursor = QTextCursor(document.findBlockByNumber(first))
        end = document.findBlockByNumber(last)
        cursor.setPosition(end.position() + end.length() - 1, QTextCursor.MoveMode.KeepAnchor)
        self._to_clipboard(source_of(cursor.selectedText()))

    def _to_clipboard(self, text: str) -> None:
        if text:
            QGuiApplication.clipboard().setText(text)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = self.context_menu(event.pos())
        menu.exec(event.globalPos())
        menu.deleteLater()

    def context_menu(self, point: QPoint) -> QMenu:
        """What can be done at a place of the window."""
        number = self._row_under(point)
        if number >= 0:
            self.setCurrentIndex(self._model.index(number))
        menu = QMenu(self)
        selected = bool(self.selected_text())
        row = self._model.row(self.currentIndex().row()) if self.currentIndex().isValid() else None
        copy = menu.addAction(self.tr("Copy") if selected else self.tr("Copy message"), self.copy)
        copy.setEnabled(row is not None)
        copy.setIcon(self._theme.icon("copy"))
        menu.addAction(self.tr("Copy message as Markdown"), self.copy_markdown).setEnabled(row is not None)
        link = self._link_at(point)
        if link:
            menu.addAction(self.tr("Copy link"), lambda: self._to_clipboard(link))
        menu.addSeparator()
        if row is not None and row.part is Part.LINE:
            fold = self.tr("Close step") if row.expanded else self.tr("Open step")
            menu.addAction(fold, lambda: self._model.toggle(self.currentIndex().row()))
        shown = menu.addAction(self.tr("Show background steps"))
        shown.setCheckable(True)
        shown.setChecked(self._model.background_shown)
        shown.toggled.connect(self.background_toggled)
        return menu

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
