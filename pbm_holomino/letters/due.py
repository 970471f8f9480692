"""Letters that are due: what must be written and sent because a log has a new line."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from pbm_holomino.letters.content import Content, spoken
from pbm_holomino.letters.letter import Letter
from pbm_holomino.match.ledgers import Ledger
from pbm_holomino.match.record import Key
from pbm_holomino.named_tuples import NamedTuple

if TYPE_CHECKING:
    from pbm_holomino.store.people import People


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
