"""The head of the detail area: title, agent chain, dates, progress as saved, and what is odd about the chat."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLayout,
    QLayoutItem,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from chat_archive.core.entities import AgentRow, ChatRow, Problem, Severity
from chat_archive.ui.plain_text import ThemedLabel, breakable, shown, tool_tip
from chat_archive.ui.row_words import working_text
from chat_archive.ui.theme import Theme
from chat_archive.ui.words import exact_time, size_text

_DOT = 8
_MOST_PROBLEMS = 50


class FlowLayout(QLayout):
    """Widgets one after the other, going on in the next line where there is no more room."""

    def __init__(self, parent: QWidget | None = None, *, gap: int = 14, line: int = 4) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._gap, self._line = gap, line
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._place(QRect(0, 0, width, 0), test=True)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._place(rect, test=False)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def _place(self, rect: QRect, *, test: bool) -> int:
        x, y, tall = rect.x(), rect.y(), 0
        for item in self._items:
            if item.isEmpty():
                continue
            hint = item.sizeHint()
            width = min(hint.width(), rect.width())
            widget = item.widget()
            if isinstance(widget, AgentMark) and widget.follows:
                x -= self._gap - 5  # the links of a chain stand closer
            if x > rect.x() and x + width > rect.right() + 1:
                x, y, tall = rect.x(), y + tall + self._line, 0
            if not test:
                item.setGeometry(QRect(QPoint(x, y), QSize(width, hint.height())))
            x += width + self._gap
            tall = max(tall, hint.height())
        return y + tall - rect.y()


class AgentMark(QWidget):
    """A dot in an agent's colour and its name; the name stands there too, so colour is never the only sign."""

    def __init__(self, theme: Theme, name: str, depth: int, *, first: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._name = shown(name, 60)
        self._depth = depth
        self.follows = not first
        self._lead = "" if first else "\u203a\u2009"
        self.setFont(theme.font("text"))
        self.setAccessibleName(self._name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self._restyle)

    def _restyle(self) -> None:
        self.setFont(self._theme.font("text"))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        width = metrics.horizontalAdvance(self._lead) + _DOT + 10 + metrics.horizontalAdvance(self._name)
        return QSize(width, metrics.height() + 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        metrics, muted = self.fontMetrics(), self._theme.color("muted")
        base = (self.height() + metrics.ascent() - metrics.descent()) // 2
        painter.setPen(muted)
        painter.drawText(0, base, self._lead)
        x = metrics.horizontalAdvance(self._lead) + (3 if self.follows else 0)
        painter.setBrush(QColor(self._theme.agent_color(self._depth)))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawEllipse(x, (self.height() - _DOT) // 2, _DOT, _DOT)
        painter.setPen(muted)
        room = self.width() - x - _DOT - 5
        painter.drawText(x + _DOT + 5, base, metrics.elidedText(self._name, Qt.TextElideMode.ElideRight, room))
        painter.end()


class ChatHeader(QWidget):
    """Shows a row at once and is completed when the chat is read. `rename_requested` comes from the pencil,
    `find_requested` from the glass."""

    rename_requested = Signal()
    find_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._problems: list[Problem] = []
        self.title = ThemedLabel(theme, role="title", bold=True, wrap=True, selectable=True)
        self.title.setAccessibleName(self.tr("Title"))
        self.rename = QToolButton()
        self.rename.setAutoRaise(True)
        self.rename.setAccessibleName(self.tr("Rename this chat"))
        self.rename.setToolTip(self.tr("Rename this chat"))
        self.rename.clicked.connect(self.rename_requested)
        self.search = QToolButton()
        self.search.setAutoRaise(True)
        self.search.setAccessibleName(self.tr("Find in this chat"))
        self.search.setToolTip(self.tr("Find in this chat (Ctrl+F)"))
        self.search.clicked.connect(self.find_requested)
        top = QHBoxLayout()
        top.setSpacing(2)
        top.addWidget(self.title, 1)
        top.addWidget(self.search, 0, Qt.AlignmentFlag.AlignTop)
        top.addWidget(self.rename, 0, Qt.AlignmentFlag.AlignTop)
        self._facts = QWidget()
        self._flow = FlowLayout(self._facts)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self._facts.setSizePolicy(policy)
        self.created = self._label()
        self.progress = self._label()
        self.tokens = self._label()
        self.bytes = self._label()
        self.responses = self._label()
        self._trouble = QPushButton()
        self._trouble.setProperty("look", "link")
        self._trouble.setCheckable(True)
        self._trouble.setAccessibleName(self.tr("Problems and remarks"))
        self._trouble.toggled.connect(self._show_problems)
        self.problems = ThemedLabel(theme, color="muted", role="small", wrap=True, selectable=True)
        self.problems.setAccessibleName(self.tr("What is odd about this chat"))
        self.problems.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 14, 16, 8)
        layout.setSpacing(6)
        layout.addLayout(top)
        layout.addWidget(self._facts)
        layout.addWidget(self._trouble, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(self.problems)
        theme.changed.connect(self._restyle)
        self._restyle()

    def _label(self) -> ThemedLabel:
        # a parent from the start: shown without one it would be a window for a moment and take the keyboard
        return ThemedLabel(self._theme, color="muted", selectable=True, parent=self._facts)

    def _restyle(self) -> None:
        self.rename.setIcon(self._theme.icon("rename", "muted"))
        self.search.setIcon(self._theme.icon("search", "muted"))
        font = self._theme.font("text")
        self.setStyleSheet("")
        self._facts.setFont(font)

    def show_row(self, row: ChatRow, zone: tzinfo | None) -> None:
        """Everything a row knows; the rest comes by `show_facts`."""
        self.title.setText(breakable(shown(row.title)))
        self.title.setToolTip("" if row.title_given else tool_tip(self.tr("Not a given title: the first words said.")))
        self.rename.setEnabled(not row.damaged)
        self._show_agents(row.agents)
        created = row.created
        self.created.setText(self.tr("created {when}").format(when=exact_time(created, zone)))
        self.created.setVisible(created is not None)
        self._show_progress(row.progress)
        self.tokens.hide()
        self.responses.hide()
        self.bytes.setText(size_text(row.size))
        for label in (self.created, self.progress, self.bytes, self.tokens, self.responses):
            self._flow.addWidget(label)
        self.show_problems(row.problems)
        self._facts.updateGeometry()

    def show_facts(self, tokens: int, responses: int, problems: Sequence[Problem]) -> None:
        """What was found when the histories were read."""
        self.tokens.setText(self.tr("%Ln token(s)", "", tokens))
        self.tokens.setVisible(tokens > 0)
        self.responses.setText(self.tr("%Ln response(s) stored at a provider", "", responses))
        self.responses.setVisible(responses > 0)
        known = {(problem.code, problem.text) for problem in self._problems}
        more = [problem for problem in problems if (problem.code, problem.text) not in known]
        self.show_problems([*self._problems, *more])

    def show_problems(self, problems: Sequence[Problem]) -> None:
        """A quiet line that counts; opened, one sentence a line."""
        self._problems = list(problems)
        self._trouble.setVisible(bool(problems))
        if not problems:
            self._trouble.setChecked(False)
            self.problems.hide()
            return
        serious = sum(1 for problem in problems if problem.severity is not Severity.REMARK)
        remarks = len(problems) - serious
        parts = []
        if serious:
            parts.append(self.tr("%Ln problem(s)", "", serious))
        if remarks:
            parts.append(self.tr("%Ln remark(s)", "", remarks))
        text = self.tr(", ").join(parts)
        self._trouble.setText(text)
        self._trouble.setAccessibleName(text)
        self._trouble.setIcon(self._theme.icon("warning" if serious else "info", "warning" if serious else "muted"))
        lines = [f"\u2022 {shown(problem.text, 400)}" for problem in self._problems[:_MOST_PROBLEMS]]
        if len(problems) > _MOST_PROBLEMS:
            lines.append(self.tr("and %Ln more", "", len(problems) - _MOST_PROBLEMS))
        self.problems.setText(breakable("\n".join(lines)))

    def _show_problems(self, on: bool) -> None:
        self.problems.setVisible(on and bool(self._problems))

    def _show_progress(self, progress: str) -> None:
        text = working_text(progress)
        font = self._theme.font("text")
        self.progress.setFont(font)
        self.progress.setText(self.tr("saved while: {progress}").format(progress=text))
        self.progress.setVisible(bool(text))

    def _show_agents(self, agents: Sequence[AgentRow]) -> None:
        while self._flow.count():
            item = self._flow.takeAt(0)
            widget = item.widget() if item is not None else None
            if isinstance(widget, AgentMark):
                widget.deleteLater()
        for place, agent in enumerate(agents[:30]):
            number = place if agent.number is None else agent.number
            name = agent.profile or self.tr("agent {number}").format(number=number)
            self._flow.addWidget(AgentMark(self._theme, name, min(place, 4), first=place == 0, parent=self._facts))

    def accessible_summary(self) -> str:
        """What the header says in one text, for tests and screen readers."""
        shown_labels = [self.created, self.progress, self.tokens, self.bytes, self.responses]
        return " ".join(label.text() for label in shown_labels if not label.isHidden())
