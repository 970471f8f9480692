"""`pbm fetch`: carry out the mails in a mailbox, once or as they come."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import (
    AbstractContextManager,
    closing,
    contextmanager,
    nullcontext,
    suppress,
)
from functools import partial

from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.errors import PbmError
from pbm_holomino.fetch import opening
from pbm_holomino.fetch.fetcher import Fetched, Fetcher
from pbm_holomino.fetch.opening import open_mailbox
from pbm_holomino.fetch.progress import fetching
from pbm_holomino.fetch.staying import Chore, Watch, stay
from pbm_holomino.fetch.stopping import Reloading, Stopping
from pbm_holomino.fetch.telling import tell_owner
from pbm_holomino.mail import login
from pbm_holomino.resident.reloading import reloaded
from pbm_holomino.resident.senders import Senders
from pbm_holomino.server import open as opener
from pbm_holomino.server.inbox import receive
from pbm_holomino.server.transaction import Server
from pbm_holomino.store.home import Home, open_home


def run(request: Request) -> Answer:
    """Fetch all mail; with --stay, as it comes, until a signal stops it."""
    process = Stopping("pbm fetch")
    if "stay" in request.options:
        return stay_fetching(process, lambda *_: (), lambda home: nullcontext())
    server, home = opener.open_server()
    with closing(server.store), _sending(server, "pbm fetch"), process.listening():
        return _answer(_fetch(server, home, process))
    return STOPPED


STOPPED = Answer("Stopped.\n")


def _fetch(server: Server, home: Home, process: Stopping) -> Fetched:
    with fetching(home, server.store) as lease:
        lease.keep()
        fetcher = Fetcher(_inbox(server, home), server.store, lease, process)
        try:
            with closing(open_mailbox(home, lease.progress.earlier)) as box:
                return fetcher.fetch_all(box)
        except PbmError as error:
            lease.fail(str(error))
            tell_owner(lease.progress, home, server.store)
            raise


def _answer(fetched: Fetched) -> Answer:
    if not any(fetched):
        return Answer("There is no mail.\n")
    again = f"; {fetched.delayed} must come again" if fetched.delayed else ""
    return Answer(f"Mails fetched: {fetched.done}{again}.\n")


def _inbox(server: Server, home: Home) -> Callable[[bytes], object]:
    return lambda raw: receive(raw, server, home.config)


def stay_fetching(
    process: Stopping,
    chores: Callable[[Server, Home], Sequence[Chore]],
    beside: Callable[[Home], AbstractContextManager[None]],
) -> Answer:
    """Fetch mail as it comes, and do the chores of a server, until a signal stops it,
    in a block of `beside`. At SIGHUP it goes on with the settings as they are then."""
    home = open_home()
    opening.opener(home)  # it refuses settings without a mailbox
    with process.listening():
        while True:
            server = opener.server_of(home)
            with (
                closing(server.store),
                beside(home),
                _sending(server, process.program),
                _watching(server, home, process) as watch,
                suppress(Reloading),
            ):
                sentence = f"Fetching mail from {home.config.fetch}. Ctrl-C stops this."
                print(sentence, flush=True)
                stay(process, watch, chores(server, home))
            home = reloaded(home, process.say, opening.opener) or home
    return STOPPED


@contextmanager
def _sending(server: Server, program: str) -> Iterator[None]:
    """In this block letters do not hold up the next mail."""
    with closing(Senders(server, program)) as senders:
        server.later = senders.take
        yield


@contextmanager
def _watching(server: Server, home: Home, process: Stopping) -> Iterator[Watch]:
    """The mailbox, watched in this block."""
    with fetching(home, server.store) as lease:
        fetcher = Fetcher(_inbox(server, home), server.store, lease, process)
        opened, stamp = partial(open_mailbox, home), partial(login.stamp, home)
        warn = partial(tell_owner, home=home, store=server.store)
        watch = Watch(opened, fetcher, server.store, lease, process, stamp, warn)
        with closing(watch):
            yield watch
