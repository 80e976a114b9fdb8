"""JSON that is decoded in stages: a `Part` is either undecoded bytes (`msgspec.Raw`) or a value already decoded.

The strict fast decoder comes first, the forgiving slow one only for what it refuses: NaN and infinities (D-43), lone
surrogates (D-53), raw control characters, bytes that are no UTF-8. Depth is bounded before objects are made
(D-45), so nothing that is handed out is deeper than `MAX_DEPTH`. Lone surrogates become U+FFFD in what is handed out.
"""

from __future__ import annotations

import json
import re
from array import array
from itertools import accumulate
from typing import Any, Final

import msgspec
from msgspec import Raw

MAX_DEPTH: Final = 200
MAX_DIGITS: Final = 300
MAX_BYTES: Final = 512 * 1024 * 1024


_NOT_BRACKETS = bytes(set(range(256)) - set(b'[]{}"'))
_STRINGS = re.compile(rb'"[^"]*"')
_STEPS = bytes(1 if byte in b"[{" else 255 if byte in b"]}" else 0 for byte in range(256))
_SURROGATES = re.compile("[\ud800-\udfff]")
_QUOTE = 0x22
_PIECE = 1024 * 1024
# enough plain signs in a row that no escape (12 bytes for a pair) reaches over their end
_CALM = re.compile(rb"[^\\\x80-\xff]{14}")
_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{},:]', re.DOTALL)


class PartError(Exception):
    """A part that cannot be decoded. `kind`: "deep", "syntax", "text"; `offset` counts bytes (or characters)."""

    def __init__(self, kind: str, what: str, offset: int | None = None) -> None:
        super().__init__(what)
        self.kind = kind
        self.what = what
        self.offset = offset


def is_raw(part: object) -> bool:
    """Whether `part` is still undecoded."""
    return isinstance(part, Raw)


def as_bytes(part: object) -> bytes:
    """The JSON text of a part: the very bytes of the file where it is still raw."""
    if isinstance(part, Raw):
        return bytes(part)
    return json.dumps(part, ensure_ascii=False).encode("utf-8", "surrogatepass")


def depth(data: bytes) -> int:
    """How deep arrays and objects nest in well-formed JSON text. Iterative; some 500 MB/s."""
    if len(data) <= MAX_DEPTH // 2 or data.count(b"[") + data.count(b"{") <= MAX_DEPTH // 2:
        return min(len(data), data.count(b"[") + data.count(b"{"))
    bare = data.replace(b"\\\\", b"").replace(b'\\"', b"").translate(None, _NOT_BRACKETS)
    steps = array("b", _STRINGS.sub(b"", bare).translate(_STEPS))
    return max(accumulate(steps), default=0)


def clean_text(text: str) -> str:
    """Join halves of a pair that stand side by side and replace lone surrogates by U+FFFD (D-53)."""
    if text.isascii() or _SURROGATES.search(text) is None:
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def clean(value: Any) -> Any:
    """`clean_text` for every text and key inside `value` (at most `MAX_DEPTH` deep)."""
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, dict):
        return {clean_text(key): clean(item) for key, item in value.items()}
    if isinstance(value, list):
        return [clean(item) for item in value]
    return value


def integer(digits: str) -> object:
    # longer ones take quadratic time and cannot be printed again; they stay as the text they were
    return int(digits) if len(digits) <= MAX_DIGITS else digits


_FORGIVING = json.JSONDecoder(strict=False, parse_int=integer)


def text_of_bytes(data: bytes) -> str:
    """UTF-8 bytes as text; a byte order mark is dropped, what is no UTF-8 becomes U+FFFD."""
    return data.decode("utf-8-sig", "replace") if data.startswith(b"\xef\xbb\xbf") else data.decode("utf-8", "replace")


def decode(part: object) -> Any:
    """The value of a part. Raises `PartError` only."""
    if not isinstance(part, Raw):
        return part
    if is_text(part):
        return text_of(part)
    return decode_json(bytes(part))


def text_of(part: Raw) -> str:
    """The text of a part that is a JSON string. Raises `PartError`."""
    try:
        return msgspec.json.decode(part, type=str)
    except (msgspec.MsgspecError, UnicodeError, ValueError):
        pass
    try:
        return clean_text(_FORGIVING.decode(text_of_bytes(bytes(part))))
    except ValueError as error:
        raise PartError("syntax", str(error)) from None


def json_in_text(part: object) -> bytes | bytearray:
    """The UTF-8 bytes of a text that itself is JSON, without holding other threads up: unescaped piece by piece.
    Raises `PartError`."""
    if not isinstance(part, Raw):
        return clean_text(str(part)).encode("utf-8")
    data = memoryview(part)
    if len(data) <= _PIECE * 2:
        return clean_text(text_of(part)).encode("utf-8")
    whole = bytearray()  # grows where it lies; joining pieces would hold everything twice
    start, end = 1, len(data) - 1
    try:
        while start < end:
            stop = end if end - start <= _PIECE * 2 else _calm_place(data, start + _PIECE, end)
            whole += msgspec.json.decode(b'"%b"' % bytes(data[start:stop]), type=str).encode("utf-8")
            start = stop
    except (msgspec.MsgspecError, UnicodeError, ValueError):
        return clean_text(text_of(part)).encode("utf-8")
    return whole


def _calm_place(data: memoryview, place: int, end: int) -> int:
    """The first place from `place` on that is inside no escape, no pair of them and no character of several bytes."""
    calm = _CALM.search(data, place, end)
    return calm.end() if calm else end


def decode_json(data: bytes) -> Any:
    """The value of a JSON text, at most `MAX_DEPTH` deep. Raises `PartError` only."""
    if depth(data) > MAX_DEPTH:
        raise PartError("deep", f"it is nested more than {MAX_DEPTH} levels deep")
    try:
        return msgspec.json.decode(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError):
        pass
    text = text_of_bytes(data)
    try:
        return clean(_FORGIVING.decode(text))
    except json.JSONDecodeError as error:
        raise PartError("syntax", f"{error.msg} at character {error.pos}", error.pos) from None
    except (RecursionError, ValueError) as error:
        raise PartError("syntax", str(error)) from None


def members(part: object) -> dict[str, object] | None:
    """The members of an object, their values undecoded where the part is; None when it is no object or no JSON."""
    if isinstance(part, dict):
        return part
    if not isinstance(part, Raw):
        return None
    try:
        return dict(msgspec.json.decode(part, type=dict[str, Raw]))
    except (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError):
        pass
    try:
        value = decode(part)
    except PartError:
        return _split_or_none(bytes(part))
    return value if isinstance(value, dict) else None


def elements(part: object) -> list[object] | None:
    """The elements of an array, undecoded where the part is; None when it is no array or no JSON."""
    if isinstance(part, list):
        return part
    if not isinstance(part, Raw):
        return None
    try:
        return list(msgspec.json.decode(part, type=list[Raw]))
    except (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError):
        pass
    try:
        value = decode(part)
    except PartError:
        return None
    return value if isinstance(value, list) else None


def _split_or_none(data: bytes) -> dict[str, object] | None:
    try:
        found: dict[str, object] = {key: Raw(value) for key, value in split_members(data)}
    except PartError:
        return None
    return found


class Classed(msgspec.Struct, rename={"cls": "_cls"}, gc=False):
    """A record of which only the kind is read."""

    cls: str | None = None


def class_of(part: object) -> str | None:
    """The `_cls` of a record, the rest of it unread; None where it has none that is text."""
    if isinstance(part, Raw):
        try:
            return msgspec.json.decode(part, type=Classed).cls
        except (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError):
            part = members(part)
    found = part.get("_cls") if isinstance(part, dict) else None
    if isinstance(found, Raw):
        try:
            found = decode(found)
        except PartError:
            return None
    return found if isinstance(found, str) else None


def split_members(data: bytes) -> list[tuple[str, bytes]]:
    """Keys and value texts of an object, duplicates and all, however deep the values are. Raises `PartError`.

    For what the decoders refuse as too deep; only the brackets are checked, not the values.
    """
    found: list[tuple[str, bytes]] = []
    level = 0
    key: str | None = None
    start = -1
    last = b""
    for token in _TOKEN.finditer(data):
        sign = token.group()
        if sign in (b"{", b"["):
            level += 1
        elif level == 1 and sign == b":" and key is None:
            key, start = str(decode_json(last)), token.end()
        elif level == 1 and sign in (b",", b"}"):
            if key is not None:
                found.append((key, data[start : token.start()].strip()))
            key = None
        if sign in (b"}", b"]"):
            level -= 1
            if level == 0:
                if data[token.end() :].strip():
                    raise PartError("syntax", "there is more after the end", token.end())
                return found
        last = sign
    raise PartError("syntax", "it ends too early", len(data))


def is_text(part: object) -> bool:
    """Whether a part is a JSON string."""
    if isinstance(part, Raw):
        view = memoryview(part)
        return len(view) > 0 and view[0] == _QUOTE
    return isinstance(part, str)


_FIRST_BYTES = {
    b'"': "text",
    b"[": "a list",
    b"{": "an object",
    b"n": "null",
    b"t": "true or false",
    b"f": "true or false",
}


def kind_of(part: object) -> str:
    """What a part is in words: "text", "a list", "an object", "a number", "true or false", "null"."""
    if isinstance(part, Raw):
        return _FIRST_BYTES.get(bytes(memoryview(part)[:1]), "a number")
    if part is None:
        return "null"
    if isinstance(part, str):
        return "text"
    if isinstance(part, bool):
        return "true or false"
    if isinstance(part, int | float):
        return "a number"
    return "a list" if isinstance(part, list) else "an object"
