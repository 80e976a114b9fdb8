"""Chooses the command line or the window; Qt is imported only for the window."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

_NO_SCREEN = (
    "There is no screen to show a window on: neither DISPLAY nor WAYLAND_DISPLAY is set. Start it from a desktop, or "
    "use the command line (chat-archive --help)."
)
_NO_LIBRARY = (
    "A library that Qt needs is missing on this system: {error}. On Debian and Ubuntu “sh packaging/start” installs or "
    "names the packages; the README lists them."
)


def main(argv: Sequence[str] | None = None) -> int:
    """The `chat-archive` command. Returns its exit status."""
    from chat_archive.cli.parser import parse

    arguments = parse(sys.argv[1:] if argv is None else argv)
    if arguments.command != "gui":
        from chat_archive.cli.commands import run

        return run(arguments)
    if not _has_screen():
        return _refuse(_NO_SCREEN)
    try:
        from chat_archive.ui import application
    except ImportError as error:
        if ".so" not in str(error):
            raise
        return _refuse(_NO_LIBRARY.format(error=error))
    from chat_archive.core.typed_path import plain_path

    return application.run(
        Path(plain_path(arguments.root)) if arguments.root else None,
        sample=arguments.sample,
        quit_when_shown=arguments.quit_when_shown,
        debug=arguments.debug,
    )


def main_window(argv: Sequence[str] | None = None) -> int:
    """The `chat-archive-window` command: the window, whatever the first word is."""
    return main(["gui", *(sys.argv[1:] if argv is None else argv)])


def _has_screen() -> bool:
    """Whether a window can be asked for; without this Qt ends the process."""
    if sys.platform in ("win32", "darwin"):
        return True
    return any(os.environ.get(name) for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"))


def _refuse(text: str) -> int:
    sys.stderr.write(f"chat-archive: {text}\n")
    return 3


if __name__ == "__main__":
    sys.exit(main())
