"""For every test: its own home, settings and cache folders, no leftovers in the log. Imports no Qt."""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
SHARED = Path(os.environ.get("CHAT_ARCHIVE_SHARED") or HERE.parent.parent / "shared")
_LEFT_OUT = pytest.StashKey[int]()
_HOME_VARIABLES = {
    "HOME": "",
    "XDG_DATA_HOME": ".local/share",
    "XDG_CONFIG_HOME": ".config",
    "XDG_CACHE_HOME": ".cache",
    "XDG_STATE_HOME": ".local/state",
    "XDG_RUNTIME_DIR": "run",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--whole", action="store_true", help="run the slow tests in their whole length")


def shared_is_there() -> bool:
    """Whether the handed files can be used."""
    return (SHARED / "chats").is_dir()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Without the handed files, the tests that need them are left out, and that is said with their number."""
    if shared_is_there():
        return
    needing = [item for item in items if item.get_closest_marker("shared") is not None]
    if needing:
        config.stash[_LEFT_OUT] = len(needing)
        config.hook.pytest_deselected(items=needing)
        items[:] = [item for item in items if item.get_closest_marker("shared") is None]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    left_out = config.stash.get(_LEFT_OUT, 0)
    if left_out:
        terminalreporter.write_line(
            f"{left_out} tests left out: the shared files are not there (CHAT_ARCHIVE_SHARED, default ../shared)",
            yellow=True,
        )


@pytest.fixture
def shared() -> Path:
    """The handed files; look only."""
    if not shared_is_there():
        pytest.skip("the shared files are not there")
    return SHARED


@pytest.fixture
def reachable() -> Iterator[Path]:
    """A folder that other users reach too: pytest keeps its own closed, and closes them again at each start."""
    with tempfile.TemporaryDirectory(prefix="reachable-", ignore_cleanup_errors=True) as base:
        Path(base).chmod(0o755)
        yield Path(base)


@pytest.fixture
def whole(request: pytest.FixtureRequest) -> bool:
    """Whether slow tests run in their whole length (`--whole`)."""
    return bool(request.config.getoption("--whole"))


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test reads or writes the settings, the cache or the trash of whoever runs it."""
    home = tmp_path_factory.mktemp("home")
    for name, below in _HOME_VARIABLES.items():
        folder = home / below
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        monkeypatch.setenv(name, str(folder))
    for name in ("CHAT_ARCHIVE_ROOT", "CHAT_ARCHIVE_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    return home


@pytest.fixture(autouse=True)
def no_unexpected_log(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """A warning nobody asked for is a fault; a test that expects one calls `caplog.clear()`."""
    caplog.set_level(logging.WARNING)
    yield
    said = [
        record.getMessage()
        for record in caplog.get_records("call")
        if record.levelno >= logging.WARNING and record.name.startswith("chat_archive")
    ]
    assert not said, f"unexpected log lines: {said}"
