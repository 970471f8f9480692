"""A letter, as data, and how it is sent."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from pbm_holomino.letters.content import Content, plain


class Attachment(NamedTuple):
    """A file that comes with a letter: its name, its MIME type, and its content."""

    name: str
    kind: str
    content: bytes


class Letter(NamedTuple):
    """A letter to a player or a stranger.

    `key` names it for ever; `id` is what comes before the @ of its Message-ID, and has
    the `token` that proves a reply to it, as do its links; `form` is how its reader
    wants letters (see `account.FORMATS`); `references` are the ids of the letters that
    it follows, and `answers` the Message-ID of the mail that it answers; `replied` says
    whether its reader asked for it; `trouble` says why it cannot be written yet. A
    letter is sent `once` if it cannot be written again from a log; a `stranger` is a
    reader who has given no password. `unsubscribe` is the command that ends letters of
    its kind; only those that nobody needs to play have one. `page` is the path of the
    page about its board, if the server has pages.
    """

    key: str
    to: tuple[str, ...] = ()
    subject: str = ""
    content: Content = ()
    id: str = ""
    form: str = "text"
    references: tuple[str, ...] = ()
    answers: str = ""
    replied: bool = True
    attachments: tuple[Attachment, ...] = ()
    trouble: str = ""
    once: bool = False
    stranger: bool = False
    token: str = ""
    unsubscribe: str = ""
    page: str = ""

    @property
    def name(self) -> str:
        """What comes before the @ of its Message-ID: its key, if it has no id."""
        return self.id or self.key

    @property
    def text(self) -> str:
        """What it says, as plain text."""
        said = self.content
        if self.form == "small":
            from pbm_holomino.letters.board_forms import in_form  # few players want it

            said = in_form(said, self.form)
        return plain(said)


# Sends a letter. Returns why copies wait, by address; all other copies are handled.
Post = Callable[[Letter], Mapping[str, str]]
