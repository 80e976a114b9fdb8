"""list, show and check."""

from __future__ import annotations

from argparse import Namespace

from chat_archive.cli import showing
from chat_archive.cli.opening import Opener, StoppableProgress, all_rows, find_among
from chat_archive.cli.output import complain, counted, print_json, say, size_text, table
from chat_archive.core import arrange, discover
from chat_archive.core.archive import Archive
from chat_archive.core.entities import ChatRow, Severity
from chat_archive.core.model.context import AgentContext
from chat_archive.core.model.titles import one_line
from chat_archive.core.report import chat_json, list_json, problem_json


def list_chats(arguments: Namespace, opener: Opener) -> int:
    key = arguments.sort.removeprefix("-")
    if key not in arrange.SORT_KEYS:
        complain(f"Chats cannot be sorted by “{key}”. Use one of: {', '.join(arrange.SORT_KEYS)}.")
        return 2
    archives = opener.all_of(arguments.root)
    with StoppableProgress() as progress:
        rows = [row for archive in archives for row in all_rows(archive, progress)]
    rows = [row for row in rows if arrange.matches(row, arguments.filter)]
    rows = arrange.sort_rows(rows, key, turned=arguments.sort.startswith("-"))
    if arguments.json:
        _print_list(archives, rows, arguments.root)
    else:
        _say_list(archives, rows)
    return 0


def _print_list(archives: list[Archive], rows: list[ChatRow], typed: str) -> None:
    """The document of a list. Only where several roots were found each chat also says which is its own."""
    several = len(archives) > 1
    problems = [problem for archive in archives for problem in archive.problems()]
    document = list_json(typed if several else str(archives[0].root), rows, problems)
    if several:
        for chat, row in zip(document["chats"], rows, strict=True):
            chat["root"] = str(row.root)
    print_json(document)


def _say_list(archives: list[Archive], rows: list[ChatRow]) -> None:
    several = len(archives) > 1
    places = discover.labels([archive.root for archive in archives])
    zone = archives[0].zone
    lines = [["ID", "NAME", "AGENTS", "LOG", "MESSAGES", "SIZE", "LAST ACTIVITY", "STATE"]]
    for row in rows:
        line = [
            row.folder,
            row.title,
            showing.chain(row),
            f"{row.log_items:,}",
            f"{row.messages:,}",
            size_text(row.size),
            showing.when(row.last_activity, zone) + ("*" if row.last_activity_from_file else ""),
            _state(row),
        ]
        lines.append([*line, places[row.root]] if several else line)
    if several:
        lines[0].append("PLACE")
    if rows:
        for text in table(lines, right=frozenset({3, 4, 5}), free=7):
            say(text)
    size = sum(row.size for row in rows)
    where = ", ".join(str(archive.root) for archive in archives)
    say(f"{counted(len(rows), 'chat', 'chats')}, {size_text(size)}, in {where}")
    if any(row.last_activity_from_file for row in rows):
        say("* the time of the file: the chat itself names none")


def _state(row: ChatRow) -> str:
    worst = next((problem for problem in row.problems if problem.severity is Severity.DAMAGED), None)
    if row.damaged and worst is not None:
        return f"damaged: {one_line(worst.text)}"
    return row.state.value


def show(arguments: Namespace, opener: Opener) -> int:
    archives = opener.all_of(arguments.root)
    archive, folder = find_among(archives, arguments.id)
    row = archive.row(folder)
    context = archive.load(folder)
    number = arguments.agent
    if number is not None and number not in (numbers := _agents(context)):
        there = ", ".join(map(str, numbers)) or "none"
        complain(f"The chat has no agent {number}. It has: {there}.")
        return 1
    if arguments.format == "json":
        document = chat_json(context, row)
        print_json(document if number is None else showing.of_one_agent(document, number))
        return 0
    page = showing.Page(markdown=arguments.format == "markdown", zone=archive.zone)
    page.head(row)
    if arguments.history:
        page.histories(context, number)
    else:
        page.transcript(context, number)
    for problem in row.problems:
        complain(problem.text)
    return 0


def _agents(context: AgentContext) -> list[int]:
    """The numbers of the chain, then those that only log items name."""
    numbers = [agent.number for agent in context.agents if agent.number is not None]
    return [*numbers, *sorted({item.agentno for item in context.log.items}.difference(numbers))]


def check(arguments: Namespace, opener: Opener) -> int:
    archive = opener.one_of(arguments.root)
    with StoppableProgress() as progress:
        report = archive.check(progress)
    if arguments.json:
        print_json(
            {
                "root": str(archive.root),
                "chats": report.chats,
                "problems": [{"entry": entry, **problem_json(problem)} for entry, problem in report.problems],
                "leftovers": list(report.leftovers),
            }
        )
        return 0
    for entry, problem in report.problems:
        say(f"{entry}: {problem.text}" + (f" [{problem.defect}]" if problem.defect else ""))
    for leftover in report.leftovers:
        say(f"{leftover}: left over from a save that was cut off.")
    found = len(report.problems) + len(report.leftovers)
    remarks = counted(found, "remark", "remarks") if found else "nothing to remark"
    say(f"{counted(report.chats, 'chat', 'chats')} in {archive.root}: {remarks}. Nothing was changed.")
    return 0
