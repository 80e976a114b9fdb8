"""Changes to chats from the window: ask, then run one job on the write lane, then tell what became of each item."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QCoreApplication, QObject, Signal

from chat_archive.core.deletion import DeleteChoices
from chat_archive.core.entities import ChatRow, Fingerprint, Folder, ImportItem, OperationResult, TrashEntry, TrashId
from chat_archive.core.errors import ArchiveError
from chat_archive.core.operations.plan import DeletionPlan
from chat_archive.core.progress import Progress
from chat_archive.ui import words
from chat_archive.ui.jobs import JobProgress, JobRunner
from chat_archive.ui.messages import Messages
from chat_archive.ui.plain_text import shown
from chat_archive.ui.prompts import PlanSource, Prompts
from chat_archive.ui.roots import OpenRoots, RootSession, read_again

translate = QCoreApplication.translate
RootWork = Callable[[RootSession, Progress], OperationResult]


class Outcome(NamedTuple):
    """What one root's part of a change did, with the rows to show."""

    session: RootSession
    result: OperationResult
    fresh: list[ChatRow]


class ChatChanges(QObject):
    """Every change the window offers. Nothing here reads the disk on the interface's thread."""

    imported = Signal(list)  # keys' folders that came in, with their session: (RootSession, frozenset[Folder])
    exported = Signal(object)  # Path
    chosen = Signal(object)  # DeleteChoices, to be remembered
    let_go = Signal()  # chats were trashed or erased, and responses may be in the queue

    def __init__(
        self, roots: OpenRoots, runner: JobRunner, prompts: Prompts, messages: Messages, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._roots = roots
        self._runner = runner
        self._prompts = prompts
        self._messages = messages
        self._recent: list[RootSession] = []  # roots in the order of their last change, for undo
        roots.closed.connect(self._forget)

    # chats

    def rename(self, row: ChatRow) -> None:
        session = self._roots.session(row.root)
        name = self._prompts.new_name(row) if session is not None else None
        if session is None or name is None:
            return
        folder = row.folder
        self._run(
            words.operation_text("rename", 1),
            [session],
            lambda one, progress: one.archive.rename(folder, name, progress),
        )

    def delete(self, rows: Sequence[ChatRow]) -> None:
        """Show what goes with these chats while it is counted, look again, and do what is chosen. A chat that the
        host wrote since it was shown is told and asked for again (C3)."""
        parts = self._by_root(rows)
        answer = self._prompts.choose_deletion(rows, self._plans(rows, parts)) if parts else None
        if answer is None:
            return
        self.chosen.emit(answer.choices)
        seen: dict[Path, dict[Folder, Fingerprint | None]] = {plan.root: dict(plan.seen) for plan in answer.plans}
        for row in rows:
            seen.setdefault(row.root, {}).setdefault(row.folder, row.fingerprint)

        def look(_progress: Progress) -> list[ChatRow]:
            return [row for one in parts for row in one.archive.changed_since(seen.get(one.root, {}))]

        def looked(changed: list[ChatRow]) -> None:
            if changed:
                self._ask_again(rows, changed)
            else:
                # the sheet said what goes at the provider
                self._delete_now(rows, parts, replace(answer.choices, consent=True), seen)

        self._runner.read(
            self.tr("Looking at the chats once more"), look, done=looked, failed=self._messages.error, quiet=True
        )

    def _ask_again(self, rows: Sequence[ChatRow], changed: Sequence[ChatRow]) -> None:
        first = changed[0]
        text = self.tr("“{title}” was changed since it was shown (now {items}), so you are asked again.")
        self._messages.notice(text.format(title=shown(first.title, 60), items=words.log_items_text(first.log_items)))
        fresh = {(row.root, row.folder): row for row in changed}
        self.delete([fresh.get((row.root, row.folder), row) for row in rows])

    def _delete_now(
        self,
        rows: Sequence[ChatRow],
        parts: Mapping[RootSession, list[Folder]],
        choices: DeleteChoices,
        seen: Mapping[Path, Mapping[Folder, Fingerprint | None]],
    ) -> None:
        self._run(
            words.operation_text("erase" if choices.for_good else "trash", len(rows)),
            list(parts),
            lambda one, progress: one.archive.delete(parts[one], choices, progress, seen=seen.get(one.root)),
        )

    def trash_again(self, session: RootSession, folders: Sequence[Folder]) -> None:
        """Chats that a host saved again after they were deleted go to the trash once more, without a question."""
        wanted = list(folders)
        self._run(
            words.operation_text("trash", len(wanted)),
            [session],
            lambda one, progress: one.archive.trash(wanted, progress),
        )

    def _plans(self, rows: Sequence[ChatRow], parts: dict[RootSession, list[Folder]]) -> PlanSource:
        """What counts the plan of each root as a job that only looks, stopped when the question is answered."""
        sessions = list(parts)
        roots = tuple(session.root for session in self._roots.sessions)

        def count(progress: Progress) -> list[DeletionPlan]:
            found: list[DeletionPlan] = []
            for session in sessions:
                session.archive.workspace.other_roots = tuple(root for root in roots if root != session.root)
                found.append(session.archive.plan_deletion(parts[session], progress))
            return found

        def start(
            done: Callable[[Sequence[DeletionPlan]], None], failed: Callable[[Exception], None]
        ) -> Callable[[], None]:
            name = self.tr("Counting what goes with %Ln chat(s)", "", len(rows))
            return self._runner.read(name, count, done=done, failed=failed).cancel

        return start

    def remove_messages(self, rows: Sequence[ChatRow]) -> None:
        if rows and self._prompts.confirm_remove_messages(rows):
            parts = self._by_root(rows)
            self._run(
                words.operation_text("remove_messages", len(rows)),
                list(parts),
                lambda one, progress: one.archive.remove_message_files(parts[one], progress),
            )

    def convert(self, session: RootSession) -> None:
        """Look what there is to convert, ask, and only then move anything."""

        def ask(items: list[ImportItem]) -> None:
            if not items:
                self._messages.notice(self.tr("There are no old chats to move into folders."))
            elif self._prompts.confirm_convert(items):
                self._run(
                    words.operation_text("convert", len(items)),
                    [session],
                    lambda one, progress: one.archive.convert_flat(progress),
                )

        self._runner.read(
            self.tr("Looking at old chats"),
            lambda _progress: session.archive.flat_files(),
            done=ask,
            failed=self._messages.error,
        )

    # trash

    def restore(self, entries: Sequence[TrashEntry]) -> None:
        parts = self._entries_by_root(entries)
        if parts:
            self._run(
                words.operation_text("restore", len(entries)),
                list(parts),
                lambda one, progress: one.archive.restore(parts[one], progress),
            )

    def empty(self, entries: Sequence[TrashEntry]) -> None:
        """Erase these for good, after asking. Always by name: what was trashed meanwhile stays (D6)."""
        if entries and self._prompts.confirm_empty(entries):
            parts = self._entries_by_root(entries)
            self._run(
                words.operation_text("erase", len(entries)),
                list(parts),
                lambda one, progress: one.archive.empty_trash(parts[one], progress),
            )

    # undo

    def undo_session(self) -> RootSession | None:
        """The root whose last change would be taken back."""
        return self._latest(lambda session: session.facts.undo_text)

    def redo_session(self) -> RootSession | None:
        return self._latest(lambda session: session.facts.redo_text)

    def undo(self) -> None:
        session = self.undo_session()
        if session is not None:
            self._run(self.tr("Undo"), [session], lambda one, progress: one.archive.undo(progress))

    def redo(self) -> None:
        session = self.redo_session()
        if session is not None:
            self._run(self.tr("Redo"), [session], lambda one, progress: one.archive.redo(progress))

    # out and in

    def export(self, rows: Sequence[ChatRow]) -> None:
        choice = self._prompts.choose_export_target(rows) if rows else None
        if choice is None:
            return
        parts = self._by_root(rows)

        def work(session: RootSession, progress: Progress) -> OperationResult:
            return session.archive.export_json(
                parts[session], choice.to, progress, strict=choice.strict, overwrite=choice.overwrite
            )

        self._run(words.operation_text("export", len(rows)), list(parts), work)
        self.exported.emit(choice.to)

    def import_paths(self, paths: Sequence[Path], target: RootSession) -> None:
        """See what each thing is, ask, then bring in what was ticked."""
        if not paths:
            return
        if not target.writable:
            self._messages.notice(
                self.tr("Nothing can be imported here. {reason}").format(reason=target.facts.read_only_reason)
            )
            return
        self._runner.read(
            self.tr("Looking at what to import"),
            lambda progress: target.archive.preview_import(paths, progress),
            done=lambda items: self._review(items, target),
            failed=self._messages.error,
        )

    def _review(self, items: list[ImportItem], target: RootSession) -> None:
        if not items:
            self._messages.notice(self.tr("There is nothing in it to import."))
            return
        choice = self._prompts.review_import(items)
        if choice is None or not choice.items:
            return

        def work(session: RootSession, progress: Progress) -> OperationResult:
            return session.archive.import_items(choice.items, progress, on_conflict=choice.on_conflict)

        self._run(words.operation_text("import", len(choice.items)), [target], work)

    # inside

    def _run(self, name: str, sessions: Sequence[RootSession], work: RootWork) -> None:
        """One job for all roots a change touches; it ends at the first that is stopped."""
        outcomes: list[Outcome] = []  # filled on the worker, so that a failure in one root does not hide the others

        def operation(progress: JobProgress) -> OperationResult:
            for session in sessions:
                result = work(session, progress)
                outcomes.append(Outcome(session, result, read_again(session.archive, result)))
                if result.stopped:
                    break
            return merged([outcome.result for outcome in outcomes])

        def failed(error: Exception) -> None:
            if outcomes:
                self._messages.result(merged([outcome.result for outcome in outcomes]))
            self._messages.error(error)

        def finished() -> None:
            for outcome in outcomes:
                outcome.session.apply(outcome.result, outcome.fresh)
                self._used(outcome.session)
                if outcome.result.verb == "import" and outcome.result.changes.added:
                    self.imported.emit([outcome.session, outcome.result.changes.added])
            if any(outcome.result.verb in ("trash", "erase") and outcome.result.done for outcome in outcomes):
                self.let_go.emit()
            for session in sessions:
                session.read_facts()  # also after a failure: it may have become read-only

        self._runner.write(name, operation, done=self._messages.result, failed=failed, finished=finished)

    def _by_root(self, rows: Iterable[ChatRow]) -> dict[RootSession, list[Folder]]:
        parts: dict[RootSession, list[Folder]] = {}
        for row in rows:
            session = self._roots.session(row.root)
            if session is not None:
                parts.setdefault(session, []).append(row.folder)
        return parts

    def _entries_by_root(self, entries: Iterable[TrashEntry]) -> dict[RootSession, list[TrashId]]:
        """Ids are unique within a root only; the entry's own path tells the root."""
        parts: dict[RootSession, list[TrashId]] = {}
        for entry in entries:
            for session in self._roots.sessions:
                if entry.path.is_relative_to(session.root):
                    parts.setdefault(session, []).append(entry.id)
                    break
        return parts

    def _latest(self, text: Callable[[RootSession], str]) -> RootSession | None:
        candidates = [*reversed(self._recent), *self._roots.sessions]
        return next((session for session in candidates if text(session)), None)

    def _used(self, session: RootSession) -> None:
        self._forget(session)
        self._recent.append(session)

    def _forget(self, session: RootSession) -> None:
        if session in self._recent:
            self._recent.remove(session)


def merged(results: Sequence[OperationResult]) -> OperationResult:
    """One account of a change that went through several roots. Changes stay with each root's own result."""
    if len(results) == 1:
        return results[0]
    if not results:
        raise ArchiveError(translate("ChatChanges", "None of the chats is in an open folder any more."))
    return OperationResult(
        results[0].verb,
        tuple(item for result in results for item in result.items),
        undoable=any(result.undoable for result in results),
        stopped=any(result.stopped for result in results),
        remarks=tuple(remark for result in results for remark in result.remarks),
    )
