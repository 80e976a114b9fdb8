"""What each answer of a provider leads to, over real connections: done, gone, refused, paused or tried again."""

from __future__ import annotations

import gzip
import json
import logging
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from chat_archive.core.archive import Archive
from chat_archive.core.errors import BusyError, Cancelled, NotFoundError
from chat_archive.core.provider.receipts import Receipt
from tests.core.provider.conftest import Clock, Retry
from tests.providers import KEY, TinyProvider, deleted_body, error_body, let_go, setup_for, wrapped

States = Callable[[], dict[str, str]]
Find = Callable[[str], Receipt]


def test_every_id_is_sent_once_decoded_with_its_key_and_nothing_else(
    archive: Archive, provider: TinyProvider, retry: Retry, states: States
) -> None:
    let_go(archive, "Old00001", ["resp_plain", wrapped("resp_inside"), "resp_plain"])
    result = retry()
    assert [item.ok for item in result.items] == [True, True]
    assert sorted(provider.ids) == ["resp_inside", "resp_plain"]
    assert states() == {"resp_inside": "deleted", "resp_plain": "deleted"}
    for asked in provider.asked:
        assert asked.method == "DELETE"
        assert asked.path.startswith("/v1/responses/resp_")
        assert "?" not in asked.path
        assert asked.headers["authorization"] == f"Bearer {KEY}"
        assert asked.headers["accept-encoding"] == "identity"
    retry()
    assert len(provider.asked) == 2, "what is deleted is never sent again"
    assert archive.provider_waiting_count == 0


OTHER = deleted_body("resp_other")
NOT_DONE: list[tuple[str, Any]] = [
    ("another id", OTHER),
    ("deleted false", json.dumps({"id": "resp_a", "deleted": False}).encode()),
    ("deleted one", json.dumps({"id": "resp_a", "deleted": 1}).encode()),
    ("no id", json.dumps({"deleted": True}).encode()),
    ("a list", b"[]"),
    ("no json", b'{"id": "resp_a", "deleted": tru'),
    ("a login page", (200, {"Content-Type": "text/html"}, b"<html>Hotel</html>")),
    ("empty", b""),
    ("half of it", "half"),
    ("a reset", "reset"),
    ("too long", (200, {}, deleted_body("resp_a") + b" " * 1_000_001)),
    ("a bomb", (200, {"Content-Encoding": "gzip"}, gzip.compress(deleted_body("resp_a") + b" " * 50_000_000))),
    ("an encoding nobody asked for", (200, {"Content-Encoding": "br"}, deleted_body("resp_a"))),
    ("not found in another form", (404, {}, b"<html>nginx</html>")),
    ("not found without words", (404, {}, b"{}")),
    ("no such path", (404, {}, error_body("Invalid URL (DELETE /v1/responses/resp_a)"))),
    ("no such resource", (404, {}, json.dumps({"error": {"code": "404", "message": "Resource not found"}}).encode())),
    ("408", 408),
    ("409", 409),
    ("429", 429),
    ("500", 500),
    ("503", 503),
]


@pytest.mark.parametrize("step", [step for _, step in NOT_DONE], ids=[name for name, _ in NOT_DONE])
def test_d69_what_is_not_confirmed_waits_and_is_tried_again(
    archive: Archive, provider: TinyProvider, retry: Retry, receipt: Find, step: Any
) -> None:
    let_go(archive, "Old00001", ["resp_a"])
    provider.script["resp_a"] = [step]
    result = retry()
    assert [item.ok for item in result.items] == [False]
    assert receipt("resp_a").state.value == "waiting"
    assert receipt("resp_a").reason.endswith(".")
    assert archive.provider_waiting_count == 1
    retry()
    assert receipt("resp_a").state.value == "deleted"


def test_an_honest_compressed_answer_counts(
    archive: Archive, provider: TinyProvider, retry: Retry, states: States
) -> None:
    let_go(archive, "Old00001", ["resp_a"])
    provider.script["resp_a"] = [(200, {"Content-Encoding": "gzip"}, gzip.compress(deleted_body("resp_a")))]
    retry()
    assert states() == {"resp_a": "deleted"}


def test_an_answer_without_a_body_counts(
    archive: Archive, provider: TinyProvider, retry: Retry, states: States
) -> None:
    let_go(archive, "Old00001", ["resp_a"])
    provider.script["resp_a"] = [204]
    retry()
    assert states() == {"resp_a": "deleted"}


def test_already_gone_is_told_apart_from_deleted(
    archive: Archive, provider: TinyProvider, retry: Retry, receipt: Find
) -> None:
    let_go(archive, "Old00001", ["resp_a"])
    provider.script["resp_a"] = [404]
    retry()
    assert receipt("resp_a").state.value == "already gone"
    assert "wrong key" in receipt("resp_a").reason
    assert archive.provider_waiting_count == 0


@pytest.mark.parametrize("lost", ["reset", "half"])
def test_gone_after_a_lost_answer_counts_as_deleted(
    archive: Archive, provider: TinyProvider, retry: Retry, receipt: Find, lost: str
) -> None:
    let_go(archive, "Old00001", ["resp_a"])
    provider.script["resp_a"] = [lost, 429, 404]
    for _ in range(3):
        retry()
    assert receipt("resp_a").state.value == "deleted"


def test_gone_after_a_lost_answer_to_another_key_is_only_gone(
    archive: Archive, provider: TinyProvider, retry: Retry, receipt: Find
) -> None:
    provider.keys = lambda _headers: True
    let_go(archive, "Old00001", ["resp_a"])
    provider.script["resp_a"] = ["reset", 404]
    retry()
    retry(setup=setup_for(archive, f"openai={provider.url}", environ={"OPENAI_API_KEY": "sk-of-another-project"}))
    assert receipt("resp_a").state.value == "already gone"


@pytest.mark.parametrize("status", [400, 422, 405])
def test_refused_is_kept_told_and_only_tried_again_by_name(
    archive: Archive, provider: TinyProvider, retry: Retry, receipt: Find, status: int
) -> None:
    let_go(archive, "Old00001", ["resp_a"])
    provider.script["resp_a"] = [(status, {}, error_body("<h1>Update</h1>\x1b]0;pwn\x07 sk-secret", "no_such_thing"))]
    retry()
    told = receipt("resp_a")
    assert (told.state.value, told.status) == ("refused", status)
    assert told.reason == f"The provider refused it ({status}, no_such_thing)."
    retry()
    assert len(provider.asked) == 1
    retry("resp_a")
    assert receipt("resp_a").state.value == "deleted"


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_key_pauses_the_provider_until_it_changes(
    archive: Archive, provider: TinyProvider, retry: Retry, states: States, status: int
) -> None:
    let_go(archive, "Old00001", [f"resp_{number}" for number in range(20)])
    provider.keys = lambda headers: headers["authorization"] != f"Bearer {KEY}" or status == 403
    for number in range(20):
        provider.script[f"resp_{number}"] = [403] if status == 403 else []
    result = retry()
    assert len(provider.asked) <= 2, "no more than were under way"
    assert set(states().values()) == {"key refused"}
    assert not any(item.ok for item in result.items)
    before = len(provider.asked)
    retry()
    assert len(provider.asked) == before, "the same key is not tried again"
    provider.script.clear()
    retry(setup=setup_for(archive, f"openai={provider.url}", environ={"API_KEY_OPENAI": "sk-new"}))
    assert set(states().values()) == {"deleted"}


def test_each_of_several_keys_is_tried(archive: Archive, provider: TinyProvider, retry: Retry, receipt: Find) -> None:
    owners = {"resp_a": "sk-two", "resp_b": "sk-one"}
    provider.keys = lambda _headers: True
    provider.answer = lambda headers, path: (  # type: ignore[method-assign]
        "deleted" if headers["authorization"] == f"Bearer {owners.get(path.rpartition('/')[2])}" else 404
    )
    let_go(archive, "Old00001", ["resp_a", "resp_b", "resp_c"])
    setup = setup_for(archive, f"openai={provider.url}", environ={"API_KEY_OPENAI": "sk-one, sk-two,,None"})
    retry(setup=setup)
    assert [receipt(name).state.value for name in ("resp_a", "resp_b", "resp_c")] == [
        "deleted",
        "deleted",
        "already gone",
    ]


def test_unknown_to_one_key_and_refused_to_another_is_not_gone(
    archive: Archive, provider: TinyProvider, retry: Retry, receipt: Find
) -> None:
    provider.answer = lambda headers, _path: 401 if headers["authorization"] == "Bearer sk-old" else 404  # type: ignore[method-assign]
    let_go(archive, "Old00001", ["resp_a"])
    retry(setup=setup_for(archive, f"openai={provider.url}", environ={"API_KEY_OPENAI": "sk-old,sk-new"}))
    assert receipt("resp_a").state.value == "key refused"
    retry(setup=setup_for(archive, f"openai={provider.url}", environ={"API_KEY_OPENAI": "sk-new"}))
    assert receipt("resp_a").state.value == "already gone", "and no earlier request counts as lost"


def test_a_redirect_is_never_followed(archive: Archive, provider: TinyProvider, retry: Retry, states: States) -> None:
    let_go(archive, "Old00001", ["resp_a"])
    provider.script["resp_a"] = [(307, {"Location": provider.url + "/responses/resp_b"}, b"")]
    retry()
    assert provider.ids == ["resp_a"]
    assert states() == {"resp_a": "waiting"}


def test_d80_a_provider_that_says_nothing_has_one_deadline(
    archive: Archive, provider: TinyProvider, retry: Retry, states: States
) -> None:
    from dataclasses import replace

    let_go(archive, "Old00001", ["resp_a"])
    provider.script["resp_a"] = ["hang"]
    began = time.monotonic()
    retry(setup=replace(setup_for(archive, f"openai={provider.url}"), deadline=0.3))
    assert time.monotonic() - began < 5
    assert states() == {"resp_a": "waiting"}


def test_d80_work_is_stopped_at_once_and_stays_in_the_queue(
    archive: Archive, provider: TinyProvider, retry: Retry, states: States
) -> None:
    let_go(archive, "Old00001", [f"resp_{number}" for number in range(5)])
    for number in range(5):
        provider.script[f"resp_{number}"] = ["hang"]

    class Stopper:
        def report(self, done: int, total: int | None = None, item: str = "") -> None:
            if provider.asked:
                raise Cancelled

    result = retry(progress=Stopper())
    assert result.stopped
    assert len(result.items) == 5
    assert set(states().values()) == {"waiting"}
    assert 1 <= len(provider.asked) <= 2


def test_two_requests_at_a_time_at_most(archive: Archive, provider: TinyProvider, retry: Retry) -> None:
    let_go(archive, "Old00001", [f"resp_{number}" for number in range(12)])
    lock, now, most = threading.Lock(), 0, 0
    real = provider.answer

    def answer(headers: dict[str, str], path: str) -> Any:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        threading.Event().wait(0.02)
        with lock:
            now -= 1
        return real(headers, path)

    provider.answer = answer  # type: ignore[method-assign]
    retry()
    assert most == 2


def test_nobody_listening_is_offline_and_does_not_keep_asking(
    archive: Archive, provider: TinyProvider, retry: Retry, states: States
) -> None:
    let_go(archive, "Old00001", [f"resp_{number}" for number in range(30)])
    result = retry(setup=setup_for(archive, "openai=http://127.0.0.1:9/v1"))
    assert set(states().values()) == {"waiting"}
    assert sum("reached" in item.text and "asked again" not in item.text for item in result.items) <= 5


def test_pauses_double_and_end_at_a_quarter_of_an_hour(
    archive: Archive, provider: TinyProvider, retry: Retry, receipt: Find, clock: Clock
) -> None:
    let_go(archive, "Old00001", ["resp_a"])
    provider.script["resp_a"] = [500] * 14
    pauses = []
    for _ in range(14):
        retry(hurried=False)
        when = receipt("resp_a").next_try
        assert when is not None
        pauses.append(round(when.timestamp() - clock.now, 3))
        asked = len(provider.asked)
        clock.now += pauses[-1] - 0.5
        retry(hurried=False)
        assert len(provider.asked) == asked, "not before its time"
        clock.now += 0.6
    assert pauses[:4] == [1, 2, 4, 8]
    assert pauses[-1] == 900


def test_what_the_provider_asks_for_is_obeyed_even_in_a_hurry(
    archive: Archive, provider: TinyProvider, retry: Retry, clock: Clock, states: States
) -> None:
    let_go(archive, "Old00001", ["resp_a"])
    provider.script["resp_a"] = [(429, {"Retry-After": "30"}, b"{}")]
    retry()
    clock.now += 29
    retry()
    retry("resp_a")
    assert len(provider.asked) == 1
    clock.now += 5
    retry()
    assert states() == {"resp_a": "deleted"}


def test_waiting_goes_on_until_everything_is_settled(
    archive: Archive, provider: TinyProvider, retry: Retry, states: States
) -> None:
    let_go(archive, "Old00001", ["resp_a", "resp_b"])
    provider.script["resp_a"] = [500, (429, {"Retry-After": "20"}, b"{}"), 503]
    retry(wait=100.0)
    assert set(states().values()) == {"deleted"}


def test_single_ids_are_found_by_any_of_their_names(archive: Archive, provider: TinyProvider, retry: Retry) -> None:
    long = wrapped("resp_inside")
    let_go(archive, "Old00001", [long, "resp_b"])
    retry(long)
    assert provider.ids == ["resp_inside"]
    with pytest.raises(NotFoundError):
        retry("resp_nobody")


def test_only_one_run_at_a_time(archive: Archive, provider: TinyProvider, retry: Retry) -> None:
    let_go(archive, "Old00001", ["resp_a"])
    with archive.responses.running, pytest.raises(BusyError):
        retry()
    assert provider.asked == []


def test_the_key_is_nowhere_but_in_the_header(
    archive: Archive,
    provider: TinyProvider,
    retry: Retry,
    caplog: pytest.LogCaptureFixture,
    tmp_path: Path,
) -> None:
    let_go(archive, "Old00001", ["resp_a", "resp_b", "resp_c"])
    provider.script |= {
        "resp_a": ["reset"],
        "resp_b": [(400, {}, error_body(f"bad key {KEY}", KEY))],
        "resp_c": ["half"],
    }
    caplog.set_level(logging.DEBUG)
    logging.getLogger().setLevel(logging.DEBUG)
    setup = setup_for(archive, f"openai={provider.url}")
    result = retry(setup=setup)
    told = repr((result, setup, archive.provider_receipts(), setup.keys.find(provider.url, "openai"))) + caplog.text
    assert KEY not in told
    assert "Bearer" not in caplog.text
    for path in tmp_path.rglob("*"):
        if path.is_file():
            assert KEY.encode() not in path.read_bytes()
    assert KEY not in "".join(asked.path for asked in provider.asked)
    if os.path.exists("/proc/self/cmdline"):
        assert KEY.encode() not in Path("/proc/self/cmdline").read_bytes()
    caplog.clear()


def test_proxies_of_the_environment_are_not_used(
    archive: Archive, provider: TinyProvider, retry: Retry, states: States, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    let_go(archive, "Old00001", ["resp_a"])
    retry()
    assert states() == {"resp_a": "deleted"}
