"""The case names-in-a-side-file: tmp/chat_names.json maps ids to names."""

from __future__ import annotations

import json

import pytest

from chat_archive.core import scan

pytestmark = pytest.mark.shared


@pytest.fixture
def root(case_input):  # type: ignore[no-untyped-def]
    return case_input("names-in-a-side-file") / "tmp/chats"


def test_chats_take_the_names_of_the_side_file(root, rows_of) -> None:
    rows = rows_of(root)
    assert {row.title for row in rows.values()} == {"Kite notes", "Bread notes"}
    assert all(row.title_given and row.name is None for row in rows.values())
    assert scan.root_problems(root) == ()


def test_a_name_of_its_own_comes_first(root, rows_of) -> None:
    first = next(iter(rows_of(root)))
    path = root / first / "chat.json"
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | {"name": "Own name"}), "utf-8")
    assert rows_of(root)[first].title == "Own name"


def test_a_side_file_that_is_not_json_is_reported_once_and_ignored(root, rows_of) -> None:
    (root.parent / "chat_names.json").write_text("not json")
    rows = rows_of(root)
    assert not any(row.title_given for row in rows.values())
    assert not any(row.problems for row in rows.values())
    assert [problem.code for problem in scan.root_problems(root)] == ["side-file"]
