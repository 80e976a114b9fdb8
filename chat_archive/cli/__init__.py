"""The command line: parse, one call of the core, print, exit status. Never imports Qt.

Exit status: 0 all done, 1 some items failed (each named on stderr), 2 wrong use, 3 the archive cannot be opened.
`parser` and `commands` are imported where they are needed, so that opening the window does not load the commands.
"""
