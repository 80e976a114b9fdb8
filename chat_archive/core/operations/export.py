"""Chats copied out as Agent Zero's own JSON (design 8, E3): the bytes as they are, or rewritten to format 8."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import tzinfo
from pathlib import Path

from chat_archive.core import files, scan
from chat_archive.core.entities import ChatRow, Folder, ItemResult, OperationResult
from chat_archive.core.errors import (
    ArchiveError,
    Cancelled,
    ConflictError,
    NotFoundError,
    StorageError,
    UnreadableError,
)
from chat_archive.core.layout import check_component
from chat_archive.core.model.raw import PartError
from chat_archive.core.model.serialise import strict_text
from chat_archive.core.model.titles import UNTITLED
from chat_archive.core.names import file_name, key_of
from chat_archive.core.operations.batch import NOT_REACHED
from chat_archive.core.progress import Progress

ENDING = ".json"
_NOTHING = b" \t\r\n\0"


@dataclass(slots=True)
class _Run:
    """One export on its way."""

    root: Path
    target: Path  # the folder, or the file when `single`
    single: bool
    strict: bool
    overwrite: bool
    zone: tzinfo | None
    taken: set[str] = field(default_factory=set)


def export_json(
    root: Path,
    folders: Sequence[Folder],
    to: Path,
    progress: Progress,
    *,
    strict: bool = False,
    overwrite: bool = False,
    zone: tzinfo | None = None,
) -> OperationResult:
    """Write each chat to `to`: a folder, made when it is missing, or for one chat also a file name.

    Each file appears whole under its name or not at all, and is read back and compared. An unchanged file that is
    there already is skipped; another one stays unless `overwrite`. A chat that cannot be exported is a failed item
    and never stops the others. Damaged chats are copied as they are, but for files without any content. Raises
    `StorageError`, `NotFoundError`, `ConflictError` when `to` itself cannot be used.
    """
    run = _Run(root, *_target(root, folders, to), strict, overwrite, zone)
    items: list[ItemResult] = []
    stopped = False
    for place, folder in enumerate(folders):
        try:
            progress.report(place, len(folders), folder)
        except Cancelled:
            stopped = True
            items += [ItemResult(left, True, NOT_REACHED, folder=left, skipped=True) for left in folders[place:]]
            break
        items.append(_export(run, folder))
    if not stopped:
        with contextlib.suppress(Cancelled):  # too late: all is done
            progress.report(len(folders), len(folders))
    return OperationResult("export", tuple(items), stopped=stopped)


def suggested_name(row: ChatRow) -> str:
    """The file name a chat is exported under; the same at every export as long as its title stays."""
    title = row.name if row.name and row.name.strip() else row.title
    if not row.title_given and row.title == UNTITLED:
        title = ""
    return file_name(title, row.folder.removesuffix(ENDING) if row.flat else row.folder, row.created_at, ENDING)


def _target(root: Path, folders: Sequence[Folder], to: Path) -> tuple[Path, bool]:
    """(folder or file to write to, whether it is a file), checked and made."""
    with contextlib.suppress(RuntimeError):  # "~" of nobody is a name like any other
        to = to.expanduser()
    to = Path(os.path.abspath(to))
    with files.telling("Nothing can be exported there", to):
        is_folder = to.is_dir()
        single = len(folders) == 1 and not is_folder and to.suffix.lower() == ENDING
        holder = to.parent if single else to
        real = Path(os.path.realpath(holder))
        if real == root or root in real.parents:
            raise ConflictError(
                "Exports are not written into the chats folder: Agent Zero would take them for chats.",
                path=to,
                next_step="Choose another folder.",
            )
        if not single and not is_folder:
            if os.path.lexists(to):
                raise StorageError("A file stands where the folder for the export was expected.", path=to)
            if not to.parent.is_dir():
                raise NotFoundError("The folder to export into does not exist.", path=to.parent)
            files.make_folder(to)
        if single and not holder.is_dir():
            raise NotFoundError("The folder to export into does not exist.", path=holder)
        return to, single


def _export(run: _Run, folder: Folder) -> ItemResult:
    title: str = folder
    try:
        check_component(folder)
        row = scan.read_one(run.root, folder, zone=run.zone)
        title = row.title
        data = scan.read_bytes(run.root, folder)
        if not data.strip(_NOTHING):
            raise UnreadableError("It was left out: its file is empty.", kind="empty", path=row.path)
        remarks: tuple[str, ...] = ()
        if run.strict:
            data, remarks = _strictly(data, row, run.zone)
        elif row.damaged:
            remarks = ("The file is damaged and was copied as it is.",)
        target = run.target if run.single else run.target / _free_name(run, row)
        return _write(run, target, data, row, remarks)
    except ArchiveError as error:
        return ItemResult(title, ok=False, text=_sentence(error), folder=folder, path=error.path)


def _sentence(error: ArchiveError) -> str:
    return f"{error.what} {error.next_step}".strip()


def _strictly(data: bytes, row: ChatRow, zone: tzinfo | None) -> tuple[bytes, tuple[str, ...]]:
    try:
        made = strict_text(data, row.folder.removesuffix(ENDING) if row.flat else row.folder, zone=zone)
    except PartError as error:
        raise UnreadableError(
            f"It cannot be rewritten: {error.what}.",
            kind="damaged",
            path=row.path,
            next_step="Export it as it is.",
        ) from error
    return made.text.encode("utf-8"), made.remarks


def _free_name(run: _Run, row: ChatRow) -> str:
    """Two folders whose names differ only in letter case would be one file on some disks."""
    name = suggested_name(row)
    if key_of(name) in run.taken:
        digest = hashlib.sha256(row.folder.encode("utf-8", "surrogatepass")).hexdigest()[:8]
        name = f"{name.removesuffix(ENDING)} {digest}{ENDING}"
    run.taken.add(key_of(name))
    return name


def _write(run: _Run, target: Path, data: bytes, row: ChatRow, remarks: tuple[str, ...]) -> ItemResult:
    try:
        there, _ = files.read_once(target.parent, target.name, limit=max(len(data), 1))
    except NotFoundError:
        there = None
    except UnreadableError:
        there = b""  # something else of that name: never the same
    if there == data:
        text = "The same file is there already."
        return ItemResult(row.title, ok=True, text=text, folder=row.folder, path=target, skipped=True, remarks=remarks)
    if there is not None and not run.overwrite:
        raise ConflictError("A different file of this name is there and was not replaced.", path=target)
    files.write_file_beside(target, data, overwrite=run.overwrite)
    again, _ = files.read_once(target.parent, target.name, limit=max(len(data), 1))
    if again != data:
        raise StorageError("The file was written, but reading it back gave something else.", path=target)
    text = " ".join((f"It was exported to {target}.", *remarks))
    return ItemResult(row.title, ok=True, text=text, folder=row.folder, path=target, remarks=remarks)
