"""The limit of a provider on letters in a day (`letters_per_day`).

Letters that nobody needs to play, digests and broadcasts, leave a part of the day's
letters to the others, and wait as long as any of those wait. What waits stays marked or
kept, as if the server had not taken it, and leaves on the next day.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from pbm_holomino.errors import StoreTrouble
from pbm_holomino.mail import transports
from pbm_holomino.mail.outcomes import Outcome, Outcomes, Parcel
from pbm_holomino.store.contract import LIMITED, LIMITED_SINCE, Store
from pbm_holomino.store.home import Home

_FOLDER = "leaving"  # the folder that counts copies in a day
_TAKEN, _RETURNED = "taken", "returned"
_BULK_SHARE = (3, 4)  # of the day's letters that digests and broadcasts may be


def send(parcel: Parcel, home: Home, store: Store) -> Outcomes:
    """Send a mail in the way the owner has chosen, as far as the day's limit goes."""
    try:
        day, taken, late = _taken(parcel, home, store)
    except StoreTrouble as error:
        return dict.fromkeys(parcel.to, Outcome(str(error)))
    outcomes = dict(transports.send(parcel._replace(to=taken), home)) if taken else {}
    for outcome in outcomes.values():
        if outcome.why and not outcome.for_good:
            with suppress(StoreTrouble):  # then the day has fewer letters
                store.counters.count(_FOLDER, day, _RETURNED)
    return {**outcomes, **late}


def waiting_since(store: Store) -> str:
    """Since when letters wait because of the limit; empty if none do."""
    return store.note(LIMITED_SINCE)


@contextmanager
def looking_anew(store: Store) -> Iterator[None]:
    """In this block all that waits is tried. Then it is known anew whether letters wait
    because of the limit; if some still do, they have done so since the same time."""
    since = store.note(LIMITED_SINCE)
    for name in (LIMITED_SINCE, LIMITED):
        if store.note(name):
            store.put_note(name, "")
    yield
    if since and store.note(LIMITED_SINCE):
        store.put_note(LIMITED_SINCE, since)


def _taken(
    parcel: Parcel, home: Home, store: Store
) -> tuple[str, tuple[str, ...], dict[str, Outcome]]:
    """The day, the addresses whose copies may leave in it, which are counted, and what
    becomes of the others."""
    now, most = store.now(), home.config.letters_per_day
    day, is_bulk = now[:10], parcel.is_bulk
    if is_bulk:
        part, whole = _BULK_SHARE
        most = 0 if store.note(LIMITED) else most * part // whole
    taken = tuple(to for to in parcel.to if _may_leave(store, day, most))
    late = [to for to in parcel.to if to not in taken]
    for name in [LIMITED_SINCE] if is_bulk else [LIMITED_SINCE, LIMITED]:
        if late and not store.note(name):
            store.put_note(name, now)
    why = (
        f"There are at most {home.config.letters_per_day} letters in a day "
        "(letters_per_day): it leaves on another day."
    )
    return day, taken, dict.fromkeys(late, Outcome(why))


def _may_leave(store: Store, day: str, most: int) -> bool:
    """Count one more copy in a day, of those that leave, unless that is too many. What
    has not left is counted apart, as counts only grow; read first, it is never too
    high."""
    returned = store.counters.count_of(_FOLDER, day, _RETURNED)
    return store.counters.claim(_FOLDER, day, {_TAKEN: (1, most + returned)})
