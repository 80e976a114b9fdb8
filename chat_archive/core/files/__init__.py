"""The one room that touches the disk for writing (W1), and the safe way to read beside a live writer (C1, C6).

Elsewhere nothing is opened for writing, renamed or removed; a test holds that line.
"""

from chat_archive.core.files.faults import explain, is_full
from chat_archive.core.files.names import CannotExchangeError, exchange_names, hold, rename_new, rename_over
from chat_archive.core.files.places import Place, fingerprint_of, place
from chat_archive.core.files.reading import (
    LIMIT,
    ends_closed,
    fingerprint,
    free_space,
    read_once,
    read_settled,
)
from chat_archive.core.files.saving import save_beside
from chat_archive.core.files.trees import copy_tree_from, measure, remove_tree, remove_tree_at
from chat_archive.core.files.writing import (
    append,
    append_synced,
    cut_file,
    exchange,
    fsync_folder,
    make_folder,
    make_folder_at,
    make_folders,
    move_at,
    move_verified,
    open_lock_file,
    remove_file,
    remove_folder_at,
    remove_name,
    replace_atomic,
    set_mode,
    set_modified,
    sync_place,
    telling,
    write_file_beside,
    write_new,
    write_new_at,
)

__all__ = [
    "LIMIT",
    "CannotExchangeError",
    "Place",
    "append",
    "append_synced",
    "copy_tree_from",
    "cut_file",
    "ends_closed",
    "exchange",
    "exchange_names",
    "explain",
    "fingerprint",
    "fingerprint_of",
    "free_space",
    "fsync_folder",
    "hold",
    "is_full",
    "make_folder",
    "make_folder_at",
    "make_folders",
    "measure",
    "move_at",
    "move_verified",
    "open_lock_file",
    "place",
    "read_once",
    "read_settled",
    "remove_file",
    "remove_folder_at",
    "remove_name",
    "remove_tree",
    "remove_tree_at",
    "rename_new",
    "rename_over",
    "replace_atomic",
    "save_beside",
    "set_mode",
    "set_modified",
    "sync_place",
    "telling",
    "write_file_beside",
    "write_new",
    "write_new_at",
]
