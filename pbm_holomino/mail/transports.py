"""How mail leaves: three ways, each of which says what happened to every copy."""

import os
from collections.abc import Callable

from pbm_holomino.errors import StoreTrouble
from pbm_holomino.mail.outcomes import GONE, Outcome, Outcomes, Parcel, in_brackets
from pbm_holomino.store.home import OUTBOX, Home

_PATIENCE = 60  # seconds that sendmail may take


def send(parcel: Parcel, home: Home) -> Outcomes:
    """Send a mail in the way the owner has chosen."""
    return _WAYS[home.config.send](parcel, home)


def close(home: Home) -> None:
    """Let go of what is kept open for the next letter."""
    if home.config.send == "smtp":
        from pbm_holomino.mail.submission import connections

        connections(home.root, home.config).close()


def _to_outbox(parcel: Parcel, home: Home) -> Outcomes:
    try:
        home.outbox.put(OUTBOX, f"{parcel.name}.eml", parcel.mail)
    except StoreTrouble as error:
        return dict.fromkeys(parcel.to, Outcome(str(error)))
    return dict.fromkeys(parcel.to, GONE)


# sendmail


def by_sendmail(parcel: Parcel, home: Home) -> Outcomes:
    """Call sendmail once for each address, so that its exit status is about that one.
    If it does not work at all, it is not called for the others."""
    outcomes: dict[str, Outcome] = {}
    sendmail, envelope = home.config.sendmail, home.config.envelope_with(parcel.mark)
    for address in parcel.to:
        try:
            outcomes[address] = _handed_over(parcel.mail, address, sendmail, envelope)
        except (OSError, ValueError) as error:
            why = Outcome(f"{sendmail} does not work: {error}.")
            return {**dict.fromkeys(parcel.to, why), **outcomes}
    return outcomes


def _handed_over(mail: bytes, address: str, sendmail: str, envelope: str) -> Outcome:
    from pbm_holomino.mail import programs  # slow to load

    words = [sendmail, "-i", "-f", envelope, "--", address]
    status, said = programs.run(words, mail, _PATIENCE)
    if status == os.EX_OK:
        return GONE
    why = f"{sendmail} failed with {status}{in_brackets(said)}."
    bounced = status in (os.EX_NOUSER, os.EX_NOHOST)
    return Outcome(why, bounced or status == os.EX_DATAERR, bounced)


def _by_smtp(parcel: Parcel, home: Home) -> Outcomes:
    from pbm_holomino.mail.submission import connections  # slow to load

    return connections(home.root, home.config).send(parcel)


_WAYS: dict[str, Callable[[Parcel, Home], Outcomes]]
_WAYS = {"outbox": _to_outbox, "sendmail": by_sendmail, "smtp": _by_smtp}
