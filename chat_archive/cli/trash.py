"""trash: look into it, bring chats back, empty it, erase what is past its date."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Sequence

from chat_archive.cli.documents import entry_json
from chat_archive.cli.opening import Opener
from chat_archive.cli.output import complain, counted, print_json, say, size_text, table
from chat_archive.cli.responses import bases_are_good, send_responses
from chat_archive.cli.showing import when
from chat_archive.cli.writing import agreed, carry_out, nothing
from chat_archive.core.archive import Archive
from chat_archive.core.entities import TrashEntry


def trash(arguments: Namespace, opener: Opener) -> int:
    if not bases_are_good(arguments):
        return 2
    archive = opener.one_of(arguments.root, write=arguments.action != "list")
    if arguments.action == "purge":
        due = archive.due_for_purge()
        if not due:
            return nothing(0, "Nothing in the trash is past its date.")
        _say_trash(archive, due)
        if not agreed(arguments, f"Erase {counted(len(due), 'chat', 'chats')} past their date for good?"):
            return 2
        return carry_out(
            arguments,
            archive,
            lambda progress: archive.purge_due(due, progress),
            then=lambda: send_responses(arguments, archive, {entry.folder for entry in due}),
        )
    entries = archive.trash_entries()
    if arguments.action == "list":
        if arguments.json:
            print_json({"root": str(archive.root), "entries": [entry_json(entry) for entry in entries]})
        else:
            _say_trash(archive, entries)
        return 0
    if arguments.action == "restore" and not arguments.ids:
        complain("Name the entries to restore; “trash ROOT list” shows them.")
        return 2
    chosen, missing = _entries_named(entries, arguments.ids) if arguments.ids else (entries, 0)
    if not chosen:
        return nothing(missing, "The trash is empty.")
    ids = [entry.id for entry in chosen]
    if arguments.action == "restore":
        return carry_out(arguments, archive, lambda progress: archive.restore(ids, progress), missing)
    chats = counted(len(chosen), "chat", "chats")
    if not agreed(arguments, f"Erase {chats} from the trash of {archive.root} for good? This cannot be undone."):
        return 2
    return carry_out(
        arguments,
        archive,
        lambda progress: archive.empty_trash(ids, progress),
        missing,
        then=lambda: send_responses(arguments, archive, {entry.folder for entry in chosen}),
    )


def _say_trash(archive: Archive, entries: Sequence[TrashEntry]) -> None:
    if entries:
        lines = [["ENTRY", "FOLDER", "NAME", "TRASHED", "KEPT UNTIL", "FILES", "SIZE"]]
        for entry in entries:
            until = "for ever" if entry.purge_at is None else when(entry.purge_at, archive.zone)
            moved = when(entry.trashed_at, archive.zone)
            lines.append([entry.id, entry.folder, entry.title, moved, until, f"{entry.files:,}", size_text(entry.size)])
        for line in table(lines, right=frozenset({5, 6})):
            say(line)
    say(f"{counted(len(entries), 'chat', 'chats')} in the trash of {archive.root}")


def _entries_named(entries: Sequence[TrashEntry], names: Iterable[str]) -> tuple[list[TrashEntry], int]:
    """Entries by their own id, else by the folder they came from when only one did."""
    chosen: dict[str, TrashEntry] = {}
    failed = 0
    for name in names:
        found = [entry for entry in entries if entry.id == name] or [entry for entry in entries if entry.folder == name]
        if len(found) == 1:
            chosen[found[0].id] = found[0]
            continue
        failed += 1
        if found:
            ids = ", ".join(entry.id for entry in found)
            complain(f"{name}: several chats in the trash came from this folder. Name one of the entries {ids}.")
        else:
            complain(f"{name}: there is no such chat in the trash.")
    return list(chosen.values()), failed
