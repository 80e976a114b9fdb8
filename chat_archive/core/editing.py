"""Editing a chat that is there, beside a host that may save it at any moment, so that no save of the host is lost (C2).

The new version is written in the private folder and the two names are exchanged in one step. What came out is then
looked at: is it what was read, and does it stay so for 250 ms? If not, the host was writing; its version goes back to
its place and the edit is made again on it.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from chat_archive.core import files, json_edit
from chat_archive.core.entities import Fingerprint
from chat_archive.core.errors import ArchiveError, BusyError, UnreadableError
from chat_archive.core.files import Place

if TYPE_CHECKING:
    from chat_archive.core.workspace import Workspace

ROUNDS = 5
LOOK_SECONDS = 0.25
_LOOK_PAUSE = 0.005
_CANNOT = "The file could not be changed"


@dataclass(frozen=True, slots=True)
class Edited:
    """`before` and `after` are the whole file; they are equal when there was nothing to change."""

    before: bytes
    after: bytes
    fingerprint: Fingerprint
    remark: str = ""


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def is_whole(data: bytes) -> bool:
    """Whether these bytes are one whole JSON object."""
    try:
        json_edit.top_members(data)
    except UnreadableError:
        return False
    return True


def edit(
    workspace: Workspace, parts: tuple[str, ...], change: Callable[[bytes], bytes], *, beside: bool = False
) -> Edited:
    """Exchange the file root/parts for `change(its bytes)`; safe on disk when it returns. With `beside` the parts
    start at the folder that holds the root: a sibling of the chats, such as the scheduler's tasks.

    `change` may be called several times and may raise. The file keeps its mode and owner. Raises `BusyError` when
    the host wrote the file in each of five rounds, `UnreadableError`, `NotFoundError`, `StorageError`.
    """
    with workspace.change_lock:
        workspace.need_private()
        for _ in range(ROUNDS):
            base, seen = files.read_settled(_start(workspace, beside), *parts, whole=is_whole)
            after = change(base)
            if after == base:
                return Edited(base, after, seen)
            done = _Round(workspace, parts, base, seen, after, beside).run()
            if done is not None:
                workspace.own_edits[parts[0]] = done.fingerprint
                return done
    raise BusyError(
        f"Agent Zero is writing {'its tasks' if beside else 'this chat'}, so nothing was changed.",
        path=_start(workspace, beside).joinpath(*parts),
        next_step="Try again in a moment.",
    )


def _start(workspace: Workspace, beside: bool) -> Path:
    return workspace.root.parent if beside else workspace.root


class _Round:
    """One try: stage, note, exchange, look twice."""

    def __init__(  # noqa: PLR0917 - the state of one try
        self,
        workspace: Workspace,
        parts: tuple[str, ...],
        base: bytes,
        seen: Fingerprint,
        after: bytes,
        beside: bool,
    ) -> None:
        self.workspace = workspace
        self.start = _start(workspace, beside)
        self.beside = beside
        self.parts = parts
        self.name = parts[-1]
        self.base = base
        self.seen = seen
        self.after = after
        self.staged = f"{uuid.uuid4().hex}.tmp"
        self.held = f"{uuid.uuid4().hex}.held.tmp"

    def run(self) -> Edited | None:
        """The edit when it was made, None when the host was writing."""
        path = self.start.joinpath(*self.parts)
        with (
            files.telling(_CANNOT, path),
            files.place(self.start, *self.parts[:-1]) as folder,
            files.place(self.workspace.staging) as stage,
        ):
            like = folder.lstat(self.name)
            if files.fingerprint_of(like) != self.seen:
                return None
            ours = files.write_new_at(stage, self.staged, self.after, like=like)
            operation = ""
            try:
                files.sync_place(stage)
                operation = self._note()
                done = self._exchange(stage, folder, ours)
            except BaseException:
                self._roll_back(stage, folder, ours, operation)
                raise
            self._drop(stage, operation)
            return done

    def _note(self) -> str:
        details = {
            "parts": list(self.parts),
            "staged": self.staged,
            "held": self.held,
            "base": digest(self.base),
            "ours": digest(self.after),
            "beside": self.beside,
        }
        return self.workspace.journal.intend("edit", details)

    def _exchange(self, stage: Place, folder: Place, ours: Fingerprint) -> Edited | None:
        try:
            files.exchange_names(stage, self.staged, folder, self.name)
        except files.CannotExchangeError:
            return self._replace(stage, folder, ours)
        if self._displaced_rests(stage, self.staged):
            files.sync_place(folder)
            return Edited(self.base, self.after, ours)
        _give_back(stage, self.staged, folder, self.name, ours)
        files.sync_place(folder)
        return None

    def _replace(self, stage: Place, folder: Place, ours: Fingerprint) -> Edited | None:
        """Where names cannot be exchanged: compare just before the rename, hold the old file by a second name."""
        held = files.hold(folder, self.name, stage, self.held)
        if _look(folder, self.name) != self.seen:
            return None
        files.rename_over(stage, self.staged, folder, self.name)
        if held and not self._displaced_rests(stage, self.held):
            if _look(folder, self.name) == ours:
                files.rename_over(stage, self.held, folder, self.name)
            files.sync_place(folder)
            return None
        files.sync_place(folder)
        remark = "This disk cannot exchange two files in one step, so a save at the same moment may be lost."
        return Edited(self.base, self.after, ours, remark)

    def _displaced_rests(self, stage: Place, name: str) -> bool:
        """The second look: what came out is what was read, and stays so."""
        until = time.monotonic() + LOOK_SECONDS
        while _look(stage, name) == self.seen:
            if time.monotonic() >= until:
                # clocks of file systems are coarse: equal bytes are the proof
                return files.read_once(self.workspace.staging, name)[0] == self.base
            time.sleep(_LOOK_PAUSE)
        return False

    def _drop(self, stage: Place, operation: str) -> None:
        """Remove what this round left in staging: our version, the base, or a save of the host that a newer one
        followed. What cannot be removed now stays noted, and recovery looks at it."""
        clean = True
        for name in (self.staged, self.held):
            try:
                if not stage.exists(name):
                    continue
                left = files.read_once(self.workspace.staging, name)[0]
                if left in (self.base, self.after) or self._place_is_newer():
                    files.remove_name(stage, name)
                else:
                    clean = False
            except (OSError, ArchiveError):
                clean = False
        if clean and operation:
            self.workspace.journal.done(operation)

    def _place_is_newer(self) -> bool:
        """Whether a whole save of the host has the place, and not our version."""
        data, _ = files.read_settled(self.start, *self.parts, whole=is_whole)
        return data != self.after and is_whole(data)

    def _roll_back(self, stage: Place, folder: Place, ours: Fingerprint, operation: str) -> None:
        """After an error: the old file back in its place where it is not, ours away (W4). Never raises."""
        with contextlib.suppress(OSError, ArchiveError):
            came_out = _look(stage, self.staged) if stage.exists(self.staged) else None
            if came_out is not None and came_out != ours and _look(folder, self.name) == ours:
                _give_back(stage, self.staged, folder, self.name, ours)
            if came_out is None and stage.exists(self.held) and _look(folder, self.name) == ours:
                files.rename_over(stage, self.held, folder, self.name)
            with contextlib.suppress(OSError):
                files.sync_place(folder)
            self._drop(stage, operation)


def _look(folder: Place, name: str) -> Fingerprint | None:
    try:
        return files.fingerprint_of(folder.lstat(name))
    except FileNotFoundError:
        return None


def _give_back(stage: Place, staged: str, folder: Place, name: str, ours: Fingerprint) -> None:
    """Put what came out back to its place, unless the host has saved there since. Afterwards the newest version has
    the place, and `staged` names ours or one that a newer save followed.

    What comes out each time is compared with what was put in: anything else is a save of the host made in between,
    and newer than all.
    """
    expected = ours
    if _look(folder, name) != expected:
        return
    while True:  # each turn needs a save of the host between two calls
        put_in = _look(stage, staged)
        files.exchange_names(stage, staged, folder, name)
        if _look(stage, staged) == expected:
            return
        if put_in is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(stage.path / staged))
        expected = put_in
