#!/usr/bin/env python3
"""The writing operations as the crash harnesses run them: one change, READY before it, ACK when it is safe.

    ops.py OP WORK

OP: seed (makes WORK), save, save-new, rename, trash, restore, restore-as, messages, erase, delete, empty, import,
recover.
Each works on WORK/usr/chats, prints READY when it begins to work and ACK when a person would be told "done", and
exits with 1 and a sentence on stderr when it was refused. Everything is imported before READY, so that a fault hits
the operation and not the start of the interpreter.
"""

from __future__ import annotations

import importlib
import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from chat_archive.core import files, recovery
from chat_archive.core.deletion import DeleteChoices
from chat_archive.core.entities import Folder, OperationResult, TrashId
from chat_archive.core.errors import ArchiveError
from chat_archive.core.operations import delete, erase, erase_resume, message_files, rename, trash, trash_slots, undo
from chat_archive.core.progress import NullProgress
from chat_archive.core.workspace import Workspace

__all__ = ["erase_resume", "files", "recovery", "trash_slots", "undo"]  # loaded before READY
QUIET = NullProgress()
NEW_NAME = "New name"


def chat(number: int) -> dict[str, object]:
    """A chat in the shape Agent Zero writes, with response ids in its agent's state."""
    ident = f"Chat{number:04d}"
    logs = [
        {"no": k, "id": f"l{k}", "type": "agent", "heading": "", "content": f"text {k} " * 20, "kvps": {}}
        for k in range(20)
    ]
    state = {"response_ids": [f"resp_{number}_{k:02d}" for k in range(8)]}
    history = {
        "_cls": "History",
        "counter": 0,
        "bulks": [],
        "topics": [],
        "current": {"_cls": "Topic", "summary": "", "messages": []},
    }
    return {
        "id": ident,
        "name": f"Old name {number}",
        "created_at": "2026-07-01T09:30:00.120000+02:00",
        "type": "user",
        "last_message": "2026-07-01T09:41:12+02:00",
        "agents": [
            {"number": 0, "agent_profile": "agent0", "data": {"responses_state": state}, "history": json.dumps(history)}
        ],
        "streaming_agent": 0,
        "agent_profile": "agent0",
        "log": {"guid": "g", "logs": logs, "progress": "Waiting for input", "progress_no": 0},
        "data": {"number": 12345678901234567890},
        "output_data": {},
    }


def seed(work: Path) -> None:
    chats = work / "usr" / "chats"
    for number in range(1, 5):
        folder = chats / f"Chat{number:04d}"
        (folder / "messages").mkdir(parents=True)
        (folder / "chat.json").write_text(json.dumps(chat(number), ensure_ascii=False), encoding="utf-8")
        for k in (1, 2):
            (folder / "messages" / f"{k}.txt").write_text(f"tool output {number} {k} " * 60)
        for path in [folder, *folder.rglob("*")]:
            os.utime(path, (1_700_000_000, 1_700_000_000))
    (work / "incoming").mkdir()
    shutil.copytree(chats / "Chat0004", work / "incoming" / "Chat0009")
    path = work / "incoming" / "Chat0009" / "chat.json"
    path.write_text(path.read_text().replace("Chat0004", "Chat0009"))
    (work / "usr" / "settings.json").write_text("{}")
    tasks = [{"uuid": f"Chat{n:04d}", "context_id": f"Chat{n:04d}", "name": f"Task {n}"} for n in (1, 3)]
    (work / "usr" / "scheduler").mkdir()
    path = work / "usr" / "scheduler" / "tasks.json"
    path.write_text(json.dumps({"tasks": tasks}))
    os.utime(path, (1_700_000_000, 1_700_000_000))


def root_of(work: Path) -> Path:
    return work / "usr" / "chats"


def tell(result: OperationResult) -> None:
    for item in result.failed:
        raise ArchiveError(item.text)


def do_save(work: Path) -> None:
    from chat_archive.core import persist_chat
    from chat_archive.core.archive import Archive

    archive = Archive.open(root_of(work))
    persist_chat.use(archive)
    context = archive.load(Folder("Chat0001"))
    context.name = NEW_NAME
    persist_chat.save_tmp_chat(context)


def do_save_new(work: Path) -> None:
    """A chat that has no folder yet."""
    data, _ = files.read_once(work, "incoming", "Chat0009", "chat.json")
    workspace = Workspace.open(root_of(work))
    files.save_beside(workspace, "Chat0009", data)


def do_rename(work: Path) -> None:
    tell(rename.rename(Workspace.open(root_of(work)), Folder("Chat0001"), NEW_NAME, QUIET))


def do_trash(work: Path) -> None:
    folders = [Folder("Chat0001"), Folder("Chat0002")]
    tell(trash.trash(Workspace.open(root_of(work)), folders, QUIET))


def do_trash_one(work: Path) -> None:
    tell(trash.trash(Workspace.open(root_of(work)), [Folder("Chat0001")], QUIET))


def do_restore(work: Path) -> None:
    workspace = Workspace.open(root_of(work))
    tell(trash.restore(workspace, [e.id for e in trash.entries(workspace)], QUIET))


def do_messages(work: Path) -> None:
    tell(message_files.remove(Workspace.open(root_of(work)), [Folder("Chat0001")], QUIET))


def do_erase(work: Path) -> None:
    tell(erase.erase(Workspace.open(root_of(work)), Folder("Chat0001")))


def do_delete(work: Path) -> None:
    """Two chats for good, with the scheduled task bound to one of them."""
    choices = DeleteChoices(for_good=True, tasks="remove")
    folders = [Folder("Chat0001"), Folder("Chat0002")]
    tell(delete.delete(Workspace.open(root_of(work)), folders, choices, QUIET))


def do_empty(work: Path) -> None:
    workspace = Workspace.open(root_of(work))
    tell(trash.empty(workspace, [TrashId(e.id) for e in trash.entries(workspace)], QUIET))


def do_import(work: Path) -> None:
    from chat_archive.core.archive import Archive

    archive = Archive.open(root_of(work))
    tell(archive.import_items(archive.preview_import([work / "incoming" / "Chat0009"])))


def do_recover(work: Path) -> None:
    Workspace.open(root_of(work)).close()


OPERATIONS = {
    "save": do_save,
    "save-new": do_save_new,
    "rename": do_rename,
    "trash": do_trash,
    "trash-one": do_trash_one,
    "restore": do_restore,
    "restore-as": do_restore,
    "messages": do_messages,
    "erase": do_erase,
    "delete": do_delete,
    "empty": do_empty,
    "import": do_import,
    "recover": do_recover,
}


WHOLE_CORE = ("save", "import")


def main(argv: list[str]) -> int:
    os.umask(0o077)
    operation, work = argv[0], Path(argv[1])
    if operation == "seed":
        seed(work)
        return 0
    if operation in WHOLE_CORE:
        # only these need all of it, and a traced start costs some milliseconds a module
        for module in ("persist_chat", "model.history_reading"):
            importlib.import_module(f"chat_archive.core.{module}")
    print("READY", flush=True)
    try:
        OPERATIONS[operation](work)
    except ArchiveError as error:
        print(f"could not {operation}: {error}", file=sys.stderr)
        return 1
    print("ACK", flush=True)
    return 0


def _runner(operation: str) -> Callable[[str], None]:
    def run(work: str) -> None:
        if main([operation, work]):
            raise SystemExit(1)

    return run


# run_save, run_rename and so on: what a harness calls in a forked child, some fifty times as fast as a command
globals().update({f"run_{name.replace('-', '_')}": _runner(name) for name in OPERATIONS})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
