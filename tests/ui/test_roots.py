"""Open roots: rows arrive in batches, a look tells only differences, our own changes win over an older scan."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from chat_archive.core.entities import Changes, ChatRow, Folder, ItemResult, OperationResult
from chat_archive.core.errors import StorageError
from chat_archive.core.progress import Progress
from chat_archive.ui.jobs import JobRunner
from chat_archive.ui.roots import OpenRoots, RootSession
from tests.builders import make_root
from tests.ui.chat_rows import make_row


class FakeArchive:
    """Hands out the rows it is given; `gate` holds a scan before its last row."""

    def __init__(self, rows: list[ChatRow]) -> None:
        self.root = Path("/somewhere/usr/chats")
        self.read_only_reason = ""
        self.rows = rows
        self.gate: threading.Event | None = None
        self.reached = threading.Event()
        self.trouble: Exception | None = None
        self.known: list[int] = []
        self.undo_info = self.redo_info = None
        self.closed = False
        self.workspace = SimpleNamespace(trash_days=30)

    def scan(self, progress: Progress, known: Mapping[Folder, ChatRow] | None = None) -> Iterator[ChatRow]:
        self.known.append(len(known or {}))
        rows = list(self.rows)
        for number, row in enumerate(rows):
            progress.report(number, len(rows))
            if number == len(rows) - 1 and self.gate is not None:
                self.reached.set()
                self.gate.wait(10)
                progress.report(number, len(rows))
            yield row
        if self.trouble is not None:
            raise self.trouble

    def trash_entries(self) -> list[Any]:
        return []

    def problems(self) -> tuple[Any, ...]:
        return ()

    def close(self) -> None:
        self.closed = True


class Heard:
    """What a session told."""

    def __init__(self, session: RootSession) -> None:
        self.batches: list[list[str]] = []
        self.gone: list[str] = []
        self.failed: list[Exception] = []
        session.rows_arrived.connect(lambda rows: self.batches.append([str(row.folder) for row in rows]))
        session.rows_gone.connect(self.gone.extend)
        session.failed.connect(self.failed.append)


@pytest.fixture
def archive() -> FakeArchive:
    return FakeArchive([make_row(number) for number in range(200)])


@pytest.fixture
def session(archive: FakeArchive, runner: JobRunner, qtbot: QtBot) -> Iterator[RootSession]:
    made = RootSession(archive, runner)  # type: ignore[arg-type]
    yield made
    if archive.gate is not None:
        archive.gate.set()
    made.close()


def _look(session: RootSession, qtbot: QtBot, **how: Any) -> None:
    session.look(**how)
    qtbot.waitUntil(lambda: not session.scanning)


def _result(**changes: frozenset[Folder]) -> OperationResult:
    return OperationResult("trash", (ItemResult("x", True, "Done."),), Changes(**changes))


def test_a_screen_full_comes_first_and_every_row_once(session: RootSession, qtbot: QtBot) -> None:
    heard = Heard(session)
    _look(session, qtbot)
    assert len(heard.batches[0]) == 40
    told = [folder for batch in heard.batches for folder in batch]
    assert len(told) == len(set(told)) == 200
    assert session.complete


def test_a_later_look_hands_in_what_is_known_and_tells_only_differences(
    session: RootSession, archive: FakeArchive, qtbot: QtBot
) -> None:
    _look(session, qtbot)
    heard = Heard(session)
    _look(session, qtbot, quiet=True)
    assert archive.known == [0, 200]
    assert heard.batches == []
    archive.rows = [*archive.rows[2:], make_row(500), make_row(5, title="changed")]
    _look(session, qtbot)
    assert sorted(folder for batch in heard.batches for folder in batch) == ["Chat0005", "Chat0500"]
    assert sorted(heard.gone) == ["Chat0000", "Chat0001"]


def test_a_row_that_comes_twice_is_told_in_its_last_state(
    session: RootSession, archive: FakeArchive, qtbot: QtBot
) -> None:
    archive.rows = [make_row(0), make_row(1), make_row(0, title="second")]
    _look(session, qtbot)
    assert session.rows[Folder("Chat0000")].title == "second"
    heard = Heard(session)
    _look(session, qtbot)
    assert heard.batches == []


@pytest.mark.parametrize("how", ["failed", "stopped"])
def test_a_scan_that_does_not_reach_the_end_removes_nothing(
    session: RootSession, archive: FakeArchive, qtbot: QtBot, runner: JobRunner, how: str
) -> None:
    _look(session, qtbot)
    heard = Heard(session)
    archive.rows = archive.rows[:3]
    if how == "failed":
        archive.trouble = StorageError("The folder cannot be read.")
        _look(session, qtbot)
        assert len(heard.failed) == 1
    else:
        archive.gate = threading.Event()
        session.look()
        qtbot.waitUntil(archive.reached.is_set)
        runner.cancel_all()
        archive.gate.set()
        qtbot.waitUntil(lambda: not session.scanning)
    assert heard.gone == []
    assert len(session.rows) == 200


def test_what_was_trashed_during_a_scan_does_not_come_back_from_it(
    session: RootSession, archive: FakeArchive, qtbot: QtBot
) -> None:
    archive.gate = threading.Event()
    session.look()
    qtbot.waitUntil(lambda: archive.reached.is_set() and len(session.rows) >= 40)
    last = archive.rows[-1].folder
    session.rows[last] = archive.rows[-1]
    archive.rows = archive.rows[:-1]
    session.apply(_result(removed=frozenset({last})), [])
    assert last not in session.rows
    archive.gate.set()
    qtbot.waitUntil(lambda: not session.scanning)
    assert last not in session.rows
    assert len(session.rows) == 199


def test_what_was_added_during_a_scan_is_not_taken_for_gone(
    session: RootSession, archive: FakeArchive, qtbot: QtBot
) -> None:
    archive.gate = threading.Event()
    session.look()
    qtbot.waitUntil(archive.reached.is_set)
    new = make_row(900)
    heard = Heard(session)
    session.apply(_result(added=frozenset({new.folder})), [new])
    archive.rows = [*archive.rows, new]
    archive.gate.set()
    qtbot.waitUntil(lambda: not session.scanning)
    assert new.folder in session.rows
    assert heard.gone == []


def test_a_closed_root_tells_nothing_more(
    session: RootSession, archive: FakeArchive, qtbot: QtBot, runner: JobRunner
) -> None:
    archive.gate = threading.Event()
    session.look()
    qtbot.waitUntil(archive.reached.is_set)
    heard = Heard(session)
    session.close()
    archive.gate.set()
    qtbot.waitUntil(lambda: not runner.busy)
    assert archive.closed
    assert heard.batches == []


def test_one_folder_under_two_names_is_opened_once(runner: JobRunner, qtbot: QtBot, tmp_path: Path) -> None:
    root = make_root(tmp_path, 1)
    link = tmp_path / "link"
    link.symlink_to(root)
    owner = QObject()
    roots = OpenRoots(runner, lambda: None, lambda: 7, owner)
    for path in (root, link, root):
        roots.open(path)
    qtbot.waitUntil(lambda: not runner.busy)
    assert len(roots.sessions) == 1
    assert roots.sessions[0].archive.workspace.trash_days == 7
    roots.open(link)
    qtbot.waitUntil(lambda: not runner.busy)
    assert len(roots.sessions) == 1
    roots.close_all()
