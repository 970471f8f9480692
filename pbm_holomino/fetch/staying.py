"""A process that stays: it fetches mail as it comes, and does other things from time to
time. Whatever fails is tried again, after pauses that grow.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from time import monotonic, sleep
from typing import NoReturn

from pbm_holomino.errors import CannotFetch, LoginRefused, NotAllowed, PbmError
from pbm_holomino.fetch.contract import MOST_IDLE, Mailbox
from pbm_holomino.fetch.fetcher import Fetcher
from pbm_holomino.fetch.progress import Lease, Progress, pause
from pbm_holomino.fetch.stopping import Stopping
from pbm_holomino.match.times import parse_time
from pbm_holomino.resident import garbage
from pbm_holomino.resident.report import in_words
from pbm_holomino.store.contract import Store

_PAUSES = 2, 300  # the first and the longest, in seconds, after a mailbox failed
_PAUSES_OF_LOGIN = 60, 3_600  # a server may lock out one that guesses
_GLANCE = 5.0  # seconds, in a pause, from one look at the password's file to the next


class Watch:
    """A mailbox that is looked at whenever something comes, and every few minutes.

    After it failed it is looked at again when `stamp` gives something else than before,
    as somebody has changed the password; and `warn` is told what is known, perhaps to
    tell the owner.
    """

    def __init__(
        self,
        opened: Callable[[str], Mailbox],
        fetcher: Fetcher,
        store: Store,
        lease: Lease,
        process: Stopping,
        stamp: Callable[[], object] = lambda: None,
        warn: Callable[[Progress], object] = lambda known: None,
    ) -> None:
        self._opened = opened
        self._fetcher = fetcher
        self._lease = lease
        self._store = store
        self._process = process
        self._stamp = stamp
        self._warn = warn
        self._tried_with = stamp()
        self._box: Mailbox | None = None
        self._failures = 0  # since something was last waited for
        self._told = ""
        self._next = 0.0  # when to look again, by the monotonic clock

    def look_if_due(self) -> float:
        """Fetch what is there, if it is time; the seconds until the next time."""
        if monotonic() >= self._next:
            try:
                self._look()
            except NotAllowed:
                raise
            except Exception as error:
                self._fail(error)
        return self._next - monotonic()

    def _look(self) -> None:
        self._lease.keep()
        if self._box is None:
            self._tried_with = self._stamp()
            self._box = self._opened(self._lease.progress.earlier)
        self._fetcher.fetch_all(self._box)
        self._tell("")
        self._next = monotonic() + self._until_one_is_due()

    def _until_one_is_due(self) -> float:
        """The seconds until a mail comes again, or the mailbox is to be looked at."""
        times = [mail.due for mail in self._lease.progress.delayed.values()]
        if not times:
            return MOST_IDLE
        left = parse_time(min(times)) - parse_time(self._store.now())
        return min(max(left.total_seconds(), 1), MOST_IDLE)

    def wait(self, seconds: float) -> None:
        """Wait for mail, or for so many seconds."""
        if seconds <= 0:
            return
        if self._box is None:
            self._pause(seconds)
            return
        try:
            if self._box.wait(seconds):
                self._next = 0.0
            self._failures = 0
        except CannotFetch as error:
            self._fail(error)

    def _pause(self, seconds: float) -> None:
        """Wait for so many seconds, or until the password is another one."""
        end = monotonic() + seconds
        while (left := end - monotonic()) > 0:
            sleep(min(left, _GLANCE))
            if self._stamp() != self._tried_with:
                self._next, self._failures = 0.0, 0
                return

    def _fail(self, error: Exception) -> None:
        """Close the mailbox for a while, and tell the owner why."""
        self.close()
        pauses = _PAUSES_OF_LOGIN if isinstance(error, LoginRefused) else _PAUSES
        self._next = monotonic() + pause(self._failures, *pauses)
        self._failures += 1
        self._tell(in_words(error))
        self._warn(self._lease.progress)

    def _tell(self, why: str) -> None:
        """Tell the owner why no mail is fetched, or that it is again, if that is
        new."""
        if why != self._told:
            self._process.say(why or "Mail is fetched again.")
            self._told = why
            with suppress(PbmError):
                self._lease.fail(why)

    def close(self) -> None:
        """Close the mailbox."""
        if self._box is not None:
            self._box.close()
            self._box = None


class Chore:
    """Something that is done every so many seconds, and not stopped in between. The
    owner is told what it complains of, as long as that is new."""

    def __init__(
        self,
        do: Callable[[], Iterable[str]],
        seconds: float,
        process: Stopping,
    ) -> None:
        self._do = do
        self._seconds = seconds
        self._process = process
        self._next = 0.0
        self._told: list[str] = []

    def do_if_due(self) -> float:
        """Do it if it is time; the seconds until the next time."""
        if monotonic() >= self._next:
            self._next = monotonic() + self._seconds
            complaints = self._done()
            for each in complaints:
                if each not in self._told:
                    self._process.say(each)
            self._told = complaints
        return self._next - monotonic()

    def _done(self) -> list[str]:
        """Do it; what it complains of."""
        complaints = list[str]()
        try:
            with self._process.held():
                complaints.extend(self._do())
        except Exception as error:
            complaints.append(in_words(error))
        return complaints


def stay(process: Stopping, watch: Watch, chores: Sequence[Chore]) -> NoReturn:
    """Do all that, until a signal stops it. Raises Reloading."""
    garbage.collect_seldom()
    while True:
        waits = [watch.look_if_due(), *(chore.do_if_due() for chore in chores)]
        with process.waiting():
            watch.wait(min(waits))
