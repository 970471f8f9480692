"""What players have asked the robots for, until it is done, and what they were taught.
How a mail was answered that asked is kept for longer, as it may come again.

Each request is kept like a mail, under a name that says all of it. A review is derived
from its board: it is in `reviews/<game>-<board>.yaml`, and made again where that does
not fit the board.
"""

import re

from pbm_holomino import rules
from pbm_holomino.errors import CorruptFile
from pbm_holomino.match import lessons
from pbm_holomino.match.board import Match
from pbm_holomino.match.ledgers import is_number
from pbm_holomino.match.lessons import Advice, Lesson, Review
from pbm_holomino.store import documents
from pbm_holomino.store.contract import ASKED, HINTS, LESSONS, REVIEWS, Store
from pbm_holomino.store.damage import DAMAGE

_NAME = r"(hint|review)\.([a-z]+)\.([0-9]{1,9})\.([a-z][a-z0-9_]{1,19})\.([0-9]{1,9})"


def ask(store: Store, lesson: Lesson, source: str) -> None:
    """Keep what the command with this source asks for, until it is done."""
    store.kept.keep(LESSONS, _filename(lesson), source.encode())


def note_answer(store: Store, who: str, source: str, text: str) -> None:
    """Keep how the command with this source was answered. After very many others it is
    forgotten."""
    store.kept.keep(ASKED, _answer_to(who, source), text.encode())


def answer(store: Store, who: str, source: str) -> str:
    """How the command with this source was answered before; empty if it was not."""
    return (store.kept.read(ASKED, _answer_to(who, source)) or b"").decode()


def _answer_to(who: str, source: str) -> str:
    return f"{who}.{re.sub('[^a-z0-9]', '-', source)}.eml"


def source(store: Store, lesson: Lesson) -> str:
    """The source of the command that has asked for it."""
    return (store.kept.read(LESSONS, _filename(lesson)) or b"").decode()


def asked(store: Store) -> list[Lesson]:
    """What players have asked for, the oldest first."""
    names = (re.fullmatch(rf"{_NAME}\.eml", n) for n in store.kept.mails(LESSONS))
    found = [name.groups() for name in names if name]
    return [
        Lesson(kind, game, int(board), who, int(moves))
        for kind, game, board, who, moves in found
        if game in rules.names()
    ]


def done(store: Store, lesson: Lesson) -> None:
    """Forget a request."""
    store.kept.remove(LESSONS, _filename(lesson))


def _filename(lesson: Lesson) -> str:
    return f"{'.'.join(map(str, lesson))}.eml"


# Reviews


def review(store: Store, match: Match) -> Review | None:
    """The review of a board; None if there is none yet, or it cannot be used."""
    try:
        data = documents.read(store, REVIEWS, _review_of(match))
        found = None if data is None else lessons.from_data(data)
    except (CorruptFile, *DAMAGE):
        return None
    return found if found and found.fits(match) else None


def save(store: Store, match: Match, found: Review) -> None:
    """Store the review of a board. Raises Busy or StoreTrouble."""
    name = _review_of(match)
    with store.lock(REVIEWS, name):
        store.save(REVIEWS, name, lessons.to_data(found))


def remove(store: Store, name: str) -> None:
    """Remove the document of a review. Raises Busy or StoreTrouble."""
    with store.lock(REVIEWS, name):
        store.remove(REVIEWS, name)


def _review_of(match: Match) -> str:
    return f"{match.record.game}-{match.record.board}"


def board_of(name: str) -> tuple[str, int] | None:
    """The board that the document of this name reviews; None if it is not a review."""
    game, _, board = name.rpartition("-")
    if game not in rules.names() or not is_number(board):
        return None
    return game, int(board)


# Hints


def hint(store: Store, match: Match, who: str) -> Advice | None:
    """What a robot has advised a player in this position; None if it has not."""
    content = store.kept.read(HINTS, _hint_of(match, who)) or b""
    move, _, reason = content.decode().partition("\n")
    return Advice(move, reason) if reason else None


def keep_hint(store: Store, match: Match, who: str, advice: Advice) -> None:
    """Keep what a robot advises a player. After very many others it is forgotten."""
    store.kept.keep(HINTS, _hint_of(match, who), "\n".join(advice).encode())


def _hint_of(match: Match, who: str) -> str:
    return f"{_review_of(match)}-{who}-{lessons.digest(match)[:16]}.eml"
