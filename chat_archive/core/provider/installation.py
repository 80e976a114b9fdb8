"""What the Agent Zero installation around a root says about base URLs and keys (6.5). Read-only, bounded, no links.

Base URLs come from its configuration files and are read without asking; the `.env` with its keys only after the person
agreed for this root. Every shape of file is taken; what is not understood names no base.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from chat_archive.core import files
from chat_archive.core.errors import ArchiveError
from chat_archive.core.provider import keys
from chat_archive.core.provider.bases import BadBaseError, Base, checked

_LIMIT = 2_000_000  # bytes of one file
_FILES = 400  # configuration files looked at
_VALUES = 20_000  # values of one file walked
_DEPTH = 40
_PLUGIN = ("plugins", "_model_config")
_CONFIGS = ("config.json", "presets.yaml")
_LITELLM = frozenset({"openai", "azure", "xai"})
_OLD_SLOTS = ("chat", "util", "utility", "browser", "embed")
_LINE = re.compile(r"( *)((?:- +)*)([A-Za-z0-9_.\"'/ -]{1,128}?)\s*:(?:\s+(.*))?")


@dataclass(frozen=True, slots=True)
class Places:
    """`usr` is the folder that holds the chats folder; `install` the one above where there is such, else None."""

    usr: Path
    install: Path | None


def places(root: Path) -> Places:
    """Where the installation of a chats root lies: .../usr/chats, .../tmp/chats, or a mounted volume."""
    above = root.parent
    if above.name in ("usr", "tmp"):
        return Places(above.parent / "usr", above.parent)
    return Places(above, None)


def dotenv_path(root: Path) -> Path | None:
    """The `.env` Agent Zero would read, for the question whether to: in usr, in older versions above. None: none."""
    return next((path for path in _dotenvs(root) if path.is_file()), None)


def dotenv(root: Path) -> dict[str, str]:
    """Its variables; only to be called after the person agreed for this root. Never raises."""
    for path in _dotenvs(root):
        data = _read(path.parent, path.name)
        if data is not None:
            return keys.parse_env(data)
    return {}


def _dotenvs(root: Path) -> list[Path]:
    found = places(root)
    return [found.usr / ".env", *([found.install / ".env"] if found.install is not None else [])]


def bases(root: Path) -> list[Base]:
    """Every base URL of the configuration files: provider defaults, the model plugin's for all, projects and profiles,
    and the settings of old versions. Never raises."""
    where = places(root)
    known = _providers(where)
    found = [_base(provider, url, litellm, "model_providers.yaml") for provider, (litellm, url) in known.items()]
    for folder, name in _config_files(where):
        data = _read(folder, name)
        document = _parse(name, data) if data is not None else None
        for provider, url in _pairs(document):
            found.append(_base(provider, url, known.get(provider, ("", ""))[0], name))
    return list(dict.fromkeys(one for one in found if one is not None))


def _base(provider: str, url: str, litellm: str, name: str) -> Base | None:
    """LiteLLM calls most providers with a base URL of their own "openai" (6.2)."""
    if not url.strip() or not re.fullmatch(r"[A-Za-z0-9_.-]{1,64}", provider):
        return None
    spoken = litellm or (provider if provider in _LITELLM else "openai")
    try:
        return Base(spoken, provider, checked(url), f"the installation's {name}")
    except BadBaseError:
        return None


def _providers(where: Places) -> dict[str, tuple[str, str]]:
    """provider id -> (LiteLLM's name, base URL or "") of conf/model_providers.yaml."""
    found: dict[str, tuple[str, str]] = {}
    for folder in [*([where.install / "conf"] if where.install is not None else []), where.usr / "conf"]:
        data = _read(folder, "model_providers.yaml")
        if data is None:
            continue
        values = dict(yaml_values(data))
        for path, value in values.items():
            if len(path) >= 3 and path[-1] == "litellm_provider":
                found.setdefault(path[-2], (value, ""))
        for path, value in values.items():
            if len(path) >= 4 and path[-2:] == ("kwargs", "api_base"):
                found[path[-3]] = (found.get(path[-3], ("", ""))[0], value)
    return found


def _config_files(where: Places) -> Iterator[tuple[Path, str]]:
    count = 0
    for folder in _plugin_folders(where.usr):
        for name in _CONFIGS:
            count += 1
            if count > _FILES:
                return
            yield folder, name
    for folder in [where.usr, *([where.install / "tmp"] if where.install is not None else [])]:
        yield folder, "settings.json"


def _plugin_folders(usr: Path) -> Iterator[Path]:
    yield usr.joinpath(*_PLUGIN)
    for kind, between in (("projects", (".a0proj",)), ("agents", ())):
        for name in _names(usr / kind):
            base = usr.joinpath(kind, name, *between)
            yield base.joinpath(*_PLUGIN)
            if kind == "projects":
                for profile in _names(base / "agents"):
                    yield (base / "agents" / profile).joinpath(*_PLUGIN)


def _names(folder: Path) -> list[str]:
    try:
        with files.place(folder) as here:
            return sorted(here.names())[:_FILES]
    except (ArchiveError, OSError):
        return []


def _read(folder: Path, name: str) -> bytes | None:
    try:
        return files.read_once(folder, name, limit=_LIMIT)[0]
    except (ArchiveError, OSError, ValueError):
        return None


def _parse(name: str, data: bytes) -> object:
    if name.endswith(".yaml"):
        return _tree(yaml_values(data))
    try:
        return json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None


def _pairs(document: object) -> Iterator[tuple[str, str]]:
    """(provider id, base URL) of every model configuration in a document, without recursion."""
    stack: list[tuple[object, int]] = [(document, 0)]
    for _ in range(_VALUES):
        if not stack:
            return
        value, depth = stack.pop()
        if isinstance(value, dict):
            provider, url = value.get("provider"), value.get("api_base")
            kwargs = value.get("kwargs")
            if not url and isinstance(kwargs, dict):
                url = kwargs.get("api_base")
            if isinstance(provider, str) and isinstance(url, str):
                yield provider.lower(), url
            for slot in _OLD_SLOTS:
                provider, url = value.get(f"{slot}_model_provider"), value.get(f"{slot}_model_api_base")
                if isinstance(provider, str) and isinstance(url, str):
                    yield provider.lower(), url
        if depth < _DEPTH and isinstance(value, dict | list):
            inner = value.values() if isinstance(value, dict) else value
            stack.extend((one, depth + 1) for one in inner if isinstance(one, dict | list))


def yaml_values(data: bytes) -> Iterator[tuple[tuple[str, ...], str]]:
    """(path of keys, plain value) of each `key: value` line of a YAML file in block style; a list item's dash counts as
    a numbered key. Other styles name nothing."""
    path: list[tuple[int, str]] = []
    items = 0
    for line in data.decode("utf-8-sig", "replace").splitlines()[:_VALUES]:
        found = _LINE.fullmatch(line.rstrip())
        if found is None or line.lstrip().startswith("#"):
            continue
        spaces, dashes, key, value = found.groups()
        while path and path[-1][0] >= len(spaces):
            path.pop()
        if dashes:
            items += 1
            path.append((len(spaces), f"#{items}"))
        path.append((len(spaces) + len(dashes), key.strip().strip("\"'")))
        plain = _plain(value or "")
        if plain and len(path) <= _DEPTH:
            yield tuple(name for _, name in path), plain


def _plain(value: str) -> str:
    text = value.strip()
    if text[:1] in ("'", '"'):
        end = text.find(text[0], 1)
        return text[1:end] if end > 0 else ""
    text = re.split(r"\s#", text, maxsplit=1)[0].strip()
    return "" if text[:1] in tuple("{[&*!|>") or text in ("null", "~") else text


def _tree(values: Iterator[tuple[tuple[str, ...], str]]) -> dict[str, object]:
    tree: dict[str, object] = {}
    for path, value in values:
        here = tree
        for key in path[:-1]:
            below = here.setdefault(key, {})
            if not isinstance(below, dict):
                break
            here = below
        else:
            here[path[-1]] = value
    return tree
