"""The base URLs that are configured, and which of them a response belongs to (P5, D-71).

A base URL found in a chat only selects among these. Where none matches, or the chat cannot tell between several,
nothing is sent: the id waits with the reason.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit, urlunsplit

from chat_archive.core.errors import ArchiveError

ID = re.compile(r"[A-Za-z0-9_-]{1,128}")
"""What an id that is sent looks like, in full (P5)."""

DEFAULTS = {"openai": "https://api.openai.com/v1", "xai": "https://api.x.ai/v1"}
_VARIABLES = {
    "openai": ("OPENAI_BASE_URL", "OPENAI_API_BASE"),
    "xai": ("XAI_API_BASE",),
    "azure": ("AZURE_API_BASE",),
}
_AZURE_PATH = "/openai/v1"
_AZURE_QUERY = "api-version=preview"
_API_VERSION = re.compile(r"api-version=[A-Za-z0-9.-]{1,32}")
_PATH = re.compile(r"(/[A-Za-z0-9._~-]{1,128}){0,8}/?")
_HOST = re.compile(r"[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?")
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")


@dataclass(frozen=True, slots=True)
class Base:
    """One configured place. `provider` is LiteLLM's name of it, `name` the one its keys go by (Agent Zero's provider
    id), `url` as `checked` returns it, `source` who configured it, in words. `rank` tells which of several is meant
    where the chat holds no trace: 0 the person's own, 1 a replacement of the default by the environment or the
    installation, 2 the default, 3 one more place."""

    provider: str
    name: str
    url: str
    source: str
    rank: int = 3

    def response_url(self, response_id: str) -> str:
        """Where the response is deleted. Raises ValueError for an id that is not sent."""
        if not ID.fullmatch(response_id):
            raise ValueError("not an id")
        parts = urlsplit(self.url)
        path, query = parts.path, parts.query
        if self.provider == "azure":
            path = path if path.endswith(_AZURE_PATH) else path + _AZURE_PATH
            query = query or _AZURE_QUERY
        return urlunsplit((parts.scheme, parts.netloc, f"{path}/responses/{response_id}", query, ""))

    def key_header(self, key: str) -> tuple[str, str]:
        return ("api-key", key) if self.provider == "azure" else ("Authorization", f"Bearer {key}")


class BadBaseError(ArchiveError):
    """A base URL that is not used; the sentence says why. It never repeats the URL, which may hold a password."""


def checked(url: str) -> str:
    """`url` in the one form in which two are compared: no slash at the end, no usual port, host in lower case.

    Raises `BadBaseError` unless it is https, or http to this computer, without user, password and fragment.
    """
    try:
        parts = urlsplit(url.strip())
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError as error:
        raise BadBaseError("The base URL is no URL.") from error
    if len(url) > 512 or not url.isascii() or re.search(r"[\x00-\x20\x7f\\]", url.strip()):
        raise BadBaseError("The base URL holds characters that no base URL has.")
    if "@" in parts.netloc:
        raise BadBaseError("The base URL holds a user name or password, so it is not used.")
    if not _is_host(host) or not _PATH.fullmatch(parts.path) or "/../" in f"{parts.path}/" or "/./" in f"{parts.path}/":
        raise BadBaseError("The base URL is not of the form https://host/path.")
    if parts.fragment or (parts.query and not _API_VERSION.fullmatch(parts.query)):
        raise BadBaseError("The base URL has more after its path than an api-version.")
    if parts.scheme.lower() != "https" and not (parts.scheme.lower() == "http" and is_loopback(host)):
        raise BadBaseError("The base URL is not https, and only this computer itself is asked without it.")
    return _put_together(parts, host, port)


def _put_together(parts: SplitResult, host: str, port: int | None) -> str:
    scheme = parts.scheme.lower()
    shown = f"[{host}]" if ":" in host else host
    usual = {"https": 443, "http": 80}[scheme]
    netloc = shown if port in (None, usual) else f"{shown}:{port}"
    return urlunsplit((scheme, netloc, parts.path.rstrip("/"), parts.query, ""))


def _is_host(host: str) -> bool:
    if ":" in host:
        try:
            ipaddress.IPv6Address(host)
        except ValueError:
            return False
        return True
    return _HOST.fullmatch(host) is not None


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def parse_option(text: str) -> tuple[str, str, str]:
    """PROVIDER=URL or PROVIDER:NAME=URL of the command line or the settings: (provider, name of its keys, URL).

    Raises `BadBaseError`.
    """
    left, equals, url = text.partition("=")
    provider, _, name = left.strip().partition(":")
    if not equals or not _NAME.fullmatch(provider) or (name and not _NAME.fullmatch(name)):
        raise BadBaseError("A base is given as PROVIDER=URL, for example openai=https://example.org/v1.")
    return provider.lower(), (name or provider).lower(), checked(url)


@dataclass(frozen=True, slots=True)
class Choice:
    """Where a response belongs: `base`, or None with the reason why nothing is sent. `stored` is False where the
    provider keeps nothing at all."""

    base: Base | None
    reason: str = ""
    stored: bool = True


class Bases:
    """Every configured base URL. `remarks` are sentences about those that were refused."""

    def __init__(self, bases: Iterable[Base] = (), remarks: Sequence[str] = ()) -> None:
        self._bases = tuple(dict.fromkeys(bases))
        self.remarks = tuple(remarks)

    def __iter__(self) -> Iterator[Base]:
        return iter(self._bases)

    def __len__(self) -> int:
        return len(self._bases)

    def choose(self, provider: str, url: str, trace: str) -> Choice:
        """The base of a response of `provider` ("" unknown). `url` and `trace` are what the chat says about its base
        URL; see `StoredResponse`."""
        if provider == "openrouter":
            return Choice(None, "OpenRouter keeps no responses.", stored=False)
        if not provider and not url:
            return Choice(None, "The chat does not say which provider holds it, so nothing is sent.")
        if trace == "several":
            return self._only_own(
                provider, "The chat used several base URLs with this model and does not say which one holds it."
            )
        if url:
            return self._matching(provider, url)
        return self._default(provider, known=trace in ("message", "chat"))

    def _matching(self, provider: str, url: str) -> Choice:
        try:
            wanted = checked(url)
        except BadBaseError as error:
            return Choice(None, f"The chat names a base URL that is never used. {error.what}")
        found = [one for one in self._bases if one.url.partition("?")[0] == wanted.partition("?")[0]]
        fitting = [one for one in found if one.provider == provider or not provider]
        # an OpenAI-compatible base may be configured under any provider, but Azure is spoken to in its own way
        fitting = fitting or [one for one in found if "azure" not in (one.provider, provider)]
        if fitting:
            return Choice(min(fitting, key=lambda one: one.rank))
        return Choice(None, "Its base URL is not among those that are configured, so nothing is sent.")

    def _default(self, provider: str, *, known: bool) -> Choice:
        mine = sorted((one for one in self._bases if one.provider == provider), key=lambda one: one.rank)
        if not mine:
            return Choice(None, f"No base URL is configured for {provider}.")
        first = mine[0]
        if first.rank > 2 and known:
            return Choice(None, f"The usual base URL of {provider} is not known.")
        # the person's own word settles it; a replaced default is no second place; any other configured one is
        rivals = [one for one in mine if one.rank == first.rank or (one.rank == 3 and first.rank > 0 and not known)]
        if len({one.url for one in rivals}) > 1:
            return Choice(
                None, f"Several base URLs are configured for {provider}, and the chat does not say which one holds it."
            )
        return Choice(first)

    def _only_own(self, provider: str, reason: str) -> Choice:
        own = [one for one in self._bases if one.provider == provider and one.rank == 0]
        return Choice(own[0]) if len(own) == 1 else Choice(None, reason)


def configured(
    own: Iterable[str], environ: Mapping[str, str], dotenv: Mapping[str, str], installed: Iterable[Base]
) -> Bases:
    """All bases: the person's (`own`, as `parse_option` takes them), the environment's, the installation's `.env` and
    configuration files, and the defaults. What is refused is told in `remarks`."""
    bases: list[Base] = []
    remarks: list[str] = []
    installation = list(installed)
    for text in own:
        try:
            provider, name, url = parse_option(text)
            if ":" not in text.partition("=")[0]:
                # the installation may call it by another name, and its key goes by that one
                name = next((one.name for one in installation if one.url == url), name)
            bases.append(Base(provider, name, url, "your settings", 0))
        except BadBaseError as error:
            remarks.append(f"A base of your settings is not used. {error.what}")
    for provider, names in _VARIABLES.items():
        replaced = False
        for place, where in ((environ, "the environment"), (dotenv, "the installation's .env")):
            value = next((place[name] for name in names if place.get(name, "").strip()), "")
            if not value:
                continue
            try:
                bases.append(Base(provider, provider, checked(value), where, 3 if replaced else 1))
                replaced = True
            except BadBaseError as error:
                remarks.append(f"A base URL for {provider} in {where} is not used. {error.what}")
    bases += [Base(name, name, url, "the usual one", 2) for name, url in DEFAULTS.items()]
    bases += installation
    return Bases(bases, remarks)
