"""Starting the program: what is opened, a second start on the same folder, and what is left behind."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from chat_archive.core.settings import Settings
from chat_archive.ui import application, single_instance
from chat_archive.ui.drop import local_paths
from chat_archive.ui.single_instance import InstanceServer, show_other, socket_name
from tests.builders import make_root
from tests.journeys.conftest import Opener

HERE = Path(__file__).resolve().parent.parent.parent


def _start(*arguments: object) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(HERE)}
    return subprocess.run(
        [sys.executable, "-m", "chat_archive", "gui", *(str(argument) for argument in arguments), "--quit-when-shown"],
        env=environment,
        capture_output=True,
        timeout=90,
        check=False,
    )


def test_the_program_starts_shows_a_folder_and_ends(tmp_path: Path) -> None:
    root = make_root(tmp_path, 3)
    before = sorted(path.name for path in root.iterdir())
    ended = _start(root)
    assert ended.returncode == 0, ended.stderr.decode()
    assert b"Traceback" not in ended.stderr
    assert sorted(path.name for path in root.iterdir()) == before


def test_without_a_folder_the_first_page_is_shown() -> None:
    ended = _start()
    assert ended.returncode == 0, ended.stderr.decode()
    assert b"Traceback" not in ended.stderr


def test_a_folder_that_is_gone_is_no_failure_of_the_start(tmp_path: Path) -> None:
    ended = _start(tmp_path / "gone")
    assert ended.returncode == 0, ended.stderr.decode()
    assert b"Traceback" not in ended.stderr


@pytest.mark.parametrize("last", ["there", "gone", "none"])
def test_the_last_folder_is_opened_again(open_window: Opener, tmp_path: Path, last: str) -> None:
    root = make_root(tmp_path, 2)
    path = {"there": str(root), "gone": str(tmp_path / "gone"), "none": ""}[last]
    desk = open_window(last_root=path)
    application.open_first(desk.window)
    desk.settle()
    assert len(desk.titles) == (2 if last == "there" else 0)
    assert (desk.window.pages.currentWidget() is desk.window.first_run) == (last != "there")


def test_all_folders_of_the_last_time_are_opened_again(open_window: Opener, tmp_path: Path) -> None:
    one, other = make_root(tmp_path / "a", 2), make_root(tmp_path / "b", 3)
    desk = open_window(one, other)
    desk.window.close()
    again = open_window(last_root=str(other))
    application.open_first(again.window)
    again.settle()
    assert [session.root for session in again.window.roots.sessions] == [one, other]
    assert len(again.titles) == 5


def test_a_second_start_shows_the_window_that_is_open(qtbot: QtBot, tmp_path: Path) -> None:
    root = make_root(tmp_path, 1)
    link = tmp_path / "link"
    link.symlink_to(root)
    assert not show_other(root)
    server = InstanceServer()
    assert server.serve(root)
    assert socket_name(link) == socket_name(root)
    shown: list[int] = []
    server.show_requested.connect(lambda: shown.append(1))
    ended: list[int] = []
    # the other start is another process: it waits for the answer while this one keeps its events going
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import sys; from pathlib import Path; from PySide6.QtCore import QCoreApplication;"
            "from chat_archive.ui.single_instance import show_other; app = QCoreApplication([]);"
            "sys.exit(0 if show_other(Path(sys.argv[1])) else 3)",
            str(link),
        ],
        env={**os.environ, "PYTHONPATH": str(HERE)},
    )

    def over() -> None:
        code = process.poll()
        assert code is not None
        ended.append(code)

    qtbot.waitUntil(over, timeout=30_000)
    assert ended[-1] == 0
    assert shown == [1]
    server.stop()
    assert not show_other(root)


def test_a_socket_left_by_a_crash_is_taken_over(qtbot: QtBot, tmp_path: Path) -> None:
    import socket

    root = make_root(tmp_path, 1)
    name = Path(socket_name(root))
    name.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    left = socket.socket(socket.AF_UNIX)
    left.bind(str(name))
    left.close()
    assert not show_other(root)
    server = InstanceServer()
    assert server.serve(root)
    assert oct(name.stat().st_mode & 0o077) == "0o0"
    server.stop(root)
    assert not name.exists()


def test_a_folder_open_elsewhere_is_not_opened_twice(open_window: Opener, tmp_path: Path) -> None:
    root = make_root(tmp_path, 1)
    desk = open_window()
    asked: list[Path] = []

    def other_window(path: Path) -> bool:
        asked.append(path)
        return True

    desk.window.commands.show_other_window = other_window
    desk.window.commands.open_root(root)
    desk.settle()
    assert asked == [root]
    assert desk.window.roots.sessions == ()
    assert len(desk.messages.notices) == 1


def test_a_long_place_still_gives_a_name_a_socket_can_have(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = make_root(tmp_path, 1)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / ("x" * 90)))
    assert len(socket_name(root).encode()) <= 107
    assert single_instance.socket_name(root)


def test_chats_dragged_out_are_files_of_their_bytes(open_window: Opener, tmp_path: Path) -> None:
    root = make_root(tmp_path, 3)
    desk = open_window(root)
    drags: list[list[Path]] = []
    desk.window.drag._drag = drags.append  # type: ignore[method-assign]
    desk.choose("Chat0000", "Chat0002")
    desk.window.pane.list.drag_started.emit()
    desk.settle()
    assert len(drags) == 1
    mime: QMimeData = desk.window.drag.make_drag(drags[0]).mimeData()
    assert mime.hasFormat("text/uri-list")
    paths = local_paths(mime)
    assert sorted(path.read_bytes() for path in paths) == sorted(
        (root / name / "chat.json").read_bytes() for name in ("Chat0000", "Chat0002")
    )
    folder = paths[0].parent
    assert oct(folder.stat().st_mode & 0o077) == "0o0"
    desk.window.close()
    assert not folder.exists()


def test_what_the_window_needs_is_set_before_it_is_shown(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    app = application.make_application()
    assert app is qapp
    assert app.desktopFileName() == application.DESKTOP_ID
    assert not app.windowIcon().isNull()
    assert Settings().open_last_root


def test_what_nobody_catches_is_told_once_and_ends_nothing(open_window: Opener, tmp_path: Path) -> None:
    desk = open_window(make_root(tmp_path, 1))
    hook = application._hook(desk.window)
    hook(KeyError, KeyError("a secret of a chat"), None)
    assert [type(error) for error in desk.messages.errors] == [KeyError]
    assert desk.window.isVisible()
    hook(KeyboardInterrupt, KeyboardInterrupt(), None)
    desk.qtbot.waitUntil(lambda: not desk.window.isVisible())
