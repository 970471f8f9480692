"""Pages are made in the thread of the test, and shown in these browsers."""

import pytest

from tests.house import House
from tests.web.browser import Browser, without_threads

__all__ = ["without_threads"]


@pytest.fixture
def browser(house: House) -> Browser:
    """That of a stranger, while alice and bob play board 1."""
    return Browser(house)


@pytest.fixture
def alice(house: House) -> Browser:
    """Her browser; she is to move on board 1, to which she has challenged bob."""
    return _signed_in(house, "alice")


@pytest.fixture
def bob(house: House) -> Browser:
    return _signed_in(house, "bob")


def _signed_in(house: House, who: str) -> Browser:
    browser = Browser(house)
    browser.sign_in(who)
    return browser
