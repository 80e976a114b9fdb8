"""The set-up scripts on systems that lack something, played with commands of our own."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """A folder of programs that stands first in PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    return folder


def give(folder: Path, name: str, text: str) -> None:
    """A program of this name that runs these lines of shell."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def set_up(programs: Path, lines: str) -> subprocess.CompletedProcess[str]:
    """Run lines of shell after reading the set-up functions."""
    return subprocess.run(
        ["sh", "-euc", f". {REPOSITORY}/packaging/set-up.sh\n{lines}"],
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"},
        check=False,
        timeout=60,
    )


EVERYTHING = "\n".join(
    f"\t{name} (libc6,x86-64) => /lib/{name}"
    for name in (
        *("libEGL.so.1", "libGL.so.1", "libxkbcommon.so.0", "libfontconfig.so.1", "libdbus-1.so.3"),
        *("libglib-2.0.so.0", "libX11-xcb.so.1", "libxcb-cursor.so.0", "libxcb-icccm.so.4", "libxcb-image.so.0"),
        *("libxcb-keysyms.so.1", "libxcb-randr.so.0", "libxcb-render-util.so.0", "libxcb-shape.so.0"),
        *("libxcb-xkb.so.1", "libxkbcommon-x11.so.0", "libwayland-cursor.so.0", "libwayland-egl.so.1"),
    )
)


def test_a_complete_system_misses_nothing(programs: Path) -> None:
    give(programs, "ldconfig", f"cat <<'END'\n{EVERYTHING}\nEND")
    done = set_up(programs, 'missing_libraries "$QT_LIBRARIES" "$X11_LIBRARIES"')
    assert (done.returncode, done.stdout) == (0, "")


def test_each_missing_library_is_named_by_its_package(programs: Path) -> None:
    lacking = EVERYTHING.replace("libEGL.so.1 ", "libEGL.so.0 ").replace("libxcb-cursor.so.0 ", "libother.so.0 ")
    give(programs, "ldconfig", f"cat <<'END'\n{lacking}\nEND")
    done = set_up(programs, 'missing_libraries "$QT_LIBRARIES" "$X11_LIBRARIES"')
    assert done.stdout.split() == ["libegl1", "libxcb-cursor0"]


def test_without_being_root_the_exact_line_is_printed_and_nothing_is_installed(programs: Path) -> None:
    give(programs, "id", "echo 1000")
    give(programs, "apt-get", "echo CALLED")
    done = set_up(programs, 'install_packages "libegl1 libgl1 " "fonts-noto-cjk "; echo went on')
    assert done.returncode == 1
    assert "sudo apt-get install --no-install-recommends libegl1 libgl1 fonts-noto-cjk" in done.stderr
    assert done.stdout == ""


def test_without_being_root_missing_fonts_alone_stop_nothing(programs: Path) -> None:
    give(programs, "id", "echo 1000")
    give(programs, "apt-get", "echo CALLED")
    done = set_up(programs, 'install_packages "" "fonts-noto-cjk "; echo went on')
    assert done.stdout == "went on\n"
    assert "fonts-noto-cjk" in done.stderr


def test_root_gets_what_is_missing_installed(programs: Path, tmp_path: Path) -> None:
    give(programs, "id", "echo 0")
    give(programs, "apt-get", f'echo "$@" >>{tmp_path}/called')
    done = set_up(programs, 'install_packages "libegl1 " "fonts-noto-cjk "; echo went on')
    assert done.stdout == "went on\n"
    called = (tmp_path / "called").read_text().splitlines()
    assert called[-1].split()[-2:] == ["libegl1", "fonts-noto-cjk"]
    assert "--no-install-recommends" in called[-1]


def test_an_old_python_is_not_taken(programs: Path) -> None:
    for name in ("python3.11", "python3.12", "python3.13", "python3", "python"):
        give(programs, name, "exit 1")
    done = set_up(programs, "make_environment ''")
    assert done.returncode == 1
    assert "Python 3.11 or newer" in done.stderr


def test_a_python_without_venv_names_the_package_of_debian(programs: Path) -> None:
    give(programs, "python3.11", 'case "$2" in *ensurepip*) exit 1;; esac')
    assert set_up(programs, "missing_python").stdout.split() == ["python3-venv"]
