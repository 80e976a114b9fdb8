"""Where chats are: roots at, below or above a place a person names (format 1.7), and the places they usually lie.

Looking is bounded in depth, breadth and time, follows no link below the chosen place, and changes nothing. The chosen
place itself may be a link; it is resolved once, so that a folder and a link to it are one root.
"""

from __future__ import annotations

import os
import re
import stat
import sys
import time
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from chat_archive.core.entities import FoundRoot
from chat_archive.core.layout import CHAT_FILE_NAME, PRIVATE_FOLDER
from chat_archive.core.typed_path import explain_missing, is_wsl_share, of_another_system, plain_path

__all__ = ["exact_root", "explain_missing", "find_roots", "labels", "likely_places"]

DEPTH = 7
SECONDS = 5.0
FOLDERS = 20_000

_CHATS = "chats"
_ABOVE_CHATS = ("usr", "tmp")
_HEAD = 4096
_NEVER_INSIDE = frozenset(
    {
        PRIVATE_FOLDER,
        ".git",
        ".venv",
        "venv",
        "node_modules",
        "__pycache__",
        "site-packages",
        ".cache",
        "proc",
        "sys",
        "dev",
    }
)
_PROMISING = frozenset({"usr", "tmp", "chats", "_data"})
_INSTANCE = re.compile(r"(?i)a0$|agent[-_ ]?zero")
_FLAT_CHAT = re.compile(rb'^\s*\{.*"agents"\s*:', re.DOTALL)
_INNER_ID = re.compile(rb'^\s*\{\s*"id"\s*:\s*"([^"\\]*)"')

_UNREADABLE = (
    "This folder cannot be read by you. Files of a container usually belong to root: start the program with the "
    "rights to read them, or copy them with “docker cp CONTAINER:/a0/usr/chats FOLDER”."
)
_CUT_SHORT = "The search stopped early because there is much below this folder; choose a folder nearer to the chats."


@dataclass(slots=True)
class _Bounds:
    """What is left of the time and the folders one search may use."""

    until: float
    folders: int
    cut_short: bool = False
    seen: set[tuple[int, int]] = field(default_factory=set)

    def spent(self) -> bool:
        if self.folders <= 0 or time.monotonic() > self.until:
            self.cut_short = True
        return self.cut_short


def find_roots(
    path: str | Path,
    *,
    system: str = sys.platform,
    depth: int = DEPTH,
    seconds: float = SECONDS,
    folders: int = FOLDERS,
) -> list[FoundRoot]:
    """The chats roots a chosen place leads to, nearest first; [] when there are none (`explain_missing` says why).

    The place may be a root, a folder above it (an installation, a volume, a desktop folder with several instances),
    one chat's folder, something inside it, or a `chat.json`. Where one of `usr/chats` and `tmp/chats` is found the
    other is offered too (D-25). A folder that cannot be read is returned with `chats` = -1 and a note. At most
    `depth` levels, `folders` folders and `seconds` seconds are spent.
    """
    text = plain_path(path, system) if isinstance(path, str) else str(path)
    if not text or of_another_system(text, system):
        return []
    bounds = _Bounds(time.monotonic() + seconds, folders)
    start = _start(text)
    if start is None:
        return []
    found = [*_at(start, bounds)] or _below(start, depth, bounds) or _above(start, bounds)
    found = _with_counterparts(found, bounds)
    if bounds.cut_short and found:
        found[-1] = replace(found[-1], note=found[-1].note or _CUT_SHORT)
    names = labels([root.path for root in found])
    return [replace(root, label=names[root.path]) for root in found]


def exact_root(path: str | Path, system: str = sys.platform) -> Path | None:
    """The resolved place itself when it is a chats root, found without counting its chats, else None."""
    text = plain_path(path, system) if isinstance(path, str) else str(path)
    place = _start(text) if text and not of_another_system(text, system) else None
    if place is None or not place.is_dir():
        return None
    if _is_named_root(place) or (place / PRIVATE_FOLDER).is_dir():
        return place
    if _is_file(place / CHAT_FILE_NAME):
        return None
    try:
        with os.scandir(place) as entries:
            return place if any(_looks_like_chat(entry, flat=True) for entry in entries) else None
    except OSError:
        return None


def _looks_like_chat(entry: os.DirEntry[str], *, flat: bool) -> bool:
    """Whether an entry of a folder is a chat's folder or, with `flat`, a chat's file of the first versions."""
    try:
        if entry.is_dir(follow_symlinks=False):
            return _is_file(os.path.join(entry.path, CHAT_FILE_NAME))
        if not flat or not entry.name.endswith(".json") or entry.name == CHAT_FILE_NAME:
            return False
        return bool(_FLAT_CHAT.match(_head(entry.path)))
    except OSError:
        return False


def _start(text: str) -> Path | None:
    try:
        # a WSL share is kept as typed; anything else is resolved once
        place = Path(text) if is_wsl_share(text) else Path(text).resolve(strict=True)
        place.lstat()
    except (OSError, ValueError, RuntimeError):
        return None
    return place


def _at(place: Path, bounds: _Bounds) -> list[FoundRoot]:
    """`place` as a root, a chat's folder, a `chat.json` or a flat file; [] when it is none of them."""
    if not place.is_dir():
        folder = place.parent
        if place.name == CHAT_FILE_NAME and not _is_named_root(folder):
            folder = folder.parent
        return _root(folder, bounds, chosen=True)
    if _is_file(place / CHAT_FILE_NAME) and not _is_named_root(place) and _is_one_chat(place, bounds):
        return _root(place.parent, bounds, chosen=True)
    return _root(place, bounds, chosen=True)


def _is_one_chat(folder: Path, bounds: _Bounds) -> bool:
    """Whether a folder with a chat.json is a chat, and not a root with a stray chat.json in it (D-05)."""
    match = _INNER_ID.match(_head(folder / CHAT_FILE_NAME))
    if match is not None and match[1] == os.fsencode(folder.name):
        return True
    return _count(folder, bounds, flat=False) == 0


def _is_named_root(folder: Path) -> bool:
    return folder.name == _CHATS and folder.parent.name in _ABOVE_CHATS


def _root(folder: Path, bounds: _Bounds, *, chosen: bool = False) -> list[FoundRoot]:
    """[the root] when `folder` is one and was not found yet. Flat files make a root of a folder only when it was
    chosen or is named like one, since a `.json` file alone says little."""
    named = folder.name == _CHATS
    try:
        chats = _count(folder, bounds, flat=chosen or named)
        note = ""
    except PermissionError:
        if not (chosen or named):
            return []
        chats, note = -1, _UNREADABLE
    except OSError:
        return []
    is_root = chats or _is_named_root(folder) or (folder / PRIVATE_FOLDER).is_dir()
    if not is_root and not (named and folder.parent.name == "_data"):
        return []
    try:
        facts = folder.stat()
    except OSError:
        return []
    identity = (facts.st_dev, facts.st_ino)
    if facts.st_ino and identity in bounds.seen:
        return []
    bounds.seen.add(identity)
    return [FoundRoot(folder, folder.name, chats, note)]


def _count(folder: Path, bounds: _Bounds, *, flat: bool) -> int:
    """How many entries of `folder` look like chats. Raises OSError when the folder itself cannot be read."""
    chats = 0
    with os.scandir(folder) as entries:
        for number, entry in enumerate(entries):
            if number % 256 == 255 and time.monotonic() > bounds.until:
                bounds.cut_short = True
                break
            chats += _looks_like_chat(entry, flat=flat)
    return chats


def _is_file(path: Path | str) -> bool:
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except (OSError, ValueError):
        return False


def _head(path: Path | str) -> bytes:
    try:
        # a FIFO or device put here must not make the search wait
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0))
    except OSError:
        return b""
    try:
        return os.read(descriptor, _HEAD) if stat.S_ISREG(os.fstat(descriptor).st_mode) else b""
    except OSError:
        return b""
    finally:
        os.close(descriptor)


def _below(start: Path, depth: int, bounds: _Bounds) -> list[FoundRoot]:
    """Roots below `start`, level by level, except that promising names go first. A root is not searched further."""
    found: list[FoundRoot] = []
    queue: deque[tuple[Path, int]] = deque([(start, 0)])
    while queue:
        folder, level = queue.popleft()
        if bounds.spent():
            break
        bounds.folders -= 1
        promising: list[Path] = []
        for child in _folders_in(folder, unreadable=found if level == 0 else None):
            root = _root(child, bounds)
            if root:
                found += root
            elif level + 1 < depth and child.name not in _NEVER_INSIDE:
                if _is_promising(child.name):
                    promising.append(child)
                else:
                    queue.append((child, level + 1))
        queue.extendleft((child, level + 1) for child in reversed(promising))
    return found


def _is_promising(name: str) -> bool:
    return name in _PROMISING or _INSTANCE.match(name) is not None


def _folders_in(folder: Path, unreadable: list[FoundRoot] | None) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            children = [Path(entry.path) for entry in entries if _is_plain_folder(entry)]
    except PermissionError:
        if unreadable is not None and folder.is_dir():
            unreadable.append(FoundRoot(folder, folder.name, -1, _UNREADABLE))
        return []
    except OSError:
        return []
    return sorted(children, key=lambda child: (child.name.startswith("."), child.name))


def _is_plain_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _above(start: Path, bounds: _Bounds) -> list[FoundRoot]:
    """The root of the chat `start` lies in, such as its messages folder."""
    for ancestor in [*start.parents][:3]:
        if _is_file(ancestor / CHAT_FILE_NAME):
            return _at(ancestor, bounds)
    return []


def _with_counterparts(found: list[FoundRoot], bounds: _Bounds) -> list[FoundRoot]:
    """Add `tmp/chats` beside a found `usr/chats` and the other way round, where it holds chats (D-25)."""
    result = list(found)
    for root in found:
        if not _is_named_root(root.path):
            continue
        other = "tmp" if root.path.parent.name == "usr" else "usr"
        counterpart = root.path.parent.parent / other / _CHATS
        if not counterpart.is_symlink() and not counterpart.parent.is_symlink():
            result += [more for more in _root(counterpart, bounds) if more.chats]
    return result


def labels(paths: Sequence[Path]) -> dict[Path, str]:
    """A short name for each root, the end of its path from the instance's own folder on; longer where two would be
    called the same."""
    result: dict[Path, str] = {}
    lengths = {path: _own_length(path) for path in paths}
    while True:
        result = {path: "/".join(path.parts[-lengths[path] :]).replace("//", "/") for path in paths}
        taken = Counter(result.values())
        longer = [path for path in result if taken[result[path]] > 1 and lengths[path] < len(path.parts)]
        if not longer:
            return result
        for path in longer:
            lengths[path] += 1


def _own_length(path: Path) -> int:
    """How many parts at the end of a path say which instance it is: `one/usr/chats`, `volume/_data/chats`."""
    length = 1
    parts = path.parts
    for name in ((_CHATS,), _ABOVE_CHATS, ("_data",)):
        if length <= len(parts) and parts[-length] in name:
            length += 1
    return min(length, len(parts))


def likely_places(seconds: float = 2.0) -> list[FoundRoot]:
    """Roots at the places format 1.7 names, the one in `CHAT_ARCHIVE_ROOT` and the current folder first.

    Docker's folder of volumes is named with a note where it is there but may not be read.
    """
    until = time.monotonic() + seconds
    found: dict[Path, FoundRoot] = {}
    for place, depth in _usual_places():
        left = until - time.monotonic()
        if left <= 0:
            break
        for root in find_roots(place, depth=depth, seconds=left, folders=2_000):
            if root.chats or _is_named_root(root.path):
                found.setdefault(root.path, root)
    names = labels(list(found))
    return [replace(root, label=names[path]) for path, root in found.items()]


def _usual_places() -> list[tuple[Path, int]]:
    """Places and how deep to look below them."""
    home = Path.home()
    places: list[tuple[Path, int]] = []
    named = os.environ.get("CHAT_ARCHIVE_ROOT", "")
    if named:
        places.append((Path(named), 3))
    for folder in (_current(), home, home / "Documents", home / "Desktop"):
        if folder is not None:
            places += [(child, 3) for child in _named_like_an_instance(folder)]
    current = _current()
    if current is not None and current not in (home, Path(current.anchor)):
        places.append((current, 3))
    places += [(Path("/a0"), 2), (Path("/opt"), 3)]
    if sys.platform == "win32":
        places += [(child, 3) for child in _named_like_an_instance(Path("C:/"))]
    data = Path(os.environ.get("XDG_DATA_HOME") or home / ".local/share")
    volumes = (Path("/var/lib/docker/volumes"), data / "docker/volumes", data / "containers/storage/volumes")
    places += [(folder, 4) for folder in volumes]
    return [(place, depth) for place, depth in places if _is_there(place)]


def _current() -> Path | None:
    try:
        return Path.cwd()
    except OSError:
        return None


def _is_there(place: Path) -> bool:
    try:
        return place.is_dir()
    except OSError:
        return False


def _named_like_an_instance(folder: Path) -> Iterable[Path]:
    return [child for child in _folders_in(folder, unreadable=None) if _INSTANCE.match(child.name)]
