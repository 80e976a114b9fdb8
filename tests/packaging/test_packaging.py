"""What comes with the program: the two commands, the sample, the icons, the desktop files, the words of the README."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from chat_archive import __version__
from chat_archive.__main__ import main
from chat_archive.core.archive import Archive
from chat_archive.core.entities import ChatState

REPOSITORY = Path(__file__).resolve().parents[2]
RESOURCES = REPOSITORY / "resources"
SAMPLE = RESOURCES / "sample"
LINUX = REPOSITORY / "packaging" / "linux"
README = (REPOSITORY / "README.md").read_text(encoding="utf-8")
ID = "org.chatarchive.ChatArchive"


def block_after(mark: str) -> list[str]:
    """The lines of the code block after a mark of the README."""
    found = re.search(rf"<!-- {mark} -->\n```sh\n(.*?)```", README, re.DOTALL)
    assert found, f"the README has no block {mark}"
    return found[1].splitlines()


def test_the_readme_names_exactly_two_commands_and_they_are_there() -> None:
    for mark in ("command one", "command two"):
        (line,) = block_after(mark)
        words = shlex.split(line)
        assert words[0] == "sh"
        assert (REPOSITORY / words[1]).is_file()


def test_ci_takes_the_two_commands_from_the_readme_itself() -> None:
    script = (REPOSITORY / ".ci" / "run").read_text()
    for mark in ("command one", "command two"):
        (line,) = block_after(mark)
        assert not re.search(re.escape(line) + r"(?![-\w])", script), "a copy could drift"
    taker = re.search(r"^readme_command\(\) \{.*?^\}", script, re.DOTALL | re.MULTILINE)
    assert taker
    for number in ("one", "two"):
        done = subprocess.run(
            ["bash", "-c", f"{taker[0]}\nreadme_command {number}"],
            cwd=REPOSITORY,
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.splitlines() == block_after(f"command {number}")
    assert script.rstrip().endswith('bash -c "$second" </dev/null'), "pytest's summary comes last"


@pytest.mark.parametrize(
    "script", ["packaging/start", "packaging/test", "packaging/check-wheel", "packaging/test-core"]
)
def test_the_scripts_are_understood_by_a_plain_shell(script: str) -> None:
    shell = shutil.which("dash") or "/bin/sh"
    subprocess.run([shell, "-n", str(REPOSITORY / script)], check=True)


def test_every_command_line_of_the_readme_works(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(SAMPLE, tmp_path / "archive")
    root = tmp_path / "archive" / "usr" / "chats"
    for path in root.rglob("chat.json"):
        os.utime(path, (1_780_000_000, 1_780_000_000))
    out = tmp_path / "out"
    out.mkdir()
    for line in block_after("commands"):
        words = shlex.split(line.replace("ROOT", str(root)).replace("OUT", str(out)))
        assert words[0] == "chat-archive"
        status = main(words[1:])
        assert status == 0, f"{line}: {capsys.readouterr().err}"
        capsys.readouterr()


def test_the_readme_shows_a_real_picture() -> None:
    names = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", README)
    assert names
    for name in names:
        assert (REPOSITORY / name).read_bytes().startswith(b"\x89PNG")


def texts_of_the_project() -> Iterator[Path]:
    """Every text file of the checkout that is ours, whether or not git is installed."""
    made_here = {".git", ".venv", ".hypothesis", "build", "dist", "node_modules", "__pycache__", "shots"}
    for folder, folders, names in os.walk(REPOSITORY):
        folders[:] = [name for name in folders if name not in made_here and not name.endswith("_cache")]
        for name in names:
            path = Path(folder, name)
            if name in made_here:  # in a work tree beside the checkout .git is a file
                continue
            if path.suffix not in (".png", ".qm", ".pyc") and "data" not in path.parts and not path.is_symlink():
                yield path


def test_nothing_here_names_a_machine_or_a_registry() -> None:
    # put together here, so that this file does not hold them either
    words = ["py" + r"pi\.org", "python" + "hosted", r"(?<![\w/])/" + "work/", "/" + "home/[a-z]+/src"]
    forbidden = re.compile("|".join(words))
    for path in texts_of_the_project():
        found = forbidden.search(path.read_text(encoding="utf-8", errors="replace"))
        assert found is None, f"{path}: {found}"


def test_the_sample_is_what_its_script_makes(tmp_path: Path) -> None:
    made = tmp_path / "sample"
    subprocess.run([sys.executable, str(REPOSITORY / "packaging" / "make_sample.py"), str(made)], check=True)

    def content(folder: Path) -> dict[str, bytes]:
        return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    assert content(made) == content(SAMPLE)
    assert sum(len(data) for data in content(SAMPLE).values()) < 150_000


def test_the_sample_shows_every_kind_of_chat(tmp_path: Path) -> None:
    shutil.copytree(SAMPLE, tmp_path / "archive")
    with Archive.open(tmp_path / "archive" / "usr" / "chats", write=False) as archive:
        rows = {row.folder: row for row in archive.scan()}
        assert [agent.profile for agent in rows["Tide4Gau"].agents] == ["agent0", "developer", "researcher"]
        assert [row.folder for row in rows.values() if row.state is ChatState.DAMAGED] == ["Cut0ffXy"]
        assert "task" in rows["Wk7Water"].flags
        assert "child" in rows["Radar2Ch"].flags
        assert any("验" in row.title for row in rows.values())
        assert {row.project for row in rows.values()} >= {"harbour", "garden"}
        assert not rows["Bread70x"].title_given
        kinds = {file.kind for file in archive.files(rows["PlumPic3"].folder) if not file.missing}
        assert {"message", "image", "screenshot"} <= kinds
        assert not [file for file in archive.files(rows["PlumPic3"].folder) if file.missing]
        context = archive.load(rows["Tide4Gau"].folder)
        cut = next(item for item in context.log.items if "Characters hidden" in item.content)
        whole = next(message for message in context.agents[0].history.messages() if message.id == cut.id)
        assert len(cut.content) == 15_000
        assert len(whole.text()) > 15_000


def test_the_sound_sample_chats_are_what_agent_zero_writes() -> None:
    keys = [
        *("id", "name", "created_at", "type", "last_message", "agents", "streaming_agent", "agent_profile", "log"),
        *("data", "output_data"),
    ]
    for path in SAMPLE.glob("usr/chats/????????/chat.json"):
        if path.parent.name == "Cut0ffXy":
            continue
        text = path.read_text(encoding="utf-8")
        made = json.loads(text)
        assert list(made) == keys
        assert made["id"] == path.parent.name
        assert json.dumps(made, ensure_ascii=False) == text
        for agent in made["agents"]:
            assert set(json.loads(agent["history"])) == {"_cls", "counter", "bulks", "topics", "current"}


def test_every_icon_is_of_one_family() -> None:
    icons = sorted((RESOURCES / "icons").glob("*.svg"))
    assert len(icons) > 50
    for path in icons:
        drawing = ElementTree.fromstring(path.read_text())
        assert drawing.get("viewBox") == "0 0 20 20", path.name
        assert drawing.get("stroke") == "currentColor", path.name
        assert drawing.get("stroke-width") == "1.5", path.name
        assert len(drawing), path.name


def test_desktop_entry_and_appstream_data_fit_the_program() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]
    entry = (LINUX / f"{ID}.desktop").read_text(encoding="utf-8")
    command = re.search(r"^Exec=(\S+)", entry, re.MULTILINE)
    assert command
    assert command[1] in project["gui-scripts"]
    assert f"Icon={ID}\n" in entry
    data = ElementTree.parse(LINUX / f"{ID}.metainfo.xml").getroot()
    assert data.findtext("id") == ID
    assert data.findtext("launchable") == f"{ID}.desktop"
    releases = [release.get("version") for release in data.iter("release")]
    assert releases[0] == __version__
    assert f"## {__version__}" in (REPOSITORY / "CHANGELOG.md").read_text()
    application = (REPOSITORY / "chat_archive" / "ui" / "application.py").read_text()
    assert f'DESKTOP_ID = "{ID}"' in application


@pytest.mark.parametrize(
    ("tool", "words"),
    [("desktop-file-validate", [f"{ID}.desktop"]), ("appstreamcli", ["validate", "--no-net", f"{ID}.metainfo.xml"])],
)
def test_the_desktop_files_are_valid(tool: str, words: list[str]) -> None:
    if shutil.which(tool) is None:
        pytest.skip(f"{tool} is not installed")
    done = subprocess.run([tool, *words], cwd=LINUX, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_desktop_files_can_be_put_in_place(tmp_path: Path) -> None:
    subprocess.run(["sh", str(LINUX / "install-desktop"), str(tmp_path)], check=True)
    names = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert names == {
        f"share/applications/{ID}.desktop",
        f"share/metainfo/{ID}.metainfo.xml",
        f"share/icons/hicolor/scalable/apps/{ID}.svg",
        f"share/icons/hicolor/256x256/apps/{ID}.png",
    }


def test_qt_is_held_below_the_version_that_loses_references() -> None:
    dependencies = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]["dependencies"]
    qt = next(line for line in dependencies if line.startswith("PySide6"))
    assert "<6.12" in qt
