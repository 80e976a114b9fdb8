"""Runs the command line in this process, as a person would type it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from chat_archive.__main__ import main
from tests.builders import make_root


@dataclass(frozen=True)
class Said:
    """What one command said and its exit status."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Said]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def type_it(*words: object) -> Said:
        try:
            status = main([str(word) for word in words])
        except SystemExit as stop:
            status = int(stop.code or 0)
        said = capsys.readouterr()
        assert "Traceback" not in said.err
        return Said(status, said.out, said.err)

    return type_it


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Three small chats, Chat0000 the oldest."""
    return make_root(tmp_path / "install")
