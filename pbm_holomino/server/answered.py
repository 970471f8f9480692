"""Which letter of ours a mail answers.

Its id is in the mail, and has a token that is right for one letter alone.
"""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from pbm_holomino.commands.texts import (
    before_quote,
    own_lines,
    without_links,
)
from pbm_holomino.errors import CorruptFile
from pbm_holomino.letters.content import Content
from pbm_holomino.letters.writing import Sources, texts, words_of
from pbm_holomino.match import ledgers
from pbm_holomino.match.account import Player
from pbm_holomino.match.board import Match
from pbm_holomino.match.letter_ids import LetterId, tags_in
from pbm_holomino.match.times import later
from pbm_holomino.match.tokens import is_same
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.store.library import Library
from pbm_holomino.store.people import People

WORDS_DAYS = 30  # for which a reply to somebody's words goes to them


class Answered(NamedTuple):
    """A letter that a mail answers, with a token that is right: its reader, what it
    says in each language in which it may have been, the board that it is about, and the
    player whose words it brought, if it brought nothing else, and that not long ago."""

    id: LetterId
    reader: Player
    texts: Callable[[], Iterable[str]]
    match: Match | None = None
    writer: str = ""
    tags: tuple[str, ...] = ()  # of the boards that a reply can name

    def own_lines(self, body: str) -> list[str]:
        """The lines of a reply that its writer wrote."""
        return own_lines(body, self.texts)

    def own(self, words: str) -> str:
        """These words of a reply without what they quote of the letter."""
        return without_links(self.before_quote(words)).strip()

    def before_quote(self, words: str) -> str:
        """These words of a reply up to where they quote the letter without marks."""
        return before_quote(words, self.texts)

    @classmethod
    def of(
        cls,
        letter_id: LetterId,
        reader: Player,
        content: Callable[[], Content],
        *more: Any,
    ) -> "Answered":
        """The letter with this content, which is made once, and only if needed."""
        said = cache(lambda: list(texts(reader, content)))
        return cls(letter_id, reader, said, *more)


def letter_of(
    known: LetterId, library: Library, people: People, now: str
) -> Answered | None:
    """The letter with this id; None if its token is wrong, or it cannot be read, or is
    one that no reply needs."""
    try:
        ledger = library.find(known.folder, known.name)
        reader = people.player(known.reader or known.name)
        if ledger is None or reader is None:
            return None
        kind, words = ledgers.kind_of(ledger), words_of(ledger)
        sent = words.sent(ledger, known, Sources.of(library, people))
        right = (one for one in sent if is_same(one.token, known.token))
        found = next(right, None)
    except CorruptFile:
        return None
    if found is None:  # an answer, or a list whose line the log has no more
        tags = tags_in(library.key, known)
        return Answered(known, reader, tuple, tags=tags) if tags else None
    line, tags = found.line, found.tags
    letter = words.answerable(ledger, line, known.reader)
    if letter is None:
        return None
    is_recent = now <= later(kind.line(ledger, line).time, WORDS_DAYS)
    writer = letter.writer if is_recent else ""
    board = kind.board(ledger)
    return Answered.of(known, reader, letter.content, board, writer, tags)
