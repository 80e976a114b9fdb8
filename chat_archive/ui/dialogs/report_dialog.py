"""A fault of this program, told with what helps to mend it and nothing of any chat.

The text of an unexpected error may quote what was being read, so only its type and the places in the code are shown.
The program keeps running.
"""

from __future__ import annotations

import platform
import sys
import traceback
from pathlib import Path

import PySide6
from PySide6.QtCore import Qt, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from chat_archive import __version__
from chat_archive.ui.dialogs.sheet import Sheet, named
from chat_archive.ui.plain_text import ThemedLabel
from chat_archive.ui.theme import Theme

_FRAMES = 40
_CAUSES = 5
_AT_MOST = 20


class ReportDialog(Sheet):
    """Not modal; further faults of the same moment are added to it instead of piling up."""

    _tall = True

    def __init__(self, theme: Theme, error: BaseException, parent: QWidget | None = None) -> None:
        super().__init__(theme, "", "", parent, width=680)
        self.setWindowTitle(self.tr("A fault in Chat Archive"))
        self.heading.setText(self.tr("Something in Chat Archive went wrong"))
        self.lead.setText(
            self.tr(
                "This is a fault of the program, not of your chats. What was being done was not finished; "
                "you can go on working. The report below holds no text of a chat and no file names of yours."
            )
        )
        self.lead.show()
        self.setModal(False)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self._faults = 0
        self._text = QPlainTextEdit()
        self._text.setReadOnly(True)
        self._text.setProperty("look", "field")
        self._text.setTabChangesFocus(True)
        self._text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._text.setFont(theme.font("mono"))
        self._text.setMinimumHeight(180)
        self.body.addWidget(named(ThemedLabel(theme, self.tr("&Report:")), self._text))
        self.body.addWidget(self._text, 1)
        self.copy_button = self.add_left_button(self.tr("&Copy"))
        self.copy_button.setToolTip(self.tr("Copy the report as text"))
        self.copy_button.clicked.connect(self._on_copy)
        self.close_button = self.add_button(self.tr("Go On"))
        self.close_button.clicked.connect(self.reject)
        self.set_default(self.close_button)
        self._text.setPlainText(versions_text())
        self.add(error)

    @property
    def report(self) -> str:
        return self._text.toPlainText()

    def add(self, error: BaseException) -> None:
        """One more fault under the others, up to a bound."""
        self._faults += 1
        if self._faults <= _AT_MOST:
            self._text.appendPlainText("\n" + fault_text(error))

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self.report)


def versions_text() -> str:
    """What runs here, one per line."""
    lines = [
        f"Chat Archive {__version__}",
        f"Python {platform.python_version()} ({platform.python_implementation()})",
        f"Qt {qVersion()}, PySide {PySide6.__version__}, {QGuiApplication.platformName()}",
        f"{platform.system()} {platform.release()} {platform.machine()}",
        "frozen build" if getattr(sys, "frozen", False) else "from Python packages",
    ]
    return "\n".join(lines)


def fault_text(error: BaseException) -> str:
    """Types and code places of an error and its causes; never their messages, which may quote a chat."""
    lines: list[str] = []
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen and len(seen) < _CAUSES:
        seen.add(id(current))
        lines.append(("caused by " if lines else "") + _type_name(current))
        frames = traceback.extract_tb(current.__traceback__, limit=-_FRAMES)
        lines += [f"    {_place(frame.filename)}:{frame.lineno} in {frame.name}" for frame in frames]
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)
    return "\n".join(lines)


def _type_name(error: BaseException) -> str:
    kind = type(error)
    name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    number = getattr(error, "errno", None)
    return f"{name} (errno {number})" if isinstance(number, int) else name


def _place(filename: str) -> str:
    """The path below the package or below site-packages: where the program lies is nobody's business."""
    parts = Path(filename).parts
    for anchor in ("chat_archive", "site-packages"):
        if anchor in parts:
            last = len(parts) - 1 - parts[::-1].index(anchor)
            return "/".join(parts[last if anchor == "chat_archive" else last + 1 :])
    return parts[-1] if parts else filename
