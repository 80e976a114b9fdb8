#!/usr/bin/env python3
"""Run the crash harnesses against the program's own writing operations.

    harness.py [--whole] [--tools DIR] [--only TEXT]

Each line is one harness on one operation of ops.py. Short form: each call of a save, rename, trash, erase and import
is killed once, 20 random kills each, the states a power cut could leave, each call failing once. `--whole`: 200 random
kills with the recovery killed too, lasting faults, full disks, power cuts on ext4 and 500 races in each mode. Exit
status 0 when all held. A harness that cannot run counts as broken where this user is root and strace is there.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
OPS, CHECKS = HERE / "ops.py", HERE / "checks.py"
PRIVATE = "usr/chats/.chat-archive"
CANNOT_RUN = 77


@dataclass(frozen=True)
class Run:
    """One harness on one operation. `whole` runs are left out of the short form."""

    tool: str
    operation: str
    arguments: tuple[str, ...] = ()
    whole: bool = False

    @property
    def name(self) -> str:
        return " ".join((self.tool.removesuffix(".py"), self.operation, *self.arguments))


@dataclass(frozen=True)
class Subject:
    """How an operation is prepared and checked: `seed` names a way to prepare, `check` the function in checks.py."""

    config: dict[str, object]
    seed: str = "bare"
    check: str = ""


_BOTH = ["Chat0001", "Chat0002"]
_OUTBOX = [f"{PRIVATE}/outbox.jsonl"]
SUBJECTS = {
    "save": Subject({"renamed": {"Chat0001": "New name"}}),
    "save-new": Subject({"imported": {"Chat0009": "{base}/saved/Chat0009"}}),
    "rename": Subject({"renamed": {"Chat0001": "New name"}}),
    "trash": Subject({"trashed": _BOTH}),
    "restore": Subject({"trashed": _BOTH}, seed="trashed", check="restore"),
    "restore-as": Subject({}, seed="taken", check="restore_as"),
    "messages": Subject({}, check="messages"),
    "erase": Subject({"purged": ["Chat0001"], "outbox": _OUTBOX}),
    "delete": Subject({"purged": _BOTH, "outbox": _OUTBOX}, check="delete"),
    "empty": Subject({"purged": _BOTH, "outbox": _OUTBOX}, seed="trashed"),
    "import": Subject({"imported": {"Chat0009": "{base}/bare/incoming/Chat0009"}}),
}
FULL = {  # on a full disk the program has worked in this root before, so its reserve is there
    "trash": Subject({"trashed": _BOTH}, seed="used"),
    "erase": Subject({"purged": ["Chat0001"], "outbox": _OUTBOX}, seed="used"),
}
MAIN = ("save", "rename", "trash", "erase", "import")
OTHERS = ("save-new", "restore", "restore-as", "messages", "delete", "empty")


def runs(whole: bool) -> list[Run]:
    kills = ("-n", "200", "--kill-recovery") if whole else ("-n", "20", "--kill-recovery")
    found = [Run("kill_loop.py", op, kills) for op in MAIN]
    found += [Run("kill_loop.py", op, kills if whole else ("-n", "0")) for op in OTHERS]
    names = (*MAIN, *OTHERS) if whole else MAIN
    found += [Run("crash_states.py", op) for op in names]
    found += [Run("fault_sweep.py", op, () if whole else ("--once",)) for op in names]
    found += [Run("disk_full.py", "save"), Run("disk_full.py", "trash", ("--must-work",))]
    if whole:
        found += [
            Run("disk_full.py", op) for op in ("save-new", "rename", "import", "restore", "restore-as", "messages")
        ]
        found += [Run("disk_full.py", "erase", ("--must-work",)), Run("disk_full.py", "save", ("--no-mount",))]
        found += [Run("power_cut.py", op) for op in (*MAIN, *OTHERS)]
    else:
        found += [Run("power_cut.py", op, ("--ways", "held")) for op in ("save", "trash")]
    rounds = "500" if whole else "60"
    for mode in ("truncate", "replace"):
        found.append(Run("live_writer.py", "race", ("--mode", mode, "--rounds", rounds)))
        found.append(Run("live_writer.py", "race", ("--mode", mode, "--rounds", rounds, "--within", "0.006")))
    return found


class Lab:
    """Seeds and settings, made once below `base`."""

    def __init__(self, tools: Path, base: Path) -> None:
        self.tools = tools
        self.base = base
        self._made: set[str] = set()

    def seed(self, kind: str) -> Path:
        path = self.base / kind
        if kind in self._made:
            return path
        self._made.add(kind)
        if kind == "bare":
            self._ops("seed", path)
            (self.base / "saved" / "Chat0009").mkdir(parents=True)
            shutil.copy2(path / "incoming/Chat0009/chat.json", self.base / "saved/Chat0009/chat.json")
            return path
        shutil.copytree(self.seed("bare"), path)
        self._ops("trash-one" if kind == "taken" else "trash", path)
        if kind == "used":
            self._ops("restore", path)
        if kind == "taken":
            shutil.copytree(path / "usr/chats/Chat0002", path / "usr/chats/Chat0001")
        return path

    def _ops(self, operation: str, work: Path) -> None:
        subprocess.run([sys.executable, str(OPS), operation, str(work)], check=True, stdout=subprocess.DEVNULL)

    def run(self, run: Run) -> tuple[int, str]:
        """Exit status and output of one harness."""
        if run.tool == "live_writer.py":
            return self._race(run)
        subject = (
            FULL.get(run.operation, SUBJECTS[run.operation]) if run.tool == "disk_full.py" else SUBJECTS[run.operation]
        )
        seed = self.seed(subject.seed)
        config = json.loads(json.dumps(subject.config).replace("{base}", str(self.base)))
        # a chat that lies in the trash of the seed is checked against the seed before it was trashed
        pristine = self.seed("bare")
        config |= {
            "seed": str(pristine if subject.seed != "bare" else seed),
            "pristine": str(pristine),
            "tools": str(self.tools),
            "also": [f"{PRIVATE}/trash"],
            "private": [PRIVATE],
            "modes": True,
        }
        path = self.base / f"{run.operation}-{run.tool}.json"
        path.write_text(json.dumps(config))
        check = f"{CHECKS}:{subject.check}" if subject.check else f"{self.tools}/check_root.py:check"
        command = [sys.executable, str(self.tools / run.tool), "--seed", str(seed)]
        command += [
            "--cmd",
            f"{{python}} {OPS} {run.operation} {{work}}",
            "--recover",
            f"{{python}} {OPS} recover {{work}}",
        ]
        command += ["--check-py", check, "--tmp", str(self.base), *run.arguments]
        if run.tool == "kill_loop.py":
            function = f"run_{run.operation.replace('-', '_')}"
            command += ["--cmd-py", f"{OPS}:{function}", "--recover-py", f"{OPS}:run_recover"]
        return self._call(command, CHECK_CONFIG=str(path))

    def _race(self, run: Run) -> tuple[int, str]:
        chat = Path(tempfile.mkdtemp(dir=self.base)) / "usr" / "chats" / "Live0001"
        chat.mkdir(parents=True)
        command = [
            sys.executable,
            str(self.tools / run.tool),
            "race",
            str(chat),
            "--edit-py",
            f"{HERE / 'editor.py'}:edit",
        ]
        return self._call([*command, *run.arguments])

    @staticmethod
    def _call(command: list[str], **environment: str) -> tuple[int, str]:
        # the interpreter of the virtual environment, not the one it links to
        environment["PYTHONPATH"] = os.pathsep.join(p for p in sys.path if p)
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment}, check=False)
        return done.returncode, done.stdout + done.stderr


def cannot_be_excused() -> bool:
    """Where root, strace and mounts are there, a harness that cannot run is a broken one."""
    return hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("strace") is not None


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n", maxsplit=1)[0])
    parser.add_argument("--whole", action="store_true", help="the full list, before a change to writing is called done")
    parser.add_argument("--tools", type=Path, default=HERE.parents[2] / "shared" / "tools")
    parser.add_argument("--only", default="", help="only the lines that hold this text")
    options = parser.parse_args(argv)
    failed = 0
    with tempfile.TemporaryDirectory(prefix="harness-") as base:
        lab = Lab(options.tools, Path(base))
        for run in runs(options.whole):
            if options.only not in run.name:
                continue
            began = time.monotonic()
            status, output = lab.run(run)
            good = status == 0 or (status == CANNOT_RUN and not cannot_be_excused())
            failed += not good
            last = output.strip().splitlines()[-1:] or [""]
            print(
                f"{'ok' if good else 'FAILED':6} {time.monotonic() - began:7.1f} s  {run.name}: {last[0]}", flush=True
            )
            if not good:
                print(output[-3000:], flush=True)
    print(f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
