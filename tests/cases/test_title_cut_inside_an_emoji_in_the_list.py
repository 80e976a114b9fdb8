"""The case title-cut-inside-an-emoji: titles whose cut falls inside a character of several."""

from __future__ import annotations

import pytest

from chat_archive.core import scan
from chat_archive.core.model.titles import cut

pytestmark = pytest.mark.shared


@pytest.fixture
def root(case_input):  # type: ignore[no-untyped-def]
    return case_input("title-cut-inside-an-emoji") / "usr/chats"


@pytest.mark.parametrize("limit", [40, 60, 80])
def test_a_cut_title_ends_before_the_character_that_does_not_fit(root, rows_of, limit: int) -> None:
    for row in rows_of(root).values():
        short = cut(row.title, limit).removesuffix("\u2026")
        assert len(short) <= limit
        assert "\ufffd" not in short
        rest = row.title[len(short) :].lstrip()
        assert not rest.startswith(("\u200d", "\ufe0f", "\u0301", "\u0308"))
        assert not short.endswith("\u200d")
        letters = sum(1 for sign in short if "\U0001f1e6" <= sign <= "\U0001f1ff")
        assert letters % 2 == 0


def test_the_full_title_is_in_the_file(root, rows_of) -> None:
    for name, row in rows_of(root).items():
        assert row.name == scan.load(root, name).name
        assert len(row.name) > 40
