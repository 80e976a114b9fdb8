"""Readers: from the bytes of a chat's file to an `AgentContext` or to the facts of a list row (format 1.1)."""

from chat_archive.core.formats.reader import read_context
from chat_archive.core.formats.row_facts import RowFacts, read_row_facts

__all__ = ["RowFacts", "read_context", "read_row_facts"]
