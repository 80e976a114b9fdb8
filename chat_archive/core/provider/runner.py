"""Works through the queue of one root: what is due is sent, a few at a time, stoppable; the rest keeps its reason.

Time, chance and the sender are handed in; tests bring their own.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable, Sequence

from chat_archive.core.entities import Folder, ItemResult, OperationResult
from chat_archive.core.errors import Cancelled
from chat_archive.core.progress import Progress
from chat_archive.core.provider.delivery import Delivery, Surroundings
from chat_archive.core.provider.plan import Left, Planner, Sendable, due_at, joined, shared_reason
from chat_archive.core.provider.queue import Entry, Record, ResponseQueue
from chat_archive.core.provider.receipts import ResponseState
from chat_archive.core.provider.sender import Sender
from chat_archive.core.provider.setup import ProviderSetup
from chat_archive.core.provider.shared import references
from chat_archive.core.workspace import Workspace

_POLL = 0.05  # seconds between two looks whether to stop
_WITH_ANOTHER = "Deleted with the same response of another chat; the provider confirmed it."
_NOT_REACHED = "Stopped before this one; it stays in the queue."


class Runner:
    """One run over the queue. `others` are the workspaces of the other open roots, whose chats may share responses."""

    def __init__(
        self,
        workspace: Workspace,
        queue: ResponseQueue,
        setup: ProviderSetup,
        others: Sequence[Workspace] = (),
        around: Surroundings | None = None,
    ) -> None:
        self._workspace = workspace
        self._queue = queue
        self._setup = setup
        self._others = tuple(others)
        self._around = around if around is not None else Surroundings()
        self._salt = queue.salt()
        self._delivery = Delivery(queue, self._salt, self._around)
        self._told = self._delivery.told
        self._remarks = list(setup.bases.remarks)
        self._stopped = False
        self._named = False
        self._sender: Sender | None = None

    def run(
        self,
        progress: Progress,
        entries: Sequence[Entry] | None = None,
        *,
        named: bool = True,
        hurried: bool = True,
        wait: float = 0.0,
    ) -> OperationResult:
        """Try every open entry, or just these, once; with `wait`, again what is to be tried again, for that many
        seconds. Entries that the person `named` one by one are also sent when they were refused before.

        `hurried` skips our own growing pauses, never one the provider asked for. Raises `ArchiveError` when the queue
        cannot be read or written or the chats not be listed; nothing was sent then that is not noted.
        """
        chosen = None if entries is None else {entry.key for entry in entries}
        self._named = named and chosen is not None
        loop = asyncio.new_event_loop()
        try:
            loop.run_until_complete(self._work(progress, chosen, hurried, wait))
        finally:
            # not asyncio.run: it would wait for a name look-up that hangs
            loop.close()
            self._delivery.close()
        self._queue.fold()
        return self._result(chosen)

    async def _work(self, progress: Progress, chosen: set[str] | None, hurried: bool, wait: float) -> None:
        until = self._around.clock() + wait
        again = False
        try:
            while not self._stopped:
                sendable = self._plan(progress, chosen, hurried=hurried and not again, again=again)
                await self._send_all(sendable, progress)
                again = True
                if not await self._rest(until, progress):
                    break
        except Cancelled:
            self._stopped = True
        finally:
            if self._sender is not None:
                await self._sender.close()

    # what to do

    def _plan(self, progress: Progress, chosen: set[str] | None, *, hurried: bool, again: bool) -> list[Sendable]:
        """What to send now; everything else is noted with its reason where that is new."""
        named = self._named and not again
        planner = Planner(self._setup, self._is_refused_now if named else self._is_paused, self._salt, named=named)
        now = self._around.clock()
        ready: list[Sendable] = []
        left: list[Left] = []
        entries = self._queue.entries()
        deleted = {(one.base_used, one.original) for one in entries if one.state is ResponseState.DELETED}
        for entry in entries:
            if chosen is not None and entry.key not in chosen:
                continue
            if not planner.wanted(entry):
                if chosen is not None or entry.state.open:
                    self._told.setdefault(entry.key, (entry.state, entry.reason))
                continue
            placed = planner.place(entry)
            if isinstance(placed, Left):
                left.append(placed)
            elif (placed.base.url, placed.original) in deleted:
                left.append(Left(entry, ResponseState.DELETED, _WITH_ANOTHER))
            elif due_at(entry, now, hurried=hurried) > now:
                self._told[entry.key] = (entry.state, entry.reason)
            else:
                ready.append(placed)
        if ready:
            ready, kept = self._without_shared(ready, progress, tell=not again)
            left += kept
        self._note_left(left)
        return joined(ready)

    def _is_refused_now(self, base: str, digest: str) -> bool:
        return digest in self._delivery.lane(base).refused

    def _is_paused(self, base: str, digest: str) -> bool:
        return digest in self._queue.refused_keys(base)

    def _without_shared(
        self, ready: Sequence[Sendable], progress: Progress, *, tell: bool
    ) -> tuple[list[Sendable], list[Left]]:
        """Those that no chat that stays uses, and the others (D-64)."""
        wanted = {one.original for one in ready if not one.entries[0].even_shared}
        if not wanted:
            return list(ready), []
        used = references((self._workspace, *self._others), wanted, progress)
        if used.unread and tell:
            count = len(used.unread)
            self._remarks.append(f"{count} chat files could not be read, so it is not known which responses they use.")
        free: list[Sendable] = []
        left: list[Left] = []
        for one in ready:
            reason = shared_reason(one.entries[0], used, self._workspace.root)
            if reason:
                left.append(Left(one.entries[0], ResponseState.SHARED, reason))
            else:
                free.append(one)
        return free, left

    def _note_left(self, left: Iterable[Left]) -> None:
        events: list[Record] = []
        for one in left:
            self._told[one.entry.key] = (one.state, one.reason)
            if (one.entry.state, one.entry.reason) != (one.state, one.reason):
                events.append({"entry": one.entry.key, "event": one.state.value, "text": one.reason})
        self._queue.note(events)

    # doing it

    async def _send_all(self, sendable: Sequence[Sendable], progress: Progress) -> None:
        """All of them, `in_flight` at a time. A wish to stop ends the requests under way at once."""
        if not sendable:
            return
        if self._sender is None:
            self._sender = self._around.sender(self._setup)
        sender, waiting, stop = self._sender, deque(sendable), asyncio.Event()

        async def work() -> None:
            while waiting and not stop.is_set():
                await self._delivery.send(sender, waiting.popleft(), stop)

        workers = [asyncio.ensure_future(work()) for _ in range(max(1, self._setup.in_flight))]
        try:
            while not all(worker.done() for worker in workers):
                if not stop.is_set() and not self._goes_on(len(sendable) - len(waiting), len(sendable), progress):
                    stop.set()
                await asyncio.wait(workers, timeout=_POLL, return_when=asyncio.FIRST_EXCEPTION)
                if any(worker.done() and worker.exception() is not None for worker in workers):
                    stop.set()
        finally:
            stop.set()
            results = await asyncio.gather(*workers, return_exceptions=True)
        for result in results:
            if isinstance(result, BaseException):
                raise result

    def _goes_on(self, done: int, total: int, progress: Progress) -> bool:
        try:
            progress.report(min(done, total), total, "")
        except Cancelled:
            self._stopped = True
        return not self._stopped

    async def _rest(self, until: float, progress: Progress) -> bool:
        """Sleep until something is due again. False when that is never, or later than wanted."""
        now = self._around.clock()
        if self._stopped or now >= until:
            return False
        times = [
            due_at(entry, now, hurried=False)
            for entry in self._queue.entries()
            if entry.state is ResponseState.WAITING and entry.attempts and entry.key in self._told
        ]
        if not times or min(times) >= until:
            return False
        while (left := min(times) - self._around.clock()) > 0:
            progress.report(0, None, "")
            waiting = self._around.sleep(min(_POLL, left))
            if asyncio.iscoroutine(waiting):
                await waiting
        return True

    def _result(self, chosen: set[str] | None) -> OperationResult:
        """What became of each entry the run was about."""
        items: list[ItemResult] = []
        for entry in self._queue.entries():
            asked_for = entry.state.open if chosen is None else entry.key in chosen
            if entry.key in self._told:
                items.append(_item(entry, *self._told[entry.key]))
            elif self._stopped and asked_for:
                items.append(_item(entry, entry.state, _NOT_REACHED))
        return OperationResult("provider", tuple(items), stopped=self._stopped, remarks=tuple(self._remarks))


def _item(entry: Entry, state: ResponseState, reason: str) -> ItemResult:
    """Done are the ones the provider has no more; kept ones are no failure; all else is still to be done."""
    receipt = entry.receipt()
    done = state in (ResponseState.DELETED, ResponseState.GONE)
    folder = Folder(entry.chats[-1]) if entry.chats else None
    return ItemResult(
        receipt.original, not state.open, reason, folder, skipped=not done and not state.open, state=state.value
    )
