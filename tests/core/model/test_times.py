"""Dates as the file has them (format 2.1)."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from chat_archive.core.model.times import from_timestamp, parse_instant

BERLIN = ZoneInfo("Europe/Berlin")
NEW_YORK = ZoneInfo("America/New_York")


def test_an_offset_is_kept_as_an_instant() -> None:
    instant = parse_instant("2026-07-01T09:30:00.120000+02:00", NEW_YORK)
    assert instant.utc == datetime(2026, 7, 1, 7, 30, 0, 120000, UTC)
    assert not instant.naive


def test_d31_a_z_is_an_offset() -> None:
    assert parse_instant("2026-07-09T18:45:00Z").utc == datetime(2026, 7, 9, 18, 45, tzinfo=UTC)


def test_d32_a_date_without_offset_is_local_and_flagged() -> None:
    instant = parse_instant("2025-05-10T14:00:00.000123", BERLIN)
    assert instant.utc == datetime(2025, 5, 10, 12, 0, 0, 123, UTC)
    assert instant.naive


def test_an_ambiguous_autumn_time_is_standard_time() -> None:
    assert parse_instant("2025-10-26T02:30:00", BERLIN).utc == datetime(2025, 10, 26, 1, 30, tzinfo=UTC)


def test_a_spring_time_that_does_not_exist_is_moved_on() -> None:
    assert parse_instant("2025-03-30T02:30:00", BERLIN).utc == datetime(2025, 3, 30, 1, 30, tzinfo=UTC)


def test_the_system_zone_follows_the_same_rules() -> None:
    """In a second process, since TZ is read once."""
    code = (
        "from chat_archive.core.model.times import parse_instant as p\n"
        "print(p('2025-10-26T02:30:00').utc.hour, p('2025-03-30T02:30:00').utc.hour, p('2025-05-10T14:00').utc.hour)"
    )
    got = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "TZ": "Europe/Berlin"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert got.stdout.split() == ["1", "1", "12"]


@pytest.mark.parametrize(
    "raw", [1751362200, "yesterday", None, "", "  ", [], {"a": 1}, True, "2026-13-01", float("nan")]
)
def test_d30_what_is_no_date_is_unknown_and_kept(raw: object) -> None:
    instant = parse_instant(raw, BERLIN)
    assert instant.utc is None
    assert instant.raw is raw


@pytest.mark.parametrize(
    "raw",
    [
        "1970-01-01T01:00:00+01:00",
        "1969-12-31T19:00:00-05:00",
        "1970-01-01T00:00:00",
        "1969-12-31T00:30:00+00:00",
    ],
)
def test_d33_the_epoch_is_unknown(raw: str) -> None:
    assert parse_instant(raw, NEW_YORK).utc is None


@pytest.mark.parametrize("raw", ["0001-01-01T00:00:00+05:00", "9999-12-31T23:59:59-05:00", "9999-01-01T00:00:00+00:00"])
def test_d90_years_the_host_cannot_write_are_unknown(raw: str) -> None:
    instant = parse_instant(raw)
    assert instant.utc is None
    assert instant.raw == raw


def test_timestamps_are_seconds_or_milliseconds() -> None:
    assert from_timestamp(1772442000.0) == datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
    assert from_timestamp(1772442000000) == datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    "raw", [None, "1772442000", True, float("nan"), float("inf"), -float("inf"), 10**400, 0, 1e300]
)
def test_a_timestamp_that_is_no_time_is_none(raw: object) -> None:
    assert from_timestamp(raw) is None
