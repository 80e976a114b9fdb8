"""The program's writing operations under kills, power cuts, failing calls, full disks and a host that saves."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.harness.harness import CANNOT_RUN, Lab, Run, cannot_be_excused, runs

SHORT = runs(whole=False)
WHOLE = [run for run in runs(whole=True) if run not in SHORT]


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    from tests.conftest import SHARED

    return Lab(SHARED / "tools", tmp_path_factory.mktemp("harness"))


def check(lab: Lab, run: Run) -> None:
    status, output = lab.run(run)
    if status == CANNOT_RUN and not cannot_be_excused():
        pytest.skip(output.strip().splitlines()[-1])
    assert status == 0, output[-4000:]
    if run.tool != "live_writer.py":
        assert " 0 failed" in output


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.skipif(sys.platform == "win32", reason="the harnesses speak POSIX")
@pytest.mark.parametrize("run", SHORT, ids=[run.name for run in SHORT])
def test_short_form(lab: Lab, run: Run) -> None:
    check(lab, run)


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.skipif(sys.platform == "win32", reason="the harnesses speak POSIX")
@pytest.mark.parametrize("run", WHOLE, ids=[run.name for run in WHOLE])
def test_whole_form(lab: Lab, run: Run, request: pytest.FixtureRequest) -> None:
    if not request.config.getoption("--whole"):
        pytest.skip("runs with --whole")
    check(lab, run)


def test_the_lists_hold_each_operation_that_writes() -> None:
    from tests.harness.ops import OPERATIONS

    operations = set(OPERATIONS) - {"recover", "trash-one"}
    for tool in ("kill_loop.py", "crash_states.py", "fault_sweep.py", "power_cut.py"):
        assert {run.operation for run in runs(whole=True) if run.tool == tool} == operations
    assert all("200" in run.arguments for run in runs(whole=True) if run.tool == "kill_loop.py")


@pytest.mark.shared
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_the_checks_catch_a_planted_loss(tmp_path: Path, shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A check that no planted fault breaks checks nothing."""
    import json
    import shutil

    from tests.harness import checks, ops

    ops.seed(tmp_path / "seed")
    config = {"seed": str(tmp_path / "seed"), "pristine": str(tmp_path / "seed"), "tools": str(shared / "tools")}
    config_path = tmp_path / "config.json"
    config_path.write_text(json.dumps(config | {"trashed": ["Chat0001"], "also": [f"{checks.PRIVATE}/trash"]}))
    monkeypatch.setenv("CHECK_CONFIG", str(config_path))
    work = tmp_path / "work"
    shutil.copytree(tmp_path / "seed", work)
    assert checks.restore(str(work), True, 0) == []
    (work / "usr/chats/Chat0001/messages/1.txt").unlink()
    assert checks.restore(str(work), True, 0) != []
    assert checks.messages(str(work), False, -9) != []
    assert checks.restore_as(str(work), False, -9) != []
