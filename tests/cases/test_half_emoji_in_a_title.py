"""The case half-emoji-in-a-title: a lone surrogate in name, in a key of kvps and in data.project."""

from __future__ import annotations

import json

import pytest

from chat_archive.core import scan
from chat_archive.core.report import chat_json, row_json

pytestmark = pytest.mark.shared


@pytest.fixture
def root(case_input):  # type: ignore[no-untyped-def]
    return case_input("half-emoji-in-a-title") / "usr/chats"


def test_it_is_listed_and_opens_with_a_replacement_mark(root, rows_of) -> None:
    row = rows_of(root)["Surr0001"]
    assert row.title == "lantern \ufffd night"
    assert not row.damaged
    json.dumps(row_json(row), ensure_ascii=False).encode("utf-8")
    context = scan.load(root, "Surr0001")
    json.dumps(chat_json(context, row), ensure_ascii=False).encode("utf-8")
    assert "\ufffd" in row.project


def test_a_second_look_with_the_rows_of_the_first_does_not_fail(root, rows_of) -> None:
    rows = rows_of(root)
    assert {row.folder: row for row in scan.scan_root(root, known=rows)} == rows
