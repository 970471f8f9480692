"""The page about games that wait for players."""

from collections.abc import Sequence
from typing import NamedTuple

from starlette.responses import Response

from pbm_holomino import rules
from pbm_holomino.commands.results import MOST_LISTED
from pbm_holomino.match.open_challenge import OpenChallenge, seats_in_words
from pbm_holomino.match.tournament import OPEN
from pbm_holomino.web.tournaments import latest
from pbm_holomino.web.visit import Visit


class Seek(NamedTuple):
    """An open challenge, its seats in words, and whether the reader can take it up."""

    challenge: OpenChallenge
    seats: str
    can_take: bool


def lobby(visit: Visit) -> Response:
    """The challenges that the reader has not answered, those that are open to anybody,
    and the tournaments that can be entered."""
    return visit.page(
        "open.html",
        asked=_asked(visit),
        seeks=seeks(visit, rules.names()),
        tournaments=[one for one in latest(visit) if one.status == OPEN],
    )


def _asked(visit: Visit) -> Sequence[object]:
    """The boards to which the reader is challenged."""
    if visit.player is None:
        return []
    who = visit.player.userid
    found = visit.library.lists.boards_of([who], "active").boards
    return [board for board in found if who in board.unanswered]


def seeks(visit: Visit, games: Sequence[str]) -> list[Seek]:
    """The open challenges of these games."""
    found = visit.library.lists.open_challenges(games).boards[:MOST_LISTED]
    tables = (visit.library.table(one.game, one.board) for one in found)
    return [seek(visit, one) for one in tables if isinstance(one, OpenChallenge)]


def seek(visit: Visit, one: OpenChallenge) -> Seek:
    """An open challenge, as the reader finds it."""
    who = visit.player.userid if visit.player else ""
    can_take = bool(who) and who not in one.seated and not one.ended
    return Seek(one, seats_in_words(one), can_take)
