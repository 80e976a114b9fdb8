"""From what was typed to an opened archive and the chats in it."""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from types import FrameType

from chat_archive.cli.output import complain
from chat_archive.core import discover, settings
from chat_archive.core.archive import Archive
from chat_archive.core.entities import ChatRow, Folder
from chat_archive.core.errors import ArchiveError, NotFoundError
from chat_archive.core.progress import CancelToken, Progress, stop_if
from chat_archive.core.typed_path import plain_path


class CannotOpenError(ArchiveError):
    """There is no archive to work on: exit status 3."""


class Opener:
    """Opens archives for one command and closes them when it ends."""

    def __init__(self) -> None:
        self._opened = ExitStack()

    def __enter__(self) -> Opener:
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    def all_of(self, typed: str) -> list[Archive]:
        """Every archive the typed place leads to, at least one, to read. Raises `CannotOpenError`."""
        return [self._open(path, write=False) for path in _paths(typed)]

    def one_of(self, typed: str, *, write: bool = False, empty_is_fine: bool = False) -> Archive:
        """The one archive the typed place leads to; with `empty_is_fine` an empty folder becomes a root by its use.

        Raises `CannotOpenError`, with `write` also when it cannot be changed.
        """
        if empty_is_fine and _is_empty_folder(Path(plain_path(typed))):
            return self._open(Path(plain_path(typed)), write=write)
        paths = _paths(typed)
        if len(paths) > 1:
            names = ", ".join(map(str, paths))
            raise CannotOpenError(
                f"There are several chats folders in {typed}: {names}.", next_step="Name one of them."
            )
        return self._open(paths[0], write=write)

    def _open(self, path: Path, *, write: bool) -> Archive:
        try:
            chosen = settings.load()
            archive = Archive.open(path, write=write, zone=chosen.tzinfo())
            archive.workspace.trash_days = chosen.trash_days
            archive.workspace.trash_megabytes = chosen.trash_megabytes
            self._opened.callback(archive.close)
            if write:
                archive.workspace.need_writable()
        except ArchiveError as error:
            raise CannotOpenError(error.what, path=error.path, next_step=error.next_step) from error
        for notice in archive.notices:
            complain(notice)
        return archive


def _paths(typed: str) -> list[Path]:
    exact = discover.exact_root(typed)
    paths = [exact] if exact is not None else [root.path for root in discover.find_roots(typed)]
    if not paths:
        raise CannotOpenError(discover.explain_missing(typed))
    return paths


def _is_empty_folder(place: Path) -> bool:
    try:
        return place.is_dir() and not any(place.iterdir())
    except OSError:
        return False


def find_among(archives: Sequence[Archive], chat_id: str) -> tuple[Archive, Folder]:
    """The chat with this id in one of the archives. Raises `NotFoundError`, or `ConflictError` when two have it."""
    found: list[tuple[Archive, Folder]] = []
    missing: NotFoundError | None = None
    for archive in archives:
        try:
            found.append((archive, archive.find(chat_id)))
        except NotFoundError as error:
            missing = error
    if len(found) > 1:
        names = ", ".join(str(archive.root) for archive, _ in found)
        raise CannotOpenError(f"The chat is in several chats folders: {names}.", next_step="Name one of them.")
    if not found:
        raise missing or NotFoundError("There is no such chat.")
    return found[0]


def find_all(archive: Archive, ids: Sequence[str]) -> tuple[list[Folder], int]:
    """The folders of the chats named, each once, and how many could not be found; those are named on stderr."""
    folders: dict[Folder, None] = {}
    failed = 0
    for chat_id in ids:
        try:
            folders[archive.find(chat_id)] = None
        except ArchiveError as error:
            failed += 1
            complain(f"{chat_id}: {error}")
    return list(folders), failed


def all_rows(archive: Archive, progress: Progress) -> list[ChatRow]:
    """Every chat once. A file met while it was being written is handed out again when it has come to rest."""
    return list({row.folder: row for row in archive.scan(progress)}.values())


class StoppableProgress:
    """Ctrl+C asks the work to stop between two items; a second one stops at once."""

    def __init__(self) -> None:
        self._token = CancelToken()

    def __enter__(self) -> StoppableProgress:
        if sys.platform != "win32":
            self._before = signal.signal(signal.SIGINT, self._asked)
        return self

    def __exit__(self, *_: object) -> None:
        if sys.platform != "win32":
            signal.signal(signal.SIGINT, self._before)

    def _asked(self, _signal: int, _frame: FrameType | None) -> None:
        if self._token.cancelled:
            raise KeyboardInterrupt
        self._token.cancel()

    def report(self, done: int, total: int | None = None, item: str = "") -> None:
        stop_if(self._token)
