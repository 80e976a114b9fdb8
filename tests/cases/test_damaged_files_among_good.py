"""The case damaged-files-among-good: empty, zeros, a folder, cut, a web page, and a good one."""

from __future__ import annotations

import pytest

from chat_archive.core import scan

pytestmark = pytest.mark.shared


@pytest.fixture
def root(case_input):  # type: ignore[no-untyped-def]
    return case_input("damaged-files-among-good") / "usr/chats"


def test_six_rows_each_damaged_one_with_its_reason(root, rows_of) -> None:
    rows = rows_of(root)
    assert len(rows) == 6
    reasons = {name: row.problems[0].text for name, row in rows.items() if row.damaged}
    assert reasons.keys() == {f"Bad0000{number}" for number in range(1, 6)}
    assert "empty (0 bytes)" in reasons["Bad00001"]
    assert "only zero bytes" in reasons["Bad00002"]
    assert "is a folder" in reasons["Bad00003"]
    assert "ends too early, at byte 1484" in reasons["Bad00004"]
    assert "web page and not JSON" in reasons["Bad00005"]


def test_the_good_chat_opens(root, rows_of) -> None:
    assert not rows_of(root)["Good0001"].damaged
    assert len(scan.load(root, "Good0001").log.items) == 4


def test_a_damaged_file_can_be_copied_as_it_is(root, rows_of) -> None:
    assert scan.read_bytes(root, "Bad00004") == (root / "Bad00004" / "chat.json").read_bytes()
    assert rows_of(root)["Bad00004"].path.exists()


def test_what_the_cut_file_still_holds_is_offered(root) -> None:
    assert len(scan.salvage(root, "Bad00004")) == 1
