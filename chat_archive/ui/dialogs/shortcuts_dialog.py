"""Every key that does something, made from the actions themselves so that it never lies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QLineEdit, QTableWidget, QTableWidgetItem, QWidget

from chat_archive.ui.actions import SPECS
from chat_archive.ui.dialogs.sheet import UNIT, Sheet, framed
from chat_archive.ui.theme import Theme


@dataclass(frozen=True, slots=True)
class Shortcut:
    """A command as the person knows it and the keys that give it, in the system's spelling."""

    text: str
    keys: str
    tip: str = ""


class ShortcutsDialog(Sheet):
    _tall = True

    def __init__(
        self, theme: Theme, parent: QWidget | None = None, *, shortcuts: Sequence[Shortcut] | None = None
    ) -> None:
        super().__init__(theme, "", "", parent, width=560)
        shortcuts = declared_shortcuts() if shortcuts is None else shortcuts
        self._shortcuts = tuple(shortcuts)
        self.heading.setText(self.tr("Keyboard shortcuts"))
        self.setWindowTitle(self.tr("Keyboard shortcuts"))
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(self.tr("Find a command or a key"))
        self.filter.setAccessibleName(self.tr("Find a command or a key"))
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._on_filter)
        self.body.addWidget(self.filter)
        self.table = QTableWidget(len(shortcuts), 2)
        self.table.setHorizontalHeaderLabels([self.tr("Command"), self.tr("Keys")])
        self.table.setAccessibleName(self.tr("Commands and their keys"))
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setShowGrid(False)
        self.table.setAlternatingRowColors(True)
        self.table.setTabKeyNavigation(False)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(self.table.fontMetrics().lineSpacing() + UNIT + 2)
        header = self.table.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        for row, shortcut in enumerate(shortcuts):
            command = QTableWidgetItem(shortcut.text)
            command.setToolTip(shortcut.tip)
            self.table.setItem(row, 0, command)
            self.table.setItem(row, 1, QTableWidgetItem(shortcut.keys))
        self.body.addWidget(framed(self.table), 1)
        close = self.add_button(self.tr("Close"))
        close.clicked.connect(self.reject)
        close.setDefault(True)
        self.filter.setFocus(Qt.FocusReason.OtherFocusReason)
        self.table.setMinimumHeight(260)

    def _on_filter(self, text: str) -> None:
        wanted = text.casefold().strip()
        for row, shortcut in enumerate(self._shortcuts):
            self.table.setRowHidden(row, wanted not in f"{shortcut.text}\n{shortcut.keys}".casefold())


def declared_shortcuts() -> list[Shortcut]:
    """Every declared action that has a key, in the order of the declaration."""
    found = []
    for spec in SPECS.values():
        keys = QKeySequence(spec.key).toString(QKeySequence.SequenceFormat.NativeText)
        if keys:
            text = QCoreApplication.translate("actions", spec.text)
            plain = text.replace("&&", "\0").replace("&", "").replace("\0", "&").rstrip("…")
            found.append(Shortcut(plain, keys, QCoreApplication.translate("actions", spec.tip)))
    return found
