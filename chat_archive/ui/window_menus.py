"""Menus, toolbar and context menu of the window, all made of the same actions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QMainWindow, QMenu, QSizePolicy, QToolBar, QToolButton, QWidget

from chat_archive.ui.actions import TABS, ActionId, Actions
from chat_archive.ui.plain_text import menu_text, tool_tip

A = ActionId
FILE_TOP = (A.OPEN, A.OPEN_SAMPLE)
FILE_REST = (
    A.CLOSE_ROOT,
    None,
    A.IMPORT_FILES,
    A.IMPORT_FOLDER,
    A.PASTE,
    None,
    A.EXPORT,
    A.EXPORT_ALL,
    None,
    A.CONVERT,
    None,
    A.SETTINGS,
    A.QUIT,
)
EDIT = (A.UNDO, A.REDO, None, A.COPY_ID, A.COPY_PATH, None, A.SELECT_ALL, None, A.FILTER, A.FIND)
CHAT = (A.OPEN_CHAT, A.RENAME, None, A.EXPORT, A.SHOW_IN_FILES, None, A.MOVE_TO_TRASH, A.REMOVE_MESSAGES)
VIEW_TOP = (A.REFRESH, None, A.GO_ALL, A.GO_TRASH, A.NEXT_PANE, None, *TABS, None, A.TABLE_VIEW)
VIEW_REST = (A.SORT_REVERSE, None, A.SIDEBAR, A.JOBS, A.STOP)
HELP = (A.KEYS, A.ABOUT)
CONTEXT = (
    A.OPEN_CHAT,
    A.RENAME,
    None,
    A.EXPORT,
    A.SHOW_IN_FILES,
    A.COPY_ID,
    A.COPY_PATH,
    None,
    A.MOVE_TO_TRASH,
    A.REMOVE_MESSAGES,
)
TOOLBAR = (A.OPEN, A.IMPORT_FILES, A.EXPORT, A.MOVE_TO_TRASH)

translate = QCoreApplication.translate


class WindowMenus:
    """Builds them once. `recent` gives the folders opened last, `columns` fills the menu of the table's columns."""

    def __init__(
        self,
        window: QMainWindow,
        actions: Actions,
        *,
        sort_menu: QMenu,
        columns: Callable[[QMenu], None],
        recent: Callable[[], Sequence[str]],
        open_recent: Callable[[Path], None],
    ) -> None:
        self._actions = actions
        self._recent = recent
        self._open_recent = open_recent
        bar = window.menuBar()
        file_menu = bar.addMenu(translate("WindowMenus", "&File"))
        self.fill(file_menu, FILE_TOP)
        self._recent_menu = file_menu.addMenu(translate("WindowMenus", "Open &Recent"))
        self._recent_menu.aboutToShow.connect(self._fill_recent)
        self.fill(file_menu, FILE_REST)
        self.fill(bar.addMenu(translate("WindowMenus", "&Edit")), EDIT)
        self.fill(bar.addMenu(translate("WindowMenus", "&Chat")), CHAT)
        view_menu = bar.addMenu(translate("WindowMenus", "&View"))
        self.fill(view_menu, VIEW_TOP)
        self._columns_menu = view_menu.addMenu(translate("WindowMenus", "Colu&mns of the Table"))
        self._columns_menu.aboutToShow.connect(lambda: self._fill_columns(columns))
        sort_menu.setTitle(translate("WindowMenus", "Order &by"))
        view_menu.addMenu(sort_menu)
        self.fill(view_menu, VIEW_REST)
        self.fill(bar.addMenu(translate("WindowMenus", "&Help")), HELP)
        self.context = QMenu(window)
        self.fill(self.context, CONTEXT)

    def fill(self, menu: QMenu, ids: Sequence[ActionId | None]) -> None:
        for action_id in ids:
            if action_id is None:
                menu.addSeparator()
            else:
                menu.addAction(self._actions[action_id])

    def _fill_columns(self, columns: Callable[[QMenu], None]) -> None:
        self._columns_menu.clear()
        columns(self._columns_menu)

    def _fill_recent(self) -> None:
        menu = self._recent_menu
        menu.clear()
        for path in self._recent():
            action = menu.addAction(menu_text(path, 80))
            action.setToolTip(tool_tip(path))
            action.triggered.connect(lambda _on=False, chosen=path: self._open_recent(Path(chosen)))
        if menu.isEmpty():
            menu.addAction(translate("WindowMenus", "No folder was opened yet")).setEnabled(False)


class WindowToolBar(QToolBar):
    """Shows words beside the icons while there is room for them."""

    def __init__(self, title: str, window: QMainWindow) -> None:
        super().__init__(title, window)
        self._wanted = 0  # width with words
        self._wordless: list[QToolButton] = []

    def keep_wordless(self, button: QToolButton) -> None:
        """A button that shows its icon alone at every width."""
        button.setProperty("look", "flat")
        self._wordless.append(button)
        self.toolButtonStyleChanged.connect(self._hush)
        self._hush()

    def _hush(self) -> None:
        for button in self._wordless:
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)

    def measure(self) -> None:
        """Icons or text size changed."""
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.ensurePolished()
        self._wanted = self.sizeHint().width()
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        # the window may become narrower than the words
        return QSize(200, super().minimumSizeHint().height())

    def _fit(self) -> None:
        style = Qt.ToolButtonStyle
        wanted = style.ToolButtonIconOnly if 0 < self.width() < self._wanted else style.ToolButtonTextBesideIcon
        if self.toolButtonStyle() is not wanted:
            self.setToolButtonStyle(wanted)


def build_toolbar(window: QMainWindow, actions: Actions, field: QWidget) -> WindowToolBar:
    """Buttons with words at the left, undo as an icon, the filter at the right."""
    bar = WindowToolBar(translate("WindowMenus", "Tools"), window)
    bar.setObjectName("tools")
    bar.setMovable(False)
    bar.setFloatable(False)
    bar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
    bar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    for action_id in TOOLBAR:
        bar.addAction(actions[action_id])
        _name(bar, actions, action_id)
    bar.addAction(actions[ActionId.UNDO])
    bar.keep_wordless(_name(bar, actions, ActionId.UNDO))
    space = QWidget()
    space.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
    bar.addWidget(space)
    field.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    bar.addWidget(field)
    window.addToolBar(bar)
    return bar


def _name(bar: QToolBar, actions: Actions, action_id: ActionId) -> QToolButton:
    action = actions[action_id]
    button = bar.widgetForAction(action)
    assert isinstance(button, QToolButton)
    button.setAccessibleName(action.text().replace("&", ""))
    # reachable by Tab, as every control is
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button
