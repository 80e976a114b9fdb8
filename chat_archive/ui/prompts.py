"""The questions the program asks, behind one small face, so that a test answers without a window.

Every question is asked before its job starts. None is asked by a worker.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QCoreApplication, QStandardPaths
from PySide6.QtWidgets import QDialog, QFileDialog, QWidget

from chat_archive.core.deletion import DeleteChoices
from chat_archive.core.entities import ChatRow, FoundRoot, ImportItem, OnConflict, TrashEntry
from chat_archive.ui.theme import Theme

if TYPE_CHECKING:
    from chat_archive.core.operations.plan import DeletionPlan
    from chat_archive.core.settings import Settings

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class ExportChoice:
    """Where to and how. `to` is a folder, or a file for a single chat; `overwrite` only when ticked."""

    to: Path
    strict: bool = False
    overwrite: bool = False


@dataclass(frozen=True, slots=True)
class ImportChoice:
    """What was ticked in the preview, and what to do where an id is there already."""

    items: tuple[ImportItem, ...]
    on_conflict: OnConflict = OnConflict.SKIP


@dataclass(frozen=True, slots=True)
class DeletionAnswer:
    """What was chosen in the impact sheet, and the plans it showed (one a root); none when it was still counting."""

    choices: DeleteChoices
    plans: tuple[DeletionPlan, ...] = ()


class PlanSource(Protocol):
    """Computes the plans of a deletion while the impact sheet is open."""

    def __call__(
        self, done: Callable[[Sequence[DeletionPlan]], None], failed: Callable[[Exception], None]
    ) -> Callable[[], None]:
        """Begin, and give what stops it. The callbacks come on the interface's thread."""
        ...


class Prompts(Protocol):
    """Each method returns the answer, or False / None / an empty list when the person backed out."""

    def confirm_trash(self, rows: Sequence[ChatRow]) -> bool: ...

    def choose_deletion(self, rows: Sequence[ChatRow], plans: PlanSource) -> DeletionAnswer | None: ...

    def confirm_empty(self, entries: Sequence[TrashEntry]) -> bool: ...

    def confirm_remove_messages(self, rows: Sequence[ChatRow]) -> bool: ...

    def confirm_convert(self, items: Sequence[ImportItem]) -> bool: ...

    def new_name(self, row: ChatRow) -> str | None: ...

    def choose_root(self) -> Path | None: ...

    def choose_among(self, found: Sequence[FoundRoot]) -> list[FoundRoot]: ...

    def choose_export_target(self, rows: Sequence[ChatRow]) -> ExportChoice | None: ...

    def choose_import_files(self) -> list[Path]: ...

    def choose_import_folder(self) -> list[Path]: ...

    def review_import(self, items: Sequence[ImportItem]) -> ImportChoice | None: ...


class QtPrompts:
    """The real questions, each a dialog over `parent`. `settings` is asked anew for every question."""

    def __init__(self, theme: Theme, settings: Callable[[], Settings], parent: QWidget | None = None) -> None:
        self._theme = theme
        self._settings = settings
        self._parent = parent

    def set_parent(self, parent: QWidget) -> None:
        self._parent = parent

    def confirm_trash(self, rows: Sequence[ChatRow]) -> bool:
        from chat_archive.ui.dialogs.trash_question import TrashQuestion

        if not rows:
            return False
        if len(rows) == 1 and not self._settings().confirm_trash:
            return True
        return _accepted(TrashQuestion(self._theme, rows, self._settings().trash_days, self._parent))

    def choose_deletion(self, rows: Sequence[ChatRow], plans: PlanSource) -> DeletionAnswer | None:
        from chat_archive.ui.dialogs.impact_sheet import ImpactSheet

        if not rows:
            return None
        settings = self._settings()
        remembered = remembered_choices(settings)
        if len(rows) == 1 and not settings.confirm_trash and not remembered.for_good:
            return DeletionAnswer(remembered)
        sheet = ImpactSheet(self._theme, rows, remembered, settings.trash_days, self._parent, zone=settings.tzinfo())
        stop = plans(sheet.set_plans, lambda error: sheet.set_failed(str(error)))
        try:
            agreed = sheet.exec() == int(QDialog.DialogCode.Accepted)
            return DeletionAnswer(sheet.choices, sheet.plans) if agreed else None
        finally:
            stop()
            sheet.deleteLater()

    def confirm_empty(self, entries: Sequence[TrashEntry]) -> bool:
        from chat_archive.ui.dialogs.trash_question import EmptyQuestion

        if not entries:
            return False
        return _accepted(EmptyQuestion(self._theme, entries, self._parent))

    def confirm_remove_messages(self, rows: Sequence[ChatRow]) -> bool:
        from chat_archive.ui.dialogs.trash_question import MessageFilesQuestion

        if not rows:
            return False
        return _accepted(MessageFilesQuestion(self._theme, rows, self._settings().trash_days, self._parent))

    def confirm_convert(self, items: Sequence[ImportItem]) -> bool:
        from chat_archive.ui.dialogs.convert_question import ConvertQuestion

        return _accepted(ConvertQuestion(self._theme, items, self._parent))

    def new_name(self, row: ChatRow) -> str | None:
        from chat_archive.ui.dialogs.rename_dialog import RenameDialog

        dialog = RenameDialog(self._theme, row, self._parent)
        return dialog.new_name if _accepted(dialog) else None

    def choose_root(self) -> Path | None:
        title = translate("QtPrompts", "Open a folder with chats")
        settings = self._settings()
        chosen = QFileDialog.getExistingDirectory(self._parent, title, settings.last_root or _home())
        return Path(chosen) if chosen else None

    def choose_among(self, found: Sequence[FoundRoot]) -> list[FoundRoot]:
        from chat_archive.ui.dialogs.choose_roots import ChooseRootsDialog

        dialog = ChooseRootsDialog(self._theme, found, self._parent)
        return dialog.chosen if _accepted(dialog) else []

    def choose_export_target(self, rows: Sequence[ChatRow]) -> ExportChoice | None:
        from chat_archive.ui.dialogs.export_dialog import ExportDialog

        if not rows:
            return None
        settings = self._settings()
        folder = Path(settings.export_folder or _documents())
        dialog = ExportDialog(self._theme, rows, folder, self._parent, strict=settings.export_strict)
        return dialog.choice if _accepted(dialog) else None

    def choose_import_files(self) -> list[Path]:
        title = translate("QtPrompts", "Import chat files")
        kinds = translate("QtPrompts", "Chats (*.json);;All files (*)")
        chosen, _ = QFileDialog.getOpenFileNames(self._parent, title, _documents(), kinds)
        return [Path(name) for name in chosen]

    def choose_import_folder(self) -> list[Path]:
        title = translate("QtPrompts", "Import a folder with chats")
        chosen = QFileDialog.getExistingDirectory(self._parent, title, _documents())
        return [Path(chosen)] if chosen else []

    def review_import(self, items: Sequence[ImportItem]) -> ImportChoice | None:
        from chat_archive.ui.dialogs.import_dialog import ImportDialog

        settings = self._settings()
        dialog = ImportDialog(
            self._theme,
            items,
            self._parent,
            on_conflict=OnConflict(settings.import_conflict),
            zone=settings.tzinfo(),
        )
        return dialog.choice if _accepted(dialog) else None


def remembered_choices(settings: Settings) -> DeleteChoices:
    """What the settings keep of the last deletion."""
    return DeleteChoices(
        for_good=settings.delete_for_good,
        provider=settings.provider_responses,
        tasks=settings.task_choice,
        cascade_when=settings.cascade_when,
    )


def _accepted(dialog: QDialog) -> bool:
    try:
        return dialog.exec() == int(QDialog.DialogCode.Accepted)
    finally:
        dialog.deleteLater()


def _home() -> str:
    return QStandardPaths.writableLocation(QStandardPaths.StandardLocation.HomeLocation)


def _documents() -> str:
    """Where documents go; where the system names a folder that is not there, the home folder."""
    named = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    return named if named and Path(named).is_dir() else _home()
