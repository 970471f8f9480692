"""Pages are made in the thread of the test, and shown in these browsers."""

import pytest

from tests.house import House
from tests.web.browser import Browser, signed_in, without_threads

__all__ = ["without_threads"]


@pytest.fixture
def browser(house: House) -> Browser:
    """That of a stranger, while alice and bob play board 1."""
    return Browser(house)


@pytest.fixture
def alice(house: House) -> Browser:
    """Her browser; she is to move on board 1, to which she has challenged bob."""
    return signed_in(house, "alice")


@pytest.fixture
def bob(house: House) -> Browser:
    return signed_in(house, "bob")
