"""Loading one file, whatever its parts are: the right results of sections 7.2 and 7.7 of the format."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from chat_archive.core.entities import Problem, Severity
from chat_archive.core.errors import UnreadableError
from chat_archive.core.formats import read_context, read_row_facts
from chat_archive.core.model.context import AgentContext, AgentContextType
from tests.builders import FIRST_TIME, bulk, chat, history, item, message, text_of, topic, without


def opened(made: object, folder: str = "Chat0001", **more: Any) -> AgentContext:
    return read_context(made if isinstance(made, bytes) else text_of(made), folder=folder, **more)


def codes(context: AgentContext) -> dict[str, Problem]:
    return {problem.code: problem for problem in context.all_problems()}


def agent_with(history_value: object, **more: object) -> dict[str, Any]:
    return chat(agents=[{"number": 0, "data": {}, "history": history_value} | more])


def test_d12_an_id_unlike_its_folder_is_kept_and_flagged() -> None:
    context = opened(chat("Other001"), folder="Copy")
    assert (context.id, context.folder) == ("Other001", "Copy")
    assert codes(context)["id-differs"].defect == "D-12"


@pytest.mark.parametrize("made", [without(chat(), "id"), chat(""), chat() | {"id": None}])
def test_d14_without_an_id_the_folder_is_the_id(made: dict[str, Any]) -> None:
    context = opened(made, folder="Folder01")
    assert context.id == "Folder01"
    assert codes(context)["id-missing"].defect == "D-14"
    assert read_row_facts(text_of(made), folder="Folder01").id == "Folder01"


def test_d14_a_flat_file_gives_its_name_without_exactly_the_suffix() -> None:
    assert opened(without(chat(), "id"), folder="jason.json", flat=True).id == "jason"


def test_d15_a_number_as_id_is_its_text_and_flagged() -> None:
    context = opened(chat() | {"id": 12}, folder="12")
    assert context.id == "12"
    assert codes(context)["id-number"].defect == "D-15"


BROKEN_HISTORIES = [
    ("{broken", "history-invalid"),
    (json.dumps({"_cls": "History", "topics": [], "current": {}}), "history-bulks"),
    (json.dumps({"_cls": "History", "bulks": [], "current": {}}), "history-topics"),
    (json.dumps({"_cls": "History", "bulks": [], "topics": []}), "history-current"),
    (json.dumps({"_cls": "History", "bulks": {}, "topics": 5, "current": []}), "history-bulks"),
    (5, "history-kind"),
    (True, "history-kind"),
]


@pytest.mark.parametrize(("value", "code"), BROKEN_HISTORIES)
def test_d26_a_broken_history_marks_its_agent_and_the_rest_is_shown(value: object, code: str) -> None:
    context = opened(agent_with(value))
    assert [item.content for item in context.log.items] == ["Is the disk full?", "Yes, 97 %."]
    assert code in {problem.code for problem in context.agents[0].problems}
    assert any(found.code == code for found in read_row_facts(text_of(agent_with(value)), folder="Chat0001").problems)


def test_d26_what_stands_before_the_break_of_a_history_is_shown() -> None:
    whole = history([message("one"), message("two", ai=True), message("three")])
    context = opened(agent_with(whole[: whole.index("three")]))
    assert [found.text() for found in context.agents[0].history.messages()][:2] == ["one", "two"]
    assert context.agents[0].history.original is not None


def test_d26_the_original_text_of_a_broken_history_stays_within_reach() -> None:
    context = opened(agent_with("{broken"))
    assert json.loads(bytes(context.agents[0].history.original)) == "{broken"  # type: ignore[call-overload]


def test_d26_a_message_without_ai_is_kept_and_marked() -> None:
    odd = {"_cls": "Message", "content": "who said it", "summary": "", "tokens": 1}
    found = list(opened(agent_with(history([odd]))).agents[0].history.messages())
    assert (found[0].ai, found[0].content) == (False, "who said it")
    assert found[0].problems[0].code == "message-ai"


def test_d26_records_of_an_unknown_kind_are_kept_and_are_no_messages() -> None:
    text = history([message("one"), {"_cls": "Galaxy", "stars": 3}], bulks=[bulk([{"_cls": "Comet", "tail": 1}])])
    context = opened(agent_with(text))
    kept = context.agents[0].history
    assert [(found.kind, found.content) for found in kept.messages()] == [
        ("Comet", {"tail": 1}),
        ("", {"user_message": "one"}),
        ("Galaxy", {"stars": 3}),
    ]
    assert kept.count == 1
    assert read_row_facts(text_of(agent_with(text)), folder="Chat0001").messages == 1
    assert context.unknown_parts() == ["history record Comet", "history record Galaxy"]


def test_d26_an_agent_without_number_is_shown_by_its_place() -> None:
    made = chat(agents=[{"data": {}, "history": history([message("x")])}])
    context = opened(made)
    assert (context.agents[0].number, context.agents[0].name, context.agents[0].history.count) == (None, "A0", 1)
    assert "agent-number" in codes(context)


@pytest.mark.parametrize(("agents", "shown"), [(None, 0), (5, 0), (["x", None], 2), ({"0": 1}, 1)])
def test_d26_agents_of_any_kind_leave_the_log_readable(agents: object, shown: int) -> None:
    context = opened(chat() | {"agents": agents})
    assert len(context.agents) == shown
    assert len(context.log.items) == 2
    assert codes(context).keys() & {"agents-kind", "agent-kind"}


@pytest.mark.parametrize("made", [without(chat(), "log"), chat() | {"log": None}])
def test_d27_without_a_log_the_rest_is_shown(made: dict[str, Any]) -> None:
    context = opened(made)
    assert len(context.log.items) == 0
    assert context.agents[0].history.count == 2
    assert codes(context)["log-missing"].defect == "D-27"


def test_d27_a_null_list_of_items_is_an_empty_log() -> None:
    context = opened(chat() | {"log": {"guid": "g", "logs": None, "progress": "p"}})
    assert (len(context.log.items), context.log.progress) == (0, "p")
    assert codes(context)["logs-null"].defect == "D-27"


def test_d28_items_without_type_or_kvps_are_kept_with_defaults() -> None:
    bare = {"no": 0, "content": "text"}
    found = opened(chat(logs=[bare, item(1, "user", "hi")])).log.items
    assert (found[0].type, found[0].heading, found[0].content, found[0].kvps) == ("", "", "text", None)
    assert {problem.code for problem in found[0].problems} == {"item-type", "item-kvps"}
    assert found[1].problems == []


@pytest.mark.parametrize("raw", ["mcp", "hologram", None, 5, ["user"]])
def test_d29_an_unknown_type_counts_as_user_and_its_raw_value_is_kept(raw: object) -> None:
    made = chat() | {"type": raw}
    context = opened(made)
    assert context.type is AgentContextType.USER
    assert context.raw_type == raw
    assert codes(context)["type-unknown"].defect == "D-29"
    facts = read_row_facts(text_of(made), folder="Chat0001")
    assert facts.raw_type == (None if raw is None else str(raw))


@pytest.mark.parametrize("raw", [1_782_898_200, "yesterday", [], {"a": 1}, True])
def test_d30_a_date_that_is_none_is_unknown_and_kept(raw: object) -> None:
    context = opened(chat() | {"created_at": raw})
    assert context.created_at.utc is None
    assert context.created_at.raw == raw
    assert codes(context)["date-unreadable"].defect == "D-30"


def test_d31_a_date_ending_in_z_is_accepted() -> None:
    context = opened(chat() | {"created_at": "2026-03-02T09:00:00Z"})
    assert context.created_at.utc == datetime(2026, 3, 2, 9, tzinfo=UTC)


def test_d32_a_date_without_offset_is_local_and_flagged() -> None:
    made = chat() | {"created_at": "2026-03-02T09:00:00"}
    context = opened(made, zone=ZoneInfo("Asia/Tokyo"))
    assert context.created_at.utc == datetime(2026, 3, 2, 0, tzinfo=UTC)
    assert codes(context)["date-naive"].defect == "D-32"


@pytest.mark.parametrize("raw", [None, "", "1970-01-01T01:00:00+01:00", "1969-12-31T19:00:00-05:00"])
def test_d33_missing_and_epoch_dates_are_unknown_without_a_remark(raw: object) -> None:
    context = opened(chat() | {"created_at": raw})
    assert context.created_at.utc is None
    assert not context.problems


def test_d34_an_item_without_timestamp_has_no_time() -> None:
    old = {key: value for key, value in item(0, "user", "x").items() if key != "timestamp"}
    assert opened(chat(logs=[old])).log.items[0].timestamp is None


def test_d35_nothing_is_added_to_an_empty_log() -> None:
    assert len(opened(chat(logs=[])).log.items) == 0


def test_d36_progress_is_what_the_file_says() -> None:
    log = {"guid": "g", "logs": [], "progress": "icon://chat A0: Responding", "progress_no": True}
    context = opened(chat() | {"log": log})
    assert (context.log.progress, context.log.progress_no) == ("icon://chat A0: Responding", True)
    facts = read_row_facts(text_of(chat() | {"log": log}), folder="Chat0001")
    assert (facts.progress, facts.progress_no) == ("A0: Responding", True)


@pytest.mark.parametrize("named", [3, None, "0", -1, True])
def test_d37_an_active_agent_that_is_not_there_falls_back_to_the_first(named: object) -> None:
    context = opened(chat() | {"streaming_agent": named})
    assert context.streaming_agent is context.agents[0]
    assert context.streaming_number == named
    assert codes(context)["streaming"].defect == "D-37"


def test_d37_the_named_subordinate_is_the_active_one() -> None:
    agents = [{"number": n, "data": {}, "history": ""} for n in range(3)]
    context = opened(chat(agents=agents) | {"streaming_agent": 1})
    assert context.streaming_agent is context.agents[1]
    assert context.agents[1].superior is context.agents[0]
    assert context.agents[1].subordinate is context.agents[2]


def test_d38_no_agents_in_the_file_are_no_agents() -> None:
    context = opened(chat(agents=[]))
    assert (context.agents, context.agent0, context.streaming_agent) == ((), None, None)


def test_d39_the_first_agent_need_not_be_number_0() -> None:
    context = opened(chat(agents=[{"number": 1, "data": {}, "history": ""}]))
    assert context.streaming_agent is context.agents[0]
    assert (context.agents[0].name, context.problems) == ("A1", [])


def test_d40_null_data_beside_a_second_agent_is_empty() -> None:
    agents = [{"number": 0, "data": None, "history": ""}, {"number": 1, "data": {}, "history": ""}]
    context = opened(chat(agents=agents))
    assert context.agents[0].get_data("x") is None
    assert context.agents[0].subordinate is context.agents[1]


def test_d41_a_history_that_is_a_list_is_shown_in_order() -> None:
    entries = [{"type": "human", "content": "one"}, {"type": "ai", "content": "two"}, {"type": "tool", "content": "t"}]
    context = opened(agent_with(entries))
    found = [(one.ai, one.kind, one.text()) for one in context.agents[0].history.messages()]
    assert found == [(False, "", "one"), (True, "", "two"), (False, "tool", "t")]
    assert context.era == "A"
    assert context.agents[0].history.shape == "list"


@pytest.mark.parametrize("data", [b"[]", b"5", b"", b"null", b'"x"', b"true"])
def test_d42_other_top_values_are_reported(data: bytes) -> None:
    with pytest.raises(UnreadableError) as caught:
        opened(data)
    assert caught.value.what.endswith(".")


def test_d42_a_byte_order_mark_is_accepted() -> None:
    context = opened(b"\xef\xbb\xbf" + text_of(chat()))
    assert context.name == "Disk report"
    assert codes(context)["bom"].severity is Severity.REMARK


def test_d43_nan_and_infinities_are_accepted() -> None:
    data = text_of(chat(logs=[item(0, "user", "x", kvps={"t": float("nan")}, timestamp=float("-inf"))]))
    context = opened(data)
    assert context.log.items[0].timestamp is None
    assert context.log.items[0].kvps["t"] != context.log.items[0].kvps["t"]


def test_d44_of_a_key_given_twice_the_last_counts_and_is_flagged() -> None:
    data = text_of(chat(name="first"))[:-1] + b', "name": "second"}'
    context = opened(data)
    assert context.name == "second"
    assert "name" in codes(context)["duplicate-keys"].text


def test_d44_a_file_in_the_hosts_own_spacing_is_not_flagged() -> None:
    assert opened(chat()).problems == []
    assert opened(json.dumps(chat(), indent=1).encode()).problems == []


def test_d45_a_thousand_nested_bulks_are_walked() -> None:
    text = json.dumps(bulk([topic([message("deep inside")])]))
    for _level in range(150):
        text = '{"_cls": "Bulk", "summary": "s", "records": [' + text + "]}"
    whole = '{"_cls": "History", "counter": 1, "bulks": [' + text + '], "topics": [], "current": {}}'
    context = opened(agent_with(whole))
    assert context.agents[0].history.count == 1
    assert next(context.agents[0].history.messages()).text() == "deep inside"


@pytest.mark.parametrize("levels", [1_000, 20_000])
def test_d45_deeper_ones_end_in_a_remark_and_no_crash(levels: int) -> None:
    text = '{"_cls": "Bulk", "records": [' * levels + "]}" * levels
    whole = '{"_cls": "History", "bulks": [' + text + '], "topics": [], "current": {}}'
    context = opened(agent_with(whole))
    assert context.agents[0].history.count == 0
    assert context.agents[0].problems
    assert len(context.log.items) == 2


def test_d45_deep_data_leaves_the_rest_readable() -> None:
    data = text_of(chat() | {"data": "@"}).replace(b'"@"', b'{"x": ' + b"[" * 3000 + b"]" * 3000 + b"}")
    context = opened(data)
    assert context.data == {}
    assert codes(context)["data-unread"].defect == "D-45"
    assert len(context.log.items) == 2


def test_d46_unknown_keys_are_kept_at_every_level() -> None:
    odd = item(0, "user", "x", temp=False, duration_ms=5)
    text = history([message("x", new_key=[1, None])], milestones=[1])
    made = chat(logs=[odd], agents=[{"number": 0, "data": {}, "history": text, "mood": "calm"}], top_new={"a": 1.5})
    context = opened(made)
    kept = context.agents[0].history
    assert context.extra == {"top_new": {"a": 1.5}}
    assert context.log.items[0].extra == {"temp": False, "duration_ms": 5}
    assert context.log.items[0].to_json() == odd
    assert context.agents[0].extra == {"mood": "calm"}
    assert kept.extra == {"milestones": [1]}
    assert next(kept.messages()).to_json() == message("x", new_key=[1, None])
    assert read_row_facts(text_of(made), folder="Chat0001").newer


def test_d49_planted_private_keys_are_ignored() -> None:
    agents = [{"number": 0, "data": {"_superior": 1, "loud": 2}, "history": ""}]
    context = opened(chat(agents=agents, data={"_persist_chat_saved": True, "project": "p"}))
    assert context.data == {"project": "p"}
    assert context.planted == {"_persist_chat_saved": True}
    assert context.agents[0].data == {"loud": 2}
    assert codes(context)["planted"].defect == "D-49"
    facts = read_row_facts(text_of(chat(data={"_persist_chat_saved": True})), folder="Chat0001")
    assert [found.code for found in facts.problems] == ["planted"]


def test_d50_a_background_chat_is_read_and_labelled() -> None:
    context = opened(chat() | {"type": "background"})
    assert context.type is AgentContextType.BACKGROUND
    assert codes(context)["background"].defect == "D-50"


def test_d53_lone_surrogates_become_marks_and_pairs_are_joined() -> None:
    data = text_of(chat(name="@name", words=("@words", "answer")))
    data = data.replace(b"@name", rb"\ud83c night").replace(b"@words", rb"\ud83c\udf78 and \udf78")
    context = opened(data)
    assert context.name == "\ufffd night"
    assert context.log.items[0].content == "🍸 and \ufffd"
    text = next(context.agents[0].history.messages()).text()
    assert text == "🍸 and \ufffd"
    text.encode("utf-8")


LOGS = [(812, 4, 812, False), (0, 1000, 0, True), (0, 3, 0, False)]


@pytest.mark.parametrize(("first", "count", "missing", "maybe"), LOGS)
def test_d54_items_missing_before_the_first_are_told(first: int, count: int, missing: int, maybe: bool) -> None:
    log = opened(chat(logs=[item(first + place, "info") for place in range(count)])).log
    assert (log.missing_before, log.may_miss_earlier) == (missing, maybe)


def test_d55_values_of_any_length_are_read() -> None:
    assert len(opened(chat(logs=[item(0, "tool", "x" * 400_000)])).log.items[0].content) == 400_000


@pytest.mark.parametrize("profile", ["../x", "/etc", "a/b", "..", "c\\d"])
def test_d87_a_profile_that_is_a_path_is_shown_as_text_and_flagged(profile: str) -> None:
    context = opened(chat(agents=[{"number": 0, "agent_profile": profile, "data": {}, "history": ""}]))
    assert context.agents[0].profile == profile
    assert {found.defect for found in context.agents[0].problems} == {"D-87"}
    top = opened(chat() | {"agent_profile": profile})
    assert codes(top)["profile-path"].defect == "D-87"


@pytest.mark.parametrize("value", [None, [], "text", 5])
def test_d88_state_of_the_wrong_kind_is_empty_flagged_and_kept(value: object) -> None:
    context = opened(chat(agents=[{"number": 0, "data": value, "history": ""}]) | {"output_data": "text"})
    assert context.agents[0].data == {}
    assert [found.defect for found in context.agents[0].problems] == ["D-88"]
    assert context.output_data == {}
    assert codes(context)["data-kind"].defect == "D-88"
    assert "output_data" in context.raw_values


def test_d89_a_history_inside_a_bulk_is_walked_once_and_flagged() -> None:
    inner = json.loads(history([message("inner")]))
    context = opened(agent_with(history([message("outer")], bulks=[bulk([inner])])))
    kept = context.agents[0].history
    assert [found.text() for found in kept.messages()] == ["inner", "outer"]
    assert kept.bulks[0].records[0].problems[0].defect == "D-89"  # type: ignore[union-attr]


@pytest.mark.parametrize("raw", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
def test_d90_dates_at_the_ends_of_the_calendar_are_unknown_and_kept(raw: str) -> None:
    context = opened(chat() | {"last_message": raw})
    assert (context.last_message.utc, context.last_message.raw) == (None, raw)
    assert codes(context)["date-unreadable"].defect == "D-90"


def test_d91_a_list_of_pairs_is_an_object() -> None:
    found = opened(chat(logs=[item(0, "tool", kvps=[["a", 1], ["b", [2]]])])).log.items[0]
    assert found.kvps == {"a": 1, "b": [2]}
    assert found.problems == []
    assert found.to_json()["kvps"] == [["a", 1], ["b", [2]]]


@pytest.mark.parametrize("kvps", ["text", [1, 2], 5, [["a"]]])
def test_d92_other_kinds_of_kvps_are_shown_as_they_are(kvps: object) -> None:
    found = opened(chat(logs=[item(0, "tool", kvps=kvps)])).log.items[0]
    assert found.kvps == kvps
    assert found.problems[0].defect == "D-92"


def test_d92_items_that_are_no_objects_are_kept() -> None:
    context = opened(chat(logs=[None, 5, "x", item(3, "user", "hi")]))
    assert [found.type for found in context.log.items] == ["", "", "", "user"]
    assert [found.content for found in context.log.items][1:3] == ["5", "x"]
    assert all(found.problems for found in context.log.items[:3])


def test_numbers_that_are_null_or_text_do_not_close_the_chat() -> None:
    odd = item(None, "user", "x", timestamp=1772442000000, agentno="1")
    context = opened(chat(logs=[odd]))
    assert context.log.items[0].timestamp == datetime.fromtimestamp(FIRST_TIME, UTC)
    assert context.log.items[0].agentno == 1
    assert context.log.items[0].to_json()["agentno"] == "1"


def test_an_integer_of_100_000_digits_is_told_and_the_rest_shown() -> None:
    data = text_of(chat(logs=[item(0, "user", "x", timestamp="@")])).replace(b'"@"', b"9" * 100_000)
    context = opened(data)
    assert context.log.items[0].content == "x"
    assert context.log.items[0].problems[0].code == "big-number"
