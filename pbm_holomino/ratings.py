"""How strong the players are: ratings by openskill's model BradleyTerryFull.

The results of a game are folded in the order in which they came about. What that
came to is kept in `ratings/<game>.yaml`, with the number of results that are in it and
a digest: if one of these is another now, or the file, all are folded anew.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from pbm_holomino.errors import Busy, CorruptFile, StoreTrouble
from pbm_holomino.library import Summary
from pbm_holomino.store import Store

RATINGS = "ratings"  # the folder
MODEL = "openskill 6.2.0 BradleyTerryFull"
_DECIMALS = 6  # that are kept, so that all machines come to the same


class Rating(NamedTuple):
    """What is known of a player's strength: openskill's mean and deviation, and how
    many games that comes from."""

    mu: float = 25.0
    sigma: float = 25 / 3
    games: int = 0

    @property
    def points(self) -> int:
        """The number that players read: a newcomer has 1500, and who is stronger than
        that beyond doubt has more."""
        return round(1500 + 24 * (self.mu - 3 * self.sigma))


class Result(NamedTuple):
    """A game that has ended: when, on which board, and the places of its players."""

    time: str
    board: int
    places: tuple[tuple[str, int], ...]


class Fold(NamedTuple):
    """The ratings after so many results, and a digest of both."""

    results: int
    digest: str
    ratings: Mapping[str, Rating]


def results_of(boards: Iterable[Summary]) -> list[Result]:
    """The results among the boards of one game, in the order in which they count."""
    return sorted(
        Result(board.last_time, board.board, tuple(board.places.items()))
        for board in boards
        if board.places
    )


def _folded(results: Sequence[Result], ratings: Mapping[str, Rating]) -> Fold:
    """Ratings, with the digest of the model, the results and what they came to."""
    lines = [f"{time} {board} {places}" for time, board, places in results]
    lines += [f"{player} {line}" for player, line in _lines(ratings).items()]
    text = "\n".join([MODEL, *lines]).encode()
    return Fold(len(results), hashlib.sha256(text).hexdigest(), ratings)


def _lines(ratings: Mapping[str, Rating]) -> dict[str, str]:
    """The ratings as they stand in a file."""
    return {
        player: f"{rating.mu!r} {rating.sigma!r} {rating.games}"
        for player, rating in sorted(ratings.items())
    }


NOTHING = _folded((), {})


def fold(results: Sequence[Result], before: Fold = NOTHING) -> Fold:
    """The ratings after all these results. If `before` is what the first of them came
    to, these are not folded again."""
    old, new = results[: before.results], results[before.results :]
    if _folded(old, before.ratings) != before:
        return fold(results)
    ratings = dict(before.ratings)
    for result in new:
        ratings |= _rated(ratings, result)
    return _folded(results, ratings) if new else before


def _rated(ratings: Mapping[str, Rating], result: Result) -> dict[str, Rating]:
    """The new ratings of those who have played."""
    from openskill.models import BradleyTerryFull  # only who needs it waits for it

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


def up_to_date(
    store: Store, game: str, boards: Iterable[Summary]
) -> Mapping[str, Rating]:
    """The ratings of a game of which these are all boards. What is new in them is
    kept, if the store can be written."""
    kept = read(store, game) or NOTHING
    found = fold(results_of(boards), kept)
    if found != kept:
        with suppress(Busy, StoreTrouble):
            save(store, game, found)
    return found.ratings


# The file

# What comes of data that is none of ours.
_MISSHAPEN = (LookupError, TypeError, ValueError, AttributeError)


def read(store: Store, game: str) -> Fold | None:
    """What is kept of a game's ratings; None where that cannot be read."""
    try:
        data = store.read(RATINGS, game)
        return None if data is None else _from_data(data)
    except (CorruptFile, StoreTrouble, *_MISSHAPEN):
        return None


def save(store: Store, game: str, found: Fold) -> None:
    """Keep a game's ratings. Raises Busy or StoreTrouble."""
    ratings = _lines(found.ratings)
    data = {"results": str(found.results), "digest": found.digest, "ratings": ratings}
    with store.lock(RATINGS, game):
        store.save(RATINGS, game, data)


def _from_data(data: Mapping[str, Any]) -> Fold:
    ratings = {}
    for player, line in data["ratings"].items():
        mu, sigma, games = line.split()
        ratings[player] = Rating(float(mu), float(sigma), int(games))
    return Fold(int(data["results"]), data["digest"], ratings)
