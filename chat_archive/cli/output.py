"""What is printed: UTF-8 whatever the locale, nothing that could drive a terminal, one JSON document when asked."""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
import unicodedata
from collections.abc import Sequence

from chat_archive.core.model.titles import visible_text

WIDEST = 44  # columns of one cell

_SURROGATES = re.compile("[\ud800-\udfff]")


def prepare_streams() -> None:
    """Make both streams UTF-8. Lone surrogates never reach them, so nothing can fail to be encoded."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            with contextlib.suppress(ValueError, OSError):
                reconfigure(encoding="utf-8", errors="replace")


def say(text: str) -> None:
    """Text for people on stdout, control characters made visible."""
    sys.stdout.write(visible_text(text) + "\n")


def complain(text: str) -> None:
    """One sentence on stderr."""
    sys.stdout.flush()
    sys.stderr.write("chat-archive: " + visible_text(text).replace("\n", " ") + "\n")
    sys.stderr.flush()


def print_json(document: object) -> None:
    """One strict JSON document on stdout, lone surrogates as U+FFFD."""
    indent = 2 if sys.stdout.isatty() else None
    text = json.dumps(document, ensure_ascii=False, indent=indent, allow_nan=False)
    sys.stdout.write(_SURROGATES.sub("\ufffd", text) + "\n")


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
