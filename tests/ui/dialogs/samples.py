"""Rows, items, entries and one of each dialog for the tests in this folder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QWidget

from chat_archive.core.deletion import DeleteChoices
from chat_archive.core.entities import (
    AgentRow,
    ChatId,
    ChatRow,
    ChatState,
    Folder,
    FoundRoot,
    ImportClass,
    ImportItem,
    ItemResult,
    OperationResult,
    TrashEntry,
    TrashId,
)
from chat_archive.core.model.times import Instant
from chat_archive.core.operations.plan import DeletionPlan, PlannedChat, PlannedResponse
from chat_archive.core.provider.collect import StoredResponse
from chat_archive.core.provider.references import Reference
from chat_archive.core.scheduler_tasks import BoundTask
from chat_archive.core.settings import Settings
from chat_archive.ui.dialogs.about_dialog import AboutDialog
from chat_archive.ui.dialogs.choose_roots import ChooseRootsDialog
from chat_archive.ui.dialogs.convert_question import ConvertQuestion
from chat_archive.ui.dialogs.export_dialog import ExportDialog
from chat_archive.ui.dialogs.impact_sheet import ImpactSheet
from chat_archive.ui.dialogs.import_dialog import ImportDialog
from chat_archive.ui.dialogs.rename_dialog import RenameDialog
from chat_archive.ui.dialogs.report_dialog import ReportDialog
from chat_archive.ui.dialogs.result_dialog import ResultDialog
from chat_archive.ui.dialogs.settings_dialog import SettingsDialog
from chat_archive.ui.dialogs.shortcuts_dialog import ShortcutsDialog
from chat_archive.ui.dialogs.trash_question import EmptyQuestion, MessageFilesQuestion, TrashQuestion
from chat_archive.ui.theme import Theme
from chat_archive.ui.views.first_run import FirstRunPage
from chat_archive.ui.views.notice_bar import NoticeBar, NoticeKind
from chat_archive.ui.views.trash_view import TrashView

THEN = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
HOSTILE = "<b>bold</b> &amp; &Go <img src=file:///etc/passwd>\u202egnp.exe\x07\n" + "W" * 400
CHINESE = "验潮仪数据清洗"
ROOT = Path("/data/usr/chats")


def row(title: str = "Tide gauge keeps drifting", **changes: Any) -> ChatRow:
    folder = Folder(changes.pop("folder", "Ab3dE9xZ"))
    instant = Instant("2026-03-02T09:30:00+00:00", THEN)
    made = ChatRow(
        root=ROOT,
        folder=folder,
        path=ROOT / folder / "chat.json",
        id=ChatId(folder),
        title=title,
        title_given=True,
        name=title,
        type="user",
        raw_type=None,
        created_at=instant,
        last_message=instant,
        last_activity=THEN,
        last_activity_from_file=False,
        agents=(AgentRow(0, "agent0", 57),),
        streaming_agent=0,
        agent_profile="agent0",
        project="",
        project_title="",
        log_items=74,
        messages=57,
        progress="Waiting for input",
        progress_no=0,
        first_words="",
        parent_id="",
        expires_at=None,
        size=495_000,
        era="E",
        flat=False,
        state=ChatState.OK,
    )
    return replace(made, **changes)


def rows(count: int) -> list[ChatRow]:
    return [row(f"Chat {number}", folder=f"Chat{number:04}") for number in range(count)]


def item(kind: ImportClass = ImportClass.NEW, title: str = "Tide gauge", **changes: Any) -> ImportItem:
    made = ImportItem(
        source=Path("/home/somebody/chats.json"),
        index=None,
        kind=kind,
        id="Ab3dE9xZ",
        title=title,
        reason=f"It is {kind.value}.",
        created_at=Instant("2026-03-02T09:30:00+00:00", THEN),
        last_activity=THEN,
        agents=3,
        log_items=74,
        messages=57,
        size=495_000,
        files=2,
        target="Ab3dE9xZ",
    )
    return replace(made, **changes)


def items() -> list[ImportItem]:
    return [
        item(left_out=("notes.exe: not a file of a chat", HOSTILE), remarks=("The log starts at item 812.",)),
        item(ImportClass.SAME, CHINESE, index=1),
        item(ImportClass.TAKEN, HOSTILE, id=HOSTILE, reason=HOSTILE),
        item(ImportClass.DAMAGED, "comma.json", reason="Not JSON: line 1, column 2961."),
        item(ImportClass.NOT_A_CHAT, "", source=Path("/home/somebody/numbers.json")),
    ]


def entries() -> list[TrashEntry]:
    return [
        TrashEntry(
            TrashId(f"slot{number}"),
            Folder(f"Chat{number:04}"),
            title,
            THEN - timedelta(days=number),
            None if number == 1 else THEN + timedelta(days=30 - number),
            1000 * (3 - number) + 500,
            4,
            ROOT / ".chat-archive" / "trash" / f"slot{number}",
        )
        for number, title in enumerate(["Tide gauge", CHINESE, HOSTILE])
    ]


def found() -> list[FoundRoot]:
    return [
        FoundRoot(ROOT, "usr/chats", 98),
        FoundRoot(Path("/data/tmp/chats"), HOSTILE, 1, "Agent Zero no longer looks here."),
        FoundRoot(Path("/var/lib/docker/volumes/a0_usr/_data/chats"), "a0_usr", -1, "It belongs to root. " + HOSTILE),
    ]


def result(verb: str = "trash", good: int = 3, bad: int = 1, skipped: int = 1, **changes: Any) -> OperationResult:
    made = [ItemResult(f"Chat {number}", True, "Moved to the trash.") for number in range(good)]
    made += [ItemResult(HOSTILE, False, "The disk is full. " + HOSTILE, path=ROOT) for _ in range(bad)]
    made += [ItemResult(CHINESE, True, "Already there.", skipped=True) for _ in range(skipped)]
    return OperationResult(verb, tuple(made), **changes)


def fault(text: str = "SECRET words of a chat") -> BaseException:
    try:
        try:
            raise KeyError(text)
        except KeyError as error:
            raise ValueError(text) from error
    except ValueError as error:
        return error


def response(original: str = "resp_1", *, base: str = "", shared: str = "", state: str = "provider") -> PlannedResponse:
    """One response at a provider; `shared` is the title of another chat that uses it."""
    stored = StoredResponse(original, original, "openai", "openai/gpt-5", base, state)
    others = (Reference(ROOT, "Branch01", shared, "chat"),) if shared else ()
    return PlannedResponse(stored, others)


def planned(title: str = "Tide gauge keeps drifting", **changes: Any) -> PlannedChat:
    made = PlannedChat(
        folder=Folder(title[:8]),
        id=title[:8],
        title=title,
        created=THEN,
        last_activity=THEN,
        log_items=74,
        size=1_700_000,
        files=23,
        backups=0,
        damaged=False,
        expires_at=None,
    )
    return replace(made, **changes)


def task(name: str = "Weekly water report", when: str = "every Monday 08:00") -> BoundTask:
    return BoundTask(name, "x", name, "scheduled", "idle", when, "{}")


def plan(*chats: PlannedChat, **changes: Any) -> DeletionPlan:
    return replace(DeletionPlan(ROOT, chats), **changes)


def picture_plan() -> DeletionPlan:
    """The one in the picture: three chats, 17 responses of which two are shared, one task, a running host."""
    return plan(
        planned(responses=tuple(response(f"resp_{n}") for n in range(15)), backups=2),
        planned(CHINESE, responses=tuple(response(f"resp_s{n}", shared="Tide gauge (branch)") for n in range(2))),
        planned("Weekly water report", tasks=(task(),)),
        host_writes=True,
    )


def hostile_plan() -> DeletionPlan:
    """Every line there is, with every word hostile."""
    return plan(
        planned(
            HOSTILE,
            backups=3,
            expires_at=THEN,
            children=("Child001",),
            tasks=(task(HOSTILE, HOSTILE), task("B")),
            responses=(response("a", base=HOSTILE), response("b", shared=HOSTILE), response("c", state="local")),
            referred_by=(Reference(ROOT, "x", HOSTILE, "chat"),),
            complete=False,
        ),
        planned(CHINESE, responses=(response("d"),), disabled=f"It says so in {HOSTILE}."),
        refused=((HOSTILE, HOSTILE),),
        host_writes=True,
        unread=2,
    )


def _sheet(theme: Theme, rows: list[ChatRow], made: DeletionPlan | None = None, **choices: Any) -> ImpactSheet:
    sheet = ImpactSheet(theme, rows, DeleteChoices(**choices), 30)
    if made is not None:
        sheet.set_plans([made])
    return sheet


def _failed_sheet(theme: Theme) -> ImpactSheet:
    sheet = _sheet(theme, HOSTILE_ROWS)
    sheet.set_failed("The disk reported an error. " + HOSTILE)
    return sheet


def _first_run(theme: Theme) -> QWidget:
    page = FirstRunPage(theme)
    page.resize(900, 700)
    page.set_places(found())
    page.show_sentence("The folder that was open last is gone: " + HOSTILE)
    return page


def _trash_view(theme: Theme) -> QWidget:
    view = TrashView(theme)
    view.resize(1000, 400)
    view.set_entries(entries())
    view.table.selectRow(0)
    return view


def _notices(theme: Theme) -> QWidget:
    bar = NoticeBar(theme)
    bar.resize(900, 400)
    bar.show_notice("The folder cannot be written.\n" + HOSTILE, NoticeKind.WARNING)
    bar.show_notice("4 chats moved, 1 failed.", NoticeKind.ERROR, details=result(), undoable=True)
    return bar


HOSTILE_ROWS = [row(), row(CHINESE, state=ChatState.LIVE), row(HOSTILE, size=3_900_000)]

DIALOGS: dict[str, Callable[[Theme], QWidget]] = {
    "trash": lambda theme: TrashQuestion(theme, HOSTILE_ROWS, 30),
    "trash many": lambda theme: TrashQuestion(theme, [*HOSTILE_ROWS, *rows(300)], 30),
    "impact counting": lambda theme: _sheet(theme, HOSTILE_ROWS),
    "impact": lambda theme: _sheet(theme, HOSTILE_ROWS, picture_plan()),
    "impact hostile": lambda theme: _sheet(theme, HOSTILE_ROWS, hostile_plan()),
    "impact for good": lambda theme: _sheet(theme, [*HOSTILE_ROWS, *rows(300)], picture_plan(), for_good=True),
    "impact failed": _failed_sheet,
    "message files": lambda theme: MessageFilesQuestion(theme, HOSTILE_ROWS, 0),
    "empty": lambda theme: EmptyQuestion(theme, entries()),
    "rename": lambda theme: RenameDialog(theme, HOSTILE_ROWS[1]),
    "rename lines": lambda theme: RenameDialog(theme, HOSTILE_ROWS[2]),
    "convert": lambda theme: ConvertQuestion(theme, items()),
    "roots": lambda theme: ChooseRootsDialog(theme, found()),
    "export": lambda theme: ExportDialog(theme, HOSTILE_ROWS[2:], Path("/")),
    "export many": lambda theme: ExportDialog(theme, HOSTILE_ROWS, Path("/nowhere/at/all")),
    "import": lambda theme: ImportDialog(theme, items()),
    "import nothing": lambda theme: ImportDialog(theme, items()[3:]),
    "result": lambda theme: ResultDialog(theme, result(remarks=(HOSTILE,))),
    "report": lambda theme: ReportDialog(theme, fault()),
    "about": AboutDialog,
    "settings": lambda theme: SettingsDialog(Settings(), theme),
    "shortcuts": ShortcutsDialog,
    "first run": _first_run,
    "trash view": _trash_view,
    "notices": _notices,
}
