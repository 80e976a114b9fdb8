"""Where the window stood and how the list looked: no choice, so kept apart from the settings (`window.ini`)."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings
from PySide6.QtWidgets import QMainWindow, QSplitter

from chat_archive.core.settings import config_folder
from chat_archive.ui.models.chat_order import Column
from chat_archive.ui.views.chat_list import ChatListView

_VERSION = 1


class WindowState:
    """Reads and writes one small file. Whatever is in it, reading never fails."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or config_folder() / "window.ini"

    def restore(self, window: QMainWindow, splitter: QSplitter, view: ChatListView) -> None:
        kept = self._open()
        if _number(kept.value("version")) != _VERSION:
            return
        geometry = kept.value("geometry")
        if isinstance(geometry, QByteArray):
            window.restoreGeometry(geometry)
        panes = kept.value("panes")
        if isinstance(panes, QByteArray):
            splitter.restoreState(panes)
        columns = _columns(kept.value("columns"))
        table = kept.value("table")
        if isinstance(table, QByteArray):
            view.restore_table_state(table, columns)
        view.set_table(kept.value("mode") == "table")

    def order(self) -> tuple[Column, bool] | None:
        """The column the list was sorted by, and whether falling."""
        kept = self._open()
        found = _columns(kept.value("sort"))
        return (found[0], kept.value("falling") == "yes") if found else None

    def open_roots(self) -> list[str]:
        """The roots that were open when the program was closed."""
        found = self._open().value("roots")
        if isinstance(found, str):
            return [found] if found else []
        return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []

    def save(self, window: QMainWindow, splitter: QSplitter, view: ChatListView, roots: list[str]) -> None:
        kept = self._open()
        kept.setValue("version", _VERSION)
        kept.setValue("geometry", window.saveGeometry())
        kept.setValue("panes", splitter.saveState())
        kept.setValue("table", view.table_state())
        kept.setValue("columns", ",".join(str(int(column)) for column in view.visible_columns()))
        kept.setValue("mode", "table" if view.is_table else "rows")
        kept.setValue("sort", str(int(view.chats.sort_column)))
        kept.setValue("falling", "yes" if view.chats.falling else "no")
        kept.setValue("roots", roots)
        kept.sync()

    def _open(self) -> QSettings:
        return QSettings(str(self._path), QSettings.Format.IniFormat)


def _number(value: object) -> int:
    try:
        return int(str(value))
    except ValueError:
        return 0


def _columns(value: object) -> list[Column]:
    # a list with commas comes back from the file as a list
    parts = value if isinstance(value, list) else str(value or "").split(",")
    numbers = [_number(part) if str(part).strip() else -1 for part in parts]
    return [Column(number) for number in numbers if 0 <= number < len(Column)]
