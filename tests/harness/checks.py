"""What must hold after a crash, for the operations that the general check of a root has no words for.

Each function takes (work, acked, rc) as the harnesses call it, and reads its settings from the file that the variable
CHECK_CONFIG names: those of the general check, the folder of the tools, and the pristine seed.
"""

from __future__ import annotations

import importlib.util
import json
import os
from pathlib import Path
from typing import Any

PRIVATE = Path("usr/chats/.chat-archive")
Tree = dict[str, Any]


def _settings() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(Path(os.environ["CHECK_CONFIG"]).read_text())
    return loaded


def _general() -> Any:
    spec = importlib.util.spec_from_file_location("check_root", Path(_settings()["tools"]) / "check_root.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def restore(work: str, acked: bool, rc: int) -> list[str]:
    """Chats are whole in the trash or in the root, never both; after ACK in the root."""
    settings, general = _settings(), _general()
    problems: list[str] = general.inspect(settings, work, False)
    for chat in settings["trashed"]:
        if acked and not (Path(work) / "usr/chats" / chat).is_dir():
            problems.append(f"{chat}: ACK, but not back")
    return problems


def restore_as(work: str, acked: bool, rc: int) -> list[str]:
    """The chat that took the place is untouched; the other is whole in the trash to the byte, or in the root under a
    new id that its file says too."""
    general, pristine = _general(), Path(_settings()["pristine"])
    root = Path(work) / "usr/chats"
    problems: list[str] = []
    want = general.tree(str(pristine / "usr/chats/Chat0001"))
    taken = general.tree(str(pristine / "usr/chats/Chat0002"))
    if general.tree(str(root / "Chat0001")) != taken:
        problems.append("the chat that took the place was changed")
    in_trash = list((Path(work) / PRIVATE / "trash").glob("*/chats/Chat0001"))
    new = [
        p
        for p in root.iterdir()
        if p.is_dir() and p.name not in ("Chat0001", "Chat0002", "Chat0003", "Chat0004", PRIVATE.name)
    ]
    if len(in_trash) + len(new) != 1:
        problems.append(f"in the trash: {len(in_trash)}, in the root under a new id: {len(new)}")
    problems += ["in the trash, but changed" for path in in_trash if general.tree(str(path)) != want]
    for path in new:
        files: Tree = general.tree(str(path))
        here, before = json.loads(files.pop("chat.json")), json.loads(want["chat.json"])
        if here.pop("id") != path.name or before.pop("id") != "Chat0001" or here != before:
            problems.append("back, but more than the id changed")
        if files != {name: data for name, data in want.items() if name != "chat.json"}:
            problems.append("back, but other files changed")
    if acked and not new:
        problems.append("ACK, but not back")
    return problems + _nothing_left(general, work)


def messages(work: str, acked: bool, rc: int) -> list[str]:
    """The message files are whole in the chat or whole in the trash; the chat itself is untouched."""
    general, pristine = _general(), Path(_settings()["pristine"])
    chat = Path(work) / "usr/chats/Chat0001"
    want = general.tree(str(pristine / "usr/chats/Chat0001"))
    moved = list((Path(work) / PRIVATE / "trash").glob("*/messages/Chat0001"))
    here: Tree = general.tree(str(chat))
    for path in moved:
        here.update({f"messages/{name}": data for name, data in general.tree(str(path)).items()})
    problems = [] if here == want else ["the chat or its message files are not whole"]
    if len(moved) + (chat / "messages").is_dir() != 1:
        problems.append(f"in the trash: {len(moved)}, in the chat: {(chat / 'messages').is_dir()}")
    if acked and not moved:
        problems.append("ACK, but still there")
    for name in ("Chat0002", "Chat0003", "Chat0004"):
        if general.tree(str(chat.parent / name)) != general.tree(str(pristine / "usr/chats" / name)):
            problems.append(f"{name}: changed, and not even touched")
    return problems + _nothing_left(general, work)


def delete(work: str, acked: bool, rc: int) -> list[str]:
    """As the general check says of purged chats; the tasks file is whole, other chats' tasks stay, and after ACK the
    tasks of the chats that went are gone. A chat that stayed after a crash keeps its responses."""
    settings, general = _settings(), _general()
    may_change = [*settings.get("private", []), "usr/scheduler"]
    problems: list[str] = general.inspect({**settings, "private": may_change}, work, acked)
    try:
        tasks = json.loads((Path(work) / "usr/scheduler/tasks.json").read_bytes())["tasks"]
    except (OSError, ValueError, KeyError) as error:
        return [*problems, f"the scheduled tasks are not whole: {error}"]
    left = [task["uuid"] for task in tasks]
    if "Chat0003" not in left or tasks[-1] != {"uuid": "Chat0003", "context_id": "Chat0003", "name": "Task 3"}:
        problems.append("the task of another chat was touched")
    if acked and "Chat0001" in left:
        problems.append("ACK, but the task is still there")
    return problems


def _nothing_left(general: Any, work: str) -> list[str]:
    return [f"left over: {name}" for name in general.tree(work) if name.endswith((".tmp", ".part", "~"))]
