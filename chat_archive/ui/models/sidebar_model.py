"""What the sidebar offers: all chats, kinds, trash, then projects, profiles and open roots, each with its count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QAbstractListModel, QCoreApplication, QModelIndex, QObject, QPersistentModelIndex, Qt

from chat_archive.ui import words
from chat_archive.ui.models.chat_order import ALL, PROVIDER, TRASH, Entry, Scope, ScopeKind, is_task
from chat_archive.ui.plain_text import shown, tool_tip

SCOPE_ROLE = Qt.ItemDataRole.UserRole + 1  # Scope, None for a heading
COUNT_ROLE = Qt.ItemDataRole.UserRole + 2  # int, None for a heading
ICON_ROLE = Qt.ItemDataRole.UserRole + 3  # name of an icon

_ANYWHERE = QModelIndex()
AnyIndex = QModelIndex | QPersistentModelIndex
translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class SidebarLine:
    """`scope` is None for a heading, which cannot be chosen."""

    text: str
    scope: Scope | None = None
    count: int = 0
    icon: str = ""
    tip: str = ""


@dataclass(frozen=True, slots=True)
class SidebarCounts:
    """How many chats there are of each kind."""

    total: int = 0
    tasks: int = 0
    damaged: int = 0
    projects: tuple[tuple[str, str, int], ...] = ()  # name, title, chats
    profiles: tuple[tuple[str, int], ...] = ()
    roots: tuple[tuple[str, int], ...] = ()


def count(entries: Iterable[Entry]) -> SidebarCounts:
    """One pass over all chats."""
    total = tasks = damaged = 0
    projects: Counter[str] = Counter()
    titles: dict[str, str] = {}
    profiles: Counter[str] = Counter()
    roots: Counter[str] = Counter()
    for entry in entries:
        row = entry.row
        total += 1
        tasks += is_task(row)
        roots[str(row.root)] += 1
        if row.damaged:
            damaged += 1
            continue
        projects[row.project] += 1
        if row.project:
            titles.setdefault(row.project, row.project_title or row.project)
        profiles.update(entry.profiles)

    def by_name(item: tuple[str, int]) -> tuple[bool, str]:
        return not item[0], item[0].casefold()

    return SidebarCounts(
        total,
        tasks,
        damaged,
        tuple((name, titles.get(name, ""), number) for name, number in sorted(projects.items(), key=by_name)),
        tuple(sorted(profiles.items(), key=lambda item: (not item[0], -item[1], item[0].casefold()))),
        tuple(roots.items()),
    )


class SidebarModel(QAbstractListModel):
    """Lines of the sidebar. Counts change in place; lines that come or go reset the model."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lines: list[SidebarLine] = []

    def show(self, counts: SidebarCounts, roots: Mapping[Path, str], trash: int, waiting: int | None = None) -> None:
        """`roots` are the open ones with their labels, in order; `trash` is the number of chats in it, `waiting` that
        of responses still at a provider, None when there is nothing to tell about any."""
        lines = _lines(counts, roots, trash, waiting)
        if [line.scope for line in lines] == [line.scope for line in self._lines]:
            before, self._lines = self._lines, lines
            for number, line in enumerate(lines):
                if line != before[number]:
                    self.dataChanged.emit(self.index(number), self.index(number))
            return
        self.beginResetModel()
        self._lines = lines
        self.endResetModel()

    def find(self, scope: Scope) -> int:
        """The line of a scope, -1 when there is none."""
        return next((number for number, line in enumerate(self._lines) if line.scope == scope), -1)

    def scope_at(self, number: int) -> Scope | None:
        return self._lines[number].scope if 0 <= number < len(self._lines) else None

    def rowCount(self, parent: AnyIndex = _ANYWHERE) -> int:
        return 0 if parent.isValid() else len(self._lines)

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        if self._lines[index.row()].scope is None:
            return Qt.ItemFlag.ItemNeverHasChildren
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        line = self._lines[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return line.text
        if role == SCOPE_ROLE:
            return line.scope
        if role == COUNT_ROLE:
            return None if line.scope is None else line.count
        if role == ICON_ROLE:
            return line.icon
        if role == Qt.ItemDataRole.ToolTipRole:
            return tool_tip(line.tip or line.text)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            if line.scope is None:
                return line.text
            number = words.responses_text(line.count) if line.scope == PROVIDER else words.chats_text(line.count)
            return f"{line.text}, {number}"
        return None


def _lines(counts: SidebarCounts, roots: Mapping[Path, str], trash: int, waiting: int | None) -> list[SidebarLine]:
    lines = [
        SidebarLine(translate("SidebarModel", "All chats"), ALL, counts.total, "chat"),
        SidebarLine(translate("SidebarModel", "Tasks"), Scope(ScopeKind.TASKS), counts.tasks, "tasks"),
        SidebarLine(translate("SidebarModel", "Damaged"), Scope(ScopeKind.DAMAGED), counts.damaged, "warning"),
        SidebarLine(translate("SidebarModel", "Trash"), TRASH, trash, "trash"),
    ]
    if waiting is not None:
        tip = translate("SidebarModel", "Responses of erased chats that are still stored at a model provider")
        lines.append(SidebarLine(translate("SidebarModel", "Provider"), PROVIDER, waiting, "cloud", tip))
    if any(name for name, _title, _number in counts.projects):
        lines.append(SidebarLine(translate("SidebarModel", "Projects")))
        for name, title, number in counts.projects:
            text = shown(title, 60) if name else translate("SidebarModel", "No project")
            lines.append(SidebarLine(text, Scope(ScopeKind.PROJECT, name), number, "folder"))
    if counts.profiles:
        lines.append(SidebarLine(translate("SidebarModel", "Profiles")))
        for profile, number in counts.profiles:
            text = shown(profile, 60) if profile else translate("SidebarModel", "none", "no profile")
            lines.append(SidebarLine(text, Scope(ScopeKind.PROFILE, profile), number, "person"))
    if roots:
        lines.append(SidebarLine(translate("SidebarModel", "Folders")))
        numbers = dict(counts.roots)
        for root, label in roots.items():
            scope = Scope(ScopeKind.ROOT, str(root))
            lines.append(SidebarLine(shown(label, 60), scope, numbers.get(str(root), 0), "folder", str(root)))
    return lines
