"""Chats with responses at a provider, tasks and references, for the tests about deleting."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

from chat_archive.core.entities import Folder
from chat_archive.core.progress import NullProgress
from chat_archive.core.provider import outbox
from chat_archive.core.workspace import Workspace
from tests.builders import age, chat, put, text_of

QUIET = NullProgress()


def encoded(original: str, provider: str = "openai") -> str:
    """An id as LiteLLM wraps it (format 6.3)."""
    text = f"litellm:custom_llm_provider:{provider};model_id:None;response_id:{original}"
    return "resp_" + base64.b64encode(text.encode()).decode()


def agent(*ids: str, number: int = 0, key: str = "openai/gpt-5", **data: object) -> dict[str, Any]:
    state = {"response_ids": list(ids), "provider_model_key": key}
    return {"number": number, "agent_profile": "agent0", "data": {"responses_state": state, **data}, "history": ""}


def with_ids(id: str, *ids: str, name: str = "", **more: object) -> dict[str, Any]:
    return chat(id, name or f"Chat {id}", agents=[agent(*ids)], **more)


def put_backup(root: Path, folder: str, made: object) -> Path:
    path = root / folder / "backups" / "pre-compact-20260714-101500.json"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text_of(made))
    age(path)
    return path


def put_tasks(root: Path, *tasks: dict[str, Any], **more: object) -> Path:
    path = root.parent / "scheduler" / "tasks.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"tasks": list(tasks), **more}, indent=2))
    age(path)
    return path


def task(uuid: str, chat_id: str | None = None, name: str = "Weekly report", **more: object) -> dict[str, Any]:
    return {"uuid": uuid, "context_id": chat_id or uuid, "name": name, "type": "scheduled", "state": "idle", **more}


def of(*folders: str) -> list[Folder]:
    return [Folder(folder) for folder in folders]


def queue(workspace: Workspace) -> dict[tuple[str, str], str]:
    """(chat, original id) -> reason to keep, "" for what is to be deleted; the last line counts."""
    return {
        (str(r["chat"]), str(r["original"])): str(r["hold"] or r.get("shared", "")) for r in outbox.entries(workspace)
    }


def names(root: Path) -> list[str]:
    return sorted(p.name for p in root.iterdir() if p.name != ".chat-archive")


__all__ = ["Folder", "agent", "encoded", "names", "of", "put", "queue", "task", "with_ids"]
