"""Only the bytes of one value change, whatever else a file holds."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chat_archive.core import json_edit
from chat_archive.core.errors import UnreadableError

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats()
    | st.text(max_size=12)
    | st.sampled_from(["\ud83d", "é中文🙂", '"\\/\b', "\u202e"])
)
VALUES = st.recursive(
    SCALARS, lambda v: st.lists(v, max_size=4) | st.dictionaries(st.text(max_size=4), v, max_size=4), max_leaves=12
)
DOCUMENTS = st.dictionaries(st.sampled_from(["id", "name", "log", "data", "x", "é"]), VALUES, max_size=6)
INDENTS = st.sampled_from([None, 0, 2, "\t"])


def spell(document: object, indent: Any, ascii_only: bool, crlf: bool, bom: bool) -> bytes:
    text = json.dumps(document, indent=indent, ensure_ascii=ascii_only)
    if crlf:
        text = text.replace("\n", "\r\n")
    return (b"\xef\xbb\xbf" if bom else b"") + text.encode("utf-8", "surrogatepass")


def read(data: bytes) -> Any:
    return json.loads(data.decode("utf-8-sig", "surrogatepass"))


def paths(value: object, here: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return ([here] if here else []) + [p for key, item in below for p in paths(item, (*here, key))]


def with_value(document: Any, path: tuple[str | int, ...], new: object) -> Any:
    if not path:
        return new
    copied = dict(document) if isinstance(document, dict) else list(document)
    copied[path[0]] = with_value(document[path[0]], path[1:], new)
    return copied


@given(DOCUMENTS, INDENTS, st.booleans(), st.booleans(), st.booleans(), VALUES, st.data())
@settings(max_examples=400, deadline=None)
def test_the_value_at_a_path_is_replaced_and_every_other_byte_stays(  # noqa: PLR0917
    document: Any, indent: Any, ascii_only: bool, crlf: bool, bom: bool, new: object, data: st.DataObject
) -> None:
    places = paths(document)
    if not places:
        return
    path = data.draw(st.sampled_from(places))
    before = spell(document, indent, ascii_only, crlf, bom)
    raw = json.dumps(new).encode()
    after = json_edit.replace_value(before, path, raw)
    assert json.dumps(read(after)) == json.dumps(with_value(document, path, new))
    span = json_edit.find(before, path)
    assert span is not None
    assert after[: span[0]] == before[: span[0]]
    assert after[span[0] : span[0] + len(raw)] == raw
    assert after[span[0] + len(raw) :] == before[span[1] :]


@given(DOCUMENTS, INDENTS, st.booleans(), st.booleans(), st.booleans(), VALUES)
@settings(max_examples=300, deadline=None)
def test_an_inserted_member_adds_one_piece_and_removing_it_gives_the_same_bytes(  # noqa: PLR0917
    document: Any, indent: Any, ascii_only: bool, crlf: bool, bom: bool, new: object
) -> None:
    document.pop("name", None)
    before = spell(document, indent, ascii_only, crlf, bom)
    after = json_edit.insert_member(before, "name", json.dumps(new).encode())
    assert json.dumps(read(after)["name"]) == json.dumps(new)
    keys = list(read(after))
    assert keys.index("name") == (keys.index("id") + 1 if "id" in keys else 0)
    assert json_edit.remove_member(after, "name") == before


@given(
    st.binary(max_size=60)
    | st.text(alphabet='{}[]",:\\ntrue0-1.eE \x00\ud800', max_size=40).map(lambda t: t.encode("utf-8", "surrogatepass"))
)
@settings(max_examples=600, deadline=None)
def test_what_is_taken_as_an_object_is_what_python_takes_as_one(data: bytes) -> None:
    try:
        expected = json.loads(data.decode("utf-8", "surrogateescape")) if b"\0" not in data[:4] else None
    except ValueError:
        expected = None
    if isinstance(expected, dict):
        assert {m.key for m in json_edit.top_members(data)} == set(expected)
    else:
        with pytest.raises(UnreadableError):
            json_edit.top_members(data)


def test_every_cut_of_a_chat_is_refused() -> None:
    whole = spell({"id": "a", "name": "b", "log": {"logs": [1, {"x": "é"}]}}, None, False, False, False)
    for length in range(len(whole)):
        with pytest.raises(UnreadableError):
            json_edit.find(whole[:length], ("name",))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b'{"id": "a", "name": "x", "name": "y"}', b'{"id": "a", "name": "x", "name": "N"}'),
        (b'{"n\\u0061me": 1.0}', b'{"n\\u0061me": "N"}'),
        (
            b'{"v": 12345678901234567890, "f": 1.0, "n": NaN, "name": null}',
            b'{"v": 12345678901234567890, "f": 1.0, "n": NaN, "name": "N"}',
        ),
        (b'{"id": "\\ud83d", "name" :\r\n "x"\r\n}\r\n', b'{"id": "\\ud83d", "name" :\r\n "N"\r\n}\r\n'),
        (b'{"id": "\xff\xfe", "name": "\xff"}', b'{"id": "\xff\xfe", "name": "N"}'),
    ],
    ids=["duplicate keys", "escaped key", "numbers", "lone escape and CRLF", "no UTF-8"],
)
def test_d44_d46_odd_spellings_stay_and_the_last_of_two_keys_is_the_one_changed(before: bytes, after: bytes) -> None:
    assert json_edit.replace_value(before, ("name",), b'"N"') == after


@pytest.mark.parametrize(("opened", "closed"), [(b"[", b"]"), (b'{"a":', b"}")])
def test_d45_nesting_of_a_hundred_thousand_levels_is_walked(opened: bytes, closed: bytes) -> None:
    deep = opened * 100_000 + b"1" + closed * 100_000
    before = b'{"data": ' + deep + b', "name": "x"}'
    assert json_edit.replace_value(before, ("name",), b'"N"') == b'{"data": ' + deep + b', "name": "N"}'


def test_numbers_of_many_digits_are_no_obstacle() -> None:
    before = b'{"n": ' + b"9" * 10_000 + b', "name": 1}'
    assert json_edit.replace_value(before, ("name",), b"2").endswith(b'"name": 2}')


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"5", b"null", b"{} {}", b'{"a": 1,}', b"{'a': 1}", '{"a": 1}'.encode("utf-16")]
)
def test_d42_d94_what_is_not_one_object_is_refused(data: bytes) -> None:
    with pytest.raises(UnreadableError):
        json_edit.top_members(data)


def test_d53_lone_surrogates_of_a_new_value_become_the_replacement_sign() -> None:
    assert json_edit.encode("a\ud83db") == '"a\ufffdb"'.encode()
    assert json_edit.encode("🙂") == '"🙂"'.encode()


def test_a_missing_path_is_told() -> None:
    assert json_edit.find(b'{"a": [1]}', ("a", 1)) is None
    assert json_edit.find(b'{"a": [1]}', ("b",)) is None
    with pytest.raises(KeyError):
        json_edit.replace_value(b'{"a": 1}', ("a", "b"), b"1")
