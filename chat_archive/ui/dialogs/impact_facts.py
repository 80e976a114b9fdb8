"""The lines of the impact sheet, in the words of the screen; before the plan is there, what the list knows."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, tzinfo

from PySide6.QtCore import QCoreApplication

from chat_archive.core.entities import ChatRow, ChatState
from chat_archive.core.operations.plan import DeletionPlan, PlannedChat
from chat_archive.core.provider.references import Reference
from chat_archive.ui import words
from chat_archive.ui.dialogs.sheet import Facts
from chat_archive.ui.plain_text import breakable, shown
from chat_archive.ui.theme import Theme

translate = QCoreApplication.translate
_PLACES = 4
"""Providers that get a line of their own."""


def known_facts(theme: Theme, rows: Sequence[ChatRow], zone: tzinfo | None, *, failed: bool = False) -> Facts:
    """From the list alone; what must be looked up says so, or that it could not be."""
    facts = Facts(theme)
    counting = translate("ImpactSheet", "not counted") if failed else translate("ImpactSheet", "counting…")
    facts.add(translate("ImpactSheet", "Chats"), words.title_list([row.title for row in rows]), names=True)
    _add_dates(facts, [row.last_activity for row in rows], zone)
    size = words.size_text(sum(row.size for row in rows))
    text = translate("ImpactSheet", "{size} of chat files; other files: {counting}").format(
        size=size, counting=counting
    )
    facts.add(translate("ImpactSheet", "Size on disk"), text)
    facts.add(translate("ImpactSheet", "Stored at the provider"), counting)
    facts.add(translate("ImpactSheet", "Scheduled tasks"), counting)
    if any(row.state is ChatState.LIVE for row in rows):
        _add_host(facts)
    return facts


def planned_facts(theme: Theme, plans: Sequence[DeletionPlan], zone: tzinfo | None) -> Facts:
    """Everything that hangs on the chats. Lines without anything to say are left out."""
    facts = Facts(theme)
    chats = [chat for plan in plans for chat in plan.chats]
    facts.add(translate("ImpactSheet", "Chats"), words.title_list([chat.title for chat in chats]), names=True)
    _add_dates(facts, [chat.last_activity for chat in chats], zone)
    facts.add(translate("ImpactSheet", "Size on disk"), _size(plans))
    facts.add(translate("ImpactSheet", "Stored at the provider"), _stored(plans))
    facts.add(translate("ImpactSheet", "Scheduled tasks"), _tasks(plans))
    _add_children(facts, chats)
    pointing = [one for chat in chats for one in chat.referred_by]
    if pointing:
        text = translate("ImpactSheet", "{chats} (shows|show) files that lie in (it|them).", "", len(chats))
        facts.add(translate("ImpactSheet", "Needed by"), text.format(chats=titles(pointing)))
    _add_expiry(facts, chats, zone)
    refused = [breakable(f"{shown(name, 60)}: {shown(text)}") for plan in plans for name, text in plan.refused]
    if refused:
        facts.add(translate("ImpactSheet", "Cannot go"), words.title_list(refused, 3))
    if any(plan.host_writes for plan in plans):
        _add_host(facts)
    return facts


def titles(found: Sequence[Reference | PlannedChat], limit: int = 2) -> str:
    """“Tide gauge (branch)” and 3 more"""
    names = list(dict.fromkeys(breakable(shown(one.title, 60)) for one in found))
    text = translate("ImpactSheet", ", ", "between names").join(
        translate("ImpactSheet", "“{title}”", "a title in a sentence").format(title=name) for name in names[:limit]
    )
    if len(names) <= limit:
        return text
    return translate("ImpactSheet", "{names} and %Ln more", "", len(names) - limit).format(names=text)


def _add_dates(facts: Facts, found: Sequence[datetime | None], zone: tzinfo | None) -> None:
    known = sorted(when for when in found if when is not None)
    if not known:
        text = translate("ImpactSheet", "unknown", "a time")
    elif len(known) == 1:
        text = words.exact_time(known[0], zone)
    elif words.exact_day(known[0], zone) == words.exact_day(known[-1], zone):
        text = words.exact_day(known[0], zone)
    else:
        text = translate("ImpactSheet", "{first} to {last}", "two dates").format(
            first=words.exact_day(known[0], zone), last=words.exact_day(known[-1], zone)
        )
    facts.add(translate("ImpactSheet", "Last used"), text)


def _size(plans: Sequence[DeletionPlan]) -> str:
    text = translate("ImpactSheet", "{size} in {files}").format(
        size=words.size_text(sum(plan.size for plan in plans)),
        files=words.files_text(sum(plan.files for plan in plans)),
    )
    backups = sum(plan.backups for plan in plans)
    if not backups:
        return text
    more = translate("ImpactSheet", "%Ln earlier version(s) (backups)", "", backups)
    return translate("ImpactSheet", "{size}, {backups}", "size and earlier versions").format(size=text, backups=more)


def _stored(plans: Sequence[DeletionPlan]) -> list[str]:
    places: dict[tuple[str, str], int] = {}
    for plan in plans:
        for provider, _model, base, number in plan.places():
            places[provider, base] = places.get((provider, base), 0) + number
    lines: list[str] = []
    for (provider, base), number in list(places.items())[:_PLACES]:
        name = shown(provider, 40) or translate("ImpactSheet", "an unknown provider")
        if base:
            name = translate("ImpactSheet", "{provider} ({base})").format(
                provider=name, base=breakable(shown(base, 60))
            )
        lines.append(translate("ImpactSheet", "%Ln response(s) at {place}", "", number).format(place=name))
    if len(places) > _PLACES:
        lines.append(translate("ImpactSheet", "and at %Ln more place(s)", "", len(places) - _PLACES))
    shared = [one for plan in plans for one in plan.shared().values()]
    if shared:
        users = titles([ref for one in shared for ref in one.shared])
        text = translate("ImpactSheet", "%Ln of them (is|are) also used by {chats}", "", len(shared))
        lines.append(text.format(chats=users))
    empty = sum(plan.not_stored() for plan in plans)
    if empty and lines:
        lines.append(translate("ImpactSheet", "%Ln more id(s) for which nothing is stored", "", empty))
    if any(not chat.complete for plan in plans for chat in plan.chats):
        lines.append(translate("ImpactSheet", "Parts were not readable, so this may be incomplete."))
    unread = sum(plan.unread for plan in plans)
    if unread and places:
        lines.append(translate("ImpactSheet", "%Ln file(s) could not be looked at for shared use.", "", unread))
    return lines or [translate("ImpactSheet", "nothing")]


def _tasks(plans: Sequence[DeletionPlan]) -> list[str]:
    lines = []
    for task in [task for plan in plans for task in plan.tasks][:5]:
        name = translate("ImpactSheet", "“{title}”", "a title in a sentence").format(
            title=breakable(shown(task.name, 60))
        )
        text = translate("ImpactSheet", "{task}, {when}", "a task and its schedule")
        lines.append(text.format(task=name, when=breakable(shown(task.when, 60))) if task.when else name)
    count = sum(len(plan.tasks) for plan in plans)
    if count > 5:
        lines.append(translate("ImpactSheet", "and %Ln more", "", count - 5))
    lines += [plan.tasks_problem for plan in plans if plan.tasks_problem]
    return lines or [translate("ImpactSheet", "none bound to (it|them)", "", sum(len(plan.chats) for plan in plans))]


def _add_children(facts: Facts, chats: Sequence[PlannedChat]) -> None:
    count = sum(len(chat.children) for chat in chats)
    if count:
        text = translate("ImpactSheet", "%Ln chat(s) of sub-agents (stays|stay) without (its|their) parent.", "", count)
        facts.add(translate("ImpactSheet", "Child chats"), text)


def _add_expiry(facts: Facts, chats: Sequence[PlannedChat], zone: tzinfo | None) -> None:
    found = sorted(chat.expires_at for chat in chats if chat.expires_at is not None)
    if not found:
        return
    when = words.exact_time(found[0], zone)
    if len(chats) == 1:
        text = translate("ImpactSheet", "Agent Zero itself removes it at {when}.").format(when=when)
    else:
        text = translate("ImpactSheet", "Agent Zero itself removes %Ln of them, the first at {when}.", "", len(found))
        text = text.format(when=when)
    facts.add(translate("ImpactSheet", "Expires"), text)


def _add_host(facts: Facts) -> None:
    facts.add_chip(
        translate("ImpactSheet", "Agent Zero"),
        translate("ImpactSheet", "seems to run"),
        translate("ImpactSheet", "It may write a chat back; you will be told."),
    )
