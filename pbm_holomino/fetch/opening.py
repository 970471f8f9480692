"""The mailbox that the settings name."""

import os
from collections.abc import Callable
from functools import partial

from pbm_holomino.errors import NotAllowed
from pbm_holomino.fetch.contract import Mailbox
from pbm_holomino.store.config import IMAP_PORTS
from pbm_holomino.store.home import Home

_FROM_MBOX = "fetched"  # the Maildir, on this machine, of mails from an mbox file


def open_mailbox(home: Home) -> Mailbox:
    """The mailbox. Raises CannotFetch, and NotAllowed if the settings name none."""
    return opener(home)()


def opener(home: Home) -> Callable[[], Mailbox]:
    """A function that opens the mailbox, or raises CannotFetch. Raises NotAllowed if
    the settings name none, or one that needs a library that is not there."""
    config = home.config
    kind, _, place = config.fetch.partition(":")
    path = os.path.join(home.root, os.path.expanduser(place))
    if kind in IMAP_PORTS:
        try:
            from pbm_holomino.fetch.imap import ImapMailbox
        except ModuleNotFoundError:
            raise NotAllowed(
                "To fetch mail by IMAP needs IMAPClient: please install it with "
                "\"pip install 'pbm_holomino[mailbox]'\"."
            ) from None
        return partial(ImapMailbox, home)
    if kind == "maildir":
        from pbm_holomino.fetch.maildir import MaildirMailbox

        return partial(MaildirMailbox, path, config.done)
    if kind == "mbox":
        from pbm_holomino.fetch.mbox import MboxMailbox

        return partial(MboxMailbox, path, home.path(_FROM_MBOX), config.done)
    raise NotAllowed(
        "The server's config.yaml does not say from where to fetch mail.",
        "fetch: imaps://imap.example.org",
    )
