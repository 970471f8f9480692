"""Tells the owner by a letter that no mail can be fetched: those who send mails do not
know it, and nobody else may be looking."""

from contextlib import suppress

from pbm_holomino.errors import PbmError
from pbm_holomino.fetch.progress import Progress
from pbm_holomino.letters import to_owner
from pbm_holomino.mail import transports
from pbm_holomino.mail.outcomes import Outcome, Parcel
from pbm_holomino.mail.post import leave, packed
from pbm_holomino.match.times import later
from pbm_holomino.store.contract import MAILBOX_TOLD, Store
from pbm_holomino.store.home import Home

PATIENCE = 60 * 60  # seconds without mail, after which the owner is told


def tell_owner(progress: Progress, home: Home, store: Store) -> bool:
    """Write to the owner if no mail could be fetched for an hour, at most once a day.
    Whether a letter has left: in the way of all letters or, if that fails too, by the
    sendmail of this machine, if it has one."""
    with suppress(PbmError):  # the log has it, and pbm status
        now, owner = store.now(), home.config.owner
        if not (
            owner and progress.why and later(progress.failing, seconds=PATIENCE) <= now
        ):
            return False
        if store.remembered(MAILBOX_TOLD)[:10] == now[:10]:
            return False
        letter = to_owner.unfetched(progress.cannot_fetch, owner, now[:10])
        parcel = packed(letter, home.config)
        if _has_left(parcel, home, store):
            store.remember(MAILBOX_TOLD, now)
            return True
    return False


def _has_left(parcel: Parcel, home: Home, store: Store) -> bool:
    """Whether a mail to one address has left in one of the ways."""
    (address,) = parcel.to
    outcome: Outcome = leave(parcel, home, store)[address]
    if outcome.why and home.config.send != "sendmail":
        outcome = transports.by_sendmail(parcel, home)[address]
    return not outcome.why
