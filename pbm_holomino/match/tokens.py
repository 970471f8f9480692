"""Reply tokens: what proves that a mail answers a letter of ours.

A letter about a line has a token: 80 bits of HMAC-SHA-256 under the server's key over
the line's board or account, its number, the reader, and a hash of the log up to that
line. So a token is the same when a letter is written again, and another once the log
has become another, be it after a restored backup.
"""

import hashlib
import hmac
import re
from base64 import b32encode
from collections.abc import Iterable, Sequence
from functools import cached_property

from pbm_holomino.match.account import AccountLine
from pbm_holomino.match.board import Match
from pbm_holomino.match.record import DROPPED, Act, Record, format_line

_BYTES = 10
PATTERN = "[a-z2-7]{16}"  # of a token


def is_token(word: str) -> bool:
    """Whether a word in the password's place has the form of a token: `~` and 16
    characters."""
    return bool(re.fullmatch(f"~{PATTERN}", word))


def token(key: bytes, words: Iterable[object]) -> str:
    """The token over these words, under the server's key."""
    text = "\n".join(map(str, words)).encode("utf-8", "surrogatepass")
    digest = hmac.digest(key, text, "sha256")
    return b32encode(digest[:_BYTES]).decode("ascii").lower()


def letter_key(record: Record, index: int, reader: str) -> str:
    """The key of the letter to a player about a line of a board's log."""
    return f"{record.game}.{record.board}.{index}.{reader}"


class Tokens:
    """The tokens of the letters about a board, under the server's key."""

    def __init__(self, key: bytes, record: Record) -> None:
        self._key = key
        self._record = record

    def token(self, index: int, reader: str) -> str:
        """The token of the letter to a player about a line of the log."""
        record = self._record
        words = (record.game, record.board, index, reader, self._hashes[index])
        return token(self._key, words)

    def letter_id(self, index: int, reader: str) -> str:
        """The id of that letter."""
        key = letter_key(self._record, index, reader)
        return f"{key}.{self.token(index, reader)}"

    def line(self, given: str, reader: str) -> int | None:
        """The last line whose letter to this player has the given token."""
        for index in range(len(self._record.log) - 1, -1, -1):
            if hmac.compare_digest(self.token(index, reader), given):
                return index
        return None

    def link(self, index: int, reader: str) -> str:
        """The token of the link in that letter that leads to the board's page. It is
        not the one that proves a reply."""
        record = self._record
        words = ("web", record.game, record.board, index, reader, self._hashes[index])
        return token(self._key, words)

    def page(self, index: int, reader: str) -> str:
        """The path of that link: `link/holo/12/7/bob/` and its token."""
        game, board = self._record.game, self._record.board
        return f"link/{game}/{board}/{index}/{reader}/{self.link(index, reader)}"

    @cached_property
    def _hashes(self) -> Sequence[str]:
        """A hash of the log up to each of its lines."""
        sha, hashes = hashlib.sha256(), []
        for line in self._record.log:
            sha.update(f"{format_line(line)}\n".encode("utf-8", "surrogatepass"))
            hashes.append(sha.hexdigest())
        return hashes


def show_command(key: bytes, record: Record, reader: str) -> str:
    """The command, proved by a token, that shows a player a board as it is now."""
    token = Tokens(key, record).token(len(record.log) - 1, reader)
    return f"{record.game} showas {reader} ~{token} {record.board}"


def account_token(key: bytes, line: AccountLine, reader: str) -> str:
    """The token of the letter to a reader about a line of an account's log."""
    return token(key, ("players", line.who, line.no, reader, format_line(line)))


def unsubscribe_word(key: bytes, userid: str) -> str:
    """The word in the password's place that only ends a player's digests and
    broadcasts. It is good for ever, as letters are kept, and from any address."""
    return f"~{token(key, ('unsubscribe', userid))}"


def unsubscribe_command(key: bytes, userid: str) -> str:
    """The command that ends a player's digests and broadcasts."""
    return f"unsubscribe {userid} {unsubscribe_word(key, userid)}"


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
