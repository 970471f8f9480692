"""`pbm players`: everybody who has ever signed up."""

from contextlib import suppress

from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.errors import CorruptFile
from pbm_holomino.match.account import DELETED, Player
from pbm_holomino.sentences import quoted
from pbm_holomino.server import open as opener
from pbm_holomino.store.contract import PLAYERS
from pbm_holomino.store.library import Library


def run(request: Request) -> Answer:
    """A table of all accounts, with the day of the last line in each one's log, and
    which addresses letters do not reach."""
    return Answer(text_of(opener.open_existing()[0].library))


def text_of(library: Library) -> str:
    """The same of a library."""
    lines = [_player(library, name) for name in sorted(library.store.names(PLAYERS))]
    return "".join(lines) or "Nobody has signed up yet.\n"


def _player(library: Library, name: str) -> str:
    status, day, addresses = "damaged", "", ""
    with suppress(CorruptFile):
        player = library.account(name)
        if player is not None:  # otherwise the file is not named after a userid
            status = STATUS[player.status]
            day = player.log[-1].time[:10] if player.log else ""
            addresses = ", ".join(_address(player, each) for each in player.addresses)
    row = f"{quoted(name)[1:-1]:20}  {status:10}  {day:10}  {addresses}"
    return f"{row.rstrip()}\n"


def _address(player: Player, address: str) -> str:
    is_dead = address in player.dead_addresses
    return f"{address} (letters come back)" if is_dead else address


STATUS = {"on": "on", "off": "signed off", DELETED: "deleted"}
