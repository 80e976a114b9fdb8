"""The case paths-of-another-system: roots given as a WSL share, a URL, a link, with blanks and umlauts."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from chat_archive.core.discover import explain_missing, find_roots

pytestmark = pytest.mark.shared


@pytest.fixture
def case(shared: Path, tmp_path: Path) -> Path:
    made = Path(shutil.copytree(shared / "cases" / "paths-of-another-system" / "input", tmp_path / "input"))
    (made / "Gäste Ordner" / "a0 link").symlink_to("a0")  # as setup.sh does
    return made


def test_the_plain_and_the_linked_path_find_one_root(case: Path) -> None:
    root = case / "Gäste Ordner" / "a0" / "usr" / "chats"
    plain, linked = case / "Gäste Ordner" / "a0", case / "Gäste Ordner" / "a0 link"
    for chosen in (plain, linked, case, str(plain) + "/", plain.as_uri(), linked.as_uri() + "/", f"'{linked}'"):
        assert [found.path for found in find_roots(chosen)] == [root], chosen


@pytest.mark.parametrize("share", [r"\\wsl.localhost\Debian\home\me\a0\usr\chats", r"\\wsl$\Debian\home\me"])
@pytest.mark.parametrize("system", ["linux", "win32"])
def test_a_wsl_share_is_kept_as_typed(share: str, system: str) -> None:
    assert find_roots(share, system=system) == []
    assert share in explain_missing(share, system)


@pytest.mark.parametrize("typed", ["/a0/usr/chats", "/a0/usr/chats/", "/a0"])
def test_a_path_of_the_container_typed_on_windows_says_what_it_is(typed: str) -> None:
    assert find_roots(typed, system="win32") == []
    assert "inside Agent Zero's container" in explain_missing(typed, "win32")


def test_a_drive_letter_typed_elsewhere_says_what_it_is() -> None:
    assert find_roots("c:\\agent-zero-data", system="linux") == []
    assert "/mnt/c/agent-zero-data" in explain_missing("c:\\agent-zero-data", "linux")
