"""What one answer means, without any network: pauses asked for, and answers nobody should believe."""

from __future__ import annotations

from email.utils import formatdate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat_archive.core.provider.verdict import LONGEST_ASKED, Answer, Outcome, asked, judge
from tests.providers import deleted_body, error_body

NOW = 1_800_000_000.0


def pause(*headers: tuple[str, str]) -> float:
    return asked(Answer(429, headers, b""), NOW)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("2", 2.0),
        (" 2.5 ", 2.5),
        ("0", 0.0),
        ("999999999", LONGEST_ASKED),
        ("9" * 300, 0.0),
        ("-5", 0.0),
        ("nan", 0.0),
        ("inf", 0.0),
        ("-inf", 0.0),
        ("Infinity", 0.0),
        ("1e400", 0.0),
        ("1e3", 0.0),
        ("1_000", 0.0),
        ("0x10", 0.0),
        ("٣", 0.0),
        ("soon", 0.0),
        ("", 0.0),
        ("2, 3", 0.0),
        (formatdate(NOW + 60, usegmt=True), 60.0),
        (formatdate(NOW - 60, usegmt=True), 0.0),
        (formatdate(NOW + 10 * 86_400, usegmt=True), LONGEST_ASKED),
        ("Fri, 31 Dec 9999 23:59:59 GMT", LONGEST_ASKED),
        ("Mon, 99 Foo 2026 00:00:00 GMT", 0.0),
    ],
)
def test_retry_after_is_obeyed_where_it_makes_sense(value: str, seconds: float) -> None:
    assert pause(("retry-after", value)) == pytest.approx(seconds)


def test_milliseconds_and_several_headers_the_longest_counts() -> None:
    assert pause(("retry-after-ms", "1500")) == 1.5
    assert pause(("retry-after-ms", "nan"), ("Retry-After", "3")) == 3
    assert pause(("Retry-After", "1"), ("Retry-After", "4"), ("retry-after-ms", "2000")) == 4


@given(st.text(max_size=80))
def test_no_header_makes_it_fail_or_wait_for_ever(value: str) -> None:
    assert 0 <= pause(("retry-after", value), ("retry-after-ms", value)) <= LONGEST_ASKED


@given(
    st.integers(100, 599),
    st.binary(max_size=200) | st.just(deleted_body("resp_b")) | st.just(error_body("Invalid URL")),
    st.sampled_from(["", "gzip", "br", "identity", "GZIP, br"]),
)
def test_nothing_but_the_right_words_is_ever_an_outcome(status: int, body: bytes, encoding: str) -> None:
    verdict = judge(Answer(status, [("content-encoding", encoding)], body), "resp_a", NOW)
    if verdict.outcome is Outcome.DELETED:
        assert status == 204
    assert verdict.outcome is not Outcome.GONE
    assert verdict.text.endswith(".")


def test_deep_and_huge_bodies_are_no_confirmation() -> None:
    for body in (b"[" * 200_000, b'{"id":' * 50_000, b"9" * 5000, None):
        assert judge(Answer(200, [], body), "resp_a", NOW).outcome is Outcome.AGAIN


def test_words_of_the_provider_are_not_taken_over() -> None:
    body = error_body("Incorrect API key provided: sk-real-key. <a href='http://x'>update</a>", "sk-real-key")
    assert (
        judge(Answer(401, [], body), "resp_a", NOW).text == "The provider refused the key (401, invalid_request_error)."
    )
