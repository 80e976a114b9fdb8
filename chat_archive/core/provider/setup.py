"""What sending needs for one root: base URLs and keys from the settings, the environment and the installation."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from chat_archive.core.provider import bases, installation
from chat_archive.core.provider.bases import Bases
from chat_archive.core.provider.keys import KeyRing, KeyStore, MemoryKeys, SystemKeyring
from chat_archive.core.settings import Settings

DEADLINE = 30.0
"""Seconds for one request from connecting to the last byte (P3)."""

IN_FLIGHT = 2
"""Requests at a time, unless set (P4)."""


@dataclass(frozen=True, slots=True)
class ProviderSetup:
    """`ask_env` is the installation's `.env` when the person was never asked about it for this root, else None.
    `deadline` is in seconds for one request."""

    bases: Bases
    keys: KeyRing
    ask_env: Path | None = None
    in_flight: int = IN_FLIGHT
    deadline: float = DEADLINE
    environ: Mapping[str, str] = field(default_factory=dict, repr=False)


def prepare(
    root: Path,
    settings: Settings,
    *,
    own: Iterable[str] = (),
    named: Mapping[str, str] | None = None,
    typed: KeyStore | None = None,
    stored: KeyStore | None = None,
    environ: Mapping[str, str] | None = None,
) -> ProviderSetup:
    """Read what is configured for `root` now. `own` are bases given beside those of the settings, `named` environment
    variables that hold keys. The installation's `.env` is read only where the settings hold the person's yes. Never
    raises for what is configured wrongly: `bases.remarks` tells it."""
    environ = os.environ if environ is None else environ
    answer = settings.provider_env_files.get(str(root))
    variables = installation.dotenv(root) if answer is True else {}
    found = bases.configured([*own, *settings.provider_bases], environ, variables, installation.bases(root))
    keys = KeyRing(
        typed=typed if typed is not None else MemoryKeys(),
        stored=stored if stored is not None else SystemKeyring(),
        environ=environ,
        named=dict(named or {}),
        dotenv=variables,
    )
    ask = installation.dotenv_path(root) if answer is None else None
    return ProviderSetup(found, keys, ask, settings.provider_in_flight)
