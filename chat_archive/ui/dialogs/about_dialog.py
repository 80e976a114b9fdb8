"""What this program is, its version, its license and what it is built on."""

from __future__ import annotations

import platform
from importlib import metadata

from PySide6.QtCore import QSize, Qt, qVersion
from PySide6.QtGui import QGuiApplication, QIcon
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from chat_archive import __version__
from chat_archive.ui.dialogs.report_dialog import versions_text
from chat_archive.ui.dialogs.sheet import UNIT, Facts, Sheet
from chat_archive.ui.plain_text import PlainLabel, ThemedLabel
from chat_archive.ui.resources import resource
from chat_archive.ui.theme import Theme

_LIBRARIES = (("PySide6-Essentials", "LGPL-3.0"), ("msgspec", "BSD-3-Clause"), ("platformdirs", "MIT"))


class AboutDialog(Sheet):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "", "", parent, width=520)
        self.setWindowTitle(self.tr("About Chat Archive"))
        self.heading.hide()
        self.body.addLayout(self._head())
        facts = Facts(theme)
        facts.add(
            self.tr("Promises"),
            [
                self.tr("Looking at chats changes nothing on the disk."),
                self.tr("It sends nothing anywhere: no telemetry, no check for updates."),
            ],
        )
        facts.add(self.tr("License"), self.tr("MIT. Use it, change it, pass it on."))
        facts.add(
            self.tr("Built on"), [f"{platform.python_implementation()} {platform.python_version()}", *libraries()]
        )
        self.body.addWidget(facts)
        self.body.addStretch(1)
        copy = self.add_left_button(self.tr("&Copy Versions"))
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(versions_text() + "\n"))
        close = self.add_button(self.tr("Close"))
        close.clicked.connect(self.reject)
        self.set_default(close)

    def _head(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(2 * UNIT)
        picture = PlainLabel()
        picture.setPixmap(QIcon(str(resource("app", "chat-archive.svg"))).pixmap(QSize(64, 64)))
        picture.setAccessibleName(self.tr("The program's icon"))
        row.addWidget(picture, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout()
        column.setSpacing(2)
        column.addWidget(ThemedLabel(self.theme, self.tr("Chat Archive"), role="page"))
        version = self.tr("Version {version}").format(version=__version__)
        column.addWidget(ThemedLabel(self.theme, version, color="muted", selectable=True))
        what = self.tr("Find, read, keep, move and remove the chats an Agent Zero installation has saved.")
        column.addWidget(ThemedLabel(self.theme, what, wrap=True))
        row.addLayout(column, 1)
        return row


def libraries() -> list[str]:
    """Name, version and license of what the program needs, as installed."""
    lines = [f"Qt {qVersion()} (LGPL-3.0)"]
    for name, terms in _LIBRARIES:
        try:
            version = metadata.version(name)
        except metadata.PackageNotFoundError:  # a frozen build without metadata
            version = ""
        lines.append(f"{name} {version}".strip() + f" ({terms})")
    return lines
