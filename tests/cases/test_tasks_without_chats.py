"""Scheduled tasks are known whether their chats are there or not, and a broken file of them harms no chat."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from chat_archive.core import scheduler_tasks
from chat_archive.core.archive import Archive
from chat_archive.core.deletion import DeleteChoices
from chat_archive.core.entities import Folder
from tests.builders import age, snapshot

pytestmark = pytest.mark.shared


def test_both_tasks_are_known_and_which_chat_is_there(case_input: Callable[[str], Path]) -> None:
    root = case_input("tasks-without-chats") / "usr" / "chats"
    tasks = scheduler_tasks.read(root)
    assert [(task.name, (root / task.chat).is_dir()) for task in tasks.tasks] == [
        ("Water list", True),
        ("Bake list", False),
    ]
    assert tasks.bound_to({"Solo0001"}) == ()


def test_a_tasks_file_that_is_not_readable_leaves_the_chats_as_they_are(case_input: Callable[[str], Path]) -> None:
    root = case_input("tasks-without-chats") / "usr" / "chats"
    path = root.parent / "scheduler" / "tasks.json"
    path.write_bytes(b'{"tasks": [{"uuid"')
    age(path)
    before = snapshot(root.parent)
    archive = Archive.open(root)
    assert {row.folder for row in archive.scan()} == {"Solo0001", "TaskAAAA"}
    assert "cannot be read" in archive.plan_deletion([Folder("TaskAAAA")]).tasks_problem
    assert snapshot(root.parent) == before
    result = archive.delete([Folder("TaskAAAA")], DeleteChoices(tasks="remove"))
    assert result.items[0].ok
    assert path.read_bytes() == b'{"tasks": [{"uuid"'
