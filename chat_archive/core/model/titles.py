"""What a chat is called in a list, and how text from a file is made fit for one line (design 7, V2)."""

from __future__ import annotations

import re
import unicodedata

from chat_archive.core.model.raw import clean_text

UNTITLED = "Untitled"
LIMIT = 200  # characters of a name in a list

_BREAKS = re.compile(r"\s*[\n\r\t\v\f\x1c-\x1e\x85\u2028\u2029]\s*")
_CONTROLS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\ufff9-\ufffb\U000e0000-\U000e001f]"
)
_JOINER = "\u200d"
_CLUSTER_REACH = 64  # how far back a cut looks for the start of a character made of many


def _mark(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x20:
        return chr(0x2400 + code)  # the pictures of the controls
    if code == 0x7F:
        return "\u2421"
    return f"\u27e8U+{code:04X}\u27e9"


def visible_text(text: str) -> str:
    """Text as people may see it: control and bidi characters as marks, lone surrogates as U+FFFD; line breaks and
    tabs stay."""
    text = clean_text(text)
    return _CONTROLS.sub(_mark, text.replace("\r\n", "\n")) if not text.isprintable() else text


def one_line(text: str, limit: int = LIMIT) -> str:
    """One line of at most `limit` characters: white space with line breaks becomes one blank, the rest as in
    `visible_text`."""
    # what lies far beyond the limit is not looked at: names of a million characters exist
    text = clean_text(text[: limit * 8 + 4096].strip())
    return cut(visible_text(_BREAKS.sub(" ", text)).strip(), limit)


def cut(text: str, limit: int, ending: str = "\u2026") -> str:
    """At most `limit` characters, never ending inside a character made of several (flags, families, accents)."""
    if len(text) <= limit:
        return text
    room = max(limit - len(ending), 0)
    return text[: whole_characters(text, room)].rstrip() + ending


def whole_characters(text: str, limit: int) -> int:
    """The largest place up to `limit` that is not inside a character made of several."""
    if limit >= len(text):
        return len(text)
    lowest = max(limit - _CLUSTER_REACH, 0)
    for place in range(limit, lowest, -1):
        if not _joins(text, place):
            return place
    return lowest if lowest == 0 and _joins(text, limit) and limit < _CLUSTER_REACH else limit


def _joins(text: str, place: int) -> bool:
    """Whether the character at `place` belongs to the one before it."""
    before, here = text[place - 1], text[place]
    if _JOINER in (here, before):
        return True
    code = ord(here)
    if 0xFE00 <= code <= 0xFE0F or 0x1F3FB <= code <= 0x1F3FF or 0xE0020 <= code <= 0xE007F:
        return True
    if unicodedata.category(here) in ("Mn", "Me", "Mc"):
        return True
    if 0x1F1E6 <= code <= 0x1F1FF:
        return _flag_letters_before(text, place) % 2 == 1
    return 0xDC00 <= code <= 0xDFFF or (0x1160 <= code <= 0x11FF)


def _flag_letters_before(text: str, place: int) -> int:
    count = 0
    while place - count > 0 and count < _CLUSTER_REACH and 0x1F1E6 <= ord(text[place - 1 - count]) <= 0x1F1FF:
        count += 1
    return count


def title_of(
    *, given: str = "", name: str | None = None, side_name: str = "", parent_label: str = "", first_words: str = ""
) -> tuple[str, bool]:
    """The title shown and whether it was given by somebody, in the order of design 7: the one given in the archive,
    `name`, the side file of old versions, the parent's label, the first user message (not given), "Untitled"."""
    for text in (given, name or "", side_name, parent_label):
        line = one_line(text)
        if line:
            return line, True
    line = one_line(first_words)
    return (line, False) if line else (UNTITLED, False)


def sort_key(title: str) -> str:
    """Titles in the order people expect: case and leading white space do not count."""
    return title.strip().casefold()
