"""The players whom a new one can challenge."""

from collections.abc import Iterator
from contextlib import suppress

from pbm_holomino.errors import CorruptFile
from pbm_holomino.match import vacations
from pbm_holomino.match.account import Player
from pbm_holomino.store.contract import PLAYERS
from pbm_holomino.store.library import Library

_MOST_READ = 20  # accounts: those that were changed last
_MOST_NAMED = 3


def who_is_here(library: Library, now: str) -> tuple[str, ...]:
    """A few players who play new games and can be reached, first those who changed
    something in their accounts last."""
    here = [each for each in _changed_last(library) if _is_there(each, now)]
    here.sort(key=lambda each: each.userid)
    here.sort(key=_heard, reverse=True)
    return tuple(each.userid for each in here[:_MOST_NAMED])


def _changed_last(library: Library) -> Iterator[Player]:
    for _, name in library.store.latest([PLAYERS], _MOST_READ):
        with suppress(CorruptFile):
            if player := library.player(name):
                yield player


def _is_there(player: Player, now: str) -> bool:
    if player.status != "on" or not player.addresses or player.is_unreached:
        return False
    return not vacations.away_until(player.vacations, now)


def _heard(player: Player) -> str:
    """When a player last changed something in their account."""
    own = (line.time for line in player.log if not line.by_server)
    return max(own, default="")
