"""The case half-emoji: one half of an emoji, alone and in JSON inside JSON."""

from __future__ import annotations

import pytest

from chat_archive.core import scan

pytestmark = pytest.mark.shared


@pytest.fixture
def root(case_input):  # type: ignore[no-untyped-def]
    return case_input("half-emoji") / "usr/chats"


def test_lone_halves_are_marks_and_the_pair_is_one_glass(root) -> None:
    context = scan.load(root, "Half0001")
    assert context.log.items[0].content == "Say \ufffd cocktail"
    assert context.log.items[1].content == "\ufffd and \U0001f378"
    texts = [message.text() for message in context.agents[0].history.messages()]
    assert texts[0] == "Say \ufffd cocktail"
    assert "\ufffd and \U0001f378" in texts[1]
    for text in texts:
        text.encode("utf-8")


def test_the_bytes_keep_the_escapes(root) -> None:
    assert rb"\ud83c cocktail" in scan.read_bytes(root, "Half0001")
