"""Texts of messages, made fit to lay out: model replies taken apart, pages, bounded runs. Nothing here knows a screen.

Every function takes any text and returns in time proportional to its length (V6).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from chat_archive.core.model.raw import clean_text

PAGE = 40_000
"""Characters laid out at once; the rest waits behind "show more"."""

PAGE_LINES = 800
"""Lines laid out at once: each line of Markdown costs as much as some 60 characters."""

BREAK = "\u200b"
"""Put into runs without a blank, so that they can be wrapped; taken out again when copied."""

_RUN = 2_000
_PIECE = 80
_LONG_RUN = re.compile(rf"\S{{{_RUN},}}")
_ANSI = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-Z\\-_]")
_HIDDEN = re.compile(r"\n\n<< (\d{1,12}) Characters hidden >>\n\n")
_PICTURE = re.compile(
    r"!\[[^\]\n]{0,300}\]\(([^()\s]{1,2000})(?: \"[^\"\n]*\")?\)|<image>([A-Za-z0-9+/=\s]{1,20000000})</image>"
)
_FENCE = re.compile(r"^ {0,3}(```+|~~~+)(.*)$")
_LIST_ITEM = re.compile(r"^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]", re.MULTILINE)
_TABLE_ROW = re.compile(r"^[ \t]*\|.*\|[ \t]*$", re.MULTILINE)
_RICH_LIST = 2_000
_RICH_TABLE = 300
_DEEPEST_QUOTE = 30
_MARKS: dict[int, str] = {code: chr(0x2400 + code) for code in range(32) if code not in (9, 10)} | {0x7F: "\u2421"}
# overrides can make a text read as something else; marks and isolates belong to Arabic and Hebrew and stay
_MARKS |= {code: f"\u27e8U+{code:04X}\u27e9" for code in (0x202D, 0x202E, *range(0x80, 0xA0))}


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's classic reply (3.2): JSON with thoughts, headline, tool and arguments. `answer` is "" when it is no
    answer to the person."""

    values: dict[str, object] = field(default_factory=dict)
    headline: str = ""
    tool: str = ""
    answer: str = ""


def parse_reply(text: str) -> Reply | None:
    """The JSON a model wrapped in noise or not, else None. A broken reply is no reply: it is shown as it is."""
    start = text.find("{")
    if start < 0 or start > 2_000:
        return None
    try:
        found, _ = json.JSONDecoder(strict=False).raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or not ("tool_name" in found or "thoughts" in found):
        return None
    tool = found.get("tool_name")
    arguments = found.get("tool_args")
    answer = ""
    if tool == "response" and isinstance(arguments, dict):
        said = arguments.get("text", arguments.get("message"))
        answer = said if isinstance(said, str) else ""
    headline = found.get("headline")
    return Reply(
        found,
        headline if isinstance(headline, str) else "",
        tool if isinstance(tool, str) else "",
        answer,
    )


def printed(value: object) -> str:
    """Any value as text: strings as they are, the rest as JSON with two blanks (4.7)."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    try:
        return json.dumps(value, ensure_ascii=False, indent=2, default=str)
    except (ValueError, RecursionError, TypeError):
        return str(type(value).__name__)


def hidden_in(text: str) -> int:
    """How many characters the host says it cut out of this text (4.3), 0 when none."""
    return sum(int(found.group(1)) for found in _HIDDEN.finditer(text))


def split_at_cut(text: str) -> tuple[str, str] | None:
    """Head and tail around the single cut of a log text, or None."""
    found = list(_HIDDEN.finditer(text))
    if len(found) != 1:
        return None
    return text[: found[0].start()], text[found[0].end() :]


def readable(text: str, *, terminal: bool = False) -> str:
    """Text fit to show: line ends made one, control characters as marks, lone surrogates as U+FFFD; colour codes of a
    terminal are left out."""
    if terminal:
        text = _ANSI.sub("", text)
    text = clean_text(text)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    # what Qt takes for a paragraph or line of its own is one line break for people
    text = text.replace("\u2028", "\n").replace("\u2029", "\n")
    return text.translate(_MARKS)


def wrappable(text: str) -> str:
    """The text with a zero-width space after each 80 characters of a run without blanks longer than 2,000."""
    if len(text) < _RUN:
        return text
    return _LONG_RUN.sub(_broken, text)


def _broken(found: re.Match[str]) -> str:
    run = found.group()
    return BREAK.join(run[at : at + _PIECE] for at in range(0, len(run), _PIECE))


def too_rich(text: str) -> bool:
    """Whether Markdown of this size is shown as plain text: laying it out would take seconds."""
    if text.count("`") > 4_000 or text.count("[") > 4_000 or text.count("*") > 8_000 or text.count("_") > 20_000:
        return True
    if _deep_quotes(text):
        return True
    return (
        sum(1 for _ in _LIST_ITEM.finditer(text)) > _RICH_LIST
        or sum(1 for _ in _TABLE_ROW.finditer(text)) > _RICH_TABLE
    )


def _deep_quotes(text: str) -> bool:
    return re.search(rf"^(?: {{0,3}}[>*+-]){{{_DEEPEST_QUOTE},}}", text, re.MULTILINE) is not None


def pages(text: str, *, markdown: bool = False, size: int = PAGE, lines: int = PAGE_LINES) -> list[str]:
    """The text in pages of at most `size` characters and `lines` lines, cut at line ends where there are any near.

    With `markdown` a fence that is cut is closed and opened again, so that code stays code.
    """
    if fits(text, size, lines):
        return [text]
    found: list[str] = []
    at = 0
    fence = ""
    while at < len(text):
        end = _page_end(text, at, size, lines)
        page = text[at:end]
        if markdown:
            opened = fence
            fence = _fence_after(page, fence)
            page = (opened + "\n" if opened else "") + page + ("\n" + fence.split("\0")[0][:200] if fence else "")
        found.append(page)
        at = end
    return found


def fits(text: str, size: int = PAGE, lines: int = PAGE_LINES) -> bool:
    """Whether a text is one page."""
    return len(text) <= size and (len(text) <= lines or text.count("\n") <= lines)


def _page_end(text: str, at: int, size: int, lines: int) -> int:
    end = min(at + size, len(text))
    if text.count("\n", at, end) > lines:
        for _ in range(lines):
            end = text.index("\n", at) + 1
            at = end
        return end
    if end >= len(text):
        return len(text)
    for mark in ("\n\n", "\n", " "):
        cut = text.rfind(mark, at + size // 2, end)
        if cut > at:
            return cut + len(mark)
    return end


def _fence_after(page: str, fence: str) -> str:
    """The fence still open at the end of a page, "" when none."""
    for line in page.splitlines():
        found = _FENCE.match(line)
        if found is None:
            continue
        mark = found.group(1)
        if not fence:
            fence = mark
        elif mark[0] == fence[0] and len(mark) >= len(fence) and not found.group(2).strip():
            fence = ""
    return fence


def honoured_breaks(text: str) -> str:
    """Markdown in which a single line break is a line break (4.7), outside code and tables."""
    lines = text.split("\n")
    fence = ""
    for place, line in enumerate(lines[:-1]):
        found = _FENCE.match(line)
        if found is not None:
            fence = _fence_after(line, fence)
            continue
        if fence or not line.strip() or line.startswith(("    ", "\t")) or line.lstrip().startswith("|"):
            continue
        if lines[place + 1].strip() and not line.endswith(("  ", "\\")):
            lines[place] = line + "  "
    return "\n".join(lines)


def pictures_in(markdown: str) -> Iterator[str]:
    """Addresses of pictures in an answer: `![](…)`, and `<image>…</image>` as data: addresses (4.7)."""
    if "![" not in markdown and "<image>" not in markdown:
        return
    for found in _PICTURE.finditer(markdown):
        if found.group(1):
            yield found.group(1)
        else:
            yield "data:image/jpeg;base64," + re.sub(r"\s+", "", found.group(2))


def without_pictures(markdown: str) -> str:
    """An answer in which pictures are named instead of embedded; they are shown by the picture reader beside it."""
    if "![" not in markdown and "<image>" not in markdown:
        return markdown
    return _PICTURE.sub(lambda found: "" if found.group(2) else f"`{found.group(1)[:200]}`", markdown)
