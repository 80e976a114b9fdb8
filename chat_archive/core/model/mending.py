"""JSON that was cut off: closed again after its last whole value, so that what stands before the cut can be shown."""

from __future__ import annotations

import re

_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{},:]|[^\s\[\]{},:"]+|"', re.DOTALL)
_SCALAR = re.compile(rb"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|NaN|-?Infinity")
_MAX_OPEN = 5_000


def close_cut(data: bytes) -> bytes | None:
    """`data` up to its last whole value, with the open brackets closed; None when nothing whole stands before."""
    opened: list[bytes] = []
    good = -1  # where everything before is whole
    closers = b""
    expect_key = False
    key_pending = False
    for token in _TOKEN.finditer(data):
        sign = token.group()
        whole = False
        if sign in (b"{", b"["):
            opened.append(b"}" if sign == b"{" else b"]")
            if len(opened) > _MAX_OPEN:
                break
            expect_key, key_pending = sign == b"{", False
            whole = True  # an empty container can be closed
        elif sign in (b"}", b"]"):
            if not opened or opened.pop() != sign:
                break
            expect_key, key_pending = False, False
            whole = True
        elif sign == b",":
            expect_key, key_pending = bool(opened) and opened[-1] == b"}", False
        elif sign == b":":
            if not key_pending:
                break
        elif expect_key:
            if not sign.startswith(b'"') or len(sign) < 2:
                break
            expect_key, key_pending = False, True
        elif _is_scalar(sign, token.end() < len(data)):
            key_pending = False
            whole = True
        else:
            break
        if whole:
            good, closers = token.end(), b"".join(reversed(opened))
            if not opened:
                break
    return None if good < 0 else data[:good] + closers


def _is_scalar(sign: bytes, more_follows: bool) -> bool:
    """A whole text or word; a number at the very end may be cut."""
    if sign.startswith(b'"'):
        return len(sign) >= 2
    return more_follows and _SCALAR.fullmatch(sign) is not None
