"""A chat as strict JSON that Agent Zero accepts (format 8), with everything that had to be replaced counted.

Works on the parsed document, not on objects, so unknown keys and the order of keys stay as they are. Only what the
rules of format 8 forbid is changed, and each kind of change is told in a sentence.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from datetime import tzinfo
from typing import Any

from chat_archive.core.layout import is_well_formed
from chat_archive.core.model.raw import MAX_DEPTH, clean_text
from chat_archive.core.model.strict_history import history_text
from chat_archive.core.model.times import parse_instant

_FIRST_TOO_LONG = 10**4300
CONTEXT_TYPES = ("user", "task", "background")


@dataclass(slots=True)
class Replaced:
    """How many values JSON cannot hold were replaced, and what else was set right, once per kind."""

    nulls: int = 0  # values that cannot be encoded, now null (D-51, D-52)
    surrogates: int = 0  # halves of a character, now U+FFFD (D-53)
    nans: int = 0  # NaN and infinities, now null (D-43)
    repairs: list[str] = field(default_factory=list)

    def repair(self, text: str) -> None:
        if text not in self.repairs:
            self.repairs.append(text)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Whole sentences, the counts first."""
        counted = (
            (
                self.nulls,
                "value that JSON cannot hold was written as null",
                "values that JSON cannot hold were written as null",
            ),
            (
                self.nans,
                "number that is no JSON number was written as null",
                "numbers that are no JSON numbers were written as null",
            ),
            (
                self.surrogates,
                "half of a character was replaced by \ufffd",
                "halves of characters were replaced by \ufffd",
            ),
        )
        sentences = [f"{count} {one if count == 1 else many}." for count, one, many in counted if count]
        return (*sentences, *self.repairs)


def plain(value: object, replaced: Replaced, path: frozenset[int] = frozenset()) -> Any:
    """`value` as JSON can hold it: tuples become arrays, keys text, what cannot be encoded or goes in circles null."""
    if isinstance(value, str):
        return _clean(value, replaced)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        if not _too_long(value):
            return value
        replaced.nulls += 1
        return None
    if isinstance(value, float):
        if math.isfinite(value):
            return value
        replaced.nans += 1
        return None
    if isinstance(value, dict | list | tuple):
        if id(value) in path or len(path) >= MAX_DEPTH:
            replaced.nulls += 1
            return None
        inside = path | {id(value)}
        if isinstance(value, dict):
            return _plain_object(value, replaced, inside)
        return [plain(item, replaced, inside) for item in value]
    replaced.nulls += 1
    return None


def _plain_object(value: dict[Any, object], replaced: Replaced, path: frozenset[int]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key, item in value.items():
        if isinstance(key, str):
            made[_clean(key, replaced)] = plain(item, replaced, path)
        elif key is None or (isinstance(key, bool | int | float) and not _too_long(key)):
            # the spelling Python's own encoder gives such keys
            made[json.dumps(key)] = plain(item, replaced, path)
        else:
            replaced.nulls += 1
            made.setdefault(_clean(_name_of(key), replaced), None)
    return made


def _too_long(value: float) -> bool:
    """An integer that Python refuses to write in digits."""
    return isinstance(value, int) and abs(value) >= _FIRST_TOO_LONG


def _name_of(key: object) -> str:
    try:
        return str(key)[:200]
    except Exception:  # an object of a plugin may do anything
        return type(key).__name__


def _clean(text: str, replaced: Replaced) -> str:
    cleaned = clean_text(text)
    if cleaned is not text:
        replaced.surrogates += cleaned.count("\ufffd") - text.count("\ufffd")
    return cleaned


def strict_document(
    document: dict[str, Any], folder: str, replaced: Replaced, *, zone: tzinfo | None = None, keep_broken: bool = False
) -> dict[str, Any]:
    """A new document that keeps the rules of format 8.

    `folder` is the id where the chat names none that may be given. With `keep_broken`, a history that cannot be read
    is left as the text it was, since nothing may be lost by saving (D-26); else what could be read of it is written.
    """
    made = plain(document, replaced)
    made = {"id": _id(made, folder, replaced), **{key: value for key, value in made.items() if key != "id"}}
    if "type" in made and made["type"] not in CONTEXT_TYPES:
        made["type"] = "user"
        replaced.repair("The kind of chat is unknown today and was written as user.")
    for key in ("created_at", "last_message"):
        if made.get(key) is not None:
            made[key] = _date(made[key], zone, replaced)
    if "name" in made and not isinstance(made["name"], str | None):
        made["name"] = json.dumps(made["name"], ensure_ascii=False)
        replaced.repair("The name was no text and was written as one.")
    made["agents"] = _agents(made.get("agents"), replaced, keep_broken)
    if not _is_integer(made.get("streaming_agent", 0)):
        made["streaming_agent"] = _integer(made["streaming_agent"], 0)
        replaced.repair("The number of the active agent was no number.")
    if "agent_profile" in made and not isinstance(made["agent_profile"], str):
        made["agent_profile"] = ""
        replaced.repair("A profile was no text and was left out.")
    made["log"] = _log(made.get("log"), replaced)
    for key in ("data", "output_data"):
        if key in made and not isinstance(made[key], dict):
            made[key] = {}
            replaced.repair(f"The chat's {key} was no object and was left out.")
        if key in made:
            made[key] = _public(made[key], replaced)
    return made


def _public(data: dict[str, Any], replaced: Replaced) -> dict[str, Any]:
    """Without private keys, which the host never writes and yet believes when a file has them (2.5, D-49)."""
    if not any(key.startswith("_") for key in data):
        return data
    replaced.repair("Private keys that only live in memory were left out.")
    return {key: value for key, value in data.items() if not key.startswith("_")}


def dump(document: object) -> str:
    """The text Agent Zero itself would write: one line, non-ASCII literal, strict JSON."""
    return json.dumps(document, ensure_ascii=False, allow_nan=False)


def _id(made: dict[str, Any], folder: str, replaced: Replaced) -> str:
    raw = made.get("id")
    chat_id = str(raw) if _is_integer(raw) else raw
    if chat_id == folder:
        return folder
    if not isinstance(chat_id, str) or not is_well_formed(chat_id):
        chat_id = folder
        replaced.repair("The chat named no usable id; the name of its folder was written.")
    return chat_id


def _date(raw: object, zone: tzinfo | None, replaced: Replaced) -> str | None:
    instant = parse_instant(raw, zone)
    if instant.utc is None:
        if isinstance(raw, str) and raw.startswith(("1970-01-01", "1969-12-31")):
            return raw  # the host's own way to say unknown
        replaced.repair("A date could not be read and was left out.")
        return None
    if not isinstance(raw, str) or instant.naive or raw.strip().upper().endswith("Z") or raw != raw.strip():
        replaced.repair("A date without offset was written with one.")
        return instant.utc.astimezone(zone).isoformat()
    return raw


def _agents(raw: object, replaced: Replaced, keep_broken: bool) -> list[dict[str, Any]]:
    if not isinstance(raw, list):
        if raw is not None:
            replaced.repair("The agents were no list and were left out.")
        return []
    agents: list[dict[str, Any]] = []
    for place, entry in enumerate(raw):
        if not isinstance(entry, dict):
            replaced.repair("An agent was no object and was left out.")
            continue
        agent = entry
        if not _is_integer(agent.get("number")):
            agent = {"number": _integer(agent.get("number"), place)} | {k: v for k, v in agent.items() if k != "number"}
            replaced.repair("An agent without a number got its place in the chain.")
        if not isinstance(agent.get("data"), dict):
            if agent.get("data") is not None:
                replaced.repair("An agent's data was no object and was left out.")
            agent["data"] = {}
        agent["data"] = _public(agent["data"], replaced)
        if "agent_profile" in agent and not isinstance(agent["agent_profile"], str):
            agent["agent_profile"] = ""
            replaced.repair("A profile was no text and was left out.")
        agent["history"] = history_text(agent.get("history"), replaced, plain, keep_broken=keep_broken)
        agents.append(agent)
    return agents


def _log(raw: object, replaced: Replaced) -> dict[str, Any]:
    if isinstance(raw, list):
        raw = {"logs": raw}
        replaced.repair("The log was a bare list and was written as an object.")
    if not isinstance(raw, dict):
        if raw is not None:
            replaced.repair("The log was no object and was left out.")
        return {}
    if "logs" in raw:
        if not isinstance(raw["logs"], list):
            raw["logs"] = list(raw["logs"].values()) if isinstance(raw["logs"], dict) else []
            replaced.repair("The log's items were no list.")
        raw["logs"] = [_item(item, replaced) for item in raw["logs"]]
    return raw


def _item(item: object, replaced: Replaced) -> dict[str, Any]:
    if not isinstance(item, dict):
        replaced.repair("A log item was no object; its value was written as its text.")
        text = item if isinstance(item, str) else json.dumps(item, ensure_ascii=False)
        return {"type": "info", "heading": "", "content": text, "kvps": {}}
    if not isinstance(item.get("type"), str):
        item["type"] = "info"
        replaced.repair("A log item without a type was written as info.")
    if not isinstance(item.get("kvps", 0), dict | None):
        item["kvps"] = _pairs(item.get("kvps"))
        replaced.repair("A log item without a table of values got one.")
    for key in ("heading", "content"):
        if key in item and not isinstance(item[key], str):
            item[key] = "" if item[key] is None else json.dumps(item[key], ensure_ascii=False)
    return item


def _pairs(raw: object) -> dict[str, Any]:
    """A missing table is empty, a list of pairs is one (D-91), anything else one value of it (D-92)."""
    if raw is None:
        return {}
    if isinstance(raw, list) and all(isinstance(pair, list) and len(pair) == 2 for pair in raw):
        return {pair[0] if isinstance(pair[0], str) else json.dumps(pair[0]): pair[1] for pair in raw}
    return {"value": raw}


def _is_integer(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _integer(value: object, otherwise: int) -> int:
    """A whole number in another spelling ("0", 0.0), else the stand-in."""
    try:
        return int(value) if isinstance(value, str | float) and len(str(value)) < 20 else otherwise
    except (ValueError, OverflowError):
        return otherwise
