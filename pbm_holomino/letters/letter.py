"""A letter, as data, and how it is sent."""

from collections.abc import Callable, Mapping

from pbm_holomino.languages import ENGLISH_CODE
from pbm_holomino.letters.content import Content, plain, spoken, without_columns
from pbm_holomino.named_tuples import NamedTuple


class Attachment(NamedTuple):
    """A file that comes with a letter: its name, its MIME type, and its content."""

    name: str
    kind: str
    content: bytes


class Letter(NamedTuple):
    """A letter to a player or a stranger."""

    key: str  # names it for ever
    to: tuple[str, ...] = ()
    subject: str = ""
    content: Content = ()
    id: str = ""  # what comes before the @ of its Message-ID
    form: str = "text"  # how its reader wants letters (see `account.FORMATS`)
    references: tuple[str, ...] = ()  # the ids of the letters that it follows
    answers: str = ""  # the Message-ID of the mail that it answers
    replied: bool = True  # whether its reader asked for it
    attachments: tuple[Attachment, ...] = ()
    trouble: str = ""  # why it cannot be written yet
    once: bool = False  # it cannot be written again from a log
    stranger: bool = False  # its reader has given no password
    token: str = ""  # proves a reply to it; its id and its links have it
    unsubscribe: str = ""  # ends letters of its kind; only what nobody needs has one
    unsubscribe_page: str = ""  # the path of the page that does the same
    page: str = ""  # the path of the page about its board, if the server has pages
    language: str = ENGLISH_CODE  # the code of its reader's

    @property
    def name(self) -> str:
        """What comes before the @ of its Message-ID: its key, if it has no id."""
        return self.id or self.key

    @property
    def text(self) -> str:
        """What it says, as plain text."""
        said = self.content
        if self.form in ("small", "words"):
            from pbm_holomino.letters.board_forms import in_form  # few players want it

            said = spoken(in_form(said, self.form, bool(self.token)), self.language)
        text = plain(said)
        return without_columns(text) if self.form == "words" else text


# Sends a letter. Returns why copies wait, by address; all other copies are handled.
Post = Callable[[Letter], Mapping[str, str]]
