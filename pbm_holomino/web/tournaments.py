"""The pages about tournaments: all of them, and each with its table and its rounds."""

import hashlib
from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from pbm_holomino.commands.tournaments import listed
from pbm_holomino.errors import PbmError
from pbm_holomino.languages import Text, sentence
from pbm_holomino.letters.board_json import json_line
from pbm_holomino.letters.tournament_letters import (
    result_of,
    state_in_words,
    to_json,
)
from pbm_holomino.match.account import PLACEHOLDER
from pbm_holomino.match.tournament import (
    OPEN,
    ROBIN,
    RUNNING,
    SWISS,
    Bye,
    Game,
    Tournament,
)
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.store import tournaments
from pbm_holomino.store.people import People
from pbm_holomino.web.visit import NoPage, Undone, Visit, status_of

_VERBS = ("join", "leave")


def listing(visit: Visit) -> Response:
    """All tournaments: those that can be entered, those that go on, those that are
    over."""
    listed = latest(visit)
    return visit.page(
        "tournaments.html",
        opened=[one for one in listed if one.status == OPEN],
        running=[one for one in listed if one.status == RUNNING],
        ended=[one for one in listed if one.is_over],
    )


def latest(visit: Visit) -> list[Tournament]:
    """The latest tournaments, the last that was opened first."""
    found, _ = listed(visit.library)
    return found[::-1]


def tournament(visit: Visit) -> Response:
    """A tournament: who has entered it or, once it has begun, its table, and the games
    of each round."""
    tournament = _tournament_of(visit)
    fields = to_json(tournament)

    def make() -> dict[str, Any]:
        return _context(visit, tournament, fields)

    shown = hashlib.sha256(json_line(fields).encode())
    shown.update(visit.site.config.signups.encode())
    tag = shown.hexdigest()[:20]
    return visit.known_page(tournament.setup.number, tag, "tournament.html", make)


def _tournament_of(visit: Visit) -> Tournament:
    """The tournament that a path names. Raises NotFound or CorruptFile."""
    library, number = visit.library, visit.number("number")
    tournament = tournaments.find(library, number)
    tournament = tournament.with_results(tournaments.results(library, tournament))
    return People(library).in_table(tournament)


def _context(
    visit: Visit, tournament: Tournament, fields: Mapping[str, Any], alert: Text = ""
) -> dict[str, Any]:
    """All that the page of a tournament shows a reader."""
    who = visit.player.userid if visit.player else ""
    is_in = who in tournament.present
    return {
        "found": tournament,
        "state": state_in_words(tournament),
        "rows": fields["players"],
        "ties": _TIES[tournament.setup.system],
        "rounds": [
            _Round.of(tournament, number) for number in range(tournament.paired, 0, -1)
        ],
        "can_join": bool(who) and tournament.status == OPEN and not is_in,
        "can_leave": is_in and not tournament.is_over,
        "alert": alert,
    }


# The ways in which ties are broken: their fields, titles, and how they are written.
_DIRECT = ("direct", sentence("direct"), "%.1f")
_TIES = {
    SWISS: (("buchholz", "Buchholz", "%.1f"), _DIRECT),
    ROBIN: (_DIRECT, ("sonneborn", "Sonneborn-Berger", "%.2f")),
}


class _Round(NamedTuple):
    """A round: its games with their results, who has no game, and whether it is the
    last or goes on."""

    number: int
    games: list[tuple[Game, str]]
    byes: list[Bye]
    is_current: bool

    @classmethod
    def of(cls, tournament: Tournament, number: int) -> "_Round":
        games = [(g, result_of(g)) for g in tournament.games if g.round == number]
        byes = [bye for bye in tournament.byes if bye.round == number]
        goes_on = any(not result for _, result in games)
        return cls(number, games, byes, goes_on or number == tournament.paired)


def enter(visit: Visit) -> Response:
    """Enter a tournament, or leave it."""
    verb, number = visit.word("verb"), visit.number("number")
    who = visit.must_be_player().userid
    if verb not in _VERBS:
        raise NoPage
    try:
        visit.run(who, "tournament", verb, str(number), who, PLACEHOLDER)
    except PbmError as error:
        status = 422 if isinstance(error, Undone) else status_of(error)
        tournament = _tournament_of(visit)
        context = _context(visit, tournament, to_json(tournament), error.said)
        return visit.page("tournament.html", status, **context)
    return visit.redirect("tournaments", number)
