"""The transcript on the screen: what mouse and keyboard do with it, what is selected and copied."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QItemSelectionModel, QPoint, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QTextCursor,
)
from PySide6.QtWidgets import QMenu, QWidget

from chat_archive.ui.models.transcript_model import Part, Row, TranscriptModel
from chat_archive.ui.theme import Theme
from chat_archive.ui.views.text_document import source_of
from chat_archive.ui.views.transcript_canvas import TranscriptCanvas
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

_TOGGLES = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


class TranscriptView(TranscriptCanvas):
    """Shows a `TranscriptModel`. `link_clicked` hands out a link's whole address; nothing is opened here (V4)."""

    link_clicked = Signal(str)
    background_toggled = Signal(bool)

    def __init__(
        self, model: TranscriptModel, theme: Theme, pictures: PictureStore, parent: QWidget | None = None
    ) -> None:
        super().__init__(model, theme, pictures, parent)
        self._pressed: Point | None = None
        self._pressed_row = -1
        self.setAccessibleName(self.tr("Transcript"))

    def reset(self) -> None:
        super().reset()
        self._pressed, self._pressed_row = None, -1

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
