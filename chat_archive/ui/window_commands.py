"""What each command of the window does: connects every action to one method."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget

from chat_archive.core import discover, sample
from chat_archive.core.entities import FoundRoot
from chat_archive.core.errors import ArchiveError
from chat_archive.ui.actions import TABS, ActionId
from chat_archive.ui.drop import local_paths
from chat_archive.ui.models.chat_order import ALL, TRASH
from chat_archive.ui.plain_text import shown
from chat_archive.ui.resources import resource
from chat_archive.ui.roots import RootSession

if TYPE_CHECKING:
    from chat_archive.ui.main_window import MainWindow

_SHOWN_IN_CLIPBOARD = 10_000


class WindowCommands(QObject):
    """Commands of one window, given by menu, key, toolbar or drop."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._looked_for_places = False
        # tells another window of this program to come forward; True when it did
        self.show_other_window: Callable[[Path], bool] = lambda _path: False

    def connect_actions(self) -> None:
        window, a = self._window, ActionId
        view = window.pane.list
        calls: dict[ActionId, Callable[[], object]] = {
            a.OPEN: self.open_folder,
            a.OPEN_SAMPLE: self.open_sample,
            a.CLOSE_ROOT: self.close_root,
            a.IMPORT_FILES: lambda: self._import(window.prompts.choose_import_files),
            a.IMPORT_FOLDER: lambda: self._import(window.prompts.choose_import_folder),
            a.EXPORT: lambda: window.changes.export(view.selected_rows()),
            a.EXPORT_ALL: lambda: window.changes.export(window.model.shown_rows),
            a.CONVERT: self.convert,
            a.SETTINGS: self.show_settings,
            a.QUIT: window.close,
            a.UNDO: window.changes.undo,
            a.REDO: window.changes.redo,
            a.COPY_ID: self.copy_ids,
            a.COPY_PATH: self.copy_paths,
            a.PASTE: self.paste,
            a.SELECT_ALL: view.selectAll,
            a.FILTER: self.focus_filter,
            a.FIND: window.detail.find_focus,
            a.OPEN_CHAT: lambda: _focus_inside(window.detail),
            a.RENAME: self.rename,
            a.MOVE_TO_TRASH: lambda: window.changes.delete(view.selected_rows()),
            a.REMOVE_MESSAGES: lambda: window.changes.remove_messages(view.selected_rows()),
            a.SHOW_IN_FILES: self.show_in_files,
            a.REFRESH: window.roots.look,
            a.TABLE_VIEW: lambda: window.set_table(window.actions_by_id[a.TABLE_VIEW].isChecked()),
            a.SORT_REVERSE: window.pane.reverse,
            a.SIDEBAR: lambda: window.sidebar.setVisible(window.actions_by_id[a.SIDEBAR].isChecked()),
            a.JOBS: lambda: window.jobs.setVisible(window.actions_by_id[a.JOBS].isChecked()),
            a.STOP: window.runner.cancel_all,
            a.GO_ALL: lambda: window.sidebar.choose(ALL),
            a.GO_TRASH: lambda: window.sidebar.choose(TRASH),
            a.NEXT_PANE: self.next_pane,
            a.KEYS: self.show_keys,
            a.ABOUT: self.show_about,
        }
        for number, tab in enumerate(TABS):
            calls[tab] = partial(self.show_tab, number)
        for action_id, action in window.actions_by_id:
            action.triggered.connect(lambda _on=False, call=calls[action_id]: call())
        view.trash_requested.connect(window.actions_by_id[a.MOVE_TO_TRASH].trigger)
        view.read_requested.connect(lambda: _focus_inside(window.detail))
        window.pane.import_requested.connect(window.actions_by_id[a.IMPORT_FILES].trigger)
        window.detail.rename_requested.connect(window.actions_by_id[a.RENAME].trigger)
        window.detail.open_externally.connect(self.open_externally)
        window.status.jobs_requested.connect(window.actions_by_id[a.JOBS].trigger)
        window.first_run.open_requested.connect(self.open_folder)
        window.first_run.place_chosen.connect(self.open_place)
        window.first_run.sample_requested.connect(self.open_sample)

    # opening and closing

    def open_folder(self) -> None:
        path = self._window.prompts.choose_root()
        if path is not None:
            self.open_place(path)

    def open_place(self, path: Path) -> None:
        """Open what is at, below or above a place; where there are several roots, ask which."""
        window = self._window
        window.runner.read(
            self.tr("Looking for chats"),
            lambda _progress: discover.find_roots(path),
            done=lambda found: self._open_found(path, found),
            failed=self._not_opened,
        )

    def open_sample(self) -> None:
        window = self._window
        window.runner.write(
            self.tr("Copying the sample"),
            lambda _progress: sample.sample_root(resource("sample")),
            done=self.open_root,
            failed=self._not_opened,
        )

    def open_root(self, root: Path) -> None:
        """Open exactly this folder, unless another window of this program has it open: then that one comes forward."""
        window = self._window
        if window.roots.is_open(root) is None and self.show_other_window(root):
            window.messages.notice(
                self.tr("{place} is open in another window, which was brought to the front.").format(
                    place=shown(root.name)
                )
            )
            return
        there = window.roots.is_open(root)
        if there is not None:
            label = window.roots.labels.get(there.root, root.name)
            window.messages.notice(self.tr("{place} is open already.").format(place=shown(label)))
        window.roots.open(root)

    def _open_found(self, path: Path, found: list[FoundRoot]) -> None:
        window = self._window
        if not found:
            self._not_opened(ArchiveError(discover.explain_missing(str(path))))  # it names the place itself
            return
        exact = [one for one in found if _same(one.path, path)]
        chosen = exact or (found if len(found) == 1 else window.prompts.choose_among(found))
        for one in chosen:
            if one.chats < 0 and one.note:
                self._not_opened(ArchiveError(one.note, path=one.path))
            else:
                self.open_root(one.path)
        others = [one for one in found if one not in exact and one.chats > 0]
        if exact and others:
            names = ", ".join(shown(one.label) for one in others[:3])
            window.messages.notice(self.tr("There are chats beside it, too: {places}.").format(places=names))

    def _not_opened(self, error: Exception) -> None:
        window = self._window
        if not window.roots.sessions and isinstance(error, ArchiveError):
            self.show_first_run(str(error))
        else:
            window.messages.error(error)

    def show_first_run(self, sentence: str) -> None:
        """The page that explains where chats usually are; places are looked for in the background."""
        window = self._window
        window.pages.setCurrentWidget(window.first_run)
        window.first_run.show_sentence(sentence)
        if self._looked_for_places:
            return
        self._looked_for_places = True
        window.first_run.set_looking()
        window.runner.read(
            self.tr("Looking for chats"),
            lambda _progress: discover.likely_places(),
            done=window.first_run.set_places,
            failed=lambda _error: window.first_run.set_places([]),
            quiet=True,
        )

    def close_root(self) -> None:
        session = self._window.current_session()
        if session is not None:
            self._window.roots.close(session)

    # chats

    def rename(self) -> None:
        rows = self._window.pane.list.selected_rows()
        if len(rows) == 1:
            self._window.changes.rename(rows[0])

    def convert(self) -> None:
        session = self._window.current_session()
        if session is not None:
            self._window.changes.convert(session)

    def copy_ids(self) -> None:
        self._copy([row.id or row.folder for row in self._window.pane.list.selected_rows()])

    def copy_paths(self) -> None:
        self._copy([str(row.path) for row in self._window.pane.list.selected_rows()])

    def _copy(self, lines: Sequence[str]) -> None:
        text = "\n".join(lines[:_SHOWN_IN_CLIPBOARD])
        QGuiApplication.clipboard().setText(text.encode("utf-8", "replace").decode("utf-8"))

    def show_in_files(self) -> None:
        rows = self._window.pane.list.selected_rows()
        if len(rows) == 1:
            self.open_externally(rows[0].path.parent)

    def open_externally(self, path: Path) -> None:
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
            error = ArchiveError(self.tr("No program on this system opens it."), path=path)
            self._window.messages.error(error)

    # bringing in

    def _import(self, choose: Callable[[], list[Path]]) -> None:
        target = self._window.current_session()
        if target is not None:
            self._window.changes.import_paths(choose(), target)

    def paste(self) -> None:
        mime = QGuiApplication.clipboard().mimeData()
        paths = local_paths(mime)
        target = self._window.current_session()
        if not paths:
            self._window.messages.notice(self.tr("The clipboard holds no files. Copy some in the file manager first."))
        elif target is not None:
            self._window.changes.import_paths(paths, target)

    def take_dropped(self, paths: list[Path]) -> None:
        """With a folder open a drop imports; without one it opens what it can."""
        window = self._window
        target: RootSession | None = window.current_session()
        if target is not None:
            window.changes.import_paths(paths, target)
            return
        for path in paths[:10]:
            self.open_place(path)

    def refuse_drop(self) -> None:
        self._window.messages.notice(
            self.tr("Only files and folders of this computer can be imported. Save the link or text as a file first.")
        )

    # looking

    def focus_filter(self) -> None:
        field = self._window.filter
        field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        field.selectAll()

    def next_pane(self) -> None:
        """From sidebar to list to detail to filter, and round."""
        window = self._window
        listed = window.pane.stack.currentWidget()
        panes: list[QWidget] = [window.sidebar, listed or window.pane, window.detail, window.filter]
        here = QApplication.focusWidget()
        at = next((n for n, pane in enumerate(panes) if here is pane or (here and pane.isAncestorOf(here))), -1)
        for step in range(1, len(panes) + 1):
            pane = panes[(at + step) % len(panes)]
            if pane.isVisible():
                _focus_inside(pane)
                return

    def show_tab(self, number: int) -> None:
        self._window.detail.set_current_tab(number)

    # windows of their own

    def show_settings(self) -> None:
        from chat_archive.ui.dialogs.settings_dialog import SettingsDialog

        window = self._window
        dialog = SettingsDialog(window.choices.settings, window.theme, window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.changed.connect(window.choices.use)
        dialog.open()

    def show_keys(self) -> None:
        from chat_archive.ui.dialogs.shortcuts_dialog import ShortcutsDialog

        dialog = ShortcutsDialog(self._window.theme, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def show_about(self) -> None:
        from chat_archive.ui.dialogs.about_dialog import AboutDialog

        dialog = AboutDialog(self._window.theme, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()


def _focus_inside(pane: QWidget) -> None:
    """Give the keyboard to a pane or to the first thing in it that takes it."""
    if pane.focusPolicy() & Qt.FocusPolicy.TabFocus:
        pane.setFocus(Qt.FocusReason.ShortcutFocusReason)
        return
    for child in pane.findChildren(QWidget):
        if child.isVisible() and child.isEnabled() and child.focusPolicy() & Qt.FocusPolicy.TabFocus:
            child.setFocus(Qt.FocusReason.ShortcutFocusReason)
            return


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return False
