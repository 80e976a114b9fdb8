"""Titles and one-line texts."""

from __future__ import annotations

import pytest

from chat_archive.core.model.headings import icon_of, plain
from chat_archive.core.model.titles import cut, one_line, sort_key, title_of, visible_text


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("\n\nRain Gauge\nSetup", "Rain Gauge Setup"),
        ("Two Lines \r\n  Title", "Two Lines Title"),
        ("a\tb", "a b"),
        ("invoice\u202efdp.exe", "invoice⟨U+202E⟩fdp.exe"),
        ("a\x00b\x1b[2J\x07", "a␀b␛[2J␇"),
        ("half \ud83c emoji", "half \ufffd emoji"),
        ("pair \ud83c\udf78", "pair 🍸"),
        ("  plain  words  ", "plain  words"),
    ],
)
def test_one_line_makes_names_fit_for_a_list(given: str, shown: str) -> None:
    assert one_line(given) == shown


def test_a_name_of_a_million_characters_is_cut_fast() -> None:
    assert one_line("N" * 1_000_000) == "N" * 199 + "…"


@pytest.mark.parametrize(
    "whole",
    ["👩‍👩‍👧‍👦", "🇩🇪", "e\u0301", "👍🏽", "🏳️‍🌈", "न\u093f"],
)
def test_a_cut_never_ends_inside_a_character_of_several(whole: str) -> None:
    for before in range(1, 30):
        text = "a" * before + whole * 20
        for limit in range(2, 30):
            short = cut(text, limit)
            assert len(short) <= limit
            rest = short.removesuffix("…")[before:]
            assert rest == whole * (len(rest) // len(whole))


def test_endless_combining_marks_are_cut_all_the_same() -> None:
    assert len(cut("a" + "\u0351" * 50_000, 200)) <= 200


def test_the_order_of_titles() -> None:
    everything = {
        "given": "mine",
        "name": "stored",
        "side_name": "side",
        "parent_label": "label",
        "first_words": "words",
    }
    order = ["mine", "stored", "side", "label"]
    for expected in order:
        assert title_of(**everything) == (expected, True)
        everything[{"mine": "given", "stored": "name", "side": "side_name", "label": "parent_label"}[expected]] = ""
    assert title_of(**everything) == ("words", False)
    assert title_of() == ("Untitled", False)
    assert title_of(name=" \n ", first_words="x") == ("x", False)


def test_sorting_ignores_white_space_and_case() -> None:
    assert sorted(["b", " A", "C"], key=sort_key) == [" A", "b", "C"]


def test_visible_text_keeps_lines() -> None:
    assert visible_text("one\r\ntwo\tthree\x01") == "one\ntwo\tthree␁"


@pytest.mark.parametrize(
    ("heading", "shown", "icon"),
    [
        ("icon://chat A0: Responding", "A0: Responding", "chat"),
        ("icon://terminal [0] ls icon://done_all", "[0] ls", "terminal"),
        ("icon://help[see \\] this] A1: x", "A1: x", "help"),
        ("A0: Reasoning... |||||", "A0: Reasoning...", None),
        ("", "", None),
    ],
)
def test_headings_lose_their_icons(heading: str, shown: str, icon: str | None) -> None:
    assert plain(heading) == shown
    assert icon_of(heading) == icon


@pytest.mark.parametrize("tail", ["icon://don...", "icon://...", "icon:/...", "icon://x[tool tip..."])
def test_d57_a_cut_icon_at_the_end_is_taken_off(tail: str) -> None:
    assert plain(f"icon://terminal [0] building {tail}") == "[0] building"
