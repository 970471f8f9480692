"""A letter, as data, how it is sent, and letters that are due: what must be written
and sent because a log has a new line."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from pbm_holomino.languages import ENGLISH_CODE
from pbm_holomino.letters.content import Content, plain, spoken, without_columns
from pbm_holomino.match.ledgers import Ledger
from pbm_holomino.match.record import Key
from pbm_holomino.named_tuples import NamedTuple

if TYPE_CHECKING:
    from pbm_holomino.store.people import People


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


# Letters that are due


class Answering(NamedTuple):
    """The letter, by its key, that answers the mail with this Message-ID, and what is
    told of how its command was `read`. All are known only while the mail is dealt with.

    It is about this `line`, as marks name it. A mail that came before is answered
    `again`, by the same letter, whether that is marked as unsent or not.
    """

    key: str = ""
    message_id: str = ""
    read: Content = ()
    line: int | None = None
    again: bool = False

    def marked(self, letter: Letter) -> Letter:
        """The letter, with the mail that it answers if it has this key."""
        if letter.key != self.key:
            return letter
        content = (*spoken(self.read, letter.language), *letter.content)
        return letter._replace(answers=self.message_id, content=content)


NOTHING = Answering()


class Due(NamedTuple):
    """The letters about lines of a document's log that are marked as unsent."""

    key: Key
    # as marks name them; None for those that are marked at the end of the log
    lines: tuple[int, ...] | None = None
    # as it was saved, so that it need not be loaded again; None to load it
    ledger: Any = None
    answering: Answering = NOTHING
    # the accounts as the command has found them, so that none need be read again
    people: "People | None" = None
    # the time of the monotonic clock until which robots may still move, so that one
    # letter tells it all; 0 if none has been woken
    robots_until: float = 0.0

    @classmethod
    def of(
        cls,
        ledger: Ledger,
        lines: Iterable[int] | None = None,
        answering: Answering = NOTHING,
        people: "People | None" = None,
    ) -> "Due":
        """The letters about lines of a ledger that has been saved."""
        marked = None if lines is None else tuple(lines)
        return cls(ledger.key, marked, ledger, answering, people)
