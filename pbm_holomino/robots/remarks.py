"""What robots say of a position to those with whom they play. It is kept in the record,
in English; `REMARKS` has all that they can say, so that each can be read in other
languages."""

from collections.abc import Collection, Sequence

from pbm_holomino.languages import Sentence, of_number, sentence
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.rules.scoring import Scoring

_CLEAR = 0.95  # a chance from which on a game is as good as won
THANKS = sentence("Thank you for the game.")
_NUMBERS = (
    sentence("one"),
    sentence("two"),
    sentence("three"),
    sentence("four"),
    sentence("five"),
    sentence("six"),
    sentence("seven"),
    sentence("eight"),
    sentence("nine"),
)


class _Remark(NamedTuple):
    """What is said of how a game may end, with about so many `{games}` in ten: nothing
    else, or also by how many points, `{n}`, the robot is ahead or behind."""

    level: Sentence
    ahead: Sentence
    behind: Sentence


# Of two: whoever is behind says that the other is ahead.
_WINS = _Remark(
    sentence("I expect to win."),
    of_number(
        "I am {n} point ahead, and I expect to win.",
        "I am {n} points ahead, and I expect to win.",
    ),
    of_number(
        "You are {n} point ahead, but I expect to win.",
        "You are {n} points ahead, but I expect to win.",
    ),
)
_LOSES = _Remark(
    sentence("I expect to lose."),
    of_number(
        "I am {n} point ahead, but I expect to lose.",
        "I am {n} points ahead, but I expect to lose.",
    ),
    of_number(
        "You are {n} point ahead, and I expect to lose.",
        "You are {n} points ahead, and I expect to lose.",
    ),
)
_OPEN = _Remark(
    sentence("I think the game is open."),
    of_number(
        "I am {n} point ahead, but I think the game is open.",
        "I am {n} points ahead, but I think the game is open.",
    ),
    of_number(
        "You are {n} point ahead, but I think the game is open.",
        "You are {n} points ahead, but I think the game is open.",
    ),
)
_I_WIN = _Remark(
    sentence("I think I win about {games} games in ten from here."),
    of_number(
        "I am {n} point ahead, and I think I win about {games} games in ten from here.",
        "I am {n} points ahead, and I think I win about {games} games in ten from "
        "here.",
    ),
    of_number(
        "You are {n} point ahead, but I think I win about {games} games in ten from "
        "here.",
        "You are {n} points ahead, but I think I win about {games} games in ten from "
        "here.",
    ),
)
_YOU_WIN = _Remark(
    sentence("I think you win about {games} games in ten from here."),
    of_number(
        "I am {n} point ahead, but I think you win about {games} games in ten from "
        "here.",
        "I am {n} points ahead, but I think you win about {games} games in ten from "
        "here.",
    ),
    of_number(
        "You are {n} point ahead, and I think you win about {games} games in ten from "
        "here.",
        "You are {n} points ahead, and I think you win about {games} games in ten from "
        "here.",
    ),
)

# Of several
_WINS_OF_ALL = _WINS._replace(
    behind=of_number(
        "I am {n} point behind, but I expect to win.",
        "I am {n} points behind, but I expect to win.",
    )
)
_LOSES_OF_ALL = _LOSES._replace(
    behind=of_number(
        "I am {n} point behind, and I expect to lose.",
        "I am {n} points behind, and I expect to lose.",
    )
)


class _First(NamedTuple):
    """What is said of coming first among several: that it fits who is ahead, or that it
    does not."""

    level: Sentence
    and_ahead: Sentence
    but_ahead: Sentence
    and_behind: Sentence
    but_behind: Sentence

    def remark(self, side: int) -> _Remark:
        """The remark, where the chance is good (1), bad (-1) or neither."""
        ahead = self.and_ahead if side > 0 else self.but_ahead
        behind = self.and_behind if side < 0 else self.but_behind
        return _Remark(self.level, ahead, behind)


_FIRST_IN_ONE = _First(
    sentence("I think I come first in about one game in ten."),
    of_number(
        "I am {n} point ahead, and I think I come first in about one game in ten.",
        "I am {n} points ahead, and I think I come first in about one game in ten.",
    ),
    of_number(
        "I am {n} point ahead, but I think I come first in about one game in ten.",
        "I am {n} points ahead, but I think I come first in about one game in ten.",
    ),
    of_number(
        "I am {n} point behind, and I think I come first in about one game in ten.",
        "I am {n} points behind, and I think I come first in about one game in ten.",
    ),
    of_number(
        "I am {n} point behind, but I think I come first in about one game in ten.",
        "I am {n} points behind, but I think I come first in about one game in ten.",
    ),
)
_FIRST_IN_MORE = _First(
    sentence("I think I come first in about {games} games in ten."),
    of_number(
        "I am {n} point ahead, and I think I come first in about {games} games in ten.",
        "I am {n} points ahead, and I think I come first in about {games} games in "
        "ten.",
    ),
    of_number(
        "I am {n} point ahead, but I think I come first in about {games} games in ten.",
        "I am {n} points ahead, but I think I come first in about {games} games in "
        "ten.",
    ),
    of_number(
        "I am {n} point behind, and I think I come first in about {games} games in "
        "ten.",
        "I am {n} points behind, and I think I come first in about {games} games in "
        "ten.",
    ),
    of_number(
        "I am {n} point behind, but I think I come first in about {games} games in "
        "ten.",
        "I am {n} points behind, but I think I come first in about {games} games in "
        "ten.",
    ),
)
REMARKS = (
    THANKS,
    *_NUMBERS,
    *_WINS,
    *_LOSES,
    *_OPEN,
    *_I_WIN,
    *_YOU_WIN,
    *_WINS_OF_ALL,
    *_LOSES_OF_ALL,
    *_FIRST_IN_ONE,
    *_FIRST_IN_MORE,
)


def remark(
    scores: Sequence[int],
    seat: int,
    scoring: Scoring,
    chance: float,
    gone: Collection[int] = (),
) -> Sentence:
    """What the robot in this seat, with such a chance of coming first, thinks of the
    position: who leads, if that decides, and how the game may end. Seats that are gone
    do not count."""
    lead = scoring.lead(scores, seat, gone) if scoring.decides else 0
    tenths = min(max(round(10 * chance), 1), 9)
    if len(scores) == 2:
        said, games = _of_two(chance, tenths)
    else:
        said, games = _of_several(chance, tenths, len(scores) - len(gone)), tenths
    told = said.ahead if lead > 0 else said.behind if lead else said.level
    return told.of(n=abs(lead), games=_NUMBERS[games - 1])


def _of_two(chance: float, tenths: int) -> tuple[_Remark, int]:
    """What to say of a chance against one other, and the games in ten that are won, by
    whoever wins more."""
    if chance >= _CLEAR:
        return _WINS, tenths
    if chance <= 1 - _CLEAR:
        return _LOSES, tenths
    if tenths == 5:
        return _OPEN, tenths
    return (_I_WIN, tenths) if tenths > 5 else (_YOU_WIN, 10 - tenths)


def _of_several(chance: float, tenths: int, left: int) -> _Remark:
    """What to say of a chance where so many of more than two seats are left."""
    if chance >= _CLEAR:
        return _WINS_OF_ALL
    if chance <= 1 - _CLEAR:
        return _LOSES_OF_ALL
    side = (tenths > 10 / left) - (tenths < 10 / left - 1)
    return (_FIRST_IN_ONE if tenths == 1 else _FIRST_IN_MORE).remark(side)
