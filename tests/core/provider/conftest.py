"""A root, a tiny provider, and time that does not pass by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from chat_archive.core.archive import Archive
from chat_archive.core.entities import OperationResult
from chat_archive.core.progress import NullProgress, Progress
from chat_archive.core.provider import work
from chat_archive.core.provider.delivery import Surroundings
from chat_archive.core.provider.receipts import Receipt
from chat_archive.core.provider.setup import ProviderSetup
from tests.builders import make_root
from tests.providers import FakeProvider, TinyProvider, setup_for, tiny_provider


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with Archive.open(make_root(tmp_path / "usr")) as made:
        yield made


@pytest.fixture
def provider() -> Iterator[TinyProvider]:
    with tiny_provider() as made:
        yield made


@dataclass
class Clock:
    """Seconds since 1970 as a test sets them; sleeping moves them on. Chance always takes the longest pause."""

    now: float = 1_800_000_000.0

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    @property
    def around(self) -> Surroundings:
        return Surroundings(clock=lambda: self.now, chance=lambda _low, high: high, sleep=self.sleep)


@pytest.fixture
def clock() -> Clock:
    return Clock()


Retry = Callable[..., OperationResult]


@pytest.fixture
def retry(archive: Archive, provider: TinyProvider, clock: Clock) -> Retry:
    """One run over the queue against the tiny provider as OpenAI."""

    def run(
        *ids: str, setup: ProviderSetup | None = None, progress: Progress | None = None, **more: object
    ) -> OperationResult:
        return work.retry(
            archive.workspace,
            archive.responses,
            list(ids) or None,
            progress or NullProgress(),
            setup=setup or setup_for(archive, f"openai={provider.url}"),
            around=clock.around,
            **more,  # type: ignore[arg-type]
        )

    return run


@pytest.fixture
def states(archive: Archive) -> Callable[[], dict[str, str]]:
    def read() -> dict[str, str]:
        return {one.original: one.state.value for one in archive.provider_receipts()}

    return read


@pytest.fixture
def receipt(archive: Archive) -> Callable[[str], Receipt]:
    def find(original: str) -> Receipt:
        return next(one for one in archive.provider_receipts() if one.original == original)

    return find


@pytest.fixture
def fake(shared: Path) -> Iterator[Callable[..., FakeProvider]]:
    """Starts the handed server."""
    started: list[FakeProvider] = []

    def start(*arguments: str) -> FakeProvider:
        started.append(FakeProvider(shared / "tools" / "fake_provider.py", *arguments))
        return started[-1]

    yield start
    for one in started:
        one.close()
