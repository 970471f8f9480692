"""The robot for games of which nobody has made one."""

from random import Random

from pbm_holomino.robots.contract import Budget, seat_of
from pbm_holomino.rules.contract import AnyGame, View


class General:
    """Plays the move that gains most at once on the best of the others, as far as the
    reader's own knowledge of the state tells."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game

    def __call__(self, view: View, budget: Budget, rng: Random) -> str:
        game, seat = self._game, seat_of(view)
        worths = [
            (self._worth(view, move), game.format_move(move))
            for move in game.legal(view.known, seat)
        ]
        best = max(worth for worth, _ in worths)
        return rng.choice([word for worth, word in worths if worth == best])

    def _worth(self, view: View, move: object) -> int:
        game, seat = self._game, seat_of(view)
        after, _ = game.play(view.known, seat, move)
        ranks = [game.SCORING.rank(score) for score in after.scores]
        mine = ranks.pop(seat)
        return min(ranks) - mine
