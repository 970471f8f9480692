"""What every mailbox can do, wherever it is."""

from typing import Protocol

from pbm_holomino.errors import CannotFetch
from pbm_holomino.mail.intake import MOST_MAIL

READ_OF_LARGE = 1 << 20  # bytes that are read of a mail that is too large
MOST_IDLE = 120.0  # seconds after which a mailbox is looked at again in any case


class OneMailRefused(CannotFetch):
    """A mailbox that does not give one mail, or does not let go of it, and can be used
    for the others."""


class Mailbox(Protocol):
    """A folder of mails. After a CannotFetch that is not OneMailRefused, it is to be
    closed and opened anew."""

    def mails(self) -> list[str]:
        """The names of all mails, the oldest first. No other mail ever has that
        name."""

    def read(self, name: str) -> bytes | None:
        """A mail (see `as_received`); None if it is gone."""

    def remove(self, name: str) -> None:
        """Move a mail to the folder `done` of the settings, or delete it if they name
        none. It may be gone."""

    def wait(self, seconds: float) -> bool:
        """Wait until there is news, or for so many seconds; whether there is news."""

    def close(self) -> None:
        """Let go of the mailbox."""


def as_received(raw: bytes, size: int) -> bytes:
    """A mail of that size as other ways in bring it, with line feeds. One that is
    larger than MOST_MAIL need not be `raw` to its end, and is still too large."""
    text = raw.replace(b"\r\n", b"\n")
    return text.ljust(MOST_MAIL + 1) if size > MOST_MAIL else text
