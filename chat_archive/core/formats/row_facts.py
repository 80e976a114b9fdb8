"""The facts of one list row from one read of the file: the typed decoder first, the tolerant reader for what it
refuses. No objects are made for messages (design 2, "two speeds")."""

from __future__ import annotations

from datetime import tzinfo

from chat_archive.core.formats.facts import RowFacts, facts_of
from chat_archive.core.formats.fast_row import fast_facts
from chat_archive.core.formats.reader import read_context

__all__ = ["RowFacts", "facts_of", "read_row_facts"]


def read_row_facts(data: bytes, *, folder: str, zone: tzinfo | None = None, flat: bool = False) -> RowFacts:
    """The facts of the chat in `data`. Raises `UnreadableError` only."""
    found = fast_facts(data, folder=folder, zone=zone, flat=flat)
    return found if found is not None else facts_of(read_context(data, folder=folder, zone=zone, flat=flat))
