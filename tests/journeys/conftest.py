"""The real core and the real window on a root made for the test; questions are answered by the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from chat_archive.core.provider.keys import MemoryKeys
from chat_archive.core.settings import Settings
from chat_archive.ui import translation
from chat_archive.ui.choices import Choices
from chat_archive.ui.jobs import JobRunner
from chat_archive.ui.main_window import MainWindow
from chat_archive.ui.theme import Theme
from chat_archive.ui.window_state import WindowState
from tests.fakes import FakePrompts, FakeProviderPrompts, RecordingMessages
from tests.ui.conftest import _nothing_left_running, theme  # noqa: F401 - fixtures

Opener = Callable[..., "Desk"]


class Desk:
    """A window with what a test looks at, and what a person does in one word each."""

    def __init__(self, window: MainWindow, prompts: FakePrompts, messages: RecordingMessages, qtbot: QtBot) -> None:
        self.window = window
        self.prompts = prompts
        self.messages = messages
        self.qtbot = qtbot

    @property
    def titles(self) -> list[str]:
        return [row.title for row in self.window.model.shown_rows]

    @property
    def folders(self) -> set[str]:
        return {str(row.folder) for row in self.window.model.shown_rows}

    def settle(self, timeout: int = 10_000) -> None:
        """Until nothing runs and everything is shown."""

        def settled() -> None:
            assert not self.window.runner.busy
            assert not self.window.unsettled

        self.qtbot.waitUntil(settled, timeout=timeout)

    def choose(self, *folders: str) -> None:
        model = self.window.model
        keys = [model.key_at(n) for n in range(model.rowCount()) if model.row_at(n).folder in folders]
        assert len(keys) == len(folders)
        self.window.pane.list.select(keys)
        self.window.pane.list.setFocus()

    def do(self, action: str) -> None:
        made = self.window.actions_by_id[action]  # type: ignore[index]
        assert made.isEnabled(), f"{action} cannot be used now"
        made.trigger()
        self.settle()

    def drop(self, *paths: Path, text: str = "") -> bool:
        """What a drop from another program delivers. Returns whether it was taken."""
        mime = QMimeData()
        if paths:
            mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
        if text:
            mime.setText(text)
        return self.drop_mime(mime)

    def drop_mime(self, mime: QMimeData) -> bool:
        window = self.window
        actions, buttons, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        enter = QDragEnterEvent(QPoint(300, 300), actions, mime, buttons, none)
        QApplication.sendEvent(window, enter)
        dropped = QDropEvent(QPoint(300, 300), actions, mime, buttons, none, QEvent.Type.Drop)
        QApplication.sendEvent(window, dropped)
        taken = dropped.isAccepted()
        self.settle()
        return taken


@pytest.fixture
def open_window(
    qtbot: QtBot,
    theme: Theme,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Opener]:
    """Windows that find no key of whoever runs the tests."""
    monkeypatch.setattr("chat_archive.core.provider.setup.os.environ", {})
    monkeypatch.setattr("chat_archive.ui.provider_work.SystemKeyring", MemoryKeys)
    made: list[MainWindow] = []
    app = QApplication.instance()
    assert app is not None
    translation.install(app)

    def make(*roots: Path, settle: bool = True, **settings: Any) -> Desk:
        prompts, messages = FakePrompts(), RecordingMessages()
        runner = JobRunner()
        choices = Choices(Settings(**settings), save=lambda _settings: None)
        state = WindowState(tmp_path / "window.ini")
        asked = FakeProviderPrompts()
        window = MainWindow(theme, runner, choices, prompts, messages=messages, state=state, provider_prompts=asked)
        runner.setParent(window)
        choices.setParent(window)
        made.append(window)
        window.show()
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        for root in roots:
            window.commands.open_root(root)
        desk = Desk(window, prompts, messages, qtbot)
        if settle:
            desk.settle()
        return desk

    yield make
    for window in made:
        window.runner.cancel_all()
        qtbot.waitUntil(lambda w=window: not any(job.writes for job in w.runner.jobs), timeout=10_000)
        window.close()
        window.deleteLater()
