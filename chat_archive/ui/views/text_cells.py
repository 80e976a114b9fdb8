"""Cells of the tables and trees of the detail area: one line, some air around it, the same height everywhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QTreeView,
)

from chat_archive.ui.theme import Theme

_SIDE = 6
_AIR = 10


class CellDelegate(QStyledItemDelegate):
    """Adds room at both sides; shows a frame around the current row's cell only as the selection, never dotted."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        hint = super().sizeHint(option, index)
        return QSize(hint.width() + 2 * _SIDE, option.fontMetrics.height() + _AIR)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        ground = QStyleOptionViewItem(option)
        self.initStyleOption(ground, index)
        painter.save()
        if ground.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(ground.rect, ground.palette.highlight())
        cell = QStyleOptionViewItem(option)
        cell.rect = option.rect.adjusted(_SIDE, 0, -_SIDE, 0)
        cell.state &= ~QStyle.StateFlag.State_HasFocus
        super().paint(painter, cell, index)
        painter.restore()


def dress_table(table: QTableView, theme: Theme) -> None:
    """What all tables of the detail area have in common."""
    table.setItemDelegate(CellDelegate(table))
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.setTabKeyNavigation(False)
    vertical = table.verticalHeader()
    vertical.hide()
    vertical.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    header = table.horizontalHeader()
    header.setHighlightSections(False)
    header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    header.setResizeContentsPrecision(0)
    header.setMinimumSectionSize(40)
    header.setStretchLastSection(True)

    def fit() -> None:
        vertical.setDefaultSectionSize(table.fontMetrics().height() + _AIR)

    theme.changed.connect(fit)
    fit()


def dress_tree(tree: QTreeView) -> None:
    """What both trees have in common."""
    tree.setItemDelegate(CellDelegate(tree))
    tree.setUniformRowHeights(True)
    tree.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    tree.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)


def widths(table: QTableView, samples: Mapping[Any, str]) -> None:
    """Column widths by sample texts in the font of the table."""
    metrics = table.fontMetrics()
    for column, sample in samples.items():
        table.setColumnWidth(column, metrics.horizontalAdvance(sample) + 2 * _SIDE + 12)
