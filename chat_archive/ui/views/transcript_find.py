"""Find inside a chat: a bar with a count, next and previous; what hides a hit is opened.

Texts are searched on a worker, page by page as the view lays them out, so that a hit can be shown without laying out
what is before it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal, SignalInstance
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QToolButton, QWidget

from chat_archive.core.transcript import Entry, Kind, Transcript
from chat_archive.core.transcript_text import readable
from chat_archive.ui.models.transcript_model import Part, page_texts
from chat_archive.ui.plain_text import ThemedLabel
from chat_archive.ui.theme import Theme
from chat_archive.ui.views.text_document import title_case, value_text
from chat_archive.ui.views.transcript_words import line_text, notice_text
from chat_archive.ui.words import number_text

_TYPING_MS = 180
_MOST = 10_000
_MARKUP = str.maketrans("", "", "*`")


@dataclass(frozen=True, slots=True)
class Hit:
    """The `nth` occurrence on a page of an entry; page -1 is a step's line."""

    entry: Entry
    page: int
    nth: int


def find_hits(transcript: Transcript, words: str, check: Callable[[], None]) -> list[Hit]:
    """Every place where `words` stands, in reading order, letters' case ignored; at most 10,000."""
    wanted = words.casefold()
    found: list[Hit] = []
    for entry in transcript.entries:
        check()
        for page, shown in _places(entry):
            text = shown.casefold()
            at, nth = text.find(wanted), 0
            while at >= 0 and len(found) < _MOST:
                found.append(Hit(entry, page, nth))
                at, nth = text.find(wanted, at + len(wanted)), nth + 1
        if len(found) >= _MOST:
            break
    return found


def _places(entry: Entry) -> Sequence[tuple[int, str]]:
    if entry.kind is Kind.NOTICE and not entry.foldable:
        return [(0, notice_text(entry))]
    part = Part.BODY if entry.foldable else Part.TEXT
    texts = [readable(text, terminal=entry.code) for text in page_texts(entry, part)]
    if entry.kind is Kind.ANSWER:
        # what Markdown turns into shapes is not among the words on the screen
        texts = [text.translate(_MARKUP) for text in texts]
    if entry.foldable or entry.kind is Kind.ALONE:
        values = "\n".join(f"{title_case(key)}\n{value_text(value)}" for key, value in entry.values)
        texts[0] = f"{values}\n{texts[0]}" if values else texts[0]
    places = list(enumerate(texts))
    return [(-1, line_text(entry)), *places] if entry.foldable else places


def spans_of(text: str, words: str) -> list[tuple[int, int]]:
    """Where `words` stands in a laid out text, as (start, stop)."""
    wanted, folded = words.casefold(), text.casefold()
    if not wanted or len(folded) != len(text):
        # letters that fold into two: look without folding rather than at shifted places
        wanted, folded = words, text
    found: list[tuple[int, int]] = []
    at = folded.find(wanted) if wanted else -1
    while at >= 0 and len(found) < 2_000:
        found.append((at, at + len(wanted)))
        at = folded.find(wanted, at + len(wanted))
    return found


class FindBar(QWidget):
    """The line of text, the count and the buttons. Enter goes on, Shift+Enter back, Esc closes."""

    words_changed = Signal(str)
    next_requested = Signal()
    previous_requested = Signal()
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.line = QLineEdit()
        self.line.setPlaceholderText(self.tr("Find in this chat"))
        self.line.setAccessibleName(self.tr("Find in this chat"))
        self.line.setClearButtonEnabled(True)
        self.line.setMaxLength(1_000)
        self.line.installEventFilter(self)
        self.count = ThemedLabel(theme, color="muted", role="small")
        self.back = self._button(self.tr("Previous hit"), self.previous_requested)
        self.on = self._button(self.tr("Next hit"), self.next_requested)
        self.shut = self._button(self.tr("Close the search"), self.closed)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(24, 6, 12, 6)
        layout.addWidget(self.line, 1)
        layout.addWidget(self.count)
        layout.addWidget(self.back)
        layout.addWidget(self.on)
        layout.addWidget(self.shut)
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(_TYPING_MS)
        self._typing.timeout.connect(self._tell)
        self.line.textChanged.connect(self._start_typing)
        theme.changed.connect(self._restyle)
        self._restyle()

    def _button(self, name: str, signal: SignalInstance) -> QToolButton:
        button = QToolButton()
        button.setAutoRaise(True)
        button.setToolTip(name)
        button.setAccessibleName(name)
        button.clicked.connect(signal)
        return button

    def _restyle(self) -> None:
        self.back.setArrowType(Qt.ArrowType.UpArrow)
        self.on.setArrowType(Qt.ArrowType.DownArrow)
        self.shut.setIcon(self._theme.icon("close", "muted"))

    def _start_typing(self, _text: str) -> None:
        self._typing.start()

    def _tell(self) -> None:
        self.words_changed.emit(self.line.text())

    def flush(self) -> None:
        """Do not wait for more typing."""
        if self._typing.isActive():
            self._typing.stop()
            self._tell()

    def stop(self) -> None:
        self._typing.stop()

    def show_count(self, at: int, total: int, words: str) -> None:
        """ "3 of 12", or that there is none."""
        if not words:
            self.count.setText("")
        elif not total:
            self.count.setText(self.tr("Not found"))
        else:
            self.count.setText(
                self.tr("{at} of {total}").format(at=number_text(at + 1), total=number_text(total))
                + ("+" if total >= _MOST else "")
            )
        self.back.setEnabled(total > 0)
        self.on.setEnabled(total > 0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.line and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                waiting = self._typing.isActive()
                self.flush()
                if not waiting:
                    back = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
                    (self.previous_requested if back else self.next_requested).emit()
                return True
            if event.key() == Qt.Key.Key_Escape:
                self.closed.emit()
                return True
        return super().eventFilter(watched, event)
