"""Dates as the file has them, compared in UTC, local only when shown (format 2.1).

The raw value is kept beside the instant, since a value that cannot be read (D-30, D-90) is still shown and never
rewritten.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAY = timedelta(hours=24)
_MILLISECONDS_FROM = 100_000_000_000  # seconds beyond the year 5000 are milliseconds


@dataclass(frozen=True, slots=True)
class Instant:
    """One date of a file. `utc` is None when unknown: missing, unreadable, out of range, or the epoch fallback
    (D-33). `naive`: it had no offset and was read in the local zone (D-32). `raw` is what the file said."""

    raw: object = None
    utc: datetime | None = None
    naive: bool = False

    def iso(self) -> str | None:
        """ISO 8601 in UTC with offset and microseconds where there are any, or None when unknown."""
        return None if self.utc is None else self.utc.isoformat()


UNKNOWN = Instant()


def parse_instant(raw: object, zone: tzinfo | None = None) -> Instant:
    """Read a date the way the format does, without ever raising.

    A value without offset is local time in `zone` (the system's when None): ambiguous autumn times are standard time,
    times that spring leaves out are moved on. A date within 24 hours of the epoch means "unknown".
    """
    if not isinstance(raw, str) or not raw.strip():
        return Instant(raw)
    try:
        parsed = datetime.fromisoformat(raw.strip())
    except ValueError:
        return Instant(raw)
    naive = parsed.tzinfo is None
    try:
        utc = _local_to_utc(parsed, zone) if naive else parsed.astimezone(UTC)
    except (OverflowError, ValueError, OSError):
        return Instant(raw, None, naive)
    # the years the host itself cannot write again (D-90) are no dates of a chat
    if abs(utc - _EPOCH) <= _DAY or not 1970 <= utc.year <= 9000:
        return Instant(raw, None, naive)
    return Instant(raw, utc, naive)


def _local_to_utc(wall: datetime, zone: tzinfo | None) -> datetime:
    """A wall time of `zone` (the system's when None) as UTC."""
    # fold=1 is the later reading of an ambiguous time, which is standard time
    utc = _reading(wall.replace(fold=1), zone)
    back = utc.astimezone(zone).replace(tzinfo=None, fold=0)
    # a time in the gap of spring does not come back; fold=0 reads it with the offset before, which moves it on
    return utc if back == wall.replace(fold=0) else _reading(wall.replace(fold=0), zone)


def _reading(wall: datetime, zone: tzinfo | None) -> datetime:
    if zone is not None:
        return wall.replace(tzinfo=zone).astimezone(UTC)
    # not wall.astimezone(): inside a gap it takes the folds the other way round than timestamp() and zoneinfo do
    return datetime.fromtimestamp(wall.timestamp(), UTC)


def from_timestamp(raw: object) -> datetime | None:
    """A log item's `timestamp` (Unix seconds, 4.1; milliseconds are recognised) as aware UTC, else None."""
    if isinstance(raw, bool) or not isinstance(raw, int | float):
        return None
    try:
        seconds = raw / 1000 if abs(raw) >= _MILLISECONDS_FROM else float(raw)
        if not abs(seconds) > 86_400:  # also NaN
            return None
        return datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, ValueError, OSError):
        return None
