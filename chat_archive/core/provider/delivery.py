"""Sends single deletions and notes how each ended, before and after: a crash forgets nothing (P1, P2)."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from chat_archive.core.provider.keys import Key
from chat_archive.core.provider.plan import Sendable
from chat_archive.core.provider.queue import SENDING, Record, ResponseQueue
from chat_archive.core.provider.receipts import ResponseState
from chat_archive.core.provider.sender import HttpSender, NoAnswer, Sender
from chat_archive.core.provider.setup import ProviderSetup
from chat_archive.core.provider.verdict import Outcome, Verdict, judge

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 900.0
"""Seconds between which the pause after a failure doubles (P4)."""

_BUSY_ANSWERS = 3  # answers in a row that say "not now" after which a provider is left alone for a while
_LONGEST_REST = 60.0
_BUSY_STATUS = (429, 503)
_LOST = "Deleted: an earlier request was sent, its answer was lost, and the provider does not know it any more."
_RESTING = "The provider is busy or cannot be reached, so it was not asked again yet."
_STOPPED = "Stopped before the answer came. It is tried again."


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a run takes from the world. `clock` gives seconds since 1970, `chance(a, b)` a number between, `sleep` an
    awaitable."""

    clock: Callable[[], float] = time.time
    chance: Callable[[float, float], float] = random.uniform
    sleep: Callable[[float], object] = asyncio.sleep
    sender: Callable[[ProviderSetup], Sender] = lambda setup: HttpSender(
        in_flight=setup.in_flight, deadline=setup.deadline
    )


@dataclass(slots=True)
class Lane:
    """How one base URL answers in this run. `refused` are hashes of keys it answered with 401 or 403."""

    busy: int = 0
    rest_until: float = 0.0
    refused: set[str] = field(default_factory=set)


class Delivery:
    """The sending part of one run. `told` collects how each entry ended, by its key."""

    def __init__(self, queue: ResponseQueue, salt: str, around: Surroundings) -> None:
        self._queue = queue
        self._salt = salt
        self._around = around
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="receipts")
        self.lanes: dict[str, Lane] = {}
        self.told: dict[str, tuple[ResponseState, str]] = {}

    def lane(self, base: str) -> Lane:
        return self.lanes.setdefault(base, Lane())

    async def send(self, sender: Sender, one: Sendable, stop: asyncio.Event) -> None:
        """Ask with each key until one settles it, and note how it ended. Raises `ArchiveError` when it cannot."""
        lane = self.lane(one.base.url)
        if lane.rest_until > self._around.clock():
            await self._note(one, ResponseState.WAITING, _RESTING, not_before=lane.rest_until)
            return
        gone: tuple[str, str] | None = None  # sentence, hash of the key
        refused = one.paused
        status: int | None = None
        for key in self._in_order(one):
            digest = key.secret.digest(self._salt)
            if digest in lane.refused:
                refused += 1
                continue
            verdict, status = await self._ask(sender, one, key, digest, stop)
            if verdict.outcome is Outcome.GONE:
                lost = self._was_lost(one, digest)
                gone = gone if gone is not None and gone[0] == _LOST else (_LOST if lost else verdict.text, digest)
            elif verdict.outcome is Outcome.KEY_REFUSED:
                refused += 1
                lane.refused.add(digest)
                await self._write([{"refused_key": digest, "base_used": one.base.url}])
            else:
                await self._settle(one, verdict, status, digest)
                return
        await self._unowned(one, gone, refused, status)

    def _in_order(self, one: Sendable) -> list[Key]:
        """The key of a request whose answer was lost first: only with it a 404 says something about that request."""
        last = {entry.unanswered[1] for entry in one.entries if entry.unanswered is not None}
        return sorted(one.keys, key=lambda key: key.secret.digest(self._salt) not in last)

    def _was_lost(self, one: Sendable, digest: str) -> bool:
        return any(entry.unanswered == (one.base.url, digest) for entry in one.entries)

    async def _ask(
        self, sender: Sender, one: Sendable, key: Key, digest: str, stop: asyncio.Event
    ) -> tuple[Verdict, int | None]:
        """One request: what it means, and its HTTP status."""
        lane = self.lane(one.base.url)
        await self._write(
            [{"entry": entry.key, "event": SENDING, "base_used": one.base.url, "key": digest} for entry in one.entries]
        )
        for entry in one.entries:
            entry.attempts += 1
        request = asyncio.ensure_future(sender.delete(one.base, one.original, key.secret))
        stopping = asyncio.ensure_future(stop.wait())
        await asyncio.wait({request, stopping}, return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        if not request.done():
            request.cancel()
            await asyncio.wait({request})
            self._remember(one, digest)
            return Verdict(Outcome.AGAIN, _STOPPED), None
        answer = request.result()
        if isinstance(answer, NoAnswer):
            lane.busy = lane.busy + 1 if answer.down else 0
            if answer.sent:
                self._remember(one, digest)
            return Verdict(Outcome.AGAIN, answer.text), None
        verdict = judge(answer, one.original, self._around.clock())
        lane.busy = lane.busy + 1 if answer.status in _BUSY_STATUS else 0
        if answer.body is None:
            self._remember(one, digest)
        return verdict, answer.status

    def _remember(self, one: Sendable, digest: str) -> None:
        """No whole answer came, so nobody knows. The first such request stays the one a later 404 speaks about."""
        for entry in one.entries:
            entry.unanswered = entry.unanswered or (one.base.url, digest)

    async def _settle(self, one: Sendable, verdict: Verdict, status: int | None, digest: str) -> None:
        more: Record = {"status": status, "key": digest}
        if verdict.outcome is Outcome.DELETED:
            await self._note(one, ResponseState.DELETED, verdict.text, **more)
        elif verdict.outcome is Outcome.REFUSED:
            await self._note(one, ResponseState.REFUSED, verdict.text, **more)
        else:
            await self._again(one, verdict, more)

    async def _again(self, one: Sendable, verdict: Verdict, more: Record) -> None:
        """Waiting, with a pause that grows with full jitter, or the longer one the provider asked for (P4)."""
        now = self._around.clock()
        tries = max(entry.attempts for entry in one.entries)
        ceiling = min(FIRST_PAUSE * 2 ** min(max(tries - 1, 0), 30), LONGEST_PAUSE)
        pause = self._around.chance(0.0, ceiling)
        lane = self.lane(one.base.url)
        if lane.busy >= _BUSY_ANSWERS:
            lane.rest_until = now + min(max(verdict.pause, pause, 1.0), _LONGEST_REST)
            lane.busy = 0
        if verdict.pause > 0:
            # all who were told the same time would come back at the same moment
            more["asked"] = now + verdict.pause + self._around.chance(0.0, min(verdict.pause * 0.1, 5.0))
        await self._note(one, ResponseState.WAITING, verdict.text, not_before=now + max(pause, verdict.pause), **more)

    async def _unowned(self, one: Sendable, gone: tuple[str, str] | None, refused: int, status: int | None) -> None:
        """No key settled it: all were refused, or the provider does not know the response."""
        if gone is not None and gone[0] == _LOST:
            await self._note(one, ResponseState.DELETED, _LOST, status=status, key=gone[1])
        elif refused and gone is not None:
            text = "One of several keys was refused and the others do not own it, so it may still be there."
            await self._note(one, ResponseState.KEY_REFUSED, text, status=status)
        elif gone is not None:
            await self._note(one, ResponseState.GONE, gone[0], status=status, key=gone[1])
        else:
            number = f" ({status})" if status is not None else ""
            text = f"The provider refused the key{number}. Nothing more is sent there until the key changes."
            await self._note(one, ResponseState.KEY_REFUSED, text, status=status)

    async def _note(self, one: Sendable, state: ResponseState, text: str, **more: object) -> None:
        events: list[Record] = []
        for entry in one.entries:
            self.told[entry.key] = (state, text)
            event: Record = {"entry": entry.key, "event": state.value, "text": text, "base_used": one.base.url, **more}
            lost = None if state.final or entry.unanswered is None else list(entry.unanswered)
            events.append(event | {"unanswered": lost})
        await self._write(events)

    async def _write(self, events: list[Record]) -> None:
        # on another thread, since another change may hold the root for a while and the requests must go on
        await asyncio.get_running_loop().run_in_executor(self._writer, self._queue.note, events)

    def close(self) -> None:
        """Wait for what is being noted."""
        self._writer.shutdown(wait=True)
