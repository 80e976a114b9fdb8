"""Hostile, broken and huge chats beside good ones: no crash, no hang, the right class for each, nothing changed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from chat_archive.core import scan
from chat_archive.core.entities import ChatRow, Severity
from chat_archive.core.errors import ArchiveError, UnreadableError
from chat_archive.core.report import chat_json, row_json
from tests.builders import snapshot

pytestmark = pytest.mark.shared

SECONDS = 2.0
NOT_LISTED = {"fs-no-chat-json"}  # no chat.json, no row: `check` tells it
# root reads files of mode 000; 300 MB is below the limit of what is read and opens whole
BETTER = {"fs-no-permission", "file-300m"}


@pytest.fixture
def hostile(shared: Path, tmp_path: Path, whole: bool) -> Path:
    root = tmp_path / "usr" / "chats"
    command = [sys.executable, str(shared / "tools" / "hostile_chat.py"), str(root), *(["--big"] if whole else [])]
    subprocess.run(command, check=True, capture_output=True)
    return root


def timed(action):  # type: ignore[no-untyped-def]
    start = time.perf_counter()
    result = action()
    return result, time.perf_counter() - start


def manifest_of(root: Path) -> dict[str, str]:
    listed = json.loads((root.parent / "hostile.json").read_text("utf-8"))
    return {_name(entry["name"]): entry["expect"] for entry in listed}


def _name(written: str) -> str:
    """The manifest writes the one name that is no UTF-8 as Latin-1."""
    return os.fsdecode(written.encode("latin-1")) if written.startswith("not-utf8") else written


def use_everything(root: Path, row: ChatRow) -> list[Severity]:
    """Open the chat in time and use all of it, as windows and commands do."""
    context, seconds = timed(lambda: scan.load(root, row.folder))
    assert seconds < SECONDS * 3, row.folder
    document = chat_json(context, row)
    json.dumps(document, ensure_ascii=False, allow_nan=False).encode("utf-8")
    scan.chat_files(root, row.folder)
    found = [*context.all_problems(), *(problem for item in context.log.items for problem in item.problems)]
    return [problem.severity for problem in found]


def test_every_hostile_chat_is_what_its_manifest_says(hostile: Path) -> None:
    expect = manifest_of(hostile)
    before = snapshot(hostile.parent.parent)
    rows, seconds = timed(lambda: {row.folder: row for row in scan.scan_root(hostile)})
    assert seconds < SECONDS * 3
    assert set(expect) - set(rows) == NOT_LISTED
    wrong = []
    for folder, row in rows.items():
        json.dumps(row_json(row), allow_nan=False, ensure_ascii=False).encode("utf-8")
        try:
            severities = use_everything(hostile, row)
        except ArchiveError as error:
            assert row.damaged, (folder, error)
            assert row.problems[0].text, folder
            found = "unreadable"
        else:
            assert not row.damaged, folder
            found = "partial" if Severity.PARTIAL in severities else "show"
        if found != expect.get(folder, "show") and folder not in BETTER:
            wrong.append((folder, found, expect.get(folder)))
    assert wrong == []
    assert snapshot(hostile.parent.parent) == before


def test_nothing_outside_the_root_is_opened(hostile: Path) -> None:
    code = """if True:
        import os, sys
        from pathlib import Path
        from chat_archive.core import scan
        from chat_archive.core.errors import ArchiveError
        root, opened, on = Path(sys.argv[1]), [], []
        def audit(event, arguments):
            if on and event in ("open", "socket.connect", "socket.__new__", "subprocess.Popen", "os.listdir"):
                opened.append((event, str(arguments[0])))
        sys.addaudithook(audit)
        list(scan.scan_root(root))
        on.append(True)
        for row in list(scan.scan_root(root)):
            try:
                scan.load(root, row.folder)
                scan.chat_files(root, row.folder)
            except ArchiveError:
                pass
        on.clear()
        outside = [name for event, name in opened if "canary" in name or "passwd" in name]
        bad = outside + [event for event, name in opened if not event.startswith(("open", "os."))]
        assert opened and not bad, bad
    """
    done = subprocess.run([sys.executable, "-c", code, str(hostile)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]


@pytest.mark.parametrize("below", ["chats/broken/usr/chats", "real-chats", "chats/usr/chats"])
def test_handed_roots_list_and_open_in_time(shared: Path, below: str) -> None:
    root = shared / below
    rows, seconds = timed(lambda: {row.folder: row for row in scan.scan_root(root)})
    assert rows
    assert seconds < SECONDS * 3
    for row in rows.values():
        if row.damaged:
            with pytest.raises(UnreadableError):
                scan.load(root, row.folder)
            continue
        use_everything(root, row)
