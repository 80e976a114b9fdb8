"""What a dropped file or folder is, before anything is written (I1, I6)."""

from __future__ import annotations

import hashlib
import os
import stat
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo
from pathlib import Path

import msgspec

from chat_archive.core import discover, files
from chat_archive.core.entities import ImportClass, ImportItem
from chat_archive.core.errors import ArchiveError
from chat_archive.core.formats.reader import read_context
from chat_archive.core.formats.row_facts import RowFacts, facts_of
from chat_archive.core.layout import CHAT_FILE_NAME, PRIVATE_FOLDER, is_well_formed
from chat_archive.core.model.context import AgentContext
from chat_archive.core.model.raw import PartError
from chat_archive.core.model.serialise import strict_text
from chat_archive.core.model.times import UNKNOWN
from chat_archive.core.model.titles import one_line, title_of
from chat_archive.core.operations.chat_ids import holds, is_taken, with_id
from chat_archive.core.operations.import_reading import (
    Beside,
    Counter,
    Document,
    Limits,
    documents,
    files_beside,
    read_file,
)
from chat_archive.core.progress import Progress

_REMARKS = 20  # of one chat
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")


@dataclass(frozen=True, slots=True)
class _Found:
    """An item with what is needed to settle its id when all are known."""

    item: ImportItem
    digest: bytes = b""  # of the chat's bytes
    same: bool = False  # the root has exactly these bytes under this id
    well_named: bool = False  # the folder it lies in is named by its id
    parent: str = ""


class Finder:
    """Looks at one path after the other; `settled` gives the items in the order they were found."""

    def __init__(self, root: Path, progress: Progress, zone: tzinfo | None, limits: Limits) -> None:
        self.root = root
        self.progress = progress
        self.zone = zone
        self.counter = Counter(limits)
        self._found: list[_Found] = []

    def look(self, path: Path) -> None:
        """Add what `path` is. Never raises but `Cancelled`."""
        try:
            mode = files_mode(path)
            if stat.S_ISLNK(mode):
                self._refuse(path, "A link is not followed; choose what it leads to.")
            elif stat.S_ISDIR(mode):
                self._look_at_folder(path)
            elif stat.S_ISREG(mode):
                self._look_at_file(path)
            else:
                self._refuse(path, "It is neither a file nor a folder.")
        except ArchiveError as error:
            self._refuse(path, f"{error.what} {error.next_step}".strip(), ImportClass.DAMAGED)

    def settled(self) -> list[ImportItem]:
        """Every item with its id in the root decided: free, there already, or taken."""
        claimed: dict[str, bytes] = {}
        decided: dict[int, ImportItem] = {}
        # a folder named by its id comes before a copy of it under another name (D-12)
        order = sorted(range(len(self._found)), key=lambda place: not self._found[place].well_named)
        for place in order:
            found = self._found[place]
            decided[place] = self._settle(found, claimed) if found.item.importable else found.item
        known = claimed.keys() | {item.id for item in decided.values() if item.importable}
        return [self._with_parent(decided[place], found, known) for place, found in enumerate(self._found)]

    def found(self) -> list[ImportItem]:
        """The items as they are, their ids not decided."""
        return [found.item for found in self._found]

    # looking

    def _look_at_folder(self, path: Path) -> None:
        real = Path(os.path.realpath(path))
        if real == self.root:
            self._refuse(path, "This is the open chats folder itself, so there is nothing to import.")
            return
        if self.root / PRIVATE_FOLDER in (real, *real.parents):
            self._refuse(path, "This belongs to the archive's own folder; restore chats from the trash instead.")
            return
        with files.telling("The folder cannot be read", path), files.place(path) as here:
            names = sorted(here.names())
            folders = [name for name in names if stat.S_ISDIR(here.lstat(name).st_mode)]
        if CHAT_FILE_NAME in names:
            self._look_at_chat(path)
            return
        chats = [name for name in folders if os.path.lexists(path / name / CHAT_FILE_NAME)]
        # roots are found at their real place, which is another than the one named where a folder above is a link
        roots = [] if chats else [root for root in discover.find_roots(path) if real in root.path.parents]
        if roots:
            for root in roots:
                self.look(root.path)
            return
        flat = [name for name in names if name.lower().endswith((".json", ".zip")) and name not in folders]
        if not chats and not flat:
            self._refuse(path, "There are no chats in this folder.")
        for name in sorted({*chats, *flat}):
            if name != PRIVATE_FOLDER:
                self.look(path / name)

    def _look_at_chat(self, folder: Path) -> None:
        """A chat's folder: its chat.json with the files that come along."""
        self.progress.report(len(self._found), None, folder.name)
        path = folder / CHAT_FILE_NAME
        if stat.S_ISDIR(files_mode(path)):
            self._refuse(folder, f"{CHAT_FILE_NAME} is a folder here and no file.", ImportClass.DAMAGED)
            return
        data = read_file(path, self.counter.limits)
        self.counter.add(len(data), path)
        beside = files_beside(folder, self.counter)
        for document in documents(path, data):
            self._add(folder, document, beside if document.index is None else Beside())

    def _look_at_file(self, path: Path) -> None:
        self.progress.report(len(self._found), None, path.name)
        if path.suffix.lower() == ".zip":
            self._refuse(path, "Zip files cannot be imported yet: unpack it first and import the folder.")
            return
        data = read_file(path, self.counter.limits)
        self.counter.add(len(data), path)
        if data.startswith(_ZIP):
            self._refuse(path, "This is a zip file under another name: unpack it first and import the folder.")
            return
        for document in documents(path, data):
            self._add(path, document, Beside())

    # what it is

    def _refuse(self, source: Path, reason: str, kind: ImportClass = ImportClass.NOT_A_CHAT) -> None:
        self._found.append(_Found(_item(source, None, kind, reason)))

    def _add(self, source: Path, document: Document, beside: Beside) -> None:
        index, data = document.index, document.data
        if document.refused:
            kind = ImportClass.DAMAGED if document.damaged else ImportClass.NOT_A_CHAT
            self._found.append(_Found(_item(source, index, kind, document.refused, size=len(data))))
            return
        is_folder = source.is_dir()
        try:
            context = read_context(data, folder=source.name if is_folder else "import", zone=self.zone)
            facts = facts_of(context)
        except ArchiveError as error:
            self._found.append(_Found(_item(source, index, ImportClass.DAMAGED, error.what)))
            return
        chat_id = _id_of(context.raw_id)
        item = _item(source, index, ImportClass.NEW, "", size=len(data) + beside.size)
        item = replace(
            item,
            id=chat_id,
            title=title_of(name=facts.name, parent_label=facts.parent_label, first_words=facts.first_words)[0],
            created_at=facts.created_at,
            last_activity=_last_activity(facts),
            agents=len(facts.agents),
            log_items=facts.log_items,
            messages=facts.messages,
            files=len(beside.taken),
            left_out=tuple(beside.left_out),
            remarks=_remarks(facts, context, data, is_folder),
        )
        if not chat_id and is_folder:
            item = replace(item, target=source.name if is_well_formed(source.name) else "")  # D-14
        elif is_well_formed(chat_id):
            item = replace(item, target=chat_id)
        same = bool(item.target) and any(
            holds(self.root, item.target, held)
            for held in (data, *_set_ids(data, item.target, is_taken(self.root, item.target)))
        )
        digest = hashlib.sha256(data).digest()
        self._found.append(_Found(item, digest, same, is_folder and source.name == chat_id, facts.parent_id))

    def _settle(self, found: _Found, claimed: dict[str, bytes]) -> ImportItem:
        item = found.item
        if not item.target:
            why = "It names no id" if not item.id else "Its id cannot be the name of a folder"
            return replace(item, reason=f"{why}, so it gets a new one.")
        if claimed.get(item.target) == found.digest:
            return replace(item, kind=ImportClass.SAME, reason="The same chat is in this import already.")
        if item.target in claimed:
            return replace(item, target="", reason="Another chat of this import has the same id, so it gets a new one.")
        claimed[item.target] = found.digest
        if not is_taken(self.root, item.target):
            return replace(item, reason="It is new here.")
        if found.same:
            return replace(item, kind=ImportClass.SAME, reason="It is there already, byte for byte the same.")
        return replace(item, kind=ImportClass.TAKEN, reason=self._compared(item))

    def _compared(self, item: ImportItem) -> str:
        """How a chat differs from the one that has its id."""
        there = "A different chat with this id is there."
        try:
            data, _ = files.read_once(self.root, item.target, CHAT_FILE_NAME)
            facts = facts_of(read_context(data, folder=item.target, zone=self.zone))
        except ArchiveError:
            return there
        if facts.created_at.utc != item.created_at.utc:
            return there
        known, here = (_last_activity(facts), item.last_activity)
        if known is None or here is None or known == here:
            return "Another version of this chat is there."
        return f"{'An older' if known < here else 'A newer'} version of this chat is there."

    def _with_parent(self, item: ImportItem, found: _Found, known: set[str]) -> ImportItem:
        parent = found.parent
        if not item.importable or not parent or parent in known:
            return item
        if is_well_formed(parent) and is_taken(self.root, parent):
            return item
        remark = "The chat it belongs to is not here, so Agent Zero will not list it; here it stands at the top level."
        return replace(item, remarks=(*item.remarks, remark))


def files_mode(path: Path) -> int:
    """Mode of the thing itself, links not followed."""
    with files.telling("It cannot be read", path):
        return os.lstat(path).st_mode


def _id_of(raw_id: object) -> str:
    if isinstance(raw_id, int) and not isinstance(raw_id, bool):
        return str(raw_id)  # D-15
    return raw_id if isinstance(raw_id, str) else ""


def _last_activity(facts: RowFacts) -> datetime | None:
    times = [moment for moment in (facts.last_message.utc, facts.newest_item) if moment is not None]
    return max(times, default=facts.created_at.utc)


def _remarks(facts: RowFacts, context: AgentContext, data: bytes, is_folder: bool) -> tuple[str, ...]:
    """What is worth knowing before the chat is brought in, most important first."""
    remarks: list[str] = []
    if facts.lifetime_hours is not None and facts.lifetime_hours > 0:  # D-62
        expiry = _expiry(facts)
        when = f", on {expiry:%Y-%m-%d %H:%M} UTC" if expiry is not None else ""
        remarks.append(f"Agent Zero will delete this chat {facts.lifetime_hours:g} hours after its last message{when}.")
    if context.known is not None and "agents" not in context.known:
        remarks.append("The file has no agents.")
    # for a file that lies in no chat's folder there is no folder's name to differ from
    remarks += [problem.text for problem in facts.problems if is_folder or not problem.code.startswith("id-")]
    return tuple(dict.fromkeys([*remarks, *_no_strict_json(data)]))[:_REMARKS]


def _no_strict_json(data: bytes) -> list[str]:
    """What Agent Zero accepts and other programs do not (D-43, D-53); the bytes are brought in as they are."""
    try:
        msgspec.json.decode(data)
    except (msgspec.MsgspecError, RecursionError, ValueError):
        pass
    else:
        return []
    try:
        made = strict_text(data, "import")
    except PartError:
        return []
    remarks = []
    if made.nans:
        remarks.append(
            f"Numbers that are no JSON numbers: {made.nans}. Agent Zero accepts them, other programs do not."
        )
    if made.surrogates:
        remarks.append(f"Halves of characters: {made.surrogates}. They are shown as marks.")
    return remarks


def _set_ids(data: bytes, chat_id: str, taken: bool) -> list[bytes]:
    """The bytes an earlier import of this chat has written; [] where there was none."""
    if not taken:
        return []
    try:
        return [with_id(data, chat_id)]
    except ArchiveError:
        return []


def _expiry(facts: RowFacts) -> datetime | None:
    if facts.last_message.utc is None or facts.lifetime_hours is None:
        return None
    try:
        return facts.last_message.utc + timedelta(hours=facts.lifetime_hours)
    except (OverflowError, ValueError):
        return None


def not_taken(source: Path, reason: str) -> ImportItem:
    """An item that is no chat, with the reason."""
    return _item(source, None, ImportClass.NOT_A_CHAT, reason)


def _item(source: Path, index: int | None, kind: ImportClass, reason: str, *, size: int = 0) -> ImportItem:
    return ImportItem(
        source=source,
        index=index,
        kind=kind,
        id="",
        title=one_line(source.name),
        reason=reason,
        created_at=UNKNOWN,
        last_activity=None,
        agents=0,
        log_items=0,
        messages=0,
        size=size,
        files=0,
    )
