"""Where things lie under a chats root, and the containment checks for ids.

Section 1.2 of the format; `safety.md` H1 to H4 in short: in the root there are only chats and the private folder.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from chat_archive.core.errors import BadIdError

CHATS_FOLDER = "usr/chats"
OLD_CHATS_FOLDER = "tmp/chats"
CHAT_FILE_NAME = "chat.json"
MESSAGES_FOLDER = "messages"
PRIVATE_FOLDER = ".chat-archive"
SIDE_FILE_NAME = "chat_names.json"  # names given in old versions, beside tmp/chats

_WELL_FORMED = re.compile(r"[A-Za-z0-9_-]{1,64}")
_HOST_TEMPORARY = re.compile(r"\.chat\.json\..+\.tmp")


def is_well_formed(chat_id: str) -> bool:
    """Whether an id may be given to a chat this program puts into a root (H4)."""
    return _WELL_FORMED.fullmatch(chat_id) is not None


def check_component(chat_id: object) -> str:
    """Return `chat_id` when it is one plain path component inside a root, else raise `BadIdError` (D-07 to D-09).

    A leading dot is allowed (D-16); the private folder's own name is not. A backslash is refused on every system,
    since a root may be shared with Windows.
    """
    if not isinstance(chat_id, str):
        raise BadIdError(f"A chat's id must be text, not {type(chat_id).__name__}.")
    if not chat_id.strip():
        raise BadIdError("An empty id names the whole chats folder, so it is refused.")
    if chat_id in (".", "..") or "/" in chat_id or "\\" in chat_id or "\0" in chat_id:
        raise BadIdError("This id is a path and not the name of one chat, so it is refused.")
    if chat_id == PRIVATE_FOLDER:
        raise BadIdError("This name belongs to the archive's own folder.")
    try:
        os.fsencode(chat_id)
    except UnicodeError as error:
        raise BadIdError("This id holds half a character and cannot be the name of a folder.") from error
    if len(chat_id.encode("utf-8", "surrogatepass")) > 255:
        raise BadIdError("This id is longer than a folder name can be.")
    return chat_id


def chat_folder(root: Path, chat_id: object) -> Path:
    """Absolute path of a chat's folder; it need not exist. Raises `BadIdError`."""
    return root / check_component(chat_id)


def messages_folder(root: Path, chat_id: object) -> Path:
    """Absolute path of a chat's `messages` folder; it need not exist. Raises `BadIdError`."""
    return chat_folder(root, chat_id) / MESSAGES_FOLDER


def is_host_temporary(name: str) -> bool:
    """`.chat.json.<random>.tmp`: left by a killed save of the host, not ours to remove (D-21)."""
    return _HOST_TEMPORARY.fullmatch(name) is not None
