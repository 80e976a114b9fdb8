"""Damage: what kind it is, in words and with the byte or line where it shows (D-22, D-42, D-94), and what can be
salvaged from it. Nothing here changes a file."""

from __future__ import annotations

import ast
import json
import re
from typing import Any

from chat_archive.core.errors import UnreadableError
from chat_archive.core.model import raw
from chat_archive.core.model.mending import close_cut
from chat_archive.core.model.raw import PartError

MAX_FILE_DEPTH = 5_000
_BOMS = (
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_HTML = re.compile(rb"\s*<(?:!doctype|html|head|body|\?xml)", re.IGNORECASE)
_PYTHON = re.compile(rb"\s*\{\s*'|:\s*(?:None|True|False)\s*[,}]")
_TRAILING_COMMA = re.compile(r",\s*(?=[}\]])")
_LOOKS_LIKE_A_CHAT = frozenset({"agents", "log", "id", "name", "history"})
_TAIL = "The file is left as it is."


def too_large(size: int) -> UnreadableError:
    """A file over the limit of what is read at all."""
    limit = raw.MAX_BYTES // (1024 * 1024)
    return UnreadableError(
        f"The file has {size:,} bytes, more than the {limit} MB that are read.", kind="too large", next_step=_TAIL
    )


def encoding_of(data: bytes) -> str:
    """ "UTF-16" or "UTF-32" by mark or by its zero bytes, else ""."""
    return _codec_of(data)[:6].upper()


def _codec_of(data: bytes) -> str:
    """The codec that reads the bytes, "utf-16" when a mark says the order of bytes, or ""."""
    for mark, name in _BOMS:
        if data.startswith(mark):
            return name
    head = data[: len(data[:64]) // 4 * 4]
    if len(head) < 8 or not head.strip(b"\0"):
        return ""
    zeros = [head[place::4].count(0) * 8 >= len(head) for place in range(4)]  # half of each place at least
    if sum(zeros) == 3:
        return "utf-32-le" if not zeros[0] else "utf-32-be"
    if zeros == [False, True, False, True]:
        return "utf-16-le"
    return "utf-16-be" if zeros == [True, False, True, False] else ""


def explain(data: bytes) -> UnreadableError:
    """Why these bytes are no chat. Call it only for what could not be opened."""
    if not data:
        return _error("empty", "The file is empty (0 bytes).", 0)
    if not data.strip():
        return _error("blank", f"The file holds only blanks ({len(data):,} bytes).", 0)
    if not data.strip(b"\0"):
        return _error("zeros", f"The file holds only zero bytes ({len(data):,} of them).", 0)
    encoding = encoding_of(data)
    if encoding:
        return _error("encoding", f"The file is written in {encoding} and not in UTF-8.", 0)
    if _HTML.match(data):
        return _error("html", "The file is a web page and not JSON.", 0)
    if raw.depth(data) > MAX_FILE_DEPTH:
        return _error("deep", f"The file is nested more than {MAX_FILE_DEPTH:,} levels deep.", None)
    return _explain_json(data)


def _explain_json(data: bytes) -> UnreadableError:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return _explain_bytes(data, error)
    mark = 3 if data.startswith(b"\xef\xbb\xbf") else 0
    try:
        value, end = _scan(text)
    except json.JSONDecodeError as error:
        return _explain_syntax(data, text, error, mark)
    except (RecursionError, ValueError) as error:
        return _error("deep", f"The file cannot be decoded: {str(error)[:80]}.", None)
    rest = text[end:].strip()
    if rest:
        return _explain_rest(text, end, rest, mark)
    if isinstance(value, list):
        holds = sum(1 for item in value if isinstance(item, dict) and _LOOKS_LIKE_A_CHAT & item.keys())
        more = f" It holds {holds} chats, which an import takes." if holds else ""
        return _error("array", f"The file holds a list and not one chat.{more}", 0)
    return _error("not a chat", f"The file holds {raw.kind_of(value)} and no chat.", 0)


def _scan(text: str) -> tuple[Any, int]:
    start = len(text) - len(text.lstrip())
    value, end = json.JSONDecoder(strict=False, parse_int=raw.integer).raw_decode(text, start)
    return value, end


def _explain_bytes(data: bytes, error: UnicodeDecodeError) -> UnreadableError:
    if error.end >= len(data) - 4 and "unexpected end" in error.reason:
        return _error("cut", f"The file ends inside a character, at byte {error.start}.", error.start)
    try:
        json.loads(data.decode("latin-1"), strict=False, parse_int=raw.integer)
        kind = "The file is not written in UTF-8 but in an older encoding such as Latin-1"
    except (ValueError, RecursionError):
        kind = "The file is neither UTF-8 nor JSON"
    return _error("encoding", f"{kind}: byte {error.start} is the first that does not fit.", error.start)


def _explain_syntax(data: bytes, text: str, error: json.JSONDecodeError, mark: int) -> UnreadableError:
    offset = mark + len(text[: error.pos].encode("utf-8", "surrogatepass"))
    if _PYTHON.search(data[:4096]) and _python_value(text) is not None:
        return _error("python", f"The file is written as Python and not as JSON, see byte {offset}.", offset)
    if text[: error.pos].rstrip().endswith(",") and text[error.pos : error.pos + 1] in ("}", "]"):
        return _error("comma", f"The file has a comma too many before byte {offset}, line {error.lineno}.", offset)
    if _ends_early(text, error):
        return _error("cut", f"The file ends too early, at byte {len(data)}.", len(data))
    return _error("not JSON", f"The file is not JSON: {error.msg} at byte {offset}, line {error.lineno}.", offset)


def _ends_early(text: str, error: json.JSONDecodeError) -> bool:
    if not text.lstrip().startswith(("{", "[")):
        return False
    return error.pos >= len(text.rstrip()) or "Unterminated string" in error.msg or _cut_word(text, error.pos)


def _cut_word(text: str, place: int) -> bool:
    """Whether the file ends inside `true`, an escape or a number."""
    rest = text[place:].strip()
    return len(rest) < 12 and not any(sign in rest for sign in "{}[],:")


def _explain_rest(text: str, end: int, rest: str, mark: int) -> UnreadableError:
    offset = mark + len(text[:end].encode("utf-8", "surrogatepass"))
    line = text.count("\n", 0, end) + 1
    try:
        second, _ = _scan(rest)
    except (ValueError, RecursionError):
        second = None
    if isinstance(second, dict):
        lines = [part for part in text.splitlines() if part.strip()]
        if len(lines) > 1 and "\n" in text[end : end + 3]:
            return _error(
                "lines", f"The file holds {len(lines)} documents, one a line; the second is line {line + 1}.", offset
            )
        return _error(
            "two documents", f"The file holds more than one document; the second starts at byte {offset}.", offset
        )
    return _error("trailing", f"A whole chat ends at byte {offset}, then {len(rest):,} more characters follow.", offset)


def _python_value(text: str) -> Any:
    if len(text) > 20_000_000:
        return None
    try:
        return ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return None


def _error(kind: str, what: str, offset: int | None) -> UnreadableError:
    return UnreadableError(what, kind=kind, offset=offset, next_step=_TAIL)


def salvage(data: bytes) -> list[bytes]:
    """New chats' texts from what parses in a damaged file, the first whole ones of several; [] when nothing does.

    The file itself is not touched. Cut files are closed after their last whole value, other encodings are turned into
    UTF-8, bytes after a whole chat are left off, Python and trailing commas become JSON.
    """
    codec = _codec_of(data)
    if codec:
        data = data.decode(codec, "ignore").encode("utf-8", "replace")
    if raw.depth(data) > MAX_FILE_DEPTH or not data.strip(b"\0 \t\r\n"):
        return []
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        latin = error.end < len(data) - 4
        text = data.decode("latin-1") if latin else data.decode("utf-8", "ignore")
    values = _values(text) or _mended(text)
    return [json.dumps(raw.clean(value), ensure_ascii=False).encode("utf-8", "replace") for value in values]


def _values(text: str) -> list[dict[str, Any]]:
    """Every chat at the top of the text, one after the other, or inside one list."""
    found: list[dict[str, Any]] = []
    place = 0
    while place < len(text):
        rest = text[place:].lstrip("\ufeff \t\r\n,")
        place = len(text) - len(rest)
        try:
            value, end = _scan(rest)
        except (ValueError, RecursionError):
            break
        found.extend(item for item in (value if isinstance(value, list) else [value]) if _is_chat(item))
        place += max(end, 1)
    return found


def _is_chat(value: object) -> bool:
    return isinstance(value, dict) and bool(_LOOKS_LIKE_A_CHAT & value.keys())


def _mended(text: str) -> list[dict[str, Any]]:
    for attempt in (_python_value, _without_commas, _closed):
        value = attempt(text)
        if _is_chat(value):
            return [value]
    return []


def _without_commas(text: str) -> Any:
    try:
        return json.loads(_TRAILING_COMMA.sub("", text), strict=False, parse_int=raw.integer)
    except (ValueError, RecursionError):
        return None


def _closed(text: str) -> Any:
    closed = close_cut(text.encode("utf-8", "replace"))
    if closed is None:
        return None
    try:
        return raw.decode_json(closed)
    except PartError:
        return None
