"""A robot on a board: what it is given to think about, and what it thinks."""

import hmac
from random import Random

from pbm_holomino import robots, rules
from pbm_holomino.match.board import Match
from pbm_holomino.match.record import Act
from pbm_holomino.match.robots import level_of
from pbm_holomino.robots import Analysis
from pbm_holomino.robots.contract import Budget, Forecast


class Mind:
    """A robot in a player's place: its own, or that of a person whom it advises. All
    that it is given is what that seat may see, and a generator that repeats itself only
    for the same position of the same board, and for the same purpose."""

    def __init__(
        self, match: Match, who: str, key: bytes, purpose: str = "robot"
    ) -> None:
        record = match.record
        self._match, self._who = match, who
        self._game = rules.edition(record.game, record.version)
        self._seat = record.players.index(who)
        self._view = match.rules.view(match.state, self._seat)
        words = f"{purpose} {record.name} {match.ply} {who}"
        self._rng = Random(hmac.digest(key, words.encode(), "sha256"))

    def move(self, budget: Budget) -> str:
        """The move that it makes, at the level that its name says."""
        choose = robots.load(self._game, level_of(self._who))
        return choose(self._view, budget, self._rng)

    def remark(self, budget: Budget) -> str:
        """What it says of the position, as the record keeps it."""
        return str(robots.remark(self._game, self._view, self._forecast(budget)))

    def reply(self, budget: Budget) -> str:
        """Its answer to an offered draw."""
        is_welcome = robots.accepts_draw(self._view, self._forecast(budget))
        return str(Act.ACCEPT if is_welcome else Act.REJECT)

    def analyse(self, budget: Budget, played: str = "") -> Analysis:
        """What it would play, and why; and what the move that was played gave away."""
        return robots.analyse(self._game, self._view, budget, self._rng, played)

    def chances(self, own: float, budget: Budget) -> list[float]:
        """The chance of each seat of coming first, of which this one has its own. Each
        of several is forecast as it sees the game, so they may not add up to 1."""
        match = self._match
        players = match.record.players
        if len(players) == 2:
            return [own if seat == self._seat else 1 - own for seat in range(2)]
        part = budget.part(1 / (4 * len(players)))
        chances = [
            0.0 if who in match.gone else self._forecast(part, seat).chance
            for seat, who in enumerate(players)
        ]
        total = sum(chances)
        return [c / total if total else 1 / len(chances) for c in chances]

    def _forecast(self, budget: Budget, seat: int | None = None) -> Forecast:
        view = self._view
        if seat is not None:
            view = self._match.rules.view(self._match.state, seat)
        return robots.forecast(self._game, view, budget, self._rng)
