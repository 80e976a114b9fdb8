"""Errors fit to show, and the one that is none: being stopped.

An `ArchiveError` carries whole sentences: what happened, to which file, what one can do next. Anything else that is
raised is a fault of this program and is reported as one.
"""

from __future__ import annotations

from pathlib import Path


class ArchiveError(Exception):
    """Something a person can understand and act on.

    `what` is a whole sentence without the path, `path` the file or folder it is about, `next_step` a sentence that
    says what to do, or "". None of them ever holds text of a chat, a key or a header.
    """

    def __init__(self, what: str, *, path: Path | str | None = None, next_step: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.path = Path(path) if path is not None else None
        self.next_step = next_step

    def __str__(self) -> str:
        parts = [self.what]
        if self.path is not None:
            parts.append(f"({self.path})")
        if self.next_step:
            parts.append(self.next_step)
        return " ".join(parts)


class BadIdError(ArchiveError):
    """An id that is not one plain path component inside the root (D-07 to D-09)."""


class UnreadableError(ArchiveError):
    """Bytes that could not be turned into a chat; `kind` names how (D-94), `offset` the byte where it ends, or None."""

    def __init__(
        self,
        what: str,
        *,
        kind: str,
        offset: int | None = None,
        path: Path | str | None = None,
        next_step: str = "",
    ) -> None:
        super().__init__(what, path=path, next_step=next_step)
        self.kind = kind
        self.offset = offset


class NotFoundError(ArchiveError):
    """No such chat, trash record or root."""


class BusyError(ArchiveError):
    """The host or another window is writing here; nothing was changed."""


class ReadOnlyError(ArchiveError):
    """The root cannot be written, or was opened to look only."""


class ConflictError(ArchiveError):
    """The place is taken, or the file changed since it was looked at; nothing was overwritten."""


class StorageError(ArchiveError):
    """The disk refused: full, no permission, I/O error. The old state stays."""


class Cancelled(Exception):  # noqa: N818 - being stopped is no error
    """The person asked to stop; whole items are done, the rest is untouched."""
