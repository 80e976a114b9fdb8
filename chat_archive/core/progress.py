"""How long work reports and is stopped, with no signal and no thread known here."""

from __future__ import annotations

import threading
import time
from typing import Protocol

from chat_archive.core.errors import Cancelled


class Progress(Protocol):
    """What an operation is handed. Call `report` between units; it raises `Cancelled` when asked to stop."""

    def report(self, done: int, total: int | None = None, item: str = "") -> None: ...


class NullProgress:
    """Reports to nobody and is never stopped."""

    def report(self, done: int, total: int | None = None, item: str = "") -> None:
        return None


class CancelToken:
    """Set from one thread, seen from another."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def cancel(self) -> None:
        self._event.set()

    @property
    def cancelled(self) -> bool:
        return self._event.is_set()


class Throttle:
    """Lets at most `per_second` reports through, and always the last (`done == total`). Not thread-safe."""

    def __init__(self, per_second: float = 30.0) -> None:
        self._gap = 1.0 / per_second
        self._last = 0.0

    def passes(self, done: int, total: int | None) -> bool:
        now = time.monotonic()
        if now - self._last < self._gap and done != total:
            return False
        self._last = now
        return True


def stop_if(token: CancelToken) -> None:
    """Raise `Cancelled` when `token` was set."""
    if token.cancelled:
        raise Cancelled
