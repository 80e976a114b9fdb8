"""File names of exports: legal everywhere, stable, telling chats apart."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat_archive.core.model.times import UNKNOWN, Instant
from chat_archive.core.names import NAME_BYTES, file_name, key_of, safe_part

RESERVED = {"CON", "PRN", "AUX", "NUL", "COM1", "LPT9", "COM²", "CONIN$"}


def legal_everywhere(name: str) -> bool:
    """The rules of Windows, macOS and Linux in one."""
    return (
        0 < len(name.encode()) <= 255
        and not set(name) & set('<>:"/\\|?*')
        and not any(unicodedata.category(sign) in ("Cc", "Cs") for sign in name)
        and name[-1] not in ". "
        and name[0] not in ". "
        and name.split(".")[0].rstrip().upper() not in RESERVED
    )


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Kite", "Kite (Ab3dE9xZ).json"),
        ('a/b\\c:d*e?f"g<h>i|j', "a_b_c_d_e_f_g_h_i_j (Ab3dE9xZ).json"),
        ("CON", "CON_ (Ab3dE9xZ).json"),
        ("nul.txt", "nul_.txt (Ab3dE9xZ).json"),
        (" lead and trail. ", "lead and trail (Ab3dE9xZ).json"),
        ("tab\tand\x07bell", "tab and_bell (Ab3dE9xZ).json"),
        ("../../up", "_.._up (Ab3dE9xZ).json"),
        ("-rf", "_rf (Ab3dE9xZ).json"),
        ("水の計り方", "水の計り方 (Ab3dE9xZ).json"),
        ("right\u202eto left", "rightto left (Ab3dE9xZ).json"),
        ("half \ud83d emoji", "half _ emoji (Ab3dE9xZ).json"),
    ],
)
def test_a_name_shows_the_title_and_is_legal(title: str, name: str) -> None:
    assert file_name(title, "Ab3dE9xZ", UNKNOWN, ".json") == name
    assert legal_everywhere(name)


def test_a_chat_without_a_title_is_named_by_its_day() -> None:
    created = Instant("x", datetime(2026, 3, 2, 9, tzinfo=UTC))
    assert file_name("...", "Ab3dE9xZ", created, ".json") == "2026-03-02 (Ab3dE9xZ).json"
    assert file_name("", "Ab3dE9xZ", UNKNOWN, ".json") == "chat (Ab3dE9xZ).json"


def test_an_id_that_is_no_plain_name_gets_a_stand_in_that_tells_it_apart() -> None:
    one, two = (file_name("Kite", chat_id, UNKNOWN, ".json") for chat_id in ("a/b", "a?b"))
    assert one != two
    assert legal_everywhere(one) and legal_everywhere(two)
    assert one == file_name("Kite", "a/b", UNKNOWN, ".json")


@pytest.mark.parametrize("title", ["k" * 300, "雨" * 120, "🪁" * 80, "👨‍👩‍👧" * 60, "🇨🇭" * 60, "é" * 200])
def test_a_long_title_is_cut_between_whole_characters(title: str) -> None:
    name = file_name(title, "Ab3dE9xZ", UNKNOWN, ".json")
    assert len(name.encode()) <= NAME_BYTES
    shown = unicodedata.normalize("NFC", name.removesuffix(" (Ab3dE9xZ).json"))
    whole = unicodedata.normalize("NFC", title)
    unit = whole[: next(n for n in range(1, len(whole) + 1) if whole[:n] * (len(whole) // n) == whole)]
    assert len(shown) > 20
    assert shown == unit * (len(shown) // len(unit))


def test_names_a_disk_may_take_for_one_have_one_key() -> None:
    assert key_of("Größe.json") == key_of("GRO\u0308SSE.json")
    assert key_of("a.json") != key_of("b.json")


@given(st.text(alphabet=st.characters(), max_size=300), st.text(alphabet=st.characters(), min_size=1, max_size=300))
def test_any_title_and_id_give_a_legal_name(title: str, chat_id: str) -> None:
    name = file_name(title, chat_id, UNKNOWN, ".json")
    assert legal_everywhere(name)
    assert len(name.encode()) <= NAME_BYTES


@given(st.text(max_size=80), st.integers(min_value=0, max_value=40))
def test_a_part_never_exceeds_its_limit_by_more_than_the_reserved_mark(text: str, limit: int) -> None:
    assert len(safe_part(text, limit).encode()) <= limit + 1
