"""Several chats roots were found at the chosen place: which of them to open."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from chat_archive.core.entities import FoundRoot
from chat_archive.ui import words
from chat_archive.ui.dialogs.sheet import Sheet, framed, named
from chat_archive.ui.plain_text import ThemedLabel, shown, tool_tip
from chat_archive.ui.theme import Theme


class ChooseRootsDialog(Sheet):
    """`chosen` are the ticked ones, in the order found."""

    _tall = True

    def __init__(self, theme: Theme, found: Sequence[FoundRoot], parent: QWidget | None = None) -> None:
        super().__init__(theme, "", "", parent, width=640)
        self.heading.setText(self.tr("Several folders with chats were found"))
        self.setWindowTitle(self.tr("Open"))
        self.lead.setText(self.tr("Tick the ones to open. Each stays by itself; nothing is moved together."))
        self.lead.show()
        self._found = list(found)
        self.list = QListWidget()
        self.list.setAlternatingRowColors(True)
        for root in self._found:
            item = QListWidgetItem(found_text(root))
            item.setToolTip(tool_tip(str(root.path)))
            readable = root.chats >= 0
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
            if readable:
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
                item.setCheckState(Qt.CheckState.Checked)
            item.setIcon(theme.icon("folder", "muted") if readable else theme.icon("warning", "warning"))
            self.list.addItem(item)
        self.list.setWordWrap(True)
        self.list.setMinimumHeight(160)
        self.body.addWidget(named(ThemedLabel(theme, self.tr("&Folders with chats:")), self.list))
        self.body.addWidget(framed(self.list), 1)
        cancel = self.add_button(self.tr("Cancel"))
        cancel.clicked.connect(self.reject)
        self.open_button = self.add_button("", "primary")
        self.open_button.clicked.connect(self.accept)
        self.open_button.setDefault(True)
        self.list.itemChanged.connect(self._on_changed)
        if self._found:
            self.list.setCurrentRow(0)
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)
        self._on_changed()

    @property
    def chosen(self) -> list[FoundRoot]:
        return [
            root for row, root in enumerate(self._found) if self.list.item(row).checkState() is Qt.CheckState.Checked
        ]

    def _on_changed(self, _item: QListWidgetItem | None = None) -> None:
        count = len(self.chosen)
        self.open_button.setText(self.tr("Open %Ln folder(s)", "", count))
        self.open_button.setEnabled(count > 0)


def found_text(root: FoundRoot) -> str:
    """The label with the count, the path, and what is odd about it, each on its line."""
    count = words.translate("FoundRoot", "cannot be read") if root.chats < 0 else words.chats_text(root.chats)
    lines = [f"{shown(root.label, 60)} · {count}", shown(str(root.path), 160), shown(root.note, 300)]
    return "\n".join(line for line in lines if line)
