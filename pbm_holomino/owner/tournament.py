"""`pbm tournament open` and `pbm tournament cancel`."""

from collections.abc import Iterable, Mapping

from pbm_holomino.commands.challenges import check_seats
from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.errors import BadCommand, NotAllowed
from pbm_holomino.letters.letter import Due
from pbm_holomino.letters.tournament_letters import joining
from pbm_holomino.match import ledgers, pairings
from pbm_holomino.match.record import NOBODY, LogLine, typed_source
from pbm_holomino.match.times import later
from pbm_holomino.match.tournament import (
    ROBIN,
    SWISS,
    Change,
    Kind,
    Setup,
    Tournament,
    state,
)
from pbm_holomino.owner.rounds import options_of
from pbm_holomino.sentences import fill, moment, quoted
from pbm_holomino.server import open as opener
from pbm_holomino.store import tournaments
from pbm_holomino.store.contract import TOURNAMENTS

USUAL_DAYS = 14  # in which a tournament can be entered


def open_entries(request: Request) -> Answer:
    """Open a tournament for those who enter it."""
    game, system, *given = request.words
    options, chosen = set_options(given), request.options
    options_of(game, options)
    check_seats(game, ("", ""))
    _check_rounds(system, chosen)
    if system == SWISS:
        pairings.library()  # it is missed now rather than at the first round
    server, _ = opener.open_existing()
    store = server.store
    with store.lock(TOURNAMENTS, "new"):
        now = server.now()
        setup = Setup(
            number=store.next_number(TOURNAMENTS),
            game=game,
            system=system,
            rounds=int(chosen.get("rounds", 0)),
            at_once="at_once" in chosen,
            starts=later(now, int(chosen.get("days", USUAL_DAYS))),
            options=options,
        )
        line = LogLine(None, now, NOBODY, typed_source(), Change(Kind.OPEN))
        tournament = Tournament(setup).after(line)
        with store.lock(TOURNAMENTS, str(setup.number)):
            server.library.save(tournament)
    name = tournament.name.capitalize()
    return Answer(
        fill(
            f"{name} is open ({tournament.title!s}). It begins after "
            f"{moment(setup.starts)}, with those who have entered by then with"
        )
        + f"  {joining(tournament)}\n"
    )


def _check_rounds(system: str, chosen: Mapping[str, str]) -> None:
    """Raises BadCommand for an option about rounds that the system does not have."""
    if system == ROBIN and "rounds" in chosen:
        raise BadCommand(
            "A round robin has as many rounds as it needs: please leave out --rounds.",
            "tournament open",
        )
    if system != ROBIN and "at_once" in chosen:
        raise BadCommand(
            "The rounds of a Swiss tournament follow one another, as each depends on "
            "the one before: please leave out --at-once.",
            "tournament open",
        )


def set_options(given: Iterable[str]) -> dict[str, str]:
    """Options such as `forfeit=10`, by name. Raises BadCommand for one that is given
    twice."""
    options: dict[str, str] = {}
    for word in given:
        name, _, value = word.partition("=")
        if name.lower() in options:
            raise BadCommand(f"{quoted(name)} is given twice.", "tournament open")
        options[name.lower()] = value
    return options


def cancel(request: Request) -> Answer:
    """Cancel a tournament, and tell its players."""
    server, _ = opener.open_existing()
    number, store = request.board, server.store
    tournaments.find(server.library, number)  # a lock would stay for ever
    with store.lock(TOURNAMENTS, str(number)):
        tournament = tournaments.find(server.library, number)
        if tournament.is_over:
            raise NotAllowed(state(tournament))
        line = LogLine(None, server.now(), NOBODY, typed_source(), Change(Kind.CANCEL))
        before, tournament = tournament, tournament.after(line)
        server.library.save(
            tournament, ledgers.kind_of(tournament).marked(before, tournament)
        )
    server.delivery.deliver([Due.of(tournament)])
    return Answer(f"{state(tournament)!s}\n")
