"""The right-hand side of the window: one chat, or what it says when there is none.

Reading happens on a worker; what arrives for a chat that is no longer wanted is dropped. A tab is filled when it is
first looked at.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from datetime import tzinfo
from enum import IntEnum
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QStackedWidget, QTabWidget, QVBoxLayout, QWidget

from chat_archive.core.archive import Archive
from chat_archive.core.entities import ChatFile, ChatRow
from chat_archive.core.errors import ArchiveError
from chat_archive.ui.jobs import Job, JobProgress, JobRunner
from chat_archive.ui.theme import Theme
from chat_archive.ui.views.agents_view import AgentsView
from chat_archive.ui.views.chat_header import ChatHeader
from chat_archive.ui.views.detail_loading import ChatFacts, LoadedChat, load_chat, read_facts, with_row
from chat_archive.ui.views.files_view import FilesView
from chat_archive.ui.views.history_view import HistoryView
from chat_archive.ui.views.log_view import LogView
from chat_archive.ui.views.raw_view import RawView, read_document
from chat_archive.ui.views.text_message import MessagePage
from chat_archive.ui.views.transcript_page import TranscriptPage
from chat_archive.ui.words import number_text, sum_text

_PATIENCE_MS = 200  # before "Reading" is said
_INDENT = 12  # of the tabs, so that their words begin where the title does
_LARGE = 4_000_000  # bytes of a chat worth collecting at once


class Tab(IntEnum):
    TRANSCRIPT = 0
    AGENTS = 1
    LOG = 2
    HISTORY = 3
    FILES = 4
    RAW = 5


class DetailPanel(QWidget):
    """Shows one chat at a time: `show_chat`, `refresh`, `show_nothing`, `show_many`. `zone` gives the zone of times."""

    rename_requested = Signal()
    open_externally = Signal(Path)
    shown_ready = Signal()  # the first screen of the chosen chat is there
    facts_ready = Signal()  # what the histories tell is there too

    def __init__(
        self,
        theme: Theme,
        runner: JobRunner,
        zone: Callable[[], tzinfo | None] = lambda: None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._runner, self._zone = runner, zone
        self._archive: Archive | None = None
        self._row: ChatRow | None = None
        self._loaded: LoadedChat | None = None
        self._facts: ChatFacts | None = None
        self._error: ArchiveError | None = None
        self._wanted = 0
        self._shown_zone = zone()
        self._begun = False  # the first screen is shown, the rest is on its way
        self._jobs: list[Job] = []
        self._stale: set[Tab] = set()
        self.header = ChatHeader(theme)
        self.transcript = TranscriptPage(theme, runner)
        self.agents = AgentsView(theme)
        self.log = LogView(theme, runner)
        self.history = HistoryView(theme, runner)
        self.files = FilesView(theme)
        self.raw = RawView(theme)
        self.message = MessagePage(theme, "chat")
        self._fault = {tab: MessagePage(theme, "warning") for tab in Tab}
        self._places: dict[Tab, QStackedWidget] = {}
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setExpanding(False)
        self.tabs.tabBar().setDrawBase(False)
        self.tabs.tabBar().setAccessibleName(self.tr("Parts of the chat"))
        self._build(theme)

    def _build(self, theme: Theme) -> None:
        views: dict[Tab, QWidget] = {
            Tab.TRANSCRIPT: self.transcript,
            Tab.AGENTS: self.agents,
            Tab.LOG: self.log,
            Tab.HISTORY: self.history,
            Tab.FILES: self.files,
            Tab.RAW: self.raw,
        }
        for tab, view in views.items():
            place = QStackedWidget()
            place.addWidget(view)
            place.addWidget(self._fault[tab])
            self._places[tab] = place
            self.tabs.addTab(place, self._tab_text(tab))
        chat = QWidget()
        chat.setAutoFillBackground(True)
        chat.setBackgroundRole(QPalette.ColorRole.Base)
        self._readers: dict[Tab, QWidget] = {
            Tab.TRANSCRIPT: self.transcript.view,
            Tab.AGENTS: self.agents.table,
            Tab.LOG: self.log.table,
            Tab.HISTORY: self.history.tree,
            Tab.FILES: self.files.table,
            Tab.RAW: self.raw.tree,
        }
        self.tabs.setStyleSheet(f"QTabWidget::tab-bar {{ left: {_INDENT}px; }}")
        # the bar moves to the right by style alone; without this room the arrows of a narrow one were cut
        room = QWidget()
        room.setFixedSize(_INDENT, 1)
        self.tabs.setCornerWidget(room, Qt.Corner.TopRightCorner)
        inner = QVBoxLayout(chat)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(0)
        inner.addWidget(self.header)
        inner.addWidget(self.tabs, 1)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.message)
        self._stack.addWidget(chat)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._stack)
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(_PATIENCE_MS)
        self._patience.timeout.connect(self._say_reading)
        self._collecting = QTimer(self)
        self._collecting.setSingleShot(True)
        self._collecting.setInterval(0)
        self._collecting.timeout.connect(gc.collect)
        self.header.rename_requested.connect(self.rename_requested)
        self.header.find_requested.connect(self.find_focus)
        self.files.open_externally.connect(self.open_externally)
        self.agents.call_requested.connect(self._show_call)
        self.tabs.currentChanged.connect(self._on_tab)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._on_tab(0)
        self.show_nothing()

    # what the window asks

    @property
    def row(self) -> ChatRow | None:
        return self._row

    @property
    def loaded(self) -> LoadedChat | None:
        return self._loaded

    def show_chat(self, archive: Archive, row: ChatRow) -> None:
        """Show a chat from its beginning. The same row again changes nothing."""
        if self._archive is archive and self._row == row and (self._loaded is not None or self._error is not None):
            return
        self._begin(archive, row)
        self._clear_tabs()
        self._patience.start()
        self._read(keep_place=False)

    def refresh(self, row: ChatRow) -> None:
        """The chat on the screen has another row: read it again where its file changed, in the place it is read."""
        if self._archive is None or self._row is None or row.folder != self._row.folder:
            return
        same = row.fingerprint is not None and row.fingerprint == self._row.fingerprint and self._loaded is not None
        before = self._row
        if before == row:
            return
        if same and self._loaded is not None:
            self._row = row
            self._loaded = with_row(self._loaded, row)
            self.header.show_row(row, self._zone())
            self._show_header_facts()
            return
        self._begin(self._archive, row)
        self._read(keep_place=True)

    def reload(self) -> None:
        """Show the same chat in another time zone; where it did not change, nothing happens."""
        zone = self._zone()
        if zone == self._shown_zone:
            return
        self._shown_zone = zone
        if self._loaded is not None and self._row is not None:
            self.header.show_row(self._row, self._zone())
            self._show_header_facts()
            self.transcript.show_chat(self._loaded, self._zone(), keep_place=True)
            self._stale = {Tab.LOG, Tab.FILES} | self._stale
            self._fill_current()

    def show_nothing(self, reason: str = "") -> None:
        """No chat is chosen; `reason` is a sentence from the caller, such as that the root is being read."""
        self._drop()
        if reason:
            self.message.say(self.tr("No chat is shown"), reason, "chat")
        else:
            self.message.say(
                self.tr("No chat is chosen"), self.tr("Choose a chat in the list to read it here."), "chat"
            )
        self._stack.setCurrentIndex(0)

    def show_scanning(self) -> None:
        """The root is still being read."""
        self.show_nothing(self.tr("The chats are being read. They can be opened as soon as they are in the list."))

    def show_many(self, rows: Sequence[ChatRow]) -> None:
        """Several chats are chosen: how many and how large, what can be done with them."""
        self._drop()
        text = self.tr("Export them, move them to the trash, or choose one to read it.")
        damaged = sum(1 for row in rows if row.damaged)
        if damaged:
            text = self.tr("%Ln of them (is|are) damaged.", "", damaged) + " " + text
        self.message.say(
            self.tr("{sum} chosen").format(sum=sum_text(len(rows), sum(row.size for row in rows))), text, "list"
        )
        self._stack.setCurrentIndex(0)

    def find_focus(self) -> None:
        """Open the find bar of the transcript."""
        if self._loaded is not None:
            self.tabs.setCurrentIndex(Tab.TRANSCRIPT)
            self.transcript.open_find()

    def current_tab(self) -> Tab:
        return Tab(max(self.tabs.currentIndex(), 0))

    def set_current_tab(self, tab: int) -> None:
        """Go to a tab, as remembered from the last run; any other number is the transcript."""
        self.tabs.setCurrentIndex(tab if 0 <= tab < len(Tab) else 0)

    # reading

    def _begin(self, archive: Archive, row: ChatRow) -> None:
        self._wanted += 1
        for job in self._jobs:
            job.cancel()
        self._jobs.clear()
        self._forget_large()
        self._archive, self._row = archive, row
        self._loaded = self._facts = self._error = None
        self._begun = False
        self._shown_zone = self._zone()
        self.header.show_row(row, self._shown_zone)
        self._name_tabs()
        self._stack.setCurrentIndex(1)

    def _drop(self) -> None:
        self._wanted += 1
        for job in self._jobs:
            job.cancel()
        self._jobs.clear()
        self._patience.stop()
        self._forget_large()
        self._archive = self._row = self._loaded = self._facts = self._error = None
        self._clear_tabs()

    def _forget_large(self) -> None:
        """Agents and their chat point to each other; a large one is not kept until the collector comes by itself."""
        if self._row is not None and self._row.size > _LARGE:
            self._collecting.start()

    def _clear_tabs(self) -> None:
        self.transcript.clear()
        self.agents.clear()
        self.log.clear()
        self.history.clear()
        self.raw.clear()
        self._stale = set(Tab)
        for tab in Tab:
            self._fault[tab].say("")
            self._places[tab].setCurrentIndex(0)

    def _read(self, *, keep_place: bool) -> None:
        archive, row, wanted = self._archive, self._row, self._wanted
        if archive is None or row is None:
            return

        def work(progress: JobProgress) -> LoadedChat:
            # a chat that is read again stays as it is until all of the new one is there
            first = None if keep_place else progress.deliver
            return load_chat(archive, row, lambda: progress.report(0), first)

        def begun(loaded: object) -> None:
            if wanted == self._wanted and isinstance(loaded, LoadedChat):
                self._show_first(loaded)

        def done(loaded: object) -> None:
            if wanted == self._wanted and isinstance(loaded, LoadedChat):
                self._show_loaded(loaded, keep_place)

        def failed(error: Exception) -> None:
            if wanted == self._wanted:
                self._show_error(error)

        self._start(self.tr("Reading a chat"), work, done, failed, begun)

    def _start(
        self,
        name: str,
        work: Callable[[JobProgress], object],
        done: Callable[[object], None],
        failed: Callable[[Exception], None],
        delivered: Callable[[object], None] | None = None,
    ) -> None:
        self._jobs = [job for job in self._jobs if not job.over]
        job = self._runner.read(name, work, done=done, failed=failed, delivered=delivered, quiet=True)
        self._jobs.append(job)

    def _say_reading(self) -> None:
        if self._loaded is None and self._error is None:
            for tab in Tab:
                self._fault[tab].say(self.tr("Reading the chat\u2026"), "", "clock")
                self._places[tab].setCurrentIndex(1)

    def _show_first(self, loaded: LoadedChat) -> None:
        """The first screen of a long chat. Nothing but its transcript may be asked yet."""
        self._patience.stop()
        for tab in Tab:
            self._places[tab].setCurrentIndex(0)
        self.transcript.show_chat(loaded, self._zone())
        self._begun = True
        self.shown_ready.emit()

    def _show_loaded(self, loaded: LoadedChat, keep_place: bool) -> None:
        self._patience.stop()
        self._loaded = loaded
        for tab in Tab:
            self._places[tab].setCurrentIndex(0)
        self._stale = set(Tab) - {Tab.TRANSCRIPT}
        if self._begun:
            self.transcript.complete(loaded)
        else:
            self.transcript.show_chat(loaded, self._zone(), keep_place=keep_place)
            self.shown_ready.emit()
        self._read_facts()
        self._fill_current()

    def _read_facts(self) -> None:
        loaded, wanted = self._loaded, self._wanted
        if loaded is None:
            return

        def work(progress: JobProgress) -> ChatFacts:
            return read_facts(loaded, lambda: progress.report(0))

        def done(facts: object) -> None:
            if wanted == self._wanted and isinstance(facts, ChatFacts):
                self._show_facts(facts)

        self._start(self.tr("Reading the histories"), work, done, self._raise)

    def _raise(self, error: Exception) -> None:
        raise error

    def _show_facts(self, facts: ChatFacts) -> None:
        self._facts = facts
        self._show_header_facts()
        self.transcript.show_facts(facts)
        self._stale.add(Tab.AGENTS)
        self._fill_current()
        self.facts_ready.emit()

    def _show_header_facts(self) -> None:
        if self._facts is not None:
            responses = sum(agent.responses for agent in self._facts.agents)
            self.header.show_facts(self._facts.tokens, responses, self._facts.problems)

    def _show_error(self, error: Exception) -> None:
        """Every tab says what is wrong; Raw shows the bytes as well."""
        self._patience.stop()
        if not isinstance(error, ArchiveError):
            raise error
        self._error = error
        text = "\n".join(part for part in (error.next_step, str(self._row.path) if self._row else "") if part)
        for tab in Tab:
            self._fault[tab].say(error.what, text, "warning")
            self._places[tab].setCurrentIndex(1)
        self._stale = {Tab.FILES, Tab.RAW}
        self._fill_current()
        self.shown_ready.emit()

    # tabs

    def _tab_text(self, tab: Tab, count: int | None = None) -> str:
        names = {
            Tab.TRANSCRIPT: self.tr("Transcript"),
            Tab.AGENTS: self.tr("Agents"),
            Tab.LOG: self.tr("Log"),
            Tab.HISTORY: self.tr("History"),
            Tab.FILES: self.tr("Files"),
            Tab.RAW: self.tr("Raw"),
        }
        return names[tab] if count is None else f"{names[tab]} {number_text(count)}"

    def _name_tabs(self) -> None:
        row = self._row
        counts: dict[Tab, int] = {}
        if row is not None and not row.damaged:
            counts = {Tab.AGENTS: len(row.agents), Tab.LOG: row.log_items, Tab.HISTORY: row.messages}
        for tab in Tab:
            self.tabs.setTabText(tab, self._tab_text(tab, counts.get(tab)))

    def _on_tab(self, _place: int) -> None:
        large = self._row is not None and self._row.size > _LARGE
        if large and self.current_tab() is not Tab.RAW and self._loaded is not None and Tab.RAW not in self._stale:
            self.raw.clear()  # holds the whole file a second time
            self._stale.add(Tab.RAW)
        self.setFocusProxy(self._readers[self.current_tab()])
        self._fill_current()

    def _fill_current(self) -> None:
        tab = self.current_tab()
        if tab not in self._stale or (self._loaded is None and self._error is None):
            return
        if tab is Tab.AGENTS:
            if self._facts is None:
                return
            self.agents.show_facts(self._facts)
        elif tab is Tab.LOG and self._loaded is not None:
            self.log.show_chat(self._loaded, self._zone())
        elif tab is Tab.HISTORY and self._loaded is not None:
            self.history.show_chat(self._loaded)
        elif tab is Tab.FILES:
            self._fill_files()
        elif tab is Tab.RAW:
            self._fill_raw()
        self._stale.discard(tab)

    def _fill_files(self) -> None:
        archive, row, wanted = self._archive, self._row, self._wanted
        if archive is None or row is None:
            return

        def done(files: object) -> None:
            if wanted == self._wanted and isinstance(files, list):
                self._show_files(row, files)

        def failed(error: Exception) -> None:
            if wanted == self._wanted:
                self._show_tab_error(Tab.FILES, error)

        self._start(self.tr("Listing the files"), lambda _progress: archive.files(row.folder), done, failed)

    def _show_files(self, row: ChatRow, files: list[ChatFile]) -> None:
        self.files.show_files(row, files, self._zone())
        self.tabs.setTabText(Tab.FILES, self._tab_text(Tab.FILES, len(files)))
        self._places[Tab.FILES].setCurrentIndex(0)

    def _fill_raw(self) -> None:
        archive, row, wanted, error = self._archive, self._row, self._wanted, self._error
        if archive is None or row is None:
            return

        def work(_progress: JobProgress) -> tuple[bytes, object]:
            data = archive.read_bytes(row.folder)
            return data, (None if error is not None else read_document(data))

        def done(result: object) -> None:
            if wanted == self._wanted and isinstance(result, tuple):
                data, document = result
                if error is not None:
                    self.raw.show_bytes(data, error)
                else:
                    self.raw.show_document(document)
                self._places[Tab.RAW].setCurrentIndex(0)

        def failed(trouble: Exception) -> None:
            if wanted == self._wanted:
                self._show_tab_error(Tab.RAW, trouble)

        self._start(self.tr("Reading the file"), work, done, failed)

    def _show_tab_error(self, tab: Tab, error: Exception) -> None:
        if not isinstance(error, ArchiveError):
            raise error
        self._fault[tab].say(error.what, error.next_step, "warning")
        self._places[tab].setCurrentIndex(1)

    def _show_call(self, index: int) -> None:
        self.tabs.setCurrentIndex(Tab.TRANSCRIPT)
        self.transcript.show_item(index)
