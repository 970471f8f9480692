"""The robot for games of which nobody has made one."""

from collections.abc import Sequence
from random import Random

from pbm_holomino.robots import words
from pbm_holomino.robots.contract import Budget, Choose, Forecast, Worth, seat_of
from pbm_holomino.rules.contract import AnyGame, View


class General:
    """Plays the move that gains most at once on the best of the others, as far as the
    reader's own knowledge of the state tells."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self.LEVELS: Sequence[Choose] = (self, self, self)

    def __call__(self, view: View, budget: Budget, rng: Random) -> str:
        game, seat = self._game, seat_of(view)
        worths = [
            (self._worth(view, move), game.format_move(move))
            for move in game.legal(view.known, seat)
        ]
        best = max(worth for worth, _ in worths)
        return rng.choice([word for worth, word in worths if worth == best])

    def _worth(self, view: View, move: object) -> int:
        seat = seat_of(view)
        after, _ = self._game.play(view.known, seat, move)
        return words.lead(after.scores, seat, self._game.SCORING, view.gone)

    def forecast(self, view: View, budget: Budget, rng: Random) -> Forecast:
        """See contract.Made: by nothing but the scores."""
        lead = words.lead(view.scores, seat_of(view), self._game.SCORING, view.gone)
        total = sum(map(abs, view.scores))
        return Forecast(lead, (1 + lead / (total + 1)) / 2)

    def worths(
        self, view: View, moves: Sequence[str], budget: Budget, rng: Random
    ) -> list[Worth]:
        """See contract.Made: what a move gains at once."""
        game, seat = self._game, seat_of(view)
        now = words.lead(view.scores, seat, game.SCORING, view.gone)
        others = len(view.scores) - len(view.gone) - 1
        found = []
        for word in moves:
            move = game.parse_move(view.known, seat, word)
            gain = self._worth(view, move) - now
            found.append(Worth(gain, words.gained(gain, others)))
        return found
