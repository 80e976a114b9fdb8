"""The settings in use: who shows something listens to `changed`, who changes something calls `use`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import tzinfo
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from chat_archive.core import settings as store
from chat_archive.core.deletion import DeleteChoices
from chat_archive.core.errors import ArchiveError
from chat_archive.core.settings import Settings


class Choices(QObject):
    """Holds one `Settings`; each change is used at once and saved at once (one small file)."""

    changed = Signal(object)
    failed = Signal(object)

    def __init__(
        self, settings: Settings, save: Callable[[Settings], None] = store.save, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._settings = settings
        self._save = save

    @property
    def settings(self) -> Settings:
        return self._settings

    def zone(self) -> tzinfo | None:
        return self._settings.tzinfo()

    def trash_days(self) -> int:
        return self._settings.trash_days

    def use(self, settings: Settings) -> None:
        if settings == self._settings:
            return
        self._settings = settings
        self._keep()
        self.changed.emit(settings)

    def remember_root(self, root: Path) -> None:
        settings = replace(self._settings, recent_roots=list(self._settings.recent_roots))
        settings.remember_root(root)
        self.use(settings)

    def remember_export(self, folder: Path) -> None:
        self.use(replace(self._settings, export_folder=str(folder)))

    def remember_deletion(self, chosen: DeleteChoices) -> None:
        self.use(
            replace(
                self._settings,
                delete_for_good=chosen.for_good,
                provider_responses=chosen.provider,
                task_choice=chosen.tasks,
            )
        )

    def _keep(self) -> None:
        try:
            self._save(self._settings)
        except ArchiveError as error:
            self.failed.emit(error)
