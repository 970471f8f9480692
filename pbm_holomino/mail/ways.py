"""How mail leaves: three ways, each of which says what happened to every copy."""

import os
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from pbm_holomino.errors import StoreTrouble
from pbm_holomino.store.home import OUTBOX, Home

if TYPE_CHECKING:
    from smtplib import SMTP  # slow to load

_LONGEST_COMPLAINT = 200  # characters of another program's words for the owner
_PATIENCE = 60  # seconds that sendmail or an SMTP server may take


class Parcel(NamedTuple):
    """A mail and the addresses that it goes to; `name` is its filename, without a
    suffix, if it becomes a file."""

    name: str
    mail: bytes
    to: tuple[str, ...]


class Outcome(NamedTuple):
    """What happened to the copy for one address: it has gone, or `why` not; then it can
    be tried again, unless it was refused for good."""

    why: str = ""
    for_good: bool = False


GONE = Outcome()
Outcomes = Mapping[str, Outcome]  # by the address


def send(parcel: Parcel, home: Home) -> Outcomes:
    """Send a mail in the way the owner has chosen."""
    return _WAYS[home.config.send](parcel, home)


def _to_outbox(parcel: Parcel, home: Home) -> Outcomes:
    try:
        home.outbox.put(OUTBOX, f"{parcel.name}.eml", parcel.mail)
    except StoreTrouble as error:
        return dict.fromkeys(parcel.to, Outcome(str(error)))
    return dict.fromkeys(parcel.to, GONE)


# sendmail


def _by_sendmail(parcel: Parcel, home: Home) -> Outcomes:
    """Call sendmail once for each address, so that its exit status is about that one.
    If it does not work at all, it is not called for the others."""
    outcomes: dict[str, Outcome] = {}
    sendmail = home.config.sendmail
    for address in parcel.to:
        try:
            outcomes[address] = _handed_over(parcel.mail, address, sendmail)
        except (OSError, ValueError) as error:
            why = Outcome(f"{sendmail} does not work: {error}.")
            return {**dict.fromkeys(parcel.to, why), **outcomes}
    return outcomes


def _handed_over(mail: bytes, address: str, sendmail: str) -> Outcome:
    from pbm_holomino.mail import programs  # slow to load

    words = [sendmail, "-i", "-f", "", "--", address]
    status, said = programs.run(words, mail, _PATIENCE)
    if status == os.EX_OK:
        return GONE
    why = f"{sendmail} failed with {status}{_in_brackets(said)}."
    # for good: a bad address (no user, no host) or a bad letter (data error)
    return Outcome(why, status in (os.EX_NOUSER, os.EX_NOHOST, os.EX_DATAERR))


def _in_brackets(said: bytes | str) -> str:
    """The last line of another program's words, in brackets for the owner."""
    text = said if isinstance(said, str) else said.decode("ascii", "replace")
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    return f" ({lines[-1][:_LONGEST_COMPLAINT]})" if lines else ""


# SMTP


def _by_smtp(parcel: Parcel, home: Home) -> Outcomes:
    """Send a mail in one transaction. If the connection is lost, the copies whose fate
    is not known are tried again."""
    import smtplib  # slow to load

    outcomes: dict[str, Outcome] = {}
    config = home.config
    try:
        with smtplib.SMTP(*config.smtp_server, timeout=_PATIENCE) as smtp:
            # if the rest fails, these outcomes stay
            outcomes.update(_transaction(smtp, parcel, config.smtp))
    except (OSError, ValueError) as error:  # even if only its goodbye is missing
        why = Outcome(f"{config.smtp} does not take letters: {error}.")
        return {**dict.fromkeys(parcel.to, why), **outcomes}
    return outcomes


def _transaction(
    smtp: "SMTP", parcel: Parcel, server: str
) -> Iterator[tuple[str, Outcome]]:
    """What happens to each copy (RFC 5321). A refusal before the first RCPT is about
    the server, at RCPT about the address, and from DATA on about the letter. Raises
    OSError if the server fails."""
    from smtplib import SMTPDataError

    smtp.ehlo_or_helo_if_needed()
    code, said = smtp.mail("")
    if not _is_yes(code):
        raise OSError(f"{code}{_in_brackets(said)}")
    taken = []
    for address in parcel.to:
        code, said = smtp.rcpt(address)
        if _is_yes(code):
            taken.append(address)
        else:
            yield address, _refused(server, "RCPT", code, said)
    if not taken:
        return
    answer: tuple[int, bytes | str]
    try:
        answer = smtp.data(parcel.mail.replace(b"\n", b"\r\n"))
    except SMTPDataError as refusal:
        answer = refusal.smtp_code, refusal.smtp_error
    outcome = GONE if _is_yes(answer[0]) else _refused(server, "DATA", *answer)
    yield from ((address, outcome) for address in taken)


def _refused(server: str, verb: str, code: int, said: bytes | str) -> Outcome:
    why = f"{server} said {code} to {verb}{_in_brackets(said)}."
    return Outcome(why, 500 <= code < 600)


def _is_yes(code: int) -> bool:
    return 200 <= code < 300


_WAYS: dict[str, Callable[[Parcel, Home], Outcomes]]
_WAYS = {"outbox": _to_outbox, "sendmail": _by_sendmail, "smtp": _by_smtp}
