"""The intent log of one root: what is about to happen is written and synced before it happens (D1, C2, W2a).

One JSON object a line: {"op", "verb", "state": "intent" | "done", "at", ...}. `at` is ISO 8601 in UTC. An intent
without its "done" is what recovery looks at. Lines hold ids, names of folders and hashes, never text of a chat.
"""

from __future__ import annotations

import contextlib
import json
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from chat_archive.core import files
from chat_archive.core.errors import ArchiveError, NotFoundError

Record = dict[str, object]

_MOST = 16 * 1024 * 1024  # bytes that are read; what is longer was not written here
_TOO_LONG = 256 * 1024  # bytes; a journal with nothing open is begun anew past this


class Journal:
    """Append-only; the file is made with the first record. Used under the workspace's change lock."""

    def __init__(self, path: Path, staging: Path) -> None:
        self.path = path
        self._staging = staging
        self._open: dict[str, Record] = {}
        self._spoiled = False
        self.doubtful = False  # lines that are no record were met: what was begun may not all be known
        self._written = 0  # bytes, by this process since the file was begun anew

    def load(self) -> bool:
        """Read the file and repair it: a torn last line is cut off, lines that are no record are passed over.

        True when something had to be repaired. A missing file is an empty journal. Raises `StorageError`.
        """
        self._open = {}
        self.doubtful = False
        try:
            data, _ = files.read_once(self.path.parent, self.path.name, limit=_MOST)
        except NotFoundError:
            return False
        whole = data[: data.rfind(b"\n") + 1]
        for line in whole.split(b"\n"):
            self._take(line)
        if len(whole) != len(data):
            files.cut_file(self.path, len(whole))
            return True
        return False

    def _take(self, line: bytes) -> None:
        if not line.strip():
            return
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            record = None
        if not isinstance(record, dict) or not isinstance(record.get("op"), str):
            self.doubtful = True
            return
        if record.get("state") == "intent":
            self._open[record["op"]] = record
        elif record.get("state") == "done":
            self._open.pop(record["op"], None)

    def set_aside(self) -> None:
        """Move what stands in the journal's place and is no readable file away, and begin anew; it is kept beside.
        Raises `StorageError`."""
        files.move_verified(self.path, self.path.with_name(f"{self.path.stem}.{uuid.uuid4().hex[:8]}.broken"))
        self._open = {}
        self.doubtful = True

    @property
    def unfinished(self) -> tuple[Record, ...]:
        """Intents without an end, oldest first."""
        return tuple(self._open.values())

    def intend(self, verb: str, details: Mapping[str, object]) -> str:
        """Write down what is about to happen, synced, and return the operation's id. Raises `StorageError`."""
        record: Record = {"op": uuid.uuid4().hex, "verb": verb, "state": "intent", "at": _now(), **details}
        self._append(record)
        self._open[str(record["op"])] = record
        return str(record["op"])

    def done(self, operation: str) -> None:
        """Note the end. Not being able to is no fault of the operation: recovery finds it finished, too."""
        self._open.pop(operation, None)
        with contextlib.suppress(ArchiveError):
            self._append({"op": operation, "state": "done"}, sync=False)
        if self._written > _TOO_LONG:
            self.trim()

    def trim(self) -> None:
        """Begin the file anew when nothing is open and it has become long."""
        if self._open:
            return
        with contextlib.suppress(ArchiveError):
            if files.fingerprint(self.path).size > _TOO_LONG:
                files.replace_atomic(self.path, b"", self._staging)
                self._written = 0

    def _append(self, record: Record, *, sync: bool = True) -> None:
        if self._spoiled:
            # a failed write or sync may have left anything behind the last good line: a new file is the only
            # sure one, and the same file is never synced again (W4)
            files.replace_atomic(self.path, b"".join(map(_line, self._open.values())), self._staging)
            self._spoiled = False
        line = _line(record)
        try:
            files.append(self.path, line, sync=sync)
            self._written += len(line)
        except ArchiveError:
            self._spoiled = True
            raise


def _line(record: Mapping[str, object]) -> bytes:
    return json.dumps(record).encode("ascii") + b"\n"


def _now() -> str:
    return datetime.now(UTC).isoformat()
