"""The questions before something goes: to the trash, out of the trash for ever, or only the message files.

Each counts and names what goes, says where to and how to get it back. Enter removes one chat at most; above thirty the
button that does it stands apart from the others.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from chat_archive.core.entities import ChatRow, ChatState, TrashEntry
from chat_archive.ui import words
from chat_archive.ui.dialogs.sheet import UNIT, Facts, Sheet, sheet_button
from chat_archive.ui.plain_text import ThemedLabel
from chat_archive.ui.theme import Theme

MANY = 30
"""Above this number a question takes more care."""


class _Question(Sheet):
    """Cancel, and the one that does it. `proceed` is that button."""

    def __init__(self, theme: Theme, title: str, lead: str, parent: QWidget | None) -> None:
        super().__init__(theme, title, lead, parent, width=640)
        self.facts = Facts(theme)
        self.body.addWidget(self.facts)
        self.cancel = QPushButton()
        self.proceed = QPushButton()

    def _add_buttons(self, text: str, count: int, look: str, warning: str, *, enter_does_it: bool) -> None:
        apart = count > MANY
        self.proceed = sheet_button(text, "danger" if apart else look)
        if apart:
            self.body.addWidget(set_apart(self.theme, warning, self.proceed))
        self.cancel = self.add_button(self.tr("Cancel"))
        if not apart:
            self.footer.addWidget(self.proceed)
        self.cancel.clicked.connect(self.reject)
        self.proceed.clicked.connect(self.accept)
        self.set_default(self.proceed if enter_does_it and not apart else self.cancel)


class TrashQuestion(_Question):
    """Before chats move to the trash. `days` is how long they stay there."""

    def __init__(self, theme: Theme, rows: Sequence[ChatRow], days: int, parent: QWidget | None = None) -> None:
        self._count = len(rows)
        super().__init__(theme, "", "", parent)
        action = self.tr("Move %Ln chat(s) to Trash", "", self._count)
        _set_head(
            self,
            self.tr("Move %Ln chat(s) to Trash?", "", self._count),
            self.tr(
                "(It stays|They stay) in the archive's trash and (comes|come) back with Undo. Nothing is erased now.",
                "",
                self._count,
            ),
        )
        self.facts.add(self.tr("Chats"), words.title_list([row.title for row in rows]), names=True)
        size = words.size_text(sum(row.size for row in rows))
        self.facts.add(
            self.tr("Size"),
            self.tr("{size} of chat files; message files and pictures go along.").format(size=size),
        )
        _add_keeping(self, self.facts, days)
        _add_host(self, self.facts, rows)
        self._add_buttons(
            action,
            self._count,
            "primary",
            self.tr("This is more than a screenful: %Ln chats go at once.", "", self._count),
            enter_does_it=self._count == 1,
        )


class MessageFilesQuestion(_Question):
    """Before only the `messages` folders go (H2)."""

    def __init__(self, theme: Theme, rows: Sequence[ChatRow], days: int, parent: QWidget | None = None) -> None:
        count = len(rows)
        super().__init__(theme, "", "", parent)
        _set_head(
            self,
            self.tr("Remove the message files of %Ln chat(s)?", "", count),
            self.tr(
                "Message files hold the full text of long tool results. The (chat stays|chats stay); "
                "(its|their) folder “messages” goes to the trash as a whole and comes back with Undo.",
                "",
                count,
            ),
        )
        self.facts.add(self.tr("Chats"), words.title_list([row.title for row in rows]), names=True)
        _add_keeping(self, self.facts, days)
        _add_host(self, self.facts, rows)
        self._add_buttons(
            self.tr("Remove Message Files"),
            count,
            "primary",
            self.tr("This is more than a screenful: the message files of %Ln chats go at once.", "", count),
            enter_does_it=count == 1,
        )


class EmptyQuestion(_Question):
    """Before trashed chats are erased for good. Enter never does it, whatever the number."""

    def __init__(self, theme: Theme, entries: Sequence[TrashEntry], parent: QWidget | None = None) -> None:
        count = len(entries)
        super().__init__(theme, "", "", parent)
        _set_head(
            self,
            self.tr("Erase %Ln chat(s) for good?", "", count),
            self.tr("(It is|They are) in the trash now. Erasing cannot be undone.", "", count),
        )
        self.facts.add(self.tr("Chats"), words.title_list([entry.title for entry in entries]), names=True)
        files = sum(entry.files for entry in entries)
        size = sum(entry.size for entry in entries)
        self.facts.add(
            self.tr("Size"),
            self.tr("{size} in {files}").format(size=words.size_text(size), files=words.files_text(files)),
        )
        self.facts.add(self.tr("Getting it back"), self.tr("Only from a backup or an export of your own."))
        self._add_buttons(
            self.tr("Erase %Ln chat(s) for good", "", count),
            count,
            "danger",
            self.tr("%Ln chats are erased at once, and none of them comes back.", "", count),
            enter_does_it=False,
        )


def _set_head(sheet: Sheet, title: str, lead: str) -> None:
    sheet.heading.setText(title)
    sheet.setWindowTitle(title.rstrip("?"))
    sheet.lead.setText(lead)
    sheet.lead.setVisible(bool(lead))


def _add_keeping(sheet: Sheet, facts: Facts, days: int) -> None:
    where = sheet.tr("The archive's own trash, in the same chats folder.")
    kept = sheet.tr("Kept there for %Ln day(s).", "", days) if days > 0 else sheet.tr("Kept there until you empty it.")
    facts.add(sheet.tr("Goes to"), sheet.tr("{where} {kept}").format(where=where, kept=kept))
    facts.add(sheet.tr("Getting it back"), sheet.tr("Edit > Undo right after, or Trash > Restore at any time."))


def _add_host(sheet: Sheet, facts: Facts, rows: Sequence[ChatRow]) -> None:
    live = [row for row in rows if row.state is ChatState.LIVE]
    if live:
        facts.add_chip(
            sheet.tr("Agent Zero"),
            sheet.tr("seems to run"),
            sheet.tr("It has %Ln of these chats open and may write (it|them) back; you will be told.", "", len(live)),
        )


def set_apart(theme: Theme, warning: str, button: QPushButton) -> QFrame:
    """The care above thirty: the warning and the button in a card of their own, away from Cancel."""
    card = QFrame()
    card.setProperty("look", "card")
    row = QHBoxLayout(card)
    row.setContentsMargins(2 * UNIT, UNIT + 4, 2 * UNIT, UNIT + 4)
    row.setSpacing(2 * UNIT)
    column = QVBoxLayout()
    column.addWidget(ThemedLabel(theme, warning, color="danger", wrap=True))
    row.addLayout(column, 1)
    row.addWidget(button)
    return card
