"""The case both-roots-at-once: one tree with tmp/chats and usr/chats (D-25)."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from chat_archive.__main__ import main
from tests.builders import snapshot

pytestmark = pytest.mark.shared


@pytest.fixture
def case(shared: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(shared / "cases" / "both-roots-at-once" / "input", tmp_path / "input"))


def test_both_chats_are_listed_each_with_its_place(case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", str(case), "--json"]) == 0
    chats = json.loads(capsys.readouterr().out)["chats"]
    assert {(chat["id"], chat["root"]) for chat in chats} == {
        ("ff777205-3abf-4d81-ad6e-ec229a09e14f", str(case / "tmp" / "chats")),
        ("Both0001", str(case / "usr" / "chats")),
    }
    assert main(["list", str(case)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any("Both0001" in line and "usr/chats" in line for line in lines)
    assert any("ff777205" in line and "tmp/chats" in line for line in lines)


def test_nothing_is_moved_by_looking(case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = snapshot(case)
    main(["list", str(case)])
    main(["show", str(case), "Both0001"])
    main(["show", str(case), "ff777205-3abf-4d81-ad6e-ec229a09e14f"])
    assert "Both0001" in capsys.readouterr().out
    assert snapshot(case) == before


def test_a_change_wants_one_of_the_two_named(case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = snapshot(case)
    assert main(["rename", str(case), "Both0001", "New name"]) == 3
    said = capsys.readouterr().err
    assert str(case / "usr" / "chats") in said
    assert str(case / "tmp" / "chats") in said
    assert snapshot(case) == before
