"""Replies that name boards of several: `holo 2 123:17`.

A letter that shows its reader several boards has a token of its own, and in its id a
tag of each of them. Such a reply is read as one to the letter about the board that it
names, or as several of these, with the token of that letter: so it can do what such a
reply can, as long as that can, and nothing else.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from pbm_holomino.commands.known_names import Known
from pbm_holomino.commands.request import Request
from pbm_holomino.commands.texts import words
from pbm_holomino.errors import CorruptFile, NotFound
from pbm_holomino.letters.writing import words_of
from pbm_holomino.match.board import Match
from pbm_holomino.match.letter_ids import LetterId
from pbm_holomino.match.tokens import Tokens
from pbm_holomino.server.answered import Answered
from pbm_holomino.store.library import Library

if TYPE_CHECKING:
    from pbm_holomino.commands.reading.spelling import Named
    from pbm_holomino.server.replies import Doubt

_MOST_SEARCHED = 20  # boards, for the only one that a letter has shown
_LONGEST = 1_000  # characters of a line that names a board
_MOST_LINES = 20  # that may name one


def asked(
    answered: Answered, lines: list[str], known: Known, library: Library
) -> "list[tuple[Answered, Request | Doubt]]":
    """What a reply asks whose own lines these are, with the letter that each request is
    about: one for each board that it plays, or else the only one."""
    from pbm_holomino.server import replies

    read = partial(replies.read, known=known)
    parts = [_about(answered, lines, library)]
    if answered.tags and not answered.match:
        parts = _several(answered, lines, library, read) or parts
    return [(one, read(one, own)) for one, own in parts]


def _about(
    answered: Answered, lines: list[str], library: Library
) -> tuple[Answered, list[str]]:
    """The letter that a reply answers, and the reply's own lines: of a letter about
    several boards, that about the board which a line names first, and the lines without
    the name; of one that has shown only one of them, that about it. Any other reply
    stays as it is. To name a board is to ask to see it, if nothing else is asked."""
    if answered.writer or not (answered.tags or answered.match):
        return answered, lines
    number, found = next(_named(lines), (0, None))
    if found is None:
        only = _only(answered, library) if len(answered.tags) == 1 else None
        return only or answered, lines
    one: Answered | None = answered
    if answered.match is None:
        one = _letter(answered, found.game, found.board, library)
    elif answered.match.key != (found.game, str(found.board)):
        one = None
    if one is None:
        return answered, lines
    rest = [*lines[:number], " ".join(found.words), *lines[number + 1 :]]
    return one, rest if any(map(str.strip, rest)) else ["show"]


def _several(
    answered: Answered,
    lines: list[str],
    library: Library,
    read: "Callable[[Answered, list[str]], Request | Doubt]",
) -> list[tuple[Answered, list[str]]]:
    """The letters about the boards that a reply plays, each from a line with its name,
    and the lines about each; none if there are not several. What is above the first of
    these lines belongs to it, and what is below one to that."""
    names: dict[int, Named] = {}
    letters: list[Answered] = []
    for number, found in _named(lines):
        one, rest = _letter(answered, *found[:2], library), " ".join(found.words)
        is_like_a_move = re.match(r"\W*\d", rest) is not None
        if one is None and is_like_a_move:
            return []
        if one is not None and (is_like_a_move or _asks(read(one, [rest]))):
            names[number] = found
            letters.append(one)
    if len({letter.id for letter in letters}) < max(2, len(letters)):
        return []
    bare = [
        " ".join(names[number].words) if number in names else line
        for number, line in enumerate(lines)
    ]
    ends = [*names, len(lines)][1:]
    begins = [0, *ends]
    return [
        (one, bare[begin:end])
        for one, begin, end in zip(letters, begins, ends, strict=False)
    ]


def _asks(said: "Request | Doubt") -> bool:
    """Whether something is asked, or may be."""
    return isinstance(said, Request) or bool(said.offers)


def _named(lines: Sequence[str]) -> "Iterator[tuple[int, Named]]":
    """The boards that begin some of the first lines, perhaps after a greeting, each
    with the number of its line."""
    for number, line in enumerate(lines[:_MOST_LINES]):
        if len(line) <= _LONGEST and re.search(r"[^\W\d_]\W+\d", line):
            from pbm_holomino.commands.reading.spelling import named  # seldom needed

            found = named(words(line))
            if found and found.board and _greets(found.words[: found.at]):
                yield number, found


def _greets(before: Sequence[str]) -> bool:
    """Whether words before the name of a board say nothing, but perhaps hello."""
    if not before:
        return True
    from pbm_holomino.commands.reading.replies import says_nothing  # seldom needed

    return says_nothing(before)


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
