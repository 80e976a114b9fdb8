"""One agent of a chat's chain (format 2.2, 2.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chat_archive.core.entities import Problem, Severity
from chat_archive.core.model import raw
from chat_archive.core.model.history import History
from chat_archive.core.model.raw import PartError

if TYPE_CHECKING:
    from chat_archive.core.model.context import AgentConfig, AgentContext


class Agent:
    """`number` is None where the file has none (D-26); `position` is its place in the chain.

    `data` is the agent's public state, decoded when it is first used, with the private links to the neighbours of
    the chain. Private keys a file brings along are not in it but in `planted` (D-49).
    """

    DATA_NAME_SUPERIOR = "_superior"
    DATA_NAME_SUBORDINATE = "_subordinate"

    def __init__(self, number: int | None, config: AgentConfig, context: AgentContext, *, position: int = 0) -> None:
        self.number = number
        self.raw_number: object = number
        self.config = config
        self.context = context
        self.position = position
        self.raw_profile: object = None
        self.history = History()
        self.extra: dict[str, object] = {}
        self.planted: dict[str, object] = {}
        self.own_problems: list[Problem] = []
        self.raw_data: object = {}
        self.known: frozenset[str] = frozenset()
        self._links: dict[str, object] = {}
        self._data: dict[str, Any] | None = {}

    def set_data_part(self, part: object) -> None:
        """Take the value of the `data` key, to be decoded when `data` is first used."""
        self.raw_data = part
        self._data = None

    @property
    def data(self) -> dict[str, Any]:
        """Public state and the private links of the chain."""
        if self._data is None:
            found, planted, problems = read_state(self.raw_data, "The agent's data", "D-88")
            self.planted = planted
            self.own_problems.extend(problems)
            self._data = found
            self._data.update(self._links)
            self._links = {}
        return self._data

    @data.setter
    def data(self, value: dict[str, Any]) -> None:
        self._data = value

    def get_data(self, key: str) -> Any:
        """The value under `key`, or None."""
        if self._data is None and key in self._links:
            return self._links[key]
        return self.data.get(key)

    def set_data(self, key: str, value: Any) -> None:
        """Set a value; keys that start with "_" are never written."""
        if self._data is None and key in (self.DATA_NAME_SUPERIOR, self.DATA_NAME_SUBORDINATE):
            self._links[key] = value
        else:
            self.data[key] = value

    @property
    def superior(self) -> Agent | None:
        """The agent above in the chain."""
        return self._link(self.DATA_NAME_SUPERIOR)

    @property
    def subordinate(self) -> Agent | None:
        """The agent below in the chain."""
        return self._link(self.DATA_NAME_SUBORDINATE)

    def _link(self, key: str) -> Agent | None:
        found = self._links.get(key) if self._data is None else self._data.get(key)
        return found if isinstance(found, Agent) else None

    @property
    def profile(self) -> str:
        """Its own profile, else the chat's, else "" (2.4)."""
        return self.config.profile.strip() or self.context.config.profile.strip()

    @property
    def name(self) -> str:
        """`A0`, `A1`: what Agent Zero shows."""
        return f"A{self.position if self.number is None else self.number}"

    @property
    def problems(self) -> list[Problem]:
        """What is wrong with this agent: its data and the frame of its history are decoded for it."""
        _ = self.data
        return [*self.own_problems, *self.history.problems]


def read_state(part: object, what: str, defect: str) -> tuple[dict[str, Any], dict[str, object], list[Problem]]:
    """A `data` object as (public keys, private keys of the file, problems); `{}` for what is no object (D-40, D-88)."""
    if part is None or raw.kind_of(part) == "null":
        problems = [Problem("data-null", f"{what} is null; it is read as empty.", Severity.REMARK, defect)]
        return {}, {}, problems if part is not None else []
    try:
        value = raw.decode(part)
    except PartError as error:
        return {}, {}, [Problem("data-unread", f"{what} is not shown: {error.what}.", Severity.REMARK, "D-45")]
    if not isinstance(value, dict):
        text = f"{what} is {raw.kind_of(value)} and no object; it is read as empty."
        return {}, {}, [Problem("data-kind", text, Severity.REMARK, defect)]
    public = {key: item for key, item in value.items() if not key.startswith("_")}
    return public, {key: item for key, item in value.items() if key.startswith("_")}, []
