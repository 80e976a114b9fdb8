"""A detail area over a root made for the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from chat_archive.core.archive import Archive
from chat_archive.core.entities import Folder
from chat_archive.ui import translation
from chat_archive.ui.theme import Theme
from chat_archive.ui.views.detail_panel import DetailPanel
from tests.builders import put


@pytest.fixture(autouse=True)
def english(qapp: QApplication) -> None:
    """Plurals as on the screen."""
    translation.install(qapp)


@pytest.fixture
def panel(theme: Theme, inline_runner: Any, qtbot: Any) -> Iterator[DetailPanel]:
    made = DetailPanel(theme, inline_runner)
    qtbot.addWidget(made)
    made.resize(720, 800)
    made.show()
    yield made
    made.show_nothing()


@pytest.fixture
def show(panel: DetailPanel, tmp_path: Path) -> Iterator[Callable[..., DetailPanel]]:
    """Write a chat (a dict, or bytes) into a root and show it; or show one folder of a given root."""
    opened: list[Archive] = []

    def open_one(made: Any = None, folder: str = "Chat0001", root: Path | None = None) -> DetailPanel:
        place = root or tmp_path / "usr" / "chats"
        if made is not None:
            put(place, folder, made)
        archive = Archive.open(place, write=False)
        opened.append(archive)
        panel.show_chat(archive, archive.row(Folder(folder)))
        return panel

    yield open_one
    panel.show_nothing()
    for archive in opened:
        archive.close()
