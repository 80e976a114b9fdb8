"""The table of open lines is true: its lines stand in the cases, and every case has its tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases.open_lines import OPEN_LINES

CASES = (
    *("volume-layouts", "both-roots-at-once", "chats-without-id", "damaged-files-among-good"),
    *("empty-file-breaks-the-list", "folder-named-undefined", "folder-not-readable", "history-is-a-list"),
    *("half-emoji", "half-emoji-in-a-title", "last-message-never-moves", "log-empty-history-full"),
    *("log-starts-at-812", "message-kinds-in-the-middle", "names-in-a-side-file", "newer-format-than-known"),
    *("null-number-refused", "null-where-a-list-was", "one-odd-chat-in-a-bundle", "profile-that-is-gone"),
    *("profiles-of-subordinates", "stuck-progress", "title-with-line-breaks", "titles-all-the-same"),
    *("title-cut-inside-an-emoji", "very-long-titles", "wrong-name-shown", "unknown-keys-of-plugins"),
    *("import-of-broken-json", "import-keeps-the-memory", "dates-survive-import", "same-title-files"),
    *("file-names-from-titles", "download-name-not-latin", "paths-of-another-system"),
    *("remove-all-needs-care", "changed-between-look-and-delete", "deleted-comes-back-on-scan"),
    *("deleted-the-wrong-level", "api-chats-expire", "forked-chats", "tasks-without-chats"),
    *("task-results-elsewhere", "title-overwritten-by-server", "source-gone-is-not-deleted"),
    *("archived-flag-of-a-plugin",),
    *("restored-from-the-recycle-bin", "one-key-removes-all", "delete-does-nothing", "many-chats-slow"),
)
HERE = Path(__file__).parent


@pytest.mark.shared
@pytest.mark.parametrize(("case", "words", "_waits"), OPEN_LINES)
def test_an_open_line_stands_in_its_case(shared: Path, case: str, words: str, _waits: str) -> None:
    text = (shared / "cases" / case / "case.md").read_text("utf-8")
    assert words in text.split("## Right result", 1)[1]


@pytest.mark.parametrize("case", CASES)
def test_every_case_has_a_test_of_its_name(case: str) -> None:
    path = HERE / f"test_{case.replace('-', '_')}.py"
    assert "\ndef test_" in path.read_text("utf-8")


def test_open_lines_are_of_cases_with_tests() -> None:
    assert {case for case, _words, _waits in OPEN_LINES} <= set(CASES)
    assert len(set(OPEN_LINES)) == len(OPEN_LINES)
