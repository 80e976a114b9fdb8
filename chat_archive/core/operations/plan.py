"""What a deletion would take along, before anything is touched: the data of the impact sheet and of `--dry-run`.

Looks only. The same plan serves one chat and thousands; it is computed with progress and can be stopped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from pathlib import Path

from chat_archive.core import files, scheduler_tasks
from chat_archive.core.deletion import DeleteChoices, hold_reason
from chat_archive.core.entities import ChatRow, ChatState, Fingerprint, Folder
from chat_archive.core.entries import entry_of
from chat_archive.core.errors import ArchiveError
from chat_archive.core.layout import CHAT_FILE_NAME
from chat_archive.core.model.titles import one_line
from chat_archive.core.operations.chat_places import check_chat, live_remark, open_elsewhere
from chat_archive.core.progress import NullProgress, Progress
from chat_archive.core.provider import outbox
from chat_archive.core.provider.collect import StoredResponse
from chat_archive.core.provider.references import (
    Reference,
    ReferenceCache,
    ReferenceIndex,
    backups_in,
    reference_index,
)
from chat_archive.core.row_reading import RowReader
from chat_archive.core.scan import scan_root
from chat_archive.core.scheduler_tasks import BoundTask


@dataclass(frozen=True, slots=True)
class PlannedResponse:
    """One response id of a chat. `shared` names who else refers to it, chats that go along left out."""

    response: StoredResponse
    shared: tuple[Reference, ...] = ()

    @property
    def stored(self) -> bool:
        return self.response.stored


@dataclass(frozen=True, slots=True)
class PlannedChat:
    """Everything that hangs on one chat. `size` in bytes and `files` count its whole folder, `backups` its earlier
    versions in it. `disabled` is the sentence with level and agent where the chat's own flag keeps its responses
    (D-77), `live` the sentence that the host seems to have it open (C4)."""

    folder: Folder
    id: str
    title: str
    created: datetime | None
    last_activity: datetime | None
    log_items: int
    size: int
    files: int
    backups: int
    damaged: bool
    expires_at: datetime | None
    children: tuple[str, ...] = ()
    tasks: tuple[BoundTask, ...] = ()
    responses: tuple[PlannedResponse, ...] = ()
    complete: bool = True
    disabled: str = ""
    referred_by: tuple[Reference, ...] = ()
    live: str = ""
    remarks: tuple[str, ...] = ()
    fingerprint: Fingerprint | None = None

    def goes(self, choices: DeleteChoices) -> tuple[PlannedResponse, ...]:
        """The responses that these choices delete at the provider."""
        return tuple(
            one
            for one in self.responses
            if not hold_reason(one.response, self.disabled, choices, lambda _: one.shared)  # noqa: B023
        )


@dataclass(frozen=True, slots=True)
class DeletionPlan:
    """What goes if these chats go. `refused` are (name, sentence) of those that cannot. `host_writes`: something in
    the root was written in the last two minutes or is open in another process. `unread` counts files whose
    references could not be looked at; `tasks_problem` is a sentence when the scheduled tasks cannot be read."""

    root: Path
    chats: tuple[PlannedChat, ...]
    refused: tuple[tuple[str, str], ...] = ()
    host_writes: bool = False
    tasks_problem: str = ""
    unread: int = 0
    made_at: datetime = field(default_factory=lambda: datetime.now(UTC))

    @property
    def folders(self) -> tuple[Folder, ...]:
        return tuple(chat.folder for chat in self.chats)

    @property
    def size(self) -> int:
        return sum(chat.size for chat in self.chats)

    @property
    def files(self) -> int:
        return sum(chat.files for chat in self.chats)

    @property
    def backups(self) -> int:
        return sum(chat.backups for chat in self.chats)

    @property
    def tasks(self) -> tuple[BoundTask, ...]:
        return tuple({task.uuid: task for chat in self.chats for task in chat.tasks}.values())

    @property
    def disabled(self) -> tuple[PlannedChat, ...]:
        """Chats that say themselves to keep their responses, and have some."""
        return tuple(chat for chat in self.chats if chat.disabled and any(one.stored for one in chat.responses))

    @property
    def seen(self) -> Mapping[Folder, Fingerprint | None]:
        """What each chat's file looked like; `delete` refuses a chat that changed since."""
        return {chat.folder: chat.fingerprint for chat in self.chats}

    def stored(self) -> dict[str, PlannedResponse]:
        """Responses stored at a provider by their id there, each once."""
        return {one.response.original: one for chat in self.chats for one in chat.responses if one.stored}

    def shared(self) -> dict[str, PlannedResponse]:
        return {original: one for original, one in self.stored().items() if one.shared}

    def not_stored(self) -> int:
        """Ids under which nothing is stored: local, off, bridged (D-72)."""
        return len({one.response.original for chat in self.chats for one in chat.responses if not one.stored})

    def to_delete(self, choices: DeleteChoices) -> int:
        """How many responses these choices delete at the provider."""
        return len({one.response.original for chat in self.chats for one in chat.goes(choices)})

    def places(self) -> list[tuple[str, str, str, int]]:
        """(provider or "", model or "", base URL or "", stored responses) by number, most first."""
        counted = Counter(
            (one.response.provider, one.response.model_key.partition("/")[2], one.response.base)
            for one in self.stored().values()
        )
        return [(*place, number) for place, number in counted.most_common()]


def make(
    root: Path,
    folders: Sequence[Folder],
    progress: Progress | None = None,
    *,
    others: Sequence[Path] = (),
    rows: Mapping[Folder, ChatRow] | None = None,
    cache: ReferenceCache | None = None,
    zone: tzinfo | None = None,
) -> DeletionPlan:
    """The plan for these chats of `root`. `others` are further open roots that may refer to the same responses;
    `rows` what a list already knows of all chats, else the root is scanned. Bad ids and missing chats are in
    `refused`. Raises `Cancelled`, and `StorageError` when the root itself cannot be read."""
    progress = progress or NullProgress()
    known = {row.folder: row for row in scan_root(root, progress, known=rows, zone=zone)}
    index = reference_index([root, *others], progress, cache)
    gone = {(root, str(folder)) for folder in folders}
    tasks = scheduler_tasks.read(root)
    maker = _Maker(root, RowReader.of(root, zone), known, index, gone, tasks, open_elsewhere(root))
    chats: list[PlannedChat] = []
    refused: list[tuple[str, str]] = []
    wanted = list(dict.fromkeys(folders))
    for done, folder in enumerate(wanted):
        progress.report(done, len(wanted), str(folder))
        try:
            chats.append(maker.chat(folder))
        except ArchiveError as error:
            refused.append((one_line(str(folder)) or repr(folder), str(error)))
    progress.report(len(wanted), len(wanted), "")
    host = bool(maker.busy) or any(row.state is ChatState.LIVE for row in known.values())
    return DeletionPlan(root, tuple(chats), tuple(refused), host, tasks.problem, len(index.unread))


@dataclass(slots=True)
class _Maker:
    root: Path
    reader: RowReader
    known: Mapping[Folder, ChatRow]
    index: ReferenceIndex
    gone: set[tuple[Path, str]]
    tasks: scheduler_tasks.Tasks
    busy: frozenset[str]
    _children: dict[str, list[str]] | None = None

    def chat(self, folder: Folder) -> PlannedChat:
        with files.telling("The chat cannot be looked at", self.root), files.place(self.root) as here:
            check_chat(here, folder, files.fingerprint(self.root).device)
        row = self.known.get(folder) or self._row(folder)
        is_link = (self.root / folder).is_symlink()
        size, number = files.measure(self.root / folder)
        gathered = _nothing() if is_link else self._gather(folder)
        ids = {str(folder).removesuffix(".json")} | ({str(row.id)} if row is not None else set())
        changed = row.fingerprint.mtime_ns / 1e9 if row is not None and row.fingerprint is not None else 0.0
        return PlannedChat(
            folder=folder,
            id=str(row.id) if row is not None else str(folder),
            title=row.title if row is not None else one_line(folder),
            created=row.created if row is not None else None,
            last_activity=row.last_activity if row is not None else None,
            log_items=row.log_items if row is not None else 0,
            size=size,
            files=number,
            backups=0 if is_link else len(backups_in(self.root, (folder,))),
            damaged=row is None or row.damaged,
            expires_at=row.expires_at if row is not None else None,
            children=tuple(child for key in sorted(ids) for child in self._children_of(key)),
            tasks=self.tasks.bound_to(ids),
            responses=tuple(
                PlannedResponse(one, self.index.sharing(one.original, self.gone)) for one in gathered.responses
            ),
            complete=gathered.complete,
            disabled=gathered.kept_because,
            referred_by=tuple({ref.chat: ref for key in sorted(ids) for ref in self._pointing(key)}.values()),
            live=live_remark(changed, folder in self.busy),
            remarks=gathered.remarks,
            fingerprint=row.fingerprint if row is not None else None,
        )

    def _row(self, folder: Folder) -> ChatRow | None:
        try:
            return self.reader.row(entry_of(self.root, folder))
        except ArchiveError:
            return None  # a folder without chat.json: an orphan, which can go too

    def _gather(self, folder: Folder) -> outbox.Gathered:
        try:
            return outbox.gather(self.root, folder)
        except ArchiveError as error:
            text = f"Its response ids could not be read now. {error}"
            return outbox.Gathered((), "", (text,), False)

    def _pointing(self, key: str) -> tuple[Reference, ...]:
        return self.index.pointing_at(key, self.gone)

    def _children_of(self, chat_id: str) -> Iterator[str]:
        if self._children is None:
            self._children = {}
            for row in self.known.values():
                if row.parent_id:
                    self._children.setdefault(row.parent_id, []).append(row.folder)
        yield from (child for child in self._children.get(chat_id, ()) if (self.root, child) not in self.gone)


def _nothing() -> outbox.Gathered:
    return outbox.Gathered((), "", (), True)


def changed_since(root: Path, seen: Mapping[Folder, Fingerprint | None], zone: tzinfo | None = None) -> list[ChatRow]:
    """The chats whose file is another than when it was looked at, as they are now; those that are gone are left out."""
    reader: RowReader | None = None
    found: list[ChatRow] = []
    for folder, before in seen.items():
        if before is None or fingerprint_now(root, folder) == before:
            continue
        reader = reader or RowReader.of(root, zone)
        try:
            row = reader.row(entry_of(root, folder))
        except ArchiveError:
            continue
        if row is not None:
            found.append(row)
    return found


def fingerprint_now(root: Path, folder: str) -> Fingerprint | None:
    """Of the chat's file as it is now, None when it cannot be looked at."""
    for path in (root / folder / CHAT_FILE_NAME, root / folder):
        try:
            return files.fingerprint(path)
        except ArchiveError:
            continue
    return None
