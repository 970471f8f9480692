"""The tournaments in a store."""

from pbm_holomino.errors import CorruptFile, NotFound
from pbm_holomino.match import tournament
from pbm_holomino.match.tournament import TIED, Tournament
from pbm_holomino.store.contract import TOURNAMENTS, Document, Store
from pbm_holomino.store.damage import DAMAGE, corrupt
from pbm_holomino.store.documents import data_of
from pbm_holomino.store.library import Library, Reader
from pbm_holomino.store.summary import Summary, is_number


def numbers(store: Store) -> list[int]:
    """The numbers of all tournaments, ascending."""
    return sorted(map(int, filter(is_number, store.names(TOURNAMENTS))))


def find(
    store: Store, number: int, reader: Reader[Tournament] | None = None
) -> Tournament:
    """A tournament, read by a reader that may remember it. Raises NotFound or
    CorruptFile."""
    name = str(number)

    def parsed(document: Document | None) -> Tournament:
        data = data_of(TOURNAMENTS, name, document, store.noun)
        if data is None:
            raise NotFound(
                f'There is no tournament {number}: "tournament" lists those that there '
                "are."
            )
        try:
            found = tournament.from_data(data)
            if found.setup.number != number:
                raise ValueError(f"it says it is {found.name}")
            return found
        except DAMAGE as error:
            raise corrupt(TOURNAMENTS, name, error, store.noun) from None

    return (reader or Reader(store)).get(TOURNAMENTS, name, parsed)


def save(store: Store, changed: Tournament, unsent: int | None = None) -> None:
    """Save a tournament, and mark the letters about a line of its log as unsent."""
    name = str(changed.setup.number)
    store.save(TOURNAMENTS, name, tournament.to_data(changed), unsent)


def results(library: Library, found: Tournament) -> dict[int, tuple[int, int]]:
    """The points, by board, of the games that have ended and whose results are not in
    the log yet. A board that the owner has cancelled, or that is gone, counts as a tie.
    Raises CorruptFile."""
    ended = {}
    for game in found.running:
        board, name = game.board or 0, found.setup.game
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
