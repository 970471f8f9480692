"""What the clock does in tournaments: it starts them, pairs their rounds, opens their
boards, counts the results, and ends them.

All that is due follows from a tournament's log and its boards. A round is in the log
before its boards are opened, and each board is known by the round and the table that it
is for; so a process that dies in between leaves nothing to be done twice.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pbm_holomino import rules
from pbm_holomino.commands.challenges import chosen_options
from pbm_holomino.commands.request import Request
from pbm_holomino.errors import CorruptFile
from pbm_holomino.letters.letter import Due
from pbm_holomino.match import replay
from pbm_holomino.match.record import NOBODY, TICKED, Act, Line, LogLine, Record
from pbm_holomino.match.tournament import (
    OPEN,
    Change,
    Game,
    Kind,
    Tournament,
    TournamentLine,
    result,
    source_of,
    state,
)
from pbm_holomino.owner.clocks import Step
from pbm_holomino.server.transaction import Server
from pbm_holomino.store import tournaments
from pbm_holomino.store.ratings import Rating, current_ratings


def step(server: Server, tournament: Tournament) -> Step | None:
    """What is due in a tournament, and a sentence if players will notice."""
    if tournament.is_over or not (due := _due(server, tournament)):
        return None
    after = tournament.after(*due)
    return Step(after, [*_said(after, due[-1].action.kind)])


def _said(tournament: Tournament, kind: Kind) -> Iterator[str]:
    name = tournament.name.capitalize()
    if kind is Kind.BOARDS:
        rounds = f"round {tournament.paired} has"
        if tournament.setup.at_once:
            rounds = "all rounds have"
        yield f"{name}: {rounds} begun."
    elif kind in (Kind.END, Kind.CANCEL):
        yield str(state(tournament))


def _due(server: Server, tournament: Tournament) -> list[TournamentLine]:
    """The lines that the log gets next; none if nothing is due. Only the last of them
    may have letters."""
    now = server.now()

    def line(kind: Kind, *words: str, who: str = NOBODY) -> TournamentLine:
        return LogLine(None, now, who, TICKED, Change(kind, words))

    if tournament.status == OPEN:
        if now < tournament.setup.starts:
            return []
        gone = _gone(server, tournament)
        leaving = [line(Kind.LEAVE, who=who) for who in gone]
        left = [player for player in tournament.players if player not in gone]
        if len(left) < 2:
            return [*leaving, line(Kind.CANCEL)]
        return [*leaving, line(Kind.START, *_by_strength(server, tournament, left))]
    waits = tournament.unopened or tournament.running
    if waits and not (
        tournament.setup.at_once and tournament.paired < tournament.rounds
    ):
        if tournament.unopened:
            boards = [
                str(_board(server, tournament, game)) for game in tournament.unopened
            ]
            return [line(Kind.BOARDS, *boards)]
        ended = tournaments.results(server.library, tournament).items()
        changes = [result(board, points) for board, points in ended]
        return [LogLine(None, now, NOBODY, TICKED, change) for change in changes]
    if gone := _gone(server, tournament):
        return [line(Kind.LEAVE, who=who) for who in gone]
    words = tournament.next_round()
    return [line(Kind.END) if words is None else line(Kind.ROUND, *words)]


def _gone(server: Server, tournament: Tournament) -> list[str]:
    """The players who have signed off or deleted their accounts."""
    return [who for who in tournament.present if _is_gone(server, who)]


def _is_gone(server: Server, who: str) -> bool:
    try:
        player = server.library.player(who)
    except CorruptFile:  # theirs all the same
        return False
    return player is None or player.status != "on"


def _by_strength(
    server: Server, tournament: Tournament, players: Sequence[str]
) -> list[str]:
    """The players by rating, the highest first; of equal ones, who entered first."""
    rated = current_ratings(server.library, tournament.setup.game)
    return sorted(players, key=lambda who: -rated.get(who, Rating()).points)


def _board(server: Server, tournament: Tournament, game: Game) -> int:
    """The number of the board of a game, which is opened unless it has been."""
    name, source = tournament.setup.game, source_of(tournament.setup.number, game)
    with server.store.lock(name, "new"):
        opened = server.library.opened_by(name, source)
        if opened is None:
            setup = _setup(server, tournament, game)
            line = Line(0, server.now(), NOBODY, source, Act.PAIR)
            opened = replay.begin(setup, game.players, line)
            server.library.save(opened, unsent=0)
    server.delivery.deliver([Due.of(opened)])
    return opened.record.board


def _setup(server: Server, tournament: Tournament, game: Game) -> Record:
    """The record of a new board, without its players and its log."""
    name = tournament.setup.game
    options, common = options_of(name, tournament.setup.options)
    return Record(
        game=name,
        board=server.store.next_number(name),
        version=rules.load(name).VERSION,
        players=(),
        options=options,
        seed=server.seed(),
        log=(),
        challenger=game.players[0],
        tournament=f"{tournament.setup.number}.{game.round}",
        **common,
    )


def options_of(
    game: str, given: Mapping[str, str]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The game's own options, and those of every game, of these words by name. Raises
    BadOption."""
    return chosen_options(Request("challenge", game, options=given))
