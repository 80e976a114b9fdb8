"""What an answer of a provider means for the response that was to be deleted (P1 to P4). Pure; nothing is sent here.

A provider's own words are never taken over: they may hold a key or be made to deceive. Only its short code is.
"""

from __future__ import annotations

import json
import math
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from enum import StrEnum

BODY_LIMIT = 1_000_000
"""Bytes of a body that are read at most, and that may come out of a compressed one (P3)."""

LONGEST_ASKED = 24 * 3600.0
"""Seconds; a provider that asks for a longer pause gets this one (P4)."""

_CODE = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_NUMBER = re.compile(r"[0-9]{1,20}(\.[0-9]{1,9})?")
# what providers say about a path they do not have; it says nothing about the response
_NO_SUCH_PATH = re.compile(r"invalid url|resource not found|unknown (url|path|endpoint|route)|no route|method", re.I)


class Outcome(StrEnum):
    DELETED = "deleted"
    GONE = "gone"
    KEY_REFUSED = "key refused"
    REFUSED = "refused"
    AGAIN = "again"


@dataclass(frozen=True, slots=True)
class Answer:
    """One HTTP answer as it came. `body` is None when it was cut or longer than the limit. Headers in lower case."""

    status: int
    headers: Sequence[tuple[str, str]]
    body: bytes | None

    def header(self, name: str) -> list[str]:
        return [value for key, value in self.headers if key.lower() == name]


@dataclass(frozen=True, slots=True)
class Verdict:
    """`text` is a whole sentence; `pause` the seconds the provider asked for, 0 when it asked for none."""

    outcome: Outcome
    text: str
    pause: float = 0.0


def judge(answer: Answer, response_id: str, now: float) -> Verdict:
    """What the answer to the deletion of `response_id` means. `now` is in seconds since 1970. Never raises."""
    status = answer.status
    document = _document(answer)
    if status == 204:
        return Verdict(Outcome.DELETED, "Deleted; the provider confirmed it.")
    if 200 <= status < 300:
        if isinstance(document, dict) and document.get("deleted") is True and document.get("id") == response_id:
            return Verdict(Outcome.DELETED, "Deleted; the provider confirmed it.")
        return Verdict(Outcome.AGAIN, f"Not confirmed: {_unconfirmed(answer, document)}. It is tried again.")
    if 300 <= status < 400:
        return Verdict(Outcome.AGAIN, "The answer leads to another address, never followed. It is tried again.")
    code = _code(document)
    if status == 404:
        if _is_own_not_found(document):
            return Verdict(Outcome.GONE, "The provider knows no such response. With a wrong key it says the same.")
        return Verdict(Outcome.AGAIN, "“Not found”, but not in the provider's own form. It is tried again.")
    if status in (401, 403):
        return Verdict(Outcome.KEY_REFUSED, f"The provider refused the key ({status}{code}).")
    if status in (408, 409, 429) or status >= 500:
        why = "asked to slow down" if status == 429 else "could not do it now"
        return Verdict(Outcome.AGAIN, f"The provider {why} ({status}{code}). It is tried again.", asked(answer, now))
    return Verdict(Outcome.REFUSED, f"The provider refused it ({status}{code}).")


def asked(answer: Answer, now: float) -> float:
    """Seconds the provider asks to wait, from Retry-After (seconds or a date) and retry-after-ms; the longest of what
    makes sense, at most 24 h. What is no number, negative, infinite or past counts as none."""
    waits = [0.0]
    waits += [_number(value) / 1000 for value in answer.header("retry-after-ms")]
    for value in answer.header("retry-after"):
        waits += [_number(value), _until(value, now)]
    return min(max(waits), LONGEST_ASKED)


def _number(value: str) -> float:
    text = value.strip(" \t")
    found = float(text) if _NUMBER.fullmatch(text) else 0.0
    return found if math.isfinite(found) else 0.0


def _until(value: str, now: float) -> float:
    if len(value) > 64 or not value.isascii():
        return 0.0
    try:
        when = parsedate_to_datetime(value)
        when = when if when.tzinfo is not None else when.replace(tzinfo=UTC)
        wait = when.timestamp() - now
    except (ValueError, TypeError, OverflowError, IndexError):
        return 0.0
    return max(wait, 0.0)


def _document(answer: Answer) -> object:
    body = answer.body
    if not body:
        return None
    encoding = ",".join(answer.header("content-encoding")).strip().lower()
    if encoding in ("gzip", "x-gzip"):
        body = _inflated(body)
    elif encoding not in ("", "identity"):
        return None
    try:
        return json.loads(body.decode("utf-8-sig")) if body else None
    except (ValueError, RecursionError):
        return None


def _inflated(body: bytes) -> bytes:
    """At most `BODY_LIMIT` bytes; nothing at all when there would be more."""
    reader = zlib.decompressobj(16 + zlib.MAX_WBITS)
    try:
        plain = reader.decompress(body, BODY_LIMIT + 1)
    except zlib.error:
        return b""
    return plain if len(plain) <= BODY_LIMIT and reader.eof else b""


def _unconfirmed(answer: Answer, document: object) -> str:
    if answer.body is None:
        return "the answer was cut or too long"
    if not isinstance(document, dict):
        return "the answer is not the provider's, perhaps a page of the network in between"
    if document.get("deleted") is not True:
        return "the provider did not say that it is deleted"
    return "the answer is about another response"


def _is_own_not_found(document: object) -> bool:
    """The error object of a provider, and about a response: a path that is not there is no answer to our question."""
    if not isinstance(document, dict):
        return False
    error = document.get("error")
    message = error.get("message") if isinstance(error, dict) else error
    return isinstance(message, str) and bool(message) and not _NO_SUCH_PATH.search(message)


def _code(document: object) -> str:
    error = document.get("error") if isinstance(document, dict) else None
    if not isinstance(error, dict):
        return ""
    for name in ("code", "type"):
        value = error.get(name)
        # a code is a short word; anything with the look of a key is none
        if isinstance(value, str) and _CODE.fullmatch(value) and not re.search(r"sk-|key-|\d{6}", value):
            return f", {value}"
    return ""
