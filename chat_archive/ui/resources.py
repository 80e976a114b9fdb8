"""Finds the files that come with the program, in a checkout, in an installed wheel and in a frozen build."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent


@cache
def _base() -> Path:
    frozen = getattr(sys, "_MEIPASS", None)
    places = [
        *([Path(frozen) / "chat_archive" / "_resources", Path(frozen) / "resources"] if frozen else []),
        _PACKAGE / "_resources",
        _PACKAGE.parent / "resources",
    ]
    for place in places:
        if place.is_dir():
            return place
    return places[-1]


def resource(*parts: str) -> Path:
    """Path of a bundled file or folder, e.g. `resource("icons", "open.svg")`. It need not exist."""
    return _base().joinpath(*parts)
