"""The case profiles-of-subordinates: each agent of the chain has its own profile."""

from __future__ import annotations

import pytest

from chat_archive.core import scan

pytestmark = pytest.mark.shared


@pytest.fixture
def root(case_input):  # type: ignore[no-untyped-def]
    return case_input("profiles-of-subordinates") / "usr/chats"


def test_three_agents_with_their_profiles(root, rows_of) -> None:
    row = rows_of(root)["Subs0001"]
    assert [(agent.number, agent.profile) for agent in row.agents] == [
        (0, "agent0"),
        (1, "researcher"),
        (2, "kite-repair"),
    ]


def test_items_by_agent(root) -> None:
    context = scan.load(root, "Subs0001")
    counts = [sum(1 for item in context.log.items if item.agentno == number) for number in (0, 1, 2, 5)]
    assert counts == [3, 1, 1, 1]
