"""The case message-kinds-in-the-middle: kinds human, ai, system, tool, function and none; lists of parts."""

from __future__ import annotations

import pytest

from chat_archive.core import scan

pytestmark = pytest.mark.shared


@pytest.fixture
def root(case_input):  # type: ignore[no-untyped-def]
    return case_input("message-kinds-in-the-middle") / "tmp/chats"


def test_all_eight_in_order_with_their_kinds(root) -> None:
    context = scan.load(root, "f6b1a520-a9e0-454c-adc8-eadc9a9840ef.json")
    found = [(message.kind, message.ai, message.text()) for message in context.agents[0].history.messages()]
    assert [kind for kind, _ai, _text in found] == ["", "system", "", "tool", "function", "", "message", ""]
    assert [ai for _kind, ai, _text in found] == [False, False, True, False, False, False, False, True]
    texts = [text for _kind, _ai, text in found]
    assert texts[:4] == ["one", "be brief", "two", "three"]
    assert texts[5].startswith("five")
    assert texts[6:] == ["six", "seven"]
