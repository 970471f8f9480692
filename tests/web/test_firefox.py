"""The pages in Debian's Firefox."""

from functools import partial
from pathlib import Path

import pytest

from pbm_holomino.match.board import Match
from pbm_holomino.web.boards import revision
from tests.boards import short, typed
from tests.house import PASSWORDS, home, mail_of
from tests.processes import wait_until
from tests.web.chromium import SPOT, TILE, YES, Place, place
from tests.web.firefox import firefox

__all__ = ["place"]


@pytest.mark.needs("firefox-esr")
@pytest.mark.xdist_group("firefox")
def test_a_game_is_played_to_its_end_in_firefox(place: Place, tmp_path: Path) -> None:
    """Alice has Firefox, and is told of bob's moves; he plays by mail."""
    library, number = place.house.library, place.challenge("holo", typed(short("holo")))
    with firefox(tmp_path / "profile") as browser:
        browser.go(f"{place.address}/signin")
        browser.write("#userid", "alice")
        browser.write("main [type=password]", PASSWORDS["alice"])
        browser.press("main form button")
        wait_until(lambda: "Your boards" in browser.text())
        browser.go(f"{place.address}/holo/{number}")
        while (match := library.match("holo", number)).result is None:
            if match.turn[0] == "alice":
                wait_until(lambda: browser.run(_SHOWN) == revision(match), "its page")
                for selector in (TILE, f"{SPOT} *", YES):  # Firefox presses no group
                    browser.press(selector)
                wait_until(partial(_has_gone_on, place, match))
            else:
                move = match.view(None).legal[0]
                words = f"holo move {number} bob {PASSWORDS['bob']} {move}"
                place.house.mail(mail_of(words, home("bob")))
        wait_until(lambda: "The game is over" in browser.text())
        browser.go(place.address)
        wait_until(lambda: browser.run(_WORKER) == "activated", "its worker")
        ratio = browser.run("return document.documentElement.scrollWidth / innerWidth")
        assert ratio <= 1


def _has_gone_on(place: Place, match: Match) -> bool:
    game, number = match.record.game, match.record.board
    return place.house.library.match(game, number).ply > match.ply


_SHOWN = "return document.querySelector('main')?.dataset.revision"
_WORKER = "return navigator.serviceWorker.controller?.state"
