"""A person lets chats go in the window: sees what goes, is told what comes back and what is past its date."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from chat_archive.core.archive import Archive
from chat_archive.core.deletion import DeleteChoices
from chat_archive.core.entities import Folder
from chat_archive.ui.trash_keeper import TrashKeeper
from tests.builders import chat, make_root, put
from tests.core.operations.letting_go import queue, with_ids
from tests.journeys.conftest import Opener


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = make_root(tmp_path)
    put(root, "Chat0001", with_ids("Chat0001", "resp_a", name="Tide gauge"))
    return root


def test_the_question_gets_the_whole_plan_and_the_choice_is_done_and_remembered(
    open_window: Opener, root: Path
) -> None:
    desk = open_window(root)
    desk.choose("Chat0001")
    desk.settle()
    desk.prompts.deletion = DeleteChoices(for_good=True, provider="keep")
    desk.do("move_to_trash")
    assert [set(plan.stored()) for plan in desk.prompts.plans] == [{"resp_a"}]
    assert desk.folders == {"Chat0000", "Chat0002"}
    assert desk.window.trash_entries() == []
    workspace = desk.window.roots.sessions[0].archive.workspace
    assert all(queue(workspace).values())
    settings = desk.window.choices.settings
    assert (settings.delete_for_good, settings.provider_responses) == (True, "keep")


def test_d79_a_chat_the_host_saves_again_is_told_and_goes_again_with_one_click(open_window: Opener, root: Path) -> None:
    desk = open_window(root)
    desk.choose("Chat0001")
    desk.settle()
    desk.do("move_to_trash")
    assert desk.messages.offers == []
    put(root, "Chat0001", with_ids("Chat0001", "resp_a", name="Tide gauge"))
    desk.do("refresh")
    desk.qtbot.waitUntil(lambda: len(desk.messages.offers) == 1, timeout=5000)
    assert "saved 1 deleted chat again: “Tide gauge”" in desk.messages.notices[-1]
    assert "Chat0001" in desk.folders
    desk.do("refresh")
    assert len(desk.messages.offers) == 1, "told once"
    desk.messages.offers[0][1]()
    desk.settle()
    assert "Chat0001" not in desk.folders
    assert len(desk.window.trash_entries()) == 2


def test_undo_is_no_coming_back(open_window: Opener, root: Path) -> None:
    desk = open_window(root)
    desk.choose("Chat0001")
    desk.settle()
    desk.do("move_to_trash")
    desk.do("undo")
    desk.do("refresh")
    assert desk.messages.offers == []


def test_d3_what_is_past_its_date_is_named_first_and_erased_later(open_window: Opener, root: Path) -> None:
    with Archive.open(root) as archive:
        archive.trash([Folder("Chat0001")])
        when = datetime.now(UTC) - timedelta(days=31)
        for record in archive.workspace.trash_folder.glob("*/record.json"):
            record.write_text(json.dumps(json.loads(record.read_bytes()) | {"at": when.isoformat()}))
            record.parent.rename(record.parent.with_name(f"{when:%Y%m%d-%H%M%S}-00000000"))
    desk = open_window(root)
    desk.qtbot.waitUntil(lambda: bool(desk.messages.notices), timeout=5000)
    assert (
        "1 chat in the trash is past its date and will be erased in 10 min: “Tide gauge”." in desk.messages.notices[0]
    )
    assert len(desk.window.trash_entries()) == 1
    window = desk.window
    keeper = TrashKeeper(window.roots, window.runner, desk.messages, window.changes.trash_again, window, grace_ms=0)
    keeper.look_for_due(window.roots.sessions[0])
    desk.qtbot.waitUntil(lambda: bool(desk.messages.results), timeout=5000)
    desk.settle()
    assert desk.messages.results[0].verb == "erase"
    assert window.trash_entries() == []
    QApplication.processEvents()


def test_a_chat_that_changed_while_the_question_was_open_is_asked_for_again(open_window: Opener, root: Path) -> None:
    desk = open_window(root)
    desk.choose("Chat0001")
    desk.settle()
    prompts = desk.prompts
    asked = prompts.choose_deletion

    def host_saves_meanwhile(rows: object, plans: object) -> object:
        answer = asked(rows, plans)  # type: ignore[arg-type]
        if len(prompts.asked) == 1:
            put(root, "Chat0001", chat("Chat0001", "Tide gauge", words=["a"] * 6))
        return answer

    prompts.choose_deletion = host_saves_meanwhile  # type: ignore[method-assign,assignment]
    desk.do("move_to_trash")
    desk.settle()
    assert prompts.questions == ["choose_deletion", "choose_deletion"]
    assert "“Tide gauge” was changed since it was shown (now 6 log items)" in desk.messages.notices[-1]
    entry = desk.window.trash_entries()[0]
    assert len(json.loads((entry.path / "chat.json").read_bytes())["log"]["logs"]) == 6
