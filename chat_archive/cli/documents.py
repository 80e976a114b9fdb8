"""The JSON documents of the commands that write. `list` and `show` have theirs in `core/report.py`."""

from __future__ import annotations

from pathlib import Path

from chat_archive.core.entities import ImportItem, OperationResult, TrashEntry
from chat_archive.core.operations.tidy import TidyItem
from chat_archive.core.provider.receipts import Receipt

Json = dict[str, object]


def result_json(root: Path, result: OperationResult) -> Json:
    """What became of each item of an operation."""
    return {
        "root": str(root),
        "verb": result.verb,
        "items": [
            {
                "item": item.item,
                "ok": item.ok,
                "skipped": item.skipped,
                "text": item.text,
                "folder": item.folder,
                "path": None if item.path is None else str(item.path),
            }
            for item in result.items
        ],
        "stopped": result.stopped,
        "remarks": list(result.remarks),
    }


def import_json(item: ImportItem) -> Json:
    """What one file to import is; instants in ISO 8601, unknown ones null."""
    return {
        "source": str(item.source),
        "index": item.index,
        "kind": item.kind.value,
        "id": item.id,
        "title": item.title,
        "reason": item.reason,
        "importable": item.importable,
        "created_at": item.created_at.iso(),
        "last_activity": None if item.last_activity is None else item.last_activity.isoformat(),
        "agents": item.agents,
        "log_items": item.log_items,
        "messages": item.messages,
        "size": item.size,
        "files": item.files,
        "left_out": list(item.left_out),
        "remarks": list(item.remarks),
    }


def receipt_json(receipt: Receipt) -> Json:
    """What is known of one response kept at a provider."""
    return {
        "entry": receipt.entry,
        "id": receipt.response_id,
        "original": receipt.original,
        "provider": receipt.provider,
        "model": receipt.model,
        "base": receipt.base,
        "chats": list(receipt.chats),
        "state": receipt.state.value,
        "reason": receipt.reason,
        "noted_at": None if receipt.noted_at is None else receipt.noted_at.isoformat(),
        "changed_at": None if receipt.changed_at is None else receipt.changed_at.isoformat(),
        "attempts": receipt.attempts,
        "status": receipt.status,
        "next_try": None if receipt.next_try is None else receipt.next_try.isoformat(),
    }


def entry_json(entry: TrashEntry) -> Json:
    """One chat in the trash."""
    return {
        "id": entry.id,
        "folder": entry.folder,
        "title": entry.title,
        "trashed_at": entry.trashed_at.isoformat(),
        "purge_at": None if entry.purge_at is None else entry.purge_at.isoformat(),
        "size": entry.size,
        "files": entry.files,
    }


def tidy_json(item: TidyItem) -> Json:
    """One thing that can be tidied away."""
    return {
        "kind": item.kind.value,
        "folder": item.folder,
        "file": item.name or None,
        "title": item.title,
        "size": item.size,
        "text": item.text,
    }
