"""The open challenges in pages: the newest first, and their players in turns."""

from collections.abc import Sequence

from pbm_holomino.errors import CorruptFile, NotFound
from pbm_holomino.languages import of_number
from pbm_holomino.match.board import Match
from pbm_holomino.match.turns import dealt
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.store.library import Library
from pbm_holomino.store.newcomers import newcomers

MOST_LISTED = 100  # on a page


class Seeks(NamedTuple):
    """A page of open challenges, how many come after it, and the damaged files."""

    challenges: list[Match]
    left: int
    damaged: list[CorruptFile]


def open_page(
    library: Library, games: Sequence[str] | None, page: int, now: str
) -> Seeks:
    """A page of the open challenges of some games, or of all. So that nobody's are
    hidden by somebody who opens many, they are listed in turns (see `match.turns`).
    Raises NotFound for a page after the last."""
    found = library.lists.open_challenges(games)
    newest = sorted(found.boards, key=lambda one: (one.due, one.board), reverse=True)
    new = newcomers(library, (one.challenger for one in newest), now)
    order = dealt(newest, lambda one: one.challenger, new)
    pages = max(1, -(-len(order) // MOST_LISTED))
    if page > pages:
        raise NotFound(
            of_number(
                "There is no page {page} of open challenges: they take up {n} page.",
                "There is no page {page} of open challenges: they take up {n} pages.",
                page=page,
                n=pages,
            )
        )
    start, end = MOST_LISTED * (page - 1), MOST_LISTED * page
    boards = [library.board(one.game, one.board) for one in order[start:end]]
    challenges = [one for one in boards if not one.has_begun]
    return Seeks(challenges, len(order[end:]), found.damaged)
