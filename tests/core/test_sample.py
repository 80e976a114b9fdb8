"""The copy of the sample archive that people play with."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from chat_archive.core.sample import sample_root
from chat_archive.core.settings import data_folder

BUNDLED = Path(__file__).resolve().parents[2] / "resources" / "sample"


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_copy_lies_in_the_persons_data_folder_and_is_whole(own_home: Path) -> None:
    root = sample_root(BUNDLED)
    assert root == data_folder() / "sample" / "usr" / "chats"
    assert own_home in root.parents
    assert files_of(data_folder() / "sample") == files_of(BUNDLED)


def test_the_copy_does_not_look_as_if_it_were_being_written_now() -> None:
    root = sample_root(BUNDLED)
    newest = max(path.stat().st_mtime for path in root.rglob("chat.json"))
    assert abs(newest - time.time()) > 24 * 3600


def test_a_copy_that_was_played_with_stays() -> None:
    root = sample_root(BUNDLED)
    (root / "Bread70x" / "chat.json").write_text("{}")
    assert sample_root(BUNDLED) == root
    assert (root / "Bread70x" / "chat.json").read_text() == "{}"


def test_a_half_copy_of_a_killed_start_is_made_anew(tmp_path: Path) -> None:
    target = tmp_path / "sample"
    (tmp_path / "sample.half" / "usr").mkdir(parents=True)
    (tmp_path / "sample.half" / "usr" / "rest").write_text("cut")
    sample_root(BUNDLED, target)
    assert files_of(target) == files_of(BUNDLED)
    assert [path.name for path in tmp_path.iterdir()] == ["sample"]


def test_something_else_in_its_place_is_kept(tmp_path: Path) -> None:
    target = tmp_path / "sample"
    target.mkdir()
    (target / "mine.txt").write_text("keep me")
    sample_root(BUNDLED, target)
    kept = [path for path in tmp_path.iterdir() if path.name.startswith("sample.old-")]
    assert [(path / "mine.txt").read_text() for path in kept] == ["keep me"]


@pytest.mark.parametrize("name", ["chat.json", "messages"])
def test_the_sample_holds_what_there_is_to_see(name: str) -> None:
    assert list((BUNDLED / "usr" / "chats").glob(f"*/{name}"))
