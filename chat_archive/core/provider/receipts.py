"""What is known of one response kept at a provider, as lists and exports show it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from chat_archive.core.entities import Folder


class ResponseState(StrEnum):
    """The one word that answers: is it gone there, too? The first five are still to be done."""

    WAITING = "waiting"  # not tried yet, or to be tried again
    REFUSED = "refused"  # the provider, or our own check of the id, will not have it; kept and told
    NO_KEY = "no key"
    KEY_REFUSED = "key refused"  # 401 or 403: nothing is sent there until the key changes
    UNKNOWN_BASE = "unknown base"  # no configured base URL is the one this response went to (D-71)
    NOT_STORED = "not stored"  # D-72
    SHARED = "kept because shared"  # D-64
    KEPT = "kept"  # the chat, or the person, asked to keep it
    DELETED = "deleted"
    GONE = "already gone"  # the provider does not know it; with a wrong key it would say the same (P1)
    FORGOTTEN = "given up"  # by the person; it may still be there

    @property
    def open(self) -> bool:
        """Whether something is still to be done about it."""
        return self in _OPEN

    @property
    def final(self) -> bool:
        """Whether it left the queue by an outcome (P1)."""
        return self in _FINAL


_OPEN = frozenset(
    {
        ResponseState.WAITING,
        ResponseState.REFUSED,
        ResponseState.NO_KEY,
        ResponseState.KEY_REFUSED,
        ResponseState.UNKNOWN_BASE,
    }
)
_FINAL = frozenset({ResponseState.DELETED, ResponseState.GONE, ResponseState.FORGOTTEN})


@dataclass(frozen=True, slots=True)
class Receipt:
    """One response. `entry` is its key within the root. Instants are aware, in UTC. Holds no key and no text of a chat.

    `base` is the base URL it was sent to, or the one the chat names; `status` the last HTTP status or None; `reason` a
    whole sentence; `next_try` when it may be sent again, None for at once or never; `begun` says whether it
    goes on by itself or waits for a word of the person.
    """

    entry: str
    response_id: str
    original: str
    provider: str
    model: str
    base: str
    chats: tuple[Folder, ...]
    state: ResponseState
    reason: str
    noted_at: datetime | None
    changed_at: datetime | None
    attempts: int = 0
    status: int | None = None
    next_try: datetime | None = None
    begun: bool = False


def to_csv(receipts: Iterable[Receipt]) -> str:
    """A table for a spreadsheet: all cells quoted, none that could be taken for a formula (E1)."""
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow(
        ("state", "changed", "provider", "model", "base", "response", "chats", "http_status", "attempts", "reason")
    )
    for one in receipts:
        changed = one.changed_at.isoformat() if one.changed_at is not None else ""
        cells = (
            one.state.value,
            changed,
            one.provider,
            one.model,
            one.base,
            one.original,
            " ".join(one.chats),
            "" if one.status is None else str(one.status),
            str(one.attempts),
            one.reason,
        )
        writer.writerow([_cell(cell) for cell in cells])
    return out.getvalue()


def _cell(text: str) -> str:
    plain = text.encode("utf-8", "replace").decode("utf-8").replace("\0", "\ufffd")
    begins = plain.lstrip(" \u3000\u00a0")[:1]
    return "'" + plain if begins and begins in "=+-@|\t\r\n＝＋－＠｜" else plain
