"""Replies that name one of several boards: `holo 2 123:17`.

A letter that shows its reader several boards has a token of its own, and in its id a
tag of each of them. Such a reply is read as one to the letter about the board that it
names, with the token of that letter: so it can do what such a reply can, as long as
that can, and nothing else.
"""

from contextlib import suppress

from pbm_holomino.commands.texts import first_of, words
from pbm_holomino.errors import CorruptFile, NotFound
from pbm_holomino.letters.writing import words_of
from pbm_holomino.match.board import Match
from pbm_holomino.match.letter_ids import LetterId
from pbm_holomino.match.tokens import Tokens
from pbm_holomino.server.answered import Answered
from pbm_holomino.store.library import Library

_MOST_SEARCHED = 20  # boards, for the only one that a letter has shown
_LONGEST = 1_000  # characters of a line that names a board
_DIGITS = 9  # of its number


def about(
    answered: Answered, lines: list[str], library: Library
) -> tuple[Answered, list[str]]:
    """The letter that a reply answers, and the reply's own lines: of a letter about
    several boards, that about the board which its first line names, and the lines
    without the name; of one that has shown only one of them, that about it. Any other
    reply stays as it is. To name a board is to ask to see it, if nothing else is
    asked."""
    if answered.writer or not (answered.tags or answered.match):
        return answered, lines
    line, rest = first_of(lines)
    named = _named(line)
    if named is None:
        only = _only(answered, library) if len(answered.tags) == 1 else None
        return only or answered, lines
    game, board, asked = named
    asked = asked or ("" if rest else "show")
    one: Answered | None = answered
    if answered.match is None:
        one = _letter(answered, game, board, library)
    elif answered.match.key != (game, str(board)):
        one = None
    return (answered, lines) if one is None else (one, [asked, *rest.split("\n")])


def _named(line: str) -> tuple[str, int, str] | None:
    """The game and the board at the beginning of a line, and what is asked there."""
    given = words(line) if len(line) <= _LONGEST else []
    if len(given) < 2:
        return None
    number = given[1].strip("#:,.")
    if not (number.isascii() and number.isdigit() and len(number) <= _DIGITS):
        return None
    from pbm_holomino.commands.reading.spelling import game_named  # seldom needed

    game = game_named(given[0])
    return (game, int(number), " ".join(given[2:])) if game else None


def _only(answered: Answered, library: Library) -> Answered | None:
    """The letter about the only board that a letter has shown."""
    boards = library.lists.boards_of([answered.reader.userid], "active").boards
    found = (
        _letter(answered, one.game, one.board, library)
        for one in boards[:_MOST_SEARCHED]
    )
    return next(filter(None, found), None)


def _letter(
    answered: Answered, game: str, board: int, library: Library
) -> Answered | None:
    """The letter about a board to the reader of one that has shown several; None for a
    board that it has not shown."""
    reader, match = answered.reader, _match(game, board, library)
    if match is None or reader.userid not in match.record.players:
        return None
    tokens = Tokens(library.key, match)
    line = tokens.tagged(answered.tags, reader.userid)
    if line is None:
        return None
    number, token = tokens.numbered(line, reader.userid)
    letter = words_of(match).answerable(match, line, reader.userid)
    content = letter.content if letter else tuple
    known = LetterId(*match.key, number, reader.userid, token)
    return Answered.of(known, reader, content, match)


def _match(game: str, board: int, library: Library) -> Match | None:
    with suppress(CorruptFile, NotFound):
        return library.match(game, board)
    return None
