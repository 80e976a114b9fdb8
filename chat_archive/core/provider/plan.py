"""What is to be done about each entry of the queue: sent now and where, or left with the reason. Sends nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from chat_archive.core.provider.bases import ID, Base
from chat_archive.core.provider.keys import Key
from chat_archive.core.provider.queue import FARTHEST, Entry
from chat_archive.core.provider.receipts import ResponseState
from chat_archive.core.provider.references import sharing_text
from chat_archive.core.provider.setup import ProviderSetup
from chat_archive.core.provider.shared import References

_UNCERTAIN = (
    "Found by its look in a damaged file, so it may be another chat's. It is sent only when it is chosen by itself."
)


@dataclass(frozen=True, slots=True)
class Sendable:
    """One DELETE to make, for all entries that mean the same response. `paused` are keys left out since the provider
    refused them."""

    entries: tuple[Entry, ...]
    base: Base
    keys: tuple[Key, ...]
    paused: int

    @property
    def original(self) -> str:
        return self.entries[0].original


@dataclass(frozen=True, slots=True)
class Left:
    """An entry that is not sent now, with the state and the sentence to note."""

    entry: Entry
    state: ResponseState
    reason: str


class Planner:
    """Decides for one run. Keys are looked up once for each base URL."""

    def __init__(self, setup: ProviderSetup, is_refused: Callable[[str, str], bool], salt: str, *, named: bool) -> None:
        """`is_refused(base URL, hash of a key)` tells which keys are paused; `named` that the person chose the entries
        one by one."""
        self._setup = setup
        self._is_refused = is_refused
        self._salt = salt
        self._named = named
        self._keys: dict[str, list[Key]] = {}

    def wanted(self, entry: Entry) -> bool:
        """Whether a run concerns this entry. One that was chosen by itself is also tried again when the provider had
        refused it or did not know it."""
        if self._named:
            return entry.state not in (
                ResponseState.DELETED,
                ResponseState.FORGOTTEN,
                ResponseState.KEPT,
                ResponseState.NOT_STORED,
            )
        return (entry.state.open and entry.state is not ResponseState.REFUSED) or entry.state is ResponseState.SHARED

    def place(self, entry: Entry) -> Sendable | Left:
        """Where it would go, before anyone looks who else uses it."""
        if not ID.fullmatch(entry.original):
            return Left(
                entry, ResponseState.REFUSED, "This is not the id of a response by its look, so it is not sent."
            )
        if not entry.certain and not self._named:
            return Left(entry, ResponseState.WAITING, _UNCERTAIN)
        choice = self._setup.bases.choose(entry.provider, entry.base, entry.base_trace)
        if choice.base is None:
            state = ResponseState.UNKNOWN_BASE if choice.stored else ResponseState.NOT_STORED
            return Left(entry, state, choice.reason)
        found = self.keys_of(choice.base)
        if not found:
            return Left(entry, ResponseState.NO_KEY, f"There is no key for {choice.base.name}.")
        usable = tuple(key for key in found if not self._is_refused(choice.base.url, key.secret.digest(self._salt)))
        if not usable:
            text = f"The provider refused the key for {choice.base.name}. It is tried again with another key."
            return Left(entry, ResponseState.KEY_REFUSED, text)
        return Sendable((entry,), choice.base, usable, len(found) - len(usable))

    def keys_of(self, base: Base) -> list[Key]:
        if base.url not in self._keys:
            self._keys[base.url] = self._setup.keys.find(base.url, base.name)
        return self._keys[base.url]


def bases_of(setup: ProviderSetup, entries: Iterable[Entry]) -> list[tuple[Base, bool]]:
    """The base URLs that responses still to be deleted belong to, and whether there is a key for each."""
    found: dict[str, tuple[Base, bool]] = {}
    for entry in entries:
        if not entry.state.open:
            continue
        base = setup.bases.choose(entry.provider, entry.base, entry.base_trace).base
        if base is not None and base.url not in found:
            found[base.url] = (base, bool(setup.keys.find(base.url, base.name)))
    return list(found.values())


def due_at(entry: Entry, now: float, *, hurried: bool) -> float:
    """When it may be sent, in seconds since 1970. Our own pause is skipped when a person is waiting, the provider's is
    not (P4). A time too far ahead was noted by a wrong clock."""
    when = entry.asked if hurried else max(entry.asked, entry.not_before)
    return when if when <= now + FARTHEST else now


def shared_reason(entry: Entry, references: References, root: Path) -> str:
    """ "" or who else uses the response."""
    if entry.even_shared:
        return ""
    users = references.others(entry.original, root, entry.chats)
    return f"Still used by {sharing_text(users)}, so it is kept." if users else ""


def joined(sendable: Iterable[Sendable]) -> list[Sendable]:
    """Entries of one response at one base become one request."""
    found: dict[tuple[str, str], Sendable] = {}
    for one in sendable:
        place = (one.base.url, one.original)
        known = found.get(place)
        found[place] = (
            one if known is None else Sendable(known.entries + one.entries, known.base, known.keys, known.paused)
        )
    return list(found.values())
