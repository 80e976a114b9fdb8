from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from chat_archive.core.settings import Settings
from chat_archive.ui.dialogs.settings_dialog import SettingsDialog, zones
from chat_archive.ui.theme import Theme


@pytest.fixture
def dialog(theme: Theme, qtbot: QtBot) -> SettingsDialog:
    made = SettingsDialog(Settings(), theme)
    qtbot.addWidget(made)
    made.show()
    return made


def _changes(dialog: SettingsDialog) -> list[Settings]:
    seen: list[Settings] = []
    dialog.changed.connect(seen.append)
    return seen


def test_opening_changes_nothing(theme: Theme, qtbot: QtBot) -> None:
    settings = Settings(
        zone="Asia/Tokyo", theme="dark", text_scale=1.33, trash_days=7, export_folder="/x", import_conflict="update"
    )
    dialog = SettingsDialog(settings, theme)
    seen = _changes(dialog)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.close()
    assert seen == []
    assert dialog.settings == settings
    assert dialog.scale.currentText() == "133 %"
    assert dialog.zone.currentText() == "Asia/Tokyo"


def test_each_choice_is_told_at_once(dialog: SettingsDialog) -> None:
    seen = _changes(dialog)
    dialog.scheme.setCurrentIndex(dialog.scheme.findData("dark"))
    assert seen[-1].theme == "dark"
    dialog.scale.setCurrentIndex(dialog.scale.findData(1.5))
    assert seen[-1].text_scale == 1.5
    dialog.days.setValue(7)
    assert seen[-1].trash_days == 7
    dialog.confirm.setChecked(False)
    assert not seen[-1].confirm_trash
    dialog.strict.setChecked(True)
    assert seen[-1].export_strict
    dialog.reopen.setChecked(False)
    assert not seen[-1].open_last_root
    dialog.conflict.setCurrentIndex(2)
    assert seen[-1].import_conflict == "keep-both"
    dialog.zone.setCurrentText("Asia/Tokyo")
    assert seen[-1].zone == "Asia/Tokyo"
    assert len(seen) == 8
    assert seen[-1].theme == "dark" and seen[-1].text_scale == 1.5


def test_a_zone_is_found_by_a_part_of_its_name(dialog: SettingsDialog) -> None:
    completer = dialog.zone.completer()
    assert completer is not None
    completer.setCompletionPrefix("toky")
    assert completer.completionCount() == 1
    assert completer.currentCompletion() == "Asia/Tokyo"


def test_typed_nonsense_gives_way_to_the_zone_in_force(dialog: SettingsDialog, qtbot: QtBot) -> None:
    seen = _changes(dialog)
    field = dialog.zone.lineEdit()
    assert field is not None
    field.setText("Nowhere/Atall")
    field.editingFinished.emit()
    assert dialog.zone.currentText() == "The system's"
    assert seen == []
    field.setText("europe/paris")
    field.editingFinished.emit()
    assert dialog.settings.zone == "Europe/Paris"


def test_back_to_the_systems_zone(dialog: SettingsDialog) -> None:
    dialog.zone.setCurrentText("UTC")
    assert dialog.settings.zone == "UTC"
    dialog.zone.setCurrentIndex(0)
    assert dialog.settings.zone == ""


def test_days_are_said_with_their_plural(dialog: SettingsDialog) -> None:
    dialog.days.setValue(1)
    assert dialog.days.text() == "1 day"
    dialog.days.setValue(30)
    assert dialog.days.text() == "30 days"
    dialog.days.setValue(0)
    assert dialog.days.text() == "until emptied"


def test_the_zones_are_places() -> None:
    found = zones()
    assert "Europe/Berlin" in found and "UTC" in found
    assert not [name for name in found if name.startswith("Etc/")]


def test_unknown_keys_of_a_newer_version_stay(theme: Theme, qtbot: QtBot) -> None:
    dialog = SettingsDialog(Settings(extra={"from_the_future": 1}), theme)
    qtbot.addWidget(dialog)
    dialog.days.setValue(3)
    assert dialog.settings.extra == {"from_the_future": 1}


def test_when_responses_are_deleted_at_the_provider_can_be_chosen(theme: Theme, qtbot: QtBot) -> None:
    dialog = SettingsDialog(Settings(), theme)
    qtbot.addWidget(dialog)
    seen: list[Settings] = []
    dialog.changed.connect(seen.append)
    assert dialog.cascade.currentData() == "erasing"
    dialog.cascade.setCurrentIndex(dialog.cascade.findData("trashing"))
    assert seen[-1].cascade_when == "trashing"
