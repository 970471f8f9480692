"""Answers as HTML on a telephone, with the widest words that their tables can have."""

import re
from pathlib import Path

import pytest

from pbm_holomino.letters import reviews
from pbm_holomino.letters.content import Seat, Seats, Table
from pbm_holomino.letters.html import Links, html
from tests.boards import finished
from tests.letters.answered import ASKED, HELP, WIDEST, Answered, answered
from tests.letters.pages import SERVER
from tests.real.browser import View, measure

__all__ = ["answered"]
pytestmark = pytest.mark.needs("chromium-headless-shell")


def review() -> str:
    """The table of a review, with the longest words that one can have."""
    row = (100, f"{WIDEST[:13]}...", "1043,1044:66", 3375, "the same", "1234.5")
    heads = reviews.columns(finished(1, "holo"))
    return html(((Table(reviews.SIDES, heads, (row,)),),), Links(SERVER))


def players() -> str:
    """The table of players with the longest names, scores and lists of tiles."""
    seat = Seat(True, f"{WIDEST} (resigned)", -12345, ("RGYPB",) * 19, "")
    return html(((Seats("minus points", (seat, seat)),),), Links(SERVER))


def test_nothing_is_wider_than_a_telephone(answered: Answered, tmp_path: Path) -> None:
    pages = [page for line in (*ASKED, *HELP) for _, page in answered.pages(line)]
    assert any(f"{WIDEST}</td>" in page for page in pages)
    assert any(f"<b>{WIDEST}</b>" in page for page in pages)
    views = [View(page, 360, "light") for page in (*pages, review(), players())]
    for view, measured in zip(views, measure(views, tmp_path), strict=True):
        wide = max(measured["overflow"] + 360, measured["tables"])
        assert wide <= 360, re.search("<h1.*?</h1>|<p.*?</p>", view.page)
