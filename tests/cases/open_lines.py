"""Lines of handed cases whose feature does not exist yet: (case, line as in its case.md, what it waits for).

A line is taken out when its feature comes, together with a test in the case's own file.
"""

from __future__ import annotations

FORMATS = "other export formats"
ZIPS = "zip files and backups"
SEARCH = "search"
TAGS = "tags and collections"
MARKS = "hidden and kept chats in the window"
FAMILIES = "families of chats"
TASKS = "a view of tasks"
TITLES = "titles kept beside the chat"
PLUGINS = "marks of plugins; only the named siblings of a root are read"

OPEN_LINES: tuple[tuple[str, str, str], ...] = (
    ("one-odd-chat-in-a-bundle", "A zip with five chats is imported as it is.", ZIPS),
    ("download-name-not-latin", "Export of each chat makes a file whose name still shows the title, as .md.", FORMATS),
    ("download-name-not-latin", "The names survive being put into a zip and taken out on another system.", ZIPS),
    (
        "deleted-the-wrong-level",
        "With a chat selected the command reads `Move chat … to trash`; with a collection "
        "selected it reads `Remove collection (3 chats stay)`.",
        TAGS,
    ),
    (
        "deleted-the-wrong-level",
        "There is no single command that trashes all chats of a collection without showing their number and titles.",
        TAGS,
    ),
    (
        "deleted-comes-back-on-scan",
        "`Hide` leaves the folder: a rescan keeps it hidden, it can be shown again, and a chat "
        "that changed since is still hidden but counted in `hidden, changed`.",
        MARKS,
    ),
    (
        "source-gone-is-not-deleted",
        "Gone0001 (removed by the server) stays readable, searchable and exportable, marked `no longer in the folder`.",
        MARKS,
    ),
    ("source-gone-is-not-deleted", "Gone0002 (removed by the user) is only in the trash and not in search.", SEARCH),
    (
        "api-chats-expire",
        "Life0001 shows that the program removes it 24 hours after its last use; the archive offers to keep a copy.",
        MARKS,
    ),
    (
        "api-chats-expire",
        "Life0002 is recognised as a loaded copy of Life0001 (same log, other id); its reference "
        "to /a0/usr/chats/Life0001/messages/1.txt opens while Life0001 is there.",
        FAMILIES,
    ),
    ("forked-chats", "The three are shown as one family; the shared beginning is marked.", FAMILIES),
    ("forked-chats", "A search hit in the shared beginning can be shown once for the family.", SEARCH),
    (
        "tasks-without-chats",
        "Three rows in the task view: Water list (chat there), Bake list (chat missing), and chat Solo0001 (no task).",
        TASKS,
    ),
    (
        "task-results-elsewhere",
        "From Plan0001 one click leads to Plan0002, the chat of the task named there, and back.",
        TASKS,
    ),
    (
        "title-overwritten-by-server",
        "The list shows `My loom notes`; the name in the file (`Weaving a Plain Cloth`) is shown "
        "as the file's own name and is found by search.",
        TITLES,
    ),
    (
        "archived-flag-of-a-plugin",
        "All three chats are shown; the two of the list carry the mark `archived in the program`, with a filter.",
        PLUGINS,
    ),
)
