"""The two siblings of a chats root that are read with it, and nothing else beside the root (V7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from chat_archive.core import files
from chat_archive.core.entities import Problem, Severity
from chat_archive.core.errors import ArchiveError, NotFoundError
from chat_archive.core.layout import SIDE_FILE_NAME
from chat_archive.core.model import raw
from chat_archive.core.model.raw import PartError

_LIMIT = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Names of the side file by chat id, ids that are chats of scheduled tasks (1.6), and what could not be read."""

    names: Mapping[str, str] = field(default_factory=dict)
    tasks: frozenset[str] = frozenset()
    problems: tuple[Problem, ...] = ()


def read_surroundings(root: Path) -> Surroundings:
    """What stands beside the root. Never raises; a file that is there and no JSON is reported once and ignored."""
    problems: list[Problem] = []
    names = _read(root, (SIDE_FILE_NAME,), "side-file", problems)
    tasks = _read(root, ("scheduler", "tasks.json"), "tasks-file", problems)
    return Surroundings(_names(names), _task_ids(tasks), tuple(problems))


def _read(root: Path, parts: tuple[str, ...], code: str, problems: list[Problem]) -> Any:
    said = "/".join(parts)
    try:
        data, _ = files.read_once(root.parent, *parts, limit=_LIMIT)
        return raw.decode_json(data.removeprefix(b"\xef\xbb\xbf"))
    except NotFoundError:
        return None
    except PartError as error:
        text = f"{said} beside the chats is not JSON ({error.what}); it is ignored."
    except ArchiveError as error:
        text = f"{said} beside the chats is ignored. {error.what}"
    problems.append(Problem(code, text, Severity.REMARK))
    return None


def _names(value: Any) -> dict[str, str]:
    if not isinstance(value, dict):
        return {}
    return {key: name for key, name in value.items() if isinstance(name, str) and name.strip()}


def _task_ids(value: Any) -> frozenset[str]:
    listed = value.get("tasks") if isinstance(value, dict) else value
    found = set()
    for task in listed if isinstance(listed, list) else ():
        uuid = task.get("uuid") if isinstance(task, dict) else None
        if isinstance(uuid, str) and uuid and task.get("context_id") in (None, "", uuid):
            found.add(uuid)
    return frozenset(found)
