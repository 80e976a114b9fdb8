"""What the log cut and the history still has (format 4.3, 4.6): texts by id, else by equal beginning and end.

Also hangs the pictures a model was handed on the step that loaded them. Reads every history once; run it on a worker.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from chat_archive.core.model.context import AgentContext
from chat_archive.core.model.history import Message
from chat_archive.core.transcript import Entry, Kind, Transcript, images_of, not_understood, tell_not_understood
from chat_archive.core.transcript_text import hidden_in, parse_reply, printed, split_at_cut

_KEY = 200  # characters of the head that find a candidate


def complete(transcript: Transcript, context: AgentContext, report: Callable[[], None] = lambda: None) -> list[Entry]:
    """Fill in `hidden`, `recovered` and `images`; returns the entries that changed. `report` may raise to stop."""
    cut: list[Entry] = []
    by_id: dict[str, Entry] = {}
    for entry in transcript.entries:
        item = entry.item
        if item is None:
            continue
        if item.id and entry.kind is not Kind.USER:
            by_id.setdefault(item.id, entry)
        hidden = hidden_in(item.content) if "Characters hidden >>" in item.content else 0
        if hidden:
            entry.hidden = hidden
            cut.append(entry)
    changed = {id(entry): entry for entry in cut}
    wanted_ids = {entry.item.id for entry in cut if entry.item is not None and entry.item.id}
    heads = _heads(cut)
    for message, before in _messages(context):
        report()
        if heads or wanted_ids:
            _offer(message, cut, wanted_ids, heads)
        content = message.content
        if isinstance(content, dict) and "raw_content" in content:
            place = by_id.get(message.id) or (by_id.get(before) if before else None)
            found = tuple(images_of(content))
            if place is not None and found:
                place.images = tuple(dict.fromkeys((*place.images, *found)))
                changed[id(place)] = place
    told = tell_not_understood(transcript, tuple(not_understood(context, histories=True)))
    if told is not None:
        changed[id(told)] = told
    transcript.completed = True
    return list(changed.values())


def _messages(context: AgentContext) -> Iterator[tuple[Message, str]]:
    """Every message of every agent with the id of the last one before it that is no picture."""
    for agent in context.agents:
        before = ""
        for message in agent.history.messages():
            yield message, before
            if not (isinstance(message.content, dict) and "raw_content" in message.content):
                before = message.id or before


def _heads(cut: list[Entry]) -> dict[str, list[Entry]]:
    heads: dict[str, list[Entry]] = {}
    for entry in cut:
        parts = split_at_cut(entry.item.content) if entry.item is not None else None
        if parts is not None:
            heads.setdefault(parts[0][:_KEY], []).append(entry)
    return heads


def _offer(message: Message, cut: list[Entry], wanted: set[str], heads: dict[str, list[Entry]]) -> None:
    """Give a message's text to the cut items it is the whole of."""
    for text in _texts(message):
        found = heads.get(text[:_KEY], ())
        for entry in found:
            if entry.recovered is None and _is_whole(entry, text):
                entry.recovered = text
    if message.id in wanted:
        for entry in cut:
            if entry.recovered is None and entry.item is not None and entry.item.id == message.id:
                whole = next((text for text in _texts(message) if _is_whole(entry, text)), None)
                if whole is not None:
                    entry.recovered = whole


def _texts(message: Message) -> Iterator[str]:
    content = message.content
    if isinstance(content, str):
        yield content
        reply = parse_reply(content) if message.ai else None
        if reply is not None and reply.answer:
            yield reply.answer
    elif isinstance(content, dict):
        for key in ("tool_result", "user_message", "user_intervention", "system_warning"):
            if key in content:
                yield printed(content[key])


def _is_whole(entry: Entry, text: str) -> bool:
    """Whether `text` begins and ends like what is left of the item and is longer."""
    parts = split_at_cut(entry.item.content) if entry.item is not None else None
    if parts is None:
        return False
    head, tail = parts
    return len(text) >= len(head) + len(tail) and text.startswith(head) and text.endswith(tail)
