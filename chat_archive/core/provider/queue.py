"""What became of each response id in the outbox: a durable queue that nothing leaves but by an outcome (P1, P2).

`.chat-archive/outbox.jsonl` holds three kinds of lines, all only ever appended, read in order:

    {"id", "original", "provider", "base", "chat", "hold", "shared", "at", ...}   a wish, by `outbox.append`
    {"entry", "event", "at", ...}                             what became of it; `entry` is `key_of` it
    {"salt"}                                                  for the short hashes of keys (P6)

Two wishes for the same id at the same place are one entry. A line that is none of these is kept and passed over.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from chat_archive.core import files
from chat_archive.core.entities import Folder
from chat_archive.core.errors import NotFoundError, UnreadableError
from chat_archive.core.model.titles import one_line
from chat_archive.core.provider import outbox
from chat_archive.core.provider.receipts import Receipt, ResponseState

if TYPE_CHECKING:
    from chat_archive.core.workspace import Workspace

Record = dict[str, object]

SENDING = "sending"
FARTHEST = 25 * 3600.0
"""Seconds. A next try that lies further ahead was noted by a clock that was wrong; it counts as due."""

_LONG = 256 * 1024  # bytes from which on the file is folded
_SETTLING = 50  # reads of a file that another thread appends to at this moment
_STATES = {state.value: state for state in ResponseState}


@dataclass(slots=True)
class Entry:
    """One response id at one place, with everything the file says about it. Times are seconds since 1970.

    `not_before` is our own pause, which a person may skip; `asked` the provider's, which nobody skips (P4).
    `unanswered` is (base URL, hash of the key) of a request that was sent and never answered, or None.
    """

    key: str
    wish: Record
    chats: list[str] = field(default_factory=list)
    state: ResponseState = ResponseState.WAITING
    reason: str = ""
    noted_at: str = ""
    changed_at: str = ""
    base_used: str = ""
    status: int | None = None
    attempts: int = 0
    not_before: float = 0.0
    asked: float = 0.0
    even_shared: bool = False
    unanswered: tuple[str, str] | None = None

    @property
    def original(self) -> str:
        return _text(self.wish, "original") or _text(self.wish, "id")

    @property
    def provider(self) -> str:
        return _text(self.wish, "provider")

    @property
    def base(self) -> str:
        return _text(self.wish, "base")

    @property
    def base_trace(self) -> str:
        return _text(self.wish, "base_trace") or ("message" if self.base else "none")

    @property
    def certain(self) -> bool:
        return self.wish.get("certain") is not False

    @property
    def begun(self) -> bool:
        """Whether it goes on by itself: the person asked for it, or it was sent before."""
        return self.attempts > 0 or self.wish.get("consent") is True

    def receipt(self) -> Receipt:
        next_try = max(self.not_before, self.asked)
        return Receipt(
            entry=self.key,
            response_id=_shown(_text(self.wish, "id")),
            original=_shown(self.original),
            provider=_shown(self.provider),
            model=_shown(_text(self.wish, "model_key").partition("/")[2]),
            base=_shown(self.base_used or self.base),
            chats=tuple(Folder(_shown(chat)) for chat in self.chats),
            state=self.state,
            reason=self.reason,
            noted_at=_instant(self.noted_at),
            changed_at=_instant(self.changed_at or self.noted_at),
            attempts=self.attempts,
            status=self.status,
            begun=self.begun,
            next_try=datetime.fromtimestamp(next_try, UTC) if next_try > 0 and self.state.open else None,
        )


class ResponseQueue:
    """The queue of one root. Safe from any thread; other processes are kept out by the root's lock (C5)."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._path = workspace.private / outbox.FILE_NAME
        self._lock = threading.RLock()
        self.running = threading.Lock()  # held by the one run that works through it
        self._seen: object = None
        self._entries: dict[str, Entry] = {}
        self._refused: dict[str, set[str]] = {}
        self._salt = ""
        self._foreign: list[bytes] = []
        self._lines = 0

    def entries(self) -> list[Entry]:
        """Every entry as it is now, oldest first. Raises `StorageError`, `UnreadableError`."""
        with self._lock:
            self._refresh()
            return list(self._entries.values())

    def receipts(self) -> list[Receipt]:
        """As `entries`, newest change first."""
        found = [entry.receipt() for entry in self.entries()]
        oldest = datetime.min.replace(tzinfo=UTC)
        return sorted(found, key=lambda one: one.changed_at or oldest, reverse=True)

    def named(self, ids: Iterable[str]) -> tuple[list[Entry], list[str]]:
        """The entries with these keys or response ids (as stored or as the provider calls them), and what was not
        found."""
        entries = self.entries()
        chosen: dict[str, Entry] = {}
        missing: list[str] = []
        for name in ids:
            found = [one for one in entries if name in (one.key, one.original, _text(one.wish, "id"))]
            chosen.update((one.key, one) for one in found)
            if not found:
                missing.append(name)
        return list(chosen.values()), missing

    def salt(self) -> str:
        """The salt of this root's hashes of keys, made and noted when there is none. Raises `ArchiveError`."""
        with self._lock:
            self._refresh()
            if not self._salt:
                outbox.append(self._workspace, [{"salt": secrets.token_hex(16)}])
                self._refresh()
            return self._salt

    def refused_keys(self, base: str) -> frozenset[str]:
        """Hashes of keys that the provider at this base URL answered with 401 or 403."""
        with self._lock:
            self._refresh()
            return frozenset(self._refused.get(base, ()))

    def note(self, events: Iterable[Record]) -> None:
        """Append what became of entries; when this returns it survives a power cut. Raises `ArchiveError`."""
        now = datetime.now(UTC).isoformat()
        records = [{"at": now, **event} for event in events]
        if records:
            outbox.append(self._workspace, records)

    def forget(self, entries: Iterable[Entry]) -> int:
        """Give these up (P1). What left the queue before stays as it is. Returns how many."""
        wanted = [one for one in entries if not one.state.final]
        text = "Given up here. It may still be stored at the provider."
        self.note({"entry": one.key, "event": ResponseState.FORGOTTEN.value, "text": text} for one in wanted)
        return len(wanted)

    def fold(self) -> None:
        """Write a long file anew with one wish and one state an entry. Every id and every outcome stays."""
        with self._workspace.change_lock, self._lock:
            self._refresh()
            size = self._seen[0] if isinstance(self._seen, tuple) else 0
            if size < _LONG or self._lines <= 3 * len(self._entries) + len(self._foreign) + 100:
                return
            lines = [*self._foreign, *([_line({"salt": self._salt})] if self._salt else [])]
            for entry in self._entries.values():
                lines.append(_line({**entry.wish, "chats": entry.chats, "at": entry.noted_at}))
                lines.append(_line(_folded(entry)))
            lines += [
                _line({"refused_key": digest, "base_used": base})
                for base, digests in self._refused.items()
                for digest in sorted(digests)
            ]
            self._workspace.need_private()
            files.replace_atomic(self._path, b"".join(lines), self._workspace.staging)

    # inside

    def _refresh(self) -> None:
        """Read the file again when it is another one than last time."""
        for turn in range(_SETTLING):
            try:
                found = files.fingerprint(self._path)
                seen = (found.size, found.mtime_ns, found.inode)
                if seen == self._seen:
                    return
                data, print_ = files.read_once(self._path.parent, self._path.name)
                seen = (print_.size, print_.mtime_ns, print_.inode)
                break
            except NotFoundError:
                data, seen = b"", (0, 0, 0)
                break
            except UnreadableError as error:
                if error.kind != "changing" or turn == _SETTLING - 1:
                    raise
                time.sleep(0.01)
        self._entries, self._refused, self._salt, self._foreign, self._lines = {}, {}, "", [], 0
        for line in data.split(b"\n"):
            if line.strip():
                self._lines += 1
                self._take(line)
        self._seen = seen

    def _take(self, line: bytes) -> None:
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            record = None
        if not isinstance(record, dict):
            self._foreign.append(line + b"\n")
        elif isinstance(record.get("id"), str) and record["id"]:
            self._take_wish(record)
        elif isinstance(record.get("entry"), str):
            entry = self._entries.get(record["entry"])
            if entry is None:
                self._foreign.append(line + b"\n")
            else:
                self._take_event(entry, record)
        elif isinstance(record.get("refused_key"), str):
            self._refused.setdefault(_text(record, "base_used"), set()).add(record["refused_key"])
        elif isinstance(record.get("salt"), str):
            self._salt = self._salt or record["salt"]
        else:
            self._foreign.append(line + b"\n")

    def _take_wish(self, record: Record) -> None:
        key = key_of(record)
        entry = self._entries.get(key)
        chats = record.get("chats")
        named = [chat for chat in chats if isinstance(chat, str)] if isinstance(chats, list) else []
        named += [chat for chat in [_text(record, "chat")] if chat]
        at = _text(record, "at")
        if entry is None:
            entry = self._entries[key] = Entry(key, record, noted_at=at)
        elif entry.state is not ResponseState.DELETED:
            # asked for again: what was given up, or not known to the provider, is tried again; a pause stays
            entry.wish = {**entry.wish, **record}
            entry.changed_at = at or entry.changed_at
        entry.chats += [chat for chat in dict.fromkeys(named) if chat not in entry.chats]
        if entry.state is not ResponseState.DELETED:
            entry.state, entry.reason = _first_state(entry.wish)
            entry.even_shared = entry.wish.get("even_shared") is True

    def _take_event(self, entry: Entry, record: Record) -> None:
        event = _text(record, "event")
        base, digest = _text(record, "base_used"), _text(record, "key")
        tried = record.get("tried")
        if event == SENDING:
            entry.attempts += 1
            entry.unanswered = (base, digest)
            return
        if "unanswered" in record:
            left = record["unanswered"]
            entry.unanswered = (str(left[0]), str(left[1])) if isinstance(left, list) and len(left) == 2 else None
        if digest and isinstance(record.get("status"), int):
            self._refused.get(base, set()).discard(digest)  # an answer other than 401 and 403: this key works
        state = _STATES.get(event)
        if state is None or entry.state is ResponseState.DELETED:
            return
        entry.state, entry.reason = state, _text(record, "text")
        entry.changed_at = _text(record, "at")
        entry.base_used = base or entry.base_used
        status = record.get("status")
        entry.status = status if isinstance(status, int) and not isinstance(status, bool) else entry.status
        entry.attempts = tried if isinstance(tried, int) and not isinstance(tried, bool) else entry.attempts
        entry.not_before = _seconds(record.get("not_before"))
        entry.asked = _seconds(record.get("asked"))
        if "even_shared" in record:
            entry.even_shared = record["even_shared"] is True
        if "certain" in record:
            entry.wish = {**entry.wish, "certain": record["certain"]}


def key_of(wish: Mapping[str, object]) -> str:
    """What makes two wishes one: what the provider calls it, which provider, and where. 16 hexadecimal digits."""
    original = _text(wish, "original") or _text(wish, "id")
    whole = "\0".join((original, _text(wish, "provider"), _text(wish, "base").rstrip("/")))
    return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _first_state(wish: Record) -> tuple[ResponseState, str]:
    hold = _text(wish, "hold")
    original = _text(wish, "original") or _text(wish, "id")
    if _text(wish, "state") in ("local", "off") or original.startswith(("chatcmpl-", "gen-")):
        return ResponseState.NOT_STORED, hold or "Nothing is stored under this id."
    if hold:
        return ResponseState.KEPT, hold
    if shared := _text(wish, "shared"):
        return ResponseState.SHARED, shared
    return ResponseState.WAITING, "Not sent yet."


def _folded(entry: Entry) -> Record:
    record: Record = {
        "entry": entry.key,
        "event": entry.state.value,
        "at": entry.changed_at or entry.noted_at,
        "text": entry.reason,
        "base_used": entry.base_used,
        "status": entry.status,
        "not_before": entry.not_before,
        "asked": entry.asked,
        "tried": entry.attempts,
        "even_shared": entry.even_shared,
    }
    if entry.unanswered is not None:
        record["unanswered"] = list(entry.unanswered)
    return record


def _line(record: Mapping[str, object]) -> bytes:
    return json.dumps(dict(record)).encode("ascii") + b"\n"


def _text(record: Mapping[str, object], name: str) -> str:
    value = record.get(name)
    return value if isinstance(value, str) else ""


def _shown(text: str) -> str:
    return one_line(text, 400)


def _seconds(value: object) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1e11:
        return float(value)
    return 0.0


def _instant(text: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)
