"""The queue of responses from the window: reads receipts, runs retries as jobs, and goes on when it is time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QObject, QTimer, Signal

from chat_archive.core.archive import Archive
from chat_archive.core.entities import OperationResult
from chat_archive.core.errors import ArchiveError, BusyError
from chat_archive.core.provider.bases import Base
from chat_archive.core.provider.keys import KeyStore, MemoryKeys, SystemKeyring
from chat_archive.core.provider.plan import bases_of
from chat_archive.core.provider.receipts import Receipt, ResponseState
from chat_archive.core.provider.setup import ProviderSetup, prepare
from chat_archive.ui.carry import merged
from chat_archive.ui.choices import Choices
from chat_archive.ui.dialogs.provider_dialogs import KeyChoice
from chat_archive.ui.jobs import Job, JobProgress, JobRunner, Operation
from chat_archive.ui.messages import Messages
from chat_archive.ui.models.receipts_model import ReceiptLine
from chat_archive.ui.provider_prompts import ProviderPrompts
from chat_archive.ui.roots import OpenRoots, RootSession

_SOONEST, _LATEST = 1.0, 900.0  # seconds between two looks whether something is due
_AFTER_ALL = 100  # ms after which the receipts are read, so that many changes make one reading


class Prepared(NamedTuple):
    """What one root's part of a run needs. `lacking` says that a base URL has no key yet."""

    session: RootSession
    setup: ProviderSetup
    bases: list[tuple[Base, bool]]

    @property
    def lacking(self) -> bool:
        return any(not has_key for _, has_key in self.bases)


class Found(NamedTuple):
    """The receipts of each root, and why those of some could not be read."""

    receipts: dict[Path, list[Receipt]]
    errors: dict[Path, ArchiveError]


def _receipts_of(archives: Sequence[Archive]) -> Found:
    """On a worker."""
    found = Found({}, {})
    for archive in archives:
        try:
            found.receipts[archive.root] = archive.provider_receipts()
        except ArchiveError as error:
            found.errors[archive.root] = error
    return found


def _is_fresh(archive: Archive) -> bool:
    """Whether responses wait that were agreed to and not tried. On a worker."""
    entries = archive.responses.entries()
    return any(one.begun and not one.attempts and one.state is ResponseState.WAITING for one in entries)


class ProviderWork(QObject):
    """Everything the window does with responses. Nothing here reads the disk or the network on the interface's
    thread. Only what the person asked for before goes on by itself."""

    receipts_changed = Signal(list)  # every ReceiptLine of the open roots
    working_changed = Signal()

    def __init__(
        self,
        roots: OpenRoots,
        runner: JobRunner,
        choices: Choices,
        prompts: ProviderPrompts,
        messages: Messages,
        *,
        parent: QObject | None = None,
        stored: KeyStore | None = None,
    ) -> None:
        super().__init__(parent)
        self._roots = roots
        self._runner = runner
        self._choices = choices
        self._prompts = prompts
        self._messages = messages
        self._typed = MemoryKeys()
        self._stored = stored if stored is not None else SystemKeyring()
        self._receipts: dict[Path, list[Receipt]] = {}
        self._tried: dict[Path, list[Receipt]] = {}  # as it was before the last run that began by itself
        self._told: dict[Path, str] = {}  # errors that were shown, so that each is shown once
        self._reading = False
        self._again = False
        self._job: Job | None = None
        self._busy = False
        self._closed = False
        self._follows = False  # a deletion waits for the run under way
        self._soon = self._timer(self.read)
        self._soon.setInterval(_AFTER_ALL)
        self._due = self._timer(self.go_on)
        roots.opened.connect(lambda _session: self.read_soon())
        roots.closed.connect(self._on_closed)

    def _timer(self, call: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.timeout.connect(call)
        return timer

    @property
    def lines(self) -> list[ReceiptLine]:
        return [ReceiptLine(root, one) for root, found in self._receipts.items() for one in found]

    @property
    def waiting(self) -> int:
        return sum(line.receipt.state.open for line in self.lines)

    @property
    def working(self) -> bool:
        return self._busy

    # reading

    def read_soon(self) -> None:
        """The queue of a root may have changed."""
        if not self._closed and not self._soon.isActive():
            self._soon.start()

    def read(self) -> None:
        if self._closed:
            return
        if self._reading:
            self._again = True
            return
        archives = [session.archive for session in self._roots.sessions]
        if not archives:
            self._take({})
            return
        self._reading = True
        self._runner.read(
            self.tr("Reading the receipts"),
            lambda _progress: _receipts_of(archives),
            done=self._on_receipts,
            failed=self._messages.error,
            finished=self._on_read,
            quiet=True,
        )

    def _on_receipts(self, found: Found) -> None:
        for root, error in found.errors.items():
            if self._told.get(root) != str(error):
                self._messages.error(error)
        self._told = {root: str(error) for root, error in found.errors.items()}
        self._take(found.receipts)

    def _on_read(self) -> None:
        self._reading = False
        if self._again and not self._closed:
            self._again = False
            self.read()

    def _take(self, found: dict[Path, list[Receipt]]) -> None:
        if self._closed:
            return
        self._receipts = found
        self.receipts_changed.emit(self.lines)
        self._plan_next()

    def _plan_next(self) -> None:
        """Look again when the first of what was begun is due."""
        self._due.stop()
        now = datetime.now(UTC)
        begun = [one for line in self.lines if (one := line.receipt).begun and one.state is ResponseState.WAITING]
        if begun and not self._busy and not self._closed:
            first = min((one.next_try or now) for one in begun)
            wait = min(max((first - now).total_seconds(), _SOONEST), _LATEST)
            if first <= now and self._receipts == self._tried:
                wait = _LATEST  # the last run changed nothing about what is due
            self._due.start(int(wait * 1000))

    def _on_closed(self, session: RootSession) -> None:
        self._receipts.pop(session.root, None)
        self.receipts_changed.emit(self.lines)

    # trying again

    def retry(self, lines: Sequence[ReceiptLine] | None = None) -> None:
        """Delete at the provider what waits, or just these; asks once for each root whether its keys may be used."""
        chosen = self._by_root(lines if lines is not None else self._open_lines())
        sessions = [one for one in self._roots.sessions if one.root in chosen and one.writable]
        if not sessions or self._busy:
            return
        shared = [line for line in lines or () if line.receipt.state is ResponseState.SHARED]
        even_shared = bool(shared) and self._prompts.confirm_shared(shared)
        if shared and not even_shared:
            return
        self._set_busy(True)
        self._runner.read(
            self.tr("Looking for keys"),
            lambda _progress: [self._prepare(session) for session in sessions],
            done=lambda found: self._ask_and_run(found, chosen if lines is not None else None, even_shared),
            failed=self._failed,
            finished=self._unless_running,
            quiet=True,
        )

    def follow(self) -> None:
        """Send what was just agreed to with a deletion; asks once for each root whether its keys may be used."""
        if self._closed:
            return
        if self._busy:
            self._follows = True  # what is under way may have been planned before these were there
            return
        sessions = [one for one in self._roots.sessions if one.writable]
        self._set_busy(True)
        self._runner.read(
            self.tr("Looking for keys"),
            lambda _progress: [self._prepare(one) for one in sessions if _is_fresh(one.archive)],
            done=lambda found: self._ask_and_run(found, None, False, continuing=True) if found else self.read_soon(),
            failed=self._failed,
            finished=self._unless_running,
            quiet=True,
        )

    def go_on(self) -> None:
        """Try again what the person asked for before and is due now. Asks nothing."""
        sessions = [one for one in self._roots.sessions if one.writable and self._receipts.get(one.root)]
        if not sessions or self._busy or self._closed:
            return
        self._set_busy(True)
        self._tried = dict(self._receipts)

        def work(progress: JobProgress) -> OperationResult:
            results = []
            for session in sessions:
                setup = self._prepare(session).setup
                results.append(
                    session.archive.provider_retry(
                        None, progress, setup=setup, others=self._archives(), hurried=False, continuing=True
                    )
                )
            return merged(results)

        self._start(work, quiet=True, done=lambda _result: None)

    def _prepare(self, session: RootSession) -> Prepared:
        """On a worker: what is configured for one root now."""
        setup = prepare(session.root, self._choices.settings, typed=self._typed, stored=self._stored)
        return Prepared(session, setup, bases_of(setup, session.archive.responses.entries()))

    def _ask_and_run(
        self,
        found: list[Prepared],
        chosen: dict[Path, list[str]] | None,
        even_shared: bool,
        *,
        continuing: bool = False,
    ) -> None:
        for one in found:
            if one.setup.ask_env is None or not one.lacking:
                continue
            answer = self._prompts.may_read_env(one.setup.ask_env)
            if answer is None:
                return
            settings = self._choices.settings
            answers = {**settings.provider_env_files, str(one.session.root): answer}
            self._choices.use(replace(settings, provider_env_files=answers))

        def work(progress: JobProgress) -> OperationResult:
            results = []
            for one in found:
                results.append(
                    one.session.archive.provider_retry(
                        None if chosen is None else chosen[one.session.root],
                        progress,
                        setup=self._prepare(one.session).setup,
                        others=self._archives(),
                        even_shared=even_shared,
                        continuing=continuing,
                    )
                )
                if results[-1].stopped:
                    break
            return merged(results)

        self._start(work, quiet=False, done=self._tell)

    def _tell(self, result: OperationResult) -> None:
        if result.items or result.remarks:
            self._messages.result(result)

    def _start(self, work: Operation, *, quiet: bool, done: Callable[[OperationResult], None]) -> None:
        over: list[bool] = []

        def finished() -> None:
            over.append(True)
            self._job = None
            self._set_busy(False)
            self.read()

        job = self._runner.read(
            self.tr("Deleting responses at the provider"),
            work,
            done=done,
            failed=self._failed,
            finished=finished,
            quiet=quiet,
        )
        self._job = None if over else job

    def _failed(self, error: Exception) -> None:
        if not isinstance(error, BusyError):
            self._messages.error(error)

    def _unless_running(self) -> None:
        if self._job is None:
            self._set_busy(False)

    def _set_busy(self, busy: bool) -> None:
        if busy != self._busy:
            self._busy = busy
            self.working_changed.emit()
            if not busy and self._follows:
                self._follows = False
                self.follow()

    # the rest

    def forget(self, lines: Sequence[ReceiptLine]) -> None:
        """Give these up, after asking."""
        if not lines or not self._prompts.confirm_forget(lines):
            return
        parts = [(session, ids) for root, ids in self._by_root(lines).items() if (session := self._roots.session(root))]
        self._runner.write(
            self.tr("Giving up responses"),
            lambda _progress: merged([session.archive.provider_forget(ids) for session, ids in parts]),
            done=self._messages.result,
            failed=self._messages.error,
            finished=self.read,
        )

    def ask_key(self) -> None:
        """A key for one of the base URLs that wait; then everything is tried again."""
        sessions = [session for session in self._roots.sessions if self._receipts.get(session.root)]

        def look(_progress: JobProgress) -> tuple[list[Prepared], bool]:
            return [self._prepare(session) for session in sessions], self._stored.available

        def ready(found: tuple[list[Prepared], bool]) -> None:
            bases = {base.url: (base, has) for one in found[0] for base, has in one.bases}
            if not bases:
                self._messages.notice(
                    self.tr("No response waits for a key. Where the base URL is not known, name it first.")
                )
                return
            choice = self._prompts.ask_key(list(bases.values()), found[1])
            if choice is not None:
                self._use_key(choice)

        self._runner.read(self.tr("Looking for keys"), look, done=ready, failed=self._messages.error, quiet=True)

    def _use_key(self, choice: KeyChoice) -> None:
        """Keep it where the person wants it, then try everything again. A keyring may ask and wait: never here."""
        if not choice.keep:
            self._typed.set(choice.base_url, choice.secret.reveal())
            self.retry()
            return

        def kept(done: bool) -> None:
            if done:
                self._typed.remove(choice.base_url)
            else:
                self._typed.set(choice.base_url, choice.secret.reveal())
                self._messages.notice(
                    self.tr("The keyring did not take the key; it is kept until the program is closed.")
                )
            self.retry()

        self._runner.read(
            self.tr("Keeping the key"),
            lambda _progress: self._stored.set(choice.base_url, choice.secret.reveal()),
            done=kept,
            failed=self._messages.error,
            quiet=True,
        )

    def ask_bases(self) -> None:
        """The person's own base URLs."""
        lines = self._prompts.ask_bases(self._choices.settings.provider_bases)
        if lines is not None:
            self._choices.use(replace(self._choices.settings, provider_bases=lines))

    def save_table(self, lines: Sequence[ReceiptLine]) -> None:
        to = self._prompts.choose_table() if lines else None
        if to is None:
            return
        receipts = [line.receipt for line in lines]

        def save(_progress: JobProgress) -> None:
            from chat_archive.core.provider.work import save_table  # loads what sends, and a window starts without

            save_table(receipts, to)

        self._runner.write(
            self.tr("Saving the table"),
            save,
            done=lambda _none: self._messages.notice(self.tr("The table was saved.")),
            failed=self._messages.error,
        )

    def close(self) -> None:
        self._closed = True
        for timer in (self._soon, self._due):
            timer.stop()
        if self._job is not None:
            self._job.cancel()

    def _archives(self) -> list[Archive]:
        return [session.archive for session in self._roots.sessions]

    def _open_lines(self) -> list[ReceiptLine]:
        return [line for line in self.lines if line.receipt.state.open or line.receipt.state is ResponseState.SHARED]

    @staticmethod
    def _by_root(lines: Iterable[ReceiptLine]) -> dict[Path, list[str]]:
        parts: dict[Path, list[str]] = {}
        for line in lines:
            parts.setdefault(line.root, []).append(line.receipt.entry)
        return parts
