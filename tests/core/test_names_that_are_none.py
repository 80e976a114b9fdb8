"""Text that cannot be the name of a file here: NUL, half of a character, too long, a broken URL, the home of nobody."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from chat_archive.__main__ import main
from chat_archive.core import persist_chat
from chat_archive.core.archive import Archive
from chat_archive.core.entities import Folder
from chat_archive.core.errors import ArchiveError, BadIdError, NotFoundError, StorageError
from tests.builders import chat, make_root, put, snapshot

BAD = ("\ud800", "x\0y", "..", "a/b", "a" * 300)
LOOKS: dict[str, Callable[[Archive, Folder], object]] = {
    "row": Archive.row,
    "load": Archive.load,
    "files": Archive.files,
    "read_bytes": Archive.read_bytes,
    "salvage": Archive.salvage,
    "rename": lambda archive, folder: archive.rename(folder, "new"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_a_name_is_refused_in_a_sentence(tmp_path: Path, name: str) -> None:
    root = make_root(tmp_path)
    before = snapshot(root)
    with Archive.open(root) as archive:
        for look in LOOKS.values():
            with pytest.raises(ArchiveError):
                look(archive, Folder(name))
        for change in (archive.trash, archive.remove_message_files):
            assert [item.ok for item in change([Folder(name)]).items] == [False]
        assert [item.ok for item in archive.export_json([Folder(name)], tmp_path / "out").items] == [False]
    assert {key: value for key, value in snapshot(root).items() if ".chat-archive" not in key} == before


def test_d08_half_a_character_is_no_id_for_the_persistence_functions(tmp_path: Path) -> None:
    persist_chat.use(make_root(tmp_path))
    for call in (persist_chat.get_chat_folder_path, persist_chat.remove_chat, persist_chat.remove_msg_files):
        with pytest.raises(BadIdError):
            call("\ud800")
    with pytest.raises((NotFoundError, StorageError)):
        persist_chat.use("a" * 100_000)


def test_d07_an_empty_id_finds_no_chat(tmp_path: Path) -> None:
    root = make_root(tmp_path)
    put(root, ".json", chat(""), flat=True)
    put(root, "NoId0001", chat(""))
    with Archive.open(root) as archive:
        for empty in ("", "  "):
            with pytest.raises(NotFoundError):
                archive.find(empty)
    assert main(["delete", str(root), "", "--yes"]) == 1
    assert (root / ".json").exists()
    assert (root / "NoId0001").exists()


@pytest.mark.parametrize("path", ["x\0y", "\ud800", "a" * 5000, "~nobody-of-this-name/x"])
def test_such_a_path_is_no_import_and_no_place_to_export_to(tmp_path: Path, path: str) -> None:
    root = make_root(tmp_path)
    with Archive.open(root) as archive:
        assert [item.importable for item in archive.preview_import([Path(path)])] == [False]
        with pytest.raises(ArchiveError):
            archive.export_json([Folder("Chat0000"), Folder("Chat0001")], Path(path, "below"))


@pytest.mark.parametrize("typed", ["file://[::1", "file:///tmp/%00x", "~nobody-of-this-name/x", "a" * 5000])
@pytest.mark.parametrize(
    "words", [["list", "{}"], ["import", "ROOT", "{}"], ["export", "ROOT", "Chat0000", "--to", "{}"]]
)
def test_the_command_line_says_that_it_is_no_path(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, words: list[str], typed: str
) -> None:
    root = make_root(tmp_path)
    monkeypatch.chdir(tmp_path)
    typed = f"{typed}/below" if words[0] == "export" else typed
    status = main([word.replace("ROOT", str(root)).replace("{}", typed) for word in words])
    said = capsys.readouterr().err
    assert status in (1, 3)
    assert "went wrong" not in said
    assert said.startswith("chat-archive: ")
