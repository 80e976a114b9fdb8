"""File names for what is exported: legal on Windows, macOS and Linux, wherever they are made (E3).

A name shows the title and holds the chat's id, so it is the same at each export and two chats of one title get two
files. It never needs a running number.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata

from chat_archive.core.layout import is_well_formed
from chat_archive.core.model.times import Instant
from chat_archive.core.model.titles import whole_characters

NAME_BYTES = 200
"""Longest name in bytes of UTF-8, ending included. Systems allow 255; the rest is room for a temporary name beside it
and for what a browser or a copy adds."""

_FORBIDDEN = frozenset('<>:"/\\|?*')
_RESERVED = frozenset(
    ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"]
    + [f"{port}{digit}" for port in ("COM", "LPT") for digit in "0123456789¹²³"]
)
_KEPT_FORMAT_SIGNS = frozenset("\u200c\u200d") | {chr(code) for code in range(0xE0020, 0xE0080)}
_ID_BYTES = 64


def file_name(title: str, chat_id: str, created: Instant, ending: str) -> str:
    """Name of the file a chat is exported to, e.g. `Kite (Ab3dE9xZ).json`.

    `title` may be any text, "" when the chat has none: then the day it was created (UTC) stands there. `chat_id` tells
    chats apart: the name of the chat's folder. `ending` starts with a dot. Never raises.
    """
    tag = f"({id_part(chat_id)})"
    room = NAME_BYTES - len(tag.encode()) - len(ending.encode()) - 1
    shown = safe_part(title, room)
    if not shown:
        shown = created.utc.strftime("%Y-%m-%d") if created.utc is not None else "chat"
    return f"{shown} {tag}{ending}"


def key_of(name: str) -> str:
    """Equal for two names that some file system takes for one: letter case and composed forms are folded."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def safe_part(text: str, limit: int) -> str:
    """`text` as a part of a file name in at most `limit` bytes, cut between whole characters; may be ""."""
    spaced = " ".join(unicodedata.normalize("NFC", _without_surrogates(text)).split())
    kept = "".join(_safe_sign(sign) for sign in spaced)
    name = _cut(kept.strip(". "), limit).strip(". ")
    if name.startswith("-"):
        name = "_" + name[1:]  # a name like -rf is taken for an option
    first = name.split(".", 1)[0].rstrip()
    if first.upper() in _RESERVED:
        name = first + "_" + name[len(first) :]
    return name


def _without_surrogates(text: str) -> str:
    return re.sub("[\ud800-\udfff]", "_", text)


def _safe_sign(sign: str) -> str:
    if sign in _FORBIDDEN:
        return "_"
    category = unicodedata.category(sign)
    if category == "Cf":  # bidi marks would show a name backwards; joiners hold emoji and scripts together
        return sign if sign in _KEPT_FORMAT_SIGNS else ""
    if category in ("Cc", "Cs", "Zl", "Zp") or ord(sign) & 0xFFFE == 0xFFFE:
        return "_"
    return sign


def id_part(chat_id: str) -> str:
    """The id itself, or for one that is no plain name a readable stand-in with a hash that tells it apart."""
    if is_well_formed(chat_id):
        return chat_id
    digest = hashlib.sha256(chat_id.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    plain = re.sub(r"[^A-Za-z0-9_-]+", "_", chat_id)[: _ID_BYTES - 9].strip("_")
    return f"{plain}-{digest}" if plain else digest


def _cut(text: str, limit: int) -> str:
    encoded = text.encode()
    if len(encoded) <= limit:
        return text
    fitting = encoded[: max(limit, 0)].decode("utf-8", "ignore")  # only the last, halved character is ignored
    return text[: whole_characters(text, len(fitting))]
