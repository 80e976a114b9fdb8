"""Every command a person can give, declared once: menus, toolbar, context menu and the list of keys share the QActions.

`allowed` is the one place that decides what can be used now; the window describes itself in a `Situation`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Flag, StrEnum, auto

from PySide6.QtCore import QCoreApplication, QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from chat_archive.ui.plain_text import menu_text
from chat_archive.ui.theme import Theme

_CONTEXT = "actions"


def QT_TRANSLATE_NOOP(context: str, text: str) -> str:  # noqa: ARG001 - the extractor reads it
    """Marks a text for the extraction of translations; Qt's own says it returns an object."""
    return text


class ActionId(StrEnum):
    OPEN = "open"
    OPEN_SAMPLE = "open_sample"
    CLOSE_ROOT = "close_root"
    IMPORT_FILES = "import_files"
    IMPORT_FOLDER = "import_folder"
    EXPORT = "export"
    EXPORT_ALL = "export_all"
    CONVERT = "convert"
    SETTINGS = "settings"
    QUIT = "quit"
    UNDO = "undo"
    REDO = "redo"
    COPY_ID = "copy_id"
    COPY_PATH = "copy_path"
    PASTE = "paste"
    SELECT_ALL = "select_all"
    FILTER = "filter"
    FIND = "find"
    OPEN_CHAT = "open_chat"
    RENAME = "rename"
    MOVE_TO_TRASH = "move_to_trash"
    REMOVE_MESSAGES = "remove_messages"
    SHOW_IN_FILES = "show_in_files"
    REFRESH = "refresh"
    TABLE_VIEW = "table_view"
    SORT_REVERSE = "sort_reverse"
    SIDEBAR = "sidebar"
    JOBS = "jobs"
    STOP = "stop"
    GO_ALL = "go_all"
    GO_TRASH = "go_trash"
    NEXT_PANE = "next_pane"
    TAB_1 = "tab_1"
    TAB_2 = "tab_2"
    TAB_3 = "tab_3"
    TAB_4 = "tab_4"
    TAB_5 = "tab_5"
    TAB_6 = "tab_6"
    KEYS = "keys"
    ABOUT = "about"


TABS = (ActionId.TAB_1, ActionId.TAB_2, ActionId.TAB_3, ActionId.TAB_4, ActionId.TAB_5, ActionId.TAB_6)


class Needs(Flag):
    """What must be there for a command. Flags add up: all of them must hold."""

    NOTHING = 0
    ROOT = auto()  # at least one open root
    WRITABLE = auto()  # the root a change would go to can be written
    ROWS = auto()  # the list shows at least one chat
    ONE = auto()  # exactly one chat selected
    SOME = auto()  # at least one chat selected
    CHANGEABLE = auto()  # every selected chat lies in a root that can be written
    READABLE = auto()  # the selected chats are not damaged
    LIST = auto()  # the list is shown, not the trash
    UNDO = auto()
    REDO = auto()
    FLAT = auto()  # there are flat files of old versions
    WORK = auto()  # something runs


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """`text` and `tip` are English source texts of the context "actions"; `key` in Qt's portable spelling."""

    text: str
    tip: str
    key: str
    needs: Needs = Needs.NOTHING
    icon: str = ""
    checkable: bool = False


@dataclass(frozen=True, slots=True)
class Situation:
    """What the window shows now, as far as commands depend on it."""

    roots: int = 0
    writable: bool = False
    rows: int = 0
    selected: int = 0
    selected_changeable: bool = False
    selected_readable: bool = False
    in_trash: bool = False
    undo_text: str = ""
    redo_text: str = ""
    flat_files: int = 0
    jobs: int = 0


def allowed(needs: Needs, now: Situation) -> bool:
    """Whether everything `needs` names is there."""
    there = {
        Needs.ROOT: now.roots > 0,
        Needs.WRITABLE: now.roots > 0 and now.writable,
        Needs.ROWS: now.rows > 0,
        Needs.ONE: now.selected == 1,
        Needs.SOME: now.selected > 0,
        Needs.CHANGEABLE: now.selected > 0 and now.selected_changeable,
        Needs.READABLE: now.selected > 0 and now.selected_readable,
        Needs.LIST: not now.in_trash,
        Needs.UNDO: bool(now.undo_text),
        Needs.REDO: bool(now.redo_text),
        Needs.FLAT: now.flat_files > 0,
        Needs.WORK: now.jobs > 0,
    }
    return all(there[need] for need in needs)


_SOME_WRITABLE = Needs.SOME | Needs.CHANGEABLE | Needs.LIST

SPECS: dict[ActionId, ActionSpec] = {
    ActionId.OPEN: ActionSpec(
        QT_TRANSLATE_NOOP("actions", "&Open…"),
        QT_TRANSLATE_NOOP("actions", "Open a folder in which chats are kept"),
        "Ctrl+O",
        icon="open",
    ),
    ActionId.OPEN_SAMPLE: ActionSpec(
        QT_TRANSLATE_NOOP("actions", "Open the S&ample"),
        QT_TRANSLATE_NOOP("actions", "Open a copy of the sample archive that comes with the program"),
        "Ctrl+Alt+O",
    ),
    ActionId.CLOSE_ROOT: ActionSpec(
        QT_TRANSLATE_NOOP("actions", "&Close Folder"),
        QT_TRANSLATE_NOOP("actions", "Close the open folder that is chosen at the left"),
        "Ctrl+W",
        Needs.ROOT,
    ),
    ActionId.IMPORT_FILES: ActionSpec(
        QT_TRANSLATE_NOOP("actions", "&Import…"),
        QT_TRANSLATE_NOOP("actions", "Import chat files; each is shown before anything is written"),
        "Ctrl+I",
        Needs.WRITABLE,
        icon="import",
    ),
    ActionId.IMPORT_FOLDER: ActionSpec(
        QT_TRANSLATE_NOOP("actions", "Import &Folder…"),
        QT_TRANSLATE_NOOP("actions", "Import the chats of a folder, with their files"),
        "Ctrl+Shift+I",
        Needs.WRITABLE,
    ),
    ActionId.EXPORT: ActionSpec(
        QT_TRANSLATE_NOOP("actions", "&Export…"),
        QT_TRANSLATE_NOOP("actions", "Save copies of the selected chats as JSON that Agent Zero opens"),
        "Ctrl+E",
        Needs.SOME | Needs.LIST,
        icon="export",
    ),
    ActionId.EXPORT_ALL: ActionSpec(
        QT_TRANSLATE_NOOP("actions", "Export A&ll…"),
        QT_TRANSLATE_NOOP("actions", "Save copies of all listed chats"),
        "Ctrl+Shift+E",
        Needs.ROWS | Needs.LIST,
    ),
    ActionId.CONVERT: ActionSpec(
        QT_TRANSLATE_NOOP("actions", "Move Old Chats into Fol&ders…"),
        QT_TRANSLATE_NOOP("actions", "Give the flat files of old versions a folder each, as newer versions expect"),
        "Ctrl+Alt+D",
        Needs.WRITABLE | Needs.FLAT,
    ),
    ActionId.SETTINGS: ActionSpec(
        QT_TRANSLATE_NOOP("actions", "&Settings…"),
        QT_TRANSLATE_NOOP("actions", "Time zone, look, text size and defaults"),
        "Ctrl+,",
        icon="settings",
    ),
    ActionId.QUIT: ActionSpec(
        QT_TRANSLATE_NOOP("actions", "&Quit"),
        QT_TRANSLATE_NOOP("actions", "Finish running work and close the program"),
        "Ctrl+Q",
        icon="quit",
    ),
    ActionId.UNDO: ActionSpec(
        QT_TRANSLATE_NOOP("actions", "&Undo"),
        QT_TRANSLATE_NOOP("actions", "Take the last change back"),
        "Ctrl+Z",
        Needs.UNDO,
        icon="undo",
    ),
    ActionId.REDO: ActionSpec(
        QT_TRANSLATE_NOOP("actions", "&Redo"),
        QT_TRANSLATE_NOOP("actions", "Do again what was taken back"),
        "Ctrl+Shift+Z",
        Needs.REDO,
        icon="redo",
    ),
    ActionId.COPY_ID: ActionSpec(
        QT_TRANSLATE_NOOP("actions", "Copy &Id"),
        QT_TRANSLATE_NOOP("actions", "Copy the ids of the selected chats"),
        "Ctrl+Shift+C",
        Needs.SOME | Needs.LIST,
        icon="copy",
    ),
    ActionId.COPY_PATH: ActionSpec(
        QT_TRANSLATE_NOOP("actions", "Copy &Path"),
        QT_TRANSLATE_NOOP("actions", "Copy where the selected chats lie on the disk"),
        "Ctrl+Alt+C",
        Needs.SOME | Needs.LIST,
    ),
    ActionId.PASTE: ActionSpec(
        QT_TRANSLATE_NOOP("actions", "Import from Clip&board"),
        QT_TRANSLATE_NOOP("actions", "Import the files that were copied in the file manager"),
        "Ctrl+V",
        Needs.WRITABLE,
    ),
    ActionId.SELECT_ALL: ActionSpec(
        QT_TRANSLATE_NOOP("actions", "Select &All"),
        QT_TRANSLATE_NOOP("actions", "Select every listed chat"),
        "Ctrl+A",
        Needs.ROWS | Needs.LIST,
    ),
    ActionId.FILTER: ActionSpec(
        QT_TRANSLATE_NOOP("actions", "Fi&lter the List"),
        QT_TRANSLATE_NOOP("actions", "Go to the filter: name, profile, project or id"),
        "Ctrl+L",
        Needs.ROOT,
        icon="filter",
    ),
    ActionId.FIND: ActionSpec(
        QT_TRANSLATE_NOOP("actions", "&Find in Chat"),
        QT_TRANSLATE_NOOP("actions", "Find words in the open chat"),
        "Ctrl+F",
        Needs.ONE | Needs.LIST,
        icon="search",
    ),
    ActionId.OPEN_CHAT: ActionSpec(
        QT_TRANSLATE_NOOP("actions", "&Read"),
        QT_TRANSLATE_NOOP("actions", "Go to the text of the selected chat"),
        "Ctrl+Return",
        Needs.ONE | Needs.LIST,
    ),
    ActionId.RENAME: ActionSpec(
        QT_TRANSLATE_NOOP("actions", "Re&name…"),
        QT_TRANSLATE_NOOP("actions", "Give the chat another name; nothing else in its file changes"),
        "F2",
        Needs.ONE | Needs.CHANGEABLE | Needs.READABLE | Needs.LIST,
        icon="rename",
    ),
    ActionId.MOVE_TO_TRASH: ActionSpec(
        QT_TRANSLATE_NOOP("actions", "Move to &Trash"),
        QT_TRANSLATE_NOOP("actions", "Move the selected chats to the trash, after asking"),
        "Del",
        _SOME_WRITABLE,
        icon="trash",
    ),
    ActionId.REMOVE_MESSAGES: ActionSpec(
        QT_TRANSLATE_NOOP("actions", "Remove &Message Files…"),
        QT_TRANSLATE_NOOP("actions", "Move only the message files of the selected chats to the trash"),
        "Ctrl+Shift+M",
        _SOME_WRITABLE,
    ),
    ActionId.SHOW_IN_FILES: ActionSpec(
        QT_TRANSLATE_NOOP("actions", "Show in File Mana&ger"),
        QT_TRANSLATE_NOOP("actions", "Open the folder of the chat in the file manager"),
        "Ctrl+Shift+O",
        Needs.ONE | Needs.LIST,
        icon="external",
    ),
    ActionId.REFRESH: ActionSpec(
        QT_TRANSLATE_NOOP("actions", "&Refresh"),
        QT_TRANSLATE_NOOP("actions", "Look at the folder again; only changed chats are read"),
        "F5",
        Needs.ROOT,
        icon="refresh",
    ),
    ActionId.TABLE_VIEW: ActionSpec(
        QT_TRANSLATE_NOOP("actions", "&Table"),
        QT_TRANSLATE_NOOP("actions", "Show one line a chat with columns to choose"),
        "Ctrl+T",
        icon="table",
        checkable=True,
    ),
    ActionId.SORT_REVERSE: ActionSpec(
        QT_TRANSLATE_NOOP("actions", "Re&verse Order"),
        QT_TRANSLATE_NOOP("actions", "Turn the order of the list round"),
        "Ctrl+Shift+R",
    ),
    ActionId.SIDEBAR: ActionSpec(
        QT_TRANSLATE_NOOP("actions", "Side&bar"),
        QT_TRANSLATE_NOOP("actions", "Show or hide the pane at the left"),
        "F9",
        checkable=True,
    ),
    ActionId.JOBS: ActionSpec(
        QT_TRANSLATE_NOOP("actions", "&Work"),
        QT_TRANSLATE_NOOP("actions", "Show what runs and what became of it"),
        "Ctrl+J",
        checkable=True,
    ),
    ActionId.STOP: ActionSpec(
        QT_TRANSLATE_NOOP("actions", "&Stop"),
        QT_TRANSLATE_NOOP("actions", "Ask running work to stop; what was done stays done"),
        "Ctrl+.",
        Needs.WORK,
        icon="stop",
    ),
    ActionId.GO_ALL: ActionSpec(
        QT_TRANSLATE_NOOP("actions", "All &Chats"),
        QT_TRANSLATE_NOOP("actions", "List all chats of the open folders"),
        "Alt+1",
        Needs.ROOT,
    ),
    ActionId.GO_TRASH: ActionSpec(
        QT_TRANSLATE_NOOP("actions", "Tras&h"),
        QT_TRANSLATE_NOOP("actions", "Show what is in the trash"),
        "Alt+2",
        Needs.ROOT,
    ),
    ActionId.NEXT_PANE: ActionSpec(
        QT_TRANSLATE_NOOP("actions", "&Next Pane"),
        QT_TRANSLATE_NOOP("actions", "Go to the next pane of the window"),
        "F6",
    ),
    ActionId.TAB_1: ActionSpec(
        QT_TRANSLATE_NOOP("actions", "T&ranscript"),
        QT_TRANSLATE_NOOP("actions", "Show what was said"),
        "Ctrl+1",
        Needs.ONE,
    ),
    ActionId.TAB_2: ActionSpec(
        QT_TRANSLATE_NOOP("actions", "A&gents"),
        QT_TRANSLATE_NOOP("actions", "Show the agents of the chat"),
        "Ctrl+2",
        Needs.ONE,
    ),
    ActionId.TAB_3: ActionSpec(
        QT_TRANSLATE_NOOP("actions", "L&og"),
        QT_TRANSLATE_NOOP("actions", "Show the log, as people saw it"),
        "Ctrl+3",
        Needs.ONE,
    ),
    ActionId.TAB_4: ActionSpec(
        QT_TRANSLATE_NOOP("actions", "H&istory"),
        QT_TRANSLATE_NOOP("actions", "Show the history, as the model saw it"),
        "Ctrl+4",
        Needs.ONE,
    ),
    ActionId.TAB_5: ActionSpec(
        QT_TRANSLATE_NOOP("actions", "&Files"),
        QT_TRANSLATE_NOOP("actions", "Show the files of the chat"),
        "Ctrl+5",
        Needs.ONE,
    ),
    ActionId.TAB_6: ActionSpec(
        QT_TRANSLATE_NOOP("actions", "Ra&w"),
        QT_TRANSLATE_NOOP("actions", "Show the file as it is on the disk"),
        "Ctrl+6",
        Needs.ONE,
    ),
    ActionId.KEYS: ActionSpec(
        QT_TRANSLATE_NOOP("actions", "&Keyboard Shortcuts"),
        QT_TRANSLATE_NOOP("actions", "List every command with its key"),
        "F1",
        icon="keyboard",
    ),
    ActionId.ABOUT: ActionSpec(
        QT_TRANSLATE_NOOP("actions", "&About Chat Archive"),
        QT_TRANSLATE_NOOP("actions", "Version, licence and places"),
        "Shift+F1",
        icon="about",
    ),
}


class Actions(QObject):
    """The QActions of one window, by id."""

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self._theme = theme
        self._made: dict[ActionId, QAction] = {}
        for action_id, spec in SPECS.items():
            action = QAction(window)
            action.setObjectName(action_id.value)
            action.setText(QCoreApplication.translate(_CONTEXT, spec.text))
            # Qt would take the "…" away on a toolbar, where it says just as well that a question follows
            action.setIconText(action.text().replace("&", ""))
            tip = QCoreApplication.translate(_CONTEXT, spec.tip)
            action.setStatusTip(tip)
            action.setShortcut(QKeySequence(spec.key))
            action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
            keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            action.setToolTip(f"{tip} ({keys})")
            action.setCheckable(spec.checkable)
            self._made[action_id] = action
        window.addActions(list(self._made.values()))
        self._paint_icons()
        theme.changed.connect(self._paint_icons)
        self.update(Situation())

    def __getitem__(self, action_id: ActionId) -> QAction:
        return self._made[action_id]

    def __iter__(self) -> Iterator[tuple[ActionId, QAction]]:
        return iter(self._made.items())

    def update(self, now: Situation) -> None:
        """Enable what can be used now, and let undo and redo say what they would do."""
        for action_id, spec in SPECS.items():
            self._made[action_id].setEnabled(allowed(spec.needs, now))
        self._name(ActionId.UNDO, now.undo_text, QCoreApplication.translate(_CONTEXT, "&Undo {what}"))
        self._name(ActionId.REDO, now.redo_text, QCoreApplication.translate(_CONTEXT, "&Redo {what}"))

    def _name(self, action_id: ActionId, what: str, pattern: str) -> None:
        plain = QCoreApplication.translate(_CONTEXT, SPECS[action_id].text)
        self._made[action_id].setText(pattern.format(what=menu_text(what)) if what else plain)

    def _paint_icons(self) -> None:
        for action_id, spec in SPECS.items():
            if spec.icon:
                self._made[action_id].setIcon(self._theme.icon(spec.icon))
