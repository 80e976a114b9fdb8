"""Reading what is to be imported, within the limits for what comes from elsewhere (I2, I4, I6). Writes nothing."""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from chat_archive.core import files
from chat_archive.core.errors import ArchiveError, UnreadableError
from chat_archive.core.formats import unreadable
from chat_archive.core.layout import CHAT_FILE_NAME
from chat_archive.core.model import raw

SETTLE_SECONDS = 0.3  # a file being written this moment is waited for; a batch must not wait long for each
_MEMBERS_OF_A_CHAT = frozenset({"agents", "log"})
_PICTURES = {
    "png": (b"\x89PNG\r\n\x1a\n",),
    "jpg": (b"\xff\xd8\xff",),
    "jpeg": (b"\xff\xd8\xff",),
    "gif": (b"GIF87a", b"GIF89a"),
    "webp": (b"RIFF",),
    "bmp": (b"BM",),
}
_MESSAGE = re.compile(r"messages/[0-9]{1,18}\.txt")
_BACKUP = re.compile(r"backups/pre-compact-[A-Za-z0-9_-]{1,64}\.(?:json|txt)")
_PICTURE_FOLDERS = ("images/", "screenshots/", "browser/screenshots/")
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.IGNORECASE)
_BAD_SIGN = re.compile(r'[\x00-\x1f\x7f<>:"|?*\\]')


@dataclass(frozen=True, slots=True)
class Limits:
    """For what comes from elsewhere, counted while reading (I4). A person may raise them for one import."""

    entries: int = 20_000
    file_bytes: int = 256 * 1024 * 1024
    all_bytes: int = 2 * 1024 * 1024 * 1024
    depth: int = 8


@dataclass(slots=True)
class Counter:
    """What one preview has read so far."""

    limits: Limits
    entries: int = 0
    bytes: int = 0

    def add(self, size: int, path: Path) -> None:
        """Count one file. Raises `UnreadableError` naming the limit and the figure."""
        self.entries += 1
        self.bytes += size
        if self.entries > self.limits.entries:
            raise _over(f"more than {self.limits.entries:,} files", f"{self.entries:,}", path)
        if size > self.limits.file_bytes:
            raise _over(f"a file of more than {_mb(self.limits.file_bytes)}", _mb(size), path)
        if self.bytes > self.limits.all_bytes:
            raise _over(f"more than {_mb(self.limits.all_bytes)} in all", _mb(self.bytes), path)


def _mb(size: int) -> str:
    return f"{size / 1e6:,.0f} MB"


def _over(limit: str, figure: str, path: Path) -> UnreadableError:
    return UnreadableError(
        f"Over the limit for one import: {limit} ({figure}).",
        kind="limit",
        path=path,
        next_step="Import it in parts.",
    )


@dataclass(frozen=True, slots=True)
class Document:
    """One JSON document found in a file: its exact bytes where they could be taken, or the reason why it is no chat."""

    index: int | None
    data: bytes
    refused: str = ""
    damaged: bool = False


def read_file(path: Path, limits: Limits) -> bytes:
    """The bytes of a file to import. Raises `UnreadableError`, `StorageError`, `NotFoundError`."""
    found, _ = files.read_settled(path.parent, path.name, limit=limits.file_bytes, seconds=SETTLE_SECONDS)
    return found


def documents(path: Path, data: bytes) -> list[Document]:
    """The chats in the bytes of a JSON file: one object, or the elements of an array (D-61)."""
    body = data.removeprefix(b"\xef\xbb\xbf")
    if body.lstrip()[:1] != b"[":
        return [_document(None, data, path)]
    try:
        parts = [bytes(part) for part in msgspec.json.decode(body, type=list[msgspec.Raw])]
    except (msgspec.MsgspecError, RecursionError, ValueError):
        try:
            value = json.loads(body.decode("utf-8", "replace"), strict=False)
        except (ValueError, RecursionError):
            return [Document(None, data, broken(path, data), damaged=True)]
        parts = [json.dumps(part, ensure_ascii=False).encode("utf-8", "surrogatepass") for part in value]
    if not parts:
        return [Document(None, data, f"{path.name} is not a chat: it holds an empty list.")]
    found = [_document(place, part, path) for place, part in enumerate(parts)]
    if all(one.refused for one in found):
        return [Document(None, data, f"{path.name} is not a chat: it holds a list without any chat in it.")]
    return found


def _document(index: int | None, data: bytes, path: Path) -> Document:
    if raw.depth(data) <= raw.MAX_DEPTH:
        try:
            value = raw.decode_json(data)
        except raw.PartError:
            return Document(index, data, broken(path, data), damaged=True)
    else:
        value = raw.members(msgspec.Raw(data))
        if value is None:
            return Document(index, data, broken(path, data), damaged=True)
    if not isinstance(value, dict) or not _MEMBERS_OF_A_CHAT & value.keys():
        where = path.name if index is None else f"Entry {index + 1} of {path.name}"
        what = raw.kind_of(value) if not isinstance(value, dict) else "an object without agents and log"
        return Document(index, data, f"{where} is not a chat: it holds {what}.")
    return Document(index, data)


def broken(path: Path, data: bytes) -> str:
    """Why a file is no JSON, with the line and column where that shows: `comma.json 1:2961: ...`."""
    reason = unreadable.explain(data)
    text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    try:
        json.loads(text, strict=False)
    except json.JSONDecodeError as error:
        if reason.kind in ("empty", "blank", "zeros", "encoding", "html"):
            return f"{path.name} cannot be read as a chat. {reason.what}"
        end = " (at the end)" if error.pos >= len(text.rstrip()) else ""
        return f"{path.name} {error.lineno}:{error.colno}{end}: {reason.what}"
    except (RecursionError, ValueError):
        pass
    return f"{path.name} cannot be read as a chat. {reason.what}"


@dataclass(slots=True)
class Beside:
    """The files of a chat's folder beside its chat.json: what comes along ('/' between), and what is left out."""

    taken: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    size: int = 0


def files_beside(folder: Path, counter: Counter) -> Beside:
    """Sort the files of a chat's folder by the rules of I2. Raises on a folder that cannot be read (W5)."""
    found = Beside()
    for relative, kind, size in _walk(folder, counter.limits, found):
        if relative == CHAT_FILE_NAME:
            continue
        reason = _why_not(folder, relative, kind)
        if reason:
            found.left_out.append(f"{relative}: {reason}")
            continue
        counter.add(size, folder / relative)
        found.taken.append(relative)
        found.size += size
    return found


def _walk(folder: Path, limits: Limits, found: Beside) -> Iterator[tuple[str, int, int]]:
    """(relative name, kind by mode, size) of everything that is no folder. Links are seen, never followed."""
    waiting: list[tuple[str, ...]] = [()]
    seen = 0
    while waiting:
        parts = waiting.pop()
        with files.telling("The folder cannot be read", folder.joinpath(*parts)), files.place(folder, *parts) as here:
            names = sorted(here.names())
            states = [here.lstat(name) for name in names]
        for name, state in zip(names, states, strict=True):
            seen += 1
            if seen > limits.entries:
                raise _over(f"more than {limits.entries:,} files", f"{seen:,}", folder)
            relative = "/".join((*parts, name))
            if not stat.S_ISDIR(state.st_mode):
                yield relative, state.st_mode, state.st_size
            elif len(parts) + 2 > limits.depth:
                found.left_out.append(f"{relative}: deeper than {limits.depth} levels")
            else:
                waiting.append((*parts, name))


def _why_not(folder: Path, relative: str, mode: int) -> str:
    """ "" for a file that comes along, else why it is left out."""
    if stat.S_ISLNK(mode):
        return "a link, and links are not followed"
    if not stat.S_ISREG(mode):
        return "not a regular file"
    name = relative.rsplit("/", 1)[-1]
    if ".backup." in name:
        return "an older copy left by a restore"
    if _BAD_SIGN.search(relative) or any(_RESERVED.fullmatch(part) or part[-1] in ". " for part in relative.split("/")):
        return "a name that not every system allows"
    if _MESSAGE.fullmatch(relative) or _BACKUP.fullmatch(relative):
        return ""
    ending = name.rsplit(".", 1)[-1].lower()
    if relative.startswith(_PICTURE_FOLDERS) and ending in _PICTURES:
        return "" if is_picture(folder, relative, ending) else "not the picture its name says"
    return "not a part of a chat"


def is_picture(folder: Path, relative: str, ending: str) -> bool:
    """Whether the content begins as the name says."""
    parts = relative.split("/")
    try:
        with files.place(folder, *parts[:-1]) as here:
            fd = os.open(here.at(parts[-1]), os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0), dir_fd=here.fd)
            try:
                head = os.read(fd, 16)
            finally:
                os.close(fd)
    except (OSError, ArchiveError):
        return False
    return head.startswith(_PICTURES[ending]) and (ending != "webp" or head[8:12] == b"WEBP")
