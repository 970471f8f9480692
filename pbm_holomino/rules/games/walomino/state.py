"""A game of Walomino at one moment."""

from collections.abc import Mapping
from typing import NamedTuple

from pbm_holomino.rules.games.walomino.chain import COLOURS, Chain
from pbm_holomino.rules.games.walomino.moves import TAKE, Take
from pbm_holomino.rules.options import Options

OF_EACH_COLOUR = 10
START_PAIR = 2
TO_TAKE = OF_EACH_COLOUR * len(COLOURS) - START_PAIR
NO_WISH = Take("", False)
Pool = tuple[str, ...]


class State(NamedTuple):
    """`pot` counts the walongs left by colour; `pools` hold walongs in the order of
    taking, and pairs once all have paired; `wishes` are those not used yet; `sealed`
    holds the pairs of each seat, `()` if chance is to make them and None before they
    are sent; `white` says that the seat to take has rolled white; `due` that the
    server has something to do; `draws` counts the draws so far; `ended` is the chain
    of the round before."""

    options: Options
    pools: tuple[Pool, ...]
    scores: tuple[int, ...]
    wishes: tuple[Take, ...]
    sealed: tuple[Pool | None, ...]
    pot: Mapping[str, int] = dict.fromkeys(COLOURS, OF_EACH_COLOUR)
    chain: Chain = Chain()
    phase: str = TAKE
    round: int = 1
    turn: int = 0
    white: bool = False
    dropped: frozenset[int] = frozenset()
    due: bool = True
    draws: int = 0
    over: bool = False
    ended: Chain = Chain()

    def seats(self) -> range:
        """All seats, dropped ones too."""
        return range(len(self.pools))
