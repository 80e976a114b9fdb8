"""What a deletion takes along is counted before anything is touched, and nothing is changed by looking."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from chat_archive.core.archive import Archive
from chat_archive.core.deletion import DeleteChoices
from chat_archive.core.errors import Cancelled
from chat_archive.core.operations import plan as operation
from chat_archive.core.operations.plan_json import plan_json
from tests.builders import chat, history, make_root, message, put, snapshot
from tests.core.operations.letting_go import agent, encoded, of, put_backup, put_tasks, task, with_ids

DELETE = DeleteChoices()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_root(tmp_path)


def plan(root: Path, *folders: str, **more: object) -> operation.DeletionPlan:
    return operation.make(root, of(*folders), **more)  # type: ignore[arg-type]


def test_looking_changes_nothing(root: Path) -> None:
    put(root, "Chat0001", with_ids("Chat0001", "resp_a"))
    put_tasks(root, task("T", "Chat0001"))
    before = snapshot(root.parent)
    plan(root, "Chat0001", "Chat0002")
    assert snapshot(root.parent) == before


def test_sizes_files_backups_dates_and_children_are_counted(root: Path) -> None:
    (root / "Chat0001" / "messages").mkdir()
    (root / "Chat0001" / "messages" / "1.txt").write_bytes(b"x" * 700)
    backup = put_backup(root, "Chat0001", chat("Chat0001"))
    put(root, "Child001", chat("Child001", output_data={"parent_context_id": "Chat0001"}))
    made = plan(root, "Chat0001")
    one = made.chats[0]
    size = (root / "Chat0001" / "chat.json").stat().st_size + 700 + backup.stat().st_size
    assert (one.size, one.files, one.backups) == (size, 3, 1)
    assert one.children == ("Child001",)
    assert one.created == datetime(2026, 3, 2, 9, tzinfo=UTC)
    assert plan(root, "Chat0001", "Child001").chats[0].children == ()


def test_d86_the_instant_at_which_an_api_chat_expires_is_in_the_plan(root: Path) -> None:
    put(root, "Api00001", chat("Api00001", data={"lifetime_hours": 24}))
    assert plan(root, "Api00001").chats[0].expires_at == datetime(2026, 3, 3, 9, tzinfo=UTC)


def test_tasks_bound_to_the_chats_are_named_and_others_are_not(root: Path) -> None:
    put_tasks(root, task("T1", "Chat0001", "Mine"), task("T2", "Chat0002", "Other"))
    assert [t.name for t in plan(root, "Chat0001").tasks] == ["Mine"]


def test_responses_are_counted_by_provider_model_and_base_and_local_ones_are_not_stored(root: Path) -> None:
    def block(id: str, state: str, base: str = "") -> dict[str, object]:
        return {
            "response_id": id,
            "state": state,
            "provider_model_key": "openai/gpt-5",
            "capability": {"cache_key": f"openai/gpt-5|openai|{base}"},
        }

    messages = [
        message("a", ai=True, metadata={"responses": block(encoded("resp_1"), "provider")}),
        message("b", ai=True, metadata={"responses": block("resp_2", "provider", "https://eu.example/v1")}),
        message("c", ai=True, metadata={"responses": block("resp_3", "local")}),
        message("d", ai=True, metadata={"responses": block("resp_4", "off")}),
        message("e", ai=True, metadata={"responses": block("chatcmpl-5", "provider")}),
    ]
    put(root, "Chat0001", chat("Chat0001", agents=[{"number": 0, "data": {}, "history": history(messages)}]))
    made = plan(root, "Chat0001")
    assert set(made.stored()) == {"resp_1", "resp_2"}
    assert made.not_stored() == 3
    assert sorted(made.places()) == [
        ("openai", "gpt-5", "", 1),
        ("openai", "gpt-5", "https://eu.example/v1", 1),
    ]


def test_d64_responses_that_another_chat_backup_or_trashed_chat_uses_are_shared(root: Path) -> None:
    put(root, "Chat0000", with_ids("Chat0000", encoded("resp_branch"), name="Tide (branch)"))
    put_backup(root, "Chat0002", with_ids("Chat0002", "resp_backup"))
    put(root, "Trash001", with_ids("Trash001", "resp_trashed", name="Thrown away"))
    archive = Archive.open(root)
    archive.trash(of("Trash001"))
    put(root, "Chat0001", with_ids("Chat0001", "resp_branch", "resp_backup", "resp_trashed", "resp_own"))
    made = archive.plan_deletion(of("Chat0001"))
    assert {key: one.shared[0].place for key, one in made.shared().items()} == {
        "resp_branch": "chat",
        "resp_backup": "backup",
        "resp_trashed": "trash",
    }
    assert made.shared()["resp_branch"].shared[0].title == "Tide (branch)"
    assert made.to_delete(DELETE) == 1
    assert made.to_delete(DeleteChoices(keep_shared=False)) == 4
    archive.close()


def test_d64_a_chat_of_another_open_root_counts_too(root: Path, tmp_path: Path) -> None:
    other = make_root(tmp_path / "other")
    put(root, "Chat0001", with_ids("Chat0001", "resp_x"))
    put(other, "Chat0001", with_ids("Chat0001", "resp_x"))
    assert not plan(root, "Chat0001").shared()
    assert plan(root, "Chat0001", others=[other]).shared()["resp_x"].shared[0].root == other


def test_d64_what_only_chats_that_go_together_share_is_not_shared(root: Path) -> None:
    put(root, "Chat0000", with_ids("Chat0000", "resp_x"))
    put(root, "Chat0001", with_ids("Chat0001", "resp_x"))
    assert plan(root, "Chat0001").shared()
    assert not plan(root, "Chat0000", "Chat0001").shared()


def test_d73_a_text_that_quotes_an_id_does_not_share_it(root: Path) -> None:
    quoted = json.dumps(with_ids("Else", "resp_x"))
    put(root, "Chat0000", chat("Chat0000", words=["what is this?", quoted]))
    put(root, "Chat0001", with_ids("Chat0001", "resp_x"))
    assert not plan(root, "Chat0001").shared()


def test_d75_a_damaged_chat_that_may_hold_the_id_counts_as_using_it(root: Path) -> None:
    put(root, "Bad00000", b'{"agents": [{"data": {"responses_state": {"response_ids": ["resp_x", ')
    put(root, "Chat0001", with_ids("Chat0001", "resp_x"))
    assert plan(root, "Chat0001").shared()


@pytest.mark.parametrize(
    ("made", "place"),
    [
        ({"responses_delete_on_chat_delete": False}, "the chat itself"),
        ({"data": {"responses_delete_on_chat_delete": False}}, "the chat's data"),
        (
            {"agents": [agent("resp_a"), agent("resp_b", number=1, responses_delete_on_chat_delete=False)]},
            "agent 1 of the chain",
        ),
    ],
)
def test_d77_the_level_and_the_agent_that_keep_the_responses_are_named(
    root: Path, made: dict[str, object], place: str
) -> None:
    put(root, "Chat0001", with_ids("Chat0001", "resp_a") | made)
    planned = plan(root, "Chat0001")
    assert place in planned.chats[0].disabled
    assert planned.disabled == planned.chats
    assert planned.to_delete(DELETE) == 0
    assert planned.to_delete(DeleteChoices(overrule=True)) == len(planned.stored())


@pytest.mark.parametrize("value", ["false", 0, None, []])
def test_d76_a_flag_that_is_not_exactly_false_keeps_nothing_and_is_shown(root: Path, value: object) -> None:
    put(root, "Chat0001", with_ids("Chat0001", "resp_a", responses_delete_on_chat_delete=value))
    planned = plan(root, "Chat0001")
    assert planned.chats[0].disabled == ""
    assert planned.to_delete(DELETE) == 1
    assert any("not the value false" in remark for remark in planned.chats[0].remarks)


def test_d78_ids_that_only_a_backup_holds_are_counted(root: Path) -> None:
    put_backup(root, "Chat0001", with_ids("Chat0001", "resp_before_compaction"))
    assert set(plan(root, "Chat0001").stored()) == {"resp_before_compaction"}


def test_d65_chats_whose_messages_point_into_it_are_named(root: Path) -> None:
    result = {"tool_name": "x", "tool_result": "…", "file": "/a0/usr/chats/Chat0001/messages/1.txt"}
    agents = [{"number": 0, "data": {}, "history": history([message(result)])}]
    put(root, "Copy0001", chat("Copy0001", "Loaded copy", agents=agents))
    put(root, "Talk0001", chat("Talk0001", words=["look into /a0/usr/chats/Chat0001/messages/1.txt please"]))
    assert [one.title for one in plan(root, "Chat0001").chats[0].referred_by] == ["Loaded copy"]
    assert plan(root, "Chat0001", "Copy0001").chats[0].referred_by == ()


@pytest.mark.parametrize(
    "data", [b"[]", b"5", b"", b'{"agents": 5}', b'{"id": 5, "agents": [{"data": 5}]}', b"\xff" * 90]
)
def test_d74_a_chat_of_any_shape_has_a_plan(root: Path, data: bytes) -> None:
    put(root, "Odd00000", data)
    made = plan(root, "Odd00000")
    assert made.folders == ("Odd00000",)
    assert json.dumps(plan_json(made))


@pytest.mark.parametrize(
    "bad", ["", " ", ".", "..", "../victim", "/abs", "a/b", "a\\b", "a\0", ".chat-archive", "gone"]
)
def test_d07_d08_d09_what_is_no_chat_is_refused_with_a_sentence(root: Path, bad: str) -> None:
    made = plan(root, "Chat0001", bad)
    assert made.folders == ("Chat0001",)
    assert len(made.refused) == 1
    assert made.refused[0][1].endswith((".", ")"))


def test_d10_of_a_link_nothing_behind_it_is_counted(root: Path, tmp_path: Path) -> None:
    target = put(tmp_path / "else", "X", with_ids("X", "resp_a")).parent
    (root / "Linked00").symlink_to(target)
    one = plan(root, "Linked00").chats[0]
    assert (one.files, one.responses) == (1, ())


def test_c4_a_chat_that_was_just_written_is_said_to_be_in_use(root: Path) -> None:
    assert not plan(root, "Chat0001").host_writes
    os.utime(root / "Chat0002" / "chat.json")
    made = plan(root, "Chat0001", "Chat0002")
    assert made.host_writes
    assert [bool(one.live) for one in made.chats] == [False, True]


def test_a_chat_that_changed_since_it_was_looked_at_is_found(root: Path) -> None:
    made = plan(root, "Chat0001", "Chat0002")
    put(root, "Chat0001", chat("Chat0001", words=["a"] * 6))
    (root / "Chat0002" / "messages").mkdir()
    assert [(row.folder, row.log_items) for row in operation.changed_since(root, made.seen)] == [("Chat0001", 6)]


def test_it_can_be_stopped(root: Path) -> None:
    class Stop:
        def report(self, *_: object, **__: object) -> None:
            raise Cancelled

    with pytest.raises(Cancelled):
        plan(root, "Chat0001", progress=Stop())


def test_files_are_read_once_for_several_plans_while_they_do_not_change(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from chat_archive.core import files
    from chat_archive.core.provider.references import ReferenceCache, reference_index

    cache = ReferenceCache()
    put(root, "Chat0001", with_ids("Chat0001", "resp_x"))
    assert set(reference_index([root], cache=cache).ids) == {"resp_x"}
    monkeypatch.setattr(files, "read_settled", lambda *_, **__: pytest.fail("read again"))
    assert set(reference_index([root], cache=cache).ids) == {"resp_x"}
