"""Report, result, about, keys, several roots, old chats."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from chat_archive import __version__
from chat_archive.core.entities import FoundRoot, ImportClass
from chat_archive.ui.actions import SPECS
from chat_archive.ui.dialogs.about_dialog import AboutDialog
from chat_archive.ui.dialogs.choose_roots import ChooseRootsDialog
from chat_archive.ui.dialogs.convert_question import ConvertQuestion
from chat_archive.ui.dialogs.report_dialog import ReportDialog, fault_text
from chat_archive.ui.dialogs.result_dialog import ResultDialog
from chat_archive.ui.dialogs.shortcuts_dialog import ShortcutsDialog
from chat_archive.ui.models.result_model import ResultModel
from chat_archive.ui.theme import Theme
from tests.ui.dialogs.samples import fault, found, item, items, result


def _words(dialog: object) -> str:
    return "\n".join(label.text() for label in dialog.findChildren(QLabel))  # type: ignore[attr-defined]


# the report


def test_l1_a_report_holds_types_and_places_and_no_text_of_the_error(theme: Theme, qtbot: QtBot) -> None:
    dialog = ReportDialog(theme, fault("SECRET words of a chat"))
    qtbot.addWidget(dialog)
    report = dialog.report
    assert "SECRET" not in report
    assert "ValueError" in report and "caused by KeyError" in report
    assert "samples.py:" in report and "in fault" in report
    assert __version__ in report and "Python 3." in report and "Qt 6." in report
    assert str(Path.home()) not in report


def test_an_error_of_the_system_shows_its_number_but_not_the_file() -> None:
    try:
        Path("/nowhere/secret-name").read_text()
    except OSError as error:
        text = fault_text(error)
    assert "FileNotFoundError (errno 2)" in text
    assert "secret-name" not in text


def test_the_copy_button_copies_the_report(theme: Theme, qtbot: QtBot) -> None:
    dialog = ReportDialog(theme, fault())
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.mouseClick(dialog.copy_button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == dialog.report
    assert dialog.isVisible()
    assert not dialog.isModal()


def test_further_faults_are_added_up_to_a_bound(theme: Theme, qtbot: QtBot) -> None:
    dialog = ReportDialog(theme, fault())
    qtbot.addWidget(dialog)
    for _ in range(500):
        dialog.add(RuntimeError("SECRET"))
    assert dialog.report.count("RuntimeError") == 19


def test_a_circle_of_causes_ends() -> None:
    one, other = ValueError("a"), KeyError("b")
    one.__cause__, other.__cause__ = other, one
    assert fault_text(one).count("\n") < 10


# the result


def test_the_result_model_keeps_the_rules_of_models(theme: Theme, qtmodeltester: ModelTester) -> None:
    model = ResultModel(theme, result())
    qtmodeltester.check(model)
    model.show_failed_only(True)
    qtmodeltester.check(model)


def test_failed_items_come_first_and_can_be_seen_alone(theme: Theme, qtbot: QtBot) -> None:
    dialog = ResultDialog(theme, result(good=5, bad=2, skipped=1))
    qtbot.addWidget(dialog)
    states = [dialog.model.data(dialog.model.index(row, 0)) for row in range(8)]
    assert states == ["failed", "failed", "skipped", "done", "done", "done", "done", "done"]
    dialog.only_failed.setChecked(True)
    assert dialog.model.rowCount() == 2


def test_the_whole_list_is_copied(theme: Theme, qtbot: QtBot) -> None:
    dialog = ResultDialog(theme, result(good=2, bad=1))
    qtbot.addWidget(dialog)
    dialog.show()
    copy = next(button for button in dialog.findChildren(QPushButton) if "Copy" in button.text())
    qtbot.mouseClick(copy, Qt.MouseButton.LeftButton)
    text = QGuiApplication.clipboard().text()
    assert "done\tChat 0\tMoved to the trash." in text
    assert "The disk is full." in text


# about and keys


def test_about_tells_version_license_and_libraries(theme: Theme, qtbot: QtBot) -> None:
    dialog = AboutDialog(theme)
    qtbot.addWidget(dialog)
    text = _words(dialog)
    assert f"Version {__version__}" in text
    assert "MIT" in text
    for library in ("Qt 6", "PySide6-Essentials 6", "msgspec", "platformdirs"):
        assert library in text


def test_the_keys_are_those_of_the_actions(theme: Theme, qtbot: QtBot) -> None:
    dialog = ShortcutsDialog(theme)
    qtbot.addWidget(dialog)
    assert dialog.table.rowCount() == len([spec for spec in SPECS.values() if spec.key])
    texts = [dialog.table.item(row, 0).text() for row in range(dialog.table.rowCount())]  # type: ignore[union-attr]
    assert "Move to Trash" in texts
    assert not [text for text in texts if "&" in text]


def test_a_key_is_found_by_typing_a_part_of_it(theme: Theme, qtbot: QtBot) -> None:
    dialog = ShortcutsDialog(theme)
    qtbot.addWidget(dialog)
    dialog.filter.setText("move to trash")
    shown = [row for row in range(dialog.table.rowCount()) if not dialog.table.isRowHidden(row)]
    assert len(shown) == 1


# several roots


def test_readable_roots_are_ticked_and_others_cannot_be(theme: Theme, qtbot: QtBot) -> None:
    dialog = ChooseRootsDialog(theme, found())
    qtbot.addWidget(dialog)
    assert dialog.chosen == found()[:2]
    assert dialog.open_button.text() == "Open 2 folders"
    dialog.list.item(0).setCheckState(Qt.CheckState.Unchecked)
    assert dialog.chosen == found()[1:2]
    dialog.list.item(1).setCheckState(Qt.CheckState.Unchecked)
    assert not dialog.open_button.isEnabled()
    assert not dialog.list.item(2).flags() & Qt.ItemFlag.ItemIsUserCheckable


def test_each_root_tells_label_count_path_and_note(theme: Theme, qtbot: QtBot) -> None:
    roots = [FoundRoot(Path("/data/usr/chats"), "usr/chats", 1), found()[1]]
    dialog = ChooseRootsDialog(theme, roots)
    qtbot.addWidget(dialog)
    assert dialog.list.item(0).text() == "usr/chats · 1 chat\n/data/usr/chats"
    assert dialog.list.item(1).text().endswith("Agent Zero no longer looks here.")


# old chats


def test_what_becomes_of_each_flat_file_is_listed(theme: Theme, qtbot: QtBot) -> None:
    flat = [
        item(title="Old chat", source=Path("/data/tmp/chats/abc.json"), reason="It gets the folder abc."),
        item(ImportClass.NOT_A_CHAT, "", source=Path("/data/tmp/chats/notes.json"), reason="It is no chat."),
    ]
    dialog = ConvertQuestion(theme, flat)
    qtbot.addWidget(dialog)
    text = _words(dialog)
    assert "Move 1 old chat into folders?" in text
    assert "abc.json" in text and "It gets the folder abc." in text
    assert "notes.json" in text and "stays: It is no chat." in text


def test_nothing_to_move_offers_only_to_close(theme: Theme, qtbot: QtBot) -> None:
    dialog = ConvertQuestion(theme, items()[3:])
    qtbot.addWidget(dialog)
    dialog.show()
    assert not dialog.proceed.isVisible()
    assert "No old chat can be moved" in dialog.heading.text()
