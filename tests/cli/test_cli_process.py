"""The command as a process: no Qt, any locale, any reader of its output."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from chat_archive import __version__
from chat_archive.cli import commands
from chat_archive.cli.parser import COMMANDS, parse
from tests.builders import chat, make_root, put
from tests.cli.conftest import Run

COMMAND = [sys.executable, "-m", "chat_archive"]


def process(*words: object, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COMMAND, *map(str, words)],
        capture_output=True,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        check=False,
        timeout=60,
    )


def test_no_command_loads_qt(root: Path, tmp_path: Path) -> None:
    code = (
        "import sys; from chat_archive.__main__ import main\n"
        f"for words in (['list', {str(root)!r}], ['show', {str(root)!r}, 'Chat0001'], ['check', {str(root)!r}],\n"
        f"              ['rename', {str(root)!r}, 'Chat0001', 'x'], ['delete', {str(root)!r}, 'Chat0001', '--yes'],\n"
        f"              ['export', {str(root)!r}, '--to', {str(tmp_path)!r}]):\n"
        "    assert main(words) == 0, words\n"
        "loaded = [name for name in sys.modules if name.startswith(('PySide6', 'shiboken6', 'chat_archive.ui'))]\n"
        "assert not loaded, loaded\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr.decode()


@pytest.mark.parametrize("locale", ["C", "POSIX", "en_US.ISO-8859-1"])
def test_output_is_utf8_in_every_locale(tmp_path: Path, locale: str) -> None:
    root = tmp_path / "usr" / "chats"
    put(root, "Chinese1", chat("Chinese1", "验潮仪数据 😀 \ud83d"))
    done = process("list", root, LC_ALL=locale, PYTHONIOENCODING="ascii", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert done.returncode == 0
    assert "验潮仪数据 😀" in done.stdout.decode("utf-8")
    assert process("list", root, "--json", LC_ALL=locale, PYTHONUTF8="0").stdout.decode("utf-8")


@pytest.mark.skipif(os.name == "nt", reason="a shell's closed descriptors")
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_streams_that_are_closed_are_no_fault(tmp_path: Path, closed: str) -> None:
    root = make_root(tmp_path)
    shell = f'exec "$0" -m chat_archive "$@" {closed}'
    for number, (words, status) in enumerate(
        [(["list", root], 0), (["show", root, "nosuch"], 1), (["rename", root, "Chat0001", "Closed"], 0)]
    ):
        done = subprocess.run(
            ["sh", "-c", shell, sys.executable, *map(str, words)], capture_output=True, check=False, timeout=60
        )
        assert done.returncode == status, (number, done)
        assert b"Traceback" not in done.stderr
    assert b'"name": "Closed"' in (root / "Chat0001" / "chat.json").read_bytes()
    assert (root / ".chat-archive" / "journal.jsonl").read_bytes().count(b"\n") == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_disk_under_stderr_changes_no_result(tmp_path: Path) -> None:
    root = make_root(tmp_path)
    with open("/dev/full", "wb") as full:
        done = subprocess.run([*COMMAND, "show", str(root), "nosuch"], stderr=full, check=False, timeout=60)
    assert done.returncode in (1, 120)  # 120: the interpreter could not write its own last words


def test_json_holds_nothing_that_drives_a_terminal(tmp_path: Path) -> None:
    root = tmp_path / "usr" / "chats"
    name = "a\x9b31m\x1b[1m\u202eb\u2066"
    put(root, "Control1", chat("Control1", name, words=(name, name)))
    for words in (["list", root, "--json"], ["show", root, "Control1", "--format", "json"]):
        said = process(*words).stdout.decode("utf-8")
        assert not set(said) & set("\x9b\x1b\u202e\u2066")
    assert json.loads(process("list", root, "--json").stdout)["chats"][0]["name"] == name


def test_a_reader_that_goes_away_is_no_fault(tmp_path: Path) -> None:
    root = make_root(tmp_path, 200)
    running = subprocess.Popen([*COMMAND, "list", str(root)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert running.stdout is not None
    running.stdout.close()
    _, said = running.communicate(timeout=60)
    assert said == b""
    assert running.returncode == 0


def test_a_full_disk_behind_stdout_is_one_sentence(root: Path) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no /dev/full")
    with full.open("wb") as sink:
        done = subprocess.run(
            [*COMMAND, "list", str(root)], stdout=sink, stderr=subprocess.PIPE, check=False, timeout=60
        )
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr
    assert done.stderr.count(b"\n") == 1
    assert b"could not be written" in done.stderr


def test_version_and_help_end_well(run: Run) -> None:
    assert run("--version").out == f"Chat Archive {__version__}\n"
    said = run("--help")
    assert said.status == 0
    assert all(command in said.out for command in COMMANDS)


@pytest.mark.parametrize(
    "words",
    [
        ("list",),
        ("list", "ROOT", "--colour"),
        ("delete", "ROOT", "ID", "--tasks", "burn"),
        ("delete", "ROOT", "ID", "--for"),
        ("delete", "ROOT", "ID", "--provider-responses", "burn"),
        ("export", "ROOT", "ID"),
        ("export", "ROOT", "ID", "--to", "x", "--format", "pdf"),
        ("show", "ROOT"),
        ("trash", "ROOT"),
        ("trash", "ROOT", "burn"),
    ],
)
def test_wrong_use_is_status_2_and_options_that_do_nothing_do_not_exist(run: Run, words: tuple[str, ...]) -> None:
    said = run(*words)
    assert said.status == 2
    assert said.out == ""


@pytest.mark.parametrize(
    ("words", "root", "sample", "quit_when_shown"),
    [
        ([], None, False, False),
        (["/srv/chats"], "/srv/chats", False, False),
        (["gui", "/srv/chats"], "/srv/chats", False, False),
        (["--sample"], None, True, False),
        (["gui", "--sample", "--quit-when-shown"], None, True, True),
        (["--debug", "/srv/chats"], "/srv/chats", False, False),
    ],
)
def test_without_a_command_it_is_the_window(
    words: list[str], root: str | None, sample: bool, quit_when_shown: bool
) -> None:
    found = parse(words)
    assert (found.command, found.root, found.sample, found.quit_when_shown) == ("gui", root, sample, quit_when_shown)


def test_without_a_screen_it_says_so_and_ends_with_3(tmp_path: Path) -> None:
    done = process("gui", tmp_path, DISPLAY="", WAYLAND_DISPLAY="", QT_QPA_PLATFORM="")
    assert done.returncode == 3
    assert b"no screen" in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_fault_of_ours_is_one_line_without_text_of_a_chat(
    run: Run, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> int:
        raise KeyError("words of a chat")

    monkeypatch.setitem(commands._COMMANDS, "list", broken)
    said = run("list", root)
    assert said.status == 1
    assert said.err.count("\n") == 1
    assert "words of a chat" not in said.err
