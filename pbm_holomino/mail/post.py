"""Letters on their way out, and what happens to each copy."""

from collections.abc import Mapping
from contextlib import suppress

from pbm_holomino.errors import StoreTrouble
from pbm_holomino.letters.letter import Letter, Post
from pbm_holomino.mail import keeping, transports
from pbm_holomino.mail.keeping import Kept
from pbm_holomino.mail.message import message
from pbm_holomino.mail.outcomes import Outcomes, Parcel
from pbm_holomino.match import letter_ids
from pbm_holomino.store.config import Config
from pbm_holomino.store.contract import UNDELIVERABLE, WAITING, Store
from pbm_holomino.store.home import Home
from pbm_holomino.store.library import Library

_TOLD = "told"  # the folder that counts letters to the owner in an hour


def sender(home: Home, store: Store) -> Post:
    """The function that sends a letter in the way the owner has chosen; it returns the
    addresses whose copies wait, and why. A copy that is refused for good is kept, and
    done with; so is one that waits, if the letter is sent only once. A refused answer
    to a stranger is not kept."""

    def post(letter: Letter) -> Mapping[str, str]:
        parcel = packed(letter, home.config)
        outcomes = _sent(parcel, home, store)
        if letter.stranger:  # they can ask again, and must not push out other copies
            outcomes = {to: o for to, o in outcomes.items() if not o.for_good}
        waiting = _dealt_with(parcel, outcomes, home, store)
        if letter.once:
            waiting = _left(parcel, waiting, store)
        return waiting

    return post


def _sent(parcel: Parcel, home: Home, store: Store) -> Outcomes:
    """Send a mail, with a mark if the settings allow it, and count the addresses that
    it will never reach."""
    if home.config.has_marks:
        parcel = parcel._replace(mark=letter_ids.mark(store.key(), parcel.name))
    outcomes = leave(parcel, home, store)
    bounced = [to for to, outcome in outcomes.items() if outcome.bounced]
    letter = letter_ids.parse_id(parcel.name) if bounced else None
    if letter is not None:
        from pbm_holomino.mail import undelivered  # most letters are delivered

        with suppress(StoreTrouble):  # it need not count
            undelivered.count(letter, bounced, Library(store), store.now())
    return outcomes


def leave(parcel: Parcel, home: Home, store: Store) -> Outcomes:
    """Send a mail in the way the owner has chosen, as far as a day's limit goes."""
    if not home.config.letters_per_day:
        return transports.send(parcel, home)
    from pbm_holomino.mail import limit  # few providers have one

    return limit.send(parcel, home, store)


def _dealt_with(
    parcel: Parcel, outcomes: Outcomes, home: Home, store: Store
) -> dict[str, str]:
    """Keep the copies that were refused for good, and tell the owner; the addresses
    whose copies wait, and why."""
    waiting = {to: o.why for to, o in outcomes.items() if o.why and not o.for_good}
    refused = {to: o.why for to, o in outcomes.items() if o.for_good}
    for to, why in refused.items():
        try:
            keeping.keep(store, UNDELIVERABLE, parcel, to, why)
        except StoreTrouble as error:
            waiting[to] = str(error)
    if refused:
        _tell_owner(refused, home, store)
    if waiting:
        with suppress(StoreTrouble):  # the sender is told all the same
            keeping.put_reason(store, next(iter(waiting.values())))
    return waiting


def _left(parcel: Parcel, waiting: dict[str, str], store: Store) -> dict[str, str]:
    """Keep the copies that wait, for flush to send; the addresses whose copies could
    not be kept, and why they wait."""
    still = {}
    for to, why in waiting.items():
        try:
            if store.kept.is_full(WAITING):
                raise StoreTrouble(why)
            keeping.keep(store, WAITING, parcel, to, why)
        except StoreTrouble as error:
            still[to] = str(error)
    return still


def send_again(copy: Kept, folder: str, home: Home, store: Store) -> str:
    """Send a copy that is kept in a folder. Returns why it is still there; empty if it
    has gone, or has been moved to those that were refused for good."""
    if not copy.to:
        return f"{folder}/{copy.filename}: {copy.why}"
    outcome = _sent(copy.parcel, home, store)[copy.to]
    if outcome.why and (folder == UNDELIVERABLE or not outcome.for_good):
        return outcome.why
    if outcome.for_good:
        keeping.keep(store, UNDELIVERABLE, copy.parcel, copy.to, outcome.why)
        _tell_owner({copy.to: outcome.why}, home, store)
    store.kept.remove(folder, copy.filename)
    return ""


def _tell_owner(refused: Mapping[str, str], home: Home, store: Store) -> None:
    """Write to the owner that copies were refused for good, at most once an hour."""
    config = home.config
    with suppress(StoreTrouble):  # then "pbm check" says it
        hour = store.now()[: len("2026-11-20T04")]  # the same for all machines
        if not config.owner or store.counters.count(_TOLD, hour, UNDELIVERABLE):
            return
        from pbm_holomino.letters import to_owner  # most letters are delivered

        letter = to_owner.undelivered(refused, config, hour)
        parcel = packed(letter, config)
        outcome = leave(parcel, home, store)[config.owner]
        if outcome.why and not outcome.for_good:
            _left(parcel, {config.owner: outcome.why}, store)


def packed(letter: Letter, config: Config) -> Parcel:
    """A letter as it leaves."""
    return Parcel(letter.name, message(letter, config), letter.to)
