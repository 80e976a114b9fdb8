"""One room does all writing (W1): elsewhere nothing is opened for writing, renamed, removed or walked blindly."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "chat_archive"
ROOM = PACKAGE / "core" / "files"

# functions of os and shutil that change a disk, or that skip errors (os.walk)
OS = {
    "chmod", "chown", "fchmod", "fchown", "ftruncate", "lchown", "link", "makedirs", "mkdir", "mkfifo", "mknod",
    "remove", "removedirs", "rename", "renames", "replace", "rmdir", "symlink", "truncate", "unlink", "utime", "walk",
    "fwalk", "write", "pwrite", "writev",
}  # fmt: skip
SHUTIL = {
    "copy",
    "copy2",
    "copyfile",
    "copymode",
    "copystat",
    "copytree",
    "move",
    "rmtree",
    "make_archive",
    "unpack_archive",
}
# methods of Path, of QFile and the like, by name: rename and replace are left out here, since text has them too
METHODS = {
    "write_bytes",
    "write_text",
    "touch",
    "symlink_to",
    "hardlink_to",
    "rmdir",
    "unlink",
    "mkdir",
    "chmod",
    "walk",
}
NO_PATHS = {"changes"}  # the window's commands: they rename a chat through the core
MODULES = {"tempfile", "fileinput"}
WRITERS = {"QSaveFile", "QTemporaryFile", "QTemporaryDir"}


def violations(path: Path) -> list[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found: list[str] = []
    for node in ast.walk(tree):
        why = ""
        if isinstance(node, ast.Call):
            why = _call(node)
        elif isinstance(node, ast.Import):
            why = next((a.name for a in node.names if a.name.partition(".")[0] in MODULES), "")
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names = {a.name for a in node.names}
            if (
                node.module in MODULES
                or (node.module == "os" and names & OS)
                or (node.module == "shutil" and names & SHUTIL)
            ):
                why = f"from {node.module}"
            why = why or next((name for name in names if name in WRITERS), "")
        if why:
            found.append(f"{path.relative_to(PACKAGE)}:{node.lineno}: {why}")
    return found


def _call(node: ast.Call) -> str:
    function = node.func
    if isinstance(function, ast.Name) and function.id == "open":
        return _opened(node, 1)
    if not isinstance(function, ast.Attribute):
        return ""
    owner = function.value.id if isinstance(function.value, ast.Name) else ""
    name = function.attr
    if owner == "os":
        if name == "open":
            flags = ast.unparse(node.args[1]) if len(node.args) > 1 else ""
            if ast.unparse(node.args[0]) == "os.devnull":
                return ""
            return (
                f"os.open({flags})" if any(f in flags for f in ("WRONLY", "RDWR", "CREAT", "TRUNC", "APPEND")) else ""
            )
        return f"os.{name}" if name in OS else ""
    if owner == "shutil":
        return f"shutil.{name}" if name in SHUTIL else ""
    if name == "open" and owner not in {"webbrowser", "Image"}:
        return _opened(node, 0)
    receiver = ast.unparse(function.value).rpartition(".")[2]
    if name in {"rename", "replace"} and len(node.args) == 1 and not node.keywords and receiver not in NO_PATHS:
        # a Path is renamed with one argument, a text replaced with two; `rename` of an operation has more
        return f".{name}(one argument)"
    return f".{name}" if name in METHODS else ""


def _opened(node: ast.Call, place: int) -> str:
    mode = (
        node.args[place] if len(node.args) > place else next((k.value for k in node.keywords if k.arg == "mode"), None)
    )
    if isinstance(mode, ast.Constant) and isinstance(mode.value, str) and set(mode.value) & set("wax+"):
        return f"open(mode={mode.value!r})"
    return ""


def test_nothing_outside_the_room_changes_a_disk() -> None:
    outside = [path for path in sorted(PACKAGE.rglob("*.py")) if ROOM not in path.parents]
    assert len(outside) > 20
    assert [line for path in outside for line in violations(path)] == []


@pytest.mark.parametrize(
    "planted",
    [
        "open('f', 'w')",
        "open('f', mode='a')",
        "path.open('wb')",
        "os.open(p, os.O_RDWR | os.O_CREAT)",
        "os.replace(a, b)",
        "os.walk(p)",
        "shutil.move(a, b)",
        "shutil.rmtree(p, ignore_errors=True)",
        "path.write_text('x')",
        "path.unlink()",
        "path.rename(other)",
        "Path(a).replace(b)",
        "path.mkdir(parents=True)",
        "import tempfile",
        "from os import replace",
        "from PySide6.QtCore import QSaveFile",
    ],
)
def test_a_planted_write_is_seen(tmp_path: Path, planted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "planted.py"
    path.write_text(planted)
    monkeypatch.setattr(sys.modules[__name__], "PACKAGE", tmp_path)
    assert len(violations(path)) == 1
