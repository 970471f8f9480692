"""Games of Walomino on which a test plays."""

from collections.abc import Sequence
from itertools import combinations_with_replacement

from pbm_holomino.errors import BadMove
from pbm_holomino.rules import load
from pbm_holomino.rules.chance import Chance
from pbm_holomino.rules.contract import Event, View
from pbm_holomino.rules.games import walomino
from pbm_holomino.rules.games.walomino.chain import Chain, placings
from pbm_holomino.rules.games.walomino.state import State
from pbm_holomino.rules.grid import neighbours
from pbm_holomino.rules.options import configure
from tests.rules.told import told

WALOMINO = walomino.GAME

# Two players' wishes that take whatever they want, and leave two yellow ones.
ALL_OF_ALICE = 10 * "R" + 10 * "G" + 4 * "Y"
ALL_OF_BOB = 10 * "B" + 10 * "P" + 4 * "Y"


EVERY_PAIR = ["".join(pair) for pair in combinations_with_replacement("RGYPB", 2)]


def has_room(state: State) -> bool:
    """Whether every pair could be joined to either end of the chain."""
    tips = [end.tip for end in state.chain.ends()]
    joined = {
        (next(tip for tip in tips if tip in neighbours(move.p)), move.opening)
        for move in placings(state.chain, EVERY_PAIR)
    }
    return len(joined) == 2 * 5


class WalominoTable:
    """A game with all draws that are due made; `events` are those of the last move."""

    def __init__(
        self, seats: int = 2, chance: Chance | None = None, **words: str
    ) -> None:
        self.chance = chance or Chance(bytes(32))
        options = configure(load("walomino"), words)
        self.state = WALOMINO.start(seats, options)
        self.events: tuple[Event, ...] = ()
        self.settle()

    def settle(self) -> "WalominoTable":
        """Do what is due."""
        self.state, events = WALOMINO.settle(self.state, self.chance)
        self.events += events
        return self

    def turn(self) -> tuple[int, ...]:
        return WALOMINO.to_move(self.state)

    def send(self, seat: int, text: str) -> "WalominoTable":
        """One move of a seat that may move."""
        assert seat in self.turn()
        move = WALOMINO.parse_move(self.state, seat, text)
        self.state, self.events = WALOMINO.play(self.state, seat, move)
        return self.settle()

    def play(self, *texts: str) -> "WalominoTable":
        """These moves, each of the first seat that may move."""
        for text in texts:
            self.send(self.turn()[0], text)
        return self

    def drop(self, seat: int) -> "WalominoTable":
        """This seat resigns."""
        self.state, self.events = WALOMINO.drop(self.state, seat), ()
        return self.settle()

    def refused(self, text: str) -> str:
        """What the first seat that may move is told about this move."""
        before = self.state
        try:
            self.play(text)
        except BadMove as error:
            assert self.state == before
            return str(error)
        raise AssertionError(f"{text} is allowed")

    def view(self, seat: int | None = None) -> View:
        return WALOMINO.view(self.state, seat)

    def legal(self) -> set[str]:
        return set(self.view().legal)

    def played(self) -> int:
        """How many pairs have been played in this round."""
        return len(self.state.chain.joints()) - 1

    def deeds(self) -> list[tuple[int, str]]:
        return [(event.seat, told(event)) for event in self.events]


def laid(start: str, *pools: str, turn: int = 0, **words: str) -> WalominoTable:
    """A game at the beginning of playing, with this start pair and these pairs, each
    pool in one word: `RG,RR`."""
    table = WalominoTable(len(pools), None, **words)
    held: Sequence[tuple[str, ...]] = [tuple(filter(None, p.split(","))) for p in pools]
    table.state = table.state._replace(
        pools=tuple(held),
        sealed=tuple(held),
        pot=dict.fromkeys("RGYPB", 0),
        chain=Chain((0, 1), {0: start[0], 1: start[1]}),
        phase="play",
        turn=turn,
        due=True,
    )
    table.events = ()
    return table.settle()
