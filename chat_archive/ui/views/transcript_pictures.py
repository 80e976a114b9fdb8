"""The picture reader: pictures of a chat's own folder, of the uploads beside the root, or embedded ones. Nothing else.

Rule V3: the format is taken from the content and is one of five, never SVG; size and memory are bounded; reading and
decoding happen on a worker, when a picture comes into view. Addresses are mapped as section 4.7 of the format says.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QLoggingCategory, QObject, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import QImage, QImageReader

from chat_archive.core.errors import ArchiveError
from chat_archive.ui.jobs import JobProgress, JobRunner

MOST_PIXELS = 50_000_000
MOST_BYTES = 64 * 1024 * 1024
MOST_MEGABYTES = 256  # what decoding may allocate
LARGEST = QSize(1600, 1200)  # what is kept
_KEPT = 24
_DATA = re.compile(r"data:image/(?:png|jpe?g|gif|webp|bmp);base64,", re.IGNORECASE)
_MAGIC = (
    (b"\x89PNG\r\n\x1a\n", b"png"),
    (b"\xff\xd8\xff", b"jpeg"),
    (b"GIF87a", b"gif"),
    (b"GIF89a", b"gif"),
    (b"BM", b"bmp"),
)


class PictureError(Exception):
    """A picture that is not shown; the text is a code: "missing", "format", "size"."""


class ReadFile(Protocol):
    """Reads one file of the chat or of the uploads, by the rules of C1 and C6. Raises `ArchiveError`."""

    def __call__(self, parts: tuple[str, ...]) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Place:
    """Where a picture is: `data` embedded, or `parts` below the chat's folder or the uploads folder."""

    parts: tuple[str, ...] = ()
    uploads: bool = False
    data: str = ""


def place_of(address: str, chat_ids: frozenset[str]) -> Place | None:
    """Map a stored address to a place, or None when it is nothing this chat may show (4.7, V3, V5)."""
    text = address.strip()
    if _DATA.match(text):
        return Place(data=text)
    if text.startswith("attachment:"):
        text = text.removeprefix("attachment:")
        name = text.replace("\\", "/").rpartition("/")[2]
        if text.startswith(("/a0/usr/chats/", "/a0/tmp/chats/")):
            return _in_chat(text, chat_ids)
        return Place((name,), uploads=True) if _plain(name) else None
    if text.startswith("img://"):
        text = text.removeprefix("img://")
        head, mark, number = text.rpartition("&t=")
        text = head if mark and re.fullmatch(r"[0-9.]+", number) else text
    elif text.startswith("file://"):
        text = text.removeprefix("file://")
    for uploads in ("/a0/usr/uploads/", "/a0/tmp/uploads/"):
        if text.startswith(uploads):
            name = text.removeprefix(uploads)
            return Place((name,), uploads=True) if _plain(name) else None
    return _in_chat(text, chat_ids)


def _in_chat(path: str, chat_ids: frozenset[str]) -> Place | None:
    """`.../usr/chats/<id>/...` of this very chat as parts below its folder."""
    for root in ("/usr/chats/", "/tmp/chats/"):  # noqa: S108 - a place inside the host's container
        _, found, rest = path.partition(root)
        if not found:
            continue
        chat, _, inner = rest.partition("/")
        parts = tuple(inner.split("/"))
        if chat in chat_ids and parts and all(_plain(part) for part in parts) and len(parts) <= 8:
            return Place(parts)
    return None


def _plain(part: str) -> bool:
    return bool(part) and part not in (".", "..") and not {"/", "\\", "\0"} & set(part) and len(part) <= 255


def picture_name(address: str) -> str:
    """What a picture is called when it is not shown."""
    if _DATA.match(address):
        return ""
    text = address.removeprefix("attachment:").removeprefix("img://").partition("&t=")[0]
    return text.replace("\\", "/").rpartition("/")[2] or text


def looks_like_picture(name: str) -> bool:
    """Whether a file's name ends as those the web page shows as pictures, SVG left out."""
    return name.lower().endswith((".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp"))


def format_of(data: bytes) -> bytes | None:
    """The picture format by the first bytes, None for everything that is not one of the five."""
    for magic, name in _MAGIC:
        if data.startswith(magic):
            return name
    return b"webp" if data[:4] == b"RIFF" and data[8:12] == b"WEBP" else None


def decode_picture(data: bytes) -> QImage:
    """Decode bytes into a picture of at most `LARGEST`. Raises `PictureError`."""
    if len(data) > MOST_BYTES:
        raise PictureError("size")
    name = format_of(data)
    if name is None:
        raise PictureError("format")
    QImageReader.setAllocationLimit(MOST_MEGABYTES)
    kept = QByteArray(data)
    buffer = QBuffer(kept)
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer, QByteArray(name))
    reader.setAutoDetectImageFormat(False)
    size = reader.size()
    if size.isValid() and size.width() * size.height() > MOST_PIXELS:
        raise PictureError("size")
    if size.width() > LARGEST.width() or size.height() > LARGEST.height():
        scaled = size.scaled(LARGEST, Qt.AspectRatioMode.KeepAspectRatio)
        reader.setScaledSize(QSize(max(1, scaled.width()), max(1, scaled.height())))
    reader.setAutoTransform(True)
    image = reader.read()
    buffer.close()
    if image.isNull():
        raise PictureError("format")
    return image


class PictureStore(QObject):
    """Pictures of one chat by their stored address. `changed` tells that one came or turned out not to."""

    changed = Signal()

    def __init__(self, runner: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        # a broken picture is told in its place, not in a log
        QLoggingCategory.setFilterRules("qt.gui.imageio*=false")
        self._runner = runner
        self._ids: frozenset[str] = frozenset()
        self._there: frozenset[tuple[bool, tuple[str, ...]]] = frozenset()
        self._read: Callable[[Place], bytes] | None = None
        self._images: OrderedDict[str, QImage | None] = OrderedDict()
        self._asked: set[str] = set()
        self._generation = 0

    def set_chat(
        self,
        ids: frozenset[str],
        there: frozenset[tuple[bool, tuple[str, ...]]],
        read: Callable[[Place], bytes] | None,
    ) -> None:
        """Another chat: its ids, the files that are there as (in uploads, parts), and how they are read."""
        self._generation += 1
        self._ids, self._there, self._read = ids, there, read
        self._images.clear()
        self._asked.clear()

    def there(self, address: str) -> bool:
        """Whether there is something to show, by the list of files; nothing is opened."""
        place = place_of(address, self._ids)
        if place is None:
            return False
        if place.data:
            return True
        return looks_like_picture(place.parts[-1]) and (place.uploads, place.parts) in self._there

    def image(self, address: str) -> QImage | None:
        """The picture, or None while it is on its way or when there is none; asking starts the reading."""
        if address in self._images:
            self._images.move_to_end(address)
            return self._images[address]
        if address not in self._asked:
            self._ask(address)
        return None

    def size(self, address: str) -> QSizeF | None:
        """The size of a picture that was read, without asking for it."""
        image = self._images.get(address)
        return None if image is None else image.deviceIndependentSize()

    def failed(self, address: str) -> bool:
        return address in self._images and self._images[address] is None

    def _ask(self, address: str) -> None:
        self._asked.add(address)
        place, read, generation = place_of(address, self._ids), self._read, self._generation
        if place is None:
            self._images[address] = None
            return

        def work(_progress: JobProgress) -> QImage | None:
            try:
                return decode_picture(_embedded(place.data) if place.data else _from_file(place, read))
            except (PictureError, ArchiveError, OSError):
                return None

        def done(image: QImage | None) -> None:
            if generation == self._generation:
                self._images[address] = image
                self._asked.discard(address)
                while len(self._images) > _KEPT:
                    self._images.popitem(last=False)
                self.changed.emit()

        self._runner.read(self.tr("Reading a picture"), work, done=done, quiet=True)


def _from_file(place: Place, read: Callable[[Place], bytes] | None) -> bytes:
    if read is None:
        raise PictureError("missing")
    return read(place)


def _embedded(address: str) -> bytes:
    found = _DATA.match(address)
    if found is None or len(address) > MOST_BYTES * 3 // 2:
        raise PictureError("size")
    try:
        return base64.b64decode(re.sub(r"\s+", "", address[found.end() :]), validate=True)
    except (binascii.Error, ValueError):
        raise PictureError("format") from None


def uploads_of(root: Path) -> Path:
    """The sibling folder with uploaded files (4.7)."""
    return root.parent / "uploads"
