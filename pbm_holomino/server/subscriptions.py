"""The browsers in which players are told of their turns, as accounts keep them."""

from collections.abc import Callable

from pbm_holomino.match.push import Subscriptions, live
from pbm_holomino.store.contract import PLAYERS
from pbm_holomino.store.library import Library


def change(
    library: Library,
    userid: str,
    changed: Callable[[Subscriptions], Subscriptions],
    now: str,
) -> None:
    """Keep other subscriptions of a player; those whose sessions have ended go."""
    with library.store.lock(PLAYERS, userid):
        player = library.player(userid)
        if player is None:
            return
        pushes = live(changed(player.pushes), player.sessions, now)
        if pushes != player.pushes:
            library.save(player._replace(pushes=pushes))
