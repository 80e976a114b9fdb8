"""The contexts that are open in memory: by id, in the order they came, never two under one id."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

from chat_archive.core.errors import ConflictError
from chat_archive.core.model.context import AgentContext, new_id

_TRIES = 10_000


class Registry:
    """Open contexts of one root. Safe to use from several threads."""

    def __init__(self) -> None:
        self._contexts: dict[str, AgentContext] = {}
        self._running: set[str] = set()
        self._lock = threading.RLock()

    def add(self, context: AgentContext, *, replace: bool = False) -> None:
        """Register a context under its id.

        Another context that is live under that id is only replaced with `replace`, which a caller sets after asking
        (D-18); else `ConflictError`. Adding the same context again is fine.
        """
        with self._lock:
            live = self._contexts.get(context.id)
            if live is not None and live is not context and not replace:
                raise ConflictError("A chat with this id is open already and was not replaced.")
            self._contexts[context.id] = context

    def get(self, chat_id: str) -> AgentContext | None:
        """The open context with this id, or None."""
        with self._lock:
            return self._contexts.get(chat_id)

    def remove(self, chat_id: str) -> AgentContext | None:
        """Forget a context and return it; an unknown id is no error."""
        with self._lock:
            self._running.discard(chat_id)
            return self._contexts.pop(chat_id, None)

    def all(self) -> tuple[AgentContext, ...]:
        """Every open context, in the order they were added."""
        with self._lock:
            return tuple(self._contexts.values())

    def __iter__(self) -> Iterator[AgentContext]:
        return iter(self.all())

    def __len__(self) -> int:
        return len(self._contexts)

    def __contains__(self, chat_id: object) -> bool:
        return chat_id in self._contexts

    def set_running(self, chat_id: str, running: bool) -> None:
        """Note that somebody works on this context: it is then never dropped, whatever is on disk (5.5)."""
        with self._lock:
            if running:
                self._running.add(chat_id)
            else:
                self._running.discard(chat_id)

    def is_running(self, chat_id: str) -> bool:
        """Whether somebody works on this context."""
        with self._lock:
            return chat_id in self._running

    def new_id(self, on_disk: Callable[[str], bool]) -> str:
        """An id of 8 letters and digits that no open context and, by `on_disk`, no entry of the root has (1.5)."""
        for _ in range(_TRIES):
            chat_id = new_id()
            if chat_id not in self and not on_disk(chat_id):
                return chat_id
        raise ConflictError("No free id was found.")
