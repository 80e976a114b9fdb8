"""What is damaged, duplicate, left over or expiring in a root. Changes nothing."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from datetime import datetime, tzinfo
from pathlib import Path

from chat_archive.core import files
from chat_archive.core.entities import ChatRow, CheckReport, Folder, Problem, Severity
from chat_archive.core.errors import ArchiveError
from chat_archive.core.layout import CHAT_FILE_NAME, PRIVATE_FOLDER, is_host_temporary
from chat_archive.core.progress import Progress
from chat_archive.core.row_reading import leftover_parses
from chat_archive.core.scan import scan_root
from chat_archive.core.siblings import read_surroundings
from chat_archive.core.workspace import Workspace

_DEEPEST = 6  # levels below the root searched for nested chats
_MOST_FOLDERS = 200_000


def check(workspace: Workspace, progress: Progress, *, zone: tzinfo | None = None) -> CheckReport:
    """Look at every chat and at what lies around them. Raises what the root itself raises, and `Cancelled`."""
    root = workspace.root
    rows: dict[Folder, ChatRow] = {}
    for row in scan_root(root, progress, zone=zone):
        rows[row.folder] = row
    problems = [("", problem) for problem in read_surroundings(root).problems]
    for row in rows.values():
        problems.extend((row.folder, problem) for problem in row.problems)
        problems.extend((row.folder, problem) for problem in _of_row(row))
    leftovers: list[str] = []
    for name, problem, left in _around(root, rows, progress):
        if problem is not None:
            problems.append((name, problem))
        leftovers.extend(left)
    return CheckReport(len(rows), tuple(problems), tuple(sorted(set(leftovers))))


def _of_row(row: ChatRow) -> Iterator[Problem]:
    if row.expires_at is not None:
        late = row.expires_at <= datetime.now(row.expires_at.tzinfo)
        said = "ran out" if late else "runs out"
        text = f"The chat's lifetime {said} at {row.expires_at:%Y-%m-%d %H:%M} UTC; then Agent Zero deletes it."
        yield Problem("expires", text, Severity.REMARK, "D-86")
    if row.flat:
        text = "A flat file of an old version; Agent Zero would move it at its next start."
        yield Problem("flat", text, Severity.REMARK, "D-06")


def _around(
    root: Path, rows: dict[Folder, ChatRow], progress: Progress
) -> Iterator[tuple[str, Problem | None, list[str]]]:
    """(entry, what, leftovers) for entries that are no chats, and for leftovers in the folders of chats."""
    with files.place(root) as here:
        names = sorted(here.names())
    for done, name in enumerate(names):
        progress.report(done, len(names), name)
        if name == PRIVATE_FOLDER:
            continue
        if name == ".json":
            text = "A file named .json: Agent Zero would move it into the root itself."
            yield name, Problem("dot-json", text, Severity.REMARK, "D-05"), []
            continue
        found = _Found()
        _search(root, (name,), found)
        left = ["/".join(parts) for parts in found.leftovers]
        for parts in found.leftovers:
            yield name, _leftover(root, parts), []
        for parts in found.nested:
            text = f"A chat lies deeper, in {'/'.join(parts)}; Agent Zero does not list it."
            yield name, Problem("nested", text[:300], Severity.REMARK, "D-09"), ["/".join(parts)]
        if name not in rows and found.is_folder and found.only_messages:
            text = "A folder without chat.json that holds only messages: its chat is gone or was never saved."
            yield name, Problem("orphan", text, Severity.REMARK, "D-50"), [name]
        yield name, None, left


class _Found:
    """What lies below one entry of the root."""

    def __init__(self) -> None:
        self.is_folder = False
        self.only_messages = False
        self.leftovers: list[tuple[str, ...]] = []
        self.nested: list[tuple[str, ...]] = []


def _search(root: Path, top: tuple[str, ...], found: _Found) -> None:
    """Walk the folders below `top`, bounded, following no link; a folder that cannot be read is passed over here,
    the row of its chat tells it."""
    waiting = [top]
    seen = 0
    while waiting and seen < _MOST_FOLDERS:
        parts = waiting.pop()
        seen += 1
        try:
            with files.place(root, *parts) as here:
                names = here.names()
                folders = [name for name in names if _is_folder(here, name)]
        except (OSError, ArchiveError):
            continue
        if parts == top:
            found.is_folder = True
            found.only_messages = names == ["messages"]
        found.leftovers += [(*parts, name) for name in names if is_host_temporary(name) and name not in folders]
        if parts != top and CHAT_FILE_NAME in names and CHAT_FILE_NAME not in folders:
            found.nested.append(parts)
        if len(parts) < _DEEPEST:
            waiting += [(*parts, name) for name in folders if name != CHAT_FILE_NAME]


def _is_folder(here: files.Place, name: str) -> bool:
    try:
        return stat.S_ISDIR(here.lstat(name).st_mode)
    except OSError:
        return False


def _leftover(root: Path, parts: tuple[str, ...]) -> Problem:
    whole = len(parts) == 2 and leftover_parses(root, parts[0], parts[1])
    said = "it is a whole chat" if whole else "it is not a whole chat"
    return Problem("leftover", f"{parts[-1]} is left from an interrupted save; {said}.", Severity.REMARK, "D-21")
