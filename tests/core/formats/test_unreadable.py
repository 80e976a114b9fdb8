"""Damage named in words with its place, and what is salvaged from it (D-22, D-42, D-94)."""

from __future__ import annotations

import json

import pytest

from chat_archive.core.errors import UnreadableError
from chat_archive.core.formats import read_context
from chat_archive.core.formats.unreadable import salvage
from chat_archive.core.model import raw
from chat_archive.core.model.mending import close_cut
from tests.builders import chat, text_of

GOOD = text_of(chat(name="Größe 🍞", words=("Is it whole?", "Yes.")))
PLAIN = text_of(chat())


def error_of(data: bytes) -> UnreadableError:
    with pytest.raises(UnreadableError) as caught:
        read_context(data, folder="X")
    return caught.value


@pytest.mark.parametrize(
    ("data", "kind", "words"),
    [
        (b"", "empty", "empty (0 bytes)"),
        (b"\n", "blank", "only blanks (1 bytes)"),
        (b"\0" * 4096, "zeros", "only zero bytes (4,096"),
        (b"<html><body>502</body></html>", "html", "web page"),
        (GOOD[:100], "cut", "ends too early, at byte 100"),
        (GOOD + b'"}]}}', "trailing", f"ends at byte {len(GOOD)}, then 5 more"),
        (GOOD + GOOD, "two documents", f"second starts at byte {len(GOOD)}"),
        (GOOD + b"\n" + PLAIN + b"\n", "lines", "2 documents, one a line; the second is line 2"),
        (GOOD.decode().encode("utf-16"), "encoding", "UTF-16"),
        (GOOD.decode().encode("utf-16-le"), "encoding", "UTF-16"),
        (GOOD.decode().encode("utf-32"), "encoding", "UTF-32"),
        (PLAIN[:-1] + b",}", "comma", f"before byte {len(PLAIN)}, line 1"),
        (repr(chat()).encode(), "python", "written as Python"),
        (b"\x93\x01\xbb\xff\x00\x80garbage", "encoding", "byte 0"),
        (b"[" + PLAIN + b"]", "array", "holds 1 chats"),
        (b"5", "not a chat", "a number"),
        (b'{"a":' + b"[" * 100_000, "deep", "5,000 levels"),
        (b"just words", "not JSON", "line 1"),
    ],
)
def test_d94_damage_is_named_with_its_place(data: bytes, kind: str, words: str) -> None:
    error = error_of(data)
    assert error.kind == kind
    assert words in error.what
    assert error.next_step


def test_d22_a_file_cut_anywhere_is_told_as_cut_with_the_byte() -> None:
    for end in range(1, len(GOOD)):
        error = error_of(GOOD[:end])
        assert error.kind == "cut"
        assert str(error.offset) in error.what


def test_d94_cut_inside_a_character() -> None:
    place = GOOD.index("🍞".encode()) + 2
    error = error_of(GOOD[:place])
    assert (error.kind, error.offset) == ("cut", place - 2)


def test_d94_latin_1_opens_with_a_note_where_the_file_is_json_all_the_same() -> None:
    latin = GOOD.decode().replace("🍞", "").encode("latin-1")
    context = read_context(latin, folder="Chat0001")
    assert context.problems[0].code == "not-utf8"
    assert str(latin.index(b"\xf6")) in context.problems[0].text


@pytest.mark.parametrize(
    "data",
    [
        GOOD + b'"}]}}',
        GOOD.decode().encode("utf-16"),
        GOOD.decode().encode("utf-32-be"),
        GOOD[:-1] + b",}",
        repr(chat(name="Größe 🍞", words=("Is it whole?", "Yes."))).encode(),
        b"\n" + GOOD,
    ],
)
def test_d94_what_parses_is_salvaged_whole(data: bytes) -> None:
    assert [json.loads(text) for text in salvage(data)] == [json.loads(GOOD)]


@pytest.mark.parametrize("data", [GOOD + GOOD, GOOD + b"\n" + GOOD + b"\n", b"[" + GOOD + b"," + GOOD + b"]"])
def test_d94_several_documents_are_several_chats(data: bytes) -> None:
    assert [json.loads(text)["name"] for text in salvage(data)] == ["Größe 🍞"] * 2


def test_d22_a_cut_file_is_salvaged_up_to_its_last_whole_value() -> None:
    end = GOOD.index(b'"Yes."', GOOD.index(b'"log"'))
    (text,) = salvage(GOOD[:end])
    kept = json.loads(text)
    assert kept["name"] == "Größe 🍞"
    assert kept["log"]["logs"][0]["content"] == "Is it whole?"
    assert read_context(text, folder="New").log.items[0].content == "Is it whole?"


@pytest.mark.parametrize("data", [b"", b"\0" * 100, b"<html>", b"just words", b"[1, 2]", b'{"a":' + b"[" * 100_000])
def test_nothing_is_salvaged_where_nothing_parses(data: bytes) -> None:
    assert salvage(data) == []


def test_closing_a_cut_always_gives_json() -> None:
    for end in range(1, len(GOOD)):
        closed = close_cut(GOOD[:end])
        if closed is not None:
            assert isinstance(json.loads(closed), dict)


def test_depth_is_counted_outside_texts() -> None:
    assert raw.depth(b'{"a":"[[[[","b":[{}]}') <= 8
    assert raw.depth(b"[" * 300 + b"]" * 300) == 300
    assert raw.depth(b'["\\\\","[","\\"[[",' + b"[]," * 500 + b"[]]") == 2


def test_a_file_over_the_limit_is_told_and_not_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raw, "MAX_BYTES", 100)
    assert error_of(GOOD).kind == "too large"
