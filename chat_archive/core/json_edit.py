"""One value of a JSON text exchanged, every other byte kept (W6, D-46).

Works on bytes and never builds the document: white space, key order, number spelling, escapes, NaN, duplicate keys,
a BOM and bytes that are no UTF-8 stay as they are. The grammar is the one of Python's `json` (which is what writes
and reads chats): NaN, Infinity and -Infinity are values. Nesting of any depth is walked without recursion.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from chat_archive.core.errors import UnreadableError
from chat_archive.core.model.raw import clean_text

Step = str | int

_BOM = b"\xef\xbb\xbf"
_STRING = rb'"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+"'
_WS = rb"[ \t\n\r]*+"
_VALUE = re.compile(
    _WS
    + rb"(?:([{\[])|(?:"
    + _STRING
    + rb"|-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?|true|false|null|NaN|-?Infinity))"
)
_FIRST_KEY = re.compile(_WS + rb"(?:(\})|(" + _STRING + rb")" + _WS + rb":)")
_NEXT_KEY = re.compile(_WS + rb"(?:(\})|," + _WS + rb"(" + _STRING + rb")" + _WS + rb":)")
_FIRST_ITEM = re.compile(_WS + rb"(\])")
_NEXT_ITEM = re.compile(_WS + rb"(?:(\])|(,))")
_SPACE = re.compile(_WS)


@dataclass(frozen=True, slots=True)
class Member:
    """One member of an object: where its key (quotes included) and its value lie, as byte offsets."""

    key: str
    key_start: int
    key_end: int
    start: int
    end: int


def encode(value: object) -> bytes:
    """A value as Agent Zero writes it, in valid UTF-8: lone surrogates become U+FFFD (D-53)."""
    return clean_text(json.dumps(value, ensure_ascii=False)).encode()


def decode(raw: bytes) -> object:
    """The value that these bytes of one JSON value stand for, None when they stand for nothing Python can hold."""
    try:
        return json.loads(raw.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None


def top_members(data: bytes) -> list[Member]:
    """The members of the one object that `data` holds, in order, duplicates too.

    Raises `UnreadableError` when the text is not exactly one JSON object.
    """
    start = _start(data)
    if data[start : start + 1] != b"{":
        raise _damaged("The file does not hold one chat: it does not begin with an object.", "not an object", start)
    members, end = _members(data, start)
    rest = _SPACE.match(data, end)
    if rest is None or rest.end() != len(data):
        raise _damaged("Something follows after the end of the chat.", "trailing bytes", end)
    return members


def head_members(data: bytes) -> list[Member]:
    """The members that are whole in the beginning of a file, before its end or the first place that is broken."""
    members: list[Member] = []
    try:
        start = _start(data)
        if data[start : start + 1] == b"{":
            _members(data, start, members)
    except UnreadableError:
        pass
    return members


def find(data: bytes, path: Sequence[Step]) -> tuple[int, int] | None:
    """The span of the value at `path`, or None when there is none. Of duplicate keys the last counts (D-44)."""
    top_members(data)  # the whole text is checked first: half a file is not edited
    span: tuple[int, int] = (_start(data), len(data))
    for step in path:
        below = _step_into(data, span[0], step)
        if below is None:
            return None
        span = below
    return span


def value_at(data: bytes, path: Sequence[Step]) -> bytes | None:
    """The bytes of the value at `path`, or None when there is none."""
    span = find(data, path)
    return None if span is None else data[span[0] : span[1]]


def replace_value(data: bytes, path: Sequence[Step], new: bytes) -> bytes:
    """`data` with the value at `path` exchanged for the JSON bytes `new`. Raises `KeyError` when it is missing."""
    span = find(data, path)
    if span is None:
        raise KeyError(tuple(path))
    return data[: span[0]] + new + data[span[1] :]


def insert_member(data: bytes, key: str, new: bytes, *, after: str = "id") -> bytes:
    """`data` with a new top-level member right after the member `after`, or first where that one is missing.

    It is set as its neighbours are: the white space before a key and around a colon is taken from them.
    """
    members = top_members(data)
    name = encode(key)
    if not members:
        brace = data.index(b"{", _start(data)) + 1
        return data[:brace] + name + b": " + new + data[brace:]
    before = next((m for m in reversed(members) if m.key == after), None)
    model = before if before is not None else members[0]
    colon = data[model.key_end : model.start]
    if before is None:
        first = members[0].key_start
        gap = _gap_before(data, members[1]) if len(members) > 1 else b" "
        return data[:first] + name + colon + new + b"," + gap + data[first:]
    follower = next((m for m in members if m.start > before.start), None)
    gap = _gap_before(data, follower if follower is not None else before)
    if follower is None and len(members) == 1 and not gap:
        gap = b" "
    return data[: before.end] + b"," + gap + name + colon + new + data[before.end :]


def insert_into(data: bytes, path: Sequence[Step], key: str, new: bytes) -> bytes:
    """`data` with a new last member `key` in the object at `path`. Raises `KeyError` when there is no such object."""
    span = find(data, path)
    if span is None or data[span[0] : span[0] + 1] != b"{":
        raise KeyError(tuple(path))
    inner = data[span[0] : span[1]]
    members = top_members(inner)
    inner = insert_member(inner, key, new, after=members[-1].key if members else "")
    return data[: span[0]] + inner + data[span[1] :]


def remove_member(data: bytes, key: str) -> bytes:
    """`data` without the last top-level member `key`; what `insert_member` gives is undone to the byte."""
    members = top_members(data)
    index = max(i for i, m in enumerate(members) if m.key == key)
    if index > 0:
        return data[: members[index - 1].end] + data[members[index].end :]
    if len(members) > 1:
        return data[: members[0].key_start] + data[members[1].key_start :]
    return data[: members[0].key_start] + data[members[0].end :]


def list_items(data: bytes, path: Sequence[Step]) -> list[tuple[int, int]] | None:
    """The spans of the items of the list at `path` (`()` for a text that is a list itself), or None when there is no
    list. Raises `UnreadableError` when the text is not exactly one JSON value."""
    if path:
        span = find(data, path)
        start = -1 if span is None else span[0]
    else:
        start = _start(data)
        rest = _SPACE.match(data, _value_end(data, start))
        if rest is None or rest.end() != len(data):
            raise _damaged("Something follows after the end of the text.", "trailing bytes", len(data))
    if start < 0 or data[start : start + 1] != b"[":
        return None
    found: list[tuple[int, int]] = []
    at = start + 1
    if _FIRST_ITEM.match(data, at):
        return found
    while True:
        value = _value_start(data, at)
        at = _value_end(data, value)
        found.append((value, at))
        following = _NEXT_ITEM.match(data, at)
        if following is None or following[1] is not None:
            return found
        at = following.end()


def remove_items(data: bytes, path: Sequence[Step], places: Collection[int]) -> bytes:
    """`data` without the items at these places of the list at `path`; every byte of the others stays."""
    spans = list_items(data, path)
    if not spans or not places:
        return data
    kept = [place for place in range(len(spans)) if place not in places]
    if not kept:
        return data[: spans[0][0]] + data[spans[-1][1] :]
    body = data[spans[kept[0]][0] : spans[kept[0]][1]]
    for place in kept[1:]:
        body += data[spans[place - 1][1] : spans[place][1]]  # with the comma and the white space before it
    return data[: spans[0][0]] + body + data[spans[-1][1] :]


def append_item(data: bytes, path: Sequence[Step], new: bytes) -> bytes:
    """`data` with a new last item, set as its neighbours are. Raises `KeyError` when there is no list at `path`."""
    spans = list_items(data, path)
    if spans is None:
        raise KeyError(tuple(path))
    if not spans:
        found = find(data, path) if path else None
        at = (found[0] if found is not None else _start(data)) + 1
        return data[:at] + new + data[at:]
    end = spans[-1][1]
    gap = data[spans[-2][1] : spans[-1][0]] if len(spans) > 1 else b", "
    return data[:end] + gap + new + data[end:]


def _gap_before(data: bytes, member: Member) -> bytes:
    """The white space before a member's key."""
    at = member.key_start
    while at > 0 and data[at - 1 : at] in (b" ", b"\t", b"\n", b"\r"):
        at -= 1
    return data[at : member.key_start]


def _start(data: bytes) -> int:
    if b"\0" in data[:4]:
        raise _damaged("The file is not UTF-8 text.", "encoding", 0)
    at = len(_BOM) if data.startswith(_BOM) else 0
    found = _SPACE.match(data, at)
    return found.end() if found is not None else at


def _step_into(data: bytes, start: int, step: Step) -> tuple[int, int] | None:
    opened = data[start : start + 1]
    if isinstance(step, str) and opened == b"{":
        members, _ = _members(data, start)
        found = next((m for m in reversed(members) if m.key == step), None)
        return None if found is None else (found.start, found.end)
    if isinstance(step, int) and opened == b"[" and step >= 0:
        return _item(data, start, step)
    return None


def _members(data: bytes, start: int, into: list[Member] | None = None) -> tuple[list[Member], int]:
    """The members of the object that opens at `start`, and the offset after its closing brace. `into` is filled as
    they are found."""
    members: list[Member] = into if into is not None else []
    at = start + 1
    head = _FIRST_KEY.match(data, at)
    while True:
        if head is None:
            raise _damaged("The file ends or is broken inside an object.", "syntax", at)
        if head[1] is not None:
            return members, head.end()
        value = _value_start(data, head.end())
        at = _value_end(data, value)
        members.append(Member(_key(head[2]), head.start(2), head.end(2), value, at))
        head = _NEXT_KEY.match(data, at)


def _item(data: bytes, start: int, index: int) -> tuple[int, int] | None:
    at = start + 1
    if _FIRST_ITEM.match(data, at):
        return None
    for number in range(index + 1):
        value = _value_start(data, at)
        at = _value_end(data, value)
        if number == index:
            return value, at
        following = _NEXT_ITEM.match(data, at)
        if following is None or following[1] is not None:
            return None
        at = following.end()
    return None


def _value_start(data: bytes, at: int) -> int:
    found = _SPACE.match(data, at)
    return found.end() if found is not None else at


def _value_end(data: bytes, at: int) -> int:
    """The offset after the value that begins at `at`. Raises `UnreadableError` where the grammar is broken."""
    objects: list[bool] = []  # for each open bracket: is it an object
    while True:
        found = _VALUE.match(data, at)
        if found is None:
            raise _damaged("The file ends or is broken where a value was expected.", "syntax", at)
        at = found.end()
        opened = found[1]
        if opened is not None:
            inside = (_FIRST_KEY if opened == b"{" else _FIRST_ITEM).match(data, at)
            if opened == b"{" and inside is None:
                raise _damaged("The file ends or is broken inside an object.", "syntax", at)
            closed = inside is not None and inside[1] is not None
            if inside is not None:
                at = inside.end()
            if not closed:
                objects.append(opened == b"{")
                continue
        while objects:
            following = (_NEXT_KEY if objects[-1] else _NEXT_ITEM).match(data, at)
            if following is None:
                raise _damaged("The file ends or is broken inside an object or list.", "syntax", at)
            at = following.end()
            if following[1] is None:
                break
            objects.pop()
        else:
            return at


def _key(raw: bytes) -> str:
    decoded = json.loads(raw.decode("utf-8", "surrogateescape"))
    return decoded if isinstance(decoded, str) else ""


def _damaged(what: str, kind: str, offset: int) -> UnreadableError:
    return UnreadableError(
        what, kind=kind, offset=offset, next_step="A damaged file is not changed; export it or move it to the trash."
    )
