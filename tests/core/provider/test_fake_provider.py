"""The whole way against the handed provider: random faults, hundreds of kills, and its own statistics at the end."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from chat_archive.core.archive import Archive
from chat_archive.core.entities import Folder
from chat_archive.core.operations import erase
from tests.builders import chat, put
from tests.providers import KEY, FakeProvider, agent, let_go, setup_for, wrapped

pytestmark = pytest.mark.shared
Fake = Callable[..., FakeProvider]
REPOSITORY = Path(__file__).resolve().parents[3]


def is_clean(stats: Any, in_flight: int = 2) -> None:
    assert stats["bad_paths"] == 0
    assert stats["follows"] == 0
    assert stats["key_in_url"] == 0
    assert stats["retry_after_violations"] == 0
    assert stats["max_inflight"] <= in_flight


def states_of(archive: Archive) -> dict[str, str]:
    return {one.original: one.state.value for one in archive.provider_receipts()}


STEPS = [
    "ok", "ok-azure", "ok-bare", "204", "404", "409", "429:0.05", "429-date:1", "429-ms:50", "429-bad",
    "429-raw:nan", "429-raw:-1", "429-raw:inf", "500", "502", "503:0.05", "reset", "lost-ack", "lost-ack-500",
    "half", "slow:400", "badjson", "html", "wrong-id", "deleted-false", "redirect", "huge:2", "bomb",
]  # fmt: skip


def test_every_step_of_its_script_ends_well(archive: Archive, fake: Fake) -> None:
    names = [f"resp_{step.partition(':')[0].replace('-', '_')}_{number}" for number, step in enumerate(STEPS)]
    script = ";".join(f"{name}={step}" for name, step in zip(names, STEPS, strict=True))
    provider = fake("--ids", ",".join(names), "--script", script)
    let_go(archive, "Old00001", names)
    result = archive.provider_retry(setup=setup_for(archive, f"openai={provider.url}"), wait=60)
    assert result.failed == ()
    stats = provider.stats()
    is_clean(stats)
    assert stats["remaining"] == []
    told = states_of(archive)
    assert {name for name, state in told.items() if state == "already gone"} == {
        name for name in names if name.startswith(("resp_404", "resp_lost_ack_500"))
    }


@pytest.mark.parametrize(
    ("step", "state"),
    [("400!", "refused"), ("422!", "refused"), ("401!", "key refused"), ("403!", "key refused"),
     ("hostile!", "refused"),
     ("404-wrong-key!", "already gone"), ("429-huge!", "waiting"), ("redirect!", "waiting")],
)  # fmt: skip
def test_what_stays_is_told_as_what_it_is(archive: Archive, fake: Fake, step: str, state: str) -> None:
    provider = fake("--ids", "resp_a", "--script", f"resp_a={step}")
    let_go(archive, "Old00001", ["resp_a"])
    archive.provider_retry(setup=setup_for(archive, f"openai={provider.url}"))
    assert states_of(archive) == {"resp_a": state}
    stats = provider.stats()
    is_clean(stats)
    assert stats["remaining"] == ["resp_a"]


def test_a_new_key_goes_on_where_the_old_one_was_refused(archive: Archive, fake: Fake) -> None:
    provider = fake("--ids", "30", "--key", "sk-new-0000")
    let_go(archive, "Old00001", [f"resp_{number:06}" for number in range(30)])
    archive.provider_retry(setup=setup_for(archive, f"openai={provider.url}"))
    assert provider.stats()["unauthorized"] <= 2
    archive.provider_retry(
        setup=setup_for(archive, f"openai={provider.url}", environ={"API_KEY_OPENAI": "sk-new-0000"})
    )
    assert provider.stats()["remaining"] == []


def test_azures_path_query_and_header(archive: Archive, fake: Fake) -> None:
    provider = fake("--ids", "5", "--base", "/openai/v1", "--query", "api-version=preview")
    let_go(archive, "Old00001", [f"resp_{number:06}" for number in range(5)], model_key="azure/dep")
    archive.provider_retry(setup=setup_for(archive, environ={"AZURE_API_BASE": provider.host, "AZURE_API_KEY": KEY}))
    stats = provider.stats()
    is_clean(stats)
    assert stats["remaining"] == []


def test_of_every_structural_place_each_id_is_sent_once_and_shared_ones_are_not(archive: Archive, fake: Fake) -> None:
    provider = fake("--ids", "9")
    inside = [wrapped(f"resp_{number:06}") for number in range(9)]
    made = agent(inside[2:4], base="")
    made["data"]["responses_state"] |= {
        "response_id": inside[0],
        "previous_response_id": inside[8],
        "response_ids": [inside[1], inside[0]],
    }
    put(archive.root, "Whole001", chat("Whole001", agents=[made, agent(inside[4:6], base="") | {"number": 1}]))
    backups = archive.root / "Whole001" / "backups"
    backups.mkdir()
    import json

    (backups / "pre-compact-1.json").write_text(json.dumps(chat("Whole001", agents=[agent([inside[6]])])))
    put(archive.root, "Branch01", chat("Branch01", agents=[agent([inside[5], inside[7]])]))
    erase.erase(archive.workspace, Folder("Whole001"))
    archive.provider_retry(setup=setup_for(archive, f"openai={provider.url}"))
    stats = provider.stats()
    is_clean(stats)
    assert stats["attempts"] == {f"resp_{number:06}": 1 for number in (0, 1, 2, 3, 4, 6)}
    assert stats["remaining"] == ["resp_000005", "resp_000007", "resp_000008"]
    assert states_of(archive)["resp_000005"] == "kept because shared"


def test_p1_nothing_is_lost_over_many_kills_while_half_of_the_calls_fail(
    archive: Archive, fake: Fake, whole: bool
) -> None:
    """The program is killed at random moments and started again until the provider has nothing left."""
    count, kills = (3000, 200) if whole else (60, 12)
    provider = fake("--ids", str(count), "--random", "11", "--fail-rate", "0.5", "--latency", "0.05")
    let_go(archive, "Old00001", [f"resp_{number:06}" for number in range(count)])
    root = archive.root
    archive.close()
    chance = random.Random(5)
    command = [sys.executable, "-m", "chat_archive", "provider", str(root), "retry", "--base", f"openai={provider.url}"]
    environ = {**os.environ, "PYTHONPATH": str(REPOSITORY), "API_KEY_OPENAI": KEY}
    killed = 0
    for turn in range(kills + 40):
        wait = "1" if turn < kills else "20"
        running = subprocess.Popen(
            [*command, "--wait", wait], env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=root.parent
        )
        if turn < kills:
            moment = time.monotonic() + 0.25 + chance.random()
            while running.poll() is None and time.monotonic() < moment:
                assert KEY not in Path(f"/proc/{running.pid}/cmdline").read_text()
                time.sleep(0.02)
            if running.poll() is None:
                running.send_signal(signal.SIGKILL)
                killed += 1
        _, said = running.communicate()
        assert b"Traceback" not in said
        assert KEY.encode() not in said
        with Archive.open(root) as again:
            told = states_of(again)
        assert len(told) == count, "no id is lost"
        left = set(provider.stats()["remaining"])
        assert not {name for name, state in told.items() if state in ("deleted", "already gone")} & left
        if not left and "waiting" not in told.values():
            break
    stats = provider.stats()
    # two at a time each: what a killed program had sent may still be at the server when the next one begins
    is_clean(stats, in_flight=4)
    assert stats["remaining"] == []
    assert killed >= (kills if whole else kills // 3)
    assert all(KEY.encode() not in path.read_bytes() for path in root.rglob("*") if path.is_file())
