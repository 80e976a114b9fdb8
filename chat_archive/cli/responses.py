"""provider: the responses that chats which are gone left at a model provider."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Collection
from dataclasses import replace

from chat_archive.cli.documents import Json, receipt_json, result_json
from chat_archive.cli.opening import Opener, StoppableProgress
from chat_archive.cli.output import complain, counted, print_json, say, signal_line, table
from chat_archive.cli.showing import when
from chat_archive.cli.writing import Sequel, agreed
from chat_archive.core import settings
from chat_archive.core.archive import Archive
from chat_archive.core.entities import OperationResult
from chat_archive.core.errors import ArchiveError
from chat_archive.core.provider.bases import BadBaseError, parse_option
from chat_archive.core.provider.receipts import Receipt, ResponseState, to_csv
from chat_archive.core.provider.setup import ProviderSetup, prepare


def provider(arguments: Namespace, opener: Opener) -> int:
    archive = opener.one_of(arguments.root, write=arguments.action != "list")
    if arguments.action == "list":
        return _list(arguments, archive)
    if arguments.action == "forget":
        return _forget(arguments, archive)
    return _retry(arguments, archive)


def _list(arguments: Namespace, archive: Archive) -> int:
    receipts = archive.provider_receipts()
    if arguments.ids:
        wanted = set(arguments.ids)
        receipts = [one for one in receipts if wanted & {one.entry, one.original, one.response_id}]
    waiting = sum(one.state.open for one in receipts)
    if arguments.json:
        found = [receipt_json(one) for one in receipts]
        print_json({"root": str(archive.root), "receipts": found, "waiting": waiting})
    elif arguments.csv:
        sys.stdout.write(to_csv(receipts))
    else:
        _say_receipts(archive, receipts, waiting)
    return 0


def _say_receipts(archive: Archive, receipts: list[Receipt], waiting: int) -> None:
    if receipts:
        lines = [["ENTRY", "STATE", "CHANGED", "PROVIDER", "CHAT", "RESPONSE", "REASON"]]
        for one in receipts:
            changed = "" if one.changed_at is None else when(one.changed_at, archive.zone)
            chat = one.chats[-1] if one.chats else ""
            lines.append([one.entry, one.state.value, changed, one.provider, chat, one.original, one.reason])
        for line in table(lines, free=6):
            say(line)
    say(f"{counted(waiting, 'response waits', 'responses wait')} to be deleted at a provider for {archive.root}")


def _forget(arguments: Namespace, archive: Archive) -> int:
    if not arguments.ids:
        complain("Name the responses to give up; “provider ROOT list” shows them.")
        return 2
    count = counted(len(set(arguments.ids)), "response", "responses")
    if not agreed(arguments, f"Give up {count}? They may stay stored at the provider, and nobody tries again."):
        return 2
    signal_line("READY", arguments.ack)
    return _tell(arguments, archive, archive.provider_forget(arguments.ids))


def bases_are_good(arguments: Namespace) -> bool:
    """Whether every --base can be used; said when not, before anything is done."""
    for text in arguments.base:
        try:
            parse_option(text)
        except BadBaseError as error:
            complain(error.what)
            return False
    return True


def send_responses(arguments: Namespace, archive: Archive, chats: Collection[str]) -> Sequel | None:
    """Delete at the provider what was agreed to for these chats, which are erased; the receipts of their responses.
    What nobody agreed to waits. None when there is nothing to tell."""
    try:
        mine = [entry for entry in archive.responses.entries() if not set(entry.chats).isdisjoint(chats)]
        agreed_to = [entry for entry in mine if entry.wish.get("consent") is True]
        complained = _send(arguments, archive, [entry.key for entry in agreed_to if entry.state.open])
        keys = {entry.key for entry in agreed_to}
        receipts = [one for one in archive.provider_receipts() if one.entry in keys]
    except ArchiveError as error:
        return Sequel(False, {"receipts": []}, (), (f"Nothing was sent to the provider. {error}",))
    left = sum(entry.state.open for entry in mine) - sum(entry.state.open for entry in agreed_to)
    said = [_told(one) for one in receipts if not one.state.open]
    if left:
        verb = "waits" if left == 1 else "wait"
        said.append(
            f"{counted(left, 'response', 'responses')} {verb} in the queue; “provider ROOT retry” deletes them there."
        )
    if not receipts and not said:
        return None
    failed = tuple(_told(one) for one in receipts if one.state.open)
    document: Json = {"receipts": [receipt_json(one) for one in receipts], "waiting": archive.provider_waiting_count}
    return Sequel(not failed, document, tuple(said), (*failed, *complained))


def _send(arguments: Namespace, archive: Archive, keys: list[str]) -> list[str]:
    """One run over these entries; what there is to complain about."""
    if not keys:
        return []
    setup = _setup(arguments, archive)
    with StoppableProgress() as progress:
        result = archive.provider_retry(keys, progress, setup=setup, wait=arguments.wait, continuing=True)
    complained = [*result.remarks, *_env_hint(archive, setup)]
    return [*complained, "Stopped. What was not reached stays in the queue."] if result.stopped else complained


def _told(receipt: Receipt) -> str:
    return f"{receipt.original}: {receipt.state.value}. {receipt.reason}"


def _env_hint(archive: Archive, setup: ProviderSetup) -> list[str]:
    if setup.ask_env is None or all(one.state is not ResponseState.NO_KEY for one in archive.provider_receipts()):
        return []
    return [f"The installation has keys in {setup.ask_env}. Say --read-env to let them be used for this archive."]


def _retry(arguments: Namespace, archive: Archive) -> int:
    if not bases_are_good(arguments):
        return 2
    if arguments.even_shared and not arguments.ids:
        complain("Name the responses that are to go although another chat uses them.")
        return 2
    if not arguments.ids and not _has_work(archive):
        if arguments.json:
            print_json({**result_json(archive.root, OperationResult("provider", ())), "waiting": 0})
        else:
            say("No response waits to be deleted.")
        signal_line("ACK", arguments.ack)
        return 0
    setup = _setup(arguments, archive)
    signal_line("READY", arguments.ack)
    with StoppableProgress() as progress:
        result = archive.provider_retry(
            arguments.ids or None, progress, setup=setup, wait=arguments.wait, even_shared=arguments.even_shared
        )
    for line in _env_hint(archive, setup):
        complain(line)
    return _tell(arguments, archive, result)


def _has_work(archive: Archive) -> bool:
    return any(one.state.open or one.state is ResponseState.SHARED for one in archive.provider_receipts())


def _setup(arguments: Namespace, archive: Archive) -> ProviderSetup:
    chosen = settings.load()
    root = str(archive.root)
    named = dict(_named(text) for text in arguments.key_env)
    if arguments.read_env:
        chosen = _remember(chosen, root, True)
    setup = prepare(archive.root, chosen, own=arguments.base, named=named)
    if setup.ask_env is None or not (sys.stdin is not None and sys.stdin.isatty()) or named:
        return setup
    sys.stderr.write(f"May the keys in {setup.ask_env} be used for this archive? It is asked once. [y/N] ")
    sys.stderr.flush()
    answer = sys.stdin.readline().strip().casefold() in ("y", "yes")
    return prepare(archive.root, _remember(chosen, root, answer), own=arguments.base, named=named)


def _named(text: str) -> tuple[str, str]:
    """NAME or PROVIDER=NAME of an environment variable."""
    owner, equals, variable = text.partition("=")
    return (owner.strip().lower(), variable.strip()) if equals else ("*", text.strip())


def _remember(chosen: settings.Settings, root: str, answer: bool) -> settings.Settings:
    chosen = replace(chosen, provider_env_files={**chosen.provider_env_files, root: answer})
    try:
        settings.save(chosen)
    except ArchiveError as error:
        complain(f"The answer could not be remembered. {error}")
    return chosen


def _tell(arguments: Namespace, archive: Archive, result: OperationResult) -> int:
    clean = not result.failed and not result.stopped
    signal_line("ACK", arguments.ack and clean)
    if arguments.json:
        print_json({**result_json(archive.root, result), "waiting": archive.provider_waiting_count})
    for item in result.items:
        if not item.ok:
            complain(f"{item.item}: {item.text}")
        elif not arguments.json:
            say(f"{item.item}: {item.text}")
    for remark in result.remarks:
        complain(remark)
    if result.stopped:
        complain("Stopped. What was not reached stays in the queue.")
    return 0 if clean else 1
