"""Settings survive whatever their file holds."""

from __future__ import annotations

import json
import logging
import os
import stat
from pathlib import Path

import pytest

from chat_archive.core import settings
from chat_archive.core.errors import StorageError
from chat_archive.core.settings import Settings, load, save


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "config" / "settings.json"


def test_without_a_file_everything_has_its_default(path: Path) -> None:
    assert load(path) == Settings()
    assert not path.parent.exists(), "asking makes nothing"


def test_what_was_chosen_comes_back(path: Path) -> None:
    chosen = Settings(zone="Asia/Shanghai", theme="dark", text_scale=1.5, trash_days=0, confirm_trash=False)
    chosen.remember_root("/srv/chats")
    save(chosen, path)
    assert load(path) == chosen


def test_the_file_is_for_its_owner_only(path: Path) -> None:
    before = os.umask(0)
    try:
        save(Settings(), path)
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_keys_of_a_newer_version_are_kept(path: Path) -> None:
    path.parent.mkdir()
    path.write_text('{"version": 7, "theme": "light", "flux": {"a": [1.0, null]}}')
    found = load(path)
    assert found.theme == "light"
    save(found, path)
    again = json.loads(path.read_text())
    assert again["version"] == 7
    assert again["flux"] == {"a": [1.0, None]}


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("zone", "../../etc/passwd"),
        ("zone", 5),
        ("theme", "pink"),
        ("theme", None),
        ("text_scale", 99),
        ("text_scale", "big"),
        ("text_scale", True),
        ("last_root", ["x"]),
        ("recent_roots", "x"),
        ("open_last_root", "yes"),
        ("import_conflict", "overwrite"),
        ("trash_days", -1),
        ("trash_days", 2.5),
        ("trash_days", True),
        ("confirm_trash", 1),
    ],
)
def test_a_bad_value_becomes_the_default_and_a_log_line(
    path: Path, key: str, value: object, caplog: pytest.LogCaptureFixture
) -> None:
    path.parent.mkdir()
    path.write_text(json.dumps({"version": 1, key: value, "export_folder": "/kept"}))
    with caplog.at_level(logging.WARNING):
        found = load(path)
    assert getattr(found, key) == getattr(Settings(), key)
    assert found.export_folder == "/kept"
    assert key in caplog.text
    caplog.clear()


@pytest.mark.parametrize(
    "data", [b"", b"{", b"[]", b"5", b"\xff\xfe\x00", b"[" * 200_000, b" " * 1_000_001, b'{"a": "\xff"}']
)
def test_a_broken_file_is_set_aside_and_told(path: Path, data: bytes, caplog: pytest.LogCaptureFixture) -> None:
    path.parent.mkdir()
    path.write_bytes(data)
    found = load(path)
    assert found.notices
    assert Settings(notices=found.notices) == found
    kept = list(path.parent.glob("settings.broken-*.json"))
    assert [file.read_bytes() for file in kept] == [data]
    assert not path.exists()
    assert "set aside" in caplog.text
    caplog.clear()


def test_notices_are_not_saved(path: Path) -> None:
    save(Settings(notices=("once",)), path)
    assert load(path).notices == ()


def test_recent_roots_are_few_and_each_once(path: Path) -> None:
    chosen = Settings()
    for number in range(15):
        chosen.remember_root(f"/root{number}")
    chosen.remember_root("/root9")
    assert chosen.last_root == "/root9"
    assert chosen.recent_roots[:2] == ["/root9", "/root14"]
    assert len(chosen.recent_roots) == len(set(chosen.recent_roots)) == settings.RECENT


def test_upgrade_steps_run_in_order_from_the_version_of_the_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def first(raw: dict[str, object]) -> None:
        raw["theme"] = raw.pop("colours")

    def second(raw: dict[str, object]) -> None:
        raw["theme"] = {"night": "dark"}[str(raw["theme"])]

    monkeypatch.setattr(settings, "VERSION", 3)
    monkeypatch.setattr(settings, "_UPGRADES", {1: first, 2: second})
    path.parent.mkdir()
    path.write_text('{"colours": "night"}')
    assert load(path).theme == "dark"


def test_the_place_can_be_named_by_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHAT_ARCHIVE_CONFIG", str(tmp_path / "here"))
    assert settings.settings_path() == tmp_path / "here" / "settings.json"
    monkeypatch.delenv("CHAT_ARCHIVE_CONFIG")
    assert settings.settings_path() == Path(os.environ["XDG_CONFIG_HOME"]) / "chat-archive" / "settings.json"


def test_a_file_behind_a_link_stays_a_link(path: Path, tmp_path: Path) -> None:
    path.parent.mkdir()
    kept = tmp_path / "dotfiles.json"
    kept.write_text("{}")
    path.symlink_to(kept)
    save(Settings(theme="dark"), path)
    assert path.is_symlink()
    assert json.loads(kept.read_text())["theme"] == "dark"


def test_settings_that_cannot_be_saved_say_so(tmp_path: Path) -> None:
    (tmp_path / "config").write_text("a file where a folder is needed")
    with pytest.raises(StorageError):
        save(Settings(), tmp_path / "config" / "settings.json")


def test_a_failed_save_leaves_the_old_file_and_nothing_else(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(Settings(theme="dark"), path)

    def refuse(*_args: object, **_more: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", refuse)
    monkeypatch.setattr(os, "rename", refuse)
    with pytest.raises(StorageError):
        save(Settings(theme="light"), path)
    assert [file.name for file in path.parent.iterdir()] == ["settings.json"]
    assert load(path).theme == "dark"


def test_a_zone_becomes_a_zone_and_an_unknown_one_the_systems(caplog: pytest.LogCaptureFixture) -> None:
    assert Settings().tzinfo() is None
    assert str(Settings(zone="Asia/Shanghai").tzinfo()) == "Asia/Shanghai"
    assert Settings(zone="Mars/Olympus").tzinfo() is None
    assert "time zone" in caplog.text
    caplog.clear()
