from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from chat_archive.core.entities import ImportClass, OnConflict
from chat_archive.ui.dialogs.import_dialog import ImportDialog
from chat_archive.ui.models.import_model import ImportColumn, ImportModel
from chat_archive.ui.theme import Theme
from tests.ui.dialogs.samples import CHINESE, HOSTILE, item, items


def test_the_model_keeps_the_rules_of_models(theme: Theme, qtmodeltester: ModelTester) -> None:
    model = ImportModel(theme, items())
    qtmodeltester.check(model)
    model.set_on_conflict(OnConflict.KEEP_BOTH)
    model.tick_all(False)
    qtmodeltester.check(model)
    qtmodeltester.check(ImportModel(theme, []))


def _column(model: ImportModel, column: ImportColumn) -> list[object]:
    return [model.data(model.index(row, column)) for row in range(model.rowCount())]


def test_each_line_says_what_it_is_and_what_would_happen(theme: Theme) -> None:
    model = ImportModel(theme, items())
    assert _column(model, ImportColumn.KIND) == ["new", "already there", "id is taken", "damaged", "not a chat"]
    assert _column(model, ImportColumn.EFFECT) == [
        "comes in under its own id",
        "is left as it is",
        "is skipped; yours stays",
        "cannot be imported",
        "cannot be imported",
    ]
    model.set_on_conflict(OnConflict.KEEP_BOTH)
    assert _column(model, ImportColumn.EFFECT)[1:3] == ["is left as it is", "comes in beside yours with a new id"]
    model.set_on_conflict(OnConflict.UPDATE)
    assert _column(model, ImportColumn.EFFECT)[2] == "replaces yours, which goes to the trash"


def test_the_id_a_chat_will_have_is_said(theme: Theme) -> None:
    own, other, made = item(), item(target="Folder01"), item(target="")
    model = ImportModel(theme, [own, other, made])
    assert _column(model, ImportColumn.EFFECT) == [
        "comes in under its own id",
        "comes in under the id Folder01",
        "comes in under a new id",
    ]


def test_a_line_shows_title_id_counts_and_source(theme: Theme) -> None:
    model = ImportModel(theme, items())
    titles = _column(model, ImportColumn.TITLE)
    assert titles[1] == CHINESE
    assert titles[4] == "numbers.json"
    assert _column(model, ImportColumn.ID)[0] == "Ab3dE9xZ"
    assert _column(model, ImportColumn.COUNTS)[0] == "3 agents · 74 log items · 57 messages · 2 files"
    assert _column(model, ImportColumn.SOURCE)[1] == "chats.json [2]"
    assert _column(model, ImportColumn.COUNTS)[3] == ""


def test_v2_nothing_in_the_model_is_markup_or_more_than_a_line(theme: Theme) -> None:
    model = ImportModel(theme, [item(ImportClass.TAKEN, HOSTILE, id=HOSTILE, reason=HOSTILE)])
    for column in ImportColumn:
        text = str(model.data(model.index(0, column)))
        assert "\n" not in text and "\u202e" not in text and len(text) <= 200
        tip = str(model.data(model.index(0, column), Qt.ItemDataRole.ToolTipRole) or "")
        assert "<b>" not in tip


def test_only_what_can_come_in_has_a_tick(theme: Theme) -> None:
    model = ImportModel(theme, items())
    ticks = [model.data(model.index(row, 0), Qt.ItemDataRole.CheckStateRole) for row in range(5)]
    assert ticks == [Qt.CheckState.Checked] * 3 + [None, None]
    assert not model.setData(model.index(4, 0), Qt.CheckState.Checked, Qt.ItemDataRole.CheckStateRole)


def test_the_button_counts_what_would_really_come_in(theme: Theme, qtbot: QtBot) -> None:
    dialog = ImportDialog(theme, items())
    qtbot.addWidget(dialog)
    assert dialog.import_button.text() == "Import 1 chat"
    dialog.conflict.setCurrentIndex(2)
    assert dialog.import_button.text() == "Import 2 chats"
    model = dialog.model
    model.setData(model.index(0, 0), Qt.CheckState.Unchecked, Qt.ItemDataRole.CheckStateRole)
    assert dialog.import_button.text() == "Import 1 chat"
    model.tick_all(False)
    assert not dialog.import_button.isEnabled()
    model.tick_all(True)
    assert [found.kind for found in dialog.choice.items] == [ImportClass.NEW, ImportClass.SAME, ImportClass.TAKEN]
    assert dialog.choice.on_conflict is OnConflict.KEEP_BOTH


def test_unticked_items_are_not_in_the_choice(theme: Theme, qtbot: QtBot) -> None:
    dialog = ImportDialog(theme, items(), on_conflict=OnConflict.UPDATE)
    qtbot.addWidget(dialog)
    model = dialog.model
    model.setData(model.index(1, 0), Qt.CheckState.Unchecked, Qt.ItemDataRole.CheckStateRole)
    assert [found.kind for found in dialog.choice.items] == [ImportClass.NEW, ImportClass.TAKEN]
    assert dialog.choice.on_conflict is OnConflict.UPDATE


def test_the_detail_names_reason_remarks_and_what_is_left_out(theme: Theme, qtbot: QtBot) -> None:
    dialog = ImportDialog(theme, items())
    qtbot.addWidget(dialog)
    text = dialog.detail.toPlainText()
    assert "It is new." in text
    assert "/home/somebody/chats.json" in text
    assert "The log starts at item 812." in text
    assert "2 files of the folder are left out:" in text
    assert "notes.exe: not a file of a chat" in text
    assert "\u202e" not in text
    dialog.table.setCurrentIndex(dialog.model.index(3, 0))
    assert "line 1, column 2961" in dialog.detail.toPlainText()


@pytest.mark.parametrize("found", [[], items()[3:]])
def test_nothing_to_import_is_explained(found: list[object], theme: Theme, qtbot: QtBot) -> None:
    dialog = ImportDialog(theme, found)  # type: ignore[arg-type]
    qtbot.addWidget(dialog)
    dialog.show()
    assert dialog.heading.text() == "Nothing here can be imported"
    assert dialog.lead.text()
    assert not dialog.import_button.isVisible()
    assert dialog.cancel.text() == "Close"


def test_two_thousand_items_are_shown_at_once(theme: Theme, qtbot: QtBot) -> None:
    dialog = ImportDialog(theme, [item(title=f"Chat {number}") for number in range(2000)])
    qtbot.addWidget(dialog)
    dialog.show()
    assert dialog.import_button.text() == "Import 2,000 chats"
