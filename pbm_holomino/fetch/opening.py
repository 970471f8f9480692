"""The mailbox that the settings name."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from pbm_holomino.errors import NotAllowed
from pbm_holomino.extras import needed
from pbm_holomino.fetch.contract import Mailbox
from pbm_holomino.store.config import IMAP_PORTS
from pbm_holomino.store.home import Home

if TYPE_CHECKING:
    from pbm_holomino.fetch.imap import ImapMailbox

_FROM_MBOX = "fetched"  # the Maildir, on this machine, of mails from an mbox file


def open_mailbox(home: Home, earlier: str = "") -> Mailbox:
    """The mailbox (see `opener`). Raises CannotFetch, and NotAllowed if the settings
    name none."""
    return opener(home)(earlier)


def opener(home: Home) -> Callable[[str], Mailbox]:
    """A function that opens the mailbox, or raises CannotFetch. It is given the last of
    the `earlier` mails, which are left alone, if there are any: only a mailbox by IMAP
    can tell. Raises NotAllowed if the settings name no mailbox, or one that needs a
    library that is not there."""
    config = home.config
    kind, _, place = config.fetch.partition(":")
    path = home.named(place)
    if kind in IMAP_PORTS:
        imap = _imap()
        return lambda earlier: imap(home, earlier)
    if kind == "maildir":
        from pbm_holomino.fetch.maildir import MaildirMailbox

        return lambda earlier: MaildirMailbox(path, config.done)
    if kind == "mbox":
        from pbm_holomino.fetch.mbox import MboxMailbox

        here = home.path(_FROM_MBOX)
        return lambda earlier: MboxMailbox(path, here, config.done)
    raise NotAllowed(
        "The server's config.yaml does not say from where to fetch mail: please type "
        '"pbm setup", or add a line such as this one.',
        "fetch: imaps://imap.example.org",
    )


def open_imap(home: Home) -> "ImapMailbox":
    """The mailbox, which is one by IMAP. Raises CannotFetch, and NotAllowed without the
    library."""
    return _imap()(home)


def _imap() -> type["ImapMailbox"]:
    what = "Fetching mail by IMAP needs IMAPClient. Please install it."
    with needed("mailbox", what):
        from pbm_holomino.fetch.imap import ImapMailbox
    return ImapMailbox
