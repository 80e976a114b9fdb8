"""The questions about responses at a provider, behind one small face, so that a test answers without a window."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QCoreApplication, QStandardPaths
from PySide6.QtWidgets import QDialog, QFileDialog, QWidget

from chat_archive.core.provider.bases import Base
from chat_archive.ui.dialogs.provider_dialogs import (
    BasesDialog,
    EnvQuestion,
    ForgetQuestion,
    KeyChoice,
    KeyDialog,
    SharedQuestion,
)
from chat_archive.ui.models.receipts_model import ReceiptLine
from chat_archive.ui.theme import Theme

translate = QCoreApplication.translate


class ProviderPrompts(Protocol):
    """Each method returns the answer, or False / None when the person backed out."""

    def confirm_forget(self, lines: Sequence[ReceiptLine]) -> bool: ...

    def confirm_shared(self, lines: Sequence[ReceiptLine]) -> bool: ...

    def may_read_env(self, path: Path) -> bool | None: ...

    def ask_key(self, bases: Sequence[tuple[Base, bool]], keyring: bool) -> KeyChoice | None: ...

    def ask_bases(self, lines: Sequence[str]) -> list[str] | None: ...

    def choose_table(self) -> Path | None: ...


class QtProviderPrompts:
    """The real questions, each a dialog over `parent`."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        self._theme = theme
        self._parent = parent

    def confirm_forget(self, lines: Sequence[ReceiptLine]) -> bool:
        return _accepted(ForgetQuestion(self._theme, lines, self._parent))

    def confirm_shared(self, lines: Sequence[ReceiptLine]) -> bool:
        return _accepted(SharedQuestion(self._theme, lines, self._parent))

    def may_read_env(self, path: Path) -> bool | None:
        dialog = EnvQuestion(self._theme, path, self._parent)
        return dialog.allowed if _accepted(dialog) else None

    def ask_key(self, bases: Sequence[tuple[Base, bool]], keyring: bool) -> KeyChoice | None:
        dialog = KeyDialog(self._theme, bases, keyring, self._parent)
        return dialog.choice if _accepted(dialog) else None

    def ask_bases(self, lines: Sequence[str]) -> list[str] | None:
        dialog = BasesDialog(self._theme, lines, self._parent)
        return dialog.lines if _accepted(dialog) else None

    def choose_table(self) -> Path | None:
        title = translate("QtProviderPrompts", "Save the receipts as a table")
        folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        start = str(Path(folder or Path.home()) / "responses.csv")
        kinds = translate("QtProviderPrompts", "Tables (*.csv)")
        chosen, _ = QFileDialog.getSaveFileName(self._parent, title, start, kinds)
        return Path(chosen) if chosen else None


def _accepted(dialog: QDialog) -> bool:
    try:
        return dialog.exec() == QDialog.DialogCode.Accepted
    finally:
        dialog.deleteLater()
