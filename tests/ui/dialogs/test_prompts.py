"""The real questions give the answer that was clicked; the fake has the same face."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog
from pytestqt.qtbot import QtBot

from chat_archive.core.entities import OnConflict
from chat_archive.core.settings import Settings
from chat_archive.ui.dialogs.import_dialog import ImportDialog
from chat_archive.ui.dialogs.rename_dialog import RenameDialog
from chat_archive.ui.prompts import Prompts, QtPrompts
from chat_archive.ui.theme import Theme
from tests.fakes import FakePrompts
from tests.ui.dialogs.samples import entries, found, items, row, rows


def _answer(act: Callable[[QDialog], None]) -> None:
    """Act on the next dialog as soon as it runs."""

    def find() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, QDialog)
        act(dialog)

    QTimer.singleShot(0, find)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(export_folder=str(tmp_path), import_conflict="keep-both")


@pytest.fixture
def prompts(theme: Theme, settings: Settings) -> QtPrompts:
    return QtPrompts(theme, lambda: settings)


def test_yes_and_no(prompts: QtPrompts, qtbot: QtBot) -> None:
    for ask in (
        lambda: prompts.confirm_trash(rows(3)),
        lambda: prompts.confirm_remove_messages(rows(3)),
        lambda: prompts.confirm_empty(entries()),
        lambda: prompts.confirm_convert(items()),
    ):
        _answer(QDialog.accept)
        assert ask()
        _answer(QDialog.reject)
        assert not ask()


def test_nothing_to_ask_about_asks_nothing(prompts: QtPrompts) -> None:
    assert not prompts.confirm_trash([])
    assert not prompts.confirm_remove_messages([])
    assert not prompts.confirm_empty([])
    assert prompts.choose_export_target([]) is None


def test_one_chat_may_go_unasked_but_never_two(prompts: QtPrompts, settings: Settings) -> None:
    settings.confirm_trash = False
    assert prompts.confirm_trash(rows(1))
    _answer(QDialog.reject)
    assert not prompts.confirm_trash(rows(2))


def test_the_new_name_is_what_was_typed(prompts: QtPrompts) -> None:
    def rename(dialog: QDialog) -> None:
        assert isinstance(dialog, RenameDialog)
        dialog.set_name("Another")
        dialog.accept()

    _answer(rename)
    assert prompts.new_name(row()) == "Another"
    _answer(QDialog.reject)
    assert prompts.new_name(row()) is None


def test_import_starts_with_the_choice_of_the_settings(prompts: QtPrompts) -> None:
    def check(dialog: QDialog) -> None:
        assert isinstance(dialog, ImportDialog)
        dialog.accept()

    _answer(check)
    choice = prompts.review_import(items())
    assert choice is not None
    assert choice.on_conflict is OnConflict.KEEP_BOTH
    assert len(choice.items) == 3


def test_roots_and_export_target(prompts: QtPrompts, tmp_path: Path) -> None:
    _answer(QDialog.accept)
    assert prompts.choose_among(found()) == found()[:2]
    _answer(QDialog.reject)
    assert prompts.choose_among(found()) == []
    _answer(QDialog.accept)
    choice = prompts.choose_export_target(rows(2))
    assert choice is not None and choice.to == tmp_path and not choice.overwrite


def test_files_and_folders(prompts: QtPrompts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", staticmethod(lambda *args, **more: "/data/usr/chats"))
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", staticmethod(lambda *args, **more: (["/a.json"], "")))
    assert prompts.choose_root() == Path("/data/usr/chats")
    assert prompts.choose_import_folder() == [Path("/data/usr/chats")]
    assert prompts.choose_import_files() == [Path("/a.json")]
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", staticmethod(lambda *args, **more: ""))
    assert prompts.choose_root() is None
    assert prompts.choose_import_folder() == []


@pytest.mark.parametrize("kind", [QtPrompts, FakePrompts])
def test_real_and_fake_have_the_face_of_prompts(kind: type) -> None:
    for name, wanted in inspect.getmembers(Prompts, inspect.isfunction):
        if name.startswith("_"):
            continue
        there = inspect.signature(getattr(kind, name))
        assert list(there.parameters) == list(inspect.signature(wanted).parameters), name
