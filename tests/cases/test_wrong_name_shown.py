"""The case wrong-name-shown: a name, a project title, a plugin title and an odd folder."""

from __future__ import annotations

import pytest

from chat_archive.core import scan

pytestmark = pytest.mark.shared


@pytest.fixture
def root(case_input):  # type: ignore[no-untyped-def]
    return case_input("wrong-name-shown") / "usr/chats"


def test_the_name_is_shown_else_the_first_words_never_the_folder(root, rows_of) -> None:
    rows = rows_of(root)
    assert (rows["curried-kite"].title, rows["curried-kite"].id) == ("Weather diary", "Wron0001")
    assert rows["Wron0002"].title in (rows["Wron0002"].name, rows["Wron0002"].first_words)
    for row in rows.values():
        assert row.title not in (row.folder, row.id)
    assert scan.find(root, "Wron0001") == "curried-kite"
