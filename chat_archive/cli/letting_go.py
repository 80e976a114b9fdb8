"""delete, tidy and undo: what lets chats go, and what takes it back."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace

from chat_archive.cli.documents import tidy_json
from chat_archive.cli.opening import Opener, StoppableProgress, find_all
from chat_archive.cli.output import complain, counted, print_json, say, size_text
from chat_archive.cli.responses import bases_are_good, send_responses
from chat_archive.cli.showing import when
from chat_archive.cli.writing import agreed, carry_out, nothing, would_remove_messages
from chat_archive.core import settings
from chat_archive.core.archive import Archive
from chat_archive.core.deletion import DELETE, KEEP, REMOVE, TRASHING, DeleteChoices
from chat_archive.core.operations.plan import DeletionPlan, PlannedChat
from chat_archive.core.operations.plan_json import plan_json
from chat_archive.core.operations.tidy import TidyItem, TidyKind
from chat_archive.core.provider.references import Reference


def choices_of(arguments: Namespace) -> DeleteChoices:
    """What was typed; what was not is as the settings say. Only what is typed deletes for good."""
    chosen = settings.load()
    return DeleteChoices(
        for_good=arguments.for_good,
        provider=arguments.provider_responses or chosen.provider_responses,
        tasks=arguments.tasks or chosen.task_choice,
        overrule=arguments.even_if_kept,
        keep_shared=not arguments.even_if_shared,
        cascade_when=chosen.cascade_when,
        consent=arguments.provider_responses == DELETE,
    )


def delete(arguments: Namespace, opener: Opener) -> int:
    if not bases_are_good(arguments):
        return 2
    archive = opener.one_of(arguments.root, write=not arguments.dry_run)
    folders, missing = find_all(archive, arguments.ids)
    if not folders:
        return nothing(missing, "")
    chats = counted(len(folders), "chat", "chats")
    if arguments.messages_only:
        if arguments.dry_run:
            return would_remove_messages(arguments, archive, folders, missing)
        if not agreed(arguments, f"Move the message files of {chats} to the trash of {archive.root}?"):
            return 2
        return carry_out(arguments, archive, lambda progress: archive.remove_message_files(folders, progress), missing)
    choices = choices_of(arguments)
    if arguments.dry_run or not arguments.yes:
        with StoppableProgress() as progress:
            plan = archive.plan_deletion(folders, progress)
        if arguments.dry_run:
            return _show_plan(arguments, archive, plan, choices, missing)
        if not arguments.json:
            _say_plan(archive, plan, choices)
        seen = plan.seen
    else:
        seen = {}
    question = f"Erase {chats} of {archive.root} for good? This cannot be undone."
    if not choices.for_good:
        question = f"Move {chats} to the trash of {archive.root}?"
    if not agreed(arguments, question):
        return 2
    if not arguments.yes:  # what goes at the provider was said, and agreed to
        choices = replace(choices, consent=True)
    return carry_out(
        arguments,
        archive,
        lambda progress: archive.delete(folders, choices, progress, seen=seen),
        missing,
        then=lambda: send_responses(arguments, archive, set(folders)),
    )


def _show_plan(arguments: Namespace, archive: Archive, plan: DeletionPlan, choices: DeleteChoices, missing: int) -> int:
    if arguments.json:
        print_json(plan_json(plan, choices))
    else:
        _say_plan(archive, plan, choices)
    for name, text in plan.refused:
        complain(f"{name}: {text}")
    return 1 if missing or plan.refused else 0


def _say_plan(archive: Archive, plan: DeletionPlan, choices: DeleteChoices) -> None:
    """The impact sheet in lines."""
    where = "be erased for good" if choices.for_good else "go to the trash"
    for chat in plan.chats:
        say(
            f"Would {where}: {chat.title} ({chat.folder}), last used {when(chat.last_activity, archive.zone)}, "
            f"{counted(chat.files, 'file', 'files')}, {size_text(chat.size)}."
        )
        for line in _about(archive, chat):
            say(f"  {line}")
    say(f"{counted(len(plan.chats), 'chat', 'chats')}, {counted(plan.files, 'file', 'files')}, {size_text(plan.size)}.")
    for provider, model, base, number in plan.places():
        at = " at ".join(filter(None, (provider or "an unknown provider", base)))
        say(f"Stored at {at}: {counted(number, 'response', 'responses')}{f' of {model}' if model else ''}.")
    if plan.stored():
        say(_cascade(plan, choices))
    for task in plan.tasks:
        fate = "would be removed" if choices.tasks == REMOVE else "stays"
        say(f"The scheduled task “{task.name}”{f', {task.when},' if task.when else ''} {fate}.")
    if plan.tasks_problem:
        say(plan.tasks_problem)
    if plan.unread:
        say(f"{counted(plan.unread, 'file', 'files')} could not be looked at; what they share is not known.")
    if plan.host_writes:
        say("Agent Zero seems to be running: it may write a chat back.")


def _cascade(plan: DeletionPlan, choices: DeleteChoices) -> str:
    number = plan.to_delete(choices)
    if choices.provider == KEEP:
        return "They are kept at the provider."
    moment = "now" if choices.for_good or choices.cascade_when == TRASHING else "when the trash is emptied"
    return f"{counted(number, 'response', 'responses')} would be deleted at the provider {moment}, the others are kept."


def _about(archive: Archive, chat: PlannedChat) -> list[str]:
    lines: list[str] = []
    if chat.expires_at is not None:
        lines.append(f"Agent Zero removes it itself at {when(chat.expires_at, archive.zone)}.")
    if chat.backups:
        lines.append(f"{counted(chat.backups, 'earlier version', 'earlier versions')} in its folder.")
    if chat.children:
        lines.append(
            f"{counted(len(chat.children), 'child chat stays', 'child chats stay')}: {', '.join(chat.children)}."
        )
    if chat.referred_by:
        lines.append(f"{_names(chat.referred_by)} refers to its files.")
    shared = [one for one in chat.responses if one.stored and one.shared]
    if shared:
        lines.append(f"{counted(len(shared), 'response is', 'responses are')} also used by {_names(shared[0].shared)}.")
    return [*lines, *filter(None, (chat.disabled, chat.live)), *chat.remarks]


def _names(found: Sequence[Reference]) -> str:
    return ", ".join(f"“{one.title}” ({one.folder})" for one in found[:3]) + (" and others" if len(found) > 3 else "")


def tidy(arguments: Namespace, opener: Opener) -> int:
    archive = opener.one_of(arguments.root, write=not arguments.dry_run)
    both = arguments.expired == arguments.leftovers  # neither named: both
    with StoppableProgress() as progress:
        items = archive.preview_tidy(progress, expired=arguments.expired or both, leftover=arguments.leftovers or both)
    if arguments.dry_run:
        if arguments.json:
            print_json({"root": str(archive.root), "items": [tidy_json(item) for item in items]})
        else:
            _say_tidy(items)
        return 0
    if not items:
        return nothing(0, "There is nothing to tidy.")
    if not arguments.yes and not arguments.json:
        _say_tidy(items)
    moving = counted(sum(item.kind is not TidyKind.RECOVERY for item in items), "thing", "things")
    if not agreed(arguments, f"Move {moving} to the trash of {archive.root}?"):
        return 2
    return carry_out(arguments, archive, lambda progress: archive.tidy(items, progress))


def _say_tidy(items: Sequence[TidyItem]) -> None:
    for item in items:
        name = f"/{item.name}" if item.name else ""
        say(f"{item.kind.value}: {item.title} ({item.folder}{name}, {size_text(item.size)}). {item.text}")
    say(f"{counted(len(items), 'thing', 'things')} to tidy, {size_text(sum(item.size for item in items))}.")


def undo(arguments: Namespace, opener: Opener) -> int:
    """Take back the last move to the trash: that one is on the disk, whoever did it."""
    archive = opener.one_of(arguments.root, write=True)
    entries = archive.trash_entries()
    if not entries:
        complain("There is nothing to take back: the trash is empty.")
        return 1
    last = entries[0].id.partition("/")[0]
    ids = [entry.id for entry in entries if entry.id.partition("/")[0] == last]
    return carry_out(arguments, archive, lambda progress: archive.restore(ids, progress))
