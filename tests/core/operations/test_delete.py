"""Letting chats go, with what was chosen for responses and tasks: to the trash, for good, back, after crashes."""

from __future__ import annotations

import errno
import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from chat_archive.core import files, scheduler_tasks
from chat_archive.core.archive import Archive
from chat_archive.core.deletion import DeleteChoices
from chat_archive.core.entities import Folder
from chat_archive.core.errors import ArchiveError, Cancelled, StorageError
from chat_archive.core.operations import erase_steps
from chat_archive.core.provider import outbox
from tests.builders import age, chat, make_root, put, snapshot
from tests.core.operations.letting_go import QUIET, agent, encoded, names, of, put_tasks, queue, task, with_ids

TRASH = DeleteChoices()
GOOD = DeleteChoices(for_good=True)


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    root = make_root(tmp_path)
    put(root, "Chat0001", with_ids("Chat0001", encoded("resp_a"), "resp_b", name="First"))
    put(root, "Chat0002", with_ids("Chat0002", "resp_c", name="Second"))
    return Archive.open(root)


def again(archive: Archive) -> Archive:
    """The archive opened by the next start of the program."""
    archive.close()
    return Archive.open(archive.root)


def tasks_of(archive: Archive) -> list[str]:
    path = archive.root.parent / "scheduler" / "tasks.json"
    return [t["uuid"] for t in json.loads(path.read_bytes())["tasks"]]


# what becomes of responses


def test_for_good_every_id_is_in_the_queue_once_and_the_chats_are_gone(archive: Archive) -> None:
    result = archive.delete(of("Chat0001", "Chat0002"), GOOD)
    assert [item.ok for item in result.items] == [True, True]
    assert result.changes.removed == {"Chat0001", "Chat0002"}
    assert queue(archive.workspace) == {
        ("Chat0001", "resp_a"): "",
        ("Chat0001", "resp_b"): "",
        ("Chat0002", "resp_c"): "",
    }
    assert len(outbox.entries(archive.workspace)) == 3
    assert names(archive.root) == ["Chat0000"]
    assert list(archive.workspace.purge_folder.iterdir()) == []


def test_keeping_them_is_noted_with_each_id(archive: Archive) -> None:
    archive.delete(of("Chat0001"), replace(GOOD, provider="keep"))
    assert set(queue(archive.workspace).values()) == {"You chose to keep the responses of this chat at the provider."}
    assert {r["decision"] for r in outbox.entries(archive.workspace)} == {"keep"}


def test_d64_a_response_another_chat_uses_is_kept_unless_said_otherwise(archive: Archive) -> None:
    put(archive.root, "Branch01", with_ids("Branch01", "resp_b", name="Tide (branch)"))
    put(archive.root, "Branch02", with_ids("Branch02", "resp_c"))
    archive.delete(of("Chat0001"), GOOD)
    archive.delete(of("Chat0002"), replace(GOOD, keep_shared=False))
    found = queue(archive.workspace)
    assert found["Chat0001", "resp_a"] == ""
    assert "“Tide (branch)”" in found["Chat0001", "resp_b"]
    assert found["Chat0002", "resp_c"] == ""


def test_d64_both_chats_gone_together_the_shared_response_goes(archive: Archive) -> None:
    put(archive.root, "Branch01", with_ids("Branch01", "resp_b"))
    archive.delete(of("Chat0001", "Branch01"), GOOD)
    assert queue(archive.workspace)["Chat0001", "resp_b"] == ""


def test_d77_a_flag_at_a_sub_agent_keeps_all_and_can_be_overruled(archive: Archive) -> None:
    for name in ("Flag0001", "Flag0002"):
        agents = [agent(f"resp_{name}"), agent(number=1, responses_delete_on_chat_delete=False)]
        put(archive.root, name, chat(name, agents=agents))
    archive.delete(of("Flag0001"), GOOD)
    archive.delete(of("Flag0002"), replace(GOOD, overrule=True))
    found = queue(archive.workspace)
    assert "agent 1" in found["Flag0001", "resp_Flag0001"]
    assert found["Flag0002", "resp_Flag0002"] == ""


def test_d72_what_is_not_stored_is_never_to_be_deleted(archive: Archive) -> None:
    put(archive.root, "Local001", with_ids("Local001", "chatcmpl-x", encoded("gen-y")))
    archive.delete(of("Local001"), replace(GOOD, overrule=True, keep_shared=False))
    assert all(queue(archive.workspace).values())


def test_the_choice_of_trashing_holds_when_the_trash_is_emptied(archive: Archive) -> None:
    archive.delete(of("Chat0001"), replace(TRASH, provider="keep"))
    archive.delete(of("Chat0002"), TRASH)
    assert queue(archive.workspace) == {}
    archive = again(archive)
    archive.empty_trash()
    found = queue(archive.workspace)
    assert found["Chat0001", "resp_a"].startswith("You chose to keep")
    assert found["Chat0002", "resp_c"] == ""


def test_a_chat_in_the_trash_keeps_what_it_shares_with_one_that_goes(archive: Archive) -> None:
    put(archive.root, "Branch01", with_ids("Branch01", "resp_c", name="Later wanted"))
    archive.delete(of("Branch01"), TRASH)
    archive.delete(of("Chat0002"), GOOD)
    assert "“Later wanted” (Branch01) in the trash" in queue(archive.workspace)["Chat0002", "resp_c"]


def test_without_its_record_nobody_knows_what_was_chosen_so_responses_are_kept(archive: Archive) -> None:
    archive.delete(of("Chat0001"), TRASH)
    record = next(archive.workspace.trash_folder.glob("*/record.json"))
    record.write_bytes(b"{broken")
    archive.empty_trash()
    assert all("not known any more" in why for why in queue(archive.workspace).values())


def test_at_trashing_the_ids_are_queued_then_and_not_again_at_emptying(archive: Archive) -> None:
    result = archive.delete(of("Chat0001"), replace(TRASH, cascade_when="trashing"))
    assert any("2 responses are in the queue" in remark for remark in result.remarks)
    assert queue(archive.workspace) == {("Chat0001", "resp_a"): "", ("Chat0001", "resp_b"): ""}
    archive.empty_trash()
    assert len(outbox.entries(archive.workspace)) == 2


def test_a_chat_that_comes_back_takes_its_wishes_back_and_going_again_makes_them_anew(archive: Archive) -> None:
    archive.delete(of("Chat0001"), replace(TRASH, cascade_when="trashing"))
    archive.undo()
    assert all("brought back" in why for why in queue(archive.workspace).values())
    archive.redo()
    assert set(queue(archive.workspace).values()) == {""}
    archive.undo()
    archive.delete(of("Chat0001"), TRASH)
    archive.empty_trash()
    assert set(queue(archive.workspace).values()) == {""}


# scheduled tasks


def test_bound_tasks_go_with_the_chat_and_come_back_with_undo(archive: Archive) -> None:
    put_tasks(archive.root, task("T1", "Chat0001", schedule={"minute": "0"}), task("T2", "Chat0002"), version=3)
    before = json.loads((archive.root.parent / "scheduler" / "tasks.json").read_bytes())
    result = archive.delete(of("Chat0001"), replace(TRASH, tasks="remove"))
    assert result.remarks == ("The scheduled task “Weekly report” was removed.",)
    assert tasks_of(archive) == ["T2"]
    archive.undo()
    after = json.loads((archive.root.parent / "scheduler" / "tasks.json").read_bytes())
    assert sorted(after.pop("tasks"), key=lambda t: t["uuid"]) == before.pop("tasks")
    assert after == before
    archive.redo()
    assert tasks_of(archive) == ["T2"]


def test_they_stay_unless_chosen(archive: Archive) -> None:
    put_tasks(archive.root, task("T1", "Chat0001"))
    archive.delete(of("Chat0001"), TRASH)
    archive.delete(of("Chat0002"), GOOD)
    assert tasks_of(archive) == ["T1"]


def test_for_good_they_go_too(archive: Archive) -> None:
    put_tasks(archive.root, task("T1", "Chat0001"), task("T2"))
    assert archive.delete(of("Chat0001"), replace(GOOD, tasks="remove")).remarks
    assert tasks_of(archive) == ["T2"]


def test_tasks_that_cannot_be_read_stop_no_deletion_and_are_told(archive: Archive) -> None:
    path = put_tasks(archive.root)
    path.write_bytes(b"{")
    age(path)
    for folder, choices in (("Chat0001", TRASH), ("Chat0002", GOOD)):
        result = archive.delete(of(folder), replace(choices, tasks="remove"))
        assert result.items[0].ok
    assert names(archive.root) == ["Chat0000"]
    assert path.read_bytes() == b"{"


def test_a_task_whose_id_is_taken_again_is_not_overwritten(archive: Archive) -> None:
    put_tasks(archive.root, task("T1", "Chat0001", "Old"))
    archive.delete(of("Chat0001"), replace(TRASH, tasks="remove"))
    put_tasks(archive.root, task("T1", "Chat0001", "New"))
    archive.undo()
    assert b'"New"' in (archive.root.parent / "scheduler" / "tasks.json").read_bytes()
    assert tasks_of(archive) == ["T1"]


@pytest.mark.parametrize("choices", [TRASH, GOOD])
def test_tasks_that_cannot_be_removed_now_are_a_failed_item_and_go_at_the_next_start(
    archive: Archive, choices: DeleteChoices, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_tasks(archive.root, task("T1", "Chat0001"), task("T2"))

    def broken(*_: object, **__: object) -> None:
        raise StorageError("The disk reported an error.")

    with monkeypatch.context() as patch:
        patch.setattr(scheduler_tasks, "remove", broken)
        result = archive.delete(of("Chat0001"), replace(choices, tasks="remove"))
    assert [item.ok for item in result.items] == [True, False]
    assert "tried again" in result.failed[0].text
    assert tasks_of(archive) == ["T1", "T2"]
    archive = again(archive)
    assert tasks_of(archive) == ["T2"]


# what may not happen


@pytest.mark.parametrize("choices", [TRASH, GOOD])
@pytest.mark.parametrize("bad", ["", " ", ".", "..", "../victim", "/abs", "a/b", "a\\b", "a\0", ".chat-archive"])
def test_d07_d08_d09_a_bad_id_is_a_failed_item_and_the_others_go(
    archive: Archive, bad: str, choices: DeleteChoices
) -> None:
    (archive.root.parent / "victim").mkdir()
    result = archive.delete(of(bad, "Chat0001"), choices)
    assert sorted(item.ok for item in result.items) == [False, True]
    assert (archive.root.parent / "victim").is_dir()
    assert names(archive.root) == ["Chat0000", "Chat0002"]


@pytest.mark.parametrize("choices", [TRASH, GOOD])
def test_d10_of_a_link_only_the_link_goes(archive: Archive, tmp_path: Path, choices: DeleteChoices) -> None:
    target = put(tmp_path / "else", "X", with_ids("X", "resp_elsewhere"))
    before = snapshot(tmp_path / "else")
    (archive.root / "Linked00").symlink_to(target.parent)
    assert archive.delete(of("Linked00"), choices).items[0].ok
    assert not (archive.root / "Linked00").is_symlink()
    assert snapshot(tmp_path / "else") == before
    assert queue(archive.workspace) == {}


def test_d11_what_the_system_refuses_is_told_stays_whole_and_keeps_its_responses(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = files.move_at

    def refuse(source: files.Place, old: str, target: files.Place, new: str) -> None:
        if old == "Chat0001":
            raise PermissionError(errno.EACCES, "no")
        real(source, old, target, new)

    monkeypatch.setattr(files, "move_at", refuse)
    result = archive.delete(of("Chat0001", "Chat0002"), GOOD)
    assert {item.item: item.ok for item in result.items} == {"First": False, "Second": True}
    assert (archive.root / "Chat0001" / "chat.json").exists()
    assert {key: bool(why) for key, why in queue(archive.workspace).items()} == {
        ("Chat0001", "resp_a"): True,
        ("Chat0001", "resp_b"): True,
        ("Chat0002", "resp_c"): False,
    }


@pytest.mark.parametrize(
    "data", [b"[]", b"5", b'{"agents": 5}', b'{"agents": [{"data": {"responses_state": {"response_ids": 5}}}]}', b""]
)
@pytest.mark.parametrize("choices", [TRASH, GOOD])
def test_d74_a_chat_of_any_shape_can_go(archive: Archive, data: bytes, choices: DeleteChoices) -> None:
    put(archive.root, "Odd00000", data)
    assert archive.delete(of("Odd00000"), choices).items[0].ok
    assert not (archive.root / "Odd00000").exists()


def test_d75_ids_of_a_damaged_chat_are_found_by_pattern_and_the_item_says_so(archive: Archive) -> None:
    put(archive.root, "Bad00000", b'{"agents": [{"data": {"responses_state": {"response_ids": ["resp_lost"')
    assert "incomplete" in archive.delete(of("Bad00000"), GOOD).items[0].text
    assert [(r["id"], r["certain"]) for r in outbox.entries(archive.workspace)] == [("resp_lost", False)]


@pytest.mark.parametrize("choices", [TRASH, GOOD])
def test_a_chat_that_changed_since_it_was_looked_at_is_left_alone(archive: Archive, choices: DeleteChoices) -> None:
    seen = archive.plan_deletion(of("Chat0001", "Chat0002")).seen
    put(archive.root, "Chat0001", with_ids("Chat0001", "resp_new"))
    result = archive.delete(of("Chat0001", "Chat0002"), choices, seen=seen)
    assert {str(item.folder): item.ok for item in result.items} == {"Chat0001": False, "Chat0002": True}
    assert "changed since you looked" in result.failed[0].text
    assert (archive.root / "Chat0001").is_dir()


def test_stopped_before_the_first_nothing_is_erased_or_queued(archive: Archive) -> None:
    class StopAtSecond:
        def report(self, done: int, total: int | None = None, item: str = "") -> None:
            if item == "Chat0002":
                raise Cancelled

    result = archive.delete(of("Chat0001", "Chat0002"), GOOD, StopAtSecond())
    assert result.stopped
    assert {str(item.folder) for item in result.items} == {"Chat0001", "Chat0002"}
    assert all(item.skipped for item in result.items)
    assert names(archive.root) == ["Chat0000", "Chat0001", "Chat0002"]
    assert queue(archive.workspace) == {}


def test_d4_the_order_is_journal_queue_folder_removal(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    for name in ("append", "append_synced", "move_at", "fsync_folder", "remove_tree_at"):
        real = getattr(files, name)

        def note(*args: object, _name: str = name, _real: object = real, **kwargs: object) -> object:
            order.append(_name)
            return _real(*args, **kwargs)  # type: ignore[operator]

        monkeypatch.setattr(files, name, note)
    archive.delete(of("Chat0001"), GOOD)
    assert order == ["append", "append_synced", "move_at", "fsync_folder", "fsync_folder", "remove_tree_at", "append"]


def test_the_queue_cannot_be_written_so_nothing_goes(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise StorageError("full")

    monkeypatch.setattr(files, "append_synced", full)
    monkeypatch.setattr(files, "replace_atomic", full)
    with pytest.raises(StorageError):
        archive.delete(of("Chat0001"), GOOD)
    assert (archive.root / "Chat0001" / "chat.json").exists()


# a crash in between


def crash(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def test_d81_what_a_crash_cut_off_after_the_queue_is_finished_at_the_next_start(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_tasks(archive.root, task("T1", "Chat0001"))
    with monkeypatch.context() as patch:
        patch.setattr(erase_steps, "purge", crash)
        with pytest.raises(KeyboardInterrupt):
            archive.delete(of("Chat0001", "Chat0002"), replace(GOOD, tasks="remove"))
    assert (archive.root / "Chat0001").is_dir()
    archive = again(archive)
    assert names(archive.root) == ["Chat0000"]
    assert set(queue(archive.workspace).values()) == {""}
    assert tasks_of(archive) == []
    assert any("is erased now" in notice for notice in archive.notices)
    assert again(archive).notices == ()


def test_d81_a_chat_that_was_used_after_the_crash_stays_and_its_ids_are_taken_back(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(erase_steps, "purge", crash)
        with pytest.raises(KeyboardInterrupt):
            archive.delete(of("Chat0001", "Chat0002"), GOOD)
    put(archive.root, "Chat0001", with_ids("Chat0001", "resp_a", "resp_new", name="Went on"))
    archive = again(archive)
    assert names(archive.root) == ["Chat0000", "Chat0001"]
    found = queue(archive.workspace)
    assert found["Chat0001", "resp_a"] and found["Chat0001", "resp_b"]
    assert found["Chat0002", "resp_c"] == ""
    assert any("changed since" in notice for notice in archive.notices)


def test_a_crash_before_the_queue_changes_nothing(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(erase_steps, "note", crash)
        with pytest.raises(KeyboardInterrupt):
            archive.delete(of("Chat0001"), GOOD)
    archive = again(archive)
    assert (archive.root / "Chat0001" / "chat.json").exists()
    assert queue(archive.workspace) == {}


def test_tasks_and_early_wishes_that_a_crash_cut_off_are_done_at_the_next_start(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    from chat_archive.core.operations import trash

    put_tasks(archive.root, task("T1", "Chat0001"), task("T2"))
    with monkeypatch.context() as patch:
        patch.setattr(trash, "finish_slot", crash)
        with pytest.raises(KeyboardInterrupt):
            archive.delete(of("Chat0001"), replace(TRASH, tasks="remove", cascade_when="trashing"))
    assert tasks_of(archive) == ["T1", "T2"]
    archive = again(archive)
    assert tasks_of(archive) == ["T2"]
    assert set(queue(archive.workspace)) == {("Chat0001", "resp_a"), ("Chat0001", "resp_b")}
    archive.restore([entry.id for entry in archive.trash_entries()])
    assert sorted(tasks_of(archive)) == ["T1", "T2"]


def test_an_emptying_that_a_crash_cut_off_is_finished(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    archive.delete(of("Chat0001", "Chat0002"), TRASH)
    with monkeypatch.context() as patch:
        patch.setattr(erase_steps, "purge", crash)
        with pytest.raises(KeyboardInterrupt):
            archive.empty_trash()
    archive = again(archive)
    assert archive.trash_entries() == []
    assert list(archive.workspace.purge_folder.iterdir()) == []
    assert len(queue(archive.workspace)) == 3


def test_an_emptying_of_which_only_some_ids_were_written_down_forgets_none(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive.delete(of("Chat0001", "Chat0002"), TRASH)
    with monkeypatch.context() as patch:
        patch.setattr(erase_steps, "purge", crash)
        with pytest.raises(KeyboardInterrupt):
            archive.empty_trash()
    path = archive.workspace.private / "outbox.jsonl"
    path.write_bytes(path.read_bytes().split(b"\n")[0] + b"\n")
    archive = again(archive)
    assert archive.trash_entries() == []
    assert len(queue(archive.workspace)) == 3


# what comes back


@pytest.mark.parametrize("choices", [TRASH, GOOD])
def test_d79_a_deleted_chat_that_the_host_saves_again_is_named(archive: Archive, choices: DeleteChoices) -> None:
    archive.delete(of("Chat0001", "Chat0002"), choices)
    assert archive.came_back() == []
    put(archive.root, "Chat0001", with_ids("Chat0001", "resp_a", name="First"))
    back = archive.came_back()
    assert [(one.folder, one.title, one.how) for one in back] == [
        ("Chat0001", "First", "erased" if choices.for_good else "trashed")
    ]
    assert archive.trash(of("Chat0001")).items[0].ok
    assert archive.came_back() == []


def test_d79_the_host_is_faster_than_the_second_look(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    real = files.fsync_folder

    def host_saves(path: Path) -> None:
        real(path)
        if path == archive.root:
            put(archive.root, "Chat0001", with_ids("Chat0001", "resp_a"))

    with monkeypatch.context() as patch:
        patch.setattr(files, "fsync_folder", host_saves)
        result = archive.delete(of("Chat0001"), GOOD)
    assert "in the folder once more" in result.items[0].text
    assert all(queue(archive.workspace).values()), "the chat is there and still needs its responses"
    assert [one.folder for one in archive.came_back()] == ["Chat0001"]


def test_d79_what_the_next_start_finds_back_is_named_too(archive: Archive) -> None:
    archive.delete(of("Chat0001"), TRASH)
    archive = again(archive)
    assert archive.came_back() == []
    put(archive.root, "Chat0001", chat("Chat0001"), when=datetime.now(UTC).timestamp() + 5)
    assert [one.folder for one in archive.came_back()] == ["Chat0001"]
    archive.dismiss_came_back(Folder("Chat0001"))
    assert archive.came_back() == []


def test_d18_a_chat_that_was_brought_back_or_imported_did_not_come_back_by_itself(
    archive: Archive, tmp_path: Path
) -> None:
    archive.delete(of("Chat0001"), TRASH)
    archive.undo()
    assert archive.came_back() == []
    archive.delete(of("Chat0002"), GOOD)
    outside = put(tmp_path / "outside", "Chat0002", with_ids("Chat0002", "resp_c"))
    archive.import_items(archive.preview_import([outside.parent]))
    assert (archive.root / "Chat0002").is_dir()
    assert archive.came_back() == []


# the chat's own flag


@pytest.mark.parametrize(("keep", "value"), [(True, "false"), (False, "true")])
def test_the_chats_own_flag_is_written_and_cleared_with_every_other_byte_kept(
    archive: Archive, keep: bool, value: str
) -> None:
    path = archive.root / "Chat0001" / "chat.json"
    before = path.read_bytes()
    assert archive.keeps_responses(Folder("Chat0001")) is None
    archive.set_keep_responses(Folder("Chat0001"), keep)
    assert archive.keeps_responses(Folder("Chat0001")) is keep
    assert json.loads(path.read_bytes())["data"] == {"responses_delete_on_chat_delete": json.loads(value)}
    archive.set_keep_responses(Folder("Chat0001"), None)
    assert path.read_bytes() == before


def test_a_flag_at_the_top_level_is_cleared_too_and_one_without_data_is_set_there(archive: Archive) -> None:
    put(archive.root, "Top00001", with_ids("Top00001", "resp_t", data=None, responses_delete_on_chat_delete=False))
    folder = Folder("Top00001")
    assert archive.keeps_responses(folder) is True
    archive.set_keep_responses(folder, None)
    assert archive.keeps_responses(folder) is None
    archive.set_keep_responses(folder, True)
    assert json.loads((archive.root / folder / "chat.json").read_bytes())["responses_delete_on_chat_delete"] is False
    archive.undo()
    assert archive.keeps_responses(folder) is None


# retention


def aged(archive: Archive, days: int) -> None:
    """As if what lies in the trash had been put there earlier."""
    for record in archive.workspace.trash_folder.glob("*/record.json"):
        raw = json.loads(record.read_bytes())
        raw["at"] = (datetime.now(UTC) - timedelta(days=days)).isoformat()
        record.write_text(json.dumps(raw))
        slot = record.parent
        when = datetime.now(UTC) - timedelta(days=days)
        slot.rename(slot.with_name(f"{when:%Y%m%d-%H%M%S}-{slot.name[-8:]}"))


def test_d3_what_is_past_its_date_is_announced_and_only_that_goes(archive: Archive) -> None:
    archive.delete(of("Chat0001"), replace(TRASH, provider="keep"))
    aged(archive, 31)
    archive.delete(of("Chat0002"), TRASH)
    due = archive.due_for_purge()
    assert [entry.folder for entry in due] == ["Chat0001"]
    assert archive.purge_due([]).items == ()
    result = archive.purge_due(due)
    assert [item.item for item in result.items] == ["First"]
    assert [entry.folder for entry in archive.trash_entries()] == ["Chat0002"]
    assert all(queue(archive.workspace).values())


def test_d3_with_no_retention_nothing_is_ever_due(archive: Archive) -> None:
    archive.workspace.trash_days = 0
    archive.delete(of("Chat0001"), TRASH)
    aged(archive, 4000)
    assert archive.due_for_purge() == []


def test_d3_beyond_the_size_the_oldest_are_due(archive: Archive) -> None:
    put(archive.root, "Large001", chat("Large001", words=["x" * 1_200_000]))
    archive.workspace.trash_megabytes = 4
    archive.delete(of("Large001"), TRASH)
    assert archive.due_for_purge() == []
    aged(archive, 1)
    put(archive.root, "Large002", chat("Large002", words=["y" * 1_200_000]))
    archive.delete(of("Large002"), TRASH)
    assert [entry.folder for entry in archive.due_for_purge()] == ["Large001"]


def test_what_was_announced_and_restored_since_is_not_erased(archive: Archive) -> None:
    archive.delete(of("Chat0001"), TRASH)
    aged(archive, 31)
    due = archive.due_for_purge()
    archive.restore([due[0].id])
    assert archive.purge_due(due).items == ()
    assert (archive.root / "Chat0001" / "chat.json").exists()


def test_read_only_nothing_goes(archive: Archive) -> None:
    looking = Archive.open(archive.root, write=False)
    for choices in (TRASH, GOOD):
        with pytest.raises(ArchiveError):
            looking.delete(of("Chat0001"), choices, QUIET)
    assert (archive.root / "Chat0001").is_dir()
