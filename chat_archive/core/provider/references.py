"""Who else refers to a stored response or to a chat's files, so that letting one chat go harms no other (D-64, D-65).

Branches and imports copy response ids and paths, so two chats can share both. Chats, their `backups/` files and chats
in the trash count, since each may be wanted again. Ids count where Agent Zero puts them (format 6.1) and are compared
as the provider knows them; a damaged file is searched by pattern and counts for what it may hold.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from chat_archive.core import files, json_edit
from chat_archive.core.entities import Fingerprint
from chat_archive.core.entries import entries
from chat_archive.core.errors import ArchiveError, StorageError, UnreadableError
from chat_archive.core.layout import CHAT_FILE_NAME, PRIVATE_FOLDER
from chat_archive.core.model.titles import one_line
from chat_archive.core.progress import NullProgress, Progress
from chat_archive.core.provider import collect

# a text that is a path into a chat's folder, at any depth of JSON inside JSON; bounded, so that no file makes it slow
_POINTER = re.compile(rb'"(?:img://|file://)?[^"\\\s]{0,160}?\bchats/([^/"\\\s]{1,128})/[^"\\\s]')


_SETTLE = 0.3  # seconds a file that is being written is waited for


@dataclass(frozen=True, slots=True)
class Reference:
    """One place that refers to something: a chat, a backup in a chat's folder, or a chat in the trash."""

    root: Path
    folder: str
    title: str
    place: str  # "chat", "backup" or "trash"

    @property
    def chat(self) -> tuple[Path, str]:
        return self.root, self.folder

    @property
    def name(self) -> str:
        """The folder's own name, for one in the trash the name it had in the root."""
        return self.folder.rpartition("/")[2]


def sharing_text(others: Sequence[Reference]) -> str:
    """ "Tide gauge (branch)" in marks, a backup or the trash named as such, and how many more."""
    first = others[0]
    text = f"“{first.title}”" if first.title == first.name else f"“{first.title}” ({one_line(first.name)})"
    if first.place == "backup":
        text = f"an earlier version of {text}"
    elif first.place == "trash":
        text = f"{text} in the trash"
    more = len({one.chat for one in others}) - 1
    return text if not more else f"{text} and {more} more"


@dataclass(frozen=True, slots=True)
class _Held:
    fingerprint: Fingerprint
    title: str
    ids: frozenset[str]
    chats: frozenset[str]


class ReferenceCache:
    """What files were found to hold; asked again only when a file's fingerprint changed. One per program."""

    def __init__(self) -> None:
        self._held: dict[Path, _Held] = {}

    def of(self, root: Path, parts: tuple[str, ...]) -> _Held:
        path = root.joinpath(*parts)
        known = self._held.get(path)
        if known is not None and known.fingerprint == files.fingerprint(path):
            return known
        data, fingerprint = files.read_settled(root, *parts, seconds=_SETTLE)
        held = _look_into(data, fingerprint)
        self._held[path] = held
        return held


@dataclass(frozen=True, slots=True)
class ReferenceIndex:
    """Who refers to each response id (as the provider knows it) and to each chat's folder. `unread` counts files
    that could not be looked at: what they refer to is not known."""

    ids: Mapping[str, tuple[Reference, ...]] = field(default_factory=dict)
    chats: Mapping[str, tuple[Reference, ...]] = field(default_factory=dict)
    unread: tuple[Path, ...] = ()

    def without(self, chats: Collection[tuple[Path, str]]) -> ReferenceIndex:
        """The index as if these chats were not there."""
        return ReferenceIndex(
            {key: tuple(ref for ref in found if ref.chat not in chats) for key, found in self.ids.items()},
            {key: tuple(ref for ref in found if ref.chat not in chats) for key, found in self.chats.items()},
            self.unread,
        )

    def sharing(self, original: str, without: Collection[tuple[Path, str]]) -> tuple[Reference, ...]:
        """Who else refers to a response, these chats apart."""
        return tuple(ref for ref in self.ids.get(original, ()) if ref.chat not in without)

    def pointing_at(self, folder: str, without: Collection[tuple[Path, str]]) -> tuple[Reference, ...]:
        """Who points at files of the chat in `folder`, these chats apart; each once."""
        found = (ref for ref in self.chats.get(folder, ()) if ref.chat not in without)
        return tuple({ref.chat: ref for ref in found}.values())


def reference_index(
    roots: Iterable[Path],
    progress: Progress | None = None,
    cache: ReferenceCache | None = None,
    *,
    strict: bool = False,
) -> ReferenceIndex:
    """Look through every chat, backup and trashed chat of these roots. Raises what `progress` raises; a file that
    cannot be read is counted. `strict` also raises `StorageError` when a folder cannot be listed: not knowing is no
    reason to delete."""
    progress = progress or NullProgress()
    cache = cache or ReferenceCache()
    ids: dict[str, list[Reference]] = {}
    chats: dict[str, list[Reference]] = {}
    unread: list[Path] = []
    for root in dict.fromkeys(roots):
        try:
            places = list(_places(root, strict=strict))
        except ArchiveError:
            if strict:
                raise
            unread.append(root)
            continue
        for done, (start, parts, folder, kind) in enumerate(places):
            progress.report(done, len(places), folder)
            try:
                held = cache.of(start, parts)
            except ArchiveError:
                path = start.joinpath(*parts)
                if os.path.lexists(path):  # else it went meanwhile, and refers to nothing
                    unread.append(path)
                continue
            # a trashed chat is no chat of the root: another may have its name by now
            known_as = trashed_as(parts[0], folder) if kind == "trash" else folder
            reference = Reference(root, known_as, held.title or one_line(folder), kind)
            for held_id in held.ids:
                ids.setdefault(held_id, []).append(reference)
            for name in held.chats:
                if name != folder:
                    chats.setdefault(name, []).append(reference)
    return ReferenceIndex(
        {key: tuple(found) for key, found in ids.items()},
        {key: tuple(found) for key, found in chats.items()},
        tuple(unread),
    )


def trashed_as(slot: str, folder: str) -> str:
    """How a chat in the trash is named in `Reference.folder`."""
    return f"{PRIVATE_FOLDER}/{slot}/chats/{folder}"


def _places(root: Path, *, strict: bool) -> Iterator[tuple[Path, tuple[str, ...], str, str]]:
    """(start, parts below it, folder, kind) of each file that may refer to something."""
    listed = entries(root)
    for entry in listed:
        if not isinstance(entry.trouble, UnreadableError):  # one that may not be opened is tried, and counted
            yield root, entry.parts, entry.folder, "chat"
    flat = {entry.folder for entry in listed if entry.flat}
    for folder in _names(root, (), strict=strict):  # a backup counts, even where the chat beside it is gone
        if folder != PRIVATE_FOLDER and folder not in flat:
            for name in backups_in(root, (folder,)):
                yield root, (folder, "backups", name), folder, "backup"
    copies = root / PRIVATE_FOLDER / "copies"
    for base in _names(copies, ()):  # of a chat that may be gone; they go and stay with it
        for folder in _names(copies, (base,)):
            parts = (base, folder) if folder.endswith(".json") else (base, folder, CHAT_FILE_NAME)
            yield copies, parts, folder, "backup"
    trash = root / PRIVATE_FOLDER / "trash"
    for slot in _names(trash, (), strict=strict):
        for folder in _names(trash, (slot, "chats"), strict=strict):
            above = (slot, "chats", folder)
            names = _names(trash, above)
            if CHAT_FILE_NAME in names:
                yield trash, (*above, CHAT_FILE_NAME), folder, "trash"
            for name in backups_in(trash, above):
                yield trash, (*above, "backups", name), folder, "trash"


def backups_in(root: Path, above: tuple[str, ...]) -> list[str]:
    """Names of the `pre-compact-*.json` files of one chat (format 5.10)."""
    return sorted(
        name for name in _names(root, (*above, "backups")) if name.startswith("pre-compact-") and name.endswith(".json")
    )


def _names(root: Path, parts: tuple[str, ...], *, strict: bool = False) -> list[str]:
    try:
        with files.telling("The chats cannot be listed", root.joinpath(*parts)), files.place(root, *parts) as here:
            return sorted(here.names())
    except ArchiveError as error:
        if strict and isinstance(error, StorageError):
            raise
        return []


def _look_into(data: bytes, fingerprint: Fingerprint) -> _Held:
    ids: frozenset[str] = frozenset()
    if b"response" in data or b"resp_" in data or data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        ids = frozenset(response.original for response in collect.read(data).responses)
    named = frozenset(match[1].decode("utf-8", "replace") for match in _POINTER.finditer(data)) if _points(data) else ()
    return _Held(fingerprint, _title(data), ids, frozenset(named))


def _points(data: bytes) -> bool:
    return b"chats/" in data


def _title(data: bytes) -> str:
    for member in json_edit.head_members(data[:4096]):
        if member.key == "name":
            value = json_edit.decode(data[member.start : member.end])
            return one_line(value) if isinstance(value, str) else ""
    return ""
