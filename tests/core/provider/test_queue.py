"""The queue on disk: nothing leaves it but by an outcome, whatever happens to the program or to the file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from chat_archive.core.archive import Archive
from chat_archive.core.errors import UnreadableError
from chat_archive.core.provider import outbox
from chat_archive.core.provider.queue import FARTHEST, ResponseQueue
from chat_archive.core.provider.receipts import Receipt, ResponseState, to_csv
from chat_archive.core.workspace import Workspace
from tests.builders import chat, make_root, put
from tests.core.provider.conftest import Clock, Retry
from tests.providers import TinyProvider, agent, let_go

REPOSITORY = Path(__file__).resolve().parents[3]


def path_of(archive: Archive) -> Path:
    return archive.workspace.private / outbox.FILE_NAME


def fresh(archive: Archive) -> dict[str, ResponseState]:
    """The states as another start of the program reads them."""
    return {entry.original: entry.state for entry in ResponseQueue(archive.workspace).entries()}


def test_looking_at_an_archive_without_a_queue_makes_nothing(archive: Archive) -> None:
    assert archive.provider_receipts() == []
    assert archive.provider_waiting_count == 0
    assert not archive.workspace.private.exists()
    assert archive.provider_retry().items == ()
    assert not archive.workspace.private.exists()


def test_outcomes_are_kept_across_a_restart(
    archive: Archive, provider: TinyProvider, retry: Retry, tmp_path: Path
) -> None:
    let_go(archive, "Old00001", ["resp_a", "resp_b", "resp_c"])
    provider.script |= {"resp_b": [404], "resp_c": [400]}
    retry()
    archive.close()
    with Archive.open(archive.root) as again:
        assert {one.original: one.state.value for one in again.provider_receipts()} == {
            "resp_a": "deleted",
            "resp_b": "already gone",
            "resp_c": "refused",
        }


@pytest.mark.parametrize("cut", [1, 5, 30])
def test_a_torn_last_line_costs_nothing_but_itself(archive: Archive, cut: int) -> None:
    let_go(archive, "Old00001", ["resp_a", "resp_b"])
    path = path_of(archive)
    whole = path.read_bytes()
    path.write_bytes(whole + whole.splitlines(keepends=True)[-1][:-cut])
    assert set(fresh(archive)) == {"resp_a", "resp_b"}
    let_go(archive, "Old00002", ["resp_c"])
    assert set(fresh(archive)) == {"resp_a", "resp_b", "resp_c"}


@pytest.mark.parametrize(
    "line",
    [
        b"\xff\xfe\x00",
        b"[]",
        b"5",
        b'{"id": 5}',
        b'{"entry": "nobody", "event": "deleted"}',
        b'{"id": "resp_odd", "original": [], "provider": {}, "chats": "x", "at": 7}',
        b"[" * 100_000,
        b'{"id": "' + b"x" * 100_000 + b'"}',
    ],
)
def test_lines_that_nobody_of_us_wrote_change_nothing(archive: Archive, line: bytes) -> None:
    let_go(archive, "Old00001", ["resp_a"])
    path = path_of(archive)
    path.write_bytes(line + b"\n" + path.read_bytes() + line + b"\n")
    assert fresh(archive)["resp_a"] is ResponseState.WAITING
    assert len(ResponseQueue(archive.workspace).receipts()) in (1, 2)


def test_a_link_in_its_place_is_refused(archive: Archive, tmp_path: Path) -> None:
    let_go(archive, "Old00001", ["resp_a"])
    path = path_of(archive)
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UnreadableError):
        ResponseQueue(archive.workspace).entries()


def test_folding_keeps_every_id_every_outcome_and_every_line_of_others(
    archive: Archive, provider: TinyProvider, retry: Retry, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = [f"resp_{number:03}" for number in range(40)]
    let_go(archive, "Old00001", ids)
    provider.script |= {"resp_001": [404], "resp_002": [400], "resp_003": ["reset"], "resp_004": [500] * 400}
    path = path_of(archive)
    path.write_bytes(path.read_bytes() + b"not ours\n")
    for _ in range(60):
        retry("resp_004")
    retry()
    archive.responses.forget(archive.responses.named(["resp_005"])[0])
    before = ResponseQueue(archive.workspace)
    left = [(one.key, one.state, one.reason, one.attempts, one.unanswered, one.chats) for one in before.entries()]
    receipts, salt, size = before.receipts(), before.salt(), path.stat().st_size
    monkeypatch.setattr("chat_archive.core.provider.queue._LONG", 1000)
    before.fold()
    after = ResponseQueue(archive.workspace)
    assert [
        (one.key, one.state, one.reason, one.attempts, one.unanswered, one.chats) for one in after.entries()
    ] == left
    assert after.receipts() == receipts
    assert after.salt() == salt
    assert path.stat().st_size < size
    assert b"not ours\n" in path.read_bytes()
    assert all(name.encode() in path.read_bytes() for name in ids)
    assert path.stat().st_mode & 0o777 == 0o600 or os.name == "nt"


def test_folding_keeps_which_keys_were_refused(
    archive: Archive, provider: TinyProvider, retry: Retry, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_go(archive, "Old00001", ["resp_a"])
    provider.keys = lambda _headers: False
    monkeypatch.setattr("chat_archive.core.provider.queue._LONG", 0)
    for _ in range(60):
        retry("resp_a")
    asked = len(provider.asked)
    ResponseQueue(archive.workspace).fold()
    retry()
    assert len(provider.asked) == asked


def test_the_same_response_of_two_chats_is_one_entry_and_one_request(
    archive: Archive, provider: TinyProvider, retry: Retry
) -> None:
    put(archive.root, "Old00001", chat("Old00001", agents=[agent(["resp_a"], base=provider.url)]))
    put(archive.root, "Old00002", chat("Old00002", agents=[agent(["resp_a"])]))
    archive.empty_trash([entry.id for entry in _trashed(archive, "Old00001", "Old00002")])
    assert retry().failed == ()
    assert provider.ids == ["resp_a"]
    assert {one.state for one in archive.provider_receipts()} == {ResponseState.DELETED}


def _trashed(archive: Archive, *folders: str) -> list[object]:
    archive.trash(list(folders))  # type: ignore[arg-type]
    return list(archive.trash_entries())


def test_giving_up_is_an_outcome_and_asking_again_is_a_new_wish(
    archive: Archive, provider: TinyProvider, retry: Retry, states: Callable[[], dict[str, str]]
) -> None:
    let_go(archive, "Old00001", ["resp_a", "resp_b"])
    result = archive.provider_forget(["resp_a"])
    assert "may still be stored" in result.items[0].text
    retry()
    assert provider.ids == ["resp_b"]
    assert states() == {"resp_a": "given up", "resp_b": "deleted"}
    assert archive.provider_forget(["resp_b"]).items[0].skipped, "what is deleted cannot be given up"
    let_go(archive, "Old00002", ["resp_a", "resp_b"])
    retry()
    assert provider.ids == ["resp_b", "resp_a"]
    assert set(states().values()) == {"deleted"}


def test_a_next_try_noted_by_a_wrong_clock_counts_as_due(
    archive: Archive, provider: TinyProvider, retry: Retry, clock: Clock
) -> None:
    let_go(archive, "Old00001", ["resp_a"])
    provider.script["resp_a"] = [(429, {"Retry-After": "86400"}, b"{}")]
    retry()
    clock.now -= FARTHEST
    retry()
    assert len(provider.asked) == 2


def test_threads_that_note_and_read_at_once_lose_nothing(archive: Archive) -> None:
    archive.workspace.need_private()
    faults: list[BaseException] = []

    def add(worker: int) -> None:
        try:
            for number in range(40):
                record = {"id": f"resp_{worker}_{number}", "provider": "openai", "chat": "x"}
                outbox.append(archive.workspace, [record])
                archive.responses.entries()
        except BaseException as error:
            faults.append(error)

    threads = [threading.Thread(target=add, args=(worker,)) for worker in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert len(ResponseQueue(archive.workspace).entries()) == 160


CRASHING = """
import os, sys
from pathlib import Path
from chat_archive.core import files
from chat_archive.core.archive import Archive
from tests.providers import setup_for
root, url, at = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
count = 0
real = files.append_synced
def append(path, data):
    global count
    count += 1
    if count == at:
        os.kill(os.getpid(), 9)
    real(path, data)
    if count == -at:
        os.kill(os.getpid(), 9)
files.append_synced = append
with Archive.open(root) as archive:
    archive.provider_retry(setup=setup_for(archive, f"openai={url}"))
"""


def test_d81_killed_at_any_note_nothing_is_lost_and_nothing_said_that_was_not_confirmed(
    tmp_path: Path, provider: TinyProvider
) -> None:
    """A run over three ids makes at most eight notes; each is a place to be killed at, before and after it."""
    ids = ["resp_a", "resp_b", "resp_c"]
    for at in [place for number in range(1, 9) for place in (number, -number)]:
        root = make_root(tmp_path / f"run{at}")
        with Archive.open(root) as archive:
            let_go(archive, "Old00001", ids)
        provider.asked.clear()
        gone: set[str] = set()

        def answer(_headers: dict[str, str], path: str, gone: set[str] = gone) -> object:
            name = path.rpartition("/")[2]
            if name in gone:
                return 404
            gone.add(name)
            return "deleted"

        provider.answer = answer  # type: ignore[method-assign]
        done = subprocess.run(
            [sys.executable, "-c", CRASHING, str(root), provider.url, str(at)],
            cwd=REPOSITORY,
            env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
            capture_output=True,
            check=False,
        )
        assert done.returncode in (-9, 0), done.stderr.decode()
        workspace = Workspace.open(root)
        queue = ResponseQueue(workspace)
        told = {entry.original: entry.state for entry in queue.entries()}
        assert set(told) == set(ids)
        assert {name for name, state in told.items() if state.final} <= gone
        workspace.close()
        with Archive.open(root) as archive:
            from tests.providers import setup_for

            archive.provider_retry(setup=setup_for(archive, f"openai={provider.url}"))
            final = {one.original: one.state for one in archive.provider_receipts()}
            assert set(final.values()) == {ResponseState.DELETED}, "gone after a lost answer counts as deleted"
            assert gone == set(ids)


def test_a_table_of_receipts_holds_no_formula() -> None:
    one = Receipt("e", "=cmd()", "=cmd()", "+x", "@m", "", (), ResponseState.WAITING, "\u3000=1", None, None)
    lines = to_csv([one]).splitlines()
    assert '"\'=cmd()"' in lines[1]
    assert not any(cell.strip('"\u3000')[:1] in set("=+-@") for cell in lines[1].split(","))


def test_the_outbox_holds_ids_and_places_and_no_text_of_a_chat(archive: Archive) -> None:
    put(archive.root, "Old00001", chat("Old00001", "Secret title", words=("Hush",), agents=[agent(["resp_a"])]))
    from chat_archive.core.operations import erase

    erase.erase(archive.workspace, "Old00001")  # type: ignore[arg-type]
    text = path_of(archive).read_text()
    assert "Secret title" not in text
    assert "Hush" not in text
    assert json.loads(text.splitlines()[0])["base_trace"] == "none"


def test_only_what_was_begun_or_asked_for_goes_on_by_itself(
    archive: Archive, provider: TinyProvider, retry: Retry, clock: Clock
) -> None:
    let_go(archive, "Old00001", ["resp_never"])
    assert retry(continuing=True).items == ()
    provider.script["resp_never"] = [500]
    retry("resp_never")
    assert retry(continuing=True, hurried=False).failed, "not before its time"
    clock.now += 5
    retry(continuing=True, hurried=False)
    assert provider.ids == ["resp_never", "resp_never"]
    put(archive.root, "Old00002", chat("Old00002", agents=[agent(["resp_asked"])]))
    gathered = outbox.gather(archive.root, "Old00002")
    outbox.append(archive.workspace, outbox.records_of("Old00002", gathered, consent=True, even_shared=True))
    retry(continuing=True, hurried=False)
    assert provider.ids[-1] == "resp_asked"


def test_what_was_deleted_for_one_chat_is_deleted_for_the_other(
    archive: Archive, provider: TinyProvider, retry: Retry, states: Callable[[], dict[str, str]]
) -> None:
    """The two chats know different things about its base URL, so the queue has two entries for it."""
    let_go(archive, "Old00001", ["resp_a"])
    retry()
    let_go(archive, "Old00002", ["resp_a"], base=provider.url)
    retry()
    assert provider.ids == ["resp_a"]
    assert [one.state.value for one in archive.provider_receipts()] == ["deleted", "deleted"]
