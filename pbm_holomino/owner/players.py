"""`pbm players`: who has ever signed up."""

from collections.abc import Sequence
from contextlib import suppress

from pbm_holomino.commands.request import Answer
from pbm_holomino.errors import CorruptFile
from pbm_holomino.match.account import DELETED
from pbm_holomino.sentences import quoted
from pbm_holomino.server import open as place
from pbm_holomino.store.library import PLAYERS, Library


def run(words: Sequence[str]) -> Answer:
    """A table of all who have ever signed up: when they were last seen is the time of
    the last line of their account's log."""
    library = place.open_server()[0].library
    lines = [_player(library, name) for name in sorted(library.store.names(PLAYERS))]
    return Answer("".join(lines) or "Nobody has signed up yet.\n")


def _player(library: Library, name: str) -> str:
    status, seen, addresses = "damaged", "", ""
    with suppress(CorruptFile):
        player = library.account(name)
        if player is not None:  # else the file has no userid's name
            status = _STATUS[player.status]
            seen = player.log[-1].time[:10] if player.log else ""
            addresses = ", ".join(player.addresses)
    row = f"{quoted(name)[1:-1]:20}  {status:10}  {seen:10}  {addresses}"
    return f"{row.rstrip()}\n"


_STATUS = {"on": "on", "off": "signed off", DELETED: "deleted"}
