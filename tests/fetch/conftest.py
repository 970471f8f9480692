"""One provider for all of these tests, which each begin with an empty mailbox."""

from collections.abc import Iterator

import pytest

from tests.fetch.club import FetchingHouse
from tests.fetch.provider import Provider, provider
from tests.house import House


@pytest.fixture(scope="session")
def running() -> Iterator[Provider]:
    with provider() as found:
        yield found


@pytest.fixture
def dovecot(running: Provider) -> Provider:
    running.clear()
    return running


@pytest.fixture
def fetching(house: House, monkeypatch: pytest.MonkeyPatch) -> FetchingHouse:
    """A house whose owner fetches mail."""
    return FetchingHouse(house, monkeypatch)
