"""What all stores share about being closed to writers while they are copied."""

from pbm_holomino.errors import Again, Busy, StoreTrouble
from pbm_holomino.sentences import moment
from pbm_holomino.store.contract import Closed


def format_closed(closed: Closed) -> str:
    """As a store keeps it: one line."""
    return " ".join((closed.since, closed.source or "-", closed.why))


def parse_closed(text: str) -> Closed:
    """What a store keeps. Whatever else is there closes it, too."""
    since, source, why = [*text.split(maxsplit=2), "", "", ""][:3]
    return Closed(since, why, source.strip("-"))


def sentence(closed: Closed) -> str:
    """That a store is closed, without a full stop."""
    return (
        "The server's store has been closed to writers since "
        f"{moment(closed.since)}, as {closed.why}"
    )


def refusal(closed: Closed | None) -> StoreTrouble:
    """The error for somebody who wanted to write, even if the store is open by now."""
    if closed is None:
        return Again("The server's store was closed to writers: please try again.")
    return StoreTrouble(f"{sentence(closed)}: please try again later.")


def being_copied() -> Busy:
    """The error for another process that closes a store, or opens it."""
    return Busy("The store is being copied just now: please wait for the end of that.")


def letters_leave() -> Busy:
    """The error where letters have been on their way for too long."""
    return Busy(
        "Letters are being sent just now, or a process that sent some has died: please "
        "try again in 20 minutes."
    )
