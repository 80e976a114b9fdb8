"""Chooses the command line or the window; Qt is imported only for the window."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """The `chat-archive` command. Returns its exit status."""
    from chat_archive import cli

    arguments = cli.parse(sys.argv[1:] if argv is None else argv)
    if arguments.command != "gui":
        return cli.run(arguments)
    from chat_archive.ui import application

    return application.run(
        root=arguments.root, sample=arguments.sample, quit_when_shown=arguments.quit_when_shown, debug=arguments.debug
    )


def main_window(argv: Sequence[str] | None = None) -> int:
    """The `chat-archive-window` command: the window, whatever the first word is."""
    return main(["gui", *(sys.argv[1:] if argv is None else argv)])


if __name__ == "__main__":
    sys.exit(main())
