"""The eras of the format and the detector (format 1.1).

The readers of the eras share one tolerant body (`reader`), since real files mix what several eras wrote; an era's
own reader says by what its files are known and what of them is read differently.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Traces:
    """What the detector looks at; cheap to collect from a file."""

    flat: bool = False
    list_history: bool = False
    item_has_id: bool = False
    item_has_time: bool = False
    item_has_agentno: bool = False
    item_has_temp: bool = False
    items: int = 0
    top_keys: frozenset[str] = frozenset()
    agent_has_profile: bool = False
    message_keys: frozenset[str] = frozenset()
    compact_history: bool = False


class EraReader:
    """One era. `letter` as in the format page; `has_dates`: the file has dates of its own."""

    letter = ""
    versions = ""

    @staticmethod
    def matches(_traces: Traces) -> bool:
        """Whether a file with these traces is of this era."""
        return False


class EraF(EraReader):
    """After the reference version: compact JSON in the history text, `history_extras`, mode ""."""

    letter, versions = "F", "after v2.4"

    @staticmethod
    def matches(traces: Traces) -> bool:
        return traces.compact_history and not traces.list_history


class EraE(EraReader):
    """v2.0 on: messages with metadata and sequence, a profile for each agent."""

    letter, versions = "E", "v2.0 to v2.4"

    @staticmethod
    def matches(traces: Traces) -> bool:
        return traces.agent_has_profile or bool(traces.message_keys & {"metadata", "sequence"})


class EraD(EraReader):
    """v0.9.8 on: log items with a time and an agent number, messages with ids, a profile of the chat (v1.10)."""

    letter, versions = "D", "v0.9.8 to v1.20"

    @staticmethod
    def matches(traces: Traces) -> bool:
        if traces.list_history:
            return False
        return (
            (traces.item_has_time and not (traces.item_has_temp and not traces.item_has_agentno))
            or traces.item_has_agentno
            or "agent_profile" in traces.top_keys
            or ("id" in traces.message_keys and not traces.item_has_temp)
        )


class EraA(EraReader):
    """v0.7.1: flat files, the history a list of type and content (3.5), log items without id."""

    letter, versions = "A", "v0.7.1"

    @staticmethod
    def matches(traces: Traces) -> bool:
        return traces.list_history or (traces.flat and traces.items > 0 and not traces.item_has_id)


class EraB(EraReader):
    """v0.8: flat files, the history a text, log items with id."""

    letter, versions = "B", "v0.8"

    @staticmethod
    def matches(traces: Traces) -> bool:
        return traces.flat and not traces.top_keys & {"name", "created_at", "type"}


class EraC(EraReader):
    """v0.8.1 to v0.9.7: one folder a chat, names, dates; log items with `temp` and without time."""

    letter, versions = "C", "v0.8.1 to v0.9.7"

    @staticmethod
    def matches(_traces: Traces) -> bool:
        return True


ERAS: tuple[type[EraReader], ...] = (EraF, EraE, EraA, EraD, EraB, EraC)


def detect(traces: Traces) -> str:
    """The letter of the era whose reader takes these traces first."""
    for era in ERAS:
        if era.matches(traces):
            return era.letter
    return EraC.letter
