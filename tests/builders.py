"""Makes chats, roots and damaged files for tests: always below a temporary folder, never in a real root."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

CREATED = "2026-03-02T09:00:00+00:00"
FIRST_TIME = 1772442000.0  # the same instant in seconds


def message(content: object, *, ai: bool = False, id: str = "", **more: object) -> dict[str, Any]:
    """One history message; a text of the user becomes a `user_message`."""
    if not ai and isinstance(content, str):
        content = {"user_message": content}
    return {"_cls": "Message", "id": id, "ai": ai, "content": content, "summary": "", "tokens": 1} | more


def topic(messages: Iterable[object], summary: str = "") -> dict[str, Any]:
    """One topic of a history."""
    return {"_cls": "Topic", "summary": summary, "messages": list(messages)}


def bulk(records: Iterable[object], summary: str = "earlier") -> dict[str, Any]:
    """One bulk of a history."""
    return {"_cls": "Bulk", "summary": summary, "records": list(records)}


def history(
    messages: Sequence[object] = (), *, topics: Sequence[object] = (), bulks: Sequence[object] = (), **more: object
) -> str:
    """The text a history is stored as."""
    record = {
        "_cls": "History",
        "counter": len(messages),
        "bulks": list(bulks),
        "topics": list(topics),
        "current": topic(messages),
    }
    return json.dumps(record | more, ensure_ascii=False)


def item(no: object, type: str, content: object = "", **more: object) -> dict[str, Any]:
    """One log item, a minute after the one before."""
    time = FIRST_TIME + 60 * no if isinstance(no, int) else FIRST_TIME
    return {
        "no": no,
        "id": None,
        "type": type,
        "heading": "",
        "content": content,
        "kvps": {},
        "timestamp": time,
        "agentno": 0,
    } | more


def chat(
    id: str = "Chat0001",
    name: object = "Disk report",
    *,
    words: Sequence[str] = ("Is the disk full?", "Yes, 97 %."),
    agents: object = None,
    logs: Sequence[object] | None = None,
    **more: object,
) -> dict[str, Any]:
    """A chat as a dict: user and answer in turn, in log and history. Further top-level keys replace what is there."""
    messages = [message(text, ai=bool(place % 2), id=f"m{place}") for place, text in enumerate(words)]
    shown = [item(place, "response" if place % 2 else "user", text, id=f"m{place}") for place, text in enumerate(words)]
    made: dict[str, Any] = {
        "id": id,
        "name": name,
        "created_at": CREATED,
        "type": "user",
        "last_message": CREATED,
        "agents": [{"number": 0, "agent_profile": "agent0", "data": {}, "history": history(messages)}]
        if agents is None
        else agents,
        "streaming_agent": 0,
        "agent_profile": "agent0",
        "log": {
            "guid": "g-" + str(id),
            "logs": shown if logs is None else list(logs),
            "progress": "",
            "progress_no": 0,
        },
        "data": {},
        "output_data": {},
    }
    return made | more


def without(made: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    """The chat without these top-level keys."""
    return {key: value for key, value in made.items() if key not in keys}


def text_of(made: object) -> bytes:
    """The bytes Agent Zero would write."""
    return json.dumps(made, ensure_ascii=False).encode("utf-8", "surrogatepass")


def put(root: Path, folder: str, made: object, *, when: float | None = None, flat: bool = False) -> Path:
    """Write a chat (a dict, or bytes as they are) into the root; `when` is the file's time in seconds.

    Without `when` the file is an hour old, so that it does not count as live.
    """
    path = root / folder if flat else root / folder / "chat.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(made if isinstance(made, bytes) else text_of(made))
    age(path, when)
    return path


def age(path: Path, when: float | None = None) -> None:
    """Give a file the time `when`, an hour ago without one."""
    import time

    moment = time.time() - 3600 if when is None else when
    os.utime(path, (moment, moment))


def make_root(tmp_path: Path, chats: int = 3, *, below: str = "usr/chats") -> Path:
    """A root with `chats` small chats, Chat0000 the oldest."""
    import time

    root = tmp_path / below
    root.mkdir(parents=True, exist_ok=True)
    start = time.time() - 7200
    for number in range(chats):
        id = f"Chat{number:04d}"
        put(root, id, chat(id, f"Chat number {number}"), when=start + number)
    return root


def snapshot(root: Path) -> dict[str, tuple[Any, ...]]:
    """What a root holds: names, kinds, sizes, times and bytes; to prove that looking changed nothing."""
    found: dict[str, tuple[Any, ...]] = {}
    for folder, names, files in os.walk(root):
        for name in sorted([*names, *files]):
            path = Path(folder, name)
            stat = path.lstat()
            data = path.read_bytes() if path.is_file() and not path.is_symlink() and stat.st_size < 2**26 else b""
            found[str(path.relative_to(root))] = (stat.st_mode, stat.st_size, stat.st_mtime_ns, data)
    return found
