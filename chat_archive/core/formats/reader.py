"""From the bytes of a chat's file to an `AgentContext`. Everything readable is opened; what is not becomes a problem
of its part, never an exception (section 7.2 of the format)."""

from __future__ import annotations

import itertools
import re
from datetime import tzinfo
from typing import Any

from msgspec import Raw

from chat_archive.core.entities import Problem, Severity
from chat_archive.core.formats import eras
from chat_archive.core.formats.opening import open_chat
from chat_archive.core.model import raw
from chat_archive.core.model.agent import Agent, read_state
from chat_archive.core.model.context import AgentConfig, AgentContext, AgentContextType
from chat_archive.core.model.history import History
from chat_archive.core.model.lazy import take_integer, value_of
from chat_archive.core.model.log import Log
from chat_archive.core.model.times import Instant, parse_instant

KNOWN_KEYS = frozenset(
    {
        "id", "name", "created_at", "type", "last_message", "agents", "streaming_agent", "agent_profile", "log",
        "data", "output_data",
    }
)  # fmt: skip
_AGENT_KEYS = frozenset({"number", "agent_profile", "data", "history"})
_PLAIN_NAME = re.compile(r"[^/\\\0]+")


def read_context(data: bytes, *, folder: str, zone: tzinfo | None = None, flat: bool = False) -> AgentContext:
    """The chat with everything readable in it; parts are decoded when they are used. `folder`: its entry's name in
    the root, taken for the id where the file has none (D-14); `flat`: that is a file `<id>.json`.
    Raises `UnreadableError` only."""
    opened = open_chat(data)
    found = opened.members
    own_name = plain_name(folder, flat)
    context = AgentContext(with_agent=False, folder=folder, id=own_name)
    context.known = frozenset(found)
    context.problems.extend(opened.problems)
    context.later = opened.later
    context.raw_id = value_of(found.get("id"))
    context.id, problems = read_id(context.raw_id, "id" in found, own_name)
    context.problems.extend(problems)
    context.raw_name = value_of(found.get("name"))
    context.name, problems = read_name(context.raw_name)
    context.problems.extend(problems)
    context.raw_type = value_of(found.get("type"))
    context.type, problems = read_type(context.raw_type, "type" in found)
    context.problems.extend(problems)
    for key in ("created_at", "last_message"):
        instant, problems = read_date(value_of(found.get(key)), key, zone)
        setattr(context, key, instant)
        context.problems.extend(problems)
    _read_profile(context, found)
    context.log = Log.from_part(found.get("log"), present="log" in found)
    _read_states(context, found)
    context.extra = {key: value_of(value) for key, value in found.items() if key not in KNOWN_KEYS}
    context.link(_read_agents(context, found))
    context.streaming_number = value_of(found.get("streaming_agent", 0))
    context.streaming_agent, problems = _streaming(context)
    context.problems.extend(problems)
    context.era = eras.detect(traces_of(context, flat))
    return context


def plain_name(folder: str, flat: bool) -> str:
    """The name a chat without id goes by: its folder's, or its flat file's without exactly the suffix (D-01)."""
    return folder[: -len(".json")] if flat and folder.endswith(".json") and folder != ".json" else folder


def read_id(value: object, present: bool, name: str) -> tuple[str, list[Problem]]:
    """The chat's id as text and what is odd about it (D-12, D-14, D-15). `name`: its folder's."""
    if value is None or value == "":
        said = "The file has no id" if not present else "The id in the file is empty"
        return name, [Problem("id-missing", f"{said}; the folder's name is taken.", Severity.REMARK, "D-14")]
    problems = []
    if isinstance(value, str):
        found = value
        if "/" in value or "\\" in value or value in (".", "..") or "\0" in value:
            text = "The id in the file is a path; only the folder's name is ever used as one."
            problems.append(Problem("id-path", text, Severity.REMARK, "D-08"))
    elif isinstance(value, int) and not isinstance(value, bool):
        found = str(value)
        problems.append(Problem("id-number", f"The file's id is the number {found[:40]}.", Severity.REMARK, "D-15"))
    else:
        text = f"The id in the file is {raw.kind_of(value)}; the folder's name is taken."
        return name, [Problem("id-kind", text, Severity.REMARK, "D-14")]
    if found != name:
        text = "The id in the file differs from the folder's name."
        problems.append(Problem("id-differs", text, Severity.REMARK, "D-12"))
    return found, problems


def read_name(value: object) -> tuple[str | None, list[Problem]]:
    """The stored name; a number is shown as its digits, other kinds are told."""
    if value is None or isinstance(value, str):
        return value, []
    problem = Problem(
        "name-kind", f"The name in the file is {raw.kind_of(value)} and no text.", Severity.PARTIAL, "D-26"
    )
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)[:400], [problem]
    return None, [problem]


def read_type(value: object, present: bool) -> tuple[AgentContextType, list[Problem]]:
    """How the chat is treated; any unknown value counts as a user's chat (D-29)."""
    if not present:
        return AgentContextType.USER, []
    if isinstance(value, str) and value in AgentContextType._value2member_map_:
        if value == "background":
            text = "A background chat: Agent Zero does not list it."
            return AgentContextType.BACKGROUND, [Problem("background", text, Severity.REMARK, "D-50")]
        return AgentContextType(value), []
    said = repr(value[:40]) if isinstance(value, str) else raw.kind_of(value)
    text = f"The chat's type in the file is {said}; it is treated as a user's chat."
    return AgentContextType.USER, [Problem("type-unknown", text, Severity.REMARK, "D-29")]


_DATE_WORDS = {"created_at": "The creation date", "last_message": "The date of the last message"}


def read_date(value: object, key: str, zone: tzinfo | None) -> tuple[Instant, list[Problem]]:
    """A date and what is odd about it (D-30 to D-33, D-90)."""
    instant = parse_instant(value, zone)
    if value is None or value == "":
        return instant, []
    if instant.utc is None:
        if isinstance(value, str) and value.startswith(("1970-01-0", "1969-12-31")):
            return instant, []  # the host's way to say "unknown" (2.1)
        defect = "D-90" if isinstance(value, str) and value[:1] in "0129" and value[:4].isdigit() else "D-30"
        text = f"{_DATE_WORDS[key]} in the file cannot be read as a date."
        return instant, [Problem("date-unreadable", text, Severity.REMARK, defect)]
    if instant.naive:
        text = f"{_DATE_WORDS[key]} has no offset; it is read as local time."
        return instant, [Problem("date-naive", text, Severity.REMARK, "D-32")]
    return instant, []


def read_profile(value: object, whose: str) -> tuple[str, list[Problem]]:
    """A profile as text; it is shown and never resolved to a path (D-87)."""
    if value is None or value == "":
        return "", []
    if not isinstance(value, str):
        text = f"The profile of {whose} is {raw.kind_of(value)} and no text."
        return "", [Problem("profile-kind", text, Severity.PARTIAL, "D-87")]
    name = value.strip()
    if name and (not _PLAIN_NAME.fullmatch(name) or name in (".", "..")):
        text = f"The profile of {whose} is a path and not a plain name; Agent Zero would run code from there."
        return name, [Problem("profile-path", text, Severity.REMARK, "D-87")]
    return name, []


def _read_profile(context: AgentContext, found: dict[str, object]) -> None:
    context.raw_profile = value_of(found.get("agent_profile"))
    profile, problems = read_profile(context.raw_profile, "the chat")
    context.config = AgentConfig(profile)
    context.problems.extend(problems)


def _read_states(context: AgentContext, found: dict[str, object]) -> None:
    for key, what in (("data", "The chat's data"), ("output_data", "The chat's output data")):
        part = found.get(key)
        public, planted, problems = read_state(part, what, "D-88" if key == "output_data" else "D-26")
        setattr(context, key, public)
        context.planted.update(planted)
        # null is how the host itself may write it (section 2)
        context.problems.extend(problem for problem in problems if problem.code != "data-null")
        if problems:
            context.raw_values[key] = part
        if planted:
            context.problems.append(planted_problem(key, list(planted)))


def planted_problem(key: str, names: list[str]) -> Problem:
    """Private keys in a file are never the host's own and are not honoured (D-49)."""
    said = ", ".join(sorted(names))[:100]
    return Problem("planted", f"Private keys in {key} are ignored: {said}.", Severity.REMARK, "D-49")


def _read_agents(context: AgentContext, found: dict[str, object]) -> list[Agent]:
    part = found.get("agents")
    items = raw.elements(part)
    if items is None:
        if "agents" in found:
            text = f"The list of agents is {raw.kind_of(part)}."
            context.tell("agents-kind", text, "D-26", Severity.PARTIAL)
            context.raw_values["agents"] = part
        inner = raw.members(part) or {}
        items = [part] if inner.keys() & _AGENT_KEYS else list(inner.values())
    return [_read_agent(context, item, place) for place, item in enumerate(items)]


def _read_agent(context: AgentContext, part: object, place: int) -> Agent:
    agent = Agent(None, AgentConfig(), context, position=place)
    found = raw.members(part)
    if found is None:
        _tell(agent, "agent-kind", f"Agent {place} is {raw.kind_of(part)} and no object.")
        agent.extra["agent"] = value_of(part)
        agent.history = History.from_raw(None)
        return agent
    agent.known = frozenset(found)
    agent.raw_number = value_of(found.get("number"))
    agent.number = take_integer(agent.raw_number)
    if agent.number is None:
        said = "has no number" if "number" not in found else "has a number that is none"
        _tell(agent, "agent-number", f"Agent {place} {said}.")
    agent.raw_profile = value_of(found.get("agent_profile"))
    profile, problems = read_profile(agent.raw_profile, agent.name)
    agent.config = AgentConfig(profile)
    agent.own_problems.extend(problems)
    agent.set_data_part(found.get("data"))
    agent.history = History.from_raw(found.get("history"))
    agent.extra = {key: value_of(value) for key, value in found.items() if key not in _AGENT_KEYS}
    return agent


def _tell(agent: Agent, code: str, text: str) -> None:
    agent.own_problems.append(Problem(code, text, Severity.PARTIAL, "D-26"))


def choose_streaming(value: object, numbers: list[int | None]) -> tuple[int | None, list[Problem]]:
    """The place in the chain of the agent that is active by the file, the first where none matches (D-37)."""
    if not numbers:
        return None, []
    if not isinstance(value, bool) and isinstance(value, int | float):
        for place, number in enumerate(numbers):
            if number == value:
                return place, []
    if value == 0 and numbers[0] not in (0, None):
        return 0, []  # chats of parallel agents start at a higher number (D-39)
    text = "The active agent named in the file does not exist; the first one is taken."
    return 0, [Problem("streaming", text, Severity.REMARK, "D-37")]


def _streaming(context: AgentContext) -> tuple[Agent | None, list[Problem]]:
    agents = context.agents
    place, problems = choose_streaming(context.streaming_number, [agent.number for agent in agents])
    return (None if place is None else agents[place]), problems


def traces_of(context: AgentContext, flat: bool) -> eras.Traces:
    """What the era detector looks at, without decoding a history."""
    items: list[Any] = [raw.members(item.undecoded) or {} for item in itertools.islice(context.log.items, 1)]
    first: dict[str, object] = items[0] if items else {}
    histories = [agent.history.original for agent in context.agents]
    has_profile = any("agent_profile" in agent.known for agent in context.agents)
    return eras.Traces(
        flat=flat,
        list_history=any(raw.kind_of(part) == "a list" and bool(raw.elements(part)) for part in histories),
        item_has_id="id" in first,
        item_has_time="timestamp" in first,
        item_has_agentno="agentno" in first,
        item_has_temp="temp" in first,
        items=len(context.log.items),
        top_keys=context.known or frozenset(),
        agent_has_profile=has_profile,
        message_keys=frozenset() if has_profile else message_keys(histories),
        compact_history=any(is_compact(part) for part in histories),
    )


def _head(part: object, length: int) -> bytes:
    """The first bytes of a history's JSON text, escapes and all."""
    if isinstance(part, Raw):
        return bytes(memoryview(part)[:length])
    return part[:length].encode("utf-8", "replace") if isinstance(part, str) else b""


def is_compact(part: object) -> bool:
    """Whether a history's text has no blanks after its separators (era F)."""
    return _head(part, 24).lstrip(b'"').replace(b"\\", b"").startswith(b'{"_cls":"')


def message_keys(histories: list[object]) -> frozenset[str]:
    """Keys that tell the era, looked for by their escaped spelling near the start of a history."""
    head = b"".join(_head(part, 8_192) for part in histories[:4])
    found = set()
    for key in (b"metadata", b"sequence", b"tokens"):
        if b'\\"' + key + b'\\":' in head or b'"' + key + b'":' in head:
            found.add(key.decode())
    if b'\\"Message\\", \\"id\\":' in head or b'"Message", "id":' in head:
        found.add("id")
    return frozenset(found)
