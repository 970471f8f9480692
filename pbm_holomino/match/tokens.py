"""Reply tokens: what proves that a mail answers a letter of ours.

A letter about a line has a token: 80 bits of HMAC-SHA-256 under the server's key over
the line's board or account, its number, the reader, and a hash of the log up to that
line. So a token is the same when a letter is written again, and another once the log
has become another, be it after a restored backup.

Numbers and hashes are those of the log as everybody may read it, so that nobody learns
from an id or a link what others plan. Letters that were sent before had those of the
whole log; they can be answered like others.
"""

import hmac
from base64 import b32encode
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import count

from pbm_holomino.match.account import WORDS, AccountLine, Player
from pbm_holomino.match.board import Match
from pbm_holomino.match.hashed_log import HashedLog, Place, hashes
from pbm_holomino.match.record import (
    DROPPED,
    PRIVATE,
    Act,
    Line,
    format_line,
)

_BYTES = 10


def token(key: bytes, words: Iterable[object]) -> str:
    """The token over these words, under the server's key."""
    text = "\n".join(map(str, words)).encode("utf-8", "surrogatepass")
    digest = hmac.digest(key, text, "sha256")
    return b32encode(digest[:_BYTES]).decode("ascii").lower()


def is_same(proof: str, given: str) -> bool:
    """Whether a word that was given is this proof: how long it takes to say tells
    nothing of it."""
    return hmac.compare_digest(proof.encode(), given.encode("utf-8", "replace"))


class Tokens:
    """The tokens of the letters about a board, or an open challenge, under the server's
    key. Lines are named by their indices in the whole log.

    A letter's number is that of its line among those that everybody may read; a letter
    to a player about a plan of theirs has the number of the last such line before it,
    and a hash that no other letter has.
    """

    def __init__(self, key: bytes, match: Match) -> None:
        self._key = key
        self._record, self._match = match.record, match
        self._plans: dict[str, Mapping[int, str]] = {}
        self._known: dict[str, Sequence[int]] = {}

    # From a line to its letter

    def token(self, index: int, reader: str) -> str:
        """The token of the letter to a player about a line of the log."""
        return self.numbered(index, reader)[1]

    def numbered(self, index: int, reader: str) -> tuple[int, str]:
        """The number in the id of that letter, and its token."""
        place = self._place(index, reader)
        return place.number, self._token(place, reader)

    def page(self, index: int, reader: str) -> str:
        """The path of the link in that letter that leads to the board's page:
        `link/holo/12/7/bob/` and a token. It is not the one that proves a reply."""
        game, board, place = *self._board, self._place(index, reader)
        token = self._token(place, reader, *_WEB)
        return f"link/{game}/{board}/{place.number}/{reader}/{token}"

    # From a letter to its line

    def line(self, given: str, reader: str) -> int | None:
        """The last line whose letter to this player has the given token."""
        for index in range(len(self._record.log) - 1, -1, -1):
            for place in self._places(index, reader):
                if is_same(self._token(place, reader), given):
                    return self._known_by(index, reader)
        return None

    def lines(self, number: int, reader: str) -> Iterator[tuple[int, str]]:
        """The lines whose letters to this player may have this number, each with the
        token of that letter."""
        for index, place in self._numbered(number, reader):
            yield index, self._token(place, reader)

    def linked(self, number: int, reader: str, given: str) -> int | None:
        """The line whose letter to this player has a link with this number and the
        given token."""
        for index, place in self._numbered(number, reader):
            if is_same(self._token(place, reader, *_WEB), given):
                return index
        return None

    def _places(self, index: int, reader: str) -> Iterator[Place]:
        """What the token of a letter about a line says now, and what it said before."""
        place = self._place(index, reader)
        yield place
        if place != self._former[index]:
            yield self._former[index]

    def _numbered(self, number: int, reader: str) -> Iterator[tuple[int, Place]]:
        """The lines whose letters to a player may have this number, by what counts now
        and by what counted before."""
        log, public = self._record.log, self._public
        index = bisect_left(public, number, key=lambda place: place.number)
        while index < len(log) and public[index].number == number:
            if self._known_by(index, reader) == index:
                yield index, self._place(index, reader)
            index += 1
        if number < len(log):
            yield self._known_by(number, reader), self._former[number]

    # The log as its readers may know it

    @property
    def _board(self) -> tuple[str, int]:
        return self._record.game, self._record.board

    def _token(self, place: Place, reader: str, *kind: str) -> str:
        words = (*kind, *self._board, place.number, reader, place.hash)
        return token(self._key, words)

    def _known_by(self, index: int, reader: str) -> int:
        """The line by which a player knows of the letter about a line."""
        if self._log.has_all:  # as on most boards
            return index
        if reader not in self._known:
            self._known[reader] = self._match.known_by(reader)
        return self._known[reader][index]

    def _place(self, index: int, reader: str) -> Place:
        if self._log.has_all:  # as on most boards
            return self._public[index]
        index = self._known_by(index, reader)
        place = self._public[index]
        if _is_public(self._record.log[index]):
            return place
        if reader not in self._plans:
            self._plans[reader] = self._hashed_plans(reader)
        return place._replace(hash=self._plans[reader][index])

    def _hashed_plans(self, reader: str) -> Mapping[int, str]:
        """For each line that only this player knows of, a hash of the log as everybody
        may read it, and of such lines since."""
        mixes, last = dict[int, str](), Place(-1, "")
        for index, line in enumerate(self._record.log):
            if not _is_public(line) and line.who == reader:
                place = self._public[index]
                last = last if last.number == place.number else place
                (mixed,) = hashes([line], last.hash)
                last, mixes[index] = last._replace(hash=mixed), mixed
        return mixes

    @cached_property
    def _log(self) -> HashedLog:
        return self._match.public.log

    @cached_property
    def _public(self) -> Sequence[Place]:
        return self._log.places

    @cached_property
    def _former(self) -> Sequence[Place]:
        """The place of each line in the whole log, which letters named before."""
        if self._log.has_all:
            return self._public
        return list(map(Place, count(), hashes(self._record.log)))

    # Letters that show a player several boards

    def tag(self, index: int, reader: str) -> str:
        """What the id of such a letter has of the token of the letter to this player
        about a line."""
        return self.token(index, reader)[:TAG]

    def tagged(self, tags: Collection[str], reader: str) -> int | None:
        """The last line whose letter to this player has one of these tags."""
        lines = range(len(self._record.log) - 1, -1, -1)
        return next((at for at in lines if self.tag(at, reader) in tags), None)


TAG = 5  # letters of a token: 25 bits
_WEB = ("web",)  # tells the token of a link from that of a reply


def _is_public(line: Line) -> bool:
    return line.action not in PRIVATE


def token_now(key: bytes, match: Match, reader: str) -> str:
    """The token of the letter to a player about the last line of a board's log."""
    return Tokens(key, match).token(len(match.record.log) - 1, reader)


def show_command(key: bytes, match: Match, reader: str) -> str:
    """The command, proved by a token, that shows a player a board as it is now."""
    record, token = match.record, token_now(key, match, reader)
    return f"{record.game} showas {reader} ~{token} {record.board}"


def boards_token(key: bytes, reader: str, number: int, tags: str) -> str:
    """The token of a letter that shows a reader several boards. It proves that the
    letter went to this reader with these tags; a board with one of them is played as by
    the letter about it, whose token begins with that."""
    return token(key, ("boards", reader, number, tags))


def account_token(key: bytes, line: AccountLine, reader: str) -> str:
    """The token of the letter to a reader about a line of an account's log."""
    return token(key, ("players", line.who, line.no, reader, format_line(line)))


def words_token(key: bytes, line: AccountLine, reader: str) -> str:
    """The token of the letter that brings a player's words to another."""
    said = format_line(line._replace(no=None))
    return token(key, ("words", line.who, reader, said))


def account_lines(
    key: bytes, player: Player, number: int, reader: str
) -> Iterator[tuple[AccountLine, str]]:
    """The lines of an account's log whose letters may have this number, to the player
    or to another reader, each with the token of that letter. Letters with words that
    were sent before had the number of their line."""
    for line in reversed(player.log):
        if number == 0 and line.action.kind in WORDS:
            yield line, words_token(key, line, reader)
        elif line.no == number:
            yield line, account_token(key, line, reader)


def unsubscribe_word(key: bytes, userid: str) -> str:
    """The word in the password's place that only ends a player's digests and
    broadcasts. It is good for ever, as letters are kept, and from any address."""
    return f"~{token(key, ('unsubscribe', userid))}"


def language_word(key: bytes, userid: str) -> str:
    """The word in the password's place that only changes what language a player reads.
    It is good for ever, as letters are kept."""
    return f"~{token(key, ('language', userid))}"


def invitation_word(key: bytes, address: str, code: str = "") -> str:
    """The word by which whoever reads mail at this address can become a player, without
    a password; one who reads the language with this code, if there is one. It is good
    for ever, as letters are kept."""
    return f"~{token(key, ('newcomer', address.lower(), *([code] if code else [])))}"


def unsubscribe_command(key: bytes, userid: str) -> str:
    """The command that ends a player's digests and broadcasts."""
    return f"unsubscribe {userid} {unsubscribe_word(key, userid)}"


def unsubscribe_page(key: bytes, userid: str) -> str:
    """The path of the page that does the same, `unsubscribe/bob/` and a token, which
    is not the word of the command."""
    return f"unsubscribe/{userid}/{token(key, (*_WEB, 'unsubscribe', userid))}"


def outdated(match: Match, index: int, reader: str) -> int | None:
    """The index of the first line after which a token of the letter about line `index`
    no longer answers the position; None while it does. Chat, plans, offers, and what
    others do while it stays the reader's turn change nothing."""
    for later in range(index + 1, len(match.record.log)):
        if _changes(match, later, reader):
            return later
    return None


def _changes(match: Match, index: int, reader: str) -> bool:
    """Whether a line of the log changes what a reply of this player would mean."""
    line = match.record.log[index]
    step, before = match.steps[index], match.steps[index - 1]
    if step.result != before.result or line.action in DROPPED:
        return True
    if line.action in (Act.ACCEPT, Act.REJECT):
        return before.offer is not None
    if line.no is None:
        return False
    turns = (match.turn_at(index - 1), match.turn_at(index))
    stays_their_turn = all(reader in turn for turn in turns)
    return line.who == reader or not stays_their_turn
