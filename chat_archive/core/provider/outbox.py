"""Response ids of chats that are erased, written down and synced before anything is removed (D4, P1).

One JSON object a line in `.chat-archive/outbox.jsonl`, only ever appended to here. What became of each id is noted in
the same file by `queue`, which also reads it. Nothing is sent from this room.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from chat_archive.core import files
from chat_archive.core.errors import ArchiveError, NotFoundError, UnreadableError
from chat_archive.core.layout import CHAT_FILE_NAME
from chat_archive.core.provider import collect

if TYPE_CHECKING:
    from chat_archive.core.workspace import Workspace

FILE_NAME = "outbox.jsonl"
_BACKUPS = "backups"


@dataclass(frozen=True, slots=True)
class Gathered:
    """The ids of one chat with its backups (D-78), what its own flag says, and whether all of it was readable."""

    responses: tuple[collect.StoredResponse, ...]
    kept_because: str
    remarks: tuple[str, ...]
    complete: bool


def gather(root: Path, *parts: str) -> Gathered:
    """Collect from the chat at root/parts: a folder with `chat.json` and `backups/pre-compact-*.json`, or a flat file.

    What is damaged, too large or no file is told in `remarks` and makes `complete` False, since such a chat must still
    be erasable (D-75). Raises `StorageError` when the disk refused to read and `UnreadableError` of kind "changing"
    while the host writes: erasing then would forget ids that another try finds.
    """
    found: dict[str, collect.StoredResponse] = {}
    remarks: list[str] = []
    complete = True
    kept_because = ""
    for place in _files(root, parts):
        try:
            data, _ = files.read_settled(root, *place)
        except NotFoundError:
            continue
        except UnreadableError as error:
            if error.kind == "changing":
                raise
            complete = False
            remarks.append(f"{place[-1]} could not be read, so its response ids are not known. {error.what}")
            continue
        held = collect.read(data)
        complete = complete and held.complete
        remarks += held.remarks
        for response in held.responses:
            found.setdefault(response.id, response)
        if place in (parts, (*parts, CHAT_FILE_NAME)):
            flag = collect.cascade_from_bytes(data)
            kept_because = flag.reason
            remarks += flag.remarks
    return Gathered(tuple(found.values()), kept_because, tuple(remarks), complete)


def _files(root: Path, parts: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Where ids may be: the chat's file and its backups. Raises `StorageError` when the disk refuses to tell."""
    path = root.joinpath(*parts)
    with files.telling("The chat's files cannot be listed", path), files.place(root, *parts[:-1]) as above:
        if not files.is_folder(above, parts[-1]):
            return [parts]
        with files.place(root, *parts) as folder:
            if not folder.exists(_BACKUPS) or not files.is_folder(folder, _BACKUPS):
                return [(*parts, CHAT_FILE_NAME)]
        with files.place(root, *parts, _BACKUPS) as backups:
            names = [name for name in backups.names() if name.startswith("pre-compact-") and name.endswith(".json")]
    return [(*parts, CHAT_FILE_NAME), *((*parts, _BACKUPS, name) for name in sorted(names))]


def records_of(
    folder: str, gathered: Gathered, *, consent: bool = False, even_shared: bool = False
) -> list[dict[str, object]]:
    """The lines to append for a chat that was in `folder`. `hold` says why an id is not to be sent, or is "".

    With `consent` the person asked for the deletion at the provider, so that it goes on by itself after a crash;
    `even_shared` also deletes what another chat still uses.
    """
    at = datetime.now(UTC).isoformat()
    records: list[dict[str, object]] = []
    for response in gathered.responses:
        hold = gathered.kept_because or ("" if response.stored else "Nothing is stored under this id.")
        records.append(
            {
                "id": response.id,
                "original": response.original,
                "provider": response.provider,
                "model_key": response.model_key,
                "base": response.base,
                "base_trace": response.base_trace,
                "state": response.state,
                "certain": response.certain,
                "chat": folder,
                "hold": hold,
                "consent": consent,
                "even_shared": even_shared,
                "at": at,
            }
        )
    return records


def append(workspace: Workspace, records: Iterable[Mapping[str, object]]) -> None:
    """Add records; when this returns they survive a power cut. Raises `ArchiveError`, and then nothing was promised."""
    lines = b"".join(json.dumps(dict(record)).encode("ascii") + b"\n" for record in records)
    if not lines:
        return
    path = workspace.need_private() / FILE_NAME
    with workspace.change_lock:
        if not files.ends_in_newline(path):
            lines = b"\n" + lines  # a torn last line must not swallow the first of ours
        try:
            files.append_synced(path, lines)
        except ArchiveError:
            # a file whose sync failed is not to be trusted again (W4): the next try is a new one
            left = _read(path)
            files.replace_atomic(path, left + (b"" if left.endswith(b"\n") else b"\n") + lines, workspace.staging)


def entries(workspace: Workspace) -> Sequence[dict[str, object]]:
    """Every record, oldest first; a torn or foreign line is passed over. Raises `StorageError`."""
    found: list[dict[str, object]] = []
    for line in _read(workspace.private / FILE_NAME).split(b"\n"):
        try:
            record = json.loads(line) if line.strip() else None
        except (ValueError, RecursionError):
            continue
        if isinstance(record, dict) and isinstance(record.get("id"), str):
            found.append(record)
    return found


def _read(path: Path) -> bytes:
    try:
        return files.read_once(path.parent, path.name)[0]
    except NotFoundError:
        return b""
