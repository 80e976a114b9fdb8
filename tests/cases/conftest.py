"""The handed cases: each is copied before it is used, with its files an hour old so that they do not count as live."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from chat_archive.core import scan
from chat_archive.core.entities import ChatRow
from tests.builders import age


@pytest.fixture
def case_input(shared: Path, tmp_path: Path) -> Callable[[str], Path]:
    """Give the copy of a case's input by the case's name."""

    def copy(name: str) -> Path:
        target = Path(
            shutil.copytree(shared / "cases" / name / "input", tmp_path / "input", copy_function=shutil.copyfile)
        )
        for folder, _names, files in os.walk(target):
            Path(folder).chmod(0o755)
            for file in files:
                age(Path(folder, file))
        return target

    return copy


@pytest.fixture
def rows_of() -> Callable[[Path], dict[str, ChatRow]]:
    """The rows of a root by folder, as they stand after the whole scan."""

    def read(root: Path) -> dict[str, ChatRow]:
        return {row.folder: row for row in scan.scan_root(root)}

    return read
