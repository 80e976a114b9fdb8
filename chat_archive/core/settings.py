"""What a person chose, kept in one small JSON file in the configuration folder.

A value that makes no sense becomes its default and a log line; keys of a newer version are kept; a file that cannot
be read as settings is set aside beside the new one, never deleted (`safety.md` L3). Where windows stand is no choice
and is kept elsewhere.
"""

from __future__ import annotations

import json
import logging
import math
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo

import platformdirs

from chat_archive.core import files
from chat_archive.core.errors import ArchiveError

_log = logging.getLogger(__name__)

APPLICATION = "chat-archive"
FILE_NAME = "settings.json"
VERSION = 1
RECENT = 10
LARGEST = 1_000_000  # bytes; a file beyond this is none of ours
SMALLEST_SCALE, LARGEST_SCALE = 0.75, 2.5

_ZONE = re.compile(r"[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*")


@dataclass(slots=True)
class Settings:
    """Every choice with its default. `extra` holds keys this version does not know, `notices` what loading did:
    sentences to show once, never saved."""

    version: int = VERSION
    zone: str = ""  # IANA name for dates without an offset and for showing dates; "" is the system's zone
    theme: str = "system"  # "system", "light" or "dark"
    text_scale: float = 1.0
    last_root: str = ""
    recent_roots: list[str] = field(default_factory=list)  # newest first
    open_last_root: bool = True
    export_folder: str = ""  # where the last export went
    export_strict: bool = False
    import_conflict: str = "skip"  # "skip", "update" or "keep-both"
    confirm_trash: bool = True
    trash_days: int = 30  # 0 keeps trashed chats until the trash is emptied
    provider_bases: list[str] = field(default_factory=list)  # PROVIDER=URL each: where responses may be deleted (P5)
    provider_env_files: dict[str, bool] = field(default_factory=dict)  # root -> may its .env be read
    provider_in_flight: int = 2  # requests to a provider at a time
    trash_megabytes: int = 0  # beyond this the oldest trashed chats are due; 0 sets no limit
    delete_for_good: bool = False  # what the last deletion chose: the trash, or for good
    provider_responses: str = "delete"  # "delete" or "keep" what is stored at the model provider
    task_choice: str = "keep"  # "keep" or "remove" scheduled tasks bound to a deleted chat
    cascade_when: str = "erasing"  # "erasing" (emptying, deleting for good) or "trashing"
    extra: dict[str, object] = field(default_factory=dict)
    notices: tuple[str, ...] = ()

    def tzinfo(self) -> tzinfo | None:
        """The chosen zone, None for the system's, or when this system has no zone of that name."""
        if not self.zone:
            return None
        try:
            return ZoneInfo(self.zone)
        except (OSError, ValueError, KeyError):  # ZoneInfoNotFoundError is a KeyError
            _log.warning("settings: this system knows no such time zone; using its own")
            return None

    def remember_root(self, root: Path | str) -> None:
        """Make `root` the last one opened and the first of the recent ones."""
        path = str(root)
        self.last_root = path
        self.recent_roots = [path, *(other for other in self.recent_roots if other != path)][:RECENT]


def config_folder() -> Path:
    """Where settings are: `CHAT_ARCHIVE_CONFIG`, else the system's place for configuration. Not made by asking."""
    chosen = os.environ.get("CHAT_ARCHIVE_CONFIG", "")
    return Path(chosen) if chosen else platformdirs.user_config_path(APPLICATION, appauthor=False)


def data_folder() -> Path:
    """Where the copy of the sample archive is put: the system's place for a program's data. Not made by asking."""
    return platformdirs.user_data_path(APPLICATION, appauthor=False)


def settings_path() -> Path:
    return config_folder() / FILE_NAME


def load(path: Path | None = None) -> Settings:
    """The saved settings, or defaults. Never raises; `notices` says what could not be used."""
    path = path or settings_path()
    try:
        raw = _read(path)
    except FileNotFoundError:
        return Settings()
    except OSError as error:
        _log.warning("settings: cannot be read (%s); using defaults", type(error).__name__)
        return Settings(notices=(f"The settings at {path} cannot be read, so the defaults are used.",))
    except (TypeError, ValueError, RecursionError):
        return _set_aside(path)
    return _from_raw(_upgraded(raw))


def save(settings: Settings, path: Path | None = None) -> None:
    """Write all settings, replacing the file whole. Raises `StorageError` when that is impossible."""
    path = path or settings_path()
    raw: dict[str, object] = {name: getattr(settings, name) for name in _CHECKS}
    raw = {"version": max(settings.version, VERSION), **raw, **settings.extra}
    text = json.dumps(raw, ensure_ascii=False, indent=2) + "\n"
    files.make_folders(path.parent)
    # a folder or file that a person keeps elsewhere behind a link stays a link
    target = path.resolve()
    files.replace_atomic(target, text.encode("utf-8", "replace"), target.parent)


def _read(path: Path) -> dict[str, object]:
    """The object in the file. Raises OSError, and TypeError or ValueError when there is none."""
    if not path.is_file():
        raise FileNotFoundError(path)
    with path.open("rb") as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise ValueError("too large")
    raw = json.loads(data.decode("utf-8-sig"))
    if not isinstance(raw, dict):
        raise TypeError("no object")
    return raw


def _set_aside(path: Path) -> Settings:
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
    aside = path.with_name(f"{path.stem}.broken-{stamp}{path.suffix}")
    _log.warning("settings: the file is broken; set aside, using defaults")
    try:
        files.move_verified(path, aside)
    except (ArchiveError, OSError):
        return Settings(notices=(f"The settings at {path} are damaged, so the defaults are used.",))
    return Settings(
        notices=(f"The settings were damaged, so the defaults are used. The damaged file is kept as {aside}.",)
    )


# step n turns a file of version n into one of version n + 1
_UPGRADES: dict[int, Callable[[dict[str, object]], None]] = {}


def _upgraded(raw: dict[str, object]) -> dict[str, object]:
    """Apply the numbered steps from the file's version to ours. A newer file is read as far as it is understood."""
    version = raw.get("version")
    number = version if isinstance(version, int) and not isinstance(version, bool) and version > 0 else 1
    raw = dict(raw)
    for step in range(number, VERSION):
        _UPGRADES[step](raw)
    raw["version"] = max(number, VERSION)
    return raw


def _from_raw(raw: dict[str, object]) -> Settings:
    settings = Settings()
    version = raw.pop("version")
    settings.version = version if isinstance(version, int) else VERSION
    for name, check in _CHECKS.items():
        if name not in raw:
            continue
        value = raw.pop(name)
        try:
            setattr(settings, name, check(value))
        except (TypeError, ValueError):
            _log.warning("settings: the value of %s makes no sense; using the default", name)
    settings.extra = {key: value for key, value in raw.items() if key not in _NEVER_SAVED}
    return settings


def _text(value: object) -> str:
    if not isinstance(value, str) or len(value) > 4096 or "\0" in value:
        raise ValueError
    return value


def _zone_name(value: object) -> str:
    text = _text(value)
    if text and not _ZONE.fullmatch(text):
        raise ValueError
    return text


def _one_of(*allowed: str) -> Callable[[object], str]:
    def check(value: object) -> str:
        if not isinstance(value, str) or value not in allowed:
            raise ValueError
        return value

    return check


def _switch(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value


def _scale(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError
    if not SMALLEST_SCALE <= value <= LARGEST_SCALE:
        raise ValueError
    return float(value)


def _days(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 3650:
        raise ValueError
    return value


def _megabytes(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 100_000_000:
        raise ValueError
    return value


def _paths(value: object) -> list[str]:
    if not isinstance(value, list):
        raise TypeError
    return [path for path in value if isinstance(path, str) and path and "\0" not in path][:RECENT]


def _lines(value: object) -> list[str]:
    if not isinstance(value, list):
        raise TypeError
    return [_text(line) for line in value[:100]]


def _answers(value: object) -> dict[str, bool]:
    if not isinstance(value, dict):
        raise TypeError
    return {str(_text(root)): _switch(answer) for root, answer in list(value.items())[:1000]}


def _in_flight(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 16:
        raise ValueError
    return value


_CHECKS: dict[str, Callable[[object], object]] = {
    "zone": _zone_name,
    "theme": _one_of("system", "light", "dark"),
    "text_scale": _scale,
    "last_root": _text,
    "recent_roots": _paths,
    "open_last_root": _switch,
    "export_folder": _text,
    "export_strict": _switch,
    "import_conflict": _one_of("skip", "update", "keep-both"),
    "confirm_trash": _switch,
    "trash_days": _days,
    "provider_bases": _lines,
    "provider_env_files": _answers,
    "provider_in_flight": _in_flight,
    "trash_megabytes": _megabytes,
    "delete_for_good": _switch,
    "provider_responses": _one_of("delete", "keep"),
    "task_choice": _one_of("keep", "remove"),
    "cascade_when": _one_of("erasing", "trashing"),
}
_NEVER_SAVED = frozenset({"extra", "notices"})

assert {item.name for item in fields(Settings)} == {"version", *_CHECKS, *_NEVER_SAVED}
