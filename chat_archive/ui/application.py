"""Builds everything in order, runs the window, and takes everything down in the reverse order."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QIcon
from PySide6.QtWidgets import QApplication

from chat_archive import __version__
from chat_archive.core import settings as store
from chat_archive.ui import translation
from chat_archive.ui.choices import Choices
from chat_archive.ui.jobs import JobRunner
from chat_archive.ui.main_window import MainWindow
from chat_archive.ui.prompts import Prompts, QtPrompts
from chat_archive.ui.resources import resource
from chat_archive.ui.roots import RootSession
from chat_archive.ui.single_instance import InstanceServer, show_other
from chat_archive.ui.theme import Theme
from chat_archive.ui.window_state import WindowState

DESKTOP_ID = "org.chatarchive.ChatArchive"  # the name of the desktop entry, by which a desktop finds icon and window
_log = logging.getLogger(__name__)


def run(root: Path | None = None, *, sample: bool = False, quit_when_shown: bool = False, debug: bool = False) -> int:
    """Run the window until it is closed. Returns the exit status.

    `root` is a place to open; without one the last roots are opened again, if the settings say so. `quit_when_shown`
    ends as soon as the first look at the folder is painted, for tests of the installation.
    """
    os.umask(0o077)
    if debug:
        logging.basicConfig(level=logging.DEBUG)
    app = make_application()
    if root is not None and show_other(root):
        return 0
    window = build_window()
    previous = sys.excepthook
    sys.excepthook = _hook(window)
    server = InstanceServer(window)
    _serve(window, server)
    window.closed.connect(server.stop)
    window.closed.connect(app.quit)
    app.setQuitOnLastWindowClosed(False)
    open_first(window, root, sample=sample)
    window.show()
    if quit_when_shown:
        WhenLoaded(window, window.close)
    try:
        return app.exec()
    finally:
        sys.excepthook = previous


def make_application() -> QApplication:
    """The one QApplication, with name, icon and language; an existing one is used."""
    existing = QApplication.instance()
    if isinstance(existing, QApplication):
        app = existing
    else:
        QGuiApplication.setHighDpiScaleFactorRoundingPolicy(Qt.HighDpiScaleFactorRoundingPolicy.PassThrough)
        app = QApplication(sys.argv[:1])
    app.setApplicationName("chat-archive")
    app.setApplicationDisplayName(app.tr("Chat Archive"))
    app.setApplicationVersion(__version__)
    QGuiApplication.setDesktopFileName(DESKTOP_ID)
    icon = resource("app", "chat-archive.svg")
    if icon.is_file():
        app.setWindowIcon(QIcon(str(icon)))
    translation.install(app, resource("i18n"))
    return app


def build_window(
    *,
    choices: Choices | None = None,
    prompts: Prompts | None = None,
    state: WindowState | None = None,
    theme: Theme | None = None,
) -> MainWindow:
    """A window with everything it needs, not yet shown and with nothing open. Needs a QApplication."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    choices = choices or Choices(store.load())
    if theme is None:
        theme = Theme(app)
        theme.set_scheme(choices.settings.theme)
        theme.set_text_scale(choices.settings.text_scale)
        theme.apply(app)
    runner = JobRunner()
    asked = prompts or QtPrompts(theme, lambda: choices.settings)
    window = MainWindow(theme, runner, choices, asked, state=state)
    for owned in (runner, choices):
        owned.setParent(window)
    if isinstance(asked, QtPrompts):
        asked.set_parent(window)
    for text in choices.settings.notices:
        window.messages.notice(text)
    return window


def open_first(window: MainWindow, root: Path | None = None, *, sample: bool = False) -> None:
    """What the window begins with: a named place, the sample, the roots of the last time, or the first page."""
    settings = window.choices.settings
    if root is not None:
        window.commands.open_place(root)
    elif sample:
        window.commands.open_sample()
    elif settings.open_last_root and settings.last_root:
        last = [path for path in window.state.open_roots() if Path(path).is_dir()]
        if settings.last_root in last:
            for path in last:
                window.commands.open_root(Path(path))
        elif Path(settings.last_root).is_dir():
            window.commands.open_root(Path(settings.last_root))
        else:
            sentence = QApplication.translate(
                "Application", "The folder that was open last is not there any more: {path}"
            )
            window.commands.show_first_run(sentence.format(path=settings.last_root))
    else:
        window.commands.show_first_run("")


class WhenLoaded(QObject):
    """Calls once when the window is shown, nothing is being opened or read, and the picture is painted."""

    def __init__(self, window: MainWindow, call: Callable[[], object]) -> None:
        super().__init__(window)
        self._window = window
        self._call = call
        self._over = False
        window.runner.idle.connect(self._check)
        window.installEventFilter(self)
        QTimer.singleShot(0, self, self._check)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Show:
            QTimer.singleShot(0, self, self._check)
        return False

    def _check(self) -> None:
        window = self._window
        if self._over or not window.isVisible() or window.runner.busy or window.unsettled:
            if not self._over and window.isVisible():
                QTimer.singleShot(20, self, self._check)
            return
        self._over = True
        window.removeEventFilter(self)
        QTimer.singleShot(0, window, self._call)


def _serve(window: MainWindow, server: InstanceServer) -> None:
    def opened(session: RootSession) -> None:
        server.serve(session.root)

    def closed(session: RootSession) -> None:
        server.stop(session.root)

    def come_forward() -> None:
        window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
        window.show()
        window.raise_()
        window.activateWindow()

    window.roots.opened.connect(opened)
    window.roots.closed.connect(closed)
    server.show_requested.connect(come_forward)
    window.commands.show_other_window = show_other


def _hook(window: MainWindow) -> Callable[[type[BaseException], BaseException, TracebackType | None], None]:
    """What is raised where nobody catches it is a fault of ours: told once, with nothing of a chat in it."""

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            QTimer.singleShot(0, window, window.close)
            return
        try:
            window.messages.error(error.with_traceback(trace))
        except Exception as worse:
            # the dialog itself failed: these lines are all that is left; a traceback may quote a chat
            _log.error("unexpected %s", kind.__name__)
            _log.error("unexpected %s while reporting it", type(worse).__name__)

    return hook
