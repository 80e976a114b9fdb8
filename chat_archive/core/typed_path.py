"""Paths as people type, paste and drop them, and sentences about those that lead nowhere on this system."""

from __future__ import annotations

import re
import stat
import sys
from pathlib import Path, PureWindowsPath
from urllib.parse import unquote, urlsplit

from chat_archive.core.layout import CHAT_FILE_NAME

_WSL = re.compile(r"(?i)^[\\/]{2}wsl(\.localhost|\$)[\\/]")
_DRIVE = re.compile(r"^([A-Za-z]):[\\/]")


def is_wsl_share(text: str) -> bool:
    """Whether a path names a share of WSL, which is kept as it was typed."""
    return _WSL.match(text) is not None


def plain_path(text: str, system: str = sys.platform) -> str:
    """What a person typed, pasted or dropped, as a path: quotes and blanks around it gone, a `file:` URL decoded,
    `~` expanded, no slash at the end. A WSL share (`\\\\wsl.localhost\\...`) stays as it was typed."""
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        text = text[1:-1]
    if is_wsl_share(text):
        return text
    if text[:5].lower() == "file:":
        text = _from_url(text, system)
    if text.startswith("~"):
        text = _home(text)
    shorter = text.rstrip("/\\" if system == "win32" else "/")
    return shorter if shorter and not shorter.endswith(":") else text


def _home(text: str) -> str:
    try:
        return str(Path(text).expanduser())
    except RuntimeError:  # no such person, or no home
        return text


def _from_url(text: str, system: str) -> str:
    try:
        parts = urlsplit(text)
    except ValueError:  # no URL, but perhaps the name of a file
        return text
    path = unquote(parts.path, errors="surrogateescape")
    if parts.netloc not in ("", "localhost"):
        path = f"//{parts.netloc}{path}"
    elif re.match(r"/[A-Za-z]:", path):
        path = path[1:]
    return path.replace("/", "\\") if system == "win32" else path


def of_another_system(text: str, system: str) -> bool:
    """A path that would silently be taken for one on this machine's own drive."""
    if system == "win32":
        return text.startswith("/") and not text.startswith("//")
    return bool(_DRIVE.match(text) or is_wsl_share(text))


def explain_missing(text: str | Path, system: str = sys.platform) -> str:
    """Why `find_roots` found nothing for what was typed, and what to do: whole sentences that name it unchanged."""
    path = plain_path(text, system) if isinstance(text, str) else str(text)
    if not path:
        return "No folder was named."
    if is_wsl_share(path):
        return f"There is no folder {path} now. Is that WSL distribution running, and is its name spelled like this?"
    if re.match(r"/a0(/|$)", path) and (system == "win32" or not Path(path).exists()):
        return (
            f"{path} is a path inside Agent Zero's container, not on this computer. Choose the folder that is mounted "
            "there, or copy the chats out with “docker cp CONTAINER:/a0/usr/chats FOLDER”."
        )
    if system == "win32" and of_another_system(path, system):
        return (
            f"{path} is a path inside a container or of a guest system, not one of Windows. Choose the folder it "
            "stands for."
        )
    drive = _DRIVE.match(path)
    if drive and system != "win32":
        inside = "/".join(PureWindowsPath(path).parts[1:])
        return f"{path} is a path of Windows. In WSL the same folder is /mnt/{drive[1].lower()}/{inside}."
    return _explain_here(path)


def _explain_here(path: str) -> str:
    try:
        facts = Path(path).stat()
    except PermissionError:
        return f"{path} cannot be read by you. Ask for the rights to read it, or choose a copy of the chats."
    except (OSError, ValueError, RuntimeError):
        return f"There is no folder {path}."
    if not stat.S_ISDIR(facts.st_mode):
        return (
            f"{path} is not a chat and lies in no folder of chats. Choose a folder, or import the file into an archive."
        )
    return (
        f"No chats were found in {path} or below it. A chats folder holds one folder for each chat, with a "
        f"{CHAT_FILE_NAME} in it; it is usually called usr/chats."
    )
