"""Whole folders: removed without following a link, copied with nothing skipped in silence (W5)."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

from chat_archive.core.errors import UnreadableError
from chat_archive.core.files.places import FOLDER_FLAGS, HAS_DESCRIPTORS, Place, close_looked_at, place
from chat_archive.core.files.reading import LIMIT, read_once
from chat_archive.core.files.writing import (
    make_folder_at,
    remove_folder_at,
    remove_name,
    sync_place,
    telling,
    write_new_at,
)


def remove_tree(path: Path) -> None:
    """Remove a file, a link (not what it leads to) or a folder with all in it. A missing one is no error.

    Raises `StorageError` at the first thing that cannot be removed; what is left stays for the next try.
    """
    with telling("It could not be removed", path), place(path.parent) as above:
        if above.exists(path.name):
            remove_tree_at(above, path.name)


def remove_tree_at(above: Place, name: str) -> None:
    """As `remove_tree`, from an open folder, without recursion: a tree may be deeper than the stack."""
    if not stat.S_ISDIR(above.lstat(name).st_mode):
        remove_name(above, name)
        return
    # every folder on the way is opened from the one above it, so that nothing planted meanwhile leads outside
    opened = [_open_below(above, name)]
    pending = [opened[0].names()]
    try:
        while opened:
            here, left = opened[-1], pending[-1]
            if not left:
                _close(opened.pop())
                pending.pop()
                remove_folder_at(opened[-1] if opened else above, here.path.name)
                continue
            child = left.pop()
            if stat.S_ISDIR(here.lstat(child).st_mode):
                opened.append(_open_below(here, child))
                pending.append(opened[-1].names())
            else:
                remove_name(here, child)
    finally:
        for folder in opened:
            _close(folder)


def _open_below(above: Place, name: str) -> Place:
    if not HAS_DESCRIPTORS:
        return Place(above.path / name, None)
    return Place(above.path / name, os.open(name, FOLDER_FLAGS, dir_fd=above.fd))


def _close(folder: Place) -> None:
    if folder.fd is not None:
        close_looked_at(folder.fd)


def copy_tree_from(
    source: Path,
    target: Path,
    *,
    wanted: Callable[[str], bool] = lambda _relative: True,
    limit: int = LIMIT,
) -> list[str]:
    """Copy a folder's regular files to the new folder `target`, made 0700 with files 0600, all synced.

    Links and special files are never followed or copied; their relative names ('/' between) are returned with those
    that `wanted` refused. A folder that cannot be read raises: nothing is skipped in silence. Raises `StorageError`,
    `UnreadableError`; the caller removes a half copy (it lies in staging).
    """
    left_out: list[str] = []
    with telling("The folder could not be copied", source):
        with place(target.parent) as above:
            make_folder_at(above, target.name)
            sync_place(above)
        todo: list[tuple[str, ...]] = [()]
        while todo:
            parts = todo.pop()
            with place(source, *parts) as here, place(target, *parts) as there:
                for name in sorted(here.names()):
                    relative = "/".join((*parts, name))
                    mode = here.lstat(name).st_mode
                    if stat.S_ISDIR(mode):
                        make_folder_at(there, name)
                        todo.append((*parts, name))
                    elif stat.S_ISREG(mode) and wanted(relative):
                        write_new_at(there, name, _read_calm(source, (*parts, name), limit))
                    else:
                        left_out.append(relative)
                sync_place(there)
    return left_out


def _read_calm(source: Path, parts: tuple[str, ...], limit: int) -> bytes:
    for _ in range(40):
        try:
            return read_once(source, *parts, limit=limit)[0]
        except UnreadableError as error:
            if error.kind != "changing":
                raise
    return read_once(source, *parts, limit=limit)[0]


def measure(path: Path) -> tuple[int, int]:
    """(bytes, files) of a folder or file, links not followed; what cannot be read counts as nothing."""
    try:
        found = os.lstat(path)
    except OSError:
        return 0, 0
    if not stat.S_ISDIR(found.st_mode):
        return found.st_size, 1
    size = files = 0
    todo = [str(path)]
    while todo:
        try:
            with os.scandir(todo.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        todo.append(entry.path)
                    else:
                        size += entry.stat(follow_symlinks=False).st_size
                        files += 1
        except OSError:
            continue
    return size, files
