"""Every item of a finished batch with the sentence that says what became of it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractItemView, QCheckBox, QHeaderView, QTableView, QWidget

from chat_archive.core.entities import OperationResult
from chat_archive.ui import words
from chat_archive.ui.dialogs.sheet import UNIT, Sheet, framed
from chat_archive.ui.models.result_model import ResultColumn, ResultModel
from chat_archive.ui.plain_text import ThemedLabel, char_width, shown_block
from chat_archive.ui.theme import Theme

_LONG = 60  # characters of a sentence that needs a second line


class ResultDialog(Sheet):
    _tall = True

    def __init__(self, theme: Theme, result: OperationResult, parent: QWidget | None = None) -> None:
        super().__init__(theme, words.result_sentence(result), "", parent, width=760)
        self._result = result
        self.setWindowTitle(self.tr("Result"))
        self.model = ResultModel(theme, result, self)
        self.only_failed = QCheckBox(self.tr("Show only what &failed"))
        self.only_failed.setVisible(bool(result.failed) and len(result.failed) < len(result.items))
        self.only_failed.toggled.connect(self.model.show_failed_only)
        self.body.addWidget(self.only_failed)
        self.table = self._make_table()
        self.body.addWidget(framed(self.table), 1)
        for remark in result.remarks:
            self.body.addWidget(ThemedLabel(theme, shown_block(remark), color="muted", wrap=True, selectable=True))
        copy = self.add_left_button(self.tr("&Copy"))
        copy.setToolTip(self.tr("Copy the whole list as text"))
        copy.clicked.connect(self._on_copy)
        close = self.add_button(self.tr("Close"))
        close.clicked.connect(self.reject)
        self.set_default(close)
        self.resize(760, 420)

    def _make_table(self) -> QTableView:
        table = QTableView()
        table.setModel(self.model)
        table.setAccessibleName(self.tr("Items and what became of each"))
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setWordWrap(True)
        table.setShowGrid(False)
        table.setTabKeyNavigation(False)
        table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        vertical = table.verticalHeader()
        vertical.hide()
        lines = 2 if any(len(words.item_sentences(item)) > _LONG for item in self._result.items) else 1
        vertical.setDefaultSectionSize(table.fontMetrics().lineSpacing() * lines + UNIT)
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter)
        unit = char_width(table)
        table.setColumnWidth(ResultColumn.STATE, unit * 12)
        table.setColumnWidth(ResultColumn.ITEM, unit * 30)
        header.setSectionResizeMode(ResultColumn.TEXT, QHeaderView.ResizeMode.Stretch)
        return table

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(words.result_report(self._result))
