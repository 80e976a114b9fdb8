"""Every command is declared once, complete, reachable by one key of its own, and enabled by one function."""

from __future__ import annotations

from collections import Counter

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from chat_archive.ui.actions import SPECS, ActionId, Actions, Needs, Situation, allowed
from chat_archive.ui.resources import resource
from chat_archive.ui.theme import Theme


def test_every_action_is_declared_and_complete() -> None:
    assert set(SPECS) == set(ActionId)
    for action_id, spec in SPECS.items():
        assert spec.text.replace("&", ""), action_id
        assert spec.text.count("&") == 1, action_id
        assert len(spec.tip) > 8, action_id
        assert QKeySequence(spec.key).count() == 1, action_id
        if spec.icon:
            assert resource("icons", f"{spec.icon}.svg").is_file(), spec.icon


def test_no_two_actions_share_a_key() -> None:
    keys = Counter(QKeySequence(spec.key).toString() for spec in SPECS.values())
    assert [key for key, count in keys.items() if count > 1] == []


def test_qactions_carry_name_tip_and_key(qtbot: QtBot, theme: Theme) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    actions = Actions(theme, window)
    assert len(window.actions()) == len(SPECS)
    for _id, action in actions:
        assert action.text()
        assert action.statusTip()
        assert not action.shortcut().isEmpty()
        assert action.objectName()


def test_without_an_open_folder_nothing_that_changes_chats_is_offered() -> None:
    offered = {action_id for action_id, spec in SPECS.items() if allowed(spec.needs, Situation())}
    assert ActionId.OPEN in offered
    assert ActionId.QUIT in offered
    for action_id in (ActionId.MOVE_TO_TRASH, ActionId.RENAME, ActionId.IMPORT_FILES, ActionId.UNDO, ActionId.REFRESH):
        assert action_id not in offered


@pytest.mark.parametrize(
    ("change", "lost"),
    [
        ({"selected_changeable": False}, {ActionId.MOVE_TO_TRASH, ActionId.RENAME, ActionId.REMOVE_MESSAGES}),
        ({"writable": False}, {ActionId.IMPORT_FILES, ActionId.IMPORT_FOLDER, ActionId.PASTE, ActionId.CONVERT}),
        ({"selected_readable": False}, {ActionId.RENAME}),
        ({"selected": 2}, {ActionId.RENAME, ActionId.FIND, ActionId.SHOW_IN_FILES, ActionId.OPEN_CHAT}),
        ({"undo_text": ""}, {ActionId.UNDO}),
        ({"in_trash": True}, {ActionId.MOVE_TO_TRASH, ActionId.EXPORT, ActionId.SELECT_ALL, ActionId.RENAME}),
        ({"jobs": 0}, {ActionId.STOP}),
    ],
)
def test_a_missing_need_takes_its_commands_away(change: dict[str, object], lost: set[ActionId]) -> None:
    full: dict[str, object] = {
        "roots": 1,
        "writable": True,
        "rows": 3,
        "selected": 1,
        "selected_changeable": True,
        "selected_readable": True,
        "undo_text": "x",
        "redo_text": "y",
        "flat_files": 1,
        "jobs": 1,
    }
    assert all(allowed(spec.needs, Situation(**full)) for spec in SPECS.values())  # type: ignore[arg-type]
    now = Situation(**{**full, **change})  # type: ignore[arg-type]
    assert lost <= {action_id for action_id, spec in SPECS.items() if not allowed(spec.needs, now)}


def test_damaged_chats_can_still_be_trashed_and_exported() -> None:
    now = Situation(roots=1, writable=True, rows=1, selected=1, selected_changeable=True, selected_readable=False)
    assert allowed(SPECS[ActionId.MOVE_TO_TRASH].needs, now)
    assert allowed(SPECS[ActionId.EXPORT].needs, now)
    assert not allowed(Needs.READABLE, now)


def test_undo_says_what_it_would_take_back(qtbot: QtBot, theme: Theme) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    actions = Actions(theme, window)
    actions.update(Situation(roots=1, undo_text="Move 3 chats & more to Trash"))
    assert actions[ActionId.UNDO].text() == "&Undo Move 3 chats && more to Trash"
    assert actions[ActionId.UNDO].isEnabled()
    actions.update(Situation(roots=1))
    assert actions[ActionId.UNDO].text() == "&Undo"
    assert not actions[ActionId.UNDO].isEnabled()
