"""The window: panes and wiring. What a command does is in `window_commands`, what a change does in `carry`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QMainWindow, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from chat_archive.core.entities import ChatRow, Folder, TrashEntry
from chat_archive.ui.actions import Actions
from chat_archive.ui.carry import ChatChanges
from chat_archive.ui.choices import Choices
from chat_archive.ui.drop import DragOut, DropCover, DropTarget, drop_sentence
from chat_archive.ui.jobs import JobRunner
from chat_archive.ui.messages import Messages, QtMessages
from chat_archive.ui.models.chat_list_model import ChatListModel
from chat_archive.ui.models.chat_order import ALL, ChatKey, Scope, ScopeKind, key_of
from chat_archive.ui.plain_text import shown
from chat_archive.ui.prompts import Prompts
from chat_archive.ui.provider_prompts import ProviderPrompts, QtProviderPrompts
from chat_archive.ui.provider_window import connect_provider
from chat_archive.ui.provider_work import ProviderWork
from chat_archive.ui.roots import OpenRoots, RootSession
from chat_archive.ui.theme import Theme
from chat_archive.ui.trash_keeper import TrashKeeper
from chat_archive.ui.views.detail_panel import DetailPanel
from chat_archive.ui.views.filter_bar import FilterField
from chat_archive.ui.views.first_run import FirstRunPage
from chat_archive.ui.views.jobs_panel import JobsPanel
from chat_archive.ui.views.list_pane import Emptiness, ListPane
from chat_archive.ui.views.notice_bar import NoticeBar
from chat_archive.ui.views.sidebar import Sidebar
from chat_archive.ui.views.status_line import StatusLine
from chat_archive.ui.window_commands import WindowCommands
from chat_archive.ui.window_facts import WindowFacts
from chat_archive.ui.window_menus import WindowMenus, build_toolbar
from chat_archive.ui.window_state import WindowState

_COUNT_MS = 150  # counts of the sidebar follow a scan at this pace
_SHOW_MS = 40  # a chat is opened when the selection rests this long, so that arrow keys run freely
_LOOK_MS = 4000  # how often an active window looks for changes of others
_LOOK_SHARE = 60  # a look may take at most this part of the time
_RETIME_MS = 30_000


class MainWindow(QMainWindow):
    """One window over all open roots. Everything it uses is handed in."""

    closed = Signal()

    def __init__(
        self,
        theme: Theme,
        runner: JobRunner,
        choices: Choices,
        prompts: Prompts,
        *,
        messages: Messages | None = None,
        state: WindowState | None = None,
        provider_prompts: ProviderPrompts | None = None,
    ) -> None:
        super().__init__()
        self.theme = theme
        self.runner = runner
        self.choices = choices
        self.prompts = prompts
        self.state = state or WindowState()
        self._closing = False
        self._close_asked = False
        self._shown_key: ChatKey | None = None
        self._rows_share = 0.4  # of the width of list and detail, for the list of two-line rows
        self._offered: set[Path] = set()  # roots whose old flat files were told of
        self._list_wants_focus = False  # a folder was opened; the list is given the keyboard once it has rows
        self.roots = OpenRoots(runner, choices.zone, choices.trash_days, self)
        self.model = ChatListModel(choices.zone, self)
        self._build_panes()
        self.messages: Messages = messages or QtMessages(theme, self.notices, self)
        self.changes = ChatChanges(self.roots, runner, prompts, self.messages, self)
        asked = provider_prompts or QtProviderPrompts(theme, self)
        self.provider = ProviderWork(self.roots, runner, choices, asked, self.messages, parent=self)
        self.keeper = TrashKeeper(self.roots, runner, self.messages, self.changes.trash_again, self)
        self.actions_by_id = Actions(theme, self)
        self.facts = WindowFacts(self)
        self.commands = WindowCommands(self)
        self.menus = WindowMenus(
            self,
            self.actions_by_id,
            sort_menu=self.pane.header.menu,
            columns=self.pane.list.fill_columns_menu,
            recent=lambda: self.choices.settings.recent_roots,
            open_recent=self.commands.open_place,
        )
        self.pane.list.set_menu(self.menus.context)
        self.toolbar = build_toolbar(self, self.actions_by_id, self.filter)
        self.cover = DropCover(theme, self)
        self.drop = DropTarget(self, self.cover, self._drop_sentence)
        self.drag = DragOut(self.roots, runner, self.messages, theme, self)
        self._make_timers()
        self._wire()
        self.setWindowTitle(self.tr("Chat Archive"))
        self.resize(1360, 860)
        self.setMinimumSize(QSize(720, 420))
        self.state.restore(self, self.splitter, self.pane.list)
        self._restore_order()
        self._on_theme()
        self._refresh_everything()

    # panes

    def _build_panes(self) -> None:
        theme = self.theme
        self.sidebar = Sidebar(theme)
        self.pane = ListPane(theme, self.model, self.choices.zone)
        self.detail = DetailPanel(theme, self.runner, self.choices.zone)
        self.filter = FilterField(theme)
        self.filter.setAcceptDrops(False)  # a file dropped on it is imported, as anywhere else
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        for widget in (self.sidebar, self.pane, self.detail):
            self.splitter.addWidget(widget)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setHandleWidth(1)
        self.splitter.setStretchFactor(0, 0)
        self.splitter.setStretchFactor(1, 2)
        self.splitter.setStretchFactor(2, 3)
        self.splitter.setSizes([max(200, self.sidebar.wanted_width()), 430, 720])
        self.sidebar.setMinimumWidth(140)
        self.pane.setMinimumWidth(260)
        self.detail.setMinimumWidth(280)
        self.first_run = FirstRunPage(theme)
        self.pages = QStackedWidget()
        self.pages.addWidget(self.first_run)
        self.pages.addWidget(self.splitter)
        self.notices = NoticeBar(theme)
        self.jobs = JobsPanel(theme, self.runner)
        self.jobs.hide()
        centre = QWidget()
        layout = QVBoxLayout(centre)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.pages, 1)
        layout.addWidget(self.notices)
        layout.addWidget(self.jobs)
        self.setCentralWidget(centre)
        self.status = StatusLine(theme, self.runner)
        self.setStatusBar(self.status)

    def _make_timers(self) -> None:
        self._counting = self._timer(_COUNT_MS, self._count)
        self._showing = self._timer(_SHOW_MS, self._show_selection)
        self._looking = self._timer(_LOOK_MS, self._look_again)
        self._retiming = self._timer(_RETIME_MS, self._retime)

    def _timer(self, interval: int, call: object) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(interval)
        timer.timeout.connect(call)
        return timer

    # wiring

    def _wire(self) -> None:
        roots, view = self.roots, self.pane.list
        roots.opened.connect(self._on_opened)
        roots.closed.connect(self._on_closed)
        roots.rows_arrived.connect(self._on_rows)
        roots.rows_gone.connect(self._on_gone)
        roots.changed.connect(self._on_roots_changed)
        roots.failed.connect(self.messages.error)
        self.runner.fault.connect(lambda _job, error: self.messages.error(error))
        self.runner.started.connect(lambda _job: self.facts.actions())
        self.runner.ended.connect(lambda _job: self.facts.actions())
        self.runner.idle.connect(self._on_idle)
        self.choices.failed.connect(self.messages.error)
        self.choices.changed.connect(self._on_settings)
        self.sidebar.scope_changed.connect(self._on_scope)
        self.filter.textChanged.connect(self._on_filter)
        self.filter.left.connect(lambda: view.setFocus(Qt.FocusReason.OtherFocusReason))
        self.model.counted.connect(self.count_soon)
        view.selection_changed.connect(self._on_selection)
        view.drag_started.connect(lambda: self.drag.start(view.selected_rows()))
        self.pane.clear_requested.connect(self.filter.clear)
        self.pane.trash.restore_requested.connect(self.changes.restore)
        self.pane.trash.empty_requested.connect(self._on_empty_trash)
        connect_provider(self)
        self.changes.imported.connect(self._on_imported)
        self.changes.exported.connect(self._on_exported)
        self.changes.chosen.connect(self.choices.remember_deletion)
        self.status.stop_requested.connect(lambda job: job.cancel())
        self.drop.dropped.connect(self.commands.take_dropped)
        self.drop.refused.connect(self.commands.refuse_drop)
        self.theme.changed.connect(self._on_theme)
        self.notices.focus_left.connect(self._on_notice_left)
        if isinstance(self.messages, QtMessages):
            self.messages.undo_requested.connect(self.changes.undo)
        self.commands.connect_actions()

    # roots and rows

    def _on_opened(self, session: RootSession) -> None:
        self.choices.remember_root(session.root)
        self.pages.setCurrentWidget(self.splitter)
        self.model.set_labels(self.roots.labels)
        for text in session.archive.notices:
            self.messages.notice(text)
        session.remarked.connect(lambda text: self.messages.notice(shown(text, 400)))
        if not self._looking.isActive():
            self._looking.start()
            self._retiming.start()
        self._list_wants_focus = True
        self._refresh_everything()

    def _on_closed(self, session: RootSession) -> None:
        self.model.set_labels(self.roots.labels)
        if self.sidebar.scope == Scope(ScopeKind.ROOT, str(session.root)):
            self.sidebar.choose(ALL)
        if not self.roots.sessions:
            self.commands.show_first_run("")
        self._refresh_everything()

    def _on_rows(self, rows: list[ChatRow]) -> None:
        self.model.put(rows)
        if self._shown_key is not None:
            for row in rows:
                if key_of(row) == self._shown_key:
                    self.detail.refresh(row)
                    break
        self.count_soon()

    def _on_gone(self, session: RootSession, folders: Sequence[Folder]) -> None:
        self.model.remove(ChatKey(session.root, folder) for folder in folders)
        self.count_soon()

    def _on_roots_changed(self) -> None:
        self.facts.state()
        self.count_soon()
        for session in self.roots.sessions:
            if session.complete and session.writable and session.flat_files and session.root not in self._offered:
                self._offered.add(session.root)
                self._offer_folders(session)

    def _offer_folders(self, session: RootSession) -> None:
        """Say once that a root holds chats that versions of today do not find."""
        text = self.tr(
            "%Ln chat(s) of an old version (lies|lie) as (a single file|single files) in {place}. "
            "Newer versions find them only in folders.",
            "",
            session.flat_files,
        )
        place = self.roots.labels.get(session.root, session.root.name)
        offer = (self.tr("Move into Folders…"), lambda: self.changes.convert(session))
        self.messages.notice(text.format(place=shown(place)), offer)

    def _on_imported(self, what: list[object]) -> None:
        """Show what came in: selected, and not hidden by a filter."""
        session, folders = what
        assert isinstance(session, RootSession)
        assert isinstance(folders, frozenset)
        keys = [ChatKey(session.root, folder) for folder in folders]
        if any(self.model.find(key) < 0 and self.model.get(key) is not None for key in keys):
            self.filter.clear()
            self.sidebar.choose(ALL)
        if any(self.model.find(key) >= 0 for key in keys):
            self.pane.list.select(keys)

    def _on_exported(self, to: Path) -> None:
        self.choices.remember_export(to if to.is_dir() else to.parent)

    def _on_empty_trash(self, entries: list[TrashEntry] | None) -> None:
        self.changes.empty(self.trash_entries() if entries is None else entries)

    def trash_entries(self) -> list[TrashEntry]:
        """What lies in the trash of every open root, newest first."""
        entries = [entry for session in self.roots.sessions for entry in session.facts.trash]
        return sorted(entries, key=lambda entry: entry.trashed_at, reverse=True)

    # what is chosen

    def _on_scope(self, scope: Scope) -> None:
        self.pane.show_beside(scope.kind)
        self.detail.setVisible(not self.beside_list)
        if not self.beside_list:
            self.model.set_scope(scope)
        self._count()
        self._on_selection()

    def _on_filter(self, text: str) -> None:
        self.model.set_filter(text)
        self.facts.found()
        self.pane.update_emptiness(self.scanning)

    def _on_selection(self) -> None:
        self.facts.actions()
        self.facts.summary()
        self._showing.start()

    def _on_notice_left(self) -> None:
        """The keyboard was in a notice that went away: it goes where the arrow keys mean something."""
        pane = self.pane.trash.table if self.in_trash else self.pane.list
        pane.setFocus(Qt.FocusReason.OtherFocusReason)

    def set_table(self, table: bool) -> None:
        """Two-line rows or the plain table, which is given more of the width."""
        if table == self.pane.list.is_table:
            return
        side, middle, right = self.splitter.sizes()
        both = middle + right
        self.pane.set_table(table)
        if table:
            self._rows_share = middle / both if both else 0.4
            share = max(self._rows_share, 0.6)
        else:
            share = self._rows_share
        self.splitter.setSizes([side, round(both * share), round(both * (1 - share))])
        self.facts.actions()

    @property
    def in_trash(self) -> bool:
        return self.sidebar.scope.kind is ScopeKind.TRASH

    @property
    def in_provider(self) -> bool:
        return self.sidebar.scope.kind is ScopeKind.PROVIDER

    @property
    def beside_list(self) -> bool:
        """Whether something else is shown where the list of chats is."""
        return self.in_trash or self.in_provider

    @property
    def scanning(self) -> bool:
        return self.roots.opening or any(session.scanning and not session.complete for session in self.roots.sessions)

    @property
    def closing(self) -> bool:
        return self._closing

    @property
    def unsettled(self) -> bool:
        """Whether counts or the chosen chat are still about to be shown."""
        return self._counting.isActive() or self._showing.isActive()

    def _show_selection(self) -> None:
        rows = [] if self.beside_list else self.pane.list.selected_rows()
        if len(rows) == 1:
            session = self.roots.session(rows[0].root)
            if session is not None and key_of(rows[0]) != self._shown_key:
                self._shown_key = key_of(rows[0])
                self.detail.show_chat(session.archive, rows[0])
            return
        self._shown_key = None
        if rows:
            self.detail.show_many(rows)
        elif self.in_trash:
            self.detail.show_nothing(self.tr("Chats in the trash can be read again after they are restored."))
        elif self.model.rowCount():
            self.detail.show_nothing(self.tr("Choose a chat to read it."))
        else:
            self.detail.show_nothing(self.tr("There is nothing in the list to choose from."))

    def current_session(self) -> RootSession | None:
        """The root a command for "the folder" means: the one chosen at the left, else that of the selected chat."""
        scope = self.sidebar.scope
        if scope.kind is ScopeKind.ROOT:
            chosen = self.roots.session(Path(scope.value))
            if chosen is not None:
                return chosen
        rows = self.pane.list.selected_rows()
        if rows and not self.beside_list:
            return self.roots.session(rows[0].root)
        sessions = self.roots.sessions
        return next((session for session in sessions if session.writable), sessions[0] if sessions else None)

    def _drop_sentence(self) -> str:
        target = self.current_session()
        return drop_sentence(target, self.roots.labels.get(target.root, "") if target is not None else "")

    # showing how things stand

    def count_soon(self) -> None:
        if not self._counting.isActive() and not self._closing:
            self._counting.start()

    def _count(self) -> None:
        if self._closing:
            return
        self.facts.everything()
        if self._list_wants_focus and self.pane.emptiness is Emptiness.NONE:
            self._list_wants_focus = False
            if not self.filter.hasFocus():
                self.pane.list.setFocus(Qt.FocusReason.OtherFocusReason)
        if self._shown_key is None and not self._showing.isActive():
            self._showing.start()

    def _refresh_everything(self) -> None:
        self._count()
        self.facts.state()
        self._on_selection()

    def _on_settings(self) -> None:
        settings = self.choices.settings
        self.theme.set_scheme(settings.theme)
        self.theme.set_text_scale(settings.text_scale)
        self.roots.use_settings()
        self.pane.trash.set_zone(self.choices.zone())
        self.pane.provider.set_zone(self.choices.zone())
        self.model.rezone()
        self.detail.reload()

    def _on_theme(self) -> None:
        self.sidebar.setMinimumWidth(min(240, self.sidebar.wanted_width()))
        side = round(self.fontMetrics().height() * 1.1)
        self.toolbar.setIconSize(QSize(side, side))
        self.toolbar.measure()

    # time

    def _look_again(self) -> None:
        if self._closing or not self.roots.sessions:
            return
        seconds = max(session.seconds for session in self.roots.sessions)
        self._looking.setInterval(max(_LOOK_MS, int(seconds * 1000 * _LOOK_SHARE)))
        self._looking.start()
        if self.isActiveWindow() and not self.isMinimized():
            self.roots.look(quiet=True)

    def _retime(self) -> None:
        if not self._closing:
            self._retiming.start()
            self.model.retime()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.ActivationChange and self.isActiveWindow() and not self._closing:
            self.roots.look(quiet=True)

    def _restore_order(self) -> None:
        order = self.state.order()
        if order is not None:
            self.model.set_order(*order)
        self.pane.set_table(self.pane.list.is_table)

    # the end

    def _on_idle(self) -> None:
        if self._close_asked and not self._closing:
            self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Closing is a job: changes that were asked for are finished first; the stop button still stops them."""
        if self._closing:
            event.accept()
            return
        if any(job.writes for job in self.runner.jobs):
            event.ignore()
            self.messages.notice(self.tr("Finishing the running change, then closing. Stop it to close sooner."))
            self._close_asked = True
            return
        self._closing = True
        for timer in (self._counting, self._showing, self._looking, self._retiming):
            timer.stop()
        self.provider.close()
        self.keeper.close()
        self.status.close_down()
        roots = [str(session.root) for session in self.roots.sessions]
        self.state.save(self, self.splitter, self.pane.list, roots)
        self.hide()
        self.runner.close()
        self.roots.close_all()
        self.drag.clean()
        event.accept()
        self.closed.emit()
