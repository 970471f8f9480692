"""`pbm fetch`: carry out the mails in a mailbox, once or as they come."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial

from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.errors import PbmError
from pbm_holomino.fetch.fetcher import Fetched, Fetcher
from pbm_holomino.fetch.opening import open_mailbox
from pbm_holomino.fetch.progress import fetching
from pbm_holomino.fetch.staying import Watch, stay
from pbm_holomino.fetch.stopping import Stopping
from pbm_holomino.server import open as opener
from pbm_holomino.server.inbox import receive
from pbm_holomino.server.transaction import Server
from pbm_holomino.store.home import Home


def run(request: Request) -> Answer:
    """Fetch all mail; with --stay, as it comes, until a signal stops it."""
    server, home = opener.open_server()
    stopping = Stopping("pbm fetch")
    with closing(server.store), stopping.listening():
        if "stay" in request.options:
            with watching(server, home, stopping) as watch:
                stay(watch)
        return _told(_fetch(server, home, stopping))
    return Answer("Stopped.\n")


def _fetch(server: Server, home: Home, stopping: Stopping) -> Fetched:
    with fetching(home, server.store) as lease:
        lease.keep()
        fetcher = Fetcher(_inbox(server, home), server.store, lease, stopping)
        try:
            with closing(open_mailbox(home, lease.progress.earlier)) as box:
                return fetcher.fetch_all(box)
        except PbmError as error:
            lease.fail(str(error))
            raise


def _told(fetched: Fetched) -> Answer:
    if not any(fetched):
        return Answer("There is no mail.\n")
    again = f"; {fetched.delayed} must come again" if fetched.delayed else ""
    return Answer(f"Mails fetched: {fetched.done}{again}.\n")


def _inbox(server: Server, home: Home) -> Callable[[bytes], None]:
    return lambda raw: receive(raw, server, home.config)


@contextmanager
def watching(server: Server, home: Home, stopping: Stopping) -> Iterator[Watch]:
    """The mailbox, watched in this block."""
    with fetching(home, server.store) as lease:
        fetcher = Fetcher(_inbox(server, home), server.store, lease, stopping)
        opened = partial(open_mailbox, home)
        with closing(Watch(opened, fetcher, server.store, lease, stopping)) as watch:
            yield watch
