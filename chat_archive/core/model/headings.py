"""Headings and progress texts carry icon markup, `icon://name[tooltip]`, that may be cut through (format 4.7, D-57)."""

from __future__ import annotations

import re

_ICON = re.compile(r"icon://([A-Za-z0-9_]+)(?:\[((?:\\.|[^\]\\])*)\])?")
_CUT_ICON = re.compile(r"icon:(?:/|//\w*(?:\[[^\]]*)?)?\.\.\.$")
_OLD_ICON = re.compile(r"<span class=\"(?:icon|material-symbols-outlined)[^\"<>]*\">[^<>]{0,60}</span>")
_BARS = re.compile(r"\s*\|{2,}\s*$")
_SPACE = re.compile(r"\s+")


def plain(heading: str) -> str:
    """The heading without icon markup and its cut tail, white space collapsed. Prefixes such as `A1: ` stay."""
    text = _OLD_ICON.sub(" ", _ICON.sub(" ", _CUT_ICON.sub("", heading.rstrip())))
    return _SPACE.sub(" ", _BARS.sub("", text)).strip()


def icon_of(heading: str) -> str | None:
    """The name of the first icon in a heading, or None."""
    found = _ICON.search(_CUT_ICON.sub("", heading))
    return found.group(1) if found else None
