"""A context as the text Agent Zero would save (format 2, 5.2), tolerant of what JSON cannot hold."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import tzinfo
from typing import Any

from chat_archive.core.model import raw
from chat_archive.core.model.agent import Agent
from chat_archive.core.model.context import AgentContext
from chat_archive.core.model.history import History
from chat_archive.core.model.strict import Replaced, dump, plain, strict_document
from chat_archive.core.model.times import Instant
from chat_archive.core.names import id_part


@dataclass(frozen=True, slots=True)
class Serialised:
    """`text` and what had to be replaced in it: values JSON cannot hold (now null), halves of characters (now U+FFFD),
    NaN and infinities (now null). `remarks` has the same as whole sentences, with other repairs."""

    text: str
    nulls: int = 0
    surrogates: int = 0
    nans: int = 0
    remarks: tuple[str, ...] = ()


def to_text(context: AgentContext, *, zone: tzinfo | None = None) -> Serialised:
    """The text of a save: known keys in the order of format 2, then those the format does not know.

    Private keys are left out, at most `LOG_SIZE` log items are written, the profile stands at both places. Never
    raises: what the host's own save would stop at becomes null and is counted (D-51, D-52).
    """
    replaced = Replaced()
    document = strict_document(document_of(context, replaced), context.folder, replaced, zone=zone, keep_broken=True)
    return _finished(document, replaced)


def strict_text(data: bytes, folder: str, *, zone: tzinfo | None = None) -> Serialised:
    """The bytes of a chat rewritten to format 8, keys in the order of the file. Raises `raw.PartError` when they are
    no JSON object or nested too deep to be rewritten."""
    replaced = Replaced()
    document = _decode(data, replaced)
    if not isinstance(document, dict):
        raise raw.PartError("shape", "it is no object")
    return _finished(strict_document(document, id_part(folder), replaced, zone=zone), replaced)


def _decode(data: bytes, replaced: Replaced) -> object:
    """As the forgiving reader, but halves of characters stay, to be counted."""
    body = data.removeprefix(b"\xef\xbb\xbf")
    if raw.depth(body) > raw.MAX_DEPTH:
        raise raw.PartError("deep", f"it is nested more than {raw.MAX_DEPTH} levels deep")
    text = body.decode("utf-8", "replace")
    replaced.surrogates += text.count("\ufffd") - body.count("\ufffd".encode())

    def integer(digits: str) -> int | None:
        if len(digits) <= raw.MAX_DIGITS:
            return int(digits)
        replaced.nulls += 1
        return None

    try:
        return json.JSONDecoder(strict=False, parse_int=integer).decode(text)
    except json.JSONDecodeError as error:
        raise raw.PartError("syntax", f"{error.msg} at character {error.pos}", error.pos) from None
    except (RecursionError, ValueError) as error:
        raise raw.PartError("syntax", str(error)) from None


def _finished(document: dict[str, Any], replaced: Replaced) -> Serialised:
    return Serialised(dump(document), replaced.nulls, replaced.surrogates, replaced.nans, replaced.remarks)


def document_of(context: AgentContext, replaced: Replaced) -> dict[str, Any]:
    """The context as a JSON document with every known key, not yet checked for what JSON cannot hold."""
    agents = context.agents
    values: dict[str, Any] = {
        "id": context.id,
        "name": context.name,
        "created_at": _date(context.created_at),
        "type": str(context.type),
        "last_message": _date(context.last_message),
        "agents": [_agent(agent, replaced) for agent in agents],
        "streaming_agent": _streaming(context),
        "agent_profile": _main_profile(context),
        "log": context.log.to_json(),
        "data": public(context.data),
        "output_data": public(context.output_data),
    }
    return values | context.extra


def public(data: dict[Any, Any]) -> dict[Any, Any]:
    """Without the private keys, which live in memory only (2.5)."""
    return {key: value for key, value in data.items() if not (isinstance(key, str) and key.startswith("_"))}


def _agent(agent: Agent, replaced: Replaced) -> dict[str, Any]:
    values: dict[str, Any] = {
        "number": agent.position if agent.number is None else agent.number,
        "agent_profile": agent.profile,
        "data": public(agent.data),
        "history": _history(agent.history, replaced),
    }
    return values | agent.extra


def _history(history: History, replaced: Replaced) -> object:
    """The text as it was where nothing in it changed, so that its own spelling stays."""
    original = history.original
    text = raw.decode(original) if raw.is_raw(original) else original
    if history.undecoded is not None or history.shape == "broken":
        return text
    made = history.to_json()
    if isinstance(text, str) and text and history.shape != "mended":
        try:
            if raw.decode_json(text.encode("utf-8", "surrogatepass")) == made:
                return text
        except raw.PartError:
            return text
    if not made["counter"] and not history.count and not text:
        return ""
    return dump(plain(made, replaced))


def _main_profile(context: AgentContext) -> str:
    """The main agent's profile, else the context's, else "" (2.4)."""
    return context.agent0.profile if context.agent0 is not None else context.config.profile.strip()


def _streaming(context: AgentContext) -> object:
    if context.streaming_agent is not None and context.streaming_agent.number is not None:
        return context.streaming_agent.number
    return context.streaming_number


def _date(instant: Instant) -> object:
    """What the file said, also where that could not be read; a fresh one is written in ISO 8601."""
    return instant.raw if instant.raw is not None else instant.iso()
