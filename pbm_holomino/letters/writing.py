"""From a ledger, a line of its log and a reader to a letter.

What a letter says, and to whom, is told by the words for the ledger's kind, a module of
`letters.kinds`; what all letters have is made here: keys, ids, tokens and references.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic

from pbm_holomino.errors import CorruptFile
from pbm_holomino.languages import ENGLISH_CODE, Sentence, Text
from pbm_holomino.letters import kinds
from pbm_holomino.letters.content import (
    TAP,
    Content,
    Paragraph,
    in_words,
    plain,
    spoken,
)
from pbm_holomino.letters.letter import Attachment, Letter
from pbm_holomino.match.account import Player
from pbm_holomino.match.board import Match
from pbm_holomino.match.ledgers import L, Ledger, kind_of, name_of_kind
from pbm_holomino.match.letter_ids import LetterId, of_boards
from pbm_holomino.match.record import Key, format_line
from pbm_holomino.match.tokens import token, unsubscribe_command, unsubscribe_page
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.store.library import Library
from pbm_holomino.store.people import People

if TYPE_CHECKING:
    from pbm_holomino.match.notebook import Notebook
    from pbm_holomino.store.summary import Summary


class Sources(NamedTuple):
    """What letters are written from, besides a ledger."""

    key: bytes  # the server's
    people: People
    match: Callable[[str, int], Match]  # any board
    boards: Callable[[str], Sequence["Summary"]] = lambda userid: ()  # of a player
    has_pages: bool = False  # whether letters have links to pages
    notes: Callable[[str], Iterable["Notebook"]] = lambda userid: ()  # a player's own

    @classmethod
    def of(cls, library: Library, people: People, has_pages: bool = False) -> "Sources":
        """A library, and the accounts as they have been found by now."""

        def boards(userid: str) -> Sequence["Summary"]:
            return library.lists.boards_of([userid], "all").boards

        def notes(userid: str) -> Iterable["Notebook"]:
            from pbm_holomino.store import shelves  # few letters bring them

            return shelves.notebooks(library, userid)

        return cls(library.key, people, library.match, boards, has_pages, notes)


class Notice(NamedTuple):
    """What a letter about a line says to a reader."""

    subject: Sentence
    content: Content
    replied: bool = False  # whether the reader asked for it
    is_optional: bool = False  # whether its reader can unsubscribe from its kind
    to: tuple[str, ...] | None = None  # addresses that are not the reader's
    form: str = "text"  # what it looks like there
    stop: str = ""  # the command by which whoever reads it there wants no more
    about: Ledger | None = None  # the one that a reply is about, if it is another
    tags: tuple[str, ...] = ()  # of the boards that a reply can name (see `letter_ids`)
    attachments: tuple[Attachment, ...] = ()


class Proof(NamedTuple):
    """By what a letter is known when it comes back: its id, which has a token, whether
    that serves in a reply, and what gives the path of the page about it, if there can
    be one."""

    id: LetterId
    serves: bool = False
    page: Callable[[], str] = str


Proofs = Callable[[int, str], Proof]  # of a line, by its number, to a reader


class Sent(NamedTuple):
    """A letter that may have been sent: the number of the line that it is about, when
    it was written, and its token."""

    line: int
    time: str
    token: str
    tags: tuple[str, ...] = ()  # of the boards that a reply can name


class Answerable(NamedTuple):
    """A letter as a reply answers it: what makes its content, and the player whose
    words it brought, if it brought nothing else."""

    content: Callable[[], Content]
    writer: str = ""


def texts(reader: Player | None, make: Callable[[], Content]) -> Iterator[str]:
    """What a letter to a reader says, as text or as HTML, in each language in which
    they may have got it."""
    told = ((Paragraph(TAP),), *make())
    for code in reader.languages_had if reader else (ENGLISH_CODE,):
        yield plain(spoken(told, code))


class Words(ABC, Generic[L]):
    """What is written about a kind of ledger. Lines are named by their numbers, and
    readers as in letters' keys, which are userids unless a kind says otherwise."""

    def of(self, ledger: L) -> "Words[L]":
        """What is written about this one."""
        return self

    @abstractmethod
    def readers(self, ledger: L, line: int, sources: Sources) -> Iterable[str]:
        """Who gets a letter about a line."""

    def account(self, ledger: L, reader: str, people: People) -> Player | None:
        """The account of a reader; None for nobody. Raises CorruptFile."""
        return people.player(reader)

    def is_wanted(self, ledger: L, line: int, player: Player) -> bool:
        """Whether a reader wants the letter about a line."""
        return True

    @abstractmethod
    def notice(
        self, ledger: L, line: int, reader: str, player: Player, sources: Sources
    ) -> Notice:
        """What the letter about a line says to a reader."""

    @abstractmethod
    def said(self, ledger: L, line: int, people: People) -> Content:
        """What the author of a line is told to whom no letter goes."""

    def answers_author(self, ledger: L, line: int) -> bool:
        """Whether the letter about a line answers the command that has brought it."""
        return not kind_of(ledger).line(ledger, line).answered_apart

    def comes_once(self, ledger: L, line: int) -> bool:
        """Whether an author whose command comes again does not get the letter about its
        line again."""
        return False

    def called(self, ledger: L, line: int) -> Sequence[str]:
        """The players whose turn it has become by a line, and still is."""
        return ()

    def own_name(self, ledger: L, line: int) -> str:
        """The author of a line, as the keys of letters name them."""
        return kind_of(ledger).line(ledger, line).who

    def quotable(
        self, ledger: L, reader: str, text: str
    ) -> Iterable[Callable[[], Content]]:
        """The letters to a reader that a text of theirs may quote, and that may hold
        what only they may know: what makes the content of each."""
        return ()

    def secrets(self, ledger: L, reader: str) -> Iterable[str]:
        """What only this reader may know, as letters in any language have it."""
        return ()

    def thread(self, ledger: L) -> Text:
        """The Subject of all letters about it, for readers who want only one; empty
        where there is none."""
        return ""

    def follows(self, ledger: L, line: int, reader: str) -> Iterable[int]:
        """The lines whose letters to this reader one about a line follows; that line
        may be one that is yet to come."""
        return ()

    def covered_by(self, ledger: L, line: int) -> int:
        """The last line whose letter also tells of this one."""
        return line

    def at_present(self, ledger: L, sources: Sources) -> L:
        """The ledger with what letters say of other ledgers as they are now."""
        return ledger

    def proofs(self, ledger: L, key: bytes) -> Proofs:
        """The proofs of the letters about a ledger, under the server's key."""
        place = ledger.key

        def proof(line: int, reader: str) -> Proof:
            words = (*place, line, reader, format_line(ledger.log[line]))
            return Proof(LetterId(*place, line, reader, token(key, words)))

        return proof

    def sent(self, ledger: L, letter: LetterId, sources: Sources) -> Iterator[Sent]:
        """The letters about a ledger that may have this id, but for the token."""
        if letter.line < len(ledger.log):
            proof = self.proofs(ledger, sources.key)(letter.line, letter.reader)
            yield Sent(letter.line, ledger.log[letter.line].time, proof.id.token)

    def answerable(self, ledger: L, line: int, reader: str) -> Answerable | None:
        """The letter about a line to a reader; None for one that no reply needs."""
        return None


def words_of(ledger: Ledger) -> Words[Any]:
    """What is written about a ledger."""
    kind = name_of_kind(ledger.key.folder)
    words: Words[Any] = import_module(f"{kinds.__name__}.{kind}").WORDS
    return words.of(ledger)


class Writer:
    """Writes the letters about a ledger."""

    def __init__(self, ledger: Ledger, sources: Sources) -> None:
        self._saved = ledger
        self._sources = sources
        self._words = words_of(ledger)
        self._proofs = self._words.proofs(ledger, sources.key)

    def about(self, line: int, marked: Collection[int] = ()) -> Iterator[Letter]:
        """The letters about a line, by its number. Those who also get a letter about a
        later line that is marked, and that tells all about this one, get only that. A
        letter to a damaged account waits."""
        words, ledger, sources = self._words, self._saved, self._sources
        told_better = self._told_by(words.covered_by(ledger, line), line, marked)
        for reader in words.readers(ledger, line, sources):
            if reader in told_better:
                continue
            try:
                player = words.account(ledger, reader, sources.people)
            except CorruptFile as damage:
                key = letter_key(ledger.key, line, reader)
                yield Letter(key, trouble=str(damage))
                continue
            if player is not None and words.is_wanted(ledger, line, player):
                yield self.letter(line, reader, player)

    def _told_by(
        self, later: int, line: int, marked: Collection[int]
    ) -> frozenset[str]:
        """The readers who get a later letter in place of that about a line."""
        if later == line or later not in marked:
            return frozenset()
        words, people = self._words, self._sources.people
        readers = words.readers(self._saved, later, self._sources)
        players = filter(None, map(people.readable, readers))
        wanted = words.is_wanted
        return frozenset(p.userid for p in players if wanted(self._saved, later, p))

    def letter(self, line: int, reader: str, player: Player) -> Letter:
        """The letter about a line to a reader, who has this account."""
        notice = self._words.notice(self._present, line, reader, player, self._sources)
        time = kind_of(self._saved).line(self._saved, line).time
        code = player.language_at(time)
        letter = Letter(
            key=letter_key(self._saved.key, line, reader),
            to=player.addresses if notice.to is None else notice.to,
            subject=in_words(notice.subject, code),
            content=spoken(notice.content, code),
            form=player.format if notice.to is None else notice.form,
            unsubscribe=notice.stop,
            replied=notice.replied,
            attachments=notice.attachments,
            language=code,
        )
        if notice.is_optional:
            key, userid = self._sources.key, player.userid
            letter = letter._replace(
                unsubscribe=unsubscribe_command(key, userid),
                unsubscribe_page=unsubscribe_page(key, userid),
            )
        if notice.about is None:
            letter = self._proved(letter, line, line, reader, player)
            return self.naming(letter, line, notice.tags)
        return Writer(notice.about, self._sources).shown(letter, player, f"r{line}")

    def naming(
        self, letter: Letter, line: int, tags: Sequence[str], more: str = ""
    ) -> Letter:
        """A letter to the player of an account with an id by which a reply can name
        boards, if it has tags of any."""
        if not tags:
            return letter
        key = self._sources.key
        return letter._replace(
            id=str(of_boards(key, self._saved.key, line, tags, more))
        )

    def shown(self, letter: Letter, player: Player, more: str) -> Letter:
        """A letter that shows a reader the ledger as it is now, as one about the last
        line of its log; `more` tells its id from those of others about that line."""
        last = kind_of(self._saved).numbers(self._saved)[-1]
        letter = letter._replace(form=player.format)
        return self._proved(letter, last, last + 1, player.userid, player, more)

    def _proved(
        self,
        letter: Letter,
        line: int,
        after: int,
        reader: str,
        player: Player,
        more: str = "",
    ) -> Letter:
        """A letter about a line with all by which it is known: it follows those that
        came before the line `after`."""
        words, ledger = self._words, self._saved
        proof, follows = (
            self._proofs(line, reader),
            words.follows(ledger, after, reader),
        )
        thread = words.thread(self._present) if player.threads else ""
        return letter._replace(
            subject=in_words(thread, letter.language) or letter.subject,
            id=str(proof.id._replace(more=more)),
            references=tuple(str(self._proofs(no, reader).id) for no in follows),
            token=proof.id.token if proof.serves else "",
            page=proof.page() if self._sources.has_pages else "",
        )

    @cached_property
    def _present(self) -> Ledger:
        """The ledger with what letters say of others as they are now."""
        present: Ledger = self._words.at_present(self._saved, self._sources)
        return present


def letter_key(place: Key, line: int, reader: str) -> str:
    """The key of the letter to a reader about a line of the ledger at this place."""
    return ".".join(filter(None, (*place, str(line), reader)))
