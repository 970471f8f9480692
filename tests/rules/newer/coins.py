"""A tiny game whose rules have changed: in turn each of two players takes 1 to 3 coins,
twice. By its first rules a coin was a point; by these it is ten."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pbm_holomino.errors import NoPosition
from pbm_holomino.languages import Sentence, of_number, of_player, sentence
from pbm_holomino.rules.chance import Draws
from pbm_holomino.rules.contract import (
    Closed,
    Drawing,
    Due,
    Event,
    Game,
    Left,
    Proposal,
    View,
)
from pbm_holomino.rules.options import Option, Options
from pbm_holomino.rules.refusals import not_a_move
from pbm_holomino.rules.scoring import Scoring

_NO_BOARD = sentence("Nothing lies on a board.")
_TOOK = of_player("You took {coins}.", "{player} took {coins}.")


class State(NamedTuple):
    scores: tuple[int, ...] = (0, 0)
    moves: int = 0
    draws: int = 0


def taken(
    state: State, seat: int, coins: int, worth: int
) -> tuple[State, tuple[Event, ...]]:
    """The state after a seat has taken coins that are worth so many points each."""
    scores = list(state.scores)
    scores[seat] += worth * coins
    state = state._replace(scores=tuple(scores), moves=state.moves + 1)
    return state, (Event(seat, _TOOK.of(coins=coins)),)


class Coins:
    TITLE = "Coins"
    VERSION = 2
    SEATS = (2, 2)
    SECRETS = False
    LEFT = Left(of_number("{n} coin.", "{n} coins."), sentence("No coin."))
    SIDES: tuple[Sentence, ...] = ()
    SCORING = Scoring()
    OPTIONS: tuple[Option, ...] = ()
    PRESETS: Mapping[str, Options] = {}
    WORDS: tuple[str, ...] = ()
    DRAWN = sentence("They are nothing.")
    FIGURES: Mapping[str, Drawing] = {}
    worth = 10

    def start(self, seats: int, options: Options) -> State:
        return State()

    def settle(self, state: State, chance: Draws) -> tuple[State, tuple[Event, ...]]:
        return state, ()

    def to_move(self, state: State) -> tuple[int, ...]:
        return () if state.moves == 4 else (state.moves % 2,)

    def due(self, state: State) -> Due:
        return ""

    def legal(self, state: State, seat: int) -> tuple[int, ...]:
        return (1, 2, 3)

    def in_notation(self, text: str) -> bool:
        return text in ("1", "2", "3")

    def parse_move(self, state: State, seat: int, text: str) -> int:
        if text not in ("1", "2", "3"):
            raise not_a_move(text, sentence("Take 1, 2 or 3."))
        return int(text)

    def format_move(self, move: int) -> str:
        return str(move)

    def public_move(self, move: int) -> str:
        return str(move)

    def play(
        self, state: State, seat: int, move: int
    ) -> tuple[State, tuple[Event, ...]]:
        return taken(state, seat, move, self.worth)

    def covers(self, move: int) -> tuple[int, ...]:
        return ()

    def gains(self, state: State, moves: Sequence[int]) -> list[int]:
        return [self.worth * move for move in moves]

    def effect(self, state: State, seat: int, move: int) -> Sentence:
        return sentence("{move} scores {score}.", move=move, score=self.worth * move)

    def drop(self, state: State, seat: int) -> State:
        return state._replace(moves=4)

    def drawing(self, state: State) -> Drawing:
        return Drawing("hextile", {})

    def suiting(self, drawing: Drawing) -> Mapping[str, str]:
        return {}

    def position(self, options: Options, drawing: Drawing) -> State:
        raise NoPosition(0, _NO_BOARD)

    def with_every_tile(self, state: State) -> State:
        return state

    def closed(self, state: State) -> tuple[Closed, ...]:
        return ()

    def view(self, state: State, seat: int | None) -> View:
        legal = ("1", "2", "3") if self.to_move(state) else ()
        picture, proposal = self.drawing(state), Proposal(legal)
        view = View(state.scores, ((), ()), picture, legal, proposal, 0)
        return view._replace(seat=seat, known=state, moves=tuple(map(int, legal)))

    def outcome(self, state: State) -> tuple[int, ...] | None:
        if self.to_move(state):
            return None
        best = max(state.scores)
        return tuple(seat for seat, score in enumerate(state.scores) if score == best)


GAME: Game[State, int] = Coins()
