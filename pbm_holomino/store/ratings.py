"""The players' ratings, by openskill's model BradleyTerryFull.

The results of a game are folded in their order. The ratings so far are stored in
`ratings/<game>.yaml`, with the number of results in them, the sum of their signs, and
a digest. As long as these still fit, only new results are read; if not, all are folded
anew.
"""

import hashlib
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from threading import Lock
from typing import Any

from pbm_holomino.errors import Busy, CorruptFile, StoreTrouble
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.store import documents
from pbm_holomino.store.contract import RATINGS, Store
from pbm_holomino.store.damage import DAMAGE
from pbm_holomino.store.endings import FIRST, Ending, History, Totals
from pbm_holomino.store.library import Library

MODEL = "openskill 6.2.0 BradleyTerryFull"
MOST_POINTS = 500  # of a player in a game, whose course is remembered
_DECIMALS = 6  # rounded, so that all machines come to the same


class Rating(NamedTuple):
    """A player's strength: openskill's mean and deviation, and from how many games."""

    mu: float = 25.0
    sigma: float = 25 / 3
    games: int = 0

    @property
    def points(self) -> int:
        """The number that players read. A newcomer has 1500; a player who is almost
        certainly stronger than that has more."""
        return round(1500 + 24 * (self.mu - 3 * self.sigma))


class Fold(NamedTuple):
    """The ratings after some results."""

    results: int  # how many
    total: int  # the sum of their signs
    last: tuple[str, int]  # when and on which board the last of them came
    digest: str  # of everything
    ratings: Mapping[str, Rating]


def _folded(
    results: Totals, last: tuple[str, int], ratings: Mapping[str, Rating]
) -> Fold:
    """These ratings, with a digest of the model, the results and the ratings."""
    lines = [f"{player} {line}" for player, line in _lines(ratings).items()]
    text = "\n".join([MODEL, f"{results} {last}", *lines]).encode()
    return Fold(*results, last, hashlib.sha256(text).hexdigest(), ratings)


def _lines(ratings: Mapping[str, Rating]) -> dict[str, str]:
    """The ratings as the file has them."""
    return {
        player: f"{rating.mu!r} {rating.sigma!r} {rating.games}"
        for player, rating in sorted(ratings.items())
    }


NOTHING = _folded(Totals(), FIRST, {})


def fold(results: Sequence[Ending], before: Fold = NOTHING) -> Fold:
    """The ratings after all these results. If `before` has the ratings after the first
    of them, only the others are folded."""
    after = _after(before, History.of(results, before.last))
    return after or _grown(NOTHING, results)


def _after(before: Fold, history: History) -> Fold | None:
    """The ratings after the latest results too; None if `before` does not belong to
    the others."""
    totals = Totals(before.results, before.total)
    if history.totals.without(history.latest) != totals:
        return None
    if _folded(totals, before.last, before.ratings) != before:
        return None
    return _grown(before, history.latest)


def _grown(before: Fold, results: Sequence[Ending]) -> Fold:
    """The ratings after these results, too."""
    if not results:
        return before
    ratings = dict(before.ratings)
    for result in results:
        ratings |= _rated(ratings, result)
    totals = Totals(before.results, before.total).plus(results)
    return _folded(totals, results[-1][:2], ratings)


def _rated(ratings: Mapping[str, Rating], result: Ending) -> dict[str, Rating]:
    """The new ratings of the players of a game."""
    from openskill.models import BradleyTerryFull  # slow to load

    model, places = BradleyTerryFull(), dict(result.places)
    before = [ratings.get(player, Rating()) for player in places]
    teams = [[model.rating(old.mu, old.sigma)] for old in before]
    after = model.rate(teams, ranks=[float(place) for place in places.values()])
    return {
        player: Rating(
            round(new.mu, _DECIMALS), round(new.sigma, _DECIMALS), old.games + 1
        )
        for player, old, (new,) in zip(places, before, after, strict=True)
    }


def current_ratings(library: Library, game: str) -> Mapping[str, Rating]:
    """The ratings of a game after all its results. They are stored if that changes them
    and the store can be written."""
    stored = read(library.store, game) or NOTHING
    current = _after(stored, library.lists.history(game, stored.last))
    if current is None:
        current = fold(library.lists.history(game).latest)
    if current != stored:
        with suppress(Busy, StoreTrouble):
            save(library.store, game, current)
    return current.ratings


# How they came about


class _Course:
    """The ratings of a game's players after each result that has come so far."""

    def __init__(self) -> None:
        self.totals = Totals()
        self.last = FIRST
        self.ratings: dict[str, Rating] = {}
        self.points: dict[str, deque[tuple[str, int]]] = {}

    def grow(self, results: Sequence[Ending]) -> None:
        """Take in the next results."""
        for result in results:
            rated = _rated(self.ratings, result)
            self.ratings |= rated
            for player, rating in rated.items():
                course = self.points.setdefault(player, deque(maxlen=MOST_POINTS))
                course.append((result.time, rating.points))
            self.last = result[:2]
        self.totals = self.totals.plus(results)


class Courses:
    """How the ratings of players have changed from game to game. They are folded once,
    and then only from what has come since."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._courses: dict[str, _Course] = {}
        self._one_folds = Lock()

    def of(self, game: str, player: str) -> Sequence[tuple[str, int]]:
        """When each of a player's last games ended that count, and the points of the
        rating after it."""
        with self._one_folds:
            course = self._courses.get(game, _Course())
            history = self._library.lists.history(game, course.last)
            if history.totals.without(history.latest) != course.totals:
                course, history = _Course(), self._library.lists.history(game)
            course.grow(history.latest)
            self._courses[game] = course
            return tuple(course.points.get(player, ()))


# The file


def read(store: Store, game: str) -> Fold | None:
    """The stored ratings of a game; None if they cannot be read."""
    try:
        data = documents.read(store, RATINGS, game)
        return None if data is None else _from_data(data)
    except (CorruptFile, StoreTrouble, *DAMAGE):
        return None


def save(store: Store, game: str, fold: Fold) -> None:
    """Store a game's ratings. Raises Busy or StoreTrouble."""
    ratings = _lines(fold.ratings)
    time, board = fold.last
    data = {
        "results": str(fold.results),
        "total": str(fold.total),
        "last": f"{time} {board}",
        "digest": fold.digest,
        "ratings": ratings,
    }
    with store.lock(RATINGS, game):
        store.save(RATINGS, game, data)


def _from_data(data: Mapping[str, Any]) -> Fold:
    ratings = {}
    for player, line in data["ratings"].items():
        mu, sigma, games = line.split()
        ratings[player] = Rating(float(mu), float(sigma), int(games))
    time, board = data["last"].split(" ")
    return Fold(
        int(data["results"]),
        int(data["total"]),
        (time, int(board)),
        data["digest"],
        ratings,
    )
