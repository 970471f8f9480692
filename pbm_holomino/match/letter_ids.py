"""The ids of our letters, which are before the @ of their Message-IDs.

An id with a token names a line of the log of a board, an account or a tournament, and a
reader. It counts only lines that everybody may read, so that it tells nobody what
others do in secret; a letter that brings another player's words has no number but 0.
Where the envelope sender of a letter can have something after a `+`, that is the
letter's `mark`: its id with another token, which proves only that the letter has come
back.
"""

import re
from collections.abc import Iterable, Sequence

from pbm_holomino.match import ledgers
from pbm_holomino.match.account import TOKEN
from pbm_holomino.match.record import Key
from pbm_holomino.match.tokens import TAG, boards_token, is_same, token
from pbm_holomino.named_tuples import NamedTuple


class LetterId(NamedTuple):
    """The parts of a letter's id."""

    folder: str  # of the ledger that has the line
    name: str
    line: int  # the number of the line (see `tokens`)
    reader: str  # if it is not the account's player
    token: str
    more: str = ""  # what tells it from other letters with the same token

    def __str__(self) -> str:
        words = (self.folder, self.name, str(self.line), self.reader)
        return ".".join(filter(None, (*words, self.token, self.more)))


INVITED = "by_invitation"  # the reader of an invitation, who has no account
MOST_NAMED = 20  # boards in the id of a letter, which may become the name of a file
_ACCOUNTS = "players"


def of_boards(
    key: bytes, account: Key, number: int, tags: Sequence[str], more: str = ""
) -> LetterId:
    """The id of a letter that shows the player of an account several boards: it has
    their tags. `number` is that of the line of the account that it is about, or 0, and
    `more`, which begins with a 0, tells it from others."""
    shown = f"{''.join(tags)}{more}"
    proof = boards_token(key, account.name, number, shown)
    return LetterId(*account, number, "", proof, shown)


def tags_in(key: bytes, letter: LetterId) -> tuple[str, ...]:
    """The tags of the boards that the letter with this id has shown; none if its token
    is wrong, or it is about no boards."""
    if letter.folder != _ACCOUNTS or letter.reader or not letter.more:
        return ()
    proof = boards_token(key, letter.name, letter.line, letter.more)
    if not is_same(proof, letter.token):
        return ()
    tags = letter.more.partition("0")[0]
    return tuple(tags[at : at + TAG] for at in range(0, len(tags), TAG))


def parse_id(text: str) -> LetterId | None:
    """The id in a text; None if it has no token, or is not one of ours."""
    match = re.fullmatch(_ID, text)
    if not match or match["folder"] not in ledgers.folders():
        return None
    folder, name, line, reader, word, more = match.groups()
    return LetterId(folder, name, int(line), reader or "", word, more or "")


def find(message_ids: Iterable[str], domain: str) -> LetterId | None:
    """The first letter of the server with this domain among these Message-IDs."""
    suffix = f"@{domain}>".lower()
    for message_id in message_ids:
        if message_id.lower().endswith(suffix):
            letter_id = parse_id(message_id[1 : -len(suffix)])
            if letter_id:
                return letter_id
    return None


# The domain of a Message-ID is not case-sensitive, but the rest is.
_ID = (
    r"(?P<folder>[a-z]+)\.(?P<name>[a-z0-9_]{1,20})\.(?P<line>[0-9]{1,9})"
    rf"(?:\.(?P<reader>[a-z][a-z0-9_]{{1,19}}))?\.(?P<token>{TOKEN})"
    r"(?:\.(?P<more>[a-z0-9]+))?"
)


def mark(key: bytes, letter_id: str) -> str:
    """The mark of the letter with this id; empty for one without a token."""
    parsed = parse_id(letter_id)
    if parsed is None:
        return ""
    if parsed.folder == _ACCOUNTS:  # a letter that names many boards has a long id
        parsed = parsed._replace(more="")
    return f"{_MARK}{parsed._replace(token=bounce_token(key, parsed.token))}"


def bounce_token(key: bytes, word: str) -> str:
    """The token in the mark of a letter whose id has this one."""
    return token(key, ("bounce", word))


def parse_mark(text: str) -> LetterId | None:
    """The id in a mark, with the mark's token; None if it is not a mark."""
    return parse_id(text.removeprefix(_MARK)) if text.startswith(_MARK) else None


_MARK = "b."
