"""A chat: `AgentContext`, with what the file said beside what it is taken for (format 2)."""

from __future__ import annotations

import secrets
import string
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from itertools import pairwise
from typing import Any

from chat_archive.core.entities import Problem, Severity
from chat_archive.core.model.agent import Agent
from chat_archive.core.model.history import History
from chat_archive.core.model.log import KNOWN_TYPES, Log
from chat_archive.core.model.times import Instant

MAX_AGENTS = 10_000  # bounds the walk along the chain
_ALPHABET = string.ascii_letters + string.digits


class AgentContextType(StrEnum):
    """How a chat is treated. Any other value of a file counts as USER and is kept (D-29)."""

    USER = "user"
    TASK = "task"
    BACKGROUND = "background"


@dataclass
class AgentConfig:
    """The part of the host's configuration that a chat stores."""

    profile: str = ""


def new_id() -> str:
    """A fresh id as the host makes them: 8 letters and digits."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(8))


def now() -> Instant:
    """The present as a date of a file: UTC with offset."""
    moment = datetime.now(UTC)
    return Instant(moment.isoformat(), moment)


class AgentContext:
    """One chat in memory.

    Read from a file, parts are decoded when they are used and nothing raises. Built fresh, it has agent 0 unless
    `with_agent` is False. `extra` holds top-level keys the format does not know, `raw_values` what a known key said
    where it could not be taken over as it was, `planted` private keys a file brought along (D-49).
    """

    def __init__(
        self,
        config: AgentConfig | None = None,
        *,
        id: str = "",
        name: str | None = None,
        type: AgentContextType = AgentContextType.USER,
        created_at: Instant | None = None,
        last_message: Instant | None = None,
        log: Log | None = None,
        data: dict[str, Any] | None = None,
        output_data: dict[str, Any] | None = None,
        folder: str = "",
        with_agent: bool = True,
    ) -> None:
        self.id = id or new_id()
        self.folder = folder or self.id
        self.name = name
        self.raw_name: object = name
        self.raw_id: object = id or None
        self.type = type
        self.raw_type: object = str(type)
        self.config = config or AgentConfig()
        self.raw_profile: object = self.config.profile
        self.created_at = created_at or now()
        self.last_message = last_message or self.created_at
        self.log = log or Log()
        self.data: dict[str, Any] = {} if data is None else data
        self.output_data: dict[str, Any] = {} if output_data is None else output_data
        self.agent0: Agent | None = Agent(0, AgentConfig(), self) if with_agent else None
        self.streaming_agent: Agent | None = None
        self.streaming_number: object = 0
        self.extra: dict[str, object] = {}
        self.raw_values: dict[str, object] = {}
        self.planted: dict[str, object] = {}
        self.known: frozenset[str] | None = None  # keys the file had; None: not from a file
        self.era = ""
        self.problems: list[Problem] = []
        self.later: Callable[[], list[Problem]] | None = None  # what `all_problems` looks for beyond opening

    @property
    def agents(self) -> tuple[Agent, ...]:
        """The chain from the top. A chain that bites its tail is walked once."""
        found: list[Agent] = []
        seen: set[int] = set()
        agent = self.agent0
        while agent is not None and id(agent) not in seen and len(found) < MAX_AGENTS:
            seen.add(id(agent))
            found.append(agent)
            agent = agent.subordinate
        return tuple(found)

    def get_data(self, key: str) -> Any:
        """The value under `key` in `data`, or None."""
        return self.data.get(key)

    def set_data(self, key: str, value: Any) -> None:
        """Set a value in `data`; keys that start with "_" are never written."""
        self.data[key] = value

    def get_output_data(self, key: str) -> Any:
        """The value under `key` in `output_data`, or None."""
        return self.output_data.get(key)

    def set_output_data(self, key: str, value: Any) -> None:
        """Set a value in `output_data`."""
        self.output_data[key] = value

    def all_problems(self) -> list[Problem]:
        """Problems of the chat, its log and its agents; the frame of every history is decoded for it."""
        if self.later is not None:
            self.problems.extend(self.later())
            self.later = None
        found = [*self.problems, *self.log.problems]
        for agent in self.agents:
            found.extend(agent.problems)
        return found

    def unknown_parts(self) -> list[str]:
        """Names of what the format does not know: top-level keys, log types, records and keys of histories."""
        names = list(self.extra)
        names.extend(f"log type {item.type}" for item in self.log.items if item.type and item.type not in KNOWN_TYPES)
        for agent in self.agents:
            names.extend(f"agent.{key}" for key in agent.extra)
            names.extend(agent.history.unknown())
        return names

    def link(self, agents: list[Agent]) -> None:
        """Make `agents` the chain, each the subordinate of the one before."""
        for above, below in pairwise(agents):
            above.set_data(Agent.DATA_NAME_SUBORDINATE, below)
            below.set_data(Agent.DATA_NAME_SUPERIOR, above)
        self.agent0 = agents[0] if agents else None

    def tell(self, code: str, text: str, defect: str = "", severity: Severity = Severity.REMARK) -> None:
        """Add a problem of the chat itself."""
        self.problems.append(Problem(code, text, severity, defect))


__all__ = ["Agent", "AgentConfig", "AgentContext", "AgentContextType", "History", "Log", "new_id", "now"]
