"""Dropping files on the window, and dragging chats out of it as files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QMimeData, QObject, QRect, Qt, QUrl, Signal
from PySide6.QtGui import (
    QDrag,
    QDragEnterEvent,
    QDragMoveEvent,
    QDropEvent,
    QGuiApplication,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QWidget

from chat_archive.core import files
from chat_archive.core.entities import ChatRow, Folder, OperationResult
from chat_archive.core.errors import ArchiveError
from chat_archive.ui import words
from chat_archive.ui.jobs import JobProgress, JobRunner
from chat_archive.ui.messages import Messages
from chat_archive.ui.plain_text import shown
from chat_archive.ui.roots import OpenRoots, RootSession
from chat_archive.ui.theme import Theme

_MOST_PATHS = 20_000


def local_paths(mime: QMimeData) -> list[Path]:
    """The local files a drop or the clipboard names; everything else in it is left aside."""
    paths = [Path(url.toLocalFile()) for url in mime.urls()[:_MOST_PATHS] if url.isLocalFile() and url.toLocalFile()]
    return list(dict.fromkeys(paths))


class DropCover(QWidget):
    """Lies over the window while files hover above it and says what a drop would do."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text = ""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName(self.tr("Drop here"))
        self.hide()

    def say(self, text: str) -> None:
        self._text = text
        parent = self.parentWidget()
        if parent is not None:
            self.setGeometry(parent.rect())
        self.raise_()
        self.show()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = self._theme.color("window")
        ground.setAlpha(215)
        painter.fillRect(self.rect(), ground)
        frame = self.rect().adjusted(16, 16, -16, -16)
        painter.setPen(QPen(self._theme.color("accent"), 2, Qt.PenStyle.DashLine))
        painter.drawRoundedRect(frame, 12, 12)
        side = 48
        centre = frame.center()
        self._theme.icon("import", "accent").paint(painter, QRect(centre.x() - side // 2, centre.y() - 56, side, side))
        painter.setPen(self._theme.color("text"))
        painter.setFont(self._theme.font("title"))
        place = QRect(frame.left() + 24, centre.y(), frame.width() - 48, frame.bottom() - centre.y())
        flags = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
        painter.drawText(place, int(flags), self._text)
        painter.end()


class DropTarget(QObject):
    """Takes drops for a whole window. What came out of this window is not dropped back into it."""

    dropped = Signal(list)  # paths
    refused = Signal()  # nothing in it is a local file

    def __init__(self, window: QWidget, cover: DropCover, sentence: Callable[[], str]) -> None:
        super().__init__(window)
        self._window = window
        self._cover = cover
        self._sentence = sentence  # what a drop would do now, e.g. "Import into usr/chats"
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind is QEvent.Type.DragEnter and isinstance(event, QDragEnterEvent):
            self._enter(event)
        elif kind is QEvent.Type.DragMove and isinstance(event, QDragMoveEvent):
            self._take(event)
        elif kind is QEvent.Type.DragLeave:
            self._cover.hide()
        elif kind is QEvent.Type.Drop and isinstance(event, QDropEvent):
            self._drop(event)
        else:
            return False
        return True

    def _own(self, event: QDropEvent) -> bool:
        source = event.source()
        return isinstance(source, QWidget) and source.window() is self._window

    def _take(self, event: QDropEvent) -> None:
        if self._own(event):
            event.ignore()
            return
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()

    def _enter(self, event: QDragEnterEvent) -> None:
        self._take(event)
        if event.isAccepted():
            # text and links are taken too, so that the refusal can say why
            text = (
                self._sentence() if local_paths(event.mimeData()) else self.tr("Only files and folders can be imported")
            )
            self._cover.say(text)

    def _drop(self, event: QDropEvent) -> None:
        self._cover.hide()
        self._take(event)
        if not event.isAccepted():
            return
        paths = local_paths(event.mimeData())
        if paths:
            self.dropped.emit(paths)
        else:
            self.refused.emit()


class DragOut(QObject):
    """Chats leave the window as copies of their files, made while the button is still down."""

    def __init__(self, roots: OpenRoots, runner: JobRunner, messages: Messages, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self._roots = roots
        self._runner = runner
        self._messages = messages
        self._theme = theme
        self._window = window
        self._folders: list[Path] = []
        self._exporting = False

    def start(self, rows: Sequence[ChatRow]) -> None:
        if not rows or self._exporting:
            return
        parts: dict[RootSession, list[Folder]] = {}
        for row in rows:
            session = self._roots.session(row.root)
            if session is not None:
                parts.setdefault(session, []).append(row.folder)
        try:
            folder = files.make_passing_folder("chat-archive-")
        except ArchiveError as error:
            self._messages.error(error)
            return
        self._exporting = True
        self._folders.append(folder)

        def work(progress: JobProgress) -> list[Path]:
            results = [session.archive.export_json(names, folder, progress) for session, names in parts.items()]
            return exported_paths(results)

        def finished() -> None:
            self._exporting = False

        self._runner.read(
            words.operation_text("export", len(rows)),
            work,
            done=self._drag,
            failed=self._messages.error,
            finished=finished,
        )

    def clean(self) -> None:
        """Remove the copies, when the program ends: whoever took them has read them by then."""
        for folder in self._folders:
            try:
                files.remove_tree(folder)
            except (ArchiveError, OSError):
                continue
        self._folders.clear()

    def _drag(self, paths: list[Path]) -> None:
        if not paths or not QGuiApplication.mouseButtons() & Qt.MouseButton.LeftButton:
            return
        drag = self.make_drag(paths)
        drag.exec(Qt.DropAction.CopyAction)

    def make_drag(self, paths: Sequence[Path]) -> QDrag:
        drag = QDrag(self._window)
        drag.setMimeData(mime_of(paths))
        drag.setPixmap(self._theme.icon("export", "accent").pixmap(32, 32))
        return drag


def mime_of(paths: Sequence[Path]) -> QMimeData:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return mime


def exported_paths(results: Sequence[OperationResult]) -> list[Path]:
    return [item.path for result in results for item in result.done if item.path is not None]


def drop_sentence(target: RootSession | None, label: str) -> str:
    """What a drop would do, for the cover."""
    if target is None:
        return QCoreApplication.translate("DropCover", "Drop a folder with chats to open it")
    if not target.writable:
        return QCoreApplication.translate("DropCover", "This folder is read-only; nothing can be imported")
    return QCoreApplication.translate("DropCover", "Drop to import into {place}").format(place=shown(label))
