"""The three small pictures of the sample archive, drawn here and written as PNG without a compressor, so that the same
bytes come out whatever zlib Python was built with."""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Callable

WIDTH, HEIGHT = 160, 120

Palette = tuple[tuple[int, int, int], ...]


def png(palette: Palette, colour_at: Callable[[int, int], int]) -> bytes:
    """A PNG of WIDTH x HEIGHT pixels with at most 16 colours; `colour_at(x, y)` gives the colour's number."""
    rows = bytearray()
    for y in range(HEIGHT):
        rows.append(0)
        for x in range(0, WIDTH, 2):
            rows.append(colour_at(x, y) << 4 | colour_at(x + 1, y))
    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 4, 3, 0, 0, 0)
    colours = b"".join(bytes(colour) for colour in palette)
    return (
        b"\x89PNG\r\n\x1a\n"
        + _chunk(b"IHDR", header)
        + _chunk(b"PLTE", colours)
        + _chunk(b"IDAT", _stored(bytes(rows)))
        + _chunk(b"IEND", b"")
    )


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _stored(data: bytes) -> bytes:
    """A zlib stream of one stored block; `data` is at most 65,535 bytes."""
    block = b"\x01" + struct.pack("<HH", len(data), len(data) ^ 0xFFFF) + data
    return b"\x78\x01" + block + struct.pack(">I", zlib.adler32(data))


def plum_picture() -> bytes:
    """A red and yellow plum on a table."""
    palette = (
        *((226, 238, 247), (173, 126, 84), (150, 104, 66)),
        *((120, 26, 48), (160, 40, 58), (196, 66, 62), (226, 120, 70), (240, 176, 92)),
        *((252, 226, 200), (74, 96, 44), (96, 66, 40)),
    )

    def colour(x: int, y: int) -> int:
        stem = 74 <= x <= 77 and 8 <= y <= 26
        if stem or ((x - 92) / 16) ** 2 + ((y - 14) / 6) ** 2 < 1:
            return 10 if stem else 9
        distance = math.hypot((x - 78) / 42, (y - 62) / 46)
        if distance < 1:
            if math.hypot(x - 64, y - 42) < 6:
                return 8
            light = math.hypot((x - 62) / 60, (y - 44) / 66)
            return max(3, 7 - int(light * 5))
        if y > 84:
            return 2 if math.hypot((x - 84) / 52, (y - 104) / 9) < 1 else 1
        return 0

    return png(palette, colour)


def leaf_picture() -> bytes:
    """A broad green leaf with its veins."""
    palette = ((244, 242, 234), (58, 110, 52), (78, 134, 66), (104, 158, 84), (150, 190, 116), (96, 66, 40))

    def colour(x: int, y: int) -> int:
        across = (y - 60) / (44 * math.sin(math.pi * min(max((x - 14) / 124, 0), 1)) + 0.01)
        if 14 <= x <= 138 and abs(across) < 1:
            if abs(y - 60) < 2 or (abs(y - 60) + x) % 22 < 2:
                return 4
            return 1 if across > 0.35 else 2 if across > -0.3 else 3
        return 5 if x > 136 and abs(y - 60) < 2 else 0

    return png(palette, colour)


def page_picture() -> bytes:
    """A web page: a bar, a heading, lines of text, a picture."""
    palette = (
        (255, 255, 255),
        (36, 88, 184),
        (223, 226, 231),
        (86, 97, 112),
        (196, 66, 62),
        (78, 134, 66),
        (28, 36, 48),
    )

    def colour(x: int, y: int) -> int:
        if y < 14:
            return 2 if 20 <= x < 140 and 4 <= y < 10 else 1
        if 100 <= x < 150 and 36 <= y < 92:
            return 4 if math.hypot(x - 125, y - 62) < 17 else 5 if math.hypot((x - 134) / 8, (y - 43) / 4) < 1 else 2
        if 22 <= y < 30 and 10 <= x < 112:
            return 6 if (x // 3 + y // 5) % 4 else 0
        if y >= 36 and y % 9 < 3 and 10 <= x < (92 if y < 100 else 148) - (y * 7 % 23):
            return 3
        return 0

    return png(palette, colour)
