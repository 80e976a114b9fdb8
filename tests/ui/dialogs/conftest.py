from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from chat_archive.ui import translation


@pytest.fixture(autouse=True)
def _words(qapp: QApplication) -> None:
    translation.install(qapp)
