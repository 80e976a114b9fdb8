"""The choices, each used at once: there is no Apply, and Close keeps what is seen."""

from __future__ import annotations

import zoneinfo
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from PySide6.QtCore import QSize, QStringListModel, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QCompleter,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLayout,
    QLineEdit,
    QSpinBox,
    QWidget,
)

from chat_archive.core.entities import OnConflict
from chat_archive.core.settings import Settings
from chat_archive.ui import words
from chat_archive.ui.dialogs.sheet import UNIT, Sheet, hairline, named, sheet_button
from chat_archive.ui.plain_text import ThemedLabel
from chat_archive.ui.theme import Theme

SCALES = (0.85, 1.0, 1.15, 1.25, 1.5, 1.75, 2.0, 2.5)


class SettingsDialog(Sheet):
    """`changed` carries a new `Settings` after each change; who listens uses and saves it."""

    changed = Signal(object)

    def __init__(self, settings: Settings, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "", "", parent, width=600)
        self.heading.setText(self.tr("Settings"))
        self.setWindowTitle(self.tr("Settings"))
        self.lead.setText(self.tr("Each change is used at once."))
        self.lead.show()
        self._settings = settings
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(2 * UNIT)
        self._grid.setVerticalSpacing(UNIT)
        self._grid.setColumnStretch(1, 1)
        self.body.addLayout(self._grid)
        self._add_looks()
        self._add_zone()
        self._rule()
        self._add_trash()
        self._add_cascade()
        self._rule()
        self._add_carrying()
        self.body.addStretch(1)
        close = self.add_button(self.tr("Close"))
        close.clicked.connect(self.reject)
        close.setDefault(True)
        self.scheme.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def settings(self) -> Settings:
        return self._settings

    # rows

    def _row(self, label: str, control: QWidget, field: QLayout | None = None) -> None:
        row = self._grid.rowCount()
        self._grid.addWidget(named(ThemedLabel(self.theme, label), control), row, 0)
        if field is not None:
            self._grid.addLayout(field, row, 1)
        else:
            self._grid.addWidget(control, row, 1)

    def _note(self, text: str) -> ThemedLabel:
        label = ThemedLabel(self.theme, text, role="small", color="muted", wrap=True)
        self._grid.addWidget(label, self._grid.rowCount(), 1)
        return label

    def _rule(self) -> None:
        self._grid.addWidget(hairline(), self._grid.rowCount(), 0, 1, 2)

    def _add_looks(self) -> None:
        self.scheme = QComboBox()
        for text, value in (
            (self.tr("As the system has it"), "system"),
            (self.tr("Light"), "light"),
            (self.tr("Dark"), "dark"),
        ):
            self.scheme.addItem(text, value)
        self.scheme.setCurrentIndex(max(0, self.scheme.findData(self._settings.theme)))
        self.scheme.currentIndexChanged.connect(lambda row: self._set(theme=self.scheme.itemData(row)))
        self._row(self.tr("&Colours:"), self.scheme)

        self.scale = QComboBox()
        scales = sorted({*SCALES, self._settings.text_scale})
        for scale in scales:
            self.scale.addItem(self.tr("{percent} %").format(percent=round(scale * 100)), scale)
        self.scale.setCurrentIndex(scales.index(self._settings.text_scale))
        self.scale.currentIndexChanged.connect(lambda row: self._set(text_scale=self.scale.itemData(row)))
        self._row(self.tr("&Text size:"), self.scale)

    def _add_zone(self) -> None:
        self._zones = zones()
        self.zone = QComboBox()
        self.zone.setEditable(True)
        self.zone.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.zone.setMaxVisibleItems(16)
        self._system_zone = self.tr("The system's")
        names = [self._system_zone, *self._zones]
        self.zone.addItems(names)
        completer = QCompleter(QStringListModel(names, self), self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        self.zone.setCompleter(completer)
        self.zone.setCurrentText(self._settings.zone or self._system_zone)
        self.zone.currentTextChanged.connect(self._on_zone)
        field = self.zone.lineEdit()
        if field is not None:
            field.editingFinished.connect(self._on_zone_left)
        self._row(self.tr("Time &zone:"), self.zone)
        self.zone_note = self._note("")
        self._tell_zone()

    def _add_trash(self) -> None:
        self.days = QSpinBox()
        self.days.setRange(0, 3650)
        self.days.setSpecialValueText(self.tr("until emptied"))
        self.days.setValue(self._settings.trash_days)
        field = self.days.lineEdit()
        if field is not None:
            field.setTextMargins(UNIT - 2, 0, 0, 0)  # in line with the fields above; a style sheet does not reach it
        self._on_days_shown(self._settings.trash_days)
        self.days.valueChanged.connect(self._on_days)
        self._row(self.tr("&Keep in the trash:"), self.days)
        self.confirm = QCheckBox(self.tr("&Ask before a single chat moves to the trash"))
        self.confirm.setChecked(self._settings.confirm_trash)
        self.confirm.toggled.connect(lambda on: self._set(confirm_trash=on))
        self._grid.addWidget(self.confirm, self._grid.rowCount(), 1)
        self._note(self.tr("More than one chat is always asked for. Undo brings them back."))

    def _add_cascade(self) -> None:
        self.cascade = QComboBox()
        for text, when in (
            (self.tr("When the trash is emptied"), "erasing"),
            (self.tr("When a chat moves to the trash"), "trashing"),
        ):
            self.cascade.addItem(text, when)
        self.cascade.setCurrentIndex(max(0, self.cascade.findData(self._settings.cascade_when)))
        self.cascade.currentIndexChanged.connect(lambda row: self._set(cascade_when=self.cascade.itemData(row)))
        self._row(self.tr("&Delete at the provider:"), self.cascade)
        self._note(self.tr("Only what is ticked when a chat is deleted; what is deleted there does not come back."))

    def _add_carrying(self) -> None:
        self.folder = QLineEdit(self._settings.export_folder)
        self.folder.setPlaceholderText(self.tr("Your documents folder"))
        self.folder.editingFinished.connect(lambda: self._set(export_folder=self.folder.text().strip()))
        browse = sheet_button(self.tr("C&hoose…"))
        browse.setAccessibleName(self.tr("Choose the folder for exports"))
        browse.clicked.connect(self._on_browse)
        field = QHBoxLayout()
        field.setSpacing(UNIT)
        field.addWidget(self.folder, 1)
        field.addWidget(browse)
        self._row(self.tr("Export &into:"), self.folder, field)
        self.strict = QCheckBox(self.tr("Export as &strict JSON unless told otherwise"))
        self.strict.setChecked(self._settings.export_strict)
        self.strict.toggled.connect(lambda on: self._set(export_strict=on))
        self._grid.addWidget(self.strict, self._grid.rowCount(), 1)
        self.conflict = QComboBox()
        for text, choice in (
            (self.tr("Skip it, mine stays"), OnConflict.SKIP),
            (self.tr("Replace mine, which goes to the trash"), OnConflict.UPDATE),
            (self.tr("Keep both, with a new id"), OnConflict.KEEP_BOTH),
        ):
            self.conflict.addItem(text, choice.value)
        self.conflict.setCurrentIndex(max(0, self.conflict.findData(self._settings.import_conflict)))
        self.conflict.currentIndexChanged.connect(lambda row: self._set(import_conflict=self.conflict.itemData(row)))
        self._row(self.tr("&When an id is there:"), self.conflict)
        self.reopen = QCheckBox(self.tr("Open the &last chats folder at the start"))
        self.reopen.setChecked(self._settings.open_last_root)
        self.reopen.toggled.connect(lambda on: self._set(open_last_root=on))
        self._grid.addWidget(self.reopen, self._grid.rowCount(), 1)

    # changes

    def _set(self, **values: object) -> None:
        changed = replace(self._settings, **values)  # type: ignore[arg-type]
        if changed == self._settings:
            return
        self._settings = changed
        self.changed.emit(changed)

    def _on_days(self, days: int) -> None:
        self._on_days_shown(days)
        self._set(trash_days=days)

    def _on_days_shown(self, days: int) -> None:
        # the number is the spin box's own, so only the word after it is translated
        self.days.setSuffix(self.tr(" day(s)", "after a number", days))

    def _on_zone(self, text: str) -> None:
        if text == self._system_zone:
            self._set(zone="")
        elif text in self._zones:
            self._set(zone=text)
        self._tell_zone()

    def _on_zone_left(self) -> None:
        """Typed text that is no zone gives way to the one in force."""
        text = self.zone.currentText()
        known = {name.casefold(): name for name in (self._system_zone, *self._zones)}
        self.zone.setCurrentText(known.get(text.strip().casefold(), self._settings.zone or self._system_zone))

    def _tell_zone(self) -> None:
        now = words.exact_time(datetime.now(UTC), self._settings.tzinfo())
        self.zone_note.setText(
            self.tr("It is {now} there. Used to show dates, and for old files whose dates name no zone.").format(
                now=now
            )
        )

    def _on_browse(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, self.tr("Export into"), self.folder.text())
        if chosen:
            self.folder.setText(chosen)
            self._set(export_folder=chosen)

    def sizeHint(self) -> QSize:
        return super().sizeHint().expandedTo(QSize(600, 0))


def zones() -> Sequence[str]:
    """The system's zones by name, without the old aliases that have no place in them."""
    names = zoneinfo.available_timezones()
    return sorted(
        name for name in names if ("/" in name and not name.startswith(("Etc/", "posix/", "right/"))) or name == "UTC"
    )
