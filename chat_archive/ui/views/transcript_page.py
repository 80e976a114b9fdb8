"""The Transcript tab: the view, the find bar, links that ask."""

from __future__ import annotations

from datetime import tzinfo
from urllib.parse import urlsplit

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QKeySequence, QShortcut
from PySide6.QtWidgets import QMessageBox, QVBoxLayout, QWidget

from chat_archive.core.transcript import Transcript
from chat_archive.ui.jobs import Job, JobProgress, JobRunner
from chat_archive.ui.models.transcript_model import Part, Row, TranscriptModel
from chat_archive.ui.plain_text import shown_block
from chat_archive.ui.theme import Theme
from chat_archive.ui.views.detail_loading import ChatFacts, LoadedChat
from chat_archive.ui.views.transcript_find import FindBar, Hit, find_hits, spans_of
from chat_archive.ui.views.transcript_pictures import PictureStore
from chat_archive.ui.views.transcript_view import TranscriptView


def opens_outside(address: str) -> bool:
    """Whether a link may be opened at all: http and https without a user part, and mailto (V4)."""
    try:
        parts = urlsplit(address)
        scheme = parts.scheme.lower()
        if scheme == "mailto":
            return bool(parts.path)
        return scheme in ("http", "https") and bool(parts.hostname) and "@" not in parts.netloc
    except ValueError:
        return False


class TranscriptPage(QWidget):
    """Shows a loaded chat. Everything that takes time runs on `runner`."""

    def __init__(self, theme: Theme, runner: JobRunner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._job: Job | None = None
        self._wanted = 0
        self._hits: list[Hit] = []
        self._at = -1
        self._words = ""
        self.pictures = PictureStore(runner, self)
        self.model = TranscriptModel(self)
        self.model.picture_there = self.pictures.there
        self.view = TranscriptView(self.model, theme, self.pictures)
        self.bar = FindBar(theme)
        self.bar.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.bar)
        layout.addWidget(self.view, 1)
        self.setFocusProxy(self.view)
        self.bar.words_changed.connect(self._find)
        self.bar.next_requested.connect(lambda: self._go(1))
        self.bar.previous_requested.connect(lambda: self._go(-1))
        self.bar.closed.connect(self.close_find)
        self.view.link_clicked.connect(self._ask_link)
        self.view.background_toggled.connect(self.model.set_background_shown)
        for keys, slot in (("F3", lambda: self._go(1)), ("Shift+F3", lambda: self._go(-1))):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(slot)

    def clear(self) -> None:
        """Nothing is shown."""
        self._wanted += 1
        self._hits, self._at = [], -1
        self.bar.stop()
        self.pictures.set_chat(frozenset(), frozenset(), None)
        self.view.set_transcript(Transcript([], {}, 0), [], None)

    def show_chat(self, loaded: LoadedChat, zone: tzinfo | None, *, keep_place: bool = False) -> None:
        """Show a chat from its beginning, or where it was when it is the same one read again."""
        bar = self.view.verticalScrollBar()
        value = bar.value()
        self.pictures.set_chat(loaded.ids, loaded.there, loaded.read_picture)
        rows = None if self.model.background_shown else loaded.rows
        self.view.set_transcript(loaded.transcript, rows, zone)
        if keep_place:
            bar.setValue(value)
        self._hits, self._at = [], -1
        if self.bar.isVisibleTo(self) and self._words:
            self._find(self._words)

    def complete(self, loaded: LoadedChat) -> None:
        """The rest of the chat whose first screen is shown."""
        self.model.complete(loaded.rows)
        self.view.viewport().update()
        if self.bar.isVisibleTo(self) and self._words:
            self._find(self._words)

    def show_facts(self, facts: ChatFacts) -> None:
        """Texts came back from the history: only the entries that changed are made again."""
        self.model.refresh(facts.changed)

    def show_item(self, index: int) -> None:
        """Bring the log item at that place of the file into view."""
        for entry in self.model.transcript.entries:
            if entry.item is not None and entry.item.index == index:
                self.view.show_place(self.model.reveal(entry, -1), None)
                self.view.setFocus()
                return

    # finding

    def open_find(self) -> None:
        """Show the bar with the cursor in it."""
        self.bar.show()
        self.bar.line.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.bar.line.selectAll()
        if self.bar.line.text() and not self._hits:
            self._find(self.bar.line.text())

    def close_find(self) -> None:
        self.bar.hide()
        self.bar.stop()
        self._wanted += 1
        self._hits, self._at, self._words = [], -1, ""
        self.view.set_finder(None, None)
        self.view.setFocus()

    @property
    def hits(self) -> list[Hit]:
        return self._hits

    def _find(self, words: str) -> None:
        self._words = words
        self._wanted += 1
        wanted, transcript = self._wanted, self.model.transcript
        if self._job is not None:
            self._job.cancel()
            self._job = None
        if not words:
            self._hits, self._at = [], -1
            self.view.set_finder(None, None)
            self.bar.show_count(-1, 0, "")
            return

        def work(progress: JobProgress) -> list[Hit]:
            return find_hits(transcript, words, lambda: progress.report(0))

        def done(hits: list[Hit]) -> None:
            if wanted == self._wanted:
                self._show_hits(hits)

        self._job = self._runner.read(
            self.tr("Finding in the chat"), work, done=done, finished=self._forget, quiet=True
        )

    def _forget(self) -> None:
        self._job = None

    def _show_hits(self, hits: list[Hit]) -> None:
        self._hits, self._at = hits, -1
        lines = {id(hit.entry) for hit in hits if hit.page < 0}
        self.view.set_finder(self._spans, lambda entry: id(entry) in lines)
        if hits:
            self._go(1)
        else:
            self.bar.show_count(-1, 0, self._words)

    def _go(self, by: int) -> None:
        if not self._hits:
            return
        self._at = (self._at + by) % len(self._hits)
        hit = self._hits[self._at]
        self.bar.show_count(self._at, len(self._hits), self._words)
        number = self.model.reveal(hit.entry, hit.page)
        if number < 0:
            return
        row = self.model.row(number)
        position = None
        if hit.page >= 0 and self.view.page.has_document(row):
            spans = spans_of(self.view.page.document(row).toPlainText(), self._words)
            if spans:
                position = spans[min(hit.nth, len(spans) - 1)][0]
        self.view.show_place(number, position)
        self.view.viewport().update()

    def _spans(self, row: Row, text: str) -> tuple[list[tuple[int, int]], int]:
        """What to mark in a row, and which of it is the current hit."""
        spans = spans_of(text, self._words)
        current = -1
        if 0 <= self._at < len(self._hits):
            hit = self._hits[self._at]
            if hit.entry is row.entry and hit.page == row.page and row.part in (Part.TEXT, Part.BODY) and spans:
                current = min(hit.nth, len(spans) - 1)
        return spans, current

    # links

    def _ask_link(self, address: str) -> None:
        box = self.link_box(address)
        if box.exec() == QMessageBox.StandardButton.Open and opens_outside(address):
            QDesktopServices.openUrl(QUrl(address))
        box.deleteLater()

    def link_box(self, address: str) -> QMessageBox:
        """The question before a link is opened, with its whole address as plain text."""
        allowed = opens_outside(address)
        box = QMessageBox(self)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setWindowTitle(self.tr("Open link"))
        box.setIcon(QMessageBox.Icon.NoIcon)
        if allowed:
            box.setText(self.tr("Open this address outside Chat Archive?"))
            box.setStandardButtons(QMessageBox.StandardButton.Open | QMessageBox.StandardButton.Cancel)
            box.setDefaultButton(QMessageBox.StandardButton.Cancel)
        else:
            box.setText(self.tr("This address is not opened. Only web and mail addresses are."))
            box.setStandardButtons(QMessageBox.StandardButton.Close)
        box.setInformativeText(shown_block(address, 4_000))
        return box
