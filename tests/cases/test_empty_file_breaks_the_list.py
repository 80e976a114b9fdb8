"""The case empty-file-breaks-the-list: twenty good chats and one file with a single line break."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from chat_archive.__main__ import main
from tests.builders import age

pytestmark = pytest.mark.shared

# of this case, only the line about search waits for its feature


@pytest.fixture
def root(shared: Path, tmp_path: Path) -> Path:
    made = Path(shutil.copytree(shared / "cases" / "empty-file-breaks-the-list" / "input", tmp_path / "input"))
    for path in made.rglob("chat.json"):
        age(path)
    return made / "usr" / "chats"


def test_twenty_chats_and_one_damaged_row_at_every_start(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        assert main(["list", str(root), "--json"]) == 0
        chats = json.loads(capsys.readouterr().out)["chats"]
        damaged = [chat for chat in chats if chat["state"] == "damaged"]
        assert len(chats) == 21
        assert [chat["folder"] for chat in damaged] == ["Nothing1"]
        assert damaged[0]["problems"]


def test_exporting_all_writes_twenty_and_names_the_one_left_out(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    assert main(["export", str(root), "--to", str(out)]) == 1
    written = list(out.iterdir())
    assert len(written) == 20
    assert {path.read_bytes() for path in written} == {path.read_bytes() for path in root.glob("Twen*/chat.json")}
    assert "Nothing1" in capsys.readouterr().err
