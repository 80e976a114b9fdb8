"""Who may change a root, and what opening does: nothing but finishing what a crash left."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from chat_archive.core import workspace as workspace_module
from chat_archive.core.entities import Folder
from chat_archive.core.errors import BusyError, NotFoundError, ReadOnlyError, StorageError
from chat_archive.core.operations import rename, trash
from chat_archive.core.progress import NullProgress
from chat_archive.core.workspace import Workspace
from tests.builders import make_root, snapshot

HOLD = """
import sys, time
from pathlib import Path
from chat_archive.core.workspace import Workspace
w = Workspace.open(Path(sys.argv[1]))
w.need_private()
print("HELD", flush=True)
time.sleep(60)
"""
START = """
import sys
from pathlib import Path
from chat_archive.core.workspace import Workspace
w = Workspace.open(Path(sys.argv[1]))
print(w.writable, flush=True)
sys.stdin.read()
"""


def start(script: str, root: Path) -> subprocess.Popen[str]:
    where = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    return subprocess.Popen(
        [sys.executable, "-c", script, str(root)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=where,
    )


def line_of(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.communicate()


def test_opening_a_root_creates_nothing(tmp_path: Path) -> None:
    root = make_root(tmp_path)
    before = snapshot(tmp_path)
    workspace = Workspace.open(root)
    assert workspace.writable
    workspace.need_writable()
    workspace.close()
    assert snapshot(tmp_path) == before


def test_the_private_folder_is_made_at_the_first_change_and_is_for_its_owner_alone(tmp_path: Path) -> None:
    root = make_root(tmp_path)
    old = os.umask(0)
    try:
        workspace = Workspace.open(root)
        private = workspace.need_private()
    finally:
        os.umask(old)
    assert private == root / ".chat-archive"
    assert not (private / "chat.json").exists()
    if os.name != "nt":
        for path in [private, *private.rglob("*")]:
            assert path.stat().st_mode & 0o777 == (0o700 if path.is_dir() else 0o600), path


@pytest.mark.skipif(os.name == "nt", reason="rights of POSIX")
def test_rights_that_were_opened_are_repaired_and_told(tmp_path: Path) -> None:
    root = make_root(tmp_path)
    first = Workspace.open(root)
    first.need_private()
    first.close()
    (root / ".chat-archive").chmod(0o755)
    (root / ".chat-archive" / "journal.jsonl").write_bytes(b"")
    (root / ".chat-archive" / "journal.jsonl").chmod(0o644)
    workspace = Workspace.open(root)
    assert any("access rights were repaired" in notice for notice in workspace.notices)
    assert (root / ".chat-archive").stat().st_mode & 0o777 == 0o700
    assert (root / ".chat-archive" / "journal.jsonl").stat().st_mode & 0o777 == 0o600


def test_a_root_that_is_a_link_is_resolved_once(tmp_path: Path) -> None:
    root = make_root(tmp_path)
    (tmp_path / "link").symlink_to(root)
    workspace = Workspace.open(tmp_path / "link")
    (tmp_path / "link").unlink()
    assert workspace.root == root.resolve()


def test_a_missing_root_and_a_file_are_told(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        Workspace.open(tmp_path / "none")
    (tmp_path / "f").write_bytes(b"")
    with pytest.raises(NotFoundError):
        Workspace.open(tmp_path / "f")


def test_opened_to_look_only_nothing_can_be_changed_and_nothing_is_recovered(tmp_path: Path) -> None:
    root = make_root(tmp_path)
    first = Workspace.open(root)
    first.need_private()
    (first.staging / "left.tmp").write_bytes(b"")
    first.close()
    workspace = Workspace.open(root, write=False)
    assert not workspace.writable
    with pytest.raises(ReadOnlyError):
        workspace.need_private()
    assert (first.staging / "left.tmp").exists()


@pytest.mark.parametrize("kind", ["link", "file"])
def test_a_private_folder_that_is_none_is_not_used(tmp_path: Path, kind: str) -> None:
    root = make_root(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    if kind == "link":
        (root / ".chat-archive").symlink_to(tmp_path / "elsewhere")
    else:
        (root / ".chat-archive").write_bytes(b"")
    workspace = Workspace.open(root)
    assert not workspace.writable
    with pytest.raises(ReadOnlyError):
        workspace.need_private()
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_two_in_one_program_exclude_each_other_from_the_first_change_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workspace_module, "BUSY_SECONDS", 0.0)
    root = make_root(tmp_path)
    one, other = Workspace.open(root), Workspace.open(root)
    one.need_private()
    with pytest.raises(BusyError):
        other.need_private()
    assert not other.writable
    late = Workspace.open(root)
    assert "Another window or command" in late.read_only_reason
    one.close()
    late.need_private()
    assert late.writable
    with pytest.raises(BusyError):
        other.need_private()


def test_the_lock_dies_with_a_killed_process(tmp_path: Path) -> None:
    root = make_root(tmp_path)
    holder = start(HOLD, root)
    try:
        assert line_of(holder) == "HELD"
        assert not Workspace.open(root).writable
        os.kill(holder.pid, signal.SIGKILL)
        holder.wait()
    finally:
        end(holder)
    assert Workspace.open(root).writable


@pytest.mark.slow
def test_of_fifty_starts_at_once_one_may_write(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    root = make_root(tmp_path)
    made = Workspace.open(root)
    made.need_private()
    made.close()
    started = [start(START, root) for _ in range(50 if request.config.getoption("--whole") else 12)]
    try:
        assert [line_of(process) for process in started].count("True") == 1
    finally:
        for process in started:
            end(process)
    assert Workspace.open(root).writable


@pytest.mark.skipif(os.name == "nt" or not hasattr(os, "seteuid"), reason="users of POSIX")
def test_a_root_that_this_user_may_not_write_says_so(tmp_path: Path, reachable: Path) -> None:
    if os.geteuid() != 0:
        root = make_root(tmp_path)
        root.chmod(0o555)
        reason = Workspace.open(root).read_only_reason
        root.chmod(0o755)
        assert str(root) in reason
        return
    root = make_root(reachable)
    os.seteuid(65534)
    try:
        workspace = Workspace.open(root)
    finally:
        os.seteuid(0)
    assert str(root) in workspace.read_only_reason
    assert "belongs to user number 0" in workspace.read_only_reason
    with pytest.raises(ReadOnlyError, match="belongs to user"):
        workspace.need_private()


def test_a_closed_workspace_changes_nothing_more(tmp_path: Path) -> None:
    workspace = Workspace.open(make_root(tmp_path))
    workspace.close()
    workspace.close()
    with pytest.raises(ReadOnlyError):
        workspace.need_private()


def test_a_root_that_cannot_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = make_root(tmp_path)

    def refuse(_path: object) -> None:
        raise PermissionError(13, "no")

    monkeypatch.setattr(workspace_module.os, "scandir", refuse)
    with pytest.raises(StorageError, match="not allowed"):
        Workspace.open(root)


@pytest.mark.parametrize("removed", [".chat-archive", ".chat-archive/trash", ".chat-archive/staging"])
def test_a_private_folder_that_was_removed_while_the_root_is_open_is_made_again_and_owned(
    tmp_path: Path, removed: str
) -> None:
    root = make_root(tmp_path)
    workspace = Workspace.open(root)
    workspace.need_private()
    shutil.rmtree(root / removed)
    assert trash.trash(workspace, [Folder("Chat0001")], NullProgress()).items[0].ok
    assert rename.rename(workspace, Folder("Chat0000"), "new", NullProgress()).items[0].ok
    assert [entry.folder for entry in trash.entries(workspace)] == ["Chat0001"]
    assert not Workspace.open(root).writable


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
@pytest.mark.parametrize("part", ["trash", "staging", "purge"])
def test_a_link_planted_in_the_private_folder_while_the_root_is_open_stops_every_change(
    tmp_path: Path, part: str
) -> None:
    root = make_root(tmp_path)
    workspace = Workspace.open(root)
    private = workspace.need_private()
    elsewhere = tmp_path / "elsewhere"
    (private / part).rename(elsewhere)
    (private / part).symlink_to(elsewhere)
    with pytest.raises(ReadOnlyError):
        trash.trash(workspace, [Folder("Chat0001")], NullProgress())
    assert (root / "Chat0001" / "chat.json").exists()
    assert not list(elsewhere.iterdir())
