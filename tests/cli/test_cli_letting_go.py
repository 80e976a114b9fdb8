"""delete, tidy, undo and the retention as they are typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chat_archive.core import settings
from chat_archive.core.provider import outbox
from chat_archive.core.workspace import Workspace
from tests.builders import age, chat, put, snapshot
from tests.cli.conftest import Run
from tests.core.operations.letting_go import encoded, names, put_tasks, queue, task, with_ids


@pytest.fixture
def rich(root: Path) -> Path:
    put(root, "Chat0001", with_ids("Chat0001", encoded("resp_a"), "resp_shared", name="Tide gauge"))
    put(root, "Chat0002", with_ids("Chat0002", "resp_shared", name="Tide gauge (branch)"))
    put_tasks(root, task("T1", "Chat0001", "Water", schedule={"minute": "0", "hour": "8", "weekday": "1"}), task("T2"))
    return root


def held(root: Path) -> dict[tuple[str, str], str]:
    return queue(Workspace.open(root, write=False))


def test_a_dry_run_says_everything_and_touches_nothing(run: Run, rich: Path) -> None:
    before = snapshot(rich.parent)
    said = run("delete", rich, "Chat0001", "--for-good", "--tasks", "remove", "--dry-run")
    assert said.status == 0
    assert "Would be erased for good: Tide gauge (Chat0001)" in said.out
    assert "1 response is also used by “Tide gauge (branch)” (Chat0002)." in said.out
    assert "1 response would be deleted at the provider now, the others are kept." in said.out
    assert "“Water”, every Monday 08:00, would be removed." in said.out
    plan = run("delete", rich, "Chat0001", "--dry-run", "--json").json
    assert plan["total"]["responses_stored"] == 2
    assert plan["total"]["responses_shared"] == 1
    assert plan["responses_to_delete"] == 1
    assert plan["choices"]["for_good"] is False
    assert plan["chats"][0]["tasks"][0]["name"] == "Water"
    assert snapshot(rich.parent) == before


def test_for_good_with_all_that_hangs_on_it(run: Run, rich: Path) -> None:
    said = run("delete", rich, "Chat0001", "--for-good", "--tasks", "remove", "--yes", "--ack")
    assert said.status == 0
    assert said.out.splitlines()[:2] == ["READY", "ACK"]
    assert "The scheduled task “Water” was removed." in said.out
    assert names(rich) == ["Chat0000", "Chat0002"]
    found = held(rich)
    assert found["Chat0001", "resp_a"] == ""
    assert "branch" in found["Chat0001", "resp_shared"]
    assert [t["uuid"] for t in json.loads((rich.parent / "scheduler/tasks.json").read_bytes())["tasks"]] == ["T2"]


def test_kept_at_the_provider_and_shared_ones_sent_are_as_typed(run: Run, rich: Path) -> None:
    assert run("delete", rich, "Chat0001", "--for-good", "--provider-responses", "keep", "--yes").status == 0
    assert all(held(rich).values())
    run("delete", rich, "Chat0002", "--for-good", "--even-if-shared", "--yes")
    assert held(rich)["Chat0002", "resp_shared"] == ""


def test_a_chat_that_says_no_itself_can_be_overruled(run: Run, root: Path) -> None:
    for name in ("No000001", "No000002"):
        put(root, name, with_ids(name, f"resp_{name}", responses_delete_on_chat_delete=False))
    run("delete", root, "No000001", "--for-good", "--yes")
    run("delete", root, "No000002", "--for-good", "--even-if-kept", "--yes")
    assert [bool(why) for why in held(root).values()] == [True, False]


def test_for_good_is_only_what_was_typed_and_the_rest_is_as_the_settings_say(run: Run, rich: Path) -> None:
    settings.save(settings.Settings(delete_for_good=True, provider_responses="keep", task_choice="remove"))
    assert run("delete", rich, "Chat0001", "--yes").status == 0
    assert len(run("trash", rich, "list", "--json").json["entries"]) == 1
    assert [t["uuid"] for t in json.loads((rich.parent / "scheduler/tasks.json").read_bytes())["tasks"]] == ["T2"]
    run("trash", rich, "empty", "--yes")
    assert all(held(rich).values())


def test_undo_brings_back_what_the_last_deletion_took(run: Run, rich: Path) -> None:
    before = (rich / "Chat0001" / "chat.json").read_bytes()
    run("delete", rich, "Chat0000", "--yes")
    run("delete", rich, "Chat0001", "Chat0002", "--tasks", "remove", "--yes")
    said = run("undo", rich)
    assert said.status == 0
    assert "The scheduled task “Water” was put back." in said.out
    assert names(rich) == ["Chat0001", "Chat0002"]
    assert (rich / "Chat0001" / "chat.json").read_bytes() == before
    assert run("undo", rich).status == 0
    assert run("undo", rich).status == 1


def test_what_is_past_its_date_goes_only_when_asked(run: Run, rich: Path) -> None:
    run("delete", rich, "Chat0001", "--yes")
    assert "Nothing in the trash is past its date." in run("trash", rich, "purge", "--yes").err
    settings.save(settings.Settings(trash_days=1))
    for record in (rich / ".chat-archive" / "trash").glob("*/record.json"):
        raw = json.loads(record.read_bytes()) | {"at": "2020-01-01T00:00:00+00:00"}
        record.write_text(json.dumps(raw))
        record.parent.rename(record.parent.with_name("20200101-000000-00000000"))
    assert run("trash", rich, "purge").status == 2
    assert run("trash", rich, "purge", "--yes").status == 0
    assert run("trash", rich, "list", "--json").json["entries"] == []


def test_tidy_previews_then_moves_to_the_trash(run: Run, root: Path) -> None:
    put(root, "Old00001", chat("Old00001", "Ran out", data={"lifetime_hours": 24}))
    left = root / "Chat0000" / ".chat.json.abc.tmp"
    left.write_bytes(b"{")
    age(left)
    before = snapshot(root)
    found = run("tidy", root, "--dry-run", "--json").json["items"]
    assert sorted(item["kind"] for item in found) == ["expired", "leftover"]
    assert "expired: Ran out" in run("tidy", root, "--expired", "--dry-run").out
    assert snapshot(root) == before
    assert run("tidy", root).status == 2
    assert run("tidy", root, "--expired", "--yes").status == 0
    assert left.exists()
    assert run("tidy", root, "--leftovers", "--yes").status == 0
    assert not left.exists()
    assert "nothing to tidy" in run("tidy", root, "--yes").err
    assert len(run("trash", root, "list", "--json").json["entries"]) == 2


def test_a_missing_chat_is_named_and_the_others_go(run: Run, rich: Path) -> None:
    said = run("delete", rich, "Nobody01", "Chat0001", "--for-good", "--yes")
    assert said.status == 1
    assert "Nobody01" in said.err
    assert names(rich) == ["Chat0000", "Chat0002"]
    assert outbox.entries(Workspace.open(rich, write=False))
