"""Pictures: from the chat's own folder or embedded, five formats, bounded; everything else is a line of text."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QImage

from chat_archive.ui.models.transcript_model import Part
from chat_archive.ui.views.detail_panel import DetailPanel
from chat_archive.ui.views.transcript_pictures import (
    PictureError,
    PictureStore,
    Place,
    decode_picture,
    format_of,
    place_of,
)
from tests.builders import chat, item

IDS = frozenset({"Chat0001"})


def picture(width: int = 30, height: int = 20, kind: str = "PNG") -> bytes:
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(0x2458B8)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    assert image.save(buffer, kind)
    return bytes(buffer.data().data())


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("img:///a0/usr/chats/Chat0001/images/x.png&t=12.5", Place(("images", "x.png"))),
        ("/a0/tmp/chats/Chat0001/browser/screenshots/a b.png", Place(("browser", "screenshots", "a b.png"))),
        ("/home/me/dev/usr/chats/Chat0001/images/x.png", Place(("images", "x.png"))),
        ("file:///a0/usr/chats/Chat0001/x.png", Place(("x.png",))),
        ("/a0/usr/uploads/x.png", Place(("x.png",), uploads=True)),
        ("attachment:bild.png", Place(("bild.png",), uploads=True)),
        ("data:image/png;base64,AAAA", Place(data="data:image/png;base64,AAAA")),
        ("/a0/usr/chats/Other001/images/x.png", None),
        ("/a0/usr/chats/Chat0001/../Other001/x.png", None),
        ("/a0/usr/uploads/../x.png", None),
        ("/etc/passwd", None),
        ("http://e.example/x.png", None),
        ("img://", None),
        ("data:image/svg+xml;base64,AAAA", None),
        ("attachment:..", None),
    ],
)
def test_addresses_are_mapped_to_this_chat_only(address: str, place: Place | None) -> None:
    assert place_of(address, IDS) == place


def test_v3_the_format_is_told_by_the_content() -> None:
    assert format_of(picture()) == b"png"
    assert format_of(picture(kind="JPG")) == b"jpeg"
    assert format_of(picture(kind="BMP")) == b"bmp"
    assert format_of(b"<svg xmlns='http://www.w3.org/2000/svg'/>") is None
    assert format_of(b"") is None


@pytest.mark.parametrize("data", [b"", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff" + b"\0" * 100, b"<svg/>", b"GIF89a"])
def test_v3_bytes_that_are_no_picture_are_refused(data: bytes, inline_runner: Any) -> None:
    PictureStore(inline_runner)  # keeps the decoders' complaints out of the log
    with pytest.raises(PictureError):
        decode_picture(data)


def test_v3_more_than_fifty_megapixels_are_refused() -> None:
    # the head of a picture of a size nobody wants, and nothing behind it
    size = struct.pack(">4sIIBBBBB", b"IHDR", 60_000, 60_000, 8, 2, 0, 0, 0)
    head = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + size + struct.pack(">I", zlib.crc32(size))
    head += struct.pack(">I4s", 1_000_000, b"IDAT") + b"\0" * 100
    with pytest.raises(PictureError, match="size"):
        decode_picture(head)


def test_large_pictures_are_made_smaller() -> None:
    image = decode_picture(picture(4_000, 100))
    assert image.width() <= 1_600


def test_a_picture_of_the_chat_is_shown_and_a_missing_one_named(
    show: Callable[..., DetailPanel], tmp_path: Path
) -> None:
    folder = tmp_path / "usr" / "chats" / "Chat0001"
    (folder / "images").mkdir(parents=True)
    (folder / "images" / "x.png").write_bytes(picture())
    base = "img:///a0/usr/chats/Chat0001/images/"
    logs = [item(0, "tool", "done", kvps={"Screenshot": base + "x.png", "Other": base + "gone.png"})]
    panel = show(chat(logs=logs))
    model = panel.transcript.model
    model.toggle(0)
    rows = [row for row in model.rows if row.part is Part.PICTURE]
    assert [row.expanded for row in rows] == [True, False]
    panel.grab()
    panel.grab()
    assert panel.transcript.pictures.image(rows[0].picture) is not None
    assert panel.transcript.pictures.image(rows[1].picture) is None


def test_a_link_in_the_place_of_a_picture_is_not_followed(show: Callable[..., DetailPanel], tmp_path: Path) -> None:
    folder = tmp_path / "usr" / "chats" / "Chat0001"
    (folder / "images").mkdir(parents=True)
    secret = tmp_path / "secret.png"
    secret.write_bytes(picture())
    (folder / "images" / "x.png").symlink_to(secret)
    logs = [item(0, "tool", "done", kvps={"Screenshot": "img:///a0/usr/chats/Chat0001/images/x.png"})]
    panel = show(chat(logs=logs))
    panel.transcript.model.toggle(0)
    panel.grab()
    row = next(row for row in panel.transcript.model.rows if row.part is Part.PICTURE)
    assert panel.transcript.pictures.image(row.picture) is None
    assert panel.transcript.pictures.failed(row.picture)


def test_a_chat_picture_of_another_format_than_its_name_is_judged_by_content(
    show: Callable[..., DetailPanel], tmp_path: Path
) -> None:
    folder = tmp_path / "usr" / "chats" / "Chat0001"
    (folder / "images").mkdir(parents=True)
    (folder / "images" / "x.png").write_bytes(
        b"<svg xmlns='http://www.w3.org/2000/svg'><image href='file:///etc/passwd'/></svg>"
    )
    logs = [item(0, "tool", "done", kvps={"Screenshot": "img:///a0/usr/chats/Chat0001/images/x.png"})]
    panel = show(chat(logs=logs))
    panel.transcript.model.toggle(0)
    panel.grab()
    row = next(row for row in panel.transcript.model.rows if row.part is Part.PICTURE)
    assert panel.transcript.pictures.failed(row.picture)


def test_an_embedded_picture_is_shown(show: Callable[..., DetailPanel]) -> None:
    address = "data:image/png;base64," + base64.b64encode(picture()).decode()
    panel = show(chat(logs=[item(0, "tool", "done", kvps={"shot": address})]))
    panel.transcript.model.toggle(0)
    panel.grab()
    image: Any = panel.transcript.pictures.image(address)
    assert image is not None
    assert image.width() == 30


def test_attachments_beside_the_root_are_shown_when_they_are_there(
    show: Callable[..., DetailPanel], tmp_path: Path
) -> None:
    uploads = tmp_path / "usr" / "uploads"
    uploads.mkdir(parents=True)
    (uploads / "bild.png").write_bytes(picture())
    panel = show(chat(logs=[item(0, "user", "see", kvps={"attachments": ["bild.png", "gone.png", "plan.pdf"]})]))
    rows = [row for row in panel.transcript.model.rows if row.part is Part.PICTURE]
    assert [row.expanded for row in rows] == [True, False, False]
    panel.grab()
    assert panel.transcript.pictures.image(rows[0].picture) is not None
