"""An edit beside a host that saves at the worst moments: none of its saves is lost (C2)."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from chat_archive.core import editing, files
from chat_archive.core.editing import edit
from chat_archive.core.errors import BusyError, UnreadableError
from chat_archive.core.workspace import Workspace
from tests.builders import make_root

PARTS = ("Chat0000", "chat.json")


class Host:
    """Saves a chat in place or by rename, with a counter, whenever it is told to."""

    def __init__(self, root: Path, mode: str) -> None:
        self.path = root.joinpath(*PARTS)
        self.mode = mode
        self.count = 0

    def save(self) -> None:
        self.count += 1
        text = json.dumps({"id": "Chat0000", "name": "from the host", "count": self.count})
        if self.mode == "replace":
            beside = self.path.with_name("chat.json.host")
            beside.write_text(text)
            beside.replace(self.path)
        else:
            self.path.write_text(text)

    @property
    def disk(self) -> Any:
        return json.loads(self.path.read_text())


def renamed(data: bytes) -> bytes:
    document = json.loads(data)
    document["name"] = "ours"
    return json.dumps(document).encode()


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    opened = Workspace.open(make_root(tmp_path))
    opened.need_private()
    return opened


@pytest.fixture(params=["truncate", "replace"])
def host(request: pytest.FixtureRequest, workspace: Workspace) -> Host:
    return Host(workspace.root, request.param)


@pytest.fixture(params=["exchange", "no exchange"])
def exchanging(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    if request.param == "no exchange":

        def cannot(*_: object) -> None:
            raise files.CannotExchangeError(38, "no")

        monkeypatch.setattr(files, "exchange_names", cannot)
    return request.param == "exchange"


def nothing_left(workspace: Workspace) -> None:
    assert list(workspace.staging.iterdir()) == []
    assert workspace.journal.unfinished == ()
    assert [p.name for p in (workspace.root / "Chat0000").iterdir()] == ["chat.json"]


def at_call(monkeypatch: pytest.MonkeyPatch, name: str, act: Callable[[], None], times: int = 1) -> None:
    """Do something just before a function of the files room is called, a number of times."""
    real = getattr(files, name)
    left = [times]

    def wrapped(*args: Any, **kwargs: Any) -> Any:
        if left[0]:
            left[0] -= 1
            act()
        return real(*args, **kwargs)

    monkeypatch.setattr(files, name, wrapped)


def test_an_undisturbed_edit_changes_the_file_and_keeps_its_mode(workspace: Workspace, exchanging: bool) -> None:
    path = workspace.root.joinpath(*PARTS)
    path.chmod(0o640)
    done = edit(workspace, PARTS, renamed)
    assert json.loads(path.read_bytes())["name"] == "ours"
    assert path.read_bytes() == done.after
    assert path.stat().st_mode & 0o777 == 0o640
    assert bool(done.remark) is not exchanging
    nothing_left(workspace)


@pytest.mark.parametrize("moment", ["write_new_at", "sync_place"])
def test_a_save_before_the_exchange_is_kept_and_the_edit_made_on_it(
    workspace: Workspace, host: Host, exchanging: bool, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    at_call(monkeypatch, moment, host.save)
    edit(workspace, PARTS, renamed)
    assert host.disk["count"] == host.count == 1
    assert host.disk["name"] == "ours"
    nothing_left(workspace)


def test_a_save_in_the_very_moment_of_the_exchange_is_kept(
    workspace: Workspace, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_call(monkeypatch, "exchange_names", host.save)
    edit(workspace, PARTS, renamed)
    assert host.disk == {"id": "Chat0000", "name": "ours", "count": 1}
    nothing_left(workspace)


def test_saves_around_giving_back_are_kept(workspace: Workspace, host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    at_call(monkeypatch, "exchange_names", host.save, times=4)
    edit(workspace, PARTS, renamed)
    assert host.disk["count"] == host.count
    nothing_left(workspace)


def test_what_the_host_writes_into_the_displaced_file_is_kept(
    workspace: Workspace, exchanging: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = workspace.root.joinpath(*PARTS)
    held = path.open("r+b")  # the host opened the file before the exchange and writes after it
    written: list[bytes] = []

    def host_writes(_seconds: float) -> None:
        if not written:
            written.append(json.dumps({"id": "Chat0000", "name": "late", "count": 7}).encode())
            held.truncate(0)
            held.write(written[0])
            held.flush()

    monkeypatch.setattr(editing.time, "sleep", host_writes)
    edit(workspace, PARTS, renamed)
    held.close()
    assert json.loads(path.read_bytes()) == {"id": "Chat0000", "name": "ours", "count": 7}
    nothing_left(workspace)


def test_a_save_after_the_exchange_has_the_last_word(
    workspace: Workspace, host: Host, exchanging: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved: list[int] = []

    def once(_seconds: float) -> None:
        if not saved:
            host.save()
            saved.append(1)

    monkeypatch.setattr(editing.time, "sleep", once)
    edit(workspace, PARTS, renamed)
    assert host.disk["count"] == 1
    nothing_left(workspace)


def test_a_host_that_writes_in_every_round_is_told_after_five(
    workspace: Workspace, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_call(monkeypatch, "write_new_at", host.save, times=99)
    with pytest.raises(BusyError, match="writing this chat"):
        edit(workspace, PARTS, renamed)
    assert host.count == editing.ROUNDS
    assert host.disk == {"id": "Chat0000", "name": "from the host", "count": host.count}
    nothing_left(workspace)


@pytest.mark.parametrize("call", ["write_new_at", "exchange_names", "sync_place", "place"])
@pytest.mark.parametrize("nth", range(6))
def test_an_error_at_any_call_leaves_the_old_or_the_new_text_and_the_next_start_tidies(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, call: str, nth: int
) -> None:
    path = workspace.root.joinpath(*PARTS)
    before = path.read_bytes()
    real = getattr(files, call)
    count = [0]

    def failing(*args: Any, **kwargs: Any) -> Any:
        count[0] += 1
        if count[0] == nth + 1:
            raise OSError(5, "no")
        return real(*args, **kwargs)

    with monkeypatch.context() as patch:
        patch.setattr(files, call, failing)
        failed = False
        try:
            edit(workspace, PARTS, renamed)
        except Exception as error:
            failed = True
            assert "disk reported" in str(error)
    assert path.read_bytes() in ((before,) if failed else (renamed(before),))
    workspace.close()
    again = Workspace.open(workspace.root)
    nothing_left(again)


def test_a_damaged_file_is_not_touched(workspace: Workspace) -> None:
    path = workspace.root.joinpath(*PARTS)
    path.write_bytes(b"{")

    def refuse(data: bytes) -> bytes:
        raise UnreadableError("no", kind="syntax")

    with pytest.raises(UnreadableError):
        edit(workspace, PARTS, refuse)
    assert path.read_bytes() == b"{"
    nothing_left(workspace)


def test_nothing_is_written_when_nothing_changes(workspace: Workspace) -> None:
    path = workspace.root.joinpath(*PARTS)
    before = path.stat()
    edit(workspace, PARTS, lambda data: data)
    after = path.stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_a_write_into_the_displaced_file_that_no_time_tells_is_seen_by_its_bytes(
    workspace: Workspace, exchanging: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = workspace.root.joinpath(*PARTS)
    with path.open("r+b") as host:
        before = path.stat()
        text = path.read_bytes().replace(b"full", b"fine")

        def write() -> None:
            host.write(text)
            host.flush()
            os.utime(host.fileno(), ns=(before.st_atime_ns, before.st_mtime_ns))

        at_call(monkeypatch, "read_once", write)
        edit(workspace, PARTS, renamed)
    assert b"fine" in path.read_bytes()
    assert json.loads(path.read_bytes())["name"] == "ours"
    nothing_left(workspace)
