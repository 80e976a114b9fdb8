"""export, import, rename and convert, and what all commands that write have in common."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from chat_archive.cli.documents import Json, import_json, result_json
from chat_archive.cli.opening import Opener, StoppableProgress, all_rows, find_all
from chat_archive.cli.output import complain, counted, print_json, say, signal_line, size_text
from chat_archive.core.archive import Archive
from chat_archive.core.entities import Folder, ImportItem, OnConflict, OperationResult
from chat_archive.core.progress import Progress
from chat_archive.core.typed_path import plain_path

Work = Callable[[Progress], OperationResult]


@dataclass(frozen=True, slots=True)
class Sequel:
    """What followed an operation: `clean` when all of it was done, more for its JSON document, and lines to print."""

    clean: bool
    document: Json
    said: tuple[str, ...] = ()
    complained: tuple[str, ...] = ()


def export(arguments: Namespace, opener: Opener) -> int:
    archive = opener.one_of(arguments.root)
    if arguments.ids:
        folders, missing = find_all(archive, arguments.ids)
    else:
        with StoppableProgress() as progress:
            folders, missing = [row.folder for row in all_rows(archive, progress)], 0
    if not folders:
        return nothing(missing, "There are no chats to export.")
    target = Path(plain_path(arguments.to))
    return carry_out(
        arguments,
        archive,
        lambda progress: archive.export_json(
            folders, target, progress, strict=arguments.strict, overwrite=arguments.overwrite
        ),
        missing,
    )


def bring_in(arguments: Namespace, opener: Opener) -> int:
    dry = arguments.dry_run
    archive = opener.one_of(arguments.root, write=not dry, empty_is_fine=True)
    paths = [Path(plain_path(path)) for path in arguments.paths]
    with StoppableProgress() as progress:
        items = archive.preview_import(paths, progress)
    bad = [item for item in items if not item.importable]
    if dry:
        if arguments.json:
            print_json({"root": str(archive.root), "items": [import_json(item) for item in items]})
        else:
            _say_preview(items)
        for item in bad:
            complain(f"{item.source}: {item.reason}")
        return 1 if bad or not items else 0
    return carry_out(
        arguments,
        archive,
        lambda progress: archive.import_items(items, progress, on_conflict=OnConflict(arguments.on_conflict)),
    )


def _say_preview(items: Sequence[ImportItem]) -> None:
    for item in items:
        place = "" if item.index is None else f" [{item.index}]"
        say(f"{item.kind.value}: {item.title} ({item.source}{place}, {size_text(item.size)}). {item.reason}")
        for remark in (*item.remarks, *item.left_out):
            say(f"  {remark}")


def rename(arguments: Namespace, opener: Opener) -> int:
    archive = opener.one_of(arguments.root, write=True)
    folder = archive.find(arguments.id)
    return carry_out(arguments, archive, lambda progress: archive.rename(folder, arguments.name, progress))


def would_remove_messages(arguments: Namespace, archive: Archive, folders: Sequence[Folder], missing: int) -> int:
    """What `delete --messages-only` would take."""
    items = []
    for folder in folders:
        row = archive.row(folder)
        files = [file for file in archive.files(folder) if not file.missing and file.kind == "message"]
        size = sum(file.size for file in files)
        items.append({"id": row.id, "folder": folder, "title": row.title, "size": size, "files": len(files)})
        if not arguments.json:
            say(
                f"Would move the message files of {row.title} ({folder}) to the trash: "
                f"{counted(len(files), 'file', 'files')}, {size_text(size)}."
            )
    if arguments.json:
        print_json({"root": str(archive.root), "would_go": items})
    return 1 if missing else 0


def convert(arguments: Namespace, opener: Opener) -> int:
    archive = opener.one_of(arguments.root, write=not arguments.dry_run)
    items = archive.flat_files()
    wanted = [item for item in items if item.importable]
    if arguments.dry_run:
        if arguments.json:
            print_json({"root": str(archive.root), "items": [import_json(item) for item in items]})
        else:
            _say_preview(items)
            say(f"{counted(len(wanted), 'file', 'files')} would be moved into folders.")
        return 0
    if not wanted:
        return nothing(0, "There are no flat files to move into folders.")
    if not agreed(arguments, f"Move {counted(len(wanted), 'flat file', 'flat files')} into folders?"):
        return 2
    return carry_out(arguments, archive, archive.convert_flat)


def agreed(arguments: Namespace, question: str) -> bool:
    """--yes, or a yes typed on a terminal. Without either it is refused, with a sentence."""
    if arguments.yes:
        return True
    if not (sys.stdin is not None and sys.stdin.isatty()):
        complain(f"{question} Nothing was done: nobody can be asked here, so say --yes.")
        return False
    sys.stderr.write(question + " [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().casefold() in ("y", "yes"):
        return True
    complain("Nothing was done.")
    return False


def nothing(failed: int, text: str) -> int:
    if failed:
        return 1
    if text:
        complain(text)
    return 0


def carry_out(
    arguments: Namespace,
    archive: Archive,
    work: Work,
    missing: int = 0,
    then: Callable[[], Sequel | None] | None = None,
) -> int:
    """Run one operation and print what became of each item; 1 when one of them failed or was `missing` before.
    `then` goes on once its result is safe on disk."""
    signal_line("READY", arguments.ack)
    with StoppableProgress() as progress:
        result = work(progress)
    clean = not result.failed and not result.stopped and not missing
    signal_line("ACK", arguments.ack and clean)
    sequel = then() if then is not None and result.done else None
    if arguments.json:
        print_json({**result_json(archive.root, result), **(sequel.document if sequel is not None else {})})
    for item in result.items:
        if not item.ok:
            complain(f"{item.item}: {item.text}")
        elif not arguments.json:
            say(f"{item.item}: {item.text}")
    for line in (*result.remarks, *(sequel.said if sequel is not None else ())):
        if not arguments.json:
            say(line)
    for line in sequel.complained if sequel is not None else ():
        complain(line)
    if result.stopped:
        complain("Stopped. What was not reached is unchanged.")
    return 0 if clean and (sequel is None or sequel.clean) else 1
