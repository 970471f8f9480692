"""`pbm run`: a whole server in one process: it fetches mail as it comes, sends the
letters that could not leave, does what is due, and can serve pages."""

from collections.abc import Iterator
from contextlib import contextmanager

from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.fetch.staying import Chore
from pbm_holomino.fetch.stopping import Stopping
from pbm_holomino.owner.fetch import stay_fetching
from pbm_holomino.owner.flush import send_waiting
from pbm_holomino.owner.tick import Trouble, do_what_is_due
from pbm_holomino.owner.web import beside
from pbm_holomino.resident.robots import staying
from pbm_holomino.server.transaction import Server
from pbm_holomino.store.home import Home

_FLUSH_SECONDS = 60.0  # from one try to send what waits to the next
_TICK_SECONDS = 300.0


def run(request: Request) -> Answer:
    """Do all that, until a signal stops it."""
    process = Stopping("pbm run")

    def chores(server: Server, home: Home) -> list[Chore]:
        return [
            Chore(lambda: _flushed(server, home), _FLUSH_SECONDS, process),
            Chore(lambda: _ticked(server), _TICK_SECONDS, process),
        ]

    @contextmanager
    def others(home: Home) -> Iterator[None]:
        with staying(home), beside(home, request.words):
            yield

    return stay_fetching(process, chores, others)


def _flushed(server: Server, home: Home) -> Iterator[str]:
    """Send what waits; what the owner is told if some of it could not leave."""
    answer = send_waiting(server, home)
    if answer.status:
        yield answer.text.rstrip("\n")


def _ticked(server: Server) -> Iterator[str]:
    """Do what is due; what could not be done."""
    return (each for each in do_what_is_due(server) if isinstance(each, Trouble))
