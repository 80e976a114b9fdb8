"""Big archives made by the handed generator, once a run; the whole length with `--whole`."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import SHARED, shared_is_there

Maker = Callable[..., Path]


@pytest.fixture(scope="session")
def make_archive(tmp_path_factory: pytest.TempPathFactory) -> Maker:
    """`make_archive(chats, "--seed", "1", ...)` gives a chats root; the same wish gives the same folder."""
    made: dict[tuple[str, ...], Path] = {}

    def make(chats: int, *options: str) -> Path:
        if not shared_is_there():
            pytest.skip("the shared files are not there")
        wish = (str(chats), *options)
        if wish not in made:
            target = tmp_path_factory.mktemp("archive")
            tool = SHARED / "tools" / "make_archive.py"
            command = [sys.executable, str(tool), str(target), "--chats", *wish, "--jobs", "2", "--quiet"]
            subprocess.run([*command, "--manifest", str(target / "manifest.jsonl")], check=True)
            made[wish] = target / "usr" / "chats"
        return made[wish]

    return make
