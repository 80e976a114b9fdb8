"""The account of a batch: each thing asked for ends up in it, done, failed, skipped or not reached."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from chat_archive.core.entities import Folder, ItemResult
from chat_archive.core.errors import ArchiveError, Cancelled
from chat_archive.core.progress import Progress

NOT_REACHED = "Stopped before this one; it stays as it was."


@dataclass(slots=True)
class Account:
    """`stopped` is set by `goes_on` when the person asked to stop; what is done stays done."""

    progress: Progress
    total: int
    items: list[ItemResult] = field(default_factory=list)
    stopped: bool = False
    remarks: list[str] = field(default_factory=list)

    def goes_on(self, item: str) -> bool:
        """Report before one item. False when the rest is not to be done."""
        if not self.stopped:
            try:
                self.progress.report(len(self.items), self.total, item)
            except Cancelled:
                self.stopped = True
        return not self.stopped

    def done(self, item: str, text: str, folder: Folder | None = None) -> None:
        self.items.append(ItemResult(item, True, text, folder))

    def failed(self, item: str, error: ArchiveError | str, folder: Folder | None = None) -> None:
        path = error.path if isinstance(error, ArchiveError) else None
        self.items.append(ItemResult(item, False, str(error), folder, path))

    def skipped(self, item: str, text: str, folder: Folder | None = None) -> None:
        self.items.append(ItemResult(item, True, text, folder, skipped=True))

    def not_reached(self, item: str, folder: Folder | None = None) -> None:
        self.skipped(item, NOT_REACHED, folder)

    def unsafe(self, folders: Sequence[Folder], error: ArchiveError) -> None:
        """What was done is done, but the disk could not make it safe: these items are told as failed."""
        wanted = set(folders)
        self.items = [
            ItemResult(item.item, False, f"{item.text} But the disk could not make that safe. {error}", item.folder)
            if item.ok and not item.skipped and item.folder in wanted
            else item
            for item in self.items
        ]

    def finish(self) -> None:
        """The last report; a wish to stop that comes now comes too late."""
        if not self.stopped:
            try:
                self.progress.report(self.total, self.total, "")
            except Cancelled:
                self.stopped = False
