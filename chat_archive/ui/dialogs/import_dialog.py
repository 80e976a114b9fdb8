"""What was dropped or chosen, seen before anything is written: each file, what it is, what would happen to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import tzinfo

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QPlainTextEdit,
    QTableView,
    QWidget,
)

from chat_archive.core.entities import ImportClass, ImportItem, OnConflict
from chat_archive.ui.dialogs.sheet import UNIT, Sheet, framed, named
from chat_archive.ui.models.import_model import ImportColumn, ImportModel, source_text
from chat_archive.ui.plain_text import ThemedLabel, char_width, shown_block
from chat_archive.ui.prompts import ImportChoice
from chat_archive.ui.theme import Theme

_WIDTHS = {
    ImportColumn.TITLE: 30,
    ImportColumn.KIND: 14,
    ImportColumn.EFFECT: 34,
    ImportColumn.ACTIVITY: 14,
    ImportColumn.COUNTS: 44,
    ImportColumn.SIZE: 10,
    ImportColumn.ID: 14,
    ImportColumn.CREATED: 20,
    ImportColumn.SOURCE: 28,
}


class ImportDialog(Sheet):
    """`choice` is what the person settled on."""

    _tall = True

    def __init__(
        self,
        theme: Theme,
        items: Sequence[ImportItem],
        parent: QWidget | None = None,
        *,
        on_conflict: OnConflict = OnConflict.SKIP,
        zone: tzinfo | None = None,
    ) -> None:
        super().__init__(theme, "", "", parent, width=960)
        self.model = ImportModel(theme, items, on_conflict, zone, self)
        possible = sum(1 for item in items if item.importable)
        self._set_head(len(items), possible)
        self.table = self._make_table()
        self.body.addWidget(framed(self.table), 3)
        self.detail = QPlainTextEdit()
        self.detail.setReadOnly(True)
        self.detail.setProperty("look", "field")
        self.detail.setTabChangesFocus(True)
        self.detail.setAccessibleName(self.tr("About the selected line"))
        self.detail.setFixedHeight(self.detail.fontMetrics().lineSpacing() * 6 + 2 * UNIT)
        self.body.addWidget(self.detail, 0)
        self._add_choices(possible)
        self.cancel = self.add_button(self.tr("Cancel") if possible else self.tr("Close"))
        self.cancel.clicked.connect(self.reject)
        self.import_button = self.add_button("", "primary")
        self.import_button.clicked.connect(self.accept)
        self.import_button.setVisible(bool(possible))
        self.model.ticks_changed.connect(self._on_ticks)
        self.table.selectionModel().currentRowChanged.connect(self._on_current)
        if items:
            self.table.setCurrentIndex(self.model.index(0, 0))
        self._on_ticks()
        self.set_default(self.import_button if possible else self.cancel)
        self.resize(960, 600)

    @property
    def choice(self) -> ImportChoice:
        return ImportChoice(self.model.chosen(), self.model.on_conflict)

    def _set_head(self, count: int, possible: int) -> None:
        title = self.tr("What would be imported") if possible else self.tr("Nothing here can be imported")
        self.heading.setText(title)
        self.setWindowTitle(self.tr("Import"))
        if not count:
            lead = self.tr("No chats were found in what you chose.")
        elif possible:
            lead = self.tr("{sum}. Nothing has been written yet.").format(sum=self._sum_text())
        else:
            lead = self.tr("{sum}. The lines below say why.").format(sum=self._sum_text())
        self.lead.setText(lead)
        self.lead.setVisible(bool(lead))

    def _sum_text(self) -> str:
        kinds = Counter(item.kind for item in self.model.items)
        texts = {
            ImportClass.NEW: self.tr("%Ln new", "", kinds[ImportClass.NEW]),
            ImportClass.SAME: self.tr("%Ln already there", "", kinds[ImportClass.SAME]),
            ImportClass.TAKEN: self.tr("%Ln with an id that is taken", "", kinds[ImportClass.TAKEN]),
            ImportClass.DAMAGED: self.tr("%Ln damaged", "", kinds[ImportClass.DAMAGED]),
            ImportClass.NOT_A_CHAT: self.tr("%Ln not a chat", "", kinds[ImportClass.NOT_A_CHAT]),
        }
        return self.tr(", ").join(text for kind, text in texts.items() if kinds[kind])

    def _make_table(self) -> QTableView:
        table = QTableView()
        table.setModel(self.model)
        table.setAccessibleName(self.tr("What would be imported"))
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setWordWrap(False)
        table.setShowGrid(False)
        table.setAlternatingRowColors(True)
        table.setTabKeyNavigation(False)
        table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        vertical = table.verticalHeader()
        vertical.hide()
        vertical.setDefaultSectionSize(table.fontMetrics().lineSpacing() + UNIT + 4)
        header = table.horizontalHeader()
        header.setResizeContentsPrecision(0)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        unit = char_width(table)
        for column, width in _WIDTHS.items():
            table.setColumnWidth(column, width * unit)
        return table

    def _add_choices(self, possible: int) -> None:
        row = QHBoxLayout()
        row.setSpacing(UNIT)
        self.conflict = QComboBox()
        self.conflict.addItem(self.tr("Skip it, mine stays"), OnConflict.SKIP)
        self.conflict.addItem(self.tr("Replace mine, which goes to the trash"), OnConflict.UPDATE)
        self.conflict.addItem(self.tr("Keep both, with a new id"), OnConflict.KEEP_BOTH)
        self.conflict.setCurrentIndex(self.conflict.findData(self.model.on_conflict))
        self.conflict.currentIndexChanged.connect(self._on_conflict)
        label = named(ThemedLabel(self.theme, self.tr("&When the id is there already:")), self.conflict)
        label.setToolTip(self.tr("An id is the name of a chat's folder; a root can hold it once."))
        row.addWidget(label)
        row.addWidget(self.conflict)
        row.addStretch(1)
        for text, ticked in ((self.tr("Tick &None"), False), (self.tr("Tick &All"), True)):
            button = self.add_left_button(text)
            button.clicked.connect(lambda _checked=False, value=ticked: self.model.tick_all(value))
            button.setVisible(bool(possible))
        taken = any(item.kind is ImportClass.TAKEN for item in self.model.items)
        self.conflict.setEnabled(taken)
        label.setEnabled(taken)
        self.body.addLayout(row)

    def _on_conflict(self, row: int) -> None:
        self.model.set_on_conflict(OnConflict(self.conflict.itemData(row)))
        self._on_current(self.table.currentIndex())

    def _on_ticks(self) -> None:
        count = self.model.coming_in()
        self.import_button.setText(self.tr("Import %Ln chat(s)", "", count))
        self.import_button.setEnabled(count > 0)

    def _on_current(self, current: QModelIndex, _previous: QModelIndex | None = None) -> None:
        if not current.isValid():
            self.detail.clear()
            return
        item = self.model.item(current.row())
        self.detail.setPlainText(shown_block(self._about(item), 20_000))

    def _about(self, item: ImportItem) -> str:
        lines = [item.reason, self.tr("From: {path}").format(path=item.source.parent / source_text(item))]
        if item.importable:
            what = self.tr("This chat {effect}.").format(effect=self.model.effect(item))
            lines.append(what)
        lines += item.remarks
        if item.left_out:
            lines.append(self.tr("%Ln file(s) of the folder (is|are) left out:", "", len(item.left_out)))
            lines += [f"    {name}" for name in item.left_out]
        return "\n".join(line for line in lines if line)
