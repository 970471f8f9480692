"""What robots say of a move: why a player may choose it."""

from typing import TypeVar

from pbm_holomino.languages import Sentence, of_number, sentence
from pbm_holomino.languages.recognised import recognised
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.robots.search import Position
from pbm_holomino.rules.scoring import Scoring
from pbm_holomino.sentences import amount

MoveT = TypeVar("MoveT")


class _Reason(NamedTuple):
    """What is said of a move that scores nothing or `{n}` points, and of what the
    other can score then: so many `{points}`, if it says that. The `risk` is the same
    without what the move scores."""

    nothing: Sentence
    scores: Sentence
    risk: Sentence


NOTHING_GAINED = sentence("It gains nothing at once.")
_IS_OVER = _Reason(
    sentence("It scores nothing, and the game is over."),
    of_number(
        "It scores {n} point, and the game is over.",
        "It scores {n} points, and the game is over.",
    ),
    sentence("Then the game is over."),
)
_CANNOT_MOVE = _Reason(
    sentence("It scores nothing, and your opponent cannot move."),
    of_number(
        "It scores {n} point, and your opponent cannot move.",
        "It scores {n} points, and your opponent cannot move.",
    ),
    sentence("Then your opponent cannot move."),
)
_DRAWS_FOR_NOTHING = _Reason(
    sentence(
        "It scores nothing, and your opponent must draw first and can then score "
        "nothing."
    ),
    of_number(
        "It scores {n} point, and your opponent must draw first and can then score "
        "nothing.",
        "It scores {n} points, and your opponent must draw first and can then score "
        "nothing.",
    ),
    sentence("Your opponent must draw first and can then score nothing."),
)
_DRAWS = _Reason(
    sentence(
        "It scores nothing, but your opponent must draw first and can then score at "
        "most {points}."
    ),
    of_number(
        "It scores {n} point, and your opponent must draw first and can then score at "
        "most {points}.",
        "It scores {n} points, and your opponent must draw first and can then score at "
        "most {points}.",
    ),
    sentence("Your opponent must draw first and can then score at most {points}."),
)
_NOTHING = _Reason(
    sentence("It scores nothing, and your opponent can score nothing in return."),
    of_number(
        "It scores {n} point, and your opponent can score nothing in return.",
        "It scores {n} points, and your opponent can score nothing in return.",
    ),
    sentence("Your opponent can score nothing in return."),
)
_HARDLY_ANYTHING = _Reason(
    sentence(
        "It scores nothing, and your opponent can score hardly anything in return."
    ),
    of_number(
        "It scores {n} point, and your opponent can score hardly anything in return.",
        "It scores {n} points, and your opponent can score hardly anything in return.",
    ),
    sentence("Your opponent can score hardly anything in return."),
)
_ABOUT = _Reason(
    sentence(
        "It scores nothing, but your opponent can score about {points} in return."
    ),
    of_number(
        "It scores {n} point, and your opponent can score about {points} in return.",
        "It scores {n} points, and your opponent can score about {points} in return.",
    ),
    sentence("Your opponent can score about {points} in return."),
)
_AT_MOST = _Reason(
    sentence(
        "It scores nothing, but your opponent can score at most {points} in return."
    ),
    of_number(
        "It scores {n} point, and your opponent can score at most {points} in return.",
        "It scores {n} points, and your opponent can score at most {points} in return.",
    ),
    sentence("Your opponent can score at most {points} in return."),
)
_KINDS = (
    _IS_OVER,
    _CANNOT_MOVE,
    _DRAWS_FOR_NOTHING,
    _DRAWS,
    _NOTHING,
    _HARDLY_ANYTHING,
    _ABOUT,
    _AT_MOST,
)
REASONS = (
    NOTHING_GAINED,
    *(said for kind in _KINDS for said in (kind.nothing, kind.scores)),
)


def risk(reason: str) -> Sentence | None:
    """What a reason that was said in English says of the other's answers, without what
    the move scores; None if it says nothing of them."""
    for kind in _KINDS:
        if found := recognised(reason, (kind.nothing, kind.scores)):
            return kind.risk.of(**dict(found.values))
    return None


def gained(gain: float, others: int, scoring: Scoring) -> Sentence:
    """What a move gains at once on so many others."""
    if not gain:
        return NOTHING_GAINED
    gains, loses = scoring.on_one if others == 1 else scoring.on_the_best
    return (gains if gain > 0 else loses).of(n=abs(gain))


def reason(position: Position[MoveT], gain: float, move: MoveT) -> Sentence:
    """Why a player may choose a move between two: what it scores, and what the other
    can score in return."""
    seat = position.turn
    position.make(move)
    if position.over:
        why, most = _IS_OVER, 0.0
    elif position.turn == seat:
        why, most = _CANNOT_MOVE, 0.0
    else:
        why, most = _in_return(position)
    position.unmake()
    return why.scores.of(n=gain, points=most) if gain else why.nothing.of(points=most)


def _in_return(position: Position[MoveT]) -> tuple[_Reason, float]:
    """What the player to move can score: the most that they hold or are sure to draw,
    or about so much on average where a tile is drawn."""
    added = [max((gain for gain, _ in moves), default=0) for moves in position.draws()]
    if not position.moves(1):
        most = max(added)
        return (_DRAWS if most else _DRAWS_FOR_NOTHING), most
    reply = position.prospect()
    if not reply:
        return _NOTHING, reply
    if amount(reply) == "0":
        return _HARDLY_ANYTHING, reply
    return (_ABOUT if added else _AT_MOST), reply
