"""The newer save of the server stands, byte for byte, whatever was renamed before."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from chat_archive.core.archive import Archive
from chat_archive.core.entities import Folder

pytestmark = pytest.mark.shared


def test_looking_at_the_newer_save_never_writes_the_old_title_into_it(case_input: Callable[[str], Path]) -> None:
    base = case_input("title-overwritten-by-server")
    archive = Archive.open(base / "first" / "usr" / "chats")
    chat = Folder("Loom1234")
    archive.rename(chat, "My loom notes")
    second = (base / "second/usr/chats/Loom1234/chat.json").read_bytes()
    shutil.copyfile(base / "second/usr/chats/Loom1234/chat.json", archive.root / chat / "chat.json")
    assert archive.row(chat).name == "Weaving a Plain Cloth"
    archive.close()
    Archive.open(archive.root).close()
    assert (archive.root / chat / "chat.json").read_bytes() == second
