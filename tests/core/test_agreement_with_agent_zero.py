"""What this program reads from a file is what Agent Zero itself reads, but for the named differences.

The documents are those a person gets: `list --json` of a whole root and `show --format json` of each chat.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from chat_archive.__main__ import main
from chat_archive.core.settings import Settings, save
from tests.agreement import DIFFERENCES, Pair, differences, pairs, reasons

ROOTS = {
    "usr": "chats/usr/chats",
    "broken": "chats/broken/usr/chats",
    "exports": "chats/exports",
    "real-chats": "real-chats",
}
OLD = ["2026-01-dev", "2026-06", "flat-names", "v0.7.1", "v0.8", "v0.8.1", "v0.8.2", "v0.8.4", "v0.9.0", "v0.9.5"]
NAMES = [*ROOTS, *(f"legacy-{name}" for name in [*OLD, "v0.9.7", "v0.9.8", "v1.7"])]


@dataclass(frozen=True)
class Compared:
    """One chat that Agent Zero could read."""

    folder: str
    pairs: list[Pair]
    unlike: list[str]  # facts in which `list` and `show` differ


@pytest.fixture(autouse=True)
def _dates_without_offset_are_utc() -> None:
    """As in the expectations: files without a zone were read with the zone set to UTC."""
    save(Settings(zone="UTC"))


def _root(shared: Path, name: str) -> Path:
    if name in ROOTS:
        return shared / ROOTS[name]
    return next((shared / "chats" / "legacy" / name.removeprefix("legacy-")).rglob("chats"))


def _document(*words: str) -> Any:
    with contextlib.redirect_stdout(io.StringIO()) as out:
        assert main(list(words)) == 0, words
    return json.loads(out.getvalue())


@cache
def _compared(shared: Path, name: str) -> list[Compared]:
    """Each chat of a root that Agent Zero could read, read once for all tests."""
    root = _root(shared, name)
    results = json.loads((shared / "chats" / "expected" / f"{name}.json").read_text("utf-8"))["results"]
    rows = {row["folder"]: row for row in _document("list", str(root), "--json")["chats"]}
    found = []
    for result in results:
        folder = result["path"]
        for chat in result["chats"]:
            assert folder in rows, f"{folder} is not listed"
            path = root / folder
            file = json.loads((path / "chat.json" if path.is_dir() else path).read_bytes())
            row, shown = rows[folder], _document("show", str(root), folder, "--format", "json")
            alike = row.keys() - {"state", "problems"}  # those two look at the whole root
            unlike = [key for key in alike if row[key] != shown["chat"][key]]
            found.append(Compared(folder, list(pairs(chat, row, shown, file)), unlike))
    return found


@pytest.mark.shared
@pytest.mark.parametrize("name", NAMES)
def test_facts_agree_with_agent_zero(shared: Path, name: str) -> None:
    for chat in _compared(shared, name):
        assert list(differences(chat.pairs)) == [], chat.folder
        assert chat.unlike == [], chat.folder


@pytest.mark.shared
def test_every_handed_expectation_is_compared(shared: Path) -> None:
    assert {path.stem for path in (shared / "chats" / "expected").glob("*.json")} == set(NAMES)
    assert sum(len(_compared(shared, name)) for name in NAMES) == 76


@pytest.mark.shared
def test_no_named_difference_is_left_over(shared: Path) -> None:
    """Each line of the table is needed by some file, so that none hides a fault."""
    used: set[tuple[str, str]] = set()
    for name in NAMES:
        for chat in _compared(shared, name):
            for pair in chat.pairs:
                if pair.theirs != pair.ours:
                    used |= reasons(pair)
    assert {(what, why) for what, why, _test in DIFFERENCES} - used == set()


def test_each_difference_names_its_defect_or_section() -> None:
    for what, why, _test in DIFFERENCES:
        assert re.fullmatch(r"D-\d\d|\d\.\d", why), what
    assert len({(what, why) for what, why, _test in DIFFERENCES}) == len(DIFFERENCES)


@pytest.mark.parametrize(
    ("pair", "excused"),
    [
        (Pair("progress", "Waiting for input", "A0: Thinking", "A0: Thinking"), {"D-36"}),
        (Pair("progress", "Waiting for input", "", "A0: Thinking"), set()),
        (Pair("progress", "Waiting for input", "A0: Thinking", "icon://chat[x] A0: Thinking"), {"D-36"}),
        (Pair("profile", "agent0", "", None), {"2.4"}),
        (Pair("profile", "agent0", "", "agent0"), set()),
        (Pair("item no", 0, 812, 812), {"D-54"}),
        (Pair("item no", 0, 1, 0), set()),
        (Pair("date", "1970-01-01T00:00:00.000000+00:00", None, None), {"D-33"}),
        (Pair("date", "2026-01-01T00:00:00.000000+00:00", None, "2026-01-01T00:00:00+00:00"), set()),
        (Pair("streaming", None, 0, {"named": 7, "numbers": [0]}), {"D-37"}),
        (Pair("streaming", None, 0, {"named": 0, "numbers": [0]}), set()),
    ],
)
def test_a_difference_is_excused_only_where_the_file_holds_its_reason(pair: Pair, excused: set[str]) -> None:
    assert {why for _what, why in reasons(pair)} == excused
