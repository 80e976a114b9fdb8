"""Lines of handed cases whose feature does not exist yet: (case, line as in its case.md, what it waits for).

A line is taken out when its feature comes, together with a test in the case's own file.
"""

from __future__ import annotations

FORMATS = "other export formats"
ZIPS = "zip files and backups"
SEARCH = "search"
TAGS = "tags and collections"

OPEN_LINES: tuple[tuple[str, str, str], ...] = (
    ("one-odd-chat-in-a-bundle", "A zip with five chats is imported as it is.", ZIPS),
    ("download-name-not-latin", "Export of each chat makes a file whose name still shows the title, as .md.", FORMATS),
    ("download-name-not-latin", "The names survive being put into a zip and taken out on another system.", ZIPS),
)
