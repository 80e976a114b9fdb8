"""The style sheet on top of Fusion: made from the theme's table, so that no widget brings colours of its own."""

from __future__ import annotations

from string import Template

from chat_archive.ui.resources import resource

# Only shapes that the palette cannot say. Widgets opt into variants by a dynamic property:
# QPushButton[look="primary"|"danger"], QLabel[look="muted"|"section"|"title"], QFrame[look="card"|"hairline"].
_SHEET = Template(
    """
QToolTip { color: $text; background: $raised; border: 1px solid $line; padding: 4px 6px; }
QMainWindow::separator { background: $line; width: 1px; height: 1px; }
QSplitter::handle { background: $line; }
QSplitter::handle:horizontal { width: 1px; }
QSplitter::handle:vertical { height: 1px; }
QMenuBar { background: $window; border: none; padding: 2px 6px; }
QMenuBar::item { padding: 4px 8px; border-radius: 4px; background: transparent; }
QMenuBar::item:selected { background: $sel; }
QMenu { background: $base; border: 1px solid $line; padding: 4px; }
QMenu::item { padding: 5px 24px 5px 12px; border-radius: 4px; }
QMenu::icon { padding-left: 8px; }
QMenu::item:selected { background: $sel; color: $text; }
QMenu::item:disabled { color: $faint; }
QMenu::separator { height: 1px; background: $line; margin: 4px 8px; }
QToolBar { background: $window; border: none; border-bottom: 1px solid $line; padding: 6px 12px; spacing: 8px; }
QToolBar QToolButton { background: $base; border: 1px solid $line; border-radius: 6px; padding: 5px 11px; }
QToolBar QToolButton:hover { background: $sel; border-color: $accent; }
QToolBar QToolButton:pressed, QToolBar QToolButton:checked { background: $accent_soft; }
QToolBar QToolButton:focus { border-color: $accent; }
QToolBar QToolButton:disabled { color: $faint; background: $window; }
QToolBar QToolButton[look="flat"] { background: transparent; border-color: transparent; padding: 5px 7px; }
QToolBar QToolButton[look="flat"]:hover:enabled { background: $sel; }
QToolBar QToolButton[look="flat"]:focus { border-color: $accent; }
QWidget[look="strip"] { background: $window; border-bottom: 1px solid $line; }
QWidget[look="base"] { background: $base; }
QFrame[look="panel"] { background: $base; border: none; border-top: 1px solid $line; }
QToolButton[look="strip"] { background: transparent; border: 1px solid transparent; border-radius: 4px;
  color: $muted; padding: 3px 6px; }
QToolButton[look="strip"]:hover { background: $sel; color: $text; }
QToolButton[look="strip"]:focus { border-color: $accent; }
QToolButton[look="strip"]::menu-indicator { image: none; width: 0; }
QPushButton { background: $base; border: 1px solid $line; border-radius: 6px; padding: 6px 14px; color: $text; }
QPushButton:hover { background: $sel; border-color: $accent; }
QPushButton:pressed { background: $accent_soft; }
QPushButton:focus { border-color: $accent; }
QPushButton:disabled { color: $faint; background: $window; border-color: $line; }
QPushButton[look="primary"] { background: $accent; color: $on_accent; border-color: $accent; }
QPushButton[look="primary"]:hover { background: $accent_strong; }
QPushButton[look="primary"]:focus { border: 2px solid $text; padding: 5px 13px; }
QPushButton[look="primary"]:disabled { background: $window; color: $faint; border-color: $line; }
QPushButton[look="danger"] { background: $danger_soft; color: $danger; border-color: $danger; }
QPushButton[look="danger"]:focus { border-width: 2px; padding: 5px 13px; }
QPushButton[look="flat"] { background: transparent; border-color: transparent; padding: 5px 8px; }
QPushButton[look="flat"]:hover { background: $sel; }
QPushButton[look="flat"]:focus { border-color: $accent; }
QPushButton[look="link"] { background: transparent; border: none; color: $accent; padding: 2px; text-align: left; }
QPushButton[look="link"]:hover, QPushButton[look="link"]:focus { text-decoration: underline; }
QLineEdit, QPlainTextEdit[look="field"] {
  background: $base; border: 1px solid $line; border-radius: 6px; padding: 5px 8px; color: $text;
  selection-background-color: $accent; selection-color: $on_accent; }
QLineEdit:focus, QPlainTextEdit[look="field"]:focus { border-color: $accent; }
QLineEdit:disabled { background: $window; color: $faint; }
QComboBox, QSpinBox, QDoubleSpinBox { background: $base; border: 1px solid $line; border-radius: 6px; padding: 5px 8px;
  color: $text; selection-background-color: $accent; selection-color: $on_accent; }
QComboBox:focus, QSpinBox:focus, QDoubleSpinBox:focus { border-color: $accent; }
QComboBox:disabled, QSpinBox:disabled, QDoubleSpinBox:disabled { background: $window; color: $faint; }
QComboBox QLineEdit { border: none; padding: 0; background: transparent; }
QComboBox::drop-down { border: none; width: 24px; }
QComboBox::down-arrow, QSpinBox::down-arrow, QDoubleSpinBox::down-arrow { image: url("$pictures/down-$scheme.svg");
  width: 12px; height: 12px; }
QSpinBox::up-arrow, QDoubleSpinBox::up-arrow { image: url("$pictures/up-$scheme.svg"); width: 12px; height: 12px; }
QSpinBox::up-button, QSpinBox::down-button, QDoubleSpinBox::up-button, QDoubleSpinBox::down-button {
  border: none; background: transparent; width: 24px; }
QComboBox QAbstractItemView { background: $base; border: 1px solid $line; padding: 2px; }
QCheckBox, QRadioButton { spacing: 8px; }
QCheckBox::indicator, QRadioButton::indicator, QAbstractItemView::indicator { background: $base;
  border: 1px solid $handle; width: ${box}px; height: ${box}px; border-radius: 4px; }
QRadioButton::indicator { border-radius: ${half}px; }
QCheckBox::indicator:hover, QRadioButton::indicator:hover, QCheckBox::indicator:focus, QRadioButton::indicator:focus {
  border-color: $accent; }
QCheckBox::indicator:checked, QRadioButton::indicator:checked, QAbstractItemView::indicator:checked {
  background: $accent; border-color: $accent; image: url("$pictures/check-$scheme.svg"); }
QRadioButton::indicator:checked { image: url("$pictures/dot-$scheme.svg"); }
QCheckBox:focus, QRadioButton:focus { color: $accent; }
QCheckBox::indicator:disabled, QRadioButton::indicator:disabled { background: $window; border-color: $line; }
QTabWidget::pane { border: none; border-top: 1px solid $line; }
QTabBar { background: transparent; }
QTabBar::tab { background: transparent; border: none; border-bottom: 2px solid transparent;
  padding: 8px 12px; color: $muted; }
QTabBar::tab:selected { color: $text; border-bottom-color: $accent; }
QTabBar::tab:hover:!selected { color: $text; }
QTabBar::tab:focus { color: $accent; }
QHeaderView { background: $window; border: none; }
QHeaderView::section { background: $window; color: $muted; border: none; border-right: 1px solid $line;
  border-bottom: 1px solid $line; padding: 5px 8px; }
QTableView, QTreeView, QListView { background: $base; alternate-background-color: $raised; border: none;
  gridline-color: $line; selection-background-color: $sel; selection-color: $text; outline: none; }
QListView[look="sidebar"] { background: $window; }
QStatusBar { background: $window; border-top: 1px solid $line; color: $muted; }
QStatusBar::item { border: none; }
QStatusBar QLabel { color: $muted; padding: 2px 6px; }
QStatusBar QToolButton { border: 1px solid transparent; border-radius: 4px; padding: 2px; background: transparent; }
QStatusBar QToolButton:hover { background: $sel; }
QStatusBar QToolButton:focus { border-color: $accent; }
QProgressBar { background: $line; border: none; border-radius: 3px; min-height: 6px; max-height: 6px; }
QProgressBar::chunk { background: $accent; border-radius: 3px; }
QScrollBar:vertical { background: transparent; width: 12px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 12px; margin: 0; }
QScrollBar::handle { background: $handle; border-radius: 4px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 32px; }
QScrollBar::handle:horizontal { min-width: 32px; }
QScrollBar::handle:hover { background: $muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QLabel[look="muted"] { color: $muted; }
QLabel[look="section"] { color: $muted; font-weight: 600; }
QFrame[look="card"] { background: $raised; border: 1px solid $line; border-radius: 8px; }
QFrame[look="hairline"] { background: $line; border: none; max-height: 1px; min-height: 1px; }
"""
)


def _mix(one: str, other: str, share: float) -> str:
    """`share` of colour `one` in `other`, as #rrggbb."""
    pairs = zip(bytes.fromhex(one[1:]), bytes.fromhex(other[1:]), strict=True)
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02x}" for a, b in pairs)


def style_sheet(table: dict[str, str], points: float) -> str:
    """The sheet for one table of colours; `points` is the size of plain text."""
    return (
        _SHEET.substitute(
            table,
            on_accent=table["base"],
            accent_strong=_mix(table["accent"], table["text"], 0.85),
            scheme="light" if table["base"] > table["text"] else "dark",
            pictures=resource("controls").as_posix(),
            box=(box := round(points * 1.4)),
            half=box // 2 + 1,
            faint=_mix(table["muted"], table["window"], 0.55),
            handle=_mix(table["muted"], table["window"], 0.4),
        )
        + f"QToolTip {{ font-size: {points * 0.95:.2f}pt; }}"
    )
