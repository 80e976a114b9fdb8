"""The case profile-that-is-gone: profiles that no folder holds, empty and null."""

from __future__ import annotations

import pytest

from chat_archive.core import scan

pytestmark = pytest.mark.shared


@pytest.fixture
def root(case_input):  # type: ignore[no-untyped-def]
    return case_input("profile-that-is-gone") / "usr/chats"


def test_the_profile_is_shown_as_stored(root, rows_of) -> None:
    rows = rows_of(root)
    assert [rows[f"Prof000{number}"].agent_profile for number in range(3)] == ["kite-repair", "", ""]
    assert scan.load(root, "Prof0000").agents[0].profile == "kite-repair"
    assert scan.load(root, "Prof0002").raw_profile is None
    assert not any(row.problems for row in rows.values())
