"""`pbm run`: a whole server in one process: it fetches mail as it comes, sends the
letters that could not leave, and does what is due."""

from contextlib import closing

from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.fetch.staying import Chore, stay
from pbm_holomino.fetch.stopping import Stopping
from pbm_holomino.owner.fetch import watching
from pbm_holomino.owner.flush import send_waiting
from pbm_holomino.owner.tick import do_what_is_due
from pbm_holomino.server import open as opener

_FLUSH_SECONDS = 60.0  # from one try to send what waits to the next
_TICK_SECONDS = 300.0


def run(request: Request) -> Answer:
    """Do all that, until a signal stops it."""
    server, home = opener.open_server()
    stopping = Stopping("pbm run")
    chores = [
        Chore(lambda: send_waiting(server, home), _FLUSH_SECONDS, stopping),
        Chore(lambda: list(do_what_is_due(server)), _TICK_SECONDS, stopping),
    ]
    with (
        closing(server.store),
        stopping.listening(),
        watching(server, home, stopping) as watch,
    ):
        stay(watch, chores)
    return Answer("Stopped.\n")
