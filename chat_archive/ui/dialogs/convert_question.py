"""Before flat files of old versions move into folders: which ones, and what each becomes (D-01 to D-06)."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from chat_archive.core.entities import ImportItem
from chat_archive.ui.dialogs.sheet import Facts, Sheet, scrolled
from chat_archive.ui.plain_text import shown
from chat_archive.ui.theme import Theme

_LISTED = 200


class ConvertQuestion(Sheet):
    """Nothing moves until it is accepted; files that stay are listed with their reason."""

    _tall = True

    def __init__(self, theme: Theme, items: Sequence[ImportItem], parent: QWidget | None = None) -> None:
        movable = [item for item in items if item.importable]
        staying = [item for item in items if not item.importable]
        super().__init__(theme, "", "", parent, width=680)
        title = (
            self.tr("Move %Ln old chat(s) into folders?", "", len(movable))
            if movable
            else self.tr("No old chat can be moved into a folder")
        )
        self.heading.setText(title)
        self.setWindowTitle(self.tr("Old chats"))
        self.lead.setText(
            self.tr(
                "Versions up to 0.8 kept each chat as one file. Newer ones look for a folder with a chat.json. "
                "Moving changes nothing in a chat but its id where that is needed, and nothing is overwritten."
            )
        )
        self.lead.show()
        facts = Facts(theme)
        self._list(facts, movable, moving=True)
        self._list(facts, staying, moving=False)
        self.body.addWidget(scrolled(facts, self.tr("Files and what becomes of each"), 160), 1)
        cancel = self.add_button(self.tr("Leave Them") if movable else self.tr("Close"))
        cancel.clicked.connect(self.reject)
        self.proceed = self.add_button(self.tr("Move %Ln chat(s)", "", len(movable)), "primary")
        self.proceed.setVisible(bool(movable))
        self.proceed.clicked.connect(self.accept)
        self.set_default(self.proceed if len(movable) == 1 else cancel)

    def _list(self, facts: Facts, items: Sequence[ImportItem], *, moving: bool) -> None:
        for item in items[:_LISTED]:
            name = shown(item.source.name, 40)
            if moving:
                facts.add(name, [shown(item.title), shown(item.reason)], names=True)
            else:
                facts.add(name, self.tr("stays: {reason}").format(reason=shown(item.reason)))
        if len(items) > _LISTED:
            facts.add("", self.tr("and %Ln more", "", len(items) - _LISTED))
