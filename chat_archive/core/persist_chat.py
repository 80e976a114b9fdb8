"""The documented face of the persistence core: the names of Agent Zero's own module (design 2, format 5.1).

Which root they work on is set once with `use`, by the `CHAT_ARCHIVE_ROOT` environment variable, or by opening an
`Archive`. Each function delegates to a `ChatStore`; a program with two roots makes two of those.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable
from pathlib import Path

from chat_archive.core import archive as _archive
from chat_archive.core.archive import Archive
from chat_archive.core.chat_store import SAVED_KEY, ChatStore, LoadProblem, mark_saved
from chat_archive.core.entities import OperationResult
from chat_archive.core.errors import NotFoundError
from chat_archive.core.layout import CHAT_FILE_NAME, CHATS_FOLDER
from chat_archive.core.model.agent import Agent
from chat_archive.core.model.context import AgentContext
from chat_archive.core.model.log import LOG_SIZE
from chat_archive.core.model.serialise import Serialised
from chat_archive.core.state_snapshot import StateSnapshot

__all__ = [
    "CHATS_FOLDER",
    "CHAT_FILE_NAME",
    "LOG_SIZE",
    "SAVED_CHAT_CONTEXT_DATA_KEY",
    "export_json_chat",
    "get_chat_folder_path",
    "get_chat_msg_files_folder",
    "load_json_chats",
    "load_problems",
    "load_tmp_chats",
    "mark_chat_saved",
    "message_loop_end",
    "remove_chat",
    "remove_msg_files",
    "save_tmp_chat",
    "save_tmp_chats",
    "saved_chat_ids",
    "state_snapshot",
    "use",
]

SAVED_CHAT_CONTEXT_DATA_KEY = SAVED_KEY
ROOT_VARIABLE = "CHAT_ARCHIVE_ROOT"

_lock = threading.RLock()
_store: ChatStore | None = None
_chosen = False  # by `use`; what was only found in the surroundings is looked at again


def use(root: Path | str | Archive | ChatStore | None) -> ChatStore | None:
    """Set what the functions below work on: a chats root, the folder above its `usr/chats`, an open archive, or a
    store. None forgets it. Raises `NotFoundError`, `StorageError` for a folder that cannot be opened."""
    global _store, _chosen  # noqa: PLW0603 - the one place where the module's functions find their root
    with _lock:
        _store = _store_of(root) if root is not None else None
        _chosen = root is not None
        return _store


def _store_of(root: Path | str | Archive | ChatStore) -> ChatStore:
    if isinstance(root, ChatStore):
        return root
    if isinstance(root, Archive):
        return ChatStore(root)
    path = Path(root)
    try:
        below = path.expanduser() / CHATS_FOLDER
        path = below if below.is_dir() else path
    except (OSError, RuntimeError):
        pass  # opening it says why it cannot be a folder
    return ChatStore(Archive.open(path))


def _current() -> ChatStore:
    global _store  # noqa: PLW0603
    with _lock:
        if _chosen and _store is not None:
            return _store
        named = os.environ.get(ROOT_VARIABLE, "").strip()
        if named:
            if _store is None or _store.root != _root_named(named):
                _store = _store_of(named)
            return _store
        opened = _archive.latest()
        if opened is not None:
            if _store is None or _store.archive is not opened:
                _store = ChatStore(opened)
            return _store
    raise NotFoundError(
        "No chats folder was chosen.", next_step=f"Call persist_chat.use(folder) or set {ROOT_VARIABLE}."
    )


def _root_named(named: str) -> Path:
    path = Path(named).expanduser()
    below = path / CHATS_FOLDER
    return (below if below.is_dir() else path).resolve()


def get_chat_folder_path(ctxid: str) -> str:
    """Absolute path of the chat's folder. Raises `BadIdError` for an id that is not one plain path component."""
    return _current().folder_path(ctxid)


def get_chat_msg_files_folder(ctxid: str) -> str:
    """Absolute path of the chat's `messages` folder. Raises `BadIdError`."""
    return _current().messages_path(ctxid)


def save_tmp_chat(context: AgentContext) -> Serialised | None:
    """Serialise, write atomically, then mark saved; nothing for BACKGROUND. What was replaced is in the result."""
    return _current().save(context)


def save_tmp_chats() -> None:
    """Save every open context. Goes on after a failure; raises `SaveFailuresError` that names all of them."""
    _current().save_all()


def load_tmp_chats() -> list[str]:
    """Convert the flat layout of v0.8.0, then load every chat; the ids. Bad files are in `load_problems`."""
    return _current().load_all()


def load_json_chats(jsons: Iterable[str]) -> list[str]:
    """Chats from JSON texts under new ids, saved before they are returned. Failures are in `load_problems`."""
    return _current().load_texts(jsons)


def load_problems() -> tuple[LoadProblem, ...]:
    """What the last load could not load, or not as it was."""
    return tuple(_current().problems)


def export_json_chat(context: AgentContext | str) -> str:
    """The text a save would write. Raises `NotFoundError` for an unknown id (D-66)."""
    return _current().export_text(context)


def remove_chat(ctxid: str) -> OperationResult:
    """Erase a chat for good, its response ids noted first. Raises for refused ids and failures; missing is fine."""
    return _current().remove(ctxid)


def remove_msg_files(ctxid: str) -> OperationResult:
    """Only `messages/`, as a whole, into the trash."""
    return _current().remove_messages(ctxid)


def mark_chat_saved(context: AgentContext) -> None:
    """Set the private marker, which is never written."""
    mark_saved(context)


def saved_chat_ids() -> set[str]:
    """Ids of the folders on disk that hold a chat.json."""
    return _current().saved_ids()


def state_snapshot() -> StateSnapshot:
    """The chats and tasks a front end shows; contexts whose file is gone are dropped first."""
    return _current().snapshot()


def message_loop_end(source: AgentContext | Agent) -> Serialised | None:
    """The autosave hook: call it after each change of a context or one of its agents."""
    return _current().autosave(source)
