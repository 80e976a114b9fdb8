"""Keys of providers: where they may come from, in which order, and how they stay unseen (P6).

A key is only ever looked up for one base URL, by the name under which that base URL is configured. It is held in a
`Secret`, which shows nothing of itself, and handed to nothing but the one request it is for.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import re
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn, Protocol

SERVICE = "chat-archive"
"""The name under which keys lie in the system's keyring; the user name there is the base URL."""

_UNSET = frozenset({"", "none", "na"})
_USABLE = re.compile(r"[\x21-\x7e]{1,4096}")
_LARGEST_ENV = 1_000_000
_log = logging.getLogger(__name__)


class Secret:
    """One key. Not shown by repr, str, format or a traceback; not to be copied into a file by pickling."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """The key itself, for the header of a request and for nothing else."""
        return self._value

    def digest(self, salt: str) -> str:
        """A short hash that tells one key from another and nothing else."""
        return hmac.new(salt.encode(), self._value.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()[:12]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and hmac.compare_digest(
            self._value.encode("utf-8", "surrogatepass"), other._value.encode("utf-8", "surrogatepass")
        )

    def __hash__(self) -> int:
        return hash((Secret, self._value))

    def __repr__(self) -> str:
        return "Secret(hidden)"

    __str__ = __repr__

    def __format__(self, _spec: str) -> str:
        return repr(self)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a key is never written down")


@dataclass(frozen=True, slots=True)
class Key:
    """`source` says in words where it was found, e.g. "the environment variable OPENAI_API_KEY"."""

    secret: Secret
    source: str


class KeyStore(Protocol):
    """Where a person may keep a key for good: the system's keyring, or a dictionary in tests. `available` says whether
    it keeps anything."""

    @property
    def available(self) -> bool: ...

    def get(self, base_url: str) -> str | None: ...

    def set(self, base_url: str, value: str) -> bool: ...

    def remove(self, base_url: str) -> None: ...


class SystemKeyring:
    """The system's keyring through `keyring`, imported at the first use. Without a real one, every method says so by
    its result; a keyring that fails is as good as none."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._found: Any = None
        self._looked = False

    @property
    def available(self) -> bool:
        """Whether this system has a keyring that really keeps something."""
        return self._backend() is not None

    def get(self, base_url: str) -> str | None:
        backend = self._backend()
        if backend is None:
            return None
        try:
            value = backend.get_password(SERVICE, base_url)
        except Exception as error:  # backends raise whatever their system raises
            _log.info("keyring: %s", type(error).__name__)
            return None
        return value if isinstance(value, str) else None

    def set(self, base_url: str, value: str) -> bool:
        backend = self._backend()
        try:
            if backend is not None:
                backend.set_password(SERVICE, base_url, value)
        except Exception as error:
            _log.info("keyring: %s", type(error).__name__)
            return False
        return backend is not None

    def remove(self, base_url: str) -> None:
        backend = self._backend()
        try:
            if backend is not None:
                backend.delete_password(SERVICE, base_url)
        except Exception as error:
            _log.info("keyring: %s", type(error).__name__)

    def _backend(self) -> Any:
        with self._lock:
            if not self._looked:
                self._looked = True
                try:
                    import keyring

                    found = keyring.get_keyring()
                    # "fail" and "null" have no priority above zero; a chain without links is none either
                    real = float(found.priority) > 0 and getattr(found, "backends", True)
                    self._found = found if real else None
                except Exception as error:  # not installed, or broken in its own way
                    _log.info("keyring: %s", type(error).__name__)
            return self._found


class MemoryKeys:
    """Keys typed in, kept until the program is closed. Also a `KeyStore` for tests."""

    def __init__(self) -> None:
        self._held: dict[str, Secret] = {}

    @property
    def available(self) -> bool:
        return True

    def get(self, base_url: str) -> str | None:
        held = self._held.get(base_url)
        return held.reveal() if held is not None else None

    def set(self, base_url: str, value: str) -> bool:
        self._held[base_url] = Secret(value)
        return True

    def remove(self, base_url: str) -> None:
        self._held.pop(base_url, None)

    def __repr__(self) -> str:
        return f"MemoryKeys({len(self._held)})"


@dataclass(frozen=True, slots=True)
class KeyRing:
    """All places in their order: typed in, the system's keyring, the environment, the installation's `.env`.

    `named` are environment variables the person named, by the name of a base ("openai", "zai", or "*" for any);
    `dotenv` is what the installation's files say, {} unless the person agreed to reading them.
    """

    typed: KeyStore = field(default_factory=MemoryKeys)
    stored: KeyStore = field(default_factory=SystemKeyring)
    environ: Mapping[str, str] = field(default_factory=dict, repr=False)
    named: Mapping[str, str] = field(default_factory=dict)
    dotenv: Mapping[str, str] = field(default_factory=dict, repr=False)

    def find(self, base_url: str, name: str) -> list[Key]:
        """The keys of the first place that has any for this base URL, which is configured under `name`."""
        for value, source in self._places(base_url, name):
            found = [Key(secret, source) for secret in split(value)]
            if found:
                return found
        return []

    def _places(self, base_url: str, name: str) -> Iterable[tuple[str, str]]:
        yield self.typed.get(base_url) or "", "typed in"
        yield self.stored.get(base_url) or "", "the system's keyring"
        for owner in (name, "*"):
            variable = self.named.get(owner, "")
            if variable:
                yield self.environ.get(variable, ""), f"the environment variable {variable}"
        for variable in variables(name):
            yield self.environ.get(variable, ""), f"the environment variable {variable}"
        for variable in variables(name):
            yield self.dotenv.get(variable, ""), f"{variable} in the installation's .env"


def variables(name: str) -> list[str]:
    """Where Agent Zero looks for the key of a provider id, in its order (6.5); Azure's own name comes last."""
    upper = re.sub(r"[^A-Z0-9]", "_", name.upper())
    found = [f"API_KEY_{upper}", f"{upper}_API_KEY", f"{upper}_API_TOKEN"]
    return [*found, "AZURE_OPENAI_API_KEY"] if upper == "AZURE" else found


def split(value: str) -> list[Secret]:
    """The keys of one value: a comma-separated list is several, any of which may own a response (6.5)."""
    parts = dict.fromkeys(part.strip() for part in value.split(","))
    return [Secret(part) for part in parts if part.lower() not in _UNSET and _USABLE.fullmatch(part)]


def parse_env(data: bytes) -> dict[str, str]:
    """The variables of a `.env` file: NAME=value, quotes and `export` allowed, the last of a name counts."""
    found: dict[str, str] = {}
    for line in data[:_LARGEST_ENV].decode("utf-8-sig", "replace").splitlines():
        name, equals, value = line.strip().removeprefix("export ").partition("=")
        name, value = name.strip(), value.strip()
        if not equals or not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{0,127}", name):
            continue
        if value[:1] in ("'", '"') and value.find(value[0], 1) > 0:
            value = value[1 : value.find(value[0], 1)]
        else:
            value = re.split(r"\s#", value, maxsplit=1)[0].strip()
        found[name] = value
    return found
