"""Letters by SMTP (RFC 5321): to a server of one's own, or over TLS and with a password
to that of a provider (RFC 6409)."""

import atexit
import smtplib
import ssl
from base64 import b64encode
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from smtplib import SMTP
from threading import BoundedSemaphore, Lock, Timer
from time import monotonic

from pbm_holomino.errors import CannotSend, LoginRefused, StoreTrouble
from pbm_holomino.mail import login
from pbm_holomino.mail.outcomes import (
    GONE,
    Outcome,
    Outcomes,
    Parcel,
    in_brackets,
    is_full,
)
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.store.config import Config
from pbm_holomino.store.home import Home

_PATIENCE = 60  # seconds that a server may take, or that a letter waits for its turn
_IDLE = 10  # seconds after which a connection that nobody uses is closed
_PARTING = 5  # seconds that a server may take over its goodbye
# Providers allow few connections at once; a server of one's own has no need of a limit
# beyond that of a resident server's threads.
_MOST_LOGGED_IN, _MOST = 3, 100
_FULL = 552  # at RCPT, for a mailbox (RFC 5321)
_PAUSE = 60  # seconds without another try after a login was refused
# Refusals that are about the sender, whatever they answer: no login, or a bad one (RFC
# 4954), or their address (RFC 3463).
_LOGIN_CODES = (530, 534, 535, 538)
_SENDER_WORDS = ("5.1.7", "5.1.8", "sender address rejected")


class _LoginFailed(OSError):
    """The server does not accept the name or the password."""


class _Idle(NamedTuple):
    """A connection that waits for the next letter, and since when."""

    smtp: SMTP
    since: float


class Connections:
    """The connections to the server in a home's settings. Each is used by one thread at
    a time, and again for the next letter, until nobody has needed it for a while."""

    def __init__(self, root: str, config: Config) -> None:
        self._home = Home(root, config)
        self._turns = BoundedSemaphore(_MOST_LOGGED_IN if config.logs_in else _MOST)
        self._lock = Lock()  # of what follows
        self._idle: list[_Idle] = []  # those used last are at the end
        self._timer: Timer | None = None
        # why we could not log in, until when that holds, and with which password
        self._refused: tuple[str, float, object] = ("", 0.0, None)
        atexit.register(self.close)

    def send(self, parcel: Parcel) -> Outcomes:
        """Send a mail in one transaction. If the connection is lost, the copies whose
        fate is not known are tried again."""
        outcomes: dict[str, Outcome] = {}
        server = self._home.config.smtp
        try:
            if not self._turns.acquire(timeout=_PATIENCE):
                raise TimeoutError("other letters take too long")
            try:
                smtp = self._begun(self._home.config.envelope_with(parcel.mark))
                try:
                    # if the rest fails, these outcomes stay
                    outcomes.update(_transaction(smtp, parcel, server))
                except BaseException:
                    _part(smtp)
                    raise
                self._keep(smtp)
            finally:
                self._turns.release()
        except (OSError, ValueError, StoreTrouble) as error:
            why = Outcome(f"{server} does not take letters: {_reason(error)}.")
            return {**dict.fromkeys(parcel.to, why), **outcomes}
        return outcomes

    def begin(self) -> None:
        """Open a connection for the next letter. Raises LoginRefused, CannotSend or
        StoreTrouble."""
        server = self._home.config.smtp
        try:
            self._keep(self._opened())
        except _LoginFailed as error:
            raise LoginRefused(
                f"{server} does not accept the name or the password ({error})"
            ) from None
        except (OSError, ValueError) as error:
            why = f"{server} does not take letters: {_reason(error)}."
            raise CannotSend(why) from None

    def close(self) -> None:
        """Close the connections that nobody uses."""
        self._close_since(monotonic())

    def _begun(self, sender: str) -> SMTP:
        """A connection with a transaction that has begun. Servers end a connection that
        was idle or has brought enough: what is refused on a used one is asked once more
        on a new one, as nothing has been sent yet. Raises OSError or StoreTrouble."""
        smtp = self._used()
        if smtp is not None:
            with suppress(OSError):
                if _is_yes(smtp.mail(sender)[0]):
                    return smtp
            _part(smtp)
        smtp = self._opened()
        try:
            code, said = smtp.mail(sender)
            if not _is_yes(code):
                raise OSError(f"{code}{in_brackets(said)}")
        except BaseException:
            _part(smtp)
            raise
        return smtp

    def _opened(self) -> SMTP:
        """A new connection, encrypted and logged in if the owner wants it."""
        why, until, stamp = self._refused
        if monotonic() < until and stamp == login.stamp(self._home):
            raise OSError(why)
        config = self._home.config
        host, port = config.smtp_server
        if config.smtp_tls == "implicit":
            tls = login.tls(self._home)
            smtp: SMTP = smtplib.SMTP_SSL(host, port, timeout=_PATIENCE, context=tls)
        else:
            smtp = SMTP(host, port, timeout=_PATIENCE)
        try:
            smtp.ehlo_or_helo_if_needed()
            if config.smtp_tls == "starttls":
                # it raises an error where the server does not offer it
                code, said = smtp.starttls(context=login.tls(self._home))
                if code != 220:
                    raise OSError(f"{code} to STARTTLS{in_brackets(said)}")
                smtp.ehlo()
            if config.logs_in:
                self._log_in(smtp)
        except BaseException:
            _part(smtp)
            raise
        return smtp

    def _log_in(self, smtp: SMTP) -> None:
        """Log in by PLAIN, LOGIN or XOAUTH2. A refusal is remembered for a while, as
        providers lock an account after many. Raises OSError or StoreTrouble, without
        the secret."""
        config = self._home.config
        offered = smtp.esmtp_features.get("auth", "").replace("=", " ").upper().split()
        wanted = ["XOAUTH2"] if config.auth == "xoauth2" else ["PLAIN", "LOGIN"]
        mechanism = next((each for each in wanted if each in offered), None)
        if mechanism is None:
            ways = ", ".join(offered) or "nothing"
            raise OSError(f"to log in it offers {ways}, not {' or '.join(wanted)}")
        stamp, secret = login.stamp(self._home), login.password(self._home)
        steps = _steps(mechanism, config.user, secret)
        code, said = smtp.docmd("AUTH", " ".join([mechanism, *steps[:1]]).rstrip())
        for step in steps[1:]:
            if code == 334:
                code, said = smtp.docmd(step)
        if code == 235:
            return
        # a server may quote what it did not understand
        is_quoted = any(step and step in said.decode("latin-1") for step in steps)
        said = b"" if is_quoted or secret.encode() in said else said
        why = f"{code} to AUTH{in_brackets(said)}"
        login.refused(self._home, secret)
        self._refused = (why, monotonic() + _PAUSE, stamp)
        raise _LoginFailed(why)

    # What is used again

    def _used(self) -> SMTP | None:
        """The connection that was used last, unless it has been idle for too long."""
        with self._lock:
            if self._idle and self._idle[-1].since > monotonic() - _IDLE:
                return self._idle.pop().smtp
        return None

    def _keep(self, smtp: SMTP) -> None:
        """Keep a connection for the next letter."""
        with self._lock:
            self._idle.append(_Idle(smtp, monotonic()))
            if self._timer is None:
                self._close_later()

    def _close_later(self) -> None:
        """Look soon for connections that are idle. Under the lock."""
        self._timer = Timer(_IDLE, self._tidy)
        self._timer.daemon = True
        self._timer.start()

    def _tidy(self) -> None:
        self._close_since(monotonic() - _IDLE)
        with self._lock:
            self._timer = None
            if self._idle:
                self._close_later()

    def _close_since(self, moment: float) -> None:
        """Close the connections that nobody has used since a moment."""
        with self._lock:
            old = [idle for idle in self._idle if idle.since <= moment]
            self._idle = [idle for idle in self._idle if idle.since > moment]
        for idle in old:
            _part(idle.smtp)


@lru_cache(maxsize=8)
def connections(root: str, config: Config) -> Connections:
    """This process's connections for the settings of a home."""
    return Connections(root, config)


def _steps(mechanism: str, user: str, secret: str) -> list[str]:
    """What is said to log in: after the mechanism's name, and to each question."""
    said = {
        "PLAIN": [f"\0{user}\0{secret}".encode()],  # RFC 4616
        "LOGIN": [b"", user.encode(), secret.encode()],
        "XOAUTH2": [login.xoauth2(user, secret), b""],  # a refusal must be answered
    }
    return [b64encode(step).decode() for step in said[mechanism]]


def _transaction(
    smtp: SMTP, parcel: Parcel, server: str
) -> Iterator[tuple[str, Outcome]]:
    """What happens to each copy after MAIL. A refusal at RCPT is about the address, if
    it is not about the sender, and from DATA on about the letter. Raises OSError if the
    server fails."""
    taken = []
    for address in parcel.to:
        code, said = smtp.rcpt(address)
        if _is_yes(code):
            taken.append(address)
        elif _is_about_sender(code, said):
            raise OSError(f"{code} to RCPT{in_brackets(said)}")
        else:
            refused = _refused(server, "RCPT", code, said)
            yield address, refused._replace(bounced=_is_about_address(code, said))
    answer: tuple[int, bytes | str] = (0, "")
    if taken:
        try:
            answer = smtp.data(parcel.mail.replace(b"\n", b"\r\n"))
        except smtplib.SMTPDataError as refusal:
            answer = refusal.smtp_code, refusal.smtp_error
        outcome = GONE if _is_yes(answer[0]) else _refused(server, "DATA", *answer)
        yield from ((address, outcome) for address in taken)
    if not _is_yes(answer[0]):
        smtp.rset()


def _refused(server: str, verb: str, code: int, said: bytes | str) -> Outcome:
    why = f"{server} said {code} to {verb}{in_brackets(said)}."
    return Outcome(why, 500 <= code < 600)


def _is_about_sender(code: int, said: bytes) -> bool:
    text = said.decode("latin-1").lower()
    return code in _LOGIN_CODES or any(word in text for word in _SENDER_WORDS)


def _is_about_address(code: int, said: bytes) -> bool:
    """Whether a refusal says that letters will never reach the address: its mailbox is
    not full."""
    return 500 <= code < 600 and code != _FULL and not is_full(said.decode("latin-1"))


def _is_yes(code: int) -> bool:
    return 200 <= code < 300


def _reason(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPResponseException):
        return f"{error.smtp_code}{in_brackets(error.smtp_error)}"
    if isinstance(error, ssl.SSLCertVerificationError):
        why = error.verify_message.removesuffix(".")
        return f"certificate verify failed: {why}"
    return str(error).removesuffix(".")


def _part(smtp: SMTP) -> None:
    """Say goodbye, if anybody listens, and close a connection."""
    with suppress(OSError, ValueError):
        if smtp.sock is not None:
            smtp.sock.settimeout(_PARTING)
            smtp.quit()
    with suppress(OSError):
        smtp.close()
