"""A mailbox by IMAP over TLS (RFC 3501, or RFC 9051).

A mail is named by the folder's UIDVALIDITY and its UID. It is read by BODY.PEEK, which
changes no flag, and removed by its UID alone: by MOVE (RFC 6851) or UID EXPUNGE
(RFC 4315). A server that has neither cannot remove one mail without others that
somebody has marked: there a mail that is dealt with is marked as deleted, and mails
that are so marked are not read.
"""

import ssl
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from time import monotonic, sleep

from imapclient import DELETED, IMAPClient, SocketTimeout
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError, LoginError

from pbm_holomino.errors import CannotFetch, LoginRefused
from pbm_holomino.fetch.contract import (
    MOST_IDLE,
    READ_OF_LARGE,
    OneMailRefused,
    as_received,
)
from pbm_holomino.mail import login
from pbm_holomino.mail.intake import MOST_MAIL
from pbm_holomino.mail.outcomes import in_brackets
from pbm_holomino.store.config import IMAP_PORTS, Config
from pbm_holomino.store.home import Home

_PATIENCE = SocketTimeout(30, 60)  # seconds to connect, and for an answer
# what a server says to a name and password that may be right (RFC 5530)
_NOT_NOW = ("[UNAVAILABLE]", "[INUSE]", "[LIMIT]", "[SERVERBUG]", "[CONTACTADMIN]")


class ImapMailbox:
    """The folder of a server that the settings name (see `contract.Mailbox`), without
    what came up to the `earlier` mail."""

    def __init__(self, home: Home, earlier: str = "") -> None:
        config = home.config
        host, port = config.imap_server
        self._name = host if port in IMAP_PORTS.values() else f"{host}:{port}"
        is_tls = config.fetch.startswith("imaps:")
        context, secret = login.tls(home), login.password(home)
        with self._trouble("cannot be reached"):
            self._client = IMAPClient(
                host, port, ssl=is_tls, ssl_context=context, timeout=_PATIENCE
            )
        try:
            with self._trouble("cannot be used"):
                if not is_tls:
                    self._client.starttls(context)
                try:
                    self._log_in(config, secret)
                except LoginError:
                    login.refused(home, secret)
                    raise
                self._open(config.folder, config.done)
                self._leave_alone(earlier)
        except BaseException:
            self.close()
            raise

    def _log_in(self, config: Config, secret: str) -> None:
        client, user = self._client, config.user or config.address
        if config.auth == "xoauth2":
            client.oauth2_login(user, secret)
        elif client.has_capability("AUTH=PLAIN"):  # in UTF-8
            client.plain_login(user, secret)
        else:
            client.login(user, secret)

    def _open(self, folder: str, done: str) -> None:
        client = self._client
        with self._trouble(f"does not open the folder {folder}"):
            opened = client.select_folder(folder)
        with self._trouble(f"does not make the folder {done}"):
            if done and not client.folder_exists(done):
                client.create_folder(done)
        self._validity = int(opened.get(b"UIDVALIDITY", 0))
        self._done = done
        self._can_move = client.has_capability("MOVE")
        self._can_expunge = client.has_capability("UIDPLUS")
        self._removes = self._can_expunge or bool(done and self._can_move)
        self._sizes: dict[int, int] = {}

    def _leave_alone(self, earlier: str) -> None:
        """From now on only mails after this one are listed. Raises CannotFetch if they
        cannot be told from others any more."""
        last = self._uid(earlier) if earlier else 0
        if last is None:
            raise CannotFetch(
                f"{self._name} has given the mails new numbers, or this is another "
                "mailbox: those that are to be left alone are not known any more, so "
                'no mail is fetched. Please type "pbm setup".'
            )
        self._last = last

    def special_folder(self, use: str) -> str:
        """The name of the folder with this use (RFC 6154), such as Junk; empty if there
        is none."""
        with self._trouble("does not list its folders"):
            return self._client.find_special_folder(f"\\{use}".encode()) or ""

    def mails(self) -> list[str]:
        """The names of all mails (see `contract.Mailbox`)."""
        client = self._client
        with self._trouble("does not list the mails"):
            client.noop()
            which = "ALL" if self._removes else "UNDELETED"
            later = client.search([which, "UID", f"{self._last + 1}:*"])
            uids = [uid for uid in later if uid > self._last]  # * is always one
            new = [uid for uid in uids if uid not in self._sizes]
            sizes = {uid: size for uid in uids if (size := self._sizes.get(uid))}
            for uid, fields in client.fetch(new, ["RFC822.SIZE"]).items():
                sizes[uid] = int(fields.get(b"RFC822.SIZE", 0))
            self._sizes = sizes
        return [f"{self._validity}.{uid}" for uid in sorted(sizes)]

    def read(self, name: str) -> bytes | None:
        """A mail (see `contract.Mailbox`)."""
        uid = self._uid(name)
        if uid is None:
            return None
        size = self._sizes.get(uid, 0)
        part = f"<0.{READ_OF_LARGE}>" if size > MOST_MAIL else ""
        with self._trouble("does not give a mail"):
            fields = self._client.fetch([uid], [f"BODY.PEEK[]{part}"]).get(uid, {})
            texts = [fields[key] for key in fields if key.startswith(b"BODY[]")]
        return as_received(texts[0], size) if texts and texts[0] else None

    def remove(self, name: str) -> None:
        """Move or delete a mail (see `contract.Mailbox`)."""
        uid = self._uid(name)
        if uid is None:
            return
        with self._trouble("does not let go of a mail"):
            if self._done and self._can_move:
                self._client.move([uid], self._done)
                return
            if self._done:
                self._client.copy([uid], self._done)
            self._client.add_flags([uid], [DELETED], silent=True)
            if self._can_expunge:
                self._client.uid_expunge([uid])

    def wait(self, seconds: float) -> bool:
        """Wait by IDLE (RFC 2177), or just wait where the server has none.

        The library does not see what a server says together with its answer to IDLE
        before IDLE ends; so the first one is short, and each is twice as long as the
        one before.
        """
        end, length = monotonic() + min(seconds, MOST_IDLE), 1.0
        with self._trouble("does not wait for mails"):
            if not self._client.has_capability("IDLE"):
                sleep(min(seconds, MOST_IDLE))
                return True
            while (left := end - monotonic()) > 0:
                if self._idle(min(length, left)):
                    return True
                length *= 2
        return False

    def _idle(self, seconds: float) -> bool:
        """Have the server tell for so long what happens; whether mails have come."""
        client, end = self._client, monotonic() + seconds
        client.idle()
        said: Sequence[Sequence[object]] = [()]
        while said and not _is_news(said) and (left := end - monotonic()) > 0:
            said = client.idle_check(left)  # nothing if the connection is lost
        return _is_news([*said, *client.idle_done()[1]])

    def close(self) -> None:
        """Close the connection, without waiting for an answer."""
        with suppress(OSError, IMAPClientError):
            self._client.shutdown()

    def _uid(self, name: str) -> int | None:
        """The UID of a mail, unless its name is of another folder or another time."""
        validity, _, uid = name.partition(".")
        return int(uid) if validity == str(self._validity) else None

    @contextmanager
    def _trouble(self, what: str) -> Iterator[None]:
        """In this block, whatever goes wrong with the server is a CannotFetch."""
        name = self._name
        try:
            yield
        except LoginError as error:
            said = _said(error)
            is_lost = isinstance(error.__context__, IMAPClientAbortError)
            if is_lost or any(code in said for code in _NOT_NOW):
                raise CannotFetch(f"{name} {what}{said}.") from None
            raise LoginRefused(
                f"{name} does not accept the name or the password{said}",
                "please set user and password_file in config.yaml",
            ) from None
        except (IMAPClientAbortError, OSError) as error:
            raise CannotFetch(f"{name} {what}{_said(error)}.") from None
        except IMAPClientError as error:  # it said no
            raise OneMailRefused(f"{name} {what}{_said(error)}.") from None
        except (ValueError, LookupError, AssertionError):  # it talks nonsense
            raise CannotFetch(f"{name} {what}.") from None


def _is_news(said: Sequence[Sequence[object]]) -> bool:
    """Whether a server says that mails have come."""
    return any(b"EXISTS" in each for each in said)


def _said(error: Exception) -> str:
    """What went wrong, in brackets for the owner."""
    words = str(error)
    if isinstance(error, ssl.SSLCertVerificationError):
        words = error.verify_message
    elif isinstance(error, OSError):
        words = error.strerror or words
    elif isinstance(error, IMAPClientAbortError):
        words = "the connection was lost"  # else it may quote a mail
    plain = "".join(c if " " <= c <= "~" else "?" for c in words)
    shown = plain.removeprefix("b'").removesuffix("'").rstrip(".")
    return in_brackets(shown)
