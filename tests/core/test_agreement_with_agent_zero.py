"""What this program reads from a file is what Agent Zero itself reads, but for the named differences."""

from __future__ import annotations

import json
from datetime import UTC
from pathlib import Path
from typing import Any

import pytest

from chat_archive.core import scan
from chat_archive.core.entities import ChatRow
from chat_archive.core.report import chat_json, row_json
from tests.agreement import DIFFERENCES, differences

ROOTS = {
    "usr": "chats/usr/chats",
    "broken": "chats/broken/usr/chats",
    "exports": "chats/exports",
    "real-chats": "real-chats",
}


def _root(shared: Path, name: str) -> Path:
    if name in ROOTS:
        return shared / ROOTS[name]
    return next((shared / "chats" / "legacy" / name.removeprefix("legacy-")).rglob("chats"))


def _documents(root: Path) -> dict[str, tuple[dict[str, Any], dict[str, Any]]]:
    rows: dict[str, ChatRow] = {row.folder: row for row in scan.scan_root(root, zone=UTC)}
    found = {}
    for folder, row in rows.items():
        if not row.damaged:
            found[folder] = (row_json(row), chat_json(scan.load(root, folder, zone=UTC), row))
    return found


OLD = ["2026-01-dev", "2026-06", "flat-names", "v0.7.1", "v0.8", "v0.8.1", "v0.8.2", "v0.8.4", "v0.9.0", "v0.9.5"]
NAMES = [*ROOTS, *(f"legacy-{name}" for name in [*OLD, "v0.9.7", "v0.9.8", "v1.7"])]


@pytest.mark.shared
@pytest.mark.parametrize("name", NAMES)
def test_facts_agree_with_agent_zero(shared: Path, name: str) -> None:
    expected = json.loads((shared / "chats" / "expected" / f"{name}.json").read_text("utf-8"))["results"]
    documents = _documents(_root(shared, name))
    compared = 0
    for result in expected:
        folder = result["path"]
        for chat in result["chats"]:
            assert folder in documents, f"{folder} is not readable here"
            row, shown = documents[folder]
            assert list(differences(chat, row, shown)) == [], folder
            compared += 1
    readable = sum(1 for result in expected if result["chats"])
    assert compared >= readable


@pytest.mark.shared
def test_no_named_difference_is_left_over(shared: Path) -> None:
    """Each line of the table is needed by some file, so that none hides a fault."""
    from tests.agreement import pairs

    used = set()
    for name in NAMES:
        expected = json.loads((shared / "chats" / "expected" / f"{name}.json").read_text("utf-8"))["results"]
        documents = _documents(_root(shared, name))
        for result in expected:
            for chat in result["chats"]:
                for what, theirs, ours in pairs(chat, *documents[result["path"]]):
                    if theirs != ours:
                        used |= {(kind, why) for kind, why, test in DIFFERENCES if kind == what and test(theirs, ours)}
    assert {(kind, why) for kind, why, _test in DIFFERENCES} - used == set()
