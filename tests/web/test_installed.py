"""The pages as a program of a device: the manifest, the worker, and the page that it
has where there is no network."""

import json
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import Page, Request, expect

from pbm_holomino.server.push import public_key
from pbm_holomino.web import pushing
from tests import needs
from tests.house import PASSWORDS, House
from tests.processes import wait_until
from tests.web.browser import Browser, signed_in
from tests.web.chromium import (
    ARGUMENTS,
    TIMEOUT,
    WHOLE,
    Enter,
    Place,
    check_is_accessible,
    enter,
    place,
    whole_chromium,
)

__all__ = ["enter", "place", "whole_chromium"]

OFFLINE = "There is no network"


def test_the_manifest_has_what_a_device_needs_to_install_the_pages(
    house: House,
) -> None:
    house.config = house.config._replace(title="Hexagons")
    browser = Browser(house)
    came = browser.ask("GET", "/manifest.webmanifest")
    assert came.headers["Content-Type"] == "application/manifest+json"
    told = json.loads(came.text)
    assert told["name"] == told["short_name"] == "Hexagons"
    assert (told["start_url"], told["scope"]) == ("/", "/")
    assert told["display"] == "standalone"
    purposes = set()
    for icon in told["icons"]:
        file = browser.ask("GET", icon["src"])
        assert file.headers["Content-Type"] == icon["type"]
        purposes.add(icon["purpose"])
        if icon["type"] == "image/png":
            width, height = struct.unpack(">II", file.sent[16:24])
            assert f"{width}x{height}" == icon["sizes"]
    assert purposes == {"any", "maskable"}


def test_the_page_without_a_network_is_nobodys(house: House) -> None:
    for browser in (Browser(house), signed_in(house, "alice")):
        page = browser.get("/offline")
        assert OFFLINE in page.text
        assert "alice" not in page.html
        assert not page.forms


def test_another_version_of_the_pages_has_another_worker(house: House) -> None:
    browser = Browser(house)
    came = browser.ask("GET", "/worker.js")
    assert came.headers["Cache-Control"] == "no-cache"
    assert came.headers["Content-Type"].startswith("text/javascript")
    browser.site.stamp = "000000000000"
    other = browser.ask("GET", "/worker.js").text
    assert came.text != other
    assert "pbm-000000000000-en" in other


@pytest.fixture
def refusing(place: Place, chromium: Chromium, tmp_path: Path) -> Iterator[Page]:
    """A page of carol's, who lets no page show notices. Her browser keeps what it has:
    others refuse push by themselves, without asking."""
    context = chromium.browser_type.launch_persistent_context(
        tmp_path, executable_path=needs.find(WHOLE), args=ARGUMENTS
    )
    place.sign_in(context, "carol")
    (page,) = context.pages
    page.set_default_timeout(TIMEOUT)
    permission = {"permission": {"name": "notifications"}, "setting": "denied"}
    context.new_cdp_session(page).send("Browser.setPermission", permission)
    yield page
    context.close()


class TestInChromium:
    """With a real worker."""

    pytestmark = [pytest.mark.needs(WHOLE), pytest.mark.long]

    def test_a_page_of_ours_comes_where_there_is_no_network(
        self, place: Place, enter: Enter
    ) -> None:
        page = enter("alice")
        _with_worker(page, place)
        assert _kept(page)
        page.context.set_offline(True)
        page.goto(f"{place.address}/players")
        expect(page.get_by_role("heading", name=OFFLINE)).to_be_visible()
        page.context.set_offline(False)
        page.get_by_role("link", name="Try again").click()
        expect(page.get_by_role("heading", name="Players")).to_be_visible()

    def test_who_signs_out_leaves_nothing_and_may_come_back(
        self, place: Place, enter: Enter
    ) -> None:
        page = enter("bob")
        _with_worker(page, place)
        page.locator(".who summary").click()
        page.get_by_role("button", name="Sign out").click()
        wait_until(lambda: not _kept(page))
        page.goto(f"{place.address}/signin")
        page.get_by_label("Userid").fill("bob")
        page.get_by_label("Password").fill(PASSWORDS["bob"])
        page.locator("main").get_by_role("button", name="Sign in").click()
        wait_until(lambda: _kept(page))

    def test_a_worker_of_an_older_version_goes(
        self, place: Place, enter: Enter
    ) -> None:
        page = enter("alice")
        page.context.route(
            "**/worker.js",
            lambda route: route.fulfill(
                body=route.fetch().text().replace("pbm-", "pbm-old-", 1),
                content_type="text/javascript",
            ),
        )
        _with_worker(page, place)
        assert ["old" in name for name in _kept(page)] == [True]
        page.context.unroute("**/worker.js")
        page.evaluate("navigator.serviceWorker.ready.then(one => one.update())")
        wait_until(lambda: ["old" in name for name in _kept(page)] == [False])
        page.reload()
        expect(page.get_by_role("heading", name="Your boards")).to_be_visible()

    def test_a_browser_that_does_not_allow_it_says_so(
        self, place: Place, enter: Enter, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(pushing, "server_key", lambda visit: "B" * 87)
        page = enter("carol")
        page.add_init_script(_SUBSCRIBING % "throw new DOMException('no')")
        page.goto(f"{place.address}/settings")
        page.get_by_role("button", name="Tell me here").click()
        expect(page.get_by_text("This browser does not allow it.")).to_be_visible()

    def test_push_that_a_person_has_refused_is_told_and_the_page_goes_on(
        self, place: Place, refusing: Page, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """They can press the button again, and everything else."""
        monkeypatch.setattr(pushing, "server_key", lambda visit: public_key(bytes(32)))
        page = refusing
        page.goto(f"{place.address}/settings")
        assert page.evaluate("Notification.permission") == "denied"
        sent = list[str]()
        page.on("request", lambda one: sent.append(one.url) if _is_form(one) else None)
        tell = page.get_by_role("button", name="Tell me here")
        refused = page.get_by_text("This browser does not allow it.")
        for _ in range(2):
            tell.click()
            expect(refused).to_be_visible()
            expect(tell).to_be_enabled()
        assert not sent
        check_is_accessible(page)
        page.get_by_role("link", name="how that works").click()
        page.go_back()
        expect(tell).to_be_visible()
        expect(refused).to_be_hidden()

    def test_a_browser_tells_of_a_turn_until_it_is_switched_off(
        self, place: Place, enter: Enter, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(pushing, "server_key", lambda visit: "B" * 87)
        page = enter("carol")
        page.add_init_script(_SUBSCRIBING % f"return {{...{_GIVEN}}}")
        page.context.grant_permissions(["notifications"])
        page.goto(f"{place.address}/settings")
        page.get_by_role("button", name="Tell me here").click()
        page.get_by_text("This browser tells you when it is your turn").wait_for()
        wait_until(lambda: page.evaluate(_ACTIVE) == "activated")  # or it hears nothing
        versions = list[str]()
        session = page.context.new_cdp_session(page)
        session.on(
            "ServiceWorker.workerRegistrationUpdated",
            lambda told: versions.extend(
                one["registrationId"]
                for one in told["registrations"]
                if not one["isDeleted"]  # of a test before
            ),
        )
        session.send("ServiceWorker.enable")
        wait_until(lambda: _pump(page) and versions)
        for data in ("holo/12", "<b>", "https://example.org"):
            session.send(
                "ServiceWorker.deliverPushMessage",
                {
                    "origin": place.address,
                    "registrationId": versions[-1],
                    "data": data,
                },
            )
        wait_until(lambda: page.evaluate(_NOTICES))
        assert page.evaluate(_NOTICES) == [["holo 12", "It is your turn.", "/holo/12"]]
        page.get_by_role("button", name="Stop telling me").click()
        expect(page.get_by_role("button", name="Tell me here")).to_be_visible()


def _is_form(request: Request) -> bool:
    return request.method == "POST"


_SUBSCRIBING = "PushManager.prototype.subscribe = async () => { %s; };"
_GIVEN = (
    "{endpoint: 'https://fcm.googleapis.com/fcm/send/x', toJSON: () => ({keys: "
    "{p256dh: 'B'.repeat(87), auth: 'a'.repeat(22)}})}"
)
_NOTICES = """navigator.serviceWorker.ready.then(one => one.getNotifications())
    .then(all => all.map(({title, body, data}) => [title, body, data]))"""


def _pump(page: Page) -> bool:
    """Have the driver tell what has happened."""
    return bool(page.evaluate("true"))


def _with_worker(page: Page, place: Place) -> None:
    """Open a page, which has its worker then."""
    page.goto(place.address)
    wait_until(lambda: page.evaluate(_STATE) == "activated")


_ACTIVE = "navigator.serviceWorker.ready.then(one => one.active.state)"
_STATE = "navigator.serviceWorker.controller?.state"


def _kept(page: Page) -> list[str]:
    names: list[str] = page.evaluate("caches.keys()")
    return names
