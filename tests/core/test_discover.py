"""Finding chats roots at, below and above a chosen place."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from chat_archive.core import discover
from chat_archive.core.discover import exact_root, explain_missing, find_roots, labels, likely_places
from chat_archive.core.typed_path import plain_path
from tests.builders import chat, make_root, put, snapshot


def paths(place: Path | str) -> list[Path]:
    return [root.path for root in find_roots(place)]


@pytest.mark.parametrize("below", [".", "usr", "usr/chats", "usr/chats/Chat0000", "usr/chats/Chat0000/chat.json"])
def test_each_place_around_a_root_leads_to_it(tmp_path: Path, below: str) -> None:
    root = make_root(tmp_path)
    assert paths(tmp_path / below) == [root]


def test_a_place_inside_a_chat_leads_to_its_root(tmp_path: Path) -> None:
    root = make_root(tmp_path)
    messages = root / "Chat0001" / "messages"
    messages.mkdir()
    assert paths(messages) == [root]


def test_d25_both_roots_of_an_installation_are_offered_from_everywhere(tmp_path: Path) -> None:
    new = make_root(tmp_path)
    old = make_root(tmp_path, below="tmp/chats")
    for place in (tmp_path, new, old, new / "Chat0000" / "chat.json"):
        found = find_roots(place)
        assert {root.path for root in found} == {new, old}
        assert {root.label for root in found} == {f"{tmp_path.name}/usr/chats", f"{tmp_path.name}/tmp/chats"}
    assert paths(old)[0] == old, "the chosen one comes first"


def test_d05_a_stray_chat_json_in_a_root_does_not_make_it_a_chat(tmp_path: Path) -> None:
    root = make_root(tmp_path, below="backup of march")
    (root / "chat.json").write_text('{"id": "noson", "log": {}}')
    assert paths(root) == [root]


def test_a_hand_made_copy_inside_a_chat_does_not_make_it_a_root(tmp_path: Path) -> None:
    root = make_root(tmp_path)
    put(root / "Chat0001", "Chat0001_backup", chat("Chat0001"))
    assert paths(root / "Chat0001") == [root]


def test_flat_files_of_the_first_versions_make_a_root(tmp_path: Path) -> None:
    root = tmp_path / "tmp" / "chats"
    put(root, "0c1f.json", chat("0c1f"), flat=True)
    found = find_roots(tmp_path)
    assert [(one.path, one.chats) for one in found] == [(root, 1)]
    assert paths(root / "0c1f.json") == [root]


def test_an_empty_chats_folder_of_an_installation_is_offered_with_no_chats(tmp_path: Path) -> None:
    (tmp_path / "usr" / "chats").mkdir(parents=True)
    assert [root.chats for root in find_roots(tmp_path)] == [0]


def test_a_link_to_a_root_and_the_root_are_one(tmp_path: Path) -> None:
    root = make_root(tmp_path / "real")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert paths(tmp_path) == [root]
    assert paths(tmp_path / "link") == [root]


def test_no_link_below_the_chosen_place_is_followed(tmp_path: Path) -> None:
    make_root(tmp_path / "elsewhere")
    chosen = tmp_path / "chosen"
    chosen.mkdir()
    (chosen / "link").symlink_to(tmp_path / "elsewhere")
    (chosen / "loop").symlink_to(chosen)
    assert paths(chosen) == []


def test_a_linked_chat_folder_does_not_make_a_root(tmp_path: Path) -> None:
    make_root(tmp_path / "elsewhere")
    chosen = tmp_path / "chosen"
    chosen.mkdir()
    (chosen / "Chat0000").symlink_to(tmp_path / "elsewhere" / "usr" / "chats" / "Chat0000")
    assert paths(chosen) == []


def test_the_search_ends_at_its_depth(tmp_path: Path) -> None:
    deep = tmp_path
    for number in range(12):
        deep /= f"level{number}"
    make_root(deep)
    assert paths(tmp_path) == []
    assert "or below it" in explain_missing(tmp_path)


def test_the_search_ends_after_so_many_folders_and_says_so(tmp_path: Path) -> None:
    make_root(tmp_path / "a0")
    for number in range(50):
        (tmp_path / f"other{number}").mkdir()
    found = find_roots(tmp_path, folders=4)
    assert len(found) == 1
    assert "stopped early" in found[0].note


def test_a_folder_that_waits_for_a_writer_does_not_stop_the_search(tmp_path: Path) -> None:
    root = make_root(tmp_path)
    os.mkfifo(root / "pipe.json")
    assert [one.chats for one in find_roots(root)] == [3]


def test_d19_a_refused_folder_is_a_root_with_a_note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = make_root(tmp_path)
    real = os.scandir

    def refusing(path: Path | str) -> object:
        if Path(path) == root:
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(discover.os, "scandir", refusing)
    found = find_roots(tmp_path)
    assert [(one.path, one.chats) for one in found] == [(root, -1)]
    assert "docker cp" in found[0].note


def test_two_instances_can_be_told_apart_by_their_labels(tmp_path: Path) -> None:
    one, two = make_root(tmp_path / "one" / "agent-zero"), make_root(tmp_path / "two" / "agent-zero")
    names = {root.path: root.label for root in find_roots(tmp_path)}
    assert names == {one: "one/agent-zero/usr/chats", two: "two/agent-zero/usr/chats"}


def test_labels_are_as_short_as_they_can_be() -> None:
    assert labels([Path("/opt/a0/usr/chats")]) == {Path("/opt/a0/usr/chats"): "a0/usr/chats"}
    volume = Path("/var/lib/docker/volumes/a0_usr/_data/chats")
    assert labels([volume]) == {volume: "a0_usr/_data/chats"}
    assert labels([Path("/")]) == {Path("/"): "/"}


def test_looking_for_roots_changes_nothing(tmp_path: Path) -> None:
    make_root(tmp_path)
    before = snapshot(tmp_path)
    find_roots(tmp_path)
    assert snapshot(tmp_path) == before


def test_an_exact_root_is_known_without_counting(tmp_path: Path) -> None:
    root = make_root(tmp_path)
    assert exact_root(str(root) + "/") == root
    assert exact_root(tmp_path) is None
    assert exact_root(root / "Chat0000") is None
    assert exact_root(root / "Chat0000" / "chat.json") is None


@pytest.mark.parametrize(
    ("typed", "path"),
    [
        ("/srv/a0/", "/srv/a0"),
        ("  /srv/a0 \n", "/srv/a0"),
        ("'/srv/my chats'", "/srv/my chats"),
        ("file:///srv/G%C3%A4ste%20Ordner/a0", "/srv/Gäste Ordner/a0"),
        ("file://localhost/srv/a0/", "/srv/a0"),
        ("/", "/"),
        (r"\\wsl.localhost\Debian\home\me\a0\usr\chats", r"\\wsl.localhost\Debian\home\me\a0\usr\chats"),
        (r"\\wsl$\Debian\home\me", r"\\wsl$\Debian\home\me"),
    ],
)
def test_what_people_type_becomes_a_path(typed: str, path: str) -> None:
    assert plain_path(typed, "linux") == path


@pytest.mark.parametrize(
    ("typed", "path"),
    [
        ("file:///C:/a0/usr/chats", "C:\\a0\\usr\\chats"),
        ("file:///c:/a0/usr/chats/", "c:\\a0\\usr\\chats"),
        ("file://server/share/a0", "\\\\server\\share\\a0"),
        ("C:\\", "C:\\"),
        ('"C:\\agent-zero-data\\"', "C:\\agent-zero-data"),
    ],
)
def test_what_people_type_on_windows_becomes_a_path(typed: str, path: str) -> None:
    assert plain_path(typed, "win32") == path


def test_the_home_sign_is_understood(own_home: Path) -> None:
    root = make_root(own_home / "agent-zero")
    assert paths("~/agent-zero") == [root]
    assert plain_path("~nobody-of-this-name/x", "linux") == "~nobody-of-this-name/x"


@pytest.mark.parametrize("typed", ["", "   ", "file://", "\0", "/a\0b", "~", "file:///%00", "\\\\wsl$\\x\\y", "C:\\x"])
def test_strange_words_find_nothing_and_are_explained(typed: str) -> None:
    assert find_roots(typed, seconds=0.5) == [] or typed == "~"
    assert explain_missing(typed)


def test_a_missing_folder_is_named_as_it_was_typed() -> None:
    assert explain_missing("/no/such/Folder") == "There is no folder /no/such/Folder."


def test_a_file_that_is_no_chat_is_explained(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello")
    assert paths(tmp_path / "notes.txt") == []
    assert "is not a chat" in explain_missing(tmp_path / "notes.txt")


def test_likely_places_find_an_installation_in_the_home_folder(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = make_root(own_home / "agent-zero-data")
    monkeypatch.chdir(own_home)
    found = [place for place in likely_places() if own_home in place.path.parents]
    assert [(place.path, place.label, place.chats) for place in found] == [(root, "agent-zero-data/usr/chats", 3)]


def test_likely_places_begin_with_the_one_the_environment_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make_root(tmp_path)
    monkeypatch.setenv("CHAT_ARCHIVE_ROOT", str(root))
    assert likely_places()[0].path == root


def test_likely_places_include_the_volumes_of_a_rootless_docker(own_home: Path) -> None:
    root = make_root(own_home / ".local/share/docker/volumes/a0_usr/_data", below="chats")
    assert root in [place.path for place in likely_places()]
