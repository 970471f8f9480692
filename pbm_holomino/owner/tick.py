"""`pbm tick`, as cron runs it: reminders, forfeits and digests.

It may run at any moment, twice, or not for a month: all that is due follows from
the boards and the accounts, and is done once.
"""

from collections.abc import Iterator

from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.errors import DONE, REFUSED, PbmError
from pbm_holomino.letters.letter import Due
from pbm_holomino.match import ledgers
from pbm_holomino.match.record import Key
from pbm_holomino.match.times import is_time, later
from pbm_holomino.owner.clocks import Clock, clocks
from pbm_holomino.sentences import fill
from pbm_holomino.server import open as opener
from pbm_holomino.server.transaction import Server
from pbm_holomino.server.waking import waiting
from pbm_holomino.store import robot_jobs
from pbm_holomino.store.contract import OUTAGE, TICKED_AT
from pbm_holomino.store.home import Home


def run(request: Request) -> Answer:
    """Remind players, end boards that are out of time, send digests, and have robots
    play that nobody has played for. If something could not be done, the exit status is
    that of its error."""
    server, home = opener.open_existing()
    server.store.check_open()
    # what is damaged is met more than once
    sentences = dict.fromkeys(
        [
            *do_what_is_due(server),
            *tried(_for_robots(server, home)),
            *tried(renewed(home)),
        ]
    )
    failed = [each.status for each in sentences if isinstance(each, Trouble)]
    text = "".join(map(fill, sentences)) or "Nothing is due.\n"
    return Answer(text, max(failed, default=DONE))


class Trouble(str):
    """A sentence about something that was due and could not be done, with the exit
    status of the error."""

    status: int = REFUSED

    @classmethod
    def of(cls, error: PbmError) -> "Trouble":
        """The sentence of an error."""
        made = cls(error.in_a_line)
        made.status = error.status
        return made


def renewed(home: Home) -> Iterator[str]:
    """Renew the token of the mailbox, once a day: it would lapse where nobody logs in
    for long. There is nothing to say of it."""
    if home.config.token_file:
        from pbm_holomino.mail import login  # few mailboxes need tokens

        login.password(home)
    yield from ()


def _for_robots(server: Server, home: Home) -> Iterator[str]:
    """Do what robots have to do and nobody has done for them."""
    if waiting(server.library) or robot_jobs.waiting(server.store):
        from pbm_holomino.owner.playing import play_all  # slow to load

        yield from play_all(server, home)


def do_what_is_due(server: Server) -> Iterator[str]:
    """Do what is due, a sentence for each thing done. What is damaged or busy stops
    nothing else: it is reported (see Trouble), and done the next time. When everything
    has been looked at, and none of it must be tried again, that is remembered."""
    is_done = True
    for sentence in tried(_everything_due(server)):
        is_done &= not (isinstance(sentence, Trouble) and sentence.status != REFUSED)
        yield sentence
    if is_done:
        try:
            server.store.remember(TICKED_AT, server.now())
        except PbmError as error:
            yield Trouble.of(error)


def _everything_due(server: Server) -> Iterator[str]:
    library = server.library
    _note_outage(server)
    library.lists.scan()
    due = library.lists.due(server.now())
    yield from map(Trouble.of, due.damaged)
    for clock in clocks(server, due):
        for key in clock.candidates():
            yield from tried(_go_on(server, clock, key))


_MOST_HOURS = 6  # between ticks
_GRACE_DAYS = 1


def _note_outage(server: Server) -> None:
    """Remember that no clock may run out for a day, if ticks have not come for hours:
    then mail may not have come either."""
    store, now = server.store, server.now()
    last = store.remembered(TICKED_AT)
    if not is_time(last) or later(last, seconds=3600 * _MOST_HOURS) < now:
        store.remember(OUTAGE, later(now, _GRACE_DAYS))


def tried(done: Iterator[str]) -> Iterator[str]:
    """These sentences; in place of what could not be done, one that says why."""
    try:
        yield from done
    except PbmError as error:
        yield Trouble.of(error)


def _go_on(server: Server, clock: Clock, key: Key) -> Iterator[str]:
    """Do what is due on a ledger, one step after the other. A step is worked out before
    the ledger is locked, as it may take a while: if somebody else has been faster, it
    is worked out again."""
    kind = ledgers.load(key.folder)
    while (ledger := server.library.find(*key)) is not None:
        context = server.context()
        step = None if kind.is_gone(ledger) else clock.step(ledger, context)
        if step is None:
            return
        with server.store.lock(*key):
            if server.library.find(*key) != ledger:
                continue
            server.saved(ledger, step.after, context)
        server.delivery.deliver([Due.of(step.after, people=context.people)])
        yield from step.said
