"""Which responses a chat left stored at a model provider (format 6.1 to 6.4, right results of 7.5).

Only the places where Agent Zero itself puts ids are read, never a text that merely quotes some (D-73). Nothing here
sends anything.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import msgspec

_PREFIX = "resp_"
_ENCODED = "litellm:custom_llm_provider:"
_MODEL, _RESPONSE = ";model_id:", ";response_id:"
_BRIDGED = ("chatcmpl-", "gen-")
_RECORDS = 1_000_000  # of one history; a planted file must not keep us walking for ever
_SALVAGED = re.compile(rb"resp_[A-Za-z0-9_+/=-]{1,4096}")
_DISABLING_KEY = "responses_delete_on_chat_delete"


@dataclass(frozen=True, slots=True)
class StoredResponse:
    """One response id as the chat has it, and what the chat says about it.

    `id` is the text in the file, `original` what the provider calls it (6.3). `provider` is LiteLLM's name or "",
    `model_key` is `<provider>/<model>` or "", `base` the base URL noted in the capability or "". `state` is "provider"
    (stored remotely), "local" or "off" (not stored, D-72). `certain` is False for ids found by pattern in a damaged
    file: such a list may be incomplete, and an id in it may be another chat's.

    `base_trace` says how `base` is known: "message" (its own capability), "chat" (all other responses of the same model
    key in this chat went there), "several" (they went to different ones), "none" (the chat holds no trace).
    """

    id: str
    original: str
    provider: str
    model_key: str
    base: str
    state: str
    certain: bool = True
    base_trace: str = "none"

    @property
    def stored(self) -> bool:
        """Whether the provider keeps something under this id."""
        return self.state not in ("local", "off") and not self.original.startswith(_BRIDGED)


@dataclass(frozen=True, slots=True)
class Collected:
    """What one file holds: the ids in order of discovery, whole sentences on oddities, and whether all was readable."""

    responses: tuple[StoredResponse, ...] = ()
    remarks: tuple[str, ...] = ()
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Cascade:
    """Whether the chat itself asks to keep its responses at the provider. `reason` is a sentence when it does;
    `remarks` name flags that look like a no and are none (D-76)."""

    disabled: bool
    reason: str = ""
    remarks: tuple[str, ...] = ()


def collect_ids(document: object) -> list[StoredResponse]:
    """The responses of a parsed chat, each id once, in the order in which they are found."""
    return list(collect(document).responses)


def collect_from_bytes(data: bytes, *, salvage: bool = True) -> list[StoredResponse]:
    """The responses of the bytes of a chat.json or a backup of one; see `read`."""
    return list(read(data, salvage=salvage).responses)


def read(data: bytes, *, salvage: bool = True) -> Collected:
    """As `collect`, from bytes. What is not JSON is searched by pattern when `salvage` is set (D-75), and then
    `complete` is False. Never raises."""
    document, readable = _parse(data)
    if readable:
        return collect(document)
    if not salvage:
        return Collected(complete=False)
    found = tuple(_salvage(data))
    text = "The file is damaged; response ids were searched by pattern and the list may be incomplete."
    return Collected(found, (text,), complete=False)


def collect(document: object) -> Collected:
    """Walk the structural places of 6.1. Any shape is taken; what has none of these places gives nothing (D-74)."""
    found: dict[str, StoredResponse] = {}
    remarks: list[str] = []
    complete = True
    for number, agent in enumerate(_agents(document)):
        data = agent.get("data")
        state = data.get("responses_state") if isinstance(data, dict) else None
        if isinstance(state, dict):
            remarks += _from_state(state, number, found)
        history, readable = _history(agent.get("history"))
        if not readable:
            complete = False
            pattern = agent.get("history")
            for response in _salvage(pattern.encode("utf-8", "replace") if isinstance(pattern, str) else b""):
                found.setdefault(response.id, response)
            remarks.append(f"The history of agent {number} is damaged; its response ids were searched by pattern.")
            continue
        for block in _blocks(history):
            _from_block(block, found)
    return Collected(_with_bases(found.values()), tuple(remarks), complete)


def _with_bases(found: Iterable[StoredResponse]) -> tuple[StoredResponse, ...]:
    """What the messages say about a model key's base URL also holds for ids that only a state names (6.2)."""
    responses = tuple(found)
    bases: dict[str, set[str]] = {}
    for response in responses:
        if response.base_trace == "message" and response.model_key:
            bases.setdefault(response.model_key, set()).add(response.base)

    def completed(response: StoredResponse) -> StoredResponse:
        known = bases.get(response.model_key, set())
        if response.base_trace == "message" or not known:
            return response
        if len(known) > 1:
            return replace(response, base_trace="several")
        return replace(response, base=next(iter(known)), base_trace="chat")

    return tuple(completed(response) for response in responses)


def decode(response_id: str) -> tuple[str, str]:
    """(provider or "", original id) of an id LiteLLM may have wrapped (6.3). A plain id comes back unchanged."""
    body = response_id.removeprefix(_PREFIX)
    try:
        text = base64.b64decode(body + "=" * (-len(body) % 4), validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return "", response_id
    if not text.startswith(_ENCODED):
        return "", response_id
    provider, model, rest = text.removeprefix(_ENCODED).partition(_MODEL)
    _, marker, original = rest.partition(_RESPONSE)
    if not model or not marker or not original:
        return "", response_id
    return ("" if provider == "None" else provider), original


def cascade_disabled(document: object) -> str:
    """ "" or the sentence that says where the chat asks to keep its responses at the provider (D-77)."""
    return cascade(document).reason


def cascade(document: object) -> Cascade:
    """Read `responses_delete_on_chat_delete` at its three places; only exactly false means no (D-76)."""
    places: list[tuple[str, object]] = []
    if isinstance(document, dict):
        places = [("the chat itself", document), ("the chat's data", document.get("data"))]
    places += [(f"agent {number} of the chain", agent.get("data")) for number, agent in enumerate(_agents(document))]
    reasons: list[str] = []
    remarks: list[str] = []
    for place, holder in places:
        if not isinstance(holder, dict) or _DISABLING_KEY not in holder:
            continue
        value = holder[_DISABLING_KEY]
        if value is False:
            reasons.append(place)
        elif value is not True:
            remarks.append(f"{_DISABLING_KEY} in {place} is not the value false, so it disables nothing.")
    if not reasons:
        return Cascade(False, "", tuple(remarks))
    reason = f"{_DISABLING_KEY} is false in {' and '.join(reasons)}, so the responses of the whole chat are kept."
    return Cascade(True, reason, tuple(remarks))


def cascade_from_bytes(data: bytes) -> Cascade:
    """As `cascade`, from bytes; a damaged file says nothing about it, and a flag that is gone disables nothing."""
    return cascade(_parse(data)[0])


def _parse(data: bytes) -> tuple[object, bool]:
    plain = data.removeprefix(b"\xef\xbb\xbf")
    try:
        return msgspec.json.decode(plain), True
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        pass
    try:
        return json.loads(plain), True
    except (ValueError, RecursionError):
        return None, False


def _agents(document: object) -> Iterator[dict[str, object]]:
    agents = document.get("agents") if isinstance(document, dict) else None
    if isinstance(agents, dict):  # one agent without its list, or agents by name
        agents = [agents] if "data" in agents or "history" in agents else list(agents.values())
    if isinstance(agents, list):
        yield from (agent for agent in agents if isinstance(agent, dict))


def _from_state(state: dict[str, object], number: int, found: dict[str, StoredResponse]) -> list[str]:
    """Ids of one `responses_state`: the current one, then all the agent ever received."""
    model_key = _text(state.get("provider_model_key"))
    ids: list[object] = [state.get("response_id")]
    many = state.get("response_ids")
    remarks: list[str] = []
    if isinstance(many, str):  # D-93: a string is one id, not a row of letters
        ids.append(many)
        remarks.append(f"response_ids of agent {number} is a text and not a list; it was taken as one id.")
    elif isinstance(many, list):
        ids += many
    elif many is not None:
        remarks.append(f"response_ids of agent {number} is no list and was left out.")
    for raw in ids:
        _add(found, raw, model_key, "", "")
    return remarks


def _history(raw: object) -> tuple[object, bool]:
    """The parsed history and whether it could be read. One without any response id is not parsed at all."""
    if not isinstance(raw, str):
        return raw, True
    if '"response_id"' not in raw and '"raw"' not in raw and "\\u" not in raw:
        return None, True
    document, readable = _parse(raw.encode("utf-8", "surrogatepass"))
    if not readable:
        try:
            return json.loads(raw), True  # lone surrogates are no valid UTF-8 and still valid here
        except (ValueError, RecursionError):
            return None, "response_id" not in raw
    return document, True


def _blocks(history: object) -> Iterator[dict[str, object]]:
    """Each `metadata.responses` of a history in reading order, without recursion (D-45, D-89)."""
    stack: list[object] = [history]
    for _ in range(_RECORDS):
        if not stack:
            return
        record = stack.pop()
        if isinstance(record, list):
            stack.extend(reversed(record))
            continue
        if not isinstance(record, dict):
            continue
        metadata = record.get("metadata")
        block = metadata.get("responses") if isinstance(metadata, dict) else None
        if isinstance(block, dict):
            yield block
        stack.extend(record[key] for key in ("current", "messages", "records", "topics", "bulks") if key in record)


def _from_block(block: dict[str, object], found: dict[str, StoredResponse]) -> None:
    model_key = _text(block.get("provider_model_key"))
    state = _text(block.get("state")) or "provider"  # 3.4
    capability = block.get("capability")
    cache_key = _text(capability.get("cache_key")) if isinstance(capability, dict) else ""
    parts = cache_key.split("|", 2)
    traced = len(parts) == 3
    base = parts[2].strip() if traced else ""
    raw = block.get("raw")
    response_id = block.get("response_id")
    if not _text(response_id) and isinstance(raw, dict):
        response_id = raw.get("id")  # 6.1: v2.0 to v2.4 wrote the same value here
    _add(found, response_id, model_key, base, state, traced=traced)


def _add(
    found: dict[str, StoredResponse], raw: object, model_key: str, base: str, state: str, *, traced: bool = False
) -> None:
    """Note an id, or complete what a `responses_state` could not tell about it."""
    response_id = _text(raw)
    if not response_id:
        return
    known = found.get(response_id)
    provider, original = decode(response_id)
    provider = provider or model_key.partition("/")[0]
    if known is None:
        trace = "message" if traced else "none"
        found[response_id] = StoredResponse(
            response_id, original, provider, model_key, base, state or "provider", base_trace=trace
        )
        return
    found[response_id] = replace(
        known,
        provider=known.provider or provider,
        model_key=known.model_key or model_key,
        base=known.base or base,
        state=state or known.state,
        base_trace="message" if traced else known.base_trace,
    )


def _salvage(data: bytes) -> Iterator[StoredResponse]:
    """Ids by their look. What the host wraps is long; everything that looks like one is kept rather than lost."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        data = data.decode("utf-16", "ignore").encode("utf-8", "ignore")
    seen: set[str] = set()
    for match in _SALVAGED.finditer(data):
        response_id = match.group().decode("ascii")
        if response_id in seen:
            continue
        seen.add(response_id)
        provider, original = decode(response_id)
        yield StoredResponse(response_id, original, provider, "", "", "provider", certain=False)


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""
