"""The first page: no archive is open. Where chats usually are, what was found, and three ways on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from chat_archive.core.entities import FoundRoot
from chat_archive.ui import words
from chat_archive.ui.dialogs.sheet import UNIT, Chip, hairline, sheet_button
from chat_archive.ui.plain_text import ElidedLabel, ThemedLabel, breakable, shown
from chat_archive.ui.theme import Theme

_COLUMN = 760
_LISTED = 8
_TOP = Qt.AlignmentFlag.AlignTop


class FirstRunPage(QScrollArea):
    """`set_places` fills in what a search found; until then it says that it is looking."""

    open_requested = Signal()
    place_chosen = Signal(Path)
    sample_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("Start page"))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        page = QWidget()
        outer = QHBoxLayout(page)
        outer.setContentsMargins(4 * UNIT, 4 * UNIT, 4 * UNIT, 4 * UNIT)
        column = QWidget()
        column.setMaximumWidth(_COLUMN)
        column.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        outer.addStretch(1)
        outer.addWidget(column, 1000)
        outer.addStretch(1)
        self._column = QVBoxLayout(column)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(UNIT + 4)
        self._add_head()
        self._add_found()
        self._add_usual()
        self._column.addStretch(1)
        self.setWidget(page)

    def set_places(self, places: Sequence[FoundRoot]) -> None:
        """Show the roots that were found, each with a button that opens it; none found is said, too."""
        _clear(self._found)
        if not places:
            self._found.addWidget(
                self._plain(self.tr("No folder with chats was found at the usual places. Open yours by hand."))
            )
            return
        for root in places[:_LISTED]:
            place = _Place(self._theme, root)
            place.opened.connect(self.place_chosen)
            self._found.addWidget(place)
        if len(places) > _LISTED:
            more = self.tr("and %Ln more; open a folder to choose among them", "", len(places) - _LISTED)
            self._found.addWidget(self._plain(more))

    def set_looking(self) -> None:
        _clear(self._found)
        self._found.addWidget(self._plain(self.tr("Looking at the usual places…")))

    def show_sentence(self, text: str) -> None:
        """Why this page is here, e.g. that the last folder is gone; "" for none."""
        self._sentence.setText(breakable(shown(text, 600)))
        self._sentence.setVisible(bool(text))

    def _plain(self, text: str) -> ThemedLabel:
        return ThemedLabel(self._theme, text, color="muted", wrap=True)

    def _add_head(self) -> None:
        theme = self._theme
        self._column.addWidget(ThemedLabel(theme, self.tr("Open a folder with chats"), role="page", wrap=True))
        self._sentence = ThemedLabel(theme, "", color="warning", wrap=True, selectable=True)
        self._sentence.hide()
        self._column.addWidget(self._sentence)
        lead = self.tr(
            "Chat Archive shows the chats that Agent Zero has saved, from any version. "
            "Looking changes nothing on your disk. You can also drop a folder on this window."
        )
        self._column.addWidget(ThemedLabel(theme, lead, wrap=True))
        row = QHBoxLayout()
        row.setSpacing(UNIT)
        self.open_button = sheet_button(self.tr("&Open Folder…"), "primary")
        self.open_button.clicked.connect(self.open_requested)
        self.sample_button = sheet_button(self.tr("Open the &Sample Archive"))
        self.sample_button.clicked.connect(self.sample_requested)
        self.sample_button.setToolTip(self.tr("Invented chats to look around in"))
        row.addWidget(self.open_button)
        row.addWidget(self.sample_button)
        row.addStretch(1)
        self._column.addLayout(row)

    def _add_found(self) -> None:
        self._column.addSpacing(UNIT)
        self._column.addWidget(ThemedLabel(self._theme, self.tr("Found on this computer"), bold=True))
        self._found = QVBoxLayout()
        self._found.setSpacing(UNIT // 2)
        self._column.addLayout(self._found)
        self.set_looking()

    def _add_usual(self) -> None:
        self._column.addSpacing(UNIT)
        self._column.addWidget(ThemedLabel(self._theme, self.tr("Where chats usually are"), bold=True))
        grid = QGridLayout()
        grid.setHorizontalSpacing(3 * UNIT)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        self._grid = grid
        self._on_theme()
        self._theme.changed.connect(self._on_theme)
        for set_up, where in self._usual():
            row = grid.rowCount()
            grid.addWidget(hairline(), row, 0, 1, 2)
            name = ThemedLabel(self._theme, set_up, color="muted", wrap=True)
            grid.addWidget(name, row + 1, 0, _TOP)
            grid.addWidget(ThemedLabel(self._theme, breakable(where), wrap=True, selectable=True), row + 1, 1, _TOP)
        self._column.addLayout(grid)

    def _on_theme(self) -> None:
        self._grid.setColumnMinimumWidth(0, QFontMetrics(self._theme.font()).horizontalAdvance("0") * 24)

    def _usual(self) -> list[tuple[str, str]]:
        """Format 1.7 in plain words."""
        return [
            (
                self.tr("A folder of yours mounted into Docker"),
                self.tr(
                    "In that folder: usr/chats or chats, for example agent-zero/usr/chats. "
                    "Older versions used tmp/chats; both are offered."
                ),
            ),
            (
                self.tr("A Docker volume"),
                self.tr(
                    "On Linux usually /var/lib/docker/volumes/a0_usr/_data/chats, readable for root only. "
                    "Docker Desktop keeps volumes inside its own machine: copy the chats out as below."
                ),
            ),
            (
                self.tr("Only inside the container"),
                self.tr(
                    "Copy them out with: docker cp CONTAINER:/a0/usr/chats FOLDER. Then open FOLDER. "
                    "Without a volume they are gone when the container is removed."
                ),
            ),
            (
                self.tr("Run from source"),
                self.tr("In the folder with Agent Zero's code: usr/chats, in older versions tmp/chats."),
            ),
            (
                self.tr("A copy or a backup"),
                self.tr("Any folder that holds such a folder, one chat's folder, or a chat.json."),
            ),
        ]


class _Place(QFrame):
    """One found root: label, count and path, and the button that opens it."""

    opened = Signal(Path)

    def __init__(self, theme: Theme, root: FoundRoot) -> None:
        super().__init__()
        self.setProperty("look", "card")
        row = QHBoxLayout(self)
        row.setContentsMargins(2 * UNIT, UNIT, UNIT, UNIT)
        row.setSpacing(2 * UNIT)
        column = QVBoxLayout()
        column.setSpacing(0)
        top = QHBoxLayout()
        top.setSpacing(UNIT)
        label = ElidedLabel(theme, root.label or root.path.name, bold=True)
        label.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        top.addWidget(label)
        if root.chats < 0:
            top.addWidget(Chip(theme, self.tr("cannot be read")))
        else:
            top.addWidget(ThemedLabel(theme, words.chats_text(root.chats), color="muted"))
        top.addStretch(1)
        column.addLayout(top)
        path = ElidedLabel(theme, str(root.path), mode=Qt.TextElideMode.ElideMiddle, role="small", color="muted")
        column.addWidget(path)
        if root.note:
            column.addWidget(ThemedLabel(theme, breakable(shown(root.note, 600)), role="small", wrap=True))
        row.addLayout(column, 1)
        self.button = QPushButton(self.tr("Open"))
        self.button.setAutoDefault(False)
        self.button.setAccessibleName(self.tr("Open {label}").format(label=shown(str(root.path))))
        self.button.setEnabled(root.chats >= 0)
        self.button.clicked.connect(lambda: self.opened.emit(root.path))
        row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignTop)


def _clear(layout: QLayout) -> None:
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
