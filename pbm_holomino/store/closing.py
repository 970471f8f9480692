"""What all stores share about being closed to writers while they are copied."""

from pbm_holomino.errors import Again, Busy, StoreTrouble
from pbm_holomino.languages import Moment, sentence
from pbm_holomino.sentences import moment
from pbm_holomino.store.contract import Closed

# Why a store is closed, as it is kept.
COPIED = "it is being copied"
INCOMPLETE = "it is a copy that is not complete"
MOVED = "it was moved to another place"

# What players are told who wanted to write.
_OPEN_BY_NOW = sentence("The server's store was closed to writers: please try again.")
_CLOSED = {  # by why
    COPIED: sentence(
        "The server's store has been closed to writers since {when}, as it is being "
        "copied: please try again later."
    ),
    INCOMPLETE: sentence(
        "The server's store has been closed to writers since {when}, as it is a copy "
        "that is not complete: please try again later."
    ),
    MOVED: sentence(
        "The server's store has been closed to writers since {when}, as it was moved "
        "to another place: please try again later."
    ),
}
_CLOSED_OTHERWISE = sentence(
    "The server's store has been closed to writers since {when}, as {why}: please try "
    "again later."
)


def format_closed(closed: Closed) -> str:
    """As a store keeps it: one line."""
    return " ".join((closed.since, closed.source or "-", closed.why))


def parse_closed(text: str) -> Closed:
    """What a store keeps. Whatever else is there closes it, too."""
    since, source, why = [*text.split(maxsplit=2), "", "", ""][:3]
    return Closed(since, why, source.strip("-"))


def in_words(closed: Closed) -> str:
    """That a store is closed, without a full stop, for its owner."""
    return (
        "The server's store has been closed to writers since "
        f"{moment(closed.since)}, as {closed.why}"
    )


def refusal(closed: Closed | None) -> StoreTrouble:
    """The error for somebody who wanted to write, even if the store is open by now."""
    if closed is None:
        return Again(_OPEN_BY_NOW)
    said = _CLOSED.get(closed.why, _CLOSED_OTHERWISE)
    return StoreTrouble(said.of(when=Moment(closed.since), why=closed.why))


def being_copied() -> Busy:
    """The error for another process that closes a store, or opens it."""
    return Busy("The store is being copied just now: please wait for the end of that.")


def letters_leave() -> Busy:
    """The error where letters have been on their way for too long."""
    return Busy(
        "Letters are being sent just now, or a process that sent some has died: please "
        "try again in 20 minutes."
    )
