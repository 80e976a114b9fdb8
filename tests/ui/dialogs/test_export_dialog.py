from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from chat_archive.core.names import file_name
from chat_archive.ui.dialogs.export_dialog import ExportDialog
from chat_archive.ui.theme import Theme
from tests.ui.dialogs.samples import HOSTILE, row, rows


def _words(dialog: ExportDialog) -> str:
    return "\n".join(label.text() for label in dialog.findChildren(QLabel))


def test_one_chat_goes_into_a_file_named_after_it(theme: Theme, qtbot: QtBot, tmp_path: Path) -> None:
    one = row()
    dialog = ExportDialog(theme, [one], tmp_path)
    qtbot.addWidget(dialog)
    name = file_name(one.title, one.folder, one.created_at, ".json")
    assert dialog.choice.to == tmp_path / name
    assert dialog.export_button.isEnabled()
    assert not dialog.choice.strict and not dialog.choice.overwrite


def test_several_chats_go_into_a_folder(theme: Theme, qtbot: QtBot, tmp_path: Path) -> None:
    dialog = ExportDialog(theme, rows(3), tmp_path, strict=True)
    qtbot.addWidget(dialog)
    assert dialog.choice.to == tmp_path
    assert dialog.choice.strict
    assert dialog.export_button.text() == "Export 3 chats"


def test_e2_it_says_that_it_holds_everything(theme: Theme, qtbot: QtBot, tmp_path: Path) -> None:
    dialog = ExportDialog(theme, rows(2), tmp_path)
    qtbot.addWidget(dialog)
    text = _words(dialog)
    assert "everything" in text
    assert "keys, tokens or passwords" in text
    assert "import them again" in text


def test_e3_a_file_that_is_there_is_told_and_kept_unless_ticked(theme: Theme, qtbot: QtBot, tmp_path: Path) -> None:
    there = tmp_path / "there.json"
    there.write_text("mine")
    dialog = ExportDialog(theme, [row()], tmp_path)
    qtbot.addWidget(dialog)
    dialog.place.setText(str(there))
    assert "already" in dialog.hint.text()
    assert not dialog.choice.overwrite
    dialog.overwrite.setChecked(True)
    assert dialog.choice.overwrite
    assert there.read_text() == "mine"


def test_a_place_that_will_not_do_is_told_at_once(theme: Theme, qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    dialog = ExportDialog(theme, rows(2), tmp_path)
    qtbot.addWidget(dialog)
    for place in ("", "relative/path", str(tmp_path / "no" / "such" / "place"), str(tmp_path / "file")):
        dialog.place.setText(place)
        assert not dialog.export_button.isEnabled(), place
        assert dialog.hint.text()
    dialog.place.setText(str(tmp_path / "new"))
    assert dialog.export_button.isEnabled()
    assert not (tmp_path / "new").exists()


def test_a_hostile_title_gives_a_harmless_name(theme: Theme, qtbot: QtBot, tmp_path: Path) -> None:
    dialog = ExportDialog(theme, [row("../../etc/" + HOSTILE)], tmp_path)
    qtbot.addWidget(dialog)
    assert dialog.choice.to.parent == tmp_path
    assert len(dialog.choice.to.name.encode()) <= 255
