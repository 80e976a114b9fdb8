"""The first stage for every era: bytes to the top-level members of one chat, or `UnreadableError` saying why not."""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec
from msgspec import Raw

from chat_archive.core.entities import Problem, Severity
from chat_archive.core.errors import UnreadableError
from chat_archive.core.formats import unreadable
from chat_archive.core.model import raw
from chat_archive.core.model.raw import PartError

BOM = b"\xef\xbb\xbf"
_CHUNK = 2 * 1024 * 1024


@dataclass(slots=True)
class Opened:
    """Top-level members, undecoded where possible. `strict`: the fast decoder took the whole file."""

    members: dict[str, object]
    problems: list[Problem] = field(default_factory=list)
    strict: bool = True
    later: Callable[[], list[Problem]] | None = None  # looks too long to be made while a large chat opens


def open_chat(data: bytes) -> Opened:
    """The members of the one object a chat is. Raises `UnreadableError` only."""
    if len(data) > raw.MAX_BYTES:
        raise unreadable.too_large(len(data))
    problems: list[Problem] = []
    body = data
    if body.startswith(BOM):
        body = body[len(BOM) :]
        problems.append(bom_problem())
    try:
        members: dict[str, object] = dict(msgspec.json.decode(body, type=dict[str, Raw]))
    except (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError):
        return _open_forgiving(data, body, problems)
    if has_duplicates(body, members):
        problems.append(_duplicate(_duplicate_names(body)))
    if len(data) > _CHUNK:
        return Opened(members, problems, later=lambda: _encoding_problems(data, body))
    return Opened(members, problems + _encoding_problems(data, body))


def bom_problem() -> Problem:
    """A mark that says UTF-8 and that Agent Zero itself refuses."""
    return Problem("bom", "The file starts with a byte order mark.", Severity.REMARK, "D-42")


def _encoding_problems(data: bytes, body: bytes) -> list[Problem]:
    bad = not_utf8_at(body)
    return [] if bad is None else [_not_utf8(bad + len(data) - len(body))]


def _open_forgiving(data: bytes, body: bytes, problems: list[Problem]) -> Opened:
    bad = not_utf8_at(body)
    if bad is not None and unreadable.encoding_of(data):
        raise unreadable.explain(data)
    twice: set[str] = set()

    def object_of(pairs: list[tuple[str, object]]) -> dict[str, object]:
        made = dict(pairs)
        if len(made) != len(pairs):
            names = [name for name, _value in pairs]
            twice.update(name for name in made if names.count(name) > 1)
        return made

    text = raw.text_of_bytes(body)
    strict = True
    try:
        try:
            value = json.loads(text, parse_int=raw.integer, object_pairs_hook=object_of)
        except json.JSONDecodeError:
            value = json.loads(text, parse_int=raw.integer, object_pairs_hook=object_of, strict=False)
            strict = False
    except json.JSONDecodeError:
        raise unreadable.explain(data) from None
    except (RecursionError, ValueError):
        return _open_deep(data, body, problems)
    if not isinstance(value, dict):
        raise unreadable.explain(data)
    if not strict:
        text = "The file has control characters inside texts, which JSON forbids."
        problems.append(Problem("control", text, Severity.PARTIAL, "D-94"))
    if bad is not None:
        problems.append(_not_utf8(bad + len(data) - len(body)))
    if twice:
        problems.append(_duplicate(sorted(twice)))
    members = {raw.clean_text(key): _clean_or_raw(item) for key, item in value.items()}
    return Opened(members, problems, strict=False)


def _clean_or_raw(value: object) -> object:
    """A value with lone surrogates replaced; what is too deep for objects stays JSON text."""
    try:
        data = json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")
    except (RecursionError, ValueError):
        return None
    return raw.clean(value) if raw.depth(data) <= raw.MAX_DEPTH else Raw(data)


def _open_deep(data: bytes, body: bytes, problems: list[Problem]) -> Opened:
    """Some member is nested deeper than the decoders go: split the top level by its brackets (D-45)."""
    if raw.depth(body) > unreadable.MAX_FILE_DEPTH:
        raise unreadable.explain(data)
    try:
        pairs = raw.split_members(body)
    except PartError:
        raise unreadable.explain(data) from None
    members: dict[str, object] = {key: Raw(value) for key, value in pairs}
    if len(members) != len(pairs):
        problems.append(_duplicate([]))
    return Opened(members, problems, strict=False)


def not_utf8_at(data: bytes) -> int | None:
    """Where the first byte stands that is no UTF-8, or None. In pieces, so that no other thread waits long."""
    if data.isascii():
        return None
    decoder = codecs.getincrementaldecoder("utf-8")()
    for start in range(0, len(data), _CHUNK):
        pending = len(decoder.getstate()[0])
        try:
            decoder.decode(data[start : start + _CHUNK], final=start + _CHUNK >= len(data))
        except UnicodeDecodeError as error:
            return start - pending + error.start
    return None


def has_duplicates(body: bytes, members: dict[str, object]) -> bool:
    """Whether a key stands twice at the top (D-44). The host's own spacing proves that none does, without a scan."""
    length = 2 + 2 * max(len(members) - 1, 0)
    for key, value in members.items():
        if not isinstance(value, Raw) or not key.isascii():
            break
        length += len(key) + 4 + len(memoryview(value))
    else:
        if length == len(body):
            return False
    return bool(_duplicate_names(body))


def _duplicate_names(body: bytes) -> list[str]:
    try:
        names = [key for key, _value in raw.split_members(body)]
    except PartError:
        return []
    return sorted({name for name in names if names.count(name) > 1})


def _duplicate(names: list[str]) -> Problem:
    said = ", ".join(raw.clean_text(name)[:60] for name in names[:5]) or "A key"
    return Problem("duplicate-keys", f"{said}: given twice in the file; the last one counts.", Severity.REMARK, "D-44")


def _not_utf8(offset: int) -> Problem:
    text = f"The file holds bytes that are no UTF-8, the first at byte {offset}; they are shown as marks."
    return Problem("not-utf8", text, Severity.PARTIAL, "D-94")


def unreadable_error(data: bytes) -> UnreadableError:
    """Why these bytes are no chat."""
    return unreadable.explain(data)
