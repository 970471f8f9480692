"""Turns: in which order something scarce is dealt out to those who ask for it.

Accounts cost nothing, so a turn for each account would be many for whoever makes many.
Therefore those that are new (see `store.newcomers`) share one place.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TypeVar

from pbm_holomino.languages import sentence

NEW_DAYS = 7  # for which every account is new
WHO_IS_NEW = sentence(
    "An account is new for {days} days, and until its player has finished a game by "
    "score.",
    days=NEW_DAYS,
)

_Thing = TypeVar("_Thing")
_SHARED = ""  # the place of all new accounts: no userid is empty


def in_turns(
    things: Iterable[_Thing], place: Callable[[_Thing], str], had: Sequence[str] = ()
) -> list[_Thing]:
    """Things in the order of their turns: the first of each place, then the second of
    each, and so on. `had` are places that have had turns, the latest at the end: in
    each round those come first that have had none, or whose last is longest ago, and of
    these the one whose thing comes first."""
    last = {each: turn for turn, each in enumerate(had)}
    taken = Counter[str]()
    keyed = []
    for index, thing in enumerate(things):
        where = place(thing)
        keyed.append((taken[where], last.get(where, -1), index, thing))
        taken[where] += 1
    return [thing for *_, thing in sorted(keyed, key=lambda each: each[:3])]


def dealt(
    things: Iterable[_Thing],
    who: Callable[[_Thing], str],
    new: Collection[str],
    had: Sequence[str] = (),
) -> list[_Thing]:
    """Things in the order of their turns, where a turn is that of the player who asks.
    The accounts that are `new` share one place, in which they take turns as well. `had`
    are players who have had turns, the latest at the end."""

    def place(player: str) -> str:
        return _SHARED if player in new else player

    every = list(things)
    theirs = iter(in_turns((one for one in every if who(one) in new), who, had))
    ordered = (next(theirs) if who(one) in new else one for one in every)
    return in_turns(ordered, lambda one: place(who(one)), [*map(place, had)])
