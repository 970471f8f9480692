"""What a move costs in views and pictures, however many letters show it."""

from collections import Counter
from typing import Any

import pytest

from pbm_holomino.draw import text
from pbm_holomino.rules import load
from pbm_holomino.rules.contract import Drawing
from tests.club import Club
from tests.house import home, mail_of

GAME = "hextol"  # its small pictures are others than the large ones


def test_a_board_is_viewed_and_drawn_once_a_line(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file, and two letters with it as text and as HTML, share one picture of each
    size."""
    club.open(GAME).play(most=8)  # by then it is too wide for a telephone
    club.server.sent.clear()
    board = club.board()
    (who,), move = board.turn, board.view(None).legal[-1]
    game, draw, counted = load(GAME), text.draw, Counter[str]()
    view = game.view

    def viewed(*words: Any) -> Any:
        counted["view"] += 1
        return view(*words)

    def drawn(drawing: Drawing, small: bool = False) -> str:
        counted["small" if small else "large"] += 1
        return draw(drawing, small)

    monkeypatch.setattr(game, "view", viewed)
    monkeypatch.setattr(text, "draw", drawn)
    club.server.mail(mail_of(club.line(who, move), home(who)))
    assert {*club.letters()} == {"alice", "bob"}
    assert counted == {"view": 1, "large": 1, "small": 1}
