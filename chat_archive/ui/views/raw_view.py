"""The Raw tab: the file as it is. A damaged one as bytes, at its beginning and around the place where it breaks."""

from __future__ import annotations

from msgspec import Raw
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QHeaderView,
    QMenu,
    QSplitter,
    QStackedWidget,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from chat_archive.core.errors import ArchiveError, UnreadableError
from chat_archive.core.model import raw
from chat_archive.ui.models.json_model import Column, JsonModel, Kind
from chat_archive.ui.theme import Theme
from chat_archive.ui.views.text_cells import dress_tree
from chat_archive.ui.views.text_pane import TextPane
from chat_archive.ui.words import number_text

_HEAD = 1_024
_AROUND = 256
_SHOWN = 200_000


class RawTree(QTreeView):
    """A tree whose Copy takes the value."""

    def __init__(self, owner: RawView) -> None:
        super().__init__()
        self._owner = owner

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self._owner.copy_value()
        else:
            super().keyPressEvent(event)


class RawView(QWidget):
    """A tree of the document with the chosen value beneath, or the bytes of a damaged file."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.model = JsonModel(theme, self)
        self.tree = RawTree(self)
        self.tree.setModel(self.model)
        self.tree.setAccessibleName(self.tr("Keys and values of the file"))
        dress_tree(self.tree)
        self.tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.tree.customContextMenuRequested.connect(self._on_menu)
        self.tree.header().setSectionResizeMode(Column.KEY, QHeaderView.ResizeMode.Interactive)
        self.tree.header().setStretchLastSection(True)
        self.pane = TextPane(theme, self.tr("The chosen value"))
        split = QSplitter(Qt.Orientation.Vertical)
        split.addWidget(self.tree)
        split.addWidget(self.pane)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        split.setChildrenCollapsible(False)
        self.bytes = TextPane(theme, self.tr("The bytes of the damaged file"))
        self.stack = QStackedWidget()
        self.stack.addWidget(split)
        self.stack.addWidget(self.bytes)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.stack)
        self.tree.selectionModel().currentRowChanged.connect(self._on_current)

    def clear(self) -> None:
        self.model.set_part({})
        self.pane.set_text("")
        self.bytes.set_text("")
        self.stack.setCurrentIndex(0)

    def show_document(self, document: object) -> None:
        """The tree of a readable file, as `read_document` made it."""
        self.model.set_part(document)
        self.stack.setCurrentIndex(0)
        self.tree.setColumnWidth(Column.KEY, self.tree.fontMetrics().horizontalAdvance("responses_delete_on_chat_"))
        if self.model.rowCount():
            self.tree.setCurrentIndex(self.model.index(0, 0))

    def show_bytes(self, data: bytes, error: ArchiveError) -> None:
        """The bytes of a file that is no chat, with the reason."""
        self.bytes.set_text(excerpt(data, error))
        self.bytes.set_caption(self.tr("{count} bytes").format(count=number_text(len(data))))
        self.stack.setCurrentIndex(1)

    def copy_value(self) -> None:
        index = self.tree.currentIndex()
        if index.isValid():
            QGuiApplication.clipboard().setText(self.model.value_text(index, 50_000_000))

    def copy_path(self) -> None:
        index = self.tree.currentIndex()
        if index.isValid():
            QGuiApplication.clipboard().setText(self.model.path(index))

    def _on_menu(self, point: QPoint) -> None:
        menu = self.context_menu()
        menu.exec(self.tree.viewport().mapToGlobal(point))
        menu.deleteLater()

    def context_menu(self) -> QMenu:
        menu = QMenu(self)
        there = self.tree.currentIndex().isValid()
        menu.addAction(self._theme.icon("copy"), self.tr("Copy value"), self.copy_value).setEnabled(there)
        menu.addAction(self.tr("Copy path"), self.copy_path).setEnabled(there)
        return menu

    def _on_current(self, current: QModelIndex, _before: QModelIndex) -> None:
        if not current.isValid():
            self.pane.set_text("")
            return
        node = self.model.node(current)
        self.pane.set_caption(self.model.path(current))
        if node.kind in (Kind.LIST, Kind.OBJECT):
            self.pane.set_text(node.text)
        else:
            self.pane.set_text(self.model.value_text(current, _SHOWN))


def read_document(data: bytes) -> object:
    """The top level of a file, its values undecoded. For a worker: odd files take the slow decoder."""
    body = data.removeprefix(b"\xef\xbb\xbf").strip()
    found = raw.members(Raw(body))
    return found if found is not None else raw.elements(Raw(body)) or {}


def excerpt(data: bytes, error: ArchiveError) -> str:
    """The reason, then the first bytes, then those around the place where reading failed; hexadecimal and text."""
    lines = [error.what]
    if error.next_step:
        lines.append(error.next_step)
    lines += ["", *hex_lines(data[:_HEAD], 0)]
    offset = error.offset if isinstance(error, UnreadableError) else None
    if offset is not None and offset > _HEAD:
        start = max(_HEAD, (offset - _AROUND) // 16 * 16)
        lines += ["\u2026", *hex_lines(data[start : offset + _AROUND], start)]
        if offset + _AROUND < len(data):
            lines.append("\u2026")
    elif len(data) > _HEAD:
        lines.append("\u2026")
        start = max(_HEAD, (len(data) - _AROUND) // 16 * 16)
        lines += hex_lines(data[start:], start)
    return "\n".join(lines)


def hex_lines(data: bytes, start: int) -> list[str]:
    """Sixteen bytes a line: place, hexadecimal, and the signs that are plain ASCII."""
    lines = []
    for at in range(0, len(data), 16):
        row = data[at : at + 16]
        codes = " ".join(f"{byte:02x}" for byte in row)
        signs = "".join(chr(byte) if 0x20 <= byte < 0x7F else "\u00b7" for byte in row)
        lines.append(f"{start + at:>10,}  {codes:<47}  {signs}")
    return lines
