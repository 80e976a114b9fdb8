"""provider list, retry and forget, as a person or a script types them."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from chat_archive.core.archive import Archive
from tests.builders import snapshot
from tests.cli.conftest import Run
from tests.providers import KEY, TinyProvider, let_go, tiny_provider

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture
def provider() -> Iterator[TinyProvider]:
    with tiny_provider() as made:
        yield made


@pytest.fixture(autouse=True)
def no_keys_of_the_tester(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if "API_KEY" in name or name.endswith(("_API_BASE", "_BASE_URL", "_API_TOKEN")):
            monkeypatch.delenv(name)


@pytest.fixture
def queued(root: Path) -> Path:
    with Archive.open(root) as archive:
        let_go(archive, "Old00001", ["resp_a", "resp_b"])
    return root


def test_an_empty_queue_is_said_and_nothing_is_made(run: Run, root: Path) -> None:
    before = snapshot(root)
    assert "0 responses wait" in run("provider", root, "list").out
    assert run("provider", root, "list", "--json").json == {"root": str(root), "receipts": [], "waiting": 0}
    assert run("provider", root, "retry").status == 0
    assert snapshot(root) == before


def test_list_shows_every_receipt_and_changes_nothing(run: Run, queued: Path) -> None:
    before = snapshot(queued)
    said = run("provider", queued, "list")
    assert said.status == 0
    for word in ("resp_a", "resp_b", "waiting", "Old00001", "2 responses wait"):
        assert word in said.out
    found = run("provider", queued, "list", "resp_b", "--json").json
    assert [one["original"] for one in found["receipts"]] == ["resp_b"]
    assert found["receipts"][0]["state"] == "waiting"
    table = list(csv.DictReader(io.StringIO(run("provider", queued, "list", "--csv").out)))
    assert {line["response"] for line in table} == {"resp_a", "resp_b"}
    assert snapshot(queued) == before


def test_retry_sends_and_names_each(
    run: Run, queued: Path, provider: TinyProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    provider.script["resp_b"] = [500]
    said = run("provider", queued, "retry", "--base", f"openai={provider.url}", "--key-env", "MY_KEY", "--ack")
    assert said.status == 1
    assert said.out.startswith("READY\n")
    assert "ACK" not in said.out
    assert "resp_a: Deleted" in said.out
    assert "resp_b: The provider could not do it now (500" in said.err
    assert KEY not in said.out + said.err
    said = run(
        "provider",
        queued,
        "retry",
        "resp_b",
        "--base",
        f"openai={provider.url}",
        "--key-env",
        "openai=MY_KEY",
        "--json",
    )
    assert said.status == 0
    assert said.json["waiting"] == 0
    assert [item["item"] for item in said.json["items"]] == ["resp_b"]


def test_retry_waits_as_long_as_told(
    run: Run, queued: Path, provider: TinyProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("API_KEY_OPENAI", KEY)
    provider.script["resp_b"] = [500, (429, {"retry-after-ms": "50"}, b"{}")]
    said = run("provider", queued, "retry", "--base", f"openai={provider.url}", "--wait", "20", "--ack")
    assert said.status == 0
    assert "ACK" in said.out


def test_without_a_key_it_is_said_and_the_env_file_is_only_used_after_a_yes(
    run: Run, queued: Path, provider: TinyProvider
) -> None:
    env = queued.parent / ".env"
    env.write_text(f"API_KEY_OPENAI={KEY}\n")
    base = f"openai={provider.url}"
    said = run("provider", queued, "retry", "--base", base)
    assert said.status == 1
    assert "There is no key for openai" in said.err
    assert "--read-env" in said.err
    assert provider.asked == []
    assert run("provider", queued, "retry", "--base", base, "--read-env").status == 0
    assert provider.ids == ["resp_a", "resp_b"]
    with Archive.open(queued) as archive:
        let_go(archive, "Old00002", ["resp_c"])
    assert run("provider", queued, "retry", "--base", base).status == 0, "the yes is remembered"


def test_forget_asks_and_needs_names(run: Run, queued: Path) -> None:
    assert run("provider", queued, "forget").status == 2
    refused = run("provider", queued, "forget", "resp_a")
    assert refused.status == 2
    assert "--yes" in refused.err
    assert run("provider", queued, "list", "--json").json["waiting"] == 2
    assert run("provider", queued, "forget", "resp_a", "--yes").status == 0
    assert run("provider", queued, "list", "--json").json["waiting"] == 1
    assert run("provider", queued, "forget", "resp_nobody", "--yes").status == 1


def test_shared_ones_need_names(run: Run, queued: Path) -> None:
    assert run("provider", queued, "retry", "--even-shared").status == 2


@pytest.mark.parametrize("bad", ["openai=http://plain.example/v1", "nonsense", "openai=https://u:p@x.example"])
def test_a_bad_base_is_refused_without_repeating_it(run: Run, queued: Path, bad: str) -> None:
    said = run("provider", queued, "retry", "--base", bad)
    assert said.status == 2
    assert "u:p" not in said.err


def test_listing_loads_nothing_that_sends(queued: Path) -> None:
    code = (
        "import sys\nfrom chat_archive.__main__ import main\n"
        f"main(['provider', {str(queued)!r}, 'list'])\n"
        "print(sorted(set(sys.modules) & {'httpx', 'keyring', 'PySide6', 'asyncio'}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_two_programs_never_work_through_one_queue(run: Run, queued: Path, provider: TinyProvider) -> None:
    with Archive.open(queued) as archive:
        archive.workspace.need_private()
        code = f"from chat_archive.__main__ import main; raise SystemExit(main(['provider', {str(queued)!r}, 'retry']))"
        done = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PYTHONPATH": str(REPOSITORY), "API_KEY_OPENAI": KEY},
        )
    assert done.returncode == 3, done.stderr
    assert provider.asked == []


def test_the_document_is_strict_json(run: Run, queued: Path) -> None:
    json.loads(run("provider", queued, "list", "--json").out, parse_constant=pytest.fail)
