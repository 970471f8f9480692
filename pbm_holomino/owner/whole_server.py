"""`pbm run`: a whole server in one process: it fetches mail as it comes, sends the
letters that could not leave, does what is due, and can serve pages. The clock of it,
which does what cron does elsewhere, can also go beside `pbm serve`."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from itertools import chain
from typing import NoReturn

from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.fetch.staying import Chore
from pbm_holomino.fetch.stopping import Stopping
from pbm_holomino.mail.transports import close
from pbm_holomino.owner.fetch import stay_fetching
from pbm_holomino.owner.flush import send_waiting
from pbm_holomino.owner.tick import Trouble, do_what_is_due, renewed, tried
from pbm_holomino.owner.web import beside
from pbm_holomino.resident.companions import Companion, wait
from pbm_holomino.resident.robots import staying
from pbm_holomino.server.open import server_of
from pbm_holomino.server.transaction import Server
from pbm_holomino.store.home import Home

_FLUSH_SECONDS = 60.0  # from one try to send what waits to the next
_TICK_SECONDS = 300.0


def run(request: Request) -> Answer:
    """Do all that, until a signal stops it."""
    process = Stopping("pbm run")

    def chores(server: Server, home: Home) -> list[Chore]:
        return _chores(lambda do: do(server, home), process)

    @contextmanager
    def others(home: Home) -> Iterator[None]:
        with staying(home), beside(home, request.words):
            yield

    return stay_fetching(process, chores, others)


_Do = Callable[[Server, Home], Iterator[str]]


def _chores(done: Callable[[_Do], Iterator[str]], process: Stopping) -> list[Chore]:
    """What is done from time to time, each by a server that `done` gives it."""
    return [
        Chore(partial(done, _flushed), _FLUSH_SECONDS, process),
        Chore(partial(done, _ticked), _TICK_SECONDS, process),
    ]


def _keep_clock(home: Home, ends: Sequence[int]) -> NoReturn:
    """Do all that for a home, until there is something to be read at one of `ends`.
    Raises Ended."""
    chores = _chores(partial(_opened, home), Stopping("pbm serve"))
    while True:
        wait([], ends, min([chore.do_if_due() for chore in chores]))


CLOCK = Companion("pbm serve", _keep_clock)


def _opened(home: Home, do: _Do) -> Iterator[str]:
    """Do something with a server of its own."""
    with ExitStack() as stack:
        server = server_of(home)
        stack.enter_context(closing(server.store))
        stack.callback(close, home)
        yield from do(server, home)


def _flushed(server: Server, home: Home) -> Iterator[str]:
    """Send what waits; what the owner is told if some of it could not leave."""
    answer = send_waiting(server, home)
    if answer.status:
        yield answer.text.rstrip("\n")


def _ticked(server: Server, home: Home) -> Iterator[str]:
    """Do what is due; what could not be done."""
    done = chain(do_what_is_due(server), tried(renewed(home)))
    return (each for each in done if isinstance(each, Trouble))
