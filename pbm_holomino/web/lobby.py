"""The page about games that wait for players."""

from collections.abc import Sequence
from typing import Any

from starlette.responses import Response

from pbm_holomino import rules
from pbm_holomino.commands.params import is_page
from pbm_holomino.commands.seeks import open_page
from pbm_holomino.languages import Sentence
from pbm_holomino.match.board import Match
from pbm_holomino.match.open_challenge import lapses, seats_in_words
from pbm_holomino.match.tournament import OPEN
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.web.tournaments import latest
from pbm_holomino.web.visit import NoPage, Visit


class Seek(NamedTuple):
    """An open challenge, as it is shown."""

    challenge: Match
    seats: Sentence  # in words
    until: str  # when it lapses
    can_take: bool  # whether the reader can take it up


def lobby(visit: Visit) -> Response:
    """The challenges that the reader has not answered, those that are open to anybody,
    page by page, and the tournaments that can be entered."""
    game = visit.query("game")
    games = [game] if game in rules.names() else rules.names()
    return visit.page(
        "open.html",
        asked=_asked(visit),
        **seeks(visit, games, page_asked(visit)),
        tournaments=[one for one in latest(visit) if one.status == OPEN],
    )


def page_asked(visit: Visit) -> int:
    """The page of a list that is asked for. Raises NotFound."""
    word = visit.query("page") or "1"
    if not is_page(word):
        raise NoPage
    return int(word)


def _asked(visit: Visit) -> Sequence[object]:
    """The boards to which the reader is challenged."""
    if visit.player is None:
        return []
    who = visit.player.userid
    boards = visit.library.lists.boards_of([who], "active").boards
    return [board for board in boards if who in board.unanswered]


def seeks(visit: Visit, games: Sequence[str], page: int = 1) -> dict[str, Any]:
    """A page of the open challenges of these games, and the query that leads to the
    next one, if there is one."""
    listed = open_page(visit.library, games, page, visit.now)
    game = f"game={games[0]}&" if len(games) == 1 else ""
    return {
        "seeks": [seek(visit, one) for one in listed.challenges],
        "more_seeks": f"{game}page={page + 1}" if listed.left else "",
    }


def seek(visit: Visit, one: Match) -> Seek:
    """An open challenge, as the reader finds it."""
    who = visit.player.userid if visit.player else ""
    can_take = bool(who) and who not in one.seated and not one.record.ended
    return Seek(one, seats_in_words(one), lapses(one), can_take)
