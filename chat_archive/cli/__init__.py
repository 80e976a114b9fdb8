"""The command line: parse, one call of the core, print, exit status. Never imports Qt.

Exit status: 0 all done, 1 some items failed (each named on stderr), 2 wrong use, 3 the archive cannot be opened.
"""

from chat_archive.cli.commands import run
from chat_archive.cli.parser import parse

__all__ = ["parse", "run"]
