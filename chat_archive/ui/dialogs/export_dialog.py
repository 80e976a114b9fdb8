"""Where chats are copied to as Agent Zero's own JSON, and how exactly."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtWidgets import QCheckBox, QFileDialog, QHBoxLayout, QLineEdit, QRadioButton, QWidget

from chat_archive.core.entities import ChatRow
from chat_archive.core.names import file_name
from chat_archive.ui import words
from chat_archive.ui.dialogs.sheet import UNIT, Facts, Sheet, hairline, named, sheet_button
from chat_archive.ui.plain_text import ThemedLabel, breakable
from chat_archive.ui.prompts import ExportChoice
from chat_archive.ui.theme import Theme


class ExportDialog(Sheet):
    """One chat goes into a file that can be named, several go into a folder. `choice` is the answer."""

    def __init__(
        self,
        theme: Theme,
        rows: Sequence[ChatRow],
        folder: Path,
        parent: QWidget | None = None,
        *,
        strict: bool = False,
    ) -> None:
        count = len(rows)
        super().__init__(theme, "", "", parent, width=640)
        self._single = count == 1
        self.heading.setText(self.tr("Export %Ln chat(s)", "", count))
        self.setWindowTitle(self.tr("Export"))
        self.lead.setText(
            self.tr(
                "As Agent Zero's own JSON: this program and Agent Zero itself can import (it|them) again.", "", count
            )
        )
        self.lead.show()
        facts = Facts(theme)
        facts.add(self.tr("Chats"), words.title_list([row.title for row in rows]), names=True)
        facts.add(self.tr("Size"), words.size_text(sum(row.size for row in rows)))
        facts.add_chip(
            self.tr("Holds"),
            self.tr("everything"),
            self.tr(
                "Prompts, tool results, and any keys, tokens or passwords that were said or stored in (it|them). "
                "Give (it|them) only to people who may see all of that.",
                "",
                count,
            ),
        )
        self.body.addWidget(facts)
        self.body.addWidget(hairline())
        start = folder / file_name(rows[0].title, rows[0].folder, rows[0].created_at, ".json") if count == 1 else folder
        self._add_place(start)
        self._add_ways(strict)
        self.body.addStretch(1)
        cancel = self.add_button(self.tr("Cancel"))
        cancel.clicked.connect(self.reject)
        self.export_button = self.add_button(self.tr("Export %Ln chat(s)", "", count), "primary")
        self.export_button.clicked.connect(self.accept)
        self.export_button.setDefault(True)
        self.place.textChanged.connect(self._on_place)
        self._on_place(self.place.text())

    @property
    def choice(self) -> ExportChoice:
        return ExportChoice(
            Path(self.place.text().strip()), strict=self.strict.isChecked(), overwrite=self.overwrite.isChecked()
        )

    def _add_place(self, start: Path) -> None:
        self.place = QLineEdit(str(start))
        browse = sheet_button(self.tr("&Choose…"))
        browse.setAccessibleName(self.tr("Choose where to export to"))
        browse.clicked.connect(self._on_browse)
        label = ThemedLabel(self.theme, self.tr("&File:") if self._single else self.tr("&Folder:"))
        row = QHBoxLayout()
        row.setSpacing(UNIT)
        row.addWidget(named(label, self.place))
        row.addWidget(self.place, 1)
        row.addWidget(browse)
        self.body.addLayout(row)
        self.hint = ThemedLabel(self.theme, "", role="small", color="muted", wrap=True)
        self.body.addWidget(self.hint)

    def _add_ways(self, strict: bool) -> None:
        self.exact = QRadioButton(self.tr("&Exact: a copy of the file's bytes"))
        self.strict = QRadioButton(self.tr("&Strict JSON: what other programs refuse is replaced, and counted"))
        self.strict.setToolTip(self.tr("Numbers that are none become null, halves of characters become U+FFFD."))
        (self.strict if strict else self.exact).setChecked(True)
        self.overwrite = QCheckBox(self.tr("&Replace files that are there already"))
        for control in (self.exact, self.strict, self.overwrite):
            self.body.addWidget(control)

    def _on_browse(self) -> None:
        before = self.place.text().strip()
        if self._single:
            title, kinds = self.tr("Export to"), self.tr("Chats (*.json)")
            # the tick below decides about replacing, so the file chooser need not ask as well
            options = QFileDialog.Option.DontConfirmOverwrite
            chosen, _ = QFileDialog.getSaveFileName(self, title, before, kinds, options=options)
        else:
            chosen = QFileDialog.getExistingDirectory(self, self.tr("Export into"), before)
        if chosen:
            self.place.setText(chosen)

    def _on_place(self, text: str) -> None:
        text = text.strip()
        place = Path(text) if text else None
        problem, hint = self._look_at(place)
        self.hint.setText(breakable(problem or hint))
        self.hint.set_color("danger" if problem else "muted")
        self.export_button.setEnabled(not problem)

    def _look_at(self, place: Path | None) -> tuple[str, str]:
        """("" or why this place will not do, a remark). Only looks."""
        if place is None:
            return self.tr("Say where to."), ""
        if not place.is_absolute():
            return self.tr("Give the whole path, from the top."), ""
        try:
            if self._single and not place.is_dir():
                if not place.parent.is_dir():
                    return self.tr("There is no folder {path}.").format(path=place.parent), ""
                return "", self.tr("There is a file of this name already.") if place.exists() else ""
            if place.exists() and not place.is_dir():
                return self.tr("This is a file, not a folder."), ""
            if not place.exists():
                if place.parent.is_dir():
                    return "", self.tr("This folder will be made.")
                return self.tr("There is no folder {path}.").format(path=place.parent), ""
        except (OSError, ValueError):
            return self.tr("This place cannot be looked at."), ""
        return "", self.tr("Each chat becomes a file named after its title and id.")
