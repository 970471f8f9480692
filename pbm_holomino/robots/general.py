"""The robot for games of which nobody has made one."""

from collections.abc import Sequence
from random import Random

from pbm_holomino.robots.contract import Budget, Choose, Forecast, Worth, seat_of
from pbm_holomino.robots.reasons import NOTHING_GAINED, gained
from pbm_holomino.rules.contract import AnyGame, View

_OPEN = 0.5  # of first place: what a game that goes on is worth


class General:
    """Plays a move that wins at once, or else the one that gains most at once on the
    best of the others, as far as the reader's own knowledge of the state tells."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self.LEVELS: Sequence[Choose] = (self, self, self)
        one, best = game.SCORING.on_one, game.SCORING.on_the_best
        self.REASONS = (NOTHING_GAINED, *one, *best)

    def __call__(self, view: View, budget: Budget, rng: Random) -> str:
        game, seat = self._game, seat_of(view)
        worths = [
            (self._judged(view, move), game.format_move(move))
            for move in game.legal(view.known, seat)
        ]
        best = max(worth for worth, _ in worths)
        return rng.choice([word for worth, word in worths if worth == best])

    def _judged(self, view: View, move: object) -> tuple[float, int]:
        """What a move comes to: its share of first place, if it ends a game that the
        scores do not decide; and the lead."""
        game, seat = self._game, seat_of(view)
        after, _ = game.play(view.known, seat, move)
        winners = None if game.SCORING.decides else game.outcome(after)
        share = (seat in winners) / len(winners) if winners else _OPEN
        return share, game.SCORING.lead(after.scores, seat, view.gone)

    def _worth(self, view: View, move: object) -> int:
        return self._judged(view, move)[1]

    def forecast(self, view: View, budget: Budget, rng: Random) -> Forecast:
        """See contract.Made: by nothing but the scores."""
        scoring = self._game.SCORING
        lead = scoring.lead(view.scores, seat_of(view), view.gone)
        total = sum(map(abs, view.scores))
        return Forecast(lead, (1 + lead / (total + 1)) / 2)

    def worths(
        self, view: View, moves: Sequence[str], budget: Budget, rng: Random
    ) -> list[Worth]:
        """See contract.Made: what a move gains at once."""
        game, seat = self._game, seat_of(view)
        now = game.SCORING.lead(view.scores, seat, view.gone)
        others = len(view.scores) - len(view.gone) - 1
        judged = []
        for word in moves:
            move = game.parse_move(view.known, seat, word)
            gain = self._worth(view, move) - now
            judged.append(Worth(gain, gained(gain, others, game.SCORING)))
        return judged
