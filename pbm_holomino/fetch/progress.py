"""What is known of the mails in the mailbox, in a document of the store: those that
must come again, those that are dealt with but still there, and those that are left
alone, as they came before the server.

The document also says who fetches, and until when: a fetcher renews this lease while it
works, so that there is one at a time, on all machines that share the store.
"""

import os
import secrets
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from time import monotonic
from typing import Any

from pbm_holomino.errors import Busy, PbmError
from pbm_holomino.match.times import later
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.resident.alone import alone
from pbm_holomino.sentences import moment
from pbm_holomino.store import documents
from pbm_holomino.store.contract import FETCH, Store
from pbm_holomino.store.damage import DAMAGE, corrupt
from pbm_holomino.store.files.folders import WRITING
from pbm_holomino.store.home import Home

FOLDER, NAME = FETCH, "progress"  # the document
LEASE_SECONDS = 300
_RENEWAL = 100.0  # seconds after which the lease is renewed
_LOCK = "fetch.lock"  # a file of this machine
FIRST_PAUSE, LONGEST_PAUSE = 60, 3_600  # seconds until a mail comes again
PATIENCE_DAYS = 3  # in which a mail comes again


class Delayed(NamedTuple):
    """A mail that must come again: since when, how often it has been tried, when it is
    tried next, and why it failed."""

    since: str
    tries: int
    due: str
    why: str

    def is_hopeless(self, now: str) -> bool:
        """Whether it has come again for long enough."""
        return later(self.since, PATIENCE_DAYS) <= now


class Progress(NamedTuple):
    """What is known of the mailbox, as the document has it."""

    home: str = ""  # the one that fetches
    until: str = ""  # when no other may
    looked: str = ""  # when the mailbox was last looked at
    failing: str = ""  # since when it cannot be
    why: str = ""  # why it cannot be
    delayed: Mapping[str, Delayed] = {}  # the mails that must come again, by name
    done: frozenset[str] = frozenset()  # those that are dealt with and still there
    earlier: str = ""  # the last of those that are left alone, if there are any

    def of_new_mailbox(self, earlier: str) -> "Progress":
        """What is known of a mailbox in which only the `earlier` mails are known."""
        return Progress(self.home, self.until, earlier=earlier)

    def with_only(self, names: Collection[str]) -> "Progress":
        """Without the mails that are gone."""
        here = {*names}
        delayed = {n: mail for n, mail in self.delayed.items() if n in here}
        return self._replace(delayed=delayed, done=self.done & here)

    def without(self, name: str) -> "Progress":
        """Without this mail."""
        delayed = {n: mail for n, mail in self.delayed.items() if n != name}
        return self._replace(delayed=delayed, done=self.done - {name})

    def with_done(self, name: str) -> "Progress":
        """With a mail that is dealt with."""
        without = self.without(name)
        return without._replace(done=without.done | {name})

    def with_delayed(self, name: str, why: str, now: str) -> "Progress":
        """With a mail that has failed once more, and waits longer each time."""
        before = self.delayed.get(name, Delayed(now, 0, now, ""))
        wait = pause(before.tries, FIRST_PAUSE, LONGEST_PAUSE)
        due = later(now, seconds=wait)
        mail = Delayed(before.since, before.tries + 1, due, " ".join(why.split()))
        return self._replace(delayed={**self.delayed, name: mail})

    def with_trouble(self, why: str, now: str) -> "Progress":
        """With the reason why the mailbox cannot be looked at; empty if it can."""
        return self._replace(why=why, failing=(self.failing or now) if why else "")

    @property
    def cannot_fetch(self) -> str:
        """Why no mail can be fetched, in a sentence; empty if it can."""
        if not self.why:
            return ""
        return f"Mail cannot be fetched, since {moment(self.failing)}. {self.why}"

    @property
    def first_delayed(self) -> Delayed | None:
        """The mail that must come again and has waited longest."""
        return min(self.delayed.values(), key=lambda mail: mail.since, default=None)

    @property
    def must_come_again(self) -> str:
        """How many mails must come again, in a sentence; empty if none must."""
        first, count = self.first_delayed, len(self.delayed)
        if first is None:
            return ""
        mails = "1 mail must" if count == 1 else f"{count} mails must"
        since = moment(first.since)
        return f"{mails} be fetched again, the first since {since}. {first.why}"


def pause(tries: int, first: int, longest: int) -> int:
    """The seconds until the next try, after so many that have failed before the last
    one: twice as long each time."""
    return min(first << min(tries, 30), longest)


# The document


def read(store: Store) -> Progress:
    """The document as it is now. Raises CorruptFile."""
    data = documents.read(store, FOLDER, NAME)
    try:
        return Progress() if data is None else _from_data(data)
    except DAMAGE as error:
        raise corrupt(FOLDER, NAME, error, store.noun) from None


def _from_data(data: Any) -> Progress:
    words = {key: data[key] for key in ("home", "until", "looked", "failing", "why")}
    delayed = {}
    for name, line in data["delayed"].items():
        since, tries, due, why = line.split(" ", 3)
        delayed[name] = Delayed(since, int(tries), due, why)
    done, earlier = frozenset(data["done"]), data.get("earlier", "")
    return Progress(**words, delayed=delayed, done=done, earlier=earlier)


def _to_data(progress: Progress) -> dict[str, Any]:
    delayed = {n: " ".join(map(str, mail)) for n, mail in progress.delayed.items()}
    return {**progress._asdict(), "delayed": delayed, "done": sorted(progress.done)}


# Whose it is


class Lease:
    """The right of this home to fetch, and what it knows meanwhile: `progress`."""

    def __init__(self, store: Store, home: str) -> None:
        self._store = store
        self._home = home
        self._renewed = 0.0
        self._is_ours = False
        self._saved = self.progress = Progress()

    def keep(self) -> None:
        """Make sure that nobody else fetches. Raises Busy if somebody does."""
        if not self._is_ours or monotonic() - self._renewed >= _RENEWAL:
            self._renew()

    def save(self) -> None:
        """Save what is known, if it has changed. Raises Busy if another home
        fetches."""
        if self.progress != self._saved:
            self._renew()

    def fail(self, why: str) -> None:
        """Save why no mail can be fetched; empty if it can."""
        if self._is_ours:
            self.progress = self.progress.with_trouble(why, self._store.now())
            self.save()

    def _renew(self) -> None:
        """Save what is known. If this home has not had the lease, what is in the store
        counts."""
        progress = self.progress
        with self._store.lock(FOLDER, NAME):
            now, stored = self._store.now(), read(self._store)
            is_other = stored.home != self._home
            if is_other and stored.until > now:
                self._is_ours = False
                raise Busy("Mail is being fetched on another machine.")
            if is_other or not self._is_ours:
                progress = stored
            until = later(now, seconds=LEASE_SECONDS)
            progress = progress._replace(home=self._home, until=until)
            self._store.save(FOLDER, NAME, _to_data(progress))
        self._saved = self.progress = progress
        self._is_ours, self._renewed = True, monotonic()

    def end(self) -> None:
        """Let others fetch."""
        if self._is_ours:
            self._is_ours = False
            with self._store.lock(FOLDER, NAME):
                if read(self._store).home == self._home:
                    ended = self.progress._replace(until="")
                    self._store.save(FOLDER, NAME, _to_data(ended))


@contextmanager
def fetching(home: Home, store: Store) -> Iterator[Lease]:
    """The lease, held by this process of this home alone. Raises Busy."""
    refusal = Busy("Mail is being fetched already, by pbm fetch or pbm run.")
    with alone(home, _LOCK, 0, refusal):
        lease = Lease(store, _name_of(home))
        try:
            yield lease
        finally:
            with suppress(PbmError):  # it ends by itself, later
                lease.end()


def _name_of(home: Home) -> str:
    """The name of this home, made when it is first needed: who dies and comes back need
    not wait for the end of its own lease."""
    with WRITING, open(home.path(_LOCK), "r+") as file:
        name = file.read(64)
        if not name:
            name = secrets.token_hex(8)
            file.write(name)
            file.flush()
            os.fsync(file.fileno())
        return name
