"""One HTTP DELETE for one response (P3, P5): no redirect, one deadline for the whole, a bounded body, nothing else.

`httpx` is imported at the first use. The key goes into one header of one request and nowhere else.
"""

from __future__ import annotations

import asyncio
import functools
import logging
import ssl
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Protocol

from chat_archive import __version__
from chat_archive.core.provider.bases import Base
from chat_archive.core.provider.keys import Secret
from chat_archive.core.provider.setup import DEADLINE, IN_FLIGHT
from chat_archive.core.provider.verdict import BODY_LIMIT, Answer

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """A request that brought no answer. `sent` is False only when it surely never reached the provider, `down` True
    when the provider seems not to be there at all."""

    text: str
    sent: bool
    down: bool = False


class Sender(Protocol):
    """What the runner needs: tests put their own in its place."""

    async def delete(self, base: Base, response_id: str, secret: Secret) -> Answer | NoAnswer: ...

    async def close(self) -> None: ...


@functools.cache
def _context() -> ssl.SSLContext:
    """Certificates are checked against the list that comes with `certifi`; reading it takes a while, so once."""
    import certifi

    return ssl.create_default_context(cafile=certifi.where())


class HttpSender:
    """Sends over HTTP. Proxies of the environment are not used (`trust_env`), certificates are checked. Lives in one
    event loop."""

    def __init__(self, *, in_flight: int = IN_FLIGHT, deadline: float = DEADLINE) -> None:
        # its loggers name every request; ours do not, and no handler of the program is to get them
        for name in ("httpx", "httpcore"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        import httpx

        self._httpx: Any = httpx
        self._deadline = deadline
        self._client: Any = httpx.AsyncClient(
            verify=_context(),
            trust_env=False,
            follow_redirects=False,
            timeout=httpx.Timeout(deadline),
            limits=httpx.Limits(max_connections=in_flight, max_keepalive_connections=in_flight),
            headers={
                "User-Agent": f"chat-archive/{__version__}",
                "Accept": "application/json",
                "Accept-Encoding": "identity",
            },
        )

    async def __aenter__(self) -> HttpSender:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        await self._client.aclose()

    async def delete(self, base: Base, response_id: str, secret: Secret) -> Answer | NoAnswer:
        """The answer, or why there is none. Raises ValueError for an id that is never sent."""
        url = base.response_url(response_id)
        progress = {"sent": False}
        try:
            async with asyncio.timeout(self._deadline):
                return await self._ask(url, base, secret, progress)
        except TimeoutError:
            return NoAnswer("No answer in time. It is tried again.", progress["sent"], down=True)
        except (self._httpx.HTTPError, self._httpx.InvalidURL, self._httpx.StreamError, OSError) as error:
            # what the exception says may hold the request with its headers, so only its kind is named
            _log.info("provider: %s", type(error).__name__)
            connected = not isinstance(error, self._httpx.ConnectError | self._httpx.ConnectTimeout)
            return NoAnswer(_words(error, self._httpx), progress["sent"] and connected, down=not connected)

    async def _ask(self, url: str, base: Base, secret: Secret, progress: dict[str, bool]) -> Answer:
        name, value = base.key_header(secret.reveal())
        request = self._client.build_request("DELETE", url, headers={name: value})
        progress["sent"] = True
        response = await self._client.send(request, stream=True)
        try:
            body: bytes | None = b""
            pieces: list[bytes] = []
            total = 0
            try:
                # raw: nothing is inflated here
                async for piece in response.aiter_raw(65_536):
                    total += len(piece)
                    if total > BODY_LIMIT:
                        body = None
                        break
                    pieces.append(piece)
            except (self._httpx.HTTPError, self._httpx.StreamError):
                body = None
            if body is not None:
                body = b"".join(pieces)
            headers = [(k.decode("latin-1").lower(), v.decode("latin-1")) for k, v in response.headers.raw]
            return Answer(response.status_code, headers, body)
        finally:
            await response.aclose()


def _words(error: Exception, httpx: Any) -> str:
    if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
        cause: BaseException | None = error
        while cause is not None:
            if isinstance(cause, ssl.SSLError):
                return "The certificate of the provider could not be checked. It is tried again."
            cause = cause.__cause__ or cause.__context__
        return "The provider could not be reached. It is tried again."
    return "The connection ended without an answer. It is tried again."
