"""The case volume-layouts: chats stand at different depths of a container's volume."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from chat_archive.core.archive import Archive
from chat_archive.core.discover import find_roots

pytestmark = pytest.mark.shared


@pytest.fixture
def case(shared: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(shared / "cases" / "volume-layouts" / "input", tmp_path / "input"))


@pytest.mark.parametrize(("chosen", "count"), [("vol", 1), ("mount", 1), ("whole", 1), ("two", 2), (".", 5)])
def test_choosing_a_folder_finds_the_roots_below_it(case: Path, chosen: str, count: int) -> None:
    assert len(find_roots(case / chosen)) == count


@pytest.mark.parametrize(
    ("root", "chat"),
    [
        ("vol/_data/usr/chats", "VolA0001"),
        ("mount/usr/chats", "VolB0001"),
        ("whole/a0/usr/chats", "VolC0001"),
        ("two/agent-zero/one/usr/chats", "VolD0001"),
        ("two/agent-zero/two/usr/chats", "VolD0001"),
    ],
)
def test_usr_the_root_a_chat_and_its_file_lead_to_the_same_root(case: Path, root: str, chat: str) -> None:
    expected = case / root
    for chosen in (expected.parent, expected, expected / chat, expected / chat / "chat.json"):
        assert [found.path for found in find_roots(chosen)] == [expected], chosen


def test_two_instances_can_be_told_apart_and_each_chat_says_its_root(case: Path) -> None:
    found = find_roots(case / "two")
    assert len({root.label for root in found}) == 2
    assert {root.label for root in found} == {"one/usr/chats", "two/usr/chats"}
    for root in found:
        with Archive.open(root.path, write=False) as archive:
            assert [(row.id, row.root) for row in archive.scan()] == [("VolD0001", root.path)]
