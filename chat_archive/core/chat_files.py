"""The files of one chat's folder, and those the chat names that are not there (format 1.2, 1.3; D-23, D-24)."""

from __future__ import annotations

import re
import stat
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from chat_archive.core import files
from chat_archive.core.entities import ChatFile, Problem, Severity
from chat_archive.core.errors import ArchiveError, NotFoundError, UnreadableError
from chat_archive.core.formats import read_context
from chat_archive.core.layout import CHAT_FILE_NAME, MESSAGES_FOLDER, is_host_temporary
from chat_archive.core.model.content import parts_of
from chat_archive.core.model.titles import visible_text

MAX_FILES = 100_000
_MAX_DEPTH = 16
_MESSAGE = re.compile(r"messages/\d+\.txt")
_BACKUP = re.compile(r"backups/pre-compact-.*\.(?:json|txt)")
_COPY = re.compile(r"chat\.json\.backup\..*|.*/chat\.json|chat[ _-].*\.json")
_PICTURE = re.compile(r".*\.(?:png|jpe?g|gif|webp|bmp|svg)", re.IGNORECASE)


def chat_files(root: Path, folder: str) -> list[ChatFile]:
    """Every file of the chat's folder in order of names, and the message files the chat names that are missing.

    Links are listed and not followed. Raises `StorageError`, `NotFoundError` when the folder itself cannot be read.
    """
    if not files.is_name(folder):
        raise NotFoundError("There is no such chat.", path=root)
    try:
        with files.place(root) as here:
            found = here.lstat(folder)
            if stat.S_ISREG(found.st_mode):
                return [ChatFile(folder, found.st_size, _time(found.st_mtime), "chat")]
            if stat.S_ISLNK(found.st_mode):
                return [ChatFile(folder, 0, None, "other", note="A link; it is not followed.")]
        listed = sorted(_walk(root, folder), key=lambda file: file.relative)
    except OSError as error:
        raise files.explain(error, "The chat's folder cannot be read", root / folder) from error
    there = {file.relative for file in listed}
    named = [name for name in named_message_files(root, folder) if name not in there]
    return listed + [ChatFile(name, 0, None, "message", True, "Named by the chat, not there.") for name in named]


def _walk(root: Path, folder: str) -> Iterator[ChatFile]:
    waiting: list[tuple[str, ...]] = [()]
    count = 0
    while waiting:
        parts = waiting.pop()
        try:
            with files.place(root, folder, *parts) as here:
                names = here.names()
                for name in names:
                    count += 1
                    if count > MAX_FILES:
                        yield ChatFile(
                            "/".join((*parts, "\u2026")), 0, None, "other", note="More files are not listed."
                        )
                        return
                    kind, file = _look(here, parts, name)
                    if kind == "folder" and len(parts) < _MAX_DEPTH:
                        waiting.append((*parts, name))
                    elif file is not None:
                        yield file
        except OSError as error:
            if not parts:
                raise
            reason = files.explain(error, "This folder cannot be read", None).what
            yield ChatFile("/".join(parts), 0, None, "other", note=reason)


def _look(here: files.Place, parts: tuple[str, ...], name: str) -> tuple[str, ChatFile | None]:
    relative = "/".join((*parts, name))
    try:
        found = here.lstat(name)
    except OSError:
        return "gone", None
    if stat.S_ISDIR(found.st_mode) and relative != CHAT_FILE_NAME:
        return "folder", ChatFile(relative, 0, _time(found.st_mtime), "other", note="Too deep; not listed.")
    note = ""
    if stat.S_ISLNK(found.st_mode):
        note = "A link; it is not followed."
    elif not stat.S_ISREG(found.st_mode):
        note = "No regular file."
    size = found.st_size if not note else 0
    return "file", ChatFile(relative, size, _time(found.st_mtime), kind_of_file(relative), note=note)


def kind_of_file(relative: str) -> str:
    """What a file of a chat's folder is, by its place and name."""
    if relative == CHAT_FILE_NAME:
        return "chat"
    if is_host_temporary(relative):
        return "leftover"
    if _MESSAGE.fullmatch(relative):
        return "message"
    if _BACKUP.fullmatch(relative):
        return "backup"
    if _COPY.fullmatch(relative):
        return "copy"
    if _PICTURE.fullmatch(relative):
        if relative.startswith(("screenshots/", "browser/screenshots/")):
            return "screenshot"
        return "image" if relative.startswith("images/") else "other"
    return "other"


def named_message_files(root: Path, folder: str) -> list[str]:
    """`messages/N.txt` for every tool result that names one; the folder part of what it names is not used (1.3)."""
    try:
        data, _ = files.read_settled(root, folder, CHAT_FILE_NAME)
        context = read_context(data, folder=folder)
    except (ArchiveError, UnreadableError):
        return []
    found: dict[str, None] = {}
    for agent in context.agents:
        for message in agent.history.messages():
            for part in parts_of(message.content):
                name = part.get("file")
                if isinstance(name, str):
                    base = PurePosixPath(name.replace("\\", "/")).name
                    if re.fullmatch(r"\d{1,9}\.txt", base):
                        found[f"{MESSAGES_FOLDER}/{base}"] = None
    return sorted(found, key=lambda name: (len(name), name))


def link_remarks(root: Path, folder: str) -> list[Problem]:
    """Links among the chat's own folders and message files: told, never followed."""
    problems = []
    for parts in ((), (MESSAGES_FOLDER,)):
        try:
            with files.place(root, folder, *parts) as here:
                for name in sorted(here.names())[:MAX_FILES]:
                    if stat.S_ISLNK(here.lstat(name).st_mode):
                        shown = visible_text("/".join((*parts, name)))[:100]
                        text = f"{shown} is a link; it is not followed, so what it names is not shown."
                        problems.append(Problem("link", text, Severity.PARTIAL, "D-10"))
        except OSError:
            continue
        if problems:
            break
    return problems


def _time(seconds: float) -> datetime | None:
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, ValueError, OSError):
        return None
