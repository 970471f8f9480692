"""The tournaments in a store."""

from pbm_holomino.errors import CorruptFile
from pbm_holomino.match.ledgers import is_number
from pbm_holomino.match.tournament import TIED, Tournament
from pbm_holomino.store.contract import TOURNAMENTS, Store
from pbm_holomino.store.library import Library
from pbm_holomino.store.summary import Summary


def numbers(store: Store) -> list[int]:
    """The numbers of all tournaments, ascending."""
    return sorted(map(int, filter(is_number, store.names(TOURNAMENTS))))


def find(library: Library, number: int) -> Tournament:
    """A tournament. Raises NotFound or CorruptFile."""
    tournament: Tournament = library.ledger(TOURNAMENTS, str(number))
    return tournament


def results(library: Library, tournament: Tournament) -> dict[int, tuple[int, int]]:
    """The points, by board, of the games that have ended and whose results are not in
    the log yet. A board that the owner has cancelled, or that is gone, counts as a tie.
    Raises CorruptFile."""
    ended = {}
    for game in tournament.running:
        board, name = game.board or 0, tournament.setup.game
        if not library.store.exists(name, str(board)):
            ended[board] = TIED
            continue
        entry = library.lists.entry(name, board)
        if isinstance(entry, CorruptFile):
            raise entry
        if entry is not None and entry.result is not None:
            ended[board] = _points(entry, game.players)
    return ended


def _points(board: Summary, players: tuple[str, ...]) -> tuple[int, int]:
    """The points of both players on a board that is over, in halves."""
    winners = board.result.winners if board.result else ()
    if len(winners) != 1:
        return TIED
    first, second = (2 * (player in winners) for player in players)
    return first, second
