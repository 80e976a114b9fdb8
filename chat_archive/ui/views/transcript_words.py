"""The words of the transcript: one line for a step, names of speakers, notices. No widget here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chat_archive.core.model.titles import one_line
from chat_archive.core.transcript import Entry, Kind, Notice, Speaker, Transcript
from chat_archive.core.transcript_steps import Action, Line, bare_heading
from chat_archive.ui.words import local, number_text, size_text

if TYPE_CHECKING:
    from datetime import datetime

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a step's line. `style`: "verb", "object" or "code"."""

    text: str
    style: str = "object"


ICONS = {
    Action.THOUGHT: "thought",
    Action.RAN: "terminal",
    Action.TYPED: "keyboard",
    Action.WAITED_FOR_OUTPUT: "terminal",
    Action.RESET_TERMINAL: "terminal",
    Action.SEARCHED: "globe",
    Action.READ: "document",
    Action.LOOKED_AT: "eye",
    Action.BROWSED: "globe",
    Action.ASKED: "person",
    Action.REPORTED: "chat",
    Action.RECALLED: "memory",
    Action.REMEMBERED: "memory",
    Action.FORGOT: "memory",
    Action.WAITED: "timer",
    Action.USED: "tool",
    Action.USED_SERVER: "puzzle",
    Action.BACKGROUND: "memory",
    Action.TOLD: "chat",
    Action.INFO: "info",
    Action.WARNING: "warning",
    Action.ERROR: "error",
    Action.HINT: "note",
    Action.OTHER: "note",
}


def speaker_name(speaker: Speaker) -> str:
    """The profile, or "agent 5" where there is none."""
    if speaker.profile:
        return one_line(speaker.profile, 60)
    return translate("transcript", "agent {number}").format(number=speaker.number)


def clock_text(when: datetime | None, zone: tzinfo | None) -> str:
    """ "09:30" in the zone, "" when unknown."""
    return "" if when is None else local(when, zone).strftime("%H:%M")


def verb_text(action: Action, kind: str) -> str:
    """The verb of a step in the words of the screen; an unknown type keeps its own name."""
    texts = {
        Action.THOUGHT: translate("transcript", "Thought"),
        Action.RAN: translate("transcript", "Ran"),
        Action.TYPED: translate("transcript", "Typed"),
        Action.WAITED_FOR_OUTPUT: translate("transcript", "Waited for output"),
        Action.RESET_TERMINAL: translate("transcript", "Reset the terminal"),
        Action.SEARCHED: translate("transcript", "Searched"),
        Action.READ: translate("transcript", "Read"),
        Action.LOOKED_AT: translate("transcript", "Looked at"),
        Action.BROWSED: translate("transcript", "Browsed"),
        Action.ASKED: translate("transcript", "Asked"),
        Action.REPORTED: translate("transcript", "Reported"),
        Action.RECALLED: translate("transcript", "Recalled"),
        Action.REMEMBERED: translate("transcript", "Remembered"),
        Action.FORGOT: translate("transcript", "Forgot"),
        Action.WAITED: translate("transcript", "Waited"),
        Action.USED: translate("transcript", "Used"),
        Action.USED_SERVER: translate("transcript", "Used"),
        Action.BACKGROUND: translate("transcript", "Background"),
        Action.TOLD: translate("transcript", "Answered"),
        Action.INFO: translate("transcript", "Note"),
        Action.WARNING: translate("transcript", "Warning"),
        Action.ERROR: translate("transcript", "Error"),
        Action.HINT: translate("transcript", "Hint"),
    }
    return texts.get(action) or one_line(kind, 60) or translate("transcript", "Message")


def line_spans(entry: Entry) -> list[Span]:
    """The line of a step: verb, object, place."""
    if entry.kind is Kind.SUMMARY:
        return [Span(translate("transcript", "Summary"), "verb"), Span(one_line(entry.text))]
    if entry.notice is not None:
        return [Span(notice_text(entry), "verb"), Span(", ".join(one_line(name, 40) for name, _ in entry.raw[:8]))]
    line = entry.line
    spans = [Span(verb_text(line.action, line.tool or entry.type), "verb")]
    spans.extend(_object_spans(line))
    return [span for span in spans if span.text]


def _object_spans(line: Line) -> Sequence[Span]:
    subject = line.subject
    action = line.action
    if action is Action.RAN:
        return Span(subject, "code" if line.code else "object"), Span(_place(line))
    if action is Action.TYPED:
        return Span(subject, "code"), Span(_place(line))
    if action in (Action.WAITED_FOR_OUTPUT, Action.RESET_TERMINAL):
        return Span(subject), Span(_place(line))
    if action is Action.SEARCHED:
        return (
            Span(translate("transcript", "the web for \u201c{words}\u201d").format(words=subject) if subject else ""),
        )
    if action is Action.RECALLED:
        return (Span(translate("transcript", "\u201c{words}\u201d").format(words=subject) if subject else ""),)
    if action is Action.ASKED:
        whom = line.place or translate("transcript", "a subordinate")
        return (Span(translate("transcript", "{whom}: {what}").format(whom=whom, what=subject) if subject else whom),)
    if action is Action.USED:
        return Span(line.tool, "code"), Span(subject)
    if action is Action.USED_SERVER:
        place = translate("transcript", "of {server}").format(server=line.place) if line.place else ""
        return Span(subject, "code"), Span(place)
    return (Span(subject),)


def _place(line: Line) -> str:
    runtime = {"python": "Python", "nodejs": "Node.js", "node": "Node.js"}.get(line.runtime, "")
    if runtime and line.place:
        return translate("transcript", "in {language}, session {number}").format(language=runtime, number=line.place)
    if runtime:
        return translate("transcript", "in {language}").format(language=runtime)
    return translate("transcript", "in terminal {number}").format(number=line.place) if line.place else ""


def line_text(entry: Entry) -> str:
    """The line as plain text, for search, copying and screen readers."""
    return " ".join(span.text for span in line_spans(entry))


def pill_text(entry: Entry) -> str:
    """What was cut by the host and whether it is back, "" when nothing was."""
    if entry.recovered is not None and entry.hidden:
        return translate("transcript", "recovered {size}").format(size=size_text(entry.hidden))
    if entry.hidden:
        return translate("transcript", "about %Ln character(s) cut", "", entry.hidden)
    if entry.images:
        return translate("transcript", "%Ln picture(s)", "", len(entry.images))
    return ""


def notice_text(entry: Entry) -> str:
    """A whole sentence for one of our notices."""
    count = entry.count
    texts = {
        Notice.MISSING_START: translate(
            "transcript", "At least %Ln earlier item(s) (was|were) not saved in this chat's log.", "", count
        ),
        Notice.MAYBE_MISSING: translate(
            "transcript", "The log is full: Agent Zero keeps the last 1,000 items, so earlier ones may be missing."
        ),
        Notice.LOG_EMPTY: translate(
            "transcript", "The log is empty. %Ln message(s) below (is|are) taken from the history.", "", count
        ),
        Notice.NO_HISTORY: translate(
            "transcript", "There is no history to continue from: the model has forgotten this chat."
        ),
        Notice.CHAT_EMPTY: translate("transcript", "This chat is empty: it has no log items and no messages."),
        Notice.NOT_UNDERSTOOD: translate("transcript", "%Ln part(s) not understood", "", count),
    }
    return texts[entry.notice] if entry.notice is not None else ""


def header_name(entry: Entry, transcript: Transcript) -> str:
    """Who speaks in a block: "You", the agent, or the kind of a history entry that is neither."""
    if entry.kind is Kind.USER:
        return translate("transcript", "You")
    if entry.kind is Kind.MESSAGE:
        return one_line(entry.type, 60)
    if entry.kind is Kind.ALONE:
        return verb_text(entry.line.action, entry.type)
    return speaker_name(transcript.speaker(entry.agent))


def header_note(entry: Entry, transcript: Transcript) -> str:
    """What stands muted behind the name beside the time."""
    parts = []
    if (entry.kind is Kind.USER and entry.agent in transcript.speakers and transcript.speaker(entry.agent).depth) or (
        entry.kind is Kind.USER and not transcript.speaker(entry.agent).known and transcript.speakers
    ):
        parts.append(_to(transcript.speaker(entry.agent)))
    elif entry.kind is Kind.ALONE and len(transcript.speakers) > 1:
        parts.append(speaker_name(transcript.speaker(entry.agent)))
    if entry.from_history and transcript.log_items:
        parts.append(translate("transcript", "from the history"))
    pill = pill_text(entry)
    if pill:
        parts.append(pill)
    return " \u00b7 ".join(parts)


def _to(speaker: Speaker) -> str:
    return translate("transcript", "to {agent}").format(agent=speaker_name(speaker))


def more_text(chars: int) -> str:
    """The row that shows the next page of a long text."""
    return translate("transcript", "Show more: {count} characters left").format(count=number_text(chars))


def alone_heading(entry: Entry) -> str:
    """The heading of what stands alone, when it says more than the kind."""
    heading = bare_heading(entry.heading)
    return "" if heading.casefold() in ("", entry.type.casefold(), "error", "hint") else heading


def accessible_line(entry: Entry, transcript: Transcript, more: bool) -> str:
    """The beginning of what a screen reader says about a row."""
    if more:
        return translate("transcript", "Show more")
    if entry.foldable:
        name = speaker_name(transcript.speaker(entry.agent))
        if entry.notice is not None:
            return line_text(entry)
        return translate("transcript", "{agent}: {line}").format(agent=name, line=line_text(entry))
    if entry.kind is Kind.NOTICE:
        return notice_text(entry)
    return translate("transcript", "{name}:").format(name=header_name(entry, transcript))
