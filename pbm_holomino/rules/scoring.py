"""What players score, and what is said of it: points, unless a game says otherwise."""

from collections.abc import Collection, Mapping, Sequence

from pbm_holomino.languages import InARow, Sentence, Text, of_number, sentence
from pbm_holomino.named_tuples import NamedTuple

Two = tuple[Sentence, Sentence]

# What a `{player}` has scored, `{n}`, and holds: `{tiles}`, or none.
_WAITS = (
    of_number(
        "{player} has {n} point and holds {tiles}.",
        "{player} has {n} points and holds {tiles}.",
    ),
    of_number(
        "{player} has {n} point and holds no tiles.",
        "{player} has {n} points and holds no tiles.",
    ),
)
_IS_TO_MOVE = (
    of_number(
        "{player}, to move, has {n} point and holds {tiles}.",
        "{player}, to move, has {n} points and holds {tiles}.",
    ),
    of_number(
        "{player}, to move, has {n} point and holds no tiles.",
        "{player}, to move, has {n} points and holds no tiles.",
    ),
)
_TIMES = of_number("{tile}", "{tile} {n} times")  # an item of a list
# By how much, `{n}`, a move gains on others at once, or loses to them.
_ON_ONE = (
    of_number(
        "It gains {n} point on your opponent at once.",
        "It gains {n} points on your opponent at once.",
    ),
    of_number(
        "It loses {n} point to your opponent at once.",
        "It loses {n} points to your opponent at once.",
    ),
)
_ON_THE_BEST = (
    of_number(
        "It gains {n} point on the best of the others at once.",
        "It gains {n} points on the best of the others at once.",
    ),
    of_number(
        "It loses {n} point to the best of the others at once.",
        "It loses {n} points to the best of the others at once.",
    ),
)


# What a page says of moves while a player chooses one: of a `tile` that fits at `n`
# places, and of a `move`; labels of the place `at`, and of one `on` top of others, on
# what is `below`. A move adds `score`, the best that there is adds it at most, or else
# nothing; this is `n` where no places are counted.
GAINS: Mapping[str, Sentence] = {
    "fits": of_number("{tile} fits at one place.", "{tile} fits at {n} places."),
    "fits_best": of_number(
        "{tile} fits at one place, and scores {score} at most.",
        "{tile} fits at {n} places, and scores {score} at most.",
    ),
    "at": sentence("position {at}"),
    "at_best": sentence("position {at}, scores {score}"),
    "on": sentence("position {at}, on top of {below}"),
    "on_best": sentence("position {at}, on top of {below}, scores {score}"),
    "gain": sentence("{move} scores {score}."),
    "nothing": sentence("{move} scores nothing."),
}


class Scoring(NamedTuple):
    """What players score, in sentences; whether the lowest score wins; and whether it
    is the score that decides."""

    points: Sentence = sentence("points")  # a label
    column: Sentence = sentence("scored")  # a label of what a move has scored
    standing: Sentence = sentence("Points: {scores}.")
    waits: Two = _WAITS
    is_to_move: Two = _IS_TO_MOVE
    on_one: Two = _ON_ONE  # other player
    on_the_best: Two = _ON_THE_BEST  # of several others
    reviewed: Sentence = sentence(
        "For each move: what it scored at once, what the robot would have played, and "
        "how many points the move gave away against that."
    )
    low_wins: bool = False
    decides: bool = True
    gains: Mapping[str, Sentence] = GAINS

    def has(
        self, player: Text, score: int, tiles: Sequence[str], is_to_move: bool
    ) -> Sentence:
        """What a player has scored and holds; what they hold several of, once."""
        some, none = self.is_to_move if is_to_move else self.waits
        said = some if tiles else none
        count = {tile: tiles.count(tile) for tile in tiles}
        held = InARow(_TIMES.of(tile=tile, n=n) for tile, n in count.items())
        return said.of(player=player, n=score, tiles=held)

    def rank(self, score: int) -> int:
        """A number that is smaller for the better of two scores."""
        return score if self.low_wins else -score

    def lead(self, scores: Sequence[int], seat: int, gone: Collection[int] = ()) -> int:
        """By how much a seat is better than the best of the others, but for those who
        are gone; 0 if nobody is left."""
        mine = self.rank(scores[seat])
        others = (at for at in range(len(scores)) if at != seat and at not in gone)
        return min((self.rank(scores[at]) for at in others), default=mine) - mine
