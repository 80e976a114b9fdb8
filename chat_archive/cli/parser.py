"""What can be typed. An option is here only when it does something."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Protocol

from chat_archive import __version__

COMMANDS = (
    "gui",
    "list",
    "show",
    "export",
    "import",
    "rename",
    "delete",
    "trash",
    "tidy",
    "undo",
    "convert",
    "provider",
    "check",
)

_MANY = {"export": "ids", "delete": "ids", "trash": "ids", "import": "paths"}
"""The argument of a command that may be given several times."""


class _Add(Protocol):
    def __call__(self, name: str, text: str, *, root: bool = True) -> argparse.ArgumentParser: ...


_EPILOG = """\
Exit status: 0 all done, 1 some items failed (each named on stderr), 2 wrong use, 3 the archive cannot be opened.

ROOT is the folder of the chats (usually .../usr/chats), or one that leads there: an Agent Zero installation, a mounted
volume, a chat's own folder or its chat.json. ID is a chat's id or the name of its folder.
"""


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """The command and its arguments. Exits with 2 for wrong use, with 0 after --help and --version.

    Without a command it is `gui`: `chat-archive`, `chat-archive ROOT` and `chat-archive --sample` open the window.
    """
    words = list(argv)
    own = ("-h", "--help", "--version")
    first = next((word for word in words if word != "--debug"), "")
    if first not in COMMANDS and first not in own:
        place = words.index("--debug") + 1 if words[:1] == ["--debug"] else 0
        words.insert(place, "gui")
    parser = _parser()
    arguments, rest = parser.parse_known_args(words)
    # argparse takes names only up to the first option after ROOT: `export ROOT --to PATH ID` would be refused
    many = _MANY.get(arguments.command)
    unknown = [word for word in rest if many is None or word.startswith("-")]
    if unknown:
        parser.error(f"unrecognized arguments: {' '.join(unknown)}")
    if many is not None:
        setattr(arguments, many, [*getattr(arguments, many), *rest])
    return arguments


def _parser() -> argparse.ArgumentParser:
    shape = argparse.RawDescriptionHelpFormatter
    debug = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    debug.add_argument("--debug", action="store_true", help="show where a fault of this program happened")
    parser = argparse.ArgumentParser(
        prog="chat-archive",
        description="Find, read, keep, move and remove the chats an Agent Zero installation has saved.",
        epilog=_EPILOG,
        formatter_class=shape,
        allow_abbrev=False,
        parents=[debug],
    )
    parser.add_argument("--version", action="version", version=f"Chat Archive {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)

    def add(name: str, text: str, *, root: bool = True) -> argparse.ArgumentParser:
        command = commands.add_parser(
            name, help=text, description=text[:1].upper() + text[1:] + ".", formatter_class=shape, allow_abbrev=False
        )
        command.add_argument("--debug", action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
        if root:
            command.add_argument("root", metavar="ROOT")
        return command

    gui = add("gui", "open the window (the default)", root=False)
    gui.add_argument("root", metavar="ROOT", nargs="?", help="the folder to open; without it the last one")
    gui.add_argument("--sample", action="store_true", help="open a copy of the sample archive")
    gui.add_argument("--quit-when-shown", action="store_true", help="close after the first paint, to test a set-up")

    _reading(add)
    _taking_along(add)
    _changing(add)
    _letting_go(add)
    return parser


def _reading(add: _Add) -> None:
    listing = add("list", "list the chats")
    listing.add_argument(
        "--sort",
        metavar="KEY",
        default="activity",
        help="activity, created, name, id, agents, profile, project, log, messages, progress, size or state; "
        "--sort=-KEY turns the order round",
    )
    listing.add_argument(
        "--filter", metavar="QUERY", default="", help="only chats with these words in name, profile, project or id"
    )
    _json(listing)

    show = add("show", "print one chat")
    show.add_argument("id", metavar="ID")
    show.add_argument("--format", choices=("text", "markdown", "json"), default="text")
    show.add_argument("--agent", metavar="N", type=int, help="only what the agent with this number said and did")
    show.add_argument("--history", action="store_true", help="what the model saw instead of what people saw")

    check = add("check", "say what is damaged, duplicate, left over or expiring; changes nothing")
    _json(check)


def _taking_along(add: _Add) -> None:
    export = add("export", "copy chats out as Agent Zero's own JSON")
    export.add_argument("ids", metavar="ID", nargs="*", help="the chats; without any, all of them")
    export.add_argument("--to", metavar="PATH", required=True, help="a folder, or a new file for a single chat")
    export.add_argument("--format", choices=("json",), default="json")
    export.add_argument(
        "--strict", action="store_true", help="rewrite to what every JSON reader accepts instead of copying the bytes"
    )
    export.add_argument("--overwrite", action="store_true", help="replace files of the same name")
    _json(export)
    _ack(export)

    bring = add("import", "bring in .json files and chat folders")
    bring.add_argument("paths", metavar="PATH", nargs="+")
    bring.add_argument(
        "--on-conflict",
        choices=("skip", "update", "keep-both"),
        default="skip",
        help="when the id belongs to a different chat here (default: skip)",
    )
    bring.add_argument("--dry-run", action="store_true", help="say what each is, write nothing")
    _json(bring)
    _ack(bring)


def _changing(add: _Add) -> None:
    rename = add("rename", "give a chat a name, in its file")
    rename.add_argument("id", metavar="ID")
    rename.add_argument("name", metavar="NAME")
    _json(rename)
    _ack(rename)

    delete = add("delete", "move chats to the trash, or erase them for good")
    delete.add_argument("ids", metavar="ID", nargs="+")
    delete.add_argument("--messages-only", action="store_true", help="only the messages folder of each chat")
    delete.add_argument("--for-good", action="store_true", help="erase them now; nothing brings them back")
    delete.add_argument(
        "--provider-responses",
        choices=("delete", "keep"),
        help="what becomes of responses stored at the model provider (default: as last chosen, at first delete); "
        "of trashed chats when the trash is emptied",
    )
    delete.add_argument(
        "--even-if-kept", action="store_true", help="delete them although the chat itself says to keep them"
    )
    delete.add_argument("--even-if-shared", action="store_true", help="delete them although other chats use them too")
    delete.add_argument(
        "--tasks",
        choices=("remove", "keep"),
        help="what becomes of scheduled tasks bound to them (default: as last chosen, at first keep)",
    )
    _keys(delete, "at the provider: ")
    _careful(delete, "say what would go, change nothing")

    trash = add("trash", "look into the trash, bring chats back, empty it, or erase what is past its date")
    trash.add_argument("action", choices=("list", "restore", "empty", "purge"))
    trash.add_argument(
        "ids", metavar="ID", nargs="*", help="for restore and empty: entries of the trash by id or folder name"
    )
    trash.add_argument("--yes", action="store_true", help="do not ask before emptying")
    _keys(trash, "for empty and purge, at the provider: ")
    _json(trash)
    _ack(trash)

    tidy = add("tidy", "move expired chats, files of interrupted saves and folders without a chat to the trash")
    tidy.add_argument("--expired", action="store_true", help="only chats whose lifetime ran out")
    tidy.add_argument("--leftovers", action="store_true", help="only left files and folders without a chat")
    _careful(tidy, "say what would go, change nothing")

    undo = add("undo", "bring back what the last deletion moved to the trash")
    _json(undo)
    _ack(undo)

    convert = add("convert", "move flat files of Agent Zero 0.7 and 0.8 into folders")
    _careful(convert, "say what would be moved, change nothing")


def _letting_go(add: _Add) -> None:
    provider = add("provider", "see and work through the responses that erased chats left at a model provider")
    provider.add_argument("action", choices=("list", "retry", "forget"))
    provider.add_argument("ids", metavar="ID", nargs="*", help="entries of the queue, or ids of responses")
    _keys(provider, "for retry: ")
    provider.add_argument(
        "--even-shared", action="store_true", help="for retry with ID: also delete what another chat still uses"
    )
    provider.add_argument("--csv", action="store_true", help="for list: print a table for a spreadsheet")
    provider.add_argument("--yes", action="store_true", help="for forget: do not ask")
    _json(provider)
    _ack(provider)


def _keys(parser: argparse.ArgumentParser, when: str) -> None:
    """How what is deleted at the provider gets there."""
    parser.add_argument(
        "--base",
        metavar="PROVIDER=URL",
        action="append",
        default=[],
        help=f"{when}one more base URL; a response is only ever sent to a configured one",
    )
    parser.add_argument(
        "--key-env",
        metavar="[PROVIDER=]NAME",
        action="append",
        default=[],
        help=f"{when}the environment variable that holds the key",
    )
    parser.add_argument(
        "--read-env", action="store_true", help=f"{when}use the installation's .env for this archive, now and later"
    )
    parser.add_argument("--wait", metavar="SECONDS", type=_seconds, default=0.0, help=f"{when}go on trying for so long")


def _seconds(text: str) -> float:
    value = float(text)
    if not 0 <= value <= 86_400:
        raise argparse.ArgumentTypeError("between 0 and 86400")
    return value


def _careful(parser: argparse.ArgumentParser, dry: str) -> None:
    parser.add_argument("--dry-run", action="store_true", help=dry)
    parser.add_argument("--yes", action="store_true", help="do not ask")
    _json(parser)
    _ack(parser)


def _json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def _ack(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--ack", action="store_true", help="print READY when the work begins and ACK when its result is safe on disk"
    )
