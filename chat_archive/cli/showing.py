"""One chat as plain text or Markdown."""

from __future__ import annotations

import json
from datetime import datetime, tzinfo

from chat_archive.cli.output import say
from chat_archive.core.entities import ChatRow
from chat_archive.core.model.context import AgentContext
from chat_archive.core.model.headings import plain
from chat_archive.core.model.titles import one_line
from chat_archive.core.transcript import (
    Entry,
    Kind,
    Notice,
    Speaker,
    Transcript,
    build,
    not_understood,
    tell_not_understood,
)
from chat_archive.core.transcript_steps import Action
from chat_archive.core.transcript_text import readable

Json = dict[str, object]

_IN_TERMINAL = (Action.RAN, Action.TYPED, Action.WAITED_FOR_OUTPUT, Action.RESET_TERMINAL)

_NOTICES = {  # for one, for any other number
    Notice.MISSING_START: (
        "At least 1 earlier item was not saved.",
        "At least {count:,} earlier items were not saved.",
    ),
    Notice.MAYBE_MISSING: ("The log is full; earlier items may be missing.",) * 2,
    Notice.LOG_EMPTY: (
        "The log is empty; 1 message comes from the history.",
        "The log is empty; {count:,} messages come from the history.",
    ),
    Notice.NO_HISTORY: ("The chat has no history to continue from.",) * 2,
    Notice.CHAT_EMPTY: ("Nothing was said in this chat.",) * 2,
    Notice.NOT_UNDERSTOOD: (
        "1 part of this chat is not known to this version; it is kept.",
        "{count:,} parts of this chat are not known to this version; they are kept.",
    ),
}


def notice_text(entry: Entry) -> str:
    """The sentence of one of our own notices."""
    if entry.notice is None:
        return ""
    one, many = _NOTICES[entry.notice]
    return one if entry.count == 1 else many.format(count=entry.count)


def when(moment: datetime | None, zone: tzinfo | None) -> str:
    """Local date and minute, "unknown" where there is none."""
    return "unknown" if moment is None else f"{moment.astimezone(zone):%Y-%m-%d %H:%M}"


def chain(row: ChatRow) -> str:
    """agent0 > developer; an agent without a profile goes by its number."""
    names = (agent.profile or ("A?" if agent.number is None else f"A{agent.number}") for agent in row.agents)
    return " > ".join(one_line(name, 40) for name in names) or "no agents"


def speaker_name(speaker: Speaker) -> str:
    """A1, or "agent 5" where the chain has no agent of that number."""
    return f"A{speaker.number}" if speaker.known else f"agent {speaker.number}"


def of_one_agent(document: Json, number: int) -> Json:
    """The document of a chat with only the messages and log items of one agent."""
    agents, log = document["agents"], document["log"]
    assert isinstance(agents, list)
    assert isinstance(log, list)
    return {
        **document,
        "agents": [agent for agent in agents if agent["number"] == number],
        "log": [item for item in log if item["agentno"] == number],
    }


class Page:
    """Prints a chat part by part."""

    def __init__(self, *, markdown: bool, zone: tzinfo | None) -> None:
        self.markdown = markdown
        self.zone = zone
        self._among_steps = False

    def head(self, row: ChatRow) -> None:
        say(f"# {row.title}" if self.markdown else row.title)
        facts = [f"id {row.id}", chain(row), f"created {when(row.created, self.zone)}"]
        facts.append(f"last activity {when(row.last_activity, self.zone)}")
        if row.project_title or row.project:
            facts.append(f"project {one_line(row.project_title or row.project)}")
        if row.progress:
            facts.append(f"saved while: {one_line(row.progress)}")
        separator = "  \n" if self.markdown else "\n"
        say(separator.join(facts))

    def transcript(self, context: AgentContext, number: int | None) -> None:
        told = build(context)
        tell_not_understood(told, tuple(not_understood(context, histories=True)))
        for entry in told.entries:
            if number is None or (entry.agent == number and entry.kind is not Kind.NOTICE):
                self._entry(entry, told)

    def _entry(self, entry: Entry, told: Transcript) -> None:
        step = entry.kind is Kind.STEP
        if self.markdown and step and not self._among_steps:
            say("")  # else the list would belong to the block before it
        self._among_steps = step
        if entry.kind is Kind.NOTICE:
            self._notice(entry)
        elif entry.kind is Kind.USER:
            speaker = told.speaker(entry.agent)
            unknown = told.speakers and not speaker.known
            self._block(f"You to {speaker_name(speaker)}" if unknown else "You", entry)
        elif entry.kind is Kind.STEP:
            self._step(entry, told.speaker(entry.agent))
        elif entry.kind is Kind.ANSWER:
            self._block(told.speaker(entry.agent).profile or speaker_name(told.speaker(entry.agent)), entry)
        else:
            self._block(entry.type or entry.kind.value, entry)

    def _notice(self, entry: Entry) -> None:
        text = notice_text(entry)
        say(f"\n*{text}*" if self.markdown else f"\n-- {text}")
        for place, value in entry.raw:
            raw = json.dumps(value, ensure_ascii=False, default=str)
            line = f"{one_line(place, 80)}: {one_line(raw)}"
            say(f"\n    {line}" if self.markdown else f"   {line}")

    def _block(self, who: str, entry: Entry) -> None:
        time = when(entry.time, self.zone) if entry.time is not None else ""
        self._heading(who, time)
        body = readable(entry.text)
        if entry.heading and entry.kind is Kind.ALONE:
            body = f"{one_line(plain(entry.heading))}\n{body}"
        say(self._quoted(body) if self.markdown and entry.kind is Kind.USER else body)
        for name in entry.attached:
            note = f"[attached: {one_line(name)}]"
            say(f"\n{note}" if self.markdown else note)

    def _step(self, entry: Entry, speaker: Speaker) -> None:
        line = entry.line
        subject = f"`{line.subject}`" if self.markdown and line.code and line.subject else line.subject
        place = one_line(line.place)
        if place:
            place = f" in terminal {place}" if line.action in _IN_TERMINAL else f" ({place})"
        indent = "  " * (entry.depth + (0 if self.markdown else 1))
        bullet = "-" if self.markdown else ">"
        say(f"{indent}{bullet} {speaker_name(speaker)} {line.action.value}: {one_line(subject)}{place}".rstrip(": "))

    def histories(self, context: AgentContext, number: int | None) -> None:
        for agent in context.agents:
            if number is not None and agent.number != number:
                continue
            name = f"{agent.name} {agent.profile}".strip()
            say(f"\n## {name}" if self.markdown else f"\n== {name}")
            for message in agent.history.messages():
                self._heading("model" if message.ai else message.kind or "to the model", "")
                say(readable(message.text()) if not self.markdown else self._fenced(message.content, message.text()))

    def _heading(self, who: str, time: str) -> None:
        name = one_line(who, 60)
        say(f"\n**{name}**  {time}".rstrip() + "\n" if self.markdown else f"\n{name}  {time}".rstrip())

    @staticmethod
    def _quoted(text: str) -> str:
        return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))

    @staticmethod
    def _fenced(content: object, text: str) -> str:
        body = text if isinstance(content, str) else json.dumps(content, ensure_ascii=False, indent=2, default=str)
        fence = "```"
        while fence in body:
            fence += "`"
        return f"{fence}\n{readable(body)}\n{fence}"
