"""Scheduled tasks are found by the chat they are bound to, taken out and put back with every other byte kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chat_archive.core import scheduler_tasks
from chat_archive.core.errors import UnreadableError
from chat_archive.core.workspace import Workspace
from tests.builders import age, make_root

ODD = (
    b'{ "version": 7,\r\n "tasks": [\n  {"uuid": "One", "context_id": "Chat0001", "name": "A", "x": 1.50},\n'
    b'  {"uuid":"Two","name":"B","nested":{"tasks":[1,2]},"big":12345678901234567890},\n'
    b'  "no task", {"uuid": "Three", "context_id": "Chat0001", "name": "C"}\n ], "more": [NaN] }\n'
)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace.open(make_root(tmp_path))


def put_raw(workspace: Workspace, data: bytes) -> Path:
    path = workspace.root.parent / "scheduler" / "tasks.json"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)
    age(path)
    return path


def test_a_task_belongs_to_the_chat_it_names_else_to_that_of_its_own_id(workspace: Workspace) -> None:
    put_raw(workspace, ODD)
    tasks = scheduler_tasks.read(workspace.root)
    assert [t.uuid for t in tasks.bound_to({"Chat0001"})] == ["One", "Three"]
    assert [t.uuid for t in tasks.bound_to({"Two"})] == ["Two"]
    assert tasks.problem == ""


def test_taking_tasks_out_keeps_every_byte_of_the_others(workspace: Workspace) -> None:
    path = put_raw(workspace, ODD)
    taken = scheduler_tasks.remove(workspace, {"One", "Three", "nobody"})
    assert [t.name for t in taken] == ["A", "C"]
    assert path.read_bytes() == (
        b'{ "version": 7,\r\n "tasks": [\n  {"uuid":"Two","name":"B","nested":{"tasks":[1,2]},'
        b'"big":12345678901234567890},\n  "no task"\n ], "more": [NaN] }\n'
    )


def test_put_back_they_are_there_once_with_their_unknown_keys(workspace: Workspace) -> None:
    path = put_raw(workspace, ODD)
    taken = scheduler_tasks.remove(workspace, {"One", "Three"})
    for _ in range(2):
        scheduler_tasks.put_back(workspace, [t.raw for t in taken])
    tasks = json.loads(path.read_bytes())["tasks"]
    assert [t["uuid"] for t in tasks if isinstance(t, dict)] == ["Two", "One", "Three"]
    assert b'"x": 1.50' in path.read_bytes()


def test_the_last_task_can_go_and_come_back(workspace: Workspace) -> None:
    path = put_raw(workspace, b'{"tasks": [{"uuid": "One"}]}')
    taken = scheduler_tasks.remove(workspace, {"One"})
    assert path.read_bytes() == b'{"tasks": []}'
    scheduler_tasks.put_back(workspace, [taken[0].raw])
    assert path.read_bytes() == b'{"tasks": [{"uuid": "One"}]}'


def test_a_bare_list_of_an_old_version_is_understood(workspace: Workspace) -> None:
    path = put_raw(workspace, b'[{"uuid": "One"}, {"uuid": "Two"}]')
    scheduler_tasks.remove(workspace, {"One"})
    assert path.read_bytes() == b'[{"uuid": "Two"}]'


def test_no_file_is_no_tasks_and_makes_nothing(workspace: Workspace) -> None:
    assert scheduler_tasks.read(workspace.root).tasks == ()
    assert scheduler_tasks.remove(workspace, {"One"}) == ()
    assert not (workspace.root.parent / "scheduler").exists()


@pytest.mark.parametrize("data", [b"", b"{", b'{"tasks": 5}', b'{"tasks": [{"uuid": "One"}', b"\xff\xfe", b"[" * 5000])
def test_a_damaged_file_is_told_and_never_changed(workspace: Workspace, data: bytes) -> None:
    path = put_raw(workspace, data)
    assert "cannot be read" in scheduler_tasks.read(workspace.root).problem
    with pytest.raises(UnreadableError):
        scheduler_tasks.remove(workspace, {"One"})
    assert path.read_bytes() == data


def test_a_link_in_the_place_of_the_file_is_not_followed(workspace: Workspace, tmp_path: Path) -> None:
    target = tmp_path / "elsewhere.json"
    target.write_bytes(b'{"tasks": [{"uuid": "One"}]}')
    folder = workspace.root.parent / "scheduler"
    folder.mkdir()
    (folder / "tasks.json").symlink_to(target)
    assert scheduler_tasks.read(workspace.root).problem
    with pytest.raises(UnreadableError):
        scheduler_tasks.remove(workspace, {"One"})
    assert target.read_bytes() == b'{"tasks": [{"uuid": "One"}]}'


def test_an_edit_of_the_tasks_that_a_crash_cut_off_is_settled_at_the_next_start(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The exchange was made and the second look was not: what came out goes, the edit stands."""
    from chat_archive.core import editing

    path = put_raw(workspace, ODD)

    def die(*_: object) -> bool:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(editing._Round, "_displaced_rests", die)
        patch.setattr(editing._Round, "_roll_back", lambda *_: None)
        with pytest.raises(KeyboardInterrupt):
            scheduler_tasks.remove(workspace, {"One"})
    workspace.close()
    again = Workspace.open(workspace.root)
    assert again.notices == ()
    assert list(again.staging.iterdir()) == []
    assert [t.uuid for t in scheduler_tasks.read(again.root).tasks] == ["Two", "Three"]
    assert path.exists()


@pytest.mark.parametrize(
    ("schedule", "words"),
    [
        ({"minute": "0", "hour": "8", "day": "*", "month": "*", "weekday": "1"}, "every Monday 08:00"),
        ({"minute": "30", "hour": "7"}, "every day 07:30"),
        ({"minute": "*/5", "hour": "*", "day": "*", "month": "*", "weekday": "*"}, "*/5 * * * *"),
        ("daily", ""),
        (None, ""),
        ({"minute": "61", "hour": "99"}, "61 99 * * *"),
    ],
)
def test_a_schedule_is_said_in_words_where_it_is_plain(schedule: object, words: str) -> None:
    assert scheduler_tasks.schedule_text({"schedule": schedule}) == words
