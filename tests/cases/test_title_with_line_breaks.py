"""The case title-with-line-breaks: names with line breaks, quotes and markdown."""

from __future__ import annotations

import pytest

from chat_archive.core import scan
from chat_archive.core.model.titles import sort_key

pytestmark = pytest.mark.shared


@pytest.fixture
def root(case_input):  # type: ignore[no-untyped-def]
    return case_input("title-with-line-breaks") / "usr/chats"


def test_one_line_each_and_the_stored_one_is_kept(root, rows_of) -> None:
    rows = rows_of(root)
    assert [rows[f"Name000{number}"].title for number in range(4)] == [
        "Rain Gauge Setup",
        "Two Lines Title",
        '"Quoted Kite"',
        "**Bold** Bread",
    ]
    assert "\n" in rows["Name0000"].name
    assert scan.load(root, "Name0000").name == rows["Name0000"].name


def test_sorting_ignores_leading_white_space(rows_of, root) -> None:
    titles = sorted((row.name for row in rows_of(root).values()), key=sort_key)
    assert titles[-2].strip().startswith("Rain")
