"""Turns, steps, notices: what a chat reads like (format 4.7), what comes back from the history, what is bounded."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from chat_archive.core.formats import read_context
from chat_archive.core.transcript import Entry, Kind, Notice, Transcript, build
from chat_archive.core.transcript_recover import complete
from chat_archive.core.transcript_steps import Action
from chat_archive.core.transcript_text import (
    BREAK,
    PAGE,
    hidden_in,
    honoured_breaks,
    pages,
    parse_reply,
    pictures_in,
    readable,
    too_rich,
    wrappable,
)
from tests.builders import bulk, chat, history, item, message, text_of, topic


def transcript_of(made: dict[str, Any]) -> Transcript:
    return build(read_context(text_of(made), folder=str(made.get("id"))))


def kinds(transcript: Transcript) -> list[Kind]:
    return [entry.kind for entry in transcript.entries]


def agent(number: int, profile: str, past: str = "") -> dict[str, Any]:
    return {"number": number, "agent_profile": profile, "data": {}, "history": past or history([message("x")])}


def test_a_turn_is_the_users_words_then_steps_then_the_answer() -> None:
    logs = [
        item(0, "user", "Is the disk full?"),
        item(1, "agent", "{}", heading="A0: Looking", kvps={"thoughts": ["t"]}),
        item(2, "code_exe", "97 %", kvps={"runtime": "terminal", "session": 0, "code": "df -h\nexit"}),
        item(3, "response", "Yes."),
    ]
    transcript = transcript_of(chat(logs=logs))
    assert kinds(transcript) == [Kind.USER, Kind.STEP, Kind.STEP, Kind.ANSWER]
    assert [entry.duration for entry in transcript.entries] == [60, 60, 60, None]


def test_a_warning_is_a_step_only_while_a_group_is_open() -> None:
    logs = [
        item(0, "user", "a"),
        item(1, "warning", "early"),
        item(2, "agent", "{}"),
        item(3, "warning", "inside"),
        item(4, "response", "b"),
        item(5, "warning", "late"),
        item(6, "error", "Traceback"),
        item(7, "hint", "h"),
        item(8, "hologram", "kite"),
    ]
    transcript = transcript_of(chat(logs=logs))
    assert kinds(transcript)[:9] == [
        Kind.USER, Kind.ALONE, Kind.STEP, Kind.STEP, Kind.ANSWER, Kind.ALONE, Kind.ALONE, Kind.ALONE, Kind.ALONE,
    ]  # fmt: skip


def test_the_answer_of_a_subordinate_is_a_step_and_indented() -> None:
    logs = [item(0, "user", "a"), item(1, "response", "from below", agentno=1), item(2, "response", "b")]
    transcript = transcript_of(chat(logs=logs, agents=[agent(0, "agent0"), agent(1, "researcher")]))
    assert kinds(transcript) == [Kind.USER, Kind.STEP, Kind.ANSWER]
    assert transcript.entries[1].depth == 1
    assert transcript.entries[1].line.action is Action.REPORTED


def test_d39_the_answer_of_a_child_chat_whose_first_agent_is_1_is_an_answer() -> None:
    logs = [item(0, "user", "a", agentno=1), item(1, "response", "b", agentno=1)]
    transcript = transcript_of(chat(logs=logs, agents=[agent(1, "researcher")]))
    assert kinds(transcript) == [Kind.USER, Kind.ANSWER]
    assert transcript.entries[1].depth == 0


def test_an_agentno_without_an_agent_keeps_its_number() -> None:
    transcript = transcript_of(chat(logs=[item(0, "agent", "{}", agentno=5)]))
    speaker = transcript.speaker(transcript.entries[0].agent)
    assert (speaker.number, speaker.known, speaker.profile) == (5, False, "")


def test_d54_a_late_start_is_told_and_the_history_gives_what_came_before() -> None:
    past = history(
        [message("second", id="b"), message("done", ai=True, id="c")],
        topics=[topic([message("the very first question", id="a")])],
    )
    logs = [item(812, "user", "second", id="b"), item(813, "response", "done", id="c")]
    transcript = transcript_of(chat(logs=logs, agents=[agent(0, "agent0", past)]))
    first, second = transcript.entries[:2]
    assert (first.notice, first.count) == (Notice.MISSING_START, 812)
    assert second.kind is Kind.USER
    assert second.text == "the very first question"
    assert second.time is None
    assert [entry.item.no for entry in transcript.entries if entry.item] == [812, 813]


def test_d54_a_full_log_that_starts_at_0_may_miss_items() -> None:
    transcript = transcript_of(chat(logs=[item(number, "util", "u") for number in range(1000)]))
    assert transcript.entries[0].notice is Notice.MAYBE_MISSING


def test_nothing_is_repeated_when_no_message_pairs_with_the_log() -> None:
    past = history([message("other words", id="q")])
    transcript = transcript_of(chat(logs=[item(5, "user", "words", id="z")], agents=[agent(0, "agent0", past)]))
    assert kinds(transcript) == [Kind.NOTICE, Kind.USER]


def test_an_empty_log_shows_the_history_with_its_kinds() -> None:
    reply = {"thoughts": ["n"], "headline": "Looking", "tool_name": "search_engine", "tool_args": {"query": "q"}}
    said = {"tool_name": "response", "thoughts": [], "tool_args": {"text": "Six times."}}
    past = history(
        [
            message("How long?"),
            message(json.dumps(reply), ai=True),
            message({"tool_name": "search_engine", "tool_result": "five to seven"}),
            message({"system_warning": "odd"}),
            message(json.dumps(said), ai=True),
            message({"messages_summary": "short"}),
        ]
    )
    transcript = transcript_of(chat(logs=[], agents=[agent(0, "agent0", past)]))
    assert (transcript.entries[0].notice, transcript.entries[0].count) == (Notice.LOG_EMPTY, 6)
    assert kinds(transcript)[1:] == [Kind.USER, Kind.STEP, Kind.STEP, Kind.STEP, Kind.ANSWER, Kind.SUMMARY]
    assert transcript.entries[5].text == "Six times."
    assert transcript.entries[2].line.subject == "Looking"


def test_neither_log_nor_history_says_so() -> None:
    transcript = transcript_of(chat(logs=[], agents=[agent(0, "agent0", history())]))
    assert [entry.notice for entry in transcript.entries] == [Notice.CHAT_EMPTY]


def test_a_log_without_history_says_that_there_is_nothing_to_continue_from() -> None:
    transcript = transcript_of(chat(agents=[{"number": 0, "data": {}, "history": ""}]))
    assert transcript.entries[-1].notice is Notice.NO_HISTORY


def test_d46_unknown_parts_are_kept_raw_with_their_place() -> None:
    made = chat(format_version=9)
    made["log"]["later"] = {"a": 1}
    made["agents"][0]["history"] = history([{"_cls": "Sketch", "strokes": [1]}, message("x")], milestones=[1])
    context = read_context(text_of(made), folder="Chat0001")
    transcript = build(context)
    complete(transcript, context)
    last = transcript.entries[-1]
    assert last.notice is Notice.NOT_UNDERSTOOD
    assert {name for name, _ in last.raw} >= {"format_version", "log / later", "agents / 0 / history / milestones"}
    assert last.count == 4


def test_what_the_log_cut_comes_back_from_the_history_by_id() -> None:
    whole = "".join(f"line {number}\n" for number in range(4000))
    hidden = len(whole) - 8_000
    cut = whole[:2_000] + f"\n\n<< {hidden} Characters hidden >>\n\n" + whole[-6_000:]
    past = history([message({"tool_name": "x", "tool_result": whole}, id="t1")])
    made = chat(logs=[item(0, "tool", cut, id="t1")], agents=[agent(0, "agent0", past)])
    context = read_context(text_of(made), folder="Chat0001")
    transcript = build(context)
    changed = complete(transcript, context)
    assert changed == [transcript.entries[0]]
    assert changed[0].hidden == hidden
    assert changed[0].text == whole


def test_what_the_log_cut_comes_back_by_its_ends_where_there_are_no_ids() -> None:
    whole = "x" * 300 + "y" * 20_000 + "z" * 300
    cut = whole[:300] + "\n\n<< 20000 Characters hidden >>\n\n" + whole[-300:]
    past = history([message({"tool_name": "x", "tool_result": whole})])
    made = chat(logs=[item(0, "tool", cut)], agents=[agent(0, "agent0", past)])
    context = read_context(text_of(made), folder="Chat0001")
    transcript = build(context)
    complete(transcript, context)
    assert transcript.entries[0].text == whole


def test_d56_a_cut_text_without_partner_counts_what_is_lost() -> None:
    cut = "a" * 300 + "\n\n<< 4321 Characters hidden >>\n\n" + "b" * 300
    past = history([message({"tool_name": "x", "tool_result": "other"}, id="t1")])
    made = chat(logs=[item(0, "tool", cut, id="t1")], agents=[agent(0, "agent0", past)])
    context = read_context(text_of(made), folder="Chat0001")
    transcript = build(context)
    complete(transcript, context)
    assert (transcript.entries[0].hidden, transcript.entries[0].recovered) == (4321, None)


def test_pictures_of_the_history_hang_on_the_step_that_loaded_them() -> None:
    image = "data:image/png;base64,AAAA"
    picture = {"raw_content": [{"type": "image_url", "image_url": {"url": image}}], "preview": None}
    past = history([message("{}", ai=True, id="m1"), message(picture)])
    made = chat(logs=[item(0, "agent", "{}", id="m1")], agents=[agent(0, "agent0", past)])
    context = read_context(text_of(made), folder="Chat0001")
    transcript = build(context)
    complete(transcript, context)
    assert transcript.entries[0].images == (image,)


@pytest.mark.parametrize(
    ("kind", "heading", "kvps", "line"),
    [
        ("code_exe", "[0] ls", {"runtime": "terminal", "session": 0, "code": "ls"}, (Action.RAN, "ls", "0")),
        ("code_exe", "", {"runtime": "output", "session": 2}, (Action.WAITED_FOR_OUTPUT, "", "2")),
        ("code_exe", "icon://keyboard x", {"keyboard": "y", "session": 1}, (Action.TYPED, "y", "1")),
        ("tool", "A0: Using tool 'search_engine'", {"query": "RTC"}, (Action.SEARCHED, "RTC", "")),
        ("tool", "A0: Using tool 'scheduler:list'", {"_tool_name": "scheduler", "s": "i"}, (Action.USED, "i", "")),
        ("tool", "", {"_tool_name": "memory_save", "text": "a\nb"}, (Action.REMEMBERED, "a b", "")),
        ("mcp", "Using MCP tool 'w.f'", {"tool_name": "weather.now"}, (Action.USED_SERVER, "now", "weather")),
        ("subagent", "", {"profile": "developer", "message": "patch"}, (Action.ASKED, "patch", "developer")),
        ("browser", "A0: Using browser", {"url": "https://a.example"}, (Action.BROWSED, "https://a.example", "")),
        ("agent", "A0: Using response", {"thoughts": ["first", "second"]}, (Action.THOUGHT, "first", "")),
        ("agent", "A0: About drift", {"thoughts": ["first"]}, (Action.THOUGHT, "About drift", "")),
        ("progress", "icon://timer Waiting 30 s icon://don...", {}, (Action.WAITED, "30 s", "")),
        ("util", "3 memories found", {}, (Action.BACKGROUND, "3 memories found", "")),
        ("hologram", "A0: Projecting", {}, (Action.OTHER, "Projecting", "")),
        ("tool", "", {}, (Action.USED, "", "")),
        ("tool", "", {"": None, "_x": [1]}, (Action.USED, "", "")),
    ],
)
def test_a_step_is_a_verb_an_object_and_a_place(
    kind: str, heading: str, kvps: object, line: tuple[Action, str, str]
) -> None:
    found = transcript_of(chat(logs=[item(0, kind, "", heading=heading, kvps=kvps)])).entries[0].line
    assert (found.action, found.subject, found.place) == line


@pytest.mark.parametrize("kvps", [None, [], ["a"], "text", 3, {"attachments": "one.png"}, {"attachments": [1, None]}])
def test_d92_odd_values_of_an_item_never_raise(kvps: object) -> None:
    for kind in ("user", "agent", "tool", "code_exe", "mcp", "subagent", "", "progress"):
        entry = transcript_of(chat(logs=[item(0, kind, {"a": 1}, kvps=kvps, heading=7)])).entries[0]
        assert isinstance(entry.line.subject, str)
        assert isinstance(entry.text, str)
        assert isinstance(entry.values, list)
        assert isinstance(entry.pictures(), list)


def test_d45_a_thousand_nested_bulks_are_read_in_order() -> None:
    inner: object = topic([message("deep")])
    for _ in range(90):
        inner = bulk([inner])
    transcript = transcript_of(chat(logs=[], agents=[agent(0, "a", history([message("now")], bulks=[inner]))]))
    assert [entry.text for entry in transcript.entries[1:]] == ["deep", "now"]


# texts


def test_a_reply_is_found_in_noise_and_a_broken_one_is_not() -> None:
    found = parse_reply('noise {"tool_name": "response", "tool_args": {"text": "hi"}, "headline": "H"} more')
    assert found is not None
    assert (found.answer, found.headline) == ("hi", "H")
    for text in ("", "plain", "{", '{"a": 1}', "[1]", "{" * 5000, '{"tool_name": '):
        assert parse_reply(text) is None


def test_pages_keep_every_character_and_code_stays_code() -> None:
    text = "".join(f"word{number} " for number in range(20_000))
    assert "".join(pages(text)) == text
    code = "intro\n\n```python\n" + "\n".join(f"x = {n}" for n in range(20_000)) + "\n```\nafter"
    parts = pages(code, markdown=True)
    assert len(parts) > 3
    assert all(part.count("```") % 2 == 0 for part in parts)
    assert all(len(part) <= PAGE + 300 for part in parts)


def test_long_runs_get_places_to_break_and_lose_them_again() -> None:
    run = "A" * 100_000
    broken = wrappable(f"see {run} end")
    assert max(len(piece) for piece in broken.replace(" ", BREAK).split(BREAK)) == 80
    assert broken.replace(BREAK, "") == f"see {run} end"


def test_text_is_made_readable_without_losing_scripts() -> None:
    assert readable("a\x00b\x1b[31mred\x1b[0m", terminal=True) == "a␀bred"
    assert readable("a\x1b[31m") == "a␛[31m"
    assert readable("x\u202ey") == "x⟨U+202E⟩y"
    assert readable("ab\u200fאב") == "ab\u200fאב"
    assert readable("half \ud83d.") == "half \ufffd."
    assert readable("a\r\nb\rc\u2028d") == "a\nb\nc\nd"


@pytest.mark.parametrize(
    "text",
    ["- a\n" * 3_000, "|a|b|\n" * 400, ">" * 200 + "x", "`a" * 5_000, "[" * 9_000, "- " * 100 + "x"],
    ids=["list", "table", "quotes", "ticks", "brackets", "nested"],
)
def test_markdown_that_is_too_rich_is_told(text: str) -> None:
    assert too_rich(text)
    assert not too_rich("# A\n\n- b\n- c\n\n|a|b|\n|-|-|\n|1|2|\n")


def test_single_line_breaks_are_honoured_outside_code_and_tables() -> None:
    text = "a\nb\n\n```\nc\nd\n```\n|x|\n|-|\n"
    assert honoured_breaks(text) == "a  \nb\n\n```\nc\nd\n```\n|x|\n|-|\n"


def test_pictures_of_an_answer_are_named_not_loaded() -> None:
    text = "![a](img:///a0/x.png) and ![b](http://e.example/y.png)\n<image>AAAA</image>"
    assert list(pictures_in(text)) == [
        "img:///a0/x.png",
        "http://e.example/y.png",
        "data:image/jpeg;base64,AAAA",
    ]


def test_the_count_of_hidden_characters_is_read_from_the_mark() -> None:
    assert hidden_in("a\n\n<< 12 Characters hidden >>\n\nb\n\n<< 30 Characters hidden >>\n\nc") == 42
    assert hidden_in("<< 12 Characters hidden >>") == 0


@pytest.mark.parametrize(
    "text",
    ["{" * 200_000, "`" * 300_000, "![" * 100_000, "<image>" * 50_000, "\n" * 300_000, "a\u0301" * 200_000],
    ids=["braces", "ticks", "pictures", "images", "lines", "accents"],
)
def test_v6_every_text_function_ends_in_time(text: str) -> None:
    started = time.perf_counter()
    parse_reply(text)
    list(pictures_in(text))
    pages(text, markdown=True)
    honoured_breaks(text)
    too_rich(text)
    readable(text)
    wrappable(text)
    assert time.perf_counter() - started < 3


def test_entries_are_compared_by_identity() -> None:
    assert Entry(Kind.USER) != Entry(Kind.USER)
