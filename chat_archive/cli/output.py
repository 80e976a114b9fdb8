"""What is printed: UTF-8 whatever the locale, nothing that could drive a terminal, one JSON document when asked."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import sys
import unicodedata
from collections.abc import Sequence

from chat_archive.core.model.titles import visible_text

WIDEST = 44  # columns of one cell

_SURROGATES = re.compile("[\ud800-\udfff]")
# control and bidi characters that JSON lets stand as they are; they occur in strings only
_UNSEEN = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


class _Nobody(io.TextIOBase):
    """Stands for a stream that was closed before the program began."""

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        return len(text)


def prepare_streams() -> None:
    """Make both streams UTF-8. Lone surrogates never reach them, so nothing can fail to be encoded. Where one was
    closed, its descriptor is taken, so that no file of an archive gets it and what a library says there."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest that is free: this one
    sys.stdout = _Nobody() if sys.stdout is None else sys.stdout
    sys.stderr = _Nobody() if sys.stderr is None else sys.stderr
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            with contextlib.suppress(ValueError, OSError):
                reconfigure(encoding="utf-8", errors="replace")


def say(text: str) -> None:
    """Text for people on stdout, control characters made visible."""
    sys.stdout.write(visible_text(text) + "\n")


def complain(text: str) -> None:
    """One sentence on stderr. Nothing is raised when it, or what stdout still holds, cannot be written."""
    with contextlib.suppress(OSError):
        sys.stdout.flush()
    with contextlib.suppress(OSError):
        sys.stderr.write("chat-archive: " + visible_text(text).replace("\n", " ") + "\n")
        sys.stderr.flush()


def print_json(document: object) -> None:
    """One strict JSON document on stdout, lone surrogates as U+FFFD and what could drive a terminal as escapes."""
    indent = 2 if sys.stdout.isatty() else None
    text = json.dumps(document, ensure_ascii=False, indent=indent, allow_nan=False)
    text = _SURROGATES.sub("\ufffd", text)
    sys.stdout.write(_UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n")


def signal_line(word: str, wanted: bool) -> None:
    """READY or ACK on a line of its own, out at once: harnesses and scripts wait for it."""
    if wanted:
        sys.stdout.write(word + "\n")
        sys.stdout.flush()


def silence_stdout() -> None:
    """Nobody reads any more: let the interpreter's own last flush go nowhere."""
    with contextlib.suppress(OSError, ValueError):
        descriptor = os.open(os.devnull, os.O_WRONLY)
        os.dup2(descriptor, sys.stdout.fileno())
        os.close(descriptor)


def width(text: str) -> int:
    """Columns a terminal needs: wide characters take two, combining marks none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text
    )


def fitted(text: str, columns: int) -> str:
    """`text` cut to at most `columns` columns."""
    if width(text) <= columns:
        return text
    kept = ""
    for sign in text:
        if width(kept) + width(sign) > columns - 1:
            break
        kept += sign
    return kept + "…"


def table(rows: Sequence[Sequence[str]], *, right: frozenset[int] = frozenset(), free: int = -1) -> list[str]:
    """Lines with columns side by side, the first row as heading. The columns of `right` are set to the right; all but
    the column `free` are cut where they would be too wide."""
    cells = [
        [
            visible_text(cell) if column == free else fitted(visible_text(cell), WIDEST)
            for column, cell in enumerate(row)
        ]
        for row in rows
    ]
    widths = [max(width(row[column]) for row in cells) for column in range(len(cells[0]))] if cells else []
    lines = []
    for row in cells:
        parts = []
        for column, cell in enumerate(row):
            blank = " " * (widths[column] - width(cell))
            parts.append(blank + cell if column in right else cell + blank)
        lines.append("  ".join(parts).rstrip())
    return lines


def size_text(size: int) -> str:
    """Bytes in steps of 1,000: 812 B, 54.2 kB, 3.9 MB."""
    if size < 1000:
        return f"{size} B"
    value = float(size)
    for unit in ("kB", "MB", "GB", "TB"):
        value /= 1000
        if value < 999.95 or unit == "TB":
            break
    return f"{value:.1f} {unit}"


def counted(number: int, one: str, many: str) -> str:
    """ "1 chat", "12 chats"."""
    return f"{number:,} {one if number == 1 else many}"
