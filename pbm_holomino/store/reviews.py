"""The reviews of boards, in `reviews/<game>-<board>.yaml`. Each is derived from its
board, and made again where it does not fit that."""

from pbm_holomino import rules
from pbm_holomino.errors import CorruptFile
from pbm_holomino.match import reviews
from pbm_holomino.match.board import Match
from pbm_holomino.match.ledgers import is_number
from pbm_holomino.match.reviews import Review
from pbm_holomino.store import documents
from pbm_holomino.store.contract import REVIEWS, Store
from pbm_holomino.store.damage import DAMAGE


def find(store: Store, match: Match) -> Review | None:
    """The review of a board; None if there is none yet, or it cannot be used."""
    try:
        data = documents.read(store, REVIEWS, _name(match))
        review = None if data is None else reviews.from_data(data)
    except (CorruptFile, *DAMAGE):
        return None
    return review if review and review.fits(match) else None


def save(store: Store, match: Match, review: Review) -> None:
    """Store the review of a board. Raises Busy or StoreTrouble."""
    name = _name(match)
    with store.lock(REVIEWS, name):
        store.save(REVIEWS, name, reviews.to_data(review))


def remove(store: Store, name: str) -> None:
    """Remove the document of a review. Raises Busy or StoreTrouble."""
    with store.lock(REVIEWS, name):
        store.remove(REVIEWS, name)


def _name(match: Match) -> str:
    return f"{match.record.game}-{match.record.board}"


def board_of(name: str) -> tuple[str, int] | None:
    """The board that the document of this name reviews; None if it is not a review."""
    game, _, board = name.rpartition("-")
    if game not in rules.names() or not is_number(board):
        return None
    return game, int(board)
