"""A profile no folder holds any more is shown as stored, and chats without one can be picked."""

from __future__ import annotations

from pathlib import Path

import pytest

from chat_archive.ui.models.chat_order import Scope, ScopeKind
from tests.cases.window_of import (  # noqa: F401 - fixtures
    _nothing_left_running,
    case_root,
    open_window,
    theme,
)
from tests.journeys.conftest import Opener

pytestmark = pytest.mark.shared


def test_none_is_one_of_the_choices(open_window: Opener, shared: Path, tmp_path: Path) -> None:  # noqa: F811
    desk = open_window(case_root(shared, tmp_path, "profile-that-is-gone"))
    lines = desk.window.sidebar.lines
    texts = {lines.index(number).data() for number in range(lines.rowCount())}
    assert {"kite-repair", "none"} <= texts
    assert "default" not in texts
    desk.window.sidebar.choose(Scope(ScopeKind.PROFILE, ""))
    desk.settle()
    assert desk.folders == {"Prof0001", "Prof0002"}
    desk.window.sidebar.choose(Scope(ScopeKind.PROFILE, "kite-repair"))
    desk.settle()
    assert desk.folders == {"Prof0000"}
    desk.do("go_all")
    for words, found in (
        ("profile:none", {"Prof0001", "Prof0002"}),
        ("kite", {"Prof0000"}),
        ("none", {"Prof0001", "Prof0002"}),
    ):
        desk.window.filter.setText(words)
        desk.settle()
        assert desk.folders == found, words
