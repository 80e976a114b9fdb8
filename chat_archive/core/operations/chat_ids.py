"""Which ids the root has, new ones, and an id set inside a chat's bytes (H4, I5)."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from chat_archive.core import files, json_edit
from chat_archive.core.errors import ArchiveError, ConflictError, UnreadableError
from chat_archive.core.layout import CHAT_FILE_NAME
from chat_archive.core.model import raw
from chat_archive.core.model.context import new_id


def is_taken(root: Path, chat_id: str) -> bool:
    """Whether a folder or a flat file in the root has this id as its name."""
    return os.path.lexists(root / chat_id) or os.path.lexists(root / f"{chat_id}.json")


def free_id(root: Path) -> str:
    """A new id that nothing in the root has."""
    for _ in range(10_000):
        chat_id = new_id()
        if not is_taken(root, chat_id):
            return chat_id
    raise ConflictError("No free id was found.")


def with_id(data: bytes, chat_id: str) -> bytes:
    """The chat's bytes with `chat_id` as inner id (H4), every other byte kept. Where the text is too odd for that, it
    is written anew from what it says."""
    new = json_edit.encode(chat_id)
    try:
        old = json_edit.value_at(data, ("id",))
        if old is None:
            return json_edit.insert_member(data, "id", new)
        if old.startswith(b'"') and raw.decode_json(old) == chat_id:
            return data
        return json_edit.replace_value(data, ("id",), new)
    except UnreadableError:
        try:
            value = raw.decode_json(data.removeprefix(b"\xef\xbb\xbf"))
        except raw.PartError as error:
            raise UnreadableError(f"Its id cannot be set: {error.what}.", kind="damaged") from error
        return raw.as_bytes({"id": chat_id, **{key: item for key, item in value.items() if key != "id"}})


def names(data: bytes, chat_id: str) -> bool:
    """Whether the chat's bytes name this id; "" where they name none. A number counts as its text (D-15)."""
    try:
        raw_id = json_edit.value_at(data, ("id",))
    except UnreadableError:
        return True  # too odd to be looked at; it was read as a chat
    found = None if raw_id is None else json_edit.decode(raw_id)
    if isinstance(found, int) and not isinstance(found, bool):
        found = str(found)
    return (raw.clean_text(found) if isinstance(found, str) else "") == chat_id


def holds(root: Path, folder: str, data: bytes) -> bool:
    """Whether the chat in `folder` (or its flat file) has exactly these bytes."""
    for parts in ((folder, CHAT_FILE_NAME), (f"{folder}.json",)):
        with contextlib.suppress(ArchiveError):
            if files.read_once(root, *parts, limit=len(data) + 1)[0] == data:
                return True
    return False
