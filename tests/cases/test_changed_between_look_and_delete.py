"""A chat that was written between looking and deleting is told, asked for again, and its newer version is what goes."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from chat_archive.core.archive import Archive
from chat_archive.core.deletion import DeleteChoices
from chat_archive.core.entities import Folder
from tests.cases.window_of import (  # noqa: F401 - fixtures
    _nothing_left_running,
    case_root,
    open_window,
    theme,
)
from tests.journeys.conftest import Opener

pytestmark = pytest.mark.shared
CHAT = Folder("Race0001")


@pytest.mark.parametrize("choices", [DeleteChoices(), DeleteChoices(for_good=True)])
def test_it_is_left_alone_and_the_sentence_says_that_it_changed(
    case_input: Callable[[str], Path], choices: DeleteChoices
) -> None:
    base = case_input("changed-between-look-and-delete")
    archive = Archive.open(base / "first" / "usr" / "chats")
    seen = archive.plan_deletion([CHAT]).seen
    shutil.copyfile(base / "second/usr/chats/Race0001/chat.json", archive.root / CHAT / "chat.json")
    assert [row.log_items for row in archive.changed_since(seen)] == [6]
    item = archive.delete([CHAT], choices, seen=seen).items[0]
    assert not item.ok
    assert "changed since you looked" in item.text
    assert (archive.root / CHAT / "chat.json").exists()


def test_in_the_window_it_is_asked_again_and_the_trashed_copy_is_the_newer_one(
    open_window: Opener,  # noqa: F811
    shared: Path,
    tmp_path: Path,
) -> None:
    root = case_root(shared, tmp_path, "changed-between-look-and-delete", "first/usr/chats")
    newer = root.parents[2] / "second/usr/chats/Race0001/chat.json"
    desk = open_window(root)
    desk.choose("Race0001")
    desk.settle()
    shutil.copyfile(newer, root / CHAT / "chat.json")
    asked = desk.prompts.choose_deletion

    def with_the_rows_that_were_shown(rows, plans):  # type: ignore[no-untyped-def]
        answer = asked(rows, plans)
        return type(answer)(answer.choices, ()) if len(desk.prompts.asked) == 1 else answer

    desk.prompts.choose_deletion = with_the_rows_that_were_shown  # type: ignore[method-assign]
    desk.do("move_to_trash")
    desk.settle()
    assert desk.prompts.questions == ["choose_deletion"] * 2
    assert any("now 6 log items" in text for text in desk.messages.notices)
    entry = desk.window.trash_entries()[0]
    assert json.loads((entry.path / "chat.json").read_bytes()) == json.loads(newer.read_bytes())
