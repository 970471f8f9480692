"""A game of Walomino at one moment."""

from collections.abc import Mapping

from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.rules.games.walomino.chain import COLOURS, Chain
from pbm_holomino.rules.games.walomino.moves import TAKE, Take
from pbm_holomino.rules.options import Options

OF_EACH_COLOUR = 10
START_PAIR = 2
TO_TAKE = OF_EACH_COLOUR * len(COLOURS) - START_PAIR
NO_WISH = Take("", False)
Pool = tuple[str, ...]


class State(NamedTuple):
    """What all seats together know, and what each keeps to itself."""

    options: Options
    pools: tuple[Pool, ...]  # walongs as they were taken, or pairs once all have paired
    scores: tuple[int, ...]
    wishes: tuple[Take, ...]  # those not used yet
    sealed: tuple[Pool | None, ...]  # pairs; () if chance makes them, None if not sent
    pot: Mapping[str, int] = dict.fromkeys(COLOURS, OF_EACH_COLOUR)  # what is left
    chain: Chain = Chain()
    phase: str = TAKE
    round: int = 1
    turn: int = 0
    white: bool = False  # the seat to take has rolled white
    dropped: frozenset[int] = frozenset()
    due: bool = True  # the server has something to do
    draws: int = 0  # so far
    over: bool = False
    ended: Chain = Chain()  # that of the round before

    def seats(self) -> range:
        """All seats, dropped ones too."""
        return range(len(self.pools))
