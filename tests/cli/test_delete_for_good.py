"""From typing `delete` to the provider's own statistics: what was to go is gone there, once, and nothing else."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.builders import chat, put, snapshot
from tests.cli.conftest import Run
from tests.core.operations.letting_go import names, put_backup
from tests.providers import KEY, FakeProvider, wrapped

OTHER_KEY = "sk-test-of-another-provider-0000"


@pytest.fixture(autouse=True)
def only_the_keys_of_the_test(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if "API_KEY" in name or name.endswith(("_API_BASE", "_BASE_URL", "_API_TOKEN")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("API_KEY_OPENAI", KEY)
    monkeypatch.setenv("API_KEY_XAI", OTHER_KEY)


@pytest.fixture
def fake(shared: Path) -> Iterator[Callable[..., FakeProvider]]:
    started: list[FakeProvider] = []

    def start(*arguments: str) -> FakeProvider:
        started.append(FakeProvider(shared / "tools" / "fake_provider.py", *arguments))
        return started[-1]

    yield start
    for one in started:
        one.close()


def message(**responses: object) -> dict[str, Any]:
    return {"_cls": "Message", "ai": True, "content": "x", "metadata": {"responses": responses}}


def agent(
    number: int, state: dict[str, object], *messages: dict[str, Any], key: str = "openai/gpt-5"
) -> dict[str, Any]:
    return {
        "number": number,
        "data": {"responses_state": {"provider_model_key": key, **state}},
        "history": json.dumps({"current": {"messages": list(messages)}}),
    }


GONE = {
    "resp_state", "resp_list_1", "resp_list_2", "resp_message", "resp_raw",
    "resp_second_agent", "resp_backup",
}  # fmt: skip
BEFORE = {"resp_state_before", "resp_message_before"}
"""What a turn went on from: Agent Zero does not collect it (format 6.4), and it may be another chat's."""
KEPT = {"resp_branch", "resp_backup_of_another", "resp_trashed", "resp_quoted", "resp_quoted_in_log"}


@pytest.fixture
def whole(root: Path) -> Path:
    """Chat0001 holds ids in every structural place; what others use, and what is only quoted, is among them."""
    openai = "openai/gpt-5"
    quoted = json.dumps({"metadata": {"responses": {"response_id": "resp_quoted"}}})
    first = agent(
        0,
        {
            "response_id": wrapped("resp_state"),
            "previous_response_id": "resp_state_before",
            "response_ids": [
                wrapped("resp_list_1"), "resp_list_2", wrapped("resp_state"), wrapped("chatcmpl-bridged"),
                "resp_branch", wrapped("resp_backup_of_another"), "resp_trashed",
            ],
        },
        message(response_id=wrapped("resp_message"), previous_response_id="resp_message_before",
                provider_model_key=openai, state="provider"),
        message(raw={"id": wrapped("resp_raw")}, provider_model_key=openai, state="provider"),
        message(response_id="resp_local", provider_model_key=openai, state="local"),
        {"_cls": "Message", "ai": False, "content": {"tool_name": "t", "tool_result": quoted}, "metadata": {}},
    )  # fmt: skip
    second = agent(1, {"response_ids": ["resp_second_agent"]})
    log = {
        "guid": "g",
        "logs": [{"no": 0, "type": "tool", "heading": "", "content": quoted.replace("quoted", "quoted_in_log")}],
    }
    put(root, "Chat0001", chat("Chat0001", "Tide gauge", agents=[first, second], log=log))
    put_backup(root, "Chat0001", chat("Chat0001", agents=[agent(0, {"response_ids": [wrapped("resp_backup")]})]))
    put(
        root,
        "Branch01",
        chat("Branch01", "Tide gauge (branch)", agents=[agent(0, {"response_ids": [wrapped("resp_branch")]})]),
    )
    put_backup(root, "Chat0000", chat("Chat0000", agents=[agent(0, {"response_ids": ["resp_backup_of_another"]})]))
    put(root, "Trashed1", chat("Trashed1", agents=[agent(0, {"response_ids": ["resp_trashed"]})]))
    put(
        root,
        "OtherAI1",
        chat("OtherAI1", agents=[agent(0, {"response_ids": [wrapped("resp_x", "xai")]}, key="xai/grok")]),
    )
    return root


def is_clean(stats: Any) -> None:
    assert (stats["bad_paths"], stats["follows"], stats["key_in_url"], stats["unauthorized"]) == (0, 0, 0, 0)


@pytest.mark.shared
def test_d64_d73_d78_every_id_is_sent_once_decoded_to_its_own_base_with_its_own_key(
    run: Run, whole: Path, fake: Callable[..., FakeProvider]
) -> None:
    openai = fake("--ids", ",".join(sorted(GONE | KEPT | BEFORE | {"resp_local"})), "--key", KEY)
    xai = fake("--ids", "resp_x", "--key", OTHER_KEY, "--base", "/x/v1")
    bases = ("--base", f"openai={openai.url}", "--base", f"xai={xai.host}/x/v1")
    run("delete", whole, "Trashed1", "--yes")
    typed = ("delete", whole, "Chat0001", "OtherAI1", "--for-good", "--provider-responses", "delete", *bases)

    before = snapshot(whole.parent)
    plan = run(*typed, "--dry-run", "--json").json
    assert plan["responses_to_delete"] == len(GONE) + 1
    assert run(*typed, "--dry-run").status == 0
    assert snapshot(whole.parent) == before
    assert openai.stats()["attempts"] == xai.stats()["attempts"] == {}

    said = run(*typed, "--yes", "--json")
    assert said.status == 0, said.err
    assert names(whole) == ["Branch01", "Chat0000", "Chat0002"]
    stats, others = openai.stats(), xai.stats()
    assert stats["attempts"] == dict.fromkeys(GONE, 1)
    assert set(stats["remaining"]) == KEPT | BEFORE | {"resp_local"}
    assert others["attempts"] == {"resp_x": 1}
    is_clean(stats)
    is_clean(others)

    receipts = {one["original"]: one for one in said.json["receipts"]}
    assert {name for name, one in receipts.items() if one["state"] == "deleted"} == GONE | {"resp_x"}
    shared = {name for name, one in receipts.items() if one["state"] == "kept because shared"}
    assert shared == {"resp_branch", "resp_backup_of_another", "resp_trashed"}
    assert "Tide gauge (branch)" in receipts["resp_branch"]["reason"]
    assert {name for name, one in receipts.items() if one["state"] == "not stored"} == {
        "resp_local",
        "chatcmpl-bridged",
    }
    assert "resp_quoted" not in receipts
    assert "resp_quoted_in_log" not in receipts
    assert said.json["waiting"] == 0
    assert receipts["resp_x"]["base"] == f"{xai.host}/x/v1"
    listed = run("provider", whole, "list", "--json").json["receipts"]
    assert {one["original"]: one["state"] for one in listed} == {name: one["state"] for name, one in receipts.items()}
    assert KEY not in said.out + said.err


@pytest.mark.shared
def test_the_trash_keeps_the_choice_and_emptying_it_sends(
    run: Run, whole: Path, fake: Callable[..., FakeProvider]
) -> None:
    provider = fake("--ids", ",".join(sorted(GONE | KEPT)), "--key", KEY)
    base = ("--base", f"openai={provider.url}")
    run("delete", whole, "Branch01", "--provider-responses", "keep", "--yes")
    run("delete", whole, "Chat0001", "--provider-responses", "delete", "--yes", *base)
    assert provider.stats()["attempts"] == {}, "nothing goes before the trash is emptied"
    said = run("trash", whole, "empty", "--yes", *base)
    assert said.status == 0, said.err
    assert set(provider.stats()["attempts"]) == GONE
    assert "resp_message: deleted." in said.out


@pytest.mark.shared
def test_without_a_word_about_it_responses_wait(run: Run, whole: Path, fake: Callable[..., FakeProvider]) -> None:
    provider = fake("--ids", ",".join(sorted(GONE)), "--key", KEY)
    said = run("delete", whole, "Chat0001", "--for-good", "--yes", "--base", f"openai={provider.url}")
    assert said.status == 0
    assert "in the queue; “provider ROOT retry” deletes them there." in said.out
    assert provider.stats()["attempts"] == {}


@pytest.mark.shared
def test_what_the_provider_does_not_confirm_is_told_and_stays_in_the_queue(
    run: Run, whole: Path, fake: Callable[..., FakeProvider]
) -> None:
    provider = fake("--ids", "resp_second_agent,resp_raw", "--key", KEY, "--script", "resp_raw=500!")
    typed = ("--for-good", "--provider-responses", "delete", "--yes", "--base", f"openai={provider.url}")
    said = run("delete", whole, "Chat0001", *typed)
    assert said.status == 1
    assert "resp_raw: waiting." in said.err
    assert "resp_list_1: already gone." in said.out
    assert run("provider", whole, "list", "--json").json["waiting"] == 1


def test_a_bad_base_is_refused_before_anything_goes(run: Run, whole: Path) -> None:
    before = snapshot(whole.parent)
    for typed in (("delete", whole, "Chat0001", "--for-good", "--yes"), ("trash", whole, "empty", "--yes")):
        assert run(*typed, "--base", "openai=http://plain.example/v1").status == 2
    assert snapshot(whole.parent) == before
