"""What a person does with the queue: retry and forget."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from chat_archive.core import files, settings
from chat_archive.core.entities import Folder, ItemResult, OperationResult
from chat_archive.core.errors import BusyError, NotFoundError
from chat_archive.core.progress import Progress
from chat_archive.core.provider.delivery import Surroundings
from chat_archive.core.provider.queue import Entry, ResponseQueue
from chat_archive.core.provider.receipts import Receipt, ResponseState, to_csv
from chat_archive.core.provider.runner import Runner
from chat_archive.core.provider.setup import ProviderSetup, prepare
from chat_archive.core.workspace import Workspace


def retry(
    workspace: Workspace,
    queue: ResponseQueue,
    ids: Sequence[str] | None,
    progress: Progress,
    *,
    setup: ProviderSetup | None = None,
    others: Sequence[Workspace] = (),
    hurried: bool = True,
    wait: float = 0.0,
    even_shared: bool = False,
    continuing: bool = False,
    around: Surroundings | None = None,
) -> OperationResult:
    """See `Archive.provider_retry`. With nothing in the queue nothing is made or imported."""
    chosen = None if ids is None else _named(queue, ids)
    entries = queue.entries() if chosen is None else chosen
    if continuing:
        entries = chosen = [entry for entry in entries if entry.begun and entry.state is ResponseState.WAITING]
    if not any(_concerned(entry) for entry in entries) and (chosen is None or continuing):
        return OperationResult("provider", ())
    workspace.need_private()
    with _alone(queue):
        if even_shared:
            queue.note(
                {"entry": entry.key, "event": entry.state.value, "text": entry.reason, "even_shared": True}
                for entry in entries
                if _concerned(entry)
            )
        found = setup if setup is not None else prepare(workspace.root, settings.load())
        return Runner(workspace, queue, found, others, around).run(
            progress, chosen, named=not continuing, hurried=hurried, wait=wait
        )


def forget(workspace: Workspace, queue: ResponseQueue, ids: Sequence[str]) -> OperationResult:
    """See `Archive.provider_forget`."""
    entries = _named(queue, ids)
    workspace.need_private()
    with _alone(queue):
        queue.forget(entries)
    items = []
    for entry in entries:
        over = entry.state.final
        text = f"It left the queue before: {entry.state.value}." if over else "Given up; it may still be stored there."
        folder = Folder(entry.chats[-1]) if entry.chats else None
        items.append(ItemResult(entry.receipt().original, True, text, folder, skipped=over))
    return OperationResult("provider_forget", tuple(items))


def save_table(receipts: Sequence[Receipt], to: Path) -> None:
    """Write the receipts as a table; an existing file is replaced, the person was asked (E3). Raises `ArchiveError`."""
    files.write_file_beside(to, to_csv(receipts).encode("utf-8"), overwrite=True)


def _named(queue: ResponseQueue, ids: Sequence[str]) -> list[Entry]:
    found, missing = queue.named(ids)
    if missing:
        raise NotFoundError(f"There is no such response in the queue: {', '.join(missing[:5])}.")
    return found


def _concerned(entry: Entry) -> bool:
    return entry.state.open or entry.state is ResponseState.SHARED


@contextlib.contextmanager
def _alone(queue: ResponseQueue) -> Iterator[None]:
    """Two runs over one queue would send everything twice."""
    if not queue.running.acquire(blocking=False):
        raise BusyError("The queue is being worked through at this moment, so nothing was done. Try again later.")
    try:
        yield
    finally:
        queue.running.release()
