"""Saving a whole chat the way Agent Zero's own contract says (W2a): beside its target, then over it."""

from __future__ import annotations

import contextlib
import secrets
import stat
from typing import TYPE_CHECKING

from chat_archive.core.entities import Fingerprint
from chat_archive.core.files import names
from chat_archive.core.files.places import Place, place
from chat_archive.core.files.writing import (
    make_folder_at,
    remove_folder_at,
    remove_name,
    sync_place,
    telling,
    write_new_at,
)
from chat_archive.core.layout import CHAT_FILE_NAME, check_component

if TYPE_CHECKING:
    from chat_archive.core.workspace import Workspace


def save_beside(workspace: Workspace, folder: str, data: bytes) -> Fingerprint:
    """Write `data` as the chat.json of `folder`, which is made when missing: all or nothing, safe when it returns.

    Order: the temporary name is noted in the journal; `.chat.json.<random>.tmp` is written in the chat's folder,
    flushed and synced; it replaces chat.json; the folder is synced; the temporary file is gone in any case. A file
    that was there gives its mode and, where this user may, its owner. Raises `BadIdError`, `StorageError`,
    `ReadOnlyError`, `BusyError`; the old text then stands.
    """
    check_component(folder)
    with workspace.change_lock:
        workspace.need_private()
        temporary = f".chat.json.{secrets.token_hex(4)}.tmp"
        path = workspace.root / folder
        with telling("The chat could not be saved", path), place(workspace.root) as root:
            made = not root.exists(folder)
            operation = workspace.journal.intend("save", {"folder": folder, "temporary": temporary, "made": made})
            try:
                if made:
                    make_folder_at(root, folder)
                with place(workspace.root, folder) as here:
                    saved = _write_over(here, temporary, data)
                if made:
                    sync_place(root)
            except BaseException:
                if _tidied(workspace, folder, temporary, made):
                    workspace.journal.done(operation)
                raise
            workspace.journal.done(operation)
            return saved


def _write_over(here: Place, temporary: str, data: bytes) -> Fingerprint:
    like = here.lstat(CHAT_FILE_NAME) if here.exists(CHAT_FILE_NAME) else None
    if like is not None and not stat.S_ISREG(like.st_mode):
        like = None  # a link's rights are 0777 and say nothing about what it leads to
    try:
        saved = write_new_at(here, temporary, data, like=like, keep_owner=False)
        names.rename_over(here, temporary, here, CHAT_FILE_NAME)
        sync_place(here)
    finally:
        with contextlib.suppress(FileNotFoundError):
            remove_name(here, temporary)
    return saved


def _tidied(workspace: Workspace, folder: str, temporary: str, made: bool) -> bool:
    """Whether nothing of a failed save is left; else the intent stays open and recovery tidies."""
    try:
        with place(workspace.root) as root:
            if not root.exists(folder):
                return True
            with place(workspace.root, folder) as here:
                if here.exists(temporary):
                    return False
                empty = not here.names()
            if made and empty:
                remove_folder_at(root, folder)
                sync_place(root)
    except OSError:
        return False
    return True
