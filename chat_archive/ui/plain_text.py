"""Text from chats, file names and exceptions on its way into a widget: always plain, on one line where a line is meant.

Rule V2 of the safety contract. A `QLabel` guesses whether its text is HTML; `PlainLabel` never does. What a widget
insists on reading as markup (tool tips) is escaped, what it insists on reading as a shortcut ('&') is doubled.
"""

from __future__ import annotations

import html

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from chat_archive.core.model.titles import cut, one_line, visible_text
from chat_archive.ui.theme import Theme

NAME_LIMIT = 200
"""Characters of a name in lists and labels (V2)."""
TEXT_LIMIT = 2000
"""Characters of a longer text in one label: wrapping one long run costs the square of its length (V6)."""
_BREAK = "\u200b"
_RUN = 12


def shown(text: str, limit: int = NAME_LIMIT) -> str:
    """A name for a list or a label: one line, marks for control and bidi characters, cut to `limit` characters."""
    return one_line(text, limit)


def shown_block(text: str, limit: int = TEXT_LIMIT) -> str:
    """A text that may have lines: control and bidi characters become marks, line breaks stay."""
    lines = text.replace("\r\n", "\n").split("\n")
    return cut("\n".join(visible_text(line) for line in lines), limit)


def breakable(text: str) -> str:
    """Let a path or another long run wrap: invisible break marks after separators and in runs without any.

    For labels only; what is copied for the person is made from the text itself.
    """
    out: list[str] = []
    run = 0
    for char in text:
        out.append(char)
        run = 0 if char.isspace() or char == _BREAK else run + 1
        if char in "/\\" or run >= _RUN:
            out.append(_BREAK)
            run = 0
    return "".join(out)


def tool_tip(text: str) -> str:
    """Escaped for `setToolTip`, which would read markup otherwise. "" stays ""."""
    if not text:
        return ""
    escaped = html.escape(shown_block(text), quote=True).replace("\n", "<br>")
    return f"<qt>{escaped}</qt>"


def menu_text(text: str, limit: int = 60) -> str:
    """A name inside a menu entry, a button or a tab: no '&' of it becomes a shortcut."""
    return one_line(text, limit).replace("&", "&&")


def char_width(widget: QWidget) -> int:
    """Pixels of a digit. The average of a font with thousands of Chinese signs says little about a word's width."""
    return widget.fontMetrics().horizontalAdvance("0")


class PlainLabel(QLabel):
    """A label that shows its text as it is, whatever is in it."""

    def __init__(
        self, text: str = "", parent: QWidget | None = None, *, wrap: bool = False, selectable: bool = False
    ) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setOpenExternalLinks(False)
        if wrap:
            self.setWordWrap(True)
            policy = self.sizePolicy()
            policy.setHorizontalPolicy(QSizePolicy.Policy.Ignored)
            policy.setHeightForWidth(True)
            self.setSizePolicy(policy)
        if selectable:
            self.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
            )
            # reachable with the mouse; a stop for every label would make the tab order useless
            self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setText(text)


class ThemedLabel(PlainLabel):
    """A plain label in one of the theme's type sizes and colours, kept right when scheme or size change."""

    def __init__(
        self,
        theme: Theme,
        text: str = "",
        *,
        role: str = "text",
        color: str = "text",
        bold: bool = False,
        wrap: bool = False,
        selectable: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(text, parent, wrap=wrap, selectable=selectable)
        self._theme = theme
        self._role = role
        self._color = color
        self._bold = bold
        self._restyle()
        theme.changed.connect(self._restyle)

    def set_color(self, color: str) -> None:
        self._color = color
        self._restyle()

    def _restyle(self) -> None:
        self.setFont(self._theme.font(self._role, self._bold))
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.WindowText, self._theme.color(self._color))
        self.setPalette(palette)


class ElidedLabel(ThemedLabel):
    """One line, cut with an ellipsis where the place ends; the whole text is the tool tip and the accessible name."""

    def __init__(
        self,
        theme: Theme,
        text: str = "",
        *,
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        role: str = "text",
        color: str = "text",
        bold: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        self._full = ""
        self._mode = mode
        super().__init__(theme, "", role=role, color=color, bold=bold, parent=parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.set_full_text(text)

    def set_full_text(self, text: str) -> None:
        self._full = shown(text, TEXT_LIMIT)
        self.setText(self._full)
        self.setAccessibleName(self._full)
        self._tell()
        self.updateGeometry()

    @property
    def full_text(self) -> str:
        return self._full

    @property
    def is_cut(self) -> bool:
        return self.fontMetrics().horizontalAdvance(self._full) > self.contentsRect().width()

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        return QSize(min(hint.width(), char_width(self) * 8), hint.height())

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return QSize(min(hint.width(), char_width(self) * 60), hint.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._tell()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
        place = self.contentsRect()
        text = self.fontMetrics().elidedText(self._full, self._mode, place.width())
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeading | Qt.TextFlag.TextSingleLine
        painter.drawText(place, int(flags), text)
        painter.end()

    def _tell(self) -> None:
        self.setToolTip(tool_tip(self._full) if self.is_cut else "")
