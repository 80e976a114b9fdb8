"""The case folder-named-undefined: folders of a faulty call and a loose file."""

from __future__ import annotations

import pytest

from chat_archive.core import scan

pytestmark = pytest.mark.shared


@pytest.fixture
def root(case_input):  # type: ignore[no-untyped-def]
    return case_input("folder-named-undefined") / "usr/chats"


def test_the_chats_are_listed_and_the_rest_causes_no_error(root, rows_of) -> None:
    rows = rows_of(root)
    assert {name: row.id for name, row in rows.items()} == {"null": "null", "[object Object]": "Undf0001"}
    assert [problem.code for problem in rows["null"].problems] == ["id-missing"]
    assert [problem.code for problem in rows["[object Object]"].problems] == ["id-differs"]
    assert scan.find(root, "Undf0001") == "[object Object]"
