"""Each number of the format page's table of defects that this program answers has a test named after it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
NUMBERS = (*range(1, 58), 59, 60, 61, 64, *range(72, 80), 81, 82, 83, *range(86, 95))
_NAME = re.compile(r"^\s*(?:async )?def test_((?:d\d\d_)+)\w+\(", re.MULTILINE)


@pytest.fixture(scope="module")
def named() -> set[int]:
    """The numbers test functions begin with; `test_d23_d24_...` carries both."""
    found: set[int] = set()
    for path in TESTS.rglob("test_*.py"):
        for numbers in _NAME.findall(path.read_text("utf-8")):
            found.update(int(number) for number in re.findall(r"\d\d", numbers))
    return found


@pytest.mark.parametrize("number", NUMBERS, ids=lambda number: f"D-{number:02}")
def test_a_test_carries_the_number(number: int, named: set[int]) -> None:
    assert number in named
