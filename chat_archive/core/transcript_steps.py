"""One line for each step: what was done, to what, where. Words are left to who shows them.

Types, tools and keys are those of sections 4.2 and 4.7 of the format; an unknown tool or type keeps its own name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from chat_archive.core.model.headings import plain
from chat_archive.core.model.history import Message
from chat_archive.core.model.log import LogItem
from chat_archive.core.model.titles import one_line
from chat_archive.core.transcript_text import parse_reply, printed

_SUBJECT = 200  # characters; the line is elided to the window anyway
_AGENT_PREFIX = re.compile(r"^A\d+:\s*")
_USING = re.compile(r"Using (?:MCP )?tool '([^']*)'|Using (\w+)")
_WAITING = re.compile(r"^Wait(?:ing|ed)?:?\s+", re.IGNORECASE)
_NOISE = re.compile(
    r"^(?:Using \S+|Calling LLM.*|Reasoning.*|Thinking.*|Receiving.*|Generating.*|Building prompt.*)$", re.DOTALL
)


class Action(StrEnum):
    THOUGHT = "thought"
    RAN = "ran"
    TYPED = "typed"
    WAITED_FOR_OUTPUT = "waited for output"
    RESET_TERMINAL = "reset terminal"
    SEARCHED = "searched"
    READ = "read"
    LOOKED_AT = "looked at"
    BROWSED = "browsed"
    ASKED = "asked"
    REPORTED = "reported"
    RECALLED = "recalled"
    REMEMBERED = "remembered"
    FORGOT = "forgot"
    WAITED = "waited"
    USED = "used"
    USED_SERVER = "used server"
    BACKGROUND = "background"
    TOLD = "told"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"
    HINT = "hint"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Line:
    """`subject` is one line of plain text, `code` says it is something to type, `place` names the terminal or the
    server, `tool` the stored name of the tool."""

    action: Action
    subject: str = ""
    code: bool = False
    place: str = ""
    runtime: str = ""
    tool: str = ""


_TOOL_ACTIONS: Mapping[str, tuple[Action, tuple[str, ...]]] = {
    "search_engine": (Action.SEARCHED, ("query", "queries")),
    "knowledge_tool": (Action.SEARCHED, ("question", "query")),
    "memory_load": (Action.RECALLED, ("query",)),
    "memory_recall": (Action.RECALLED, ("query",)),
    "memory_save": (Action.REMEMBERED, ("text",)),
    "memory_delete": (Action.FORGOT, ("ids", "query")),
    "memory_forget": (Action.FORGOT, ("query",)),
    "document_query": (Action.READ, ("document", "queries")),
    "webpage_content_tool": (Action.READ, ("url",)),
    "vision_load": (Action.LOOKED_AT, ("paths",)),
    "browser": (Action.BROWSED, ("url", "action", "message")),
    "browser_agent": (Action.BROWSED, ("message",)),
    "browser_open": (Action.BROWSED, ("url",)),
    "browser_do": (Action.BROWSED, ("fill_code", "execute")),
    "call_subordinate": (Action.ASKED, ("message",)),
    "code_execution_tool": (Action.RAN, ("code",)),
    "input": (Action.TYPED, ("keyboard",)),
    "wait": (Action.WAITED, ("until", "seconds")),
    "response": (Action.TOLD, ("text", "message")),
}
_TYPE_ACTIONS: Mapping[str, Action] = {
    "progress": Action.WAITED,
    "info": Action.INFO,
    "warning": Action.WARNING,
    "rate_limit": Action.WARNING,
    "error": Action.ERROR,
    "hint": Action.HINT,
    "util": Action.BACKGROUND,
}


def shows_as_code(action: Action) -> bool:
    """Whether the body of such a step is set in a fixed pitch: everything but prose."""
    return action not in (Action.REPORTED, Action.ASKED, Action.TOLD)


def bare_heading(heading: str) -> str:
    """A heading without icon markup and without the agent's prefix, in one line."""
    return one_line(_AGENT_PREFIX.sub("", plain(heading).strip()), _SUBJECT)


def line_of_item(item: LogItem) -> Line:
    """The line of a log item. Never raises, whatever the values are."""
    values = item.kvps if isinstance(item.kvps, dict) else {}
    heading = bare_heading(item.heading)
    kind = item.type
    if kind == "agent":
        return _thought(heading, values)
    if kind == "code_exe":
        return _ran(values, heading)
    if kind == "input":
        return Line(Action.TYPED, _first(values, ("keyboard",)) or heading, True, _session(values))
    if kind in ("tool", "browser"):
        return _tool(_tool_name(values, item.heading) or ("browser" if kind == "browser" else ""), values, heading)
    if kind == "mcp":
        name = _first(values, ("tool_name",)) or _named_in(item.heading)
        server, _, tool = name.partition(".")
        return Line(Action.USED_SERVER, tool or server or heading, False, server if tool else "", tool=name)
    if kind == "subagent":
        return Line(Action.ASKED, _first(values, ("message",)) or heading, place=_first(values, ("profile",)))
    if kind == "response":
        return Line(Action.REPORTED, one_line(item.content, _SUBJECT))
    action = _TYPE_ACTIONS.get(kind)
    if action is None:
        return Line(Action.OTHER, heading or one_line(item.content, _SUBJECT), tool=kind)
    subject = heading or one_line(item.content, _SUBJECT)
    return Line(action, _WAITING.sub("", subject) if action is Action.WAITED else subject)


def line_of_message(message: Message) -> Line:
    """The line of a history message that is shown as a step."""
    content = message.content
    if isinstance(content, dict):
        if "tool_result" in content:
            name = content.get("tool_name")
            values = {key: value for key, value in content.items() if key not in ("tool_name", "tool_result")}
            result = one_line(printed(content["tool_result"]), _SUBJECT)
            line = _tool(name if isinstance(name, str) else "", values, "")
            return line if line.subject else Line(line.action, result, False, line.place, tool=line.tool)
        if "system_warning" in content:
            return Line(Action.WARNING, one_line(printed(content["system_warning"]), _SUBJECT))
        if "raw_content" in content:
            return Line(Action.LOOKED_AT, one_line(printed(content.get("preview") or ""), _SUBJECT))
    if message.ai and isinstance(content, str):
        reply = parse_reply(content)
        if reply is not None:
            return _thought(one_line(reply.headline, _SUBJECT), reply.values)
    return Line(Action.OTHER, one_line(message.text(), _SUBJECT), tool=message.kind)


def _thought(heading: str, values: Mapping[str, object]) -> Line:
    """The headline, or the first thought where the heading says nothing about it."""
    if not heading or _NOISE.match(heading):
        thoughts = values.get("thoughts", values.get("reasoning"))
        first = next((part for part in thoughts if part), "") if isinstance(thoughts, list) else thoughts
        heading = one_line(printed(first), _SUBJECT) if first else heading
    tool = values.get("tool_name")
    return Line(Action.THOUGHT, heading, tool=tool if isinstance(tool, str) else "")


def _ran(values: Mapping[str, object], heading: str) -> Line:
    runtime = _first(values, ("runtime",))
    place = _session(values)
    code = _first_line(values.get("code"))
    keyboard = _first(values, ("keyboard",))
    if keyboard and not code:
        return Line(Action.TYPED, keyboard, True, place, runtime)
    if runtime == "output" and not code:
        return Line(Action.WAITED_FOR_OUTPUT, "", False, place, runtime)
    if runtime == "reset" and not code:
        return Line(Action.RESET_TERMINAL, _first(values, ("reason",)), False, place, runtime)
    return Line(Action.RAN, code or heading, bool(code), place, runtime)


def _tool(name: str, values: Mapping[str, object], heading: str) -> Line:
    base = name.partition(":")[0]
    if base == "code_execution_tool":
        return _ran(values, heading)
    action, keys = _TOOL_ACTIONS.get(base, (Action.USED, ()))
    if action is Action.USED:
        return Line(action, _argument(values), False, tool=name or heading)
    subject = _first(values, keys)
    place = _first(values, ("profile",)) if action is Action.ASKED else _session(values)
    return Line(action, subject, action is Action.TYPED, place, tool=name)


def _tool_name(values: Mapping[str, object], heading: str) -> str:
    named = _named_in(heading)  # the heading also holds the method: 'scheduler:list_tasks'
    stored = values.get("_tool_name")
    if isinstance(stored, str) and stored:
        return named if named.startswith(stored + ":") else stored
    return named


def _named_in(heading: str) -> str:
    found = _USING.search(plain(heading))
    return (found.group(1) or found.group(2) or "") if found else ""


def _argument(values: Mapping[str, object]) -> str:
    """The first argument worth a glance of a tool we do not know."""
    for key, value in values.items():
        if not str(key).startswith("_") and isinstance(value, str) and value.strip():
            return one_line(value, _SUBJECT)
    return ""


def _first(values: Mapping[str, object], keys: tuple[str, ...]) -> str:
    for key in keys:
        value = values.get(key)
        if isinstance(value, list):
            value = ", ".join(part if isinstance(part, str) else json.dumps(part, default=str) for part in value[:5])
        if isinstance(value, str | int | float) and not isinstance(value, bool) and str(value).strip():
            return one_line(str(value), _SUBJECT)
    return ""


def _session(values: Mapping[str, object]) -> str:
    session = values.get("session")
    return str(session)[:20] if isinstance(session, int | str) and not isinstance(session, bool) else ""


def _first_line(value: object) -> str:
    """The first line of code that says something; the sign … stands for more."""
    if not isinstance(value, str):
        return ""
    lines = [line.strip() for line in value[:5000].splitlines() if line.strip()]
    if not lines:
        return ""
    return one_line(lines[0], _SUBJECT) + (" …" if len(lines) > 1 else "")
