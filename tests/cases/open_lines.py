"""Lines of handed cases whose feature does not exist yet: (case, words as in its case.md, what they wait for).

Words are taken out when their feature comes, together with a test in the case's own file. Of a line that holds in part
only the part that is open stands here.
"""

from __future__ import annotations

FORMATS = "other export formats"
ZIPS = "zip files"
BACKUPS = "backups"
SEARCH = "search"
INDEX = "the index of search"
TAGS = "tags and titles beside the chat"
COLLECTIONS = "collections"
MARKS = "hidden and kept chats in the window"
FAMILIES = "families of chats"
TASKS = "a view of tasks"
PLUGINS = "marks of plugins; only the named siblings of a root are read"

OPEN_LINES: tuple[tuple[str, str, str], ...] = (
    ("damaged-files-among-good", "is included as it is in a raw backup", BACKUPS),
    ("download-name-not-latin", "`水の計り方.md`, `дождь.md`, `100% rye 🍞.md`", FORMATS),
    (
        "download-name-not-latin",
        "The names survive being put into a zip and taken out on another system (UTF-8 flag set).",
        ZIPS,
    ),
    ("empty-file-breaks-the-list", "in list and search", SEARCH),
    ("half-emoji", "Markdown, HTML, text and PDF exports are written in full and are valid UTF-8.", FORMATS),
    ("half-emoji", "Searching for the word after the half emoji (`cocktail`) finds the chat.", SEARCH),
    (
        "half-emoji-in-a-title",
        "The archive's own index takes it without an error, and a second start does not fail on what the first one"
        " stored.",
        INDEX,
    ),
    # what the zip holds is imported as five chats from one list; the zip itself is named and not opened
    ("one-odd-chat-in-a-bundle", "All five are imported or listed", ZIPS),
    ("one-odd-chat-in-a-bundle", "The summary says 5 read, 3 with remarks, 0 refused.", ZIPS),
    ("restored-from-the-recycle-bin", "titles and tags given before are still theirs", TAGS),
    ("wrong-name-shown", "the title given in the archive", TAGS),
    ("wrong-name-shown", "All of them are found by search.", SEARCH),
    ("api-chats-expire", "the archive offers to keep a copy", MARKS),
    ("api-chats-expire", "Life0002 is recognised as a loaded copy of Life0001", FAMILIES),
    ("archived-flag-of-a-plugin", "carry the mark `archived in the program`, with a filter", PLUGINS),
    ("deleted-comes-back-on-scan", "counted in `hidden, changed`", MARKS),
    ("deleted-the-wrong-level", "with a collection selected it reads `Remove collection (3 chats stay)`", COLLECTIONS),
    (
        "deleted-the-wrong-level",
        "There is no single command that trashes all chats of a collection without showing their number and titles.",
        COLLECTIONS,
    ),
    ("forked-chats", "The three are shown as one family; the shared beginning is marked.", FAMILIES),
    ("forked-chats", "A search hit in the shared beginning can be shown once for the family.", SEARCH),
    ("source-gone-is-not-deleted", "marked `no longer in the folder`", MARKS),
    ("source-gone-is-not-deleted", "not in search", SEARCH),
    ("task-results-elsewhere", "From Plan0001 one click leads to Plan0002", TASKS),
    ("tasks-without-chats", "Three rows in the task view", TASKS),
    ("title-overwritten-by-server", "The list shows `My loom notes`", TAGS),
)
