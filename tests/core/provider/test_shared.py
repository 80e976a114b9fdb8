"""What another chat still uses is kept at the provider (D-64, D-78); what only quotes ids counts for nothing (D-73)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from chat_archive.core.archive import Archive
from chat_archive.core.entities import Folder
from chat_archive.core.errors import Cancelled, StorageError
from chat_archive.core.operations import erase
from chat_archive.core.progress import NullProgress
from chat_archive.core.provider import work
from chat_archive.core.provider.receipts import Receipt
from chat_archive.core.provider.shared import references
from tests.builders import chat, make_root, put, snapshot, text_of
from tests.core.provider.conftest import Retry
from tests.providers import TinyProvider, agent, let_go, setup_for, wrapped

States = Callable[[], dict[str, str]]
Find = Callable[[str], Receipt]


def test_d64_what_a_branch_uses_is_kept_until_the_branch_goes(
    archive: Archive, provider: TinyProvider, retry: Retry, states: States, receipt: Find
) -> None:
    put(archive.root, "Branch01", chat("Branch01", agents=[agent([wrapped("resp_both")])]))
    let_go(archive, "Trunk001", ["resp_both", "resp_mine"])
    result = retry()
    assert provider.ids == ["resp_mine"]
    assert states() == {"resp_both": "kept because shared", "resp_mine": "deleted"}
    assert "Branch01" in receipt("resp_both").reason
    assert result.failed == (), "keeping it is no failure"
    assert archive.provider_waiting_count == 0
    erase.erase(archive.workspace, Folder("Branch01"))
    retry()
    assert provider.ids == ["resp_mine", "resp_both"]


def test_d64_shared_goes_when_the_person_says_so(archive: Archive, provider: TinyProvider, retry: Retry) -> None:
    put(archive.root, "Branch01", chat("Branch01", agents=[agent(["resp_both"])]))
    let_go(archive, "Trunk001", ["resp_both"])
    retry("resp_both")
    assert provider.asked == []
    retry("resp_both", even_shared=True)
    assert provider.ids == ["resp_both"]


def test_d78_a_backup_inside_another_chat_counts(
    archive: Archive, provider: TinyProvider, retry: Retry, receipt: Find
) -> None:
    backups = archive.root / "Chat0001" / "backups"
    backups.mkdir()
    (backups / "pre-compact-1.json").write_bytes(text_of(chat("Chat0001", agents=[agent(["resp_a"])])))
    let_go(archive, "Trunk001", ["resp_a"])
    retry()
    assert provider.asked == []
    assert "an earlier version of “Disk report” (Chat0001)" in receipt("resp_a").reason


def test_what_lies_in_the_trash_may_come_back_and_counts(
    archive: Archive, provider: TinyProvider, retry: Retry, states: States
) -> None:
    put(archive.root, "Branch01", chat("Branch01", agents=[agent(["resp_a"])]))
    archive.trash([Folder("Branch01")])
    let_go(archive, "Trunk001", ["resp_a"])
    retry()
    assert states() == {"resp_a": "kept because shared"}
    archive.empty_trash()
    retry()
    assert states() == {"resp_a": "deleted"}


def test_a_chat_that_is_still_whole_keeps_its_responses(archive: Archive, provider: TinyProvider, retry: Retry) -> None:
    """A crash between the note and the erasing leaves the ids in the queue and the chat in its place (D-81)."""
    put(archive.root, "Whole001", chat("Whole001", agents=[agent(["resp_a"])]))
    from chat_archive.core.provider import outbox

    outbox.append(archive.workspace, outbox.records_of("Whole001", outbox.gather(archive.root, "Whole001")))
    retry()
    assert provider.asked == []
    erase.erase(archive.workspace, Folder("Whole001"))
    retry()
    assert provider.ids == ["resp_a"]


def test_d64_chats_of_another_open_archive_count(
    archive: Archive, provider: TinyProvider, states: States, tmp_path: Path
) -> None:
    other_root = make_root(tmp_path / "other")
    put(other_root, "Copy0001", chat("Copy0001", agents=[agent(["resp_a"])]))
    let_go(archive, "Trunk001", ["resp_a"])
    setup = setup_for(archive, f"openai={provider.url}")
    with Archive.open(other_root) as other:
        before = snapshot(other_root)
        archive.provider_retry(setup=setup, others=[archive, other])
        assert snapshot(other_root) == before
        assert states() == {"resp_a": "kept because shared"}
    archive.provider_retry(setup=setup)
    assert states() == {"resp_a": "deleted"}


def test_d73_quoted_ids_are_neither_collected_nor_do_they_keep_anything(
    archive: Archive, provider: TinyProvider, retry: Retry, states: States
) -> None:
    quote = text_of(chat("Other", agents=[agent(["resp_a", "resp_of_another"])])).decode()
    put(archive.root, "Quoting1", chat("Quoting1", words=("look", quote)))
    put(archive.root, "Trunk001", chat("Trunk001", words=("look", quote), agents=[agent(["resp_a"])]))
    erase.erase(archive.workspace, Folder("Trunk001"))
    retry()
    assert provider.ids == ["resp_a"]
    assert states() == {"resp_a": "deleted"}


def test_d77_a_chat_that_asks_to_keep_its_responses_is_obeyed_and_says_why(
    archive: Archive, provider: TinyProvider, retry: Retry, receipt: Find
) -> None:
    second = {"number": 1, "data": {"responses_delete_on_chat_delete": False}, "history": ""}
    put(archive.root, "Keep0001", chat("Keep0001", agents=[agent(["resp_a"]), second]))
    erase.erase(archive.workspace, Folder("Keep0001"))
    retry()
    assert provider.asked == []
    assert receipt("resp_a").state.value == "kept"
    assert "agent 1" in receipt("resp_a").reason
    assert archive.provider_waiting_count == 0


@pytest.mark.parametrize("flag", ["false", 0, None])
def test_d76_a_flag_that_is_not_exactly_false_keeps_nothing(
    archive: Archive, provider: TinyProvider, retry: Retry, flag: object
) -> None:
    made = chat("Flag0001", agents=[agent(["resp_a"])], responses_delete_on_chat_delete=flag)
    put(archive.root, "Flag0001", made)
    erase.erase(archive.workspace, Folder("Flag0001"))
    retry()
    assert provider.ids == ["resp_a"]


def test_d75_ids_found_by_their_look_wait_until_they_are_chosen(
    archive: Archive, provider: TinyProvider, retry: Retry, receipt: Find
) -> None:
    put(archive.root, "Damaged1", text_of(chat("Damaged1", agents=[agent([wrapped("resp_a")])]))[:-20])
    erase.erase(archive.workspace, Folder("Damaged1"))
    retry()
    assert provider.asked == []
    assert "damaged file" in receipt("resp_a").reason
    retry("resp_a")
    assert provider.ids == ["resp_a"]


def test_counting_can_leave_chats_out_and_be_stopped(archive: Archive) -> None:
    for folder in ("Branch01", "Branch02"):
        put(archive.root, folder, chat(folder, agents=[agent(["resp_a", "resp_b"])]))
    found = references([archive.workspace], None, NullProgress(), leaving={(archive.root, Folder("Branch01"))})
    assert {one: [user.folder for user in users] for one, users in found.by_id.items()} == {
        "resp_a": ["Branch02"],
        "resp_b": ["Branch02"],
    }

    class Stop:
        def report(self, done: int, total: int | None = None, item: str = "") -> None:
            raise Cancelled

    with pytest.raises(Cancelled):
        references([archive.workspace], None, Stop())


def test_not_being_able_to_look_is_no_reason_to_delete(
    archive: Archive, provider: TinyProvider, retry: Retry, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_go(archive, "Old00001", ["resp_a"])

    def refused(*_args: object, **_more: object) -> object:
        raise StorageError("The chats cannot be listed: the disk reported an error.")

    monkeypatch.setattr("chat_archive.core.provider.runner.references", refused)
    with pytest.raises(StorageError):
        work.retry(
            archive.workspace,
            archive.responses,
            None,
            NullProgress(),
            setup=setup_for(archive, f"openai={provider.url}"),
        )
    assert provider.asked == []
