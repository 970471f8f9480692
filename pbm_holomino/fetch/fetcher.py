"""Fetches mails: each through the inbox, and then out of the mailbox.

A mail is removed when it is dealt with. If we are killed in between it is fetched
again, and recognised by its id. A mail that must come again stays, and holds up no
other one.
"""

from collections.abc import Callable

from pbm_holomino.errors import CannotFetch
from pbm_holomino.fetch.contract import Mailbox, OneMailRefused
from pbm_holomino.fetch.progress import PATIENCE_DAYS, Lease, Progress
from pbm_holomino.fetch.stopping import Stopping
from pbm_holomino.mail.keeping import quarantine
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.resident.report import in_words
from pbm_holomino.store.contract import QUARANTINE, Store


class Fetched(NamedTuple):
    """How many mails were dealt with, and how many must come again."""

    done: int = 0
    delayed: int = 0


class Fetcher:
    """Fetches mails for the holder of a lease.

    `receive` carries out a mail, and raises what keeps it from doing so. A mail that is
    begun is finished before `process` stops.
    """

    def __init__(
        self,
        receive: Callable[[bytes], object],
        store: Store,
        lease: Lease,
        process: Stopping,
    ) -> None:
        self._receive = receive
        self._store = store
        self._lease = lease
        self._process = process
        self._has_saved = False  # in this round
        self._why = ""  # the mailbox did not let go of a mail

    def fetch_all(self, box: Mailbox) -> Fetched:
        """Fetch all mails that are there and due. Raises CannotFetch, and what the
        store raises."""
        self._has_saved, self._why = False, ""
        tried, done = set[str](), 0
        try:
            while due := [name for name in self._due(box) if name not in tried]:
                for name in due:
                    self._lease.keep()
                    done += self._fetch(box, name)
                tried.update(due)  # more may have come meanwhile
            self._change(self._known.with_trouble(self._why, self._store.now()))
        finally:
            self._lease.save()
        return Fetched(done, len(self._known.delayed))

    @property
    def _known(self) -> Progress:
        return self._lease.progress

    def _change(self, progress: Progress) -> None:
        self._lease.progress = progress

    def _due(self, box: Mailbox) -> list[str]:
        """The mails to fetch now; those that only have to leave come last, as the
        mailbox may not let go of them."""
        names, now = box.mails(), self._store.now()
        self._change(self._known.with_only(names)._replace(looked=now))
        waits = {n for n, mail in self._known.delayed.items() if mail.due > now}
        due = [name for name in names if name not in waits]
        return sorted(due, key=lambda name: name in self._known.done)

    def _fetch(self, box: Mailbox, name: str) -> bool:
        """Fetch a mail and carry it out; whether it is dealt with."""
        if name in self._known.done:
            self._remove(box, name)
            return False
        try:
            raw = box.read(name)
        except CannotFetch as error:
            self._delay(name, error)
            if isinstance(error, OneMailRefused):
                return False
            raise
        if raw is None:  # somebody has taken it away
            return False
        with self._process.held():
            is_done = self._carry_out(name, raw)
            if is_done:
                self._remove(box, name)
        return is_done

    def _carry_out(self, name: str, raw: bytes) -> bool:
        """Whether a mail is dealt with."""
        try:
            self._receive(raw)
        except Exception as error:  # whatever it is, the next mail must not feel it
            delayed = self._known.delayed.get(name)
            if delayed is None or not delayed.is_hopeless(self._store.now()):
                self._delay(name, error)
                return False
            quarantine(raw, self._store)
            self._process.say(
                f"A mail that could not be carried out in {PATIENCE_DAYS} days is in "
                f"{QUARANTINE} now. {in_words(error)}"
            )
        return True

    def _delay(self, name: str, error: Exception) -> None:
        """Note that a mail must come again. If the store cannot note even that, nothing
        else could be carried out either, and this raises StoreTrouble."""
        self._process.say(f"A mail must come again. {in_words(error)}")
        now = self._store.now()
        self._change(self._known.with_delayed(name, in_words(error), now))
        if not self._has_saved:  # the others of this round are saved at its end
            self._lease.save()
            self._has_saved = True

    def _remove(self, box: Mailbox, name: str) -> None:
        """Remove a mail that is dealt with. If that fails, it is remembered."""
        try:
            box.remove(name)
        except CannotFetch as error:
            self._change(self._known.with_done(name))
            self._why = str(error)
            if not isinstance(error, OneMailRefused):
                raise
        else:
            self._change(self._known.without(name))
