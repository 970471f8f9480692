"""Pages in the tabs of a window, of which a reader sees one."""

import pytest
from playwright.sync_api import Browser

from tests.processes import wait_until
from tests.web.chromium import WHOLE, Place, place, whole_chromium

__all__ = ["place", "whole_chromium"]
pytestmark = [pytest.mark.needs(WHOLE), pytest.mark.long]


class Tabs:
    """Tabs in one window of a browser of their own, of which the driver only knows
    the titles."""

    def __init__(self, browser: Browser, cookie: dict[str, str]) -> None:
        self._browser = browser.new_browser_cdp_session()
        made = self._browser.send("Target.createBrowserContext")
        self._context = {"browserContextId": made["browserContextId"]}
        words = {"cookies": [cookie], **self._context}
        self._browser.send("Storage.setCookies", words)

    def open(self, url: str) -> str:
        """The id of a new tab, which is before the others."""
        made = self._browser.send("Target.createTarget", {"url": url, **self._context})
        return str(made["targetId"])

    def show(self, tab: str) -> None:
        self._browser.send("Target.activateTarget", {"targetId": tab})

    def title(self, tab: str) -> str:
        """What is written on a tab."""
        found = self._browser.send("Target.getTargetInfo", {"targetId": tab})
        return str(found["targetInfo"]["title"])

    def close(self) -> None:
        """Close all of them."""
        self._browser.send("Target.disposeBrowserContext", self._context)


def test_a_hidden_tab_has_no_stream(place: Place, chromium: Browser) -> None:
    """It has one again as soon as it is seen, and shows what has happened meanwhile.

    The driver keeps each page that it drives visible, so that it may not drive these.
    """
    number = place.challenge("holo")
    wait_until(lambda: place.streams == 0, "no stream")  # of other tests
    tabs = Tabs(chromium, place.cookie("bob"))
    board = tabs.open(f"{place.address}/holo/{number}")
    wait_until(lambda: place.streams == 1, "a stream")
    tabs.open("about:blank")
    wait_until(lambda: place.streams == 0, "no stream")
    place.house.play(number, moves=1)
    assert f"holo {number}: It is alice's turn." in tabs.title(board)
    tabs.show(board)
    expected = f"holo {number}: It is your turn."
    wait_until(lambda: expected in tabs.title(board), "the page to show the move")
    wait_until(lambda: place.streams == 1, "a stream again")
    tabs.close()
    wait_until(lambda: place.streams == 0, "no stream")
