"""Answers ahead: lines of the others' moves and one's own in turn, which make a tree.

A line is typed, and kept, as `if theirs mine theirs mine`. In their place `a/b` is one
move or another, and `*` at its end is whatever comes before one's turn; `-` is a
place in which nobody moves. A queue of one's own moves is a single line, in which
whatever comes is answered.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from pbm_holomino.errors import BadMove
from pbm_holomino.languages import sentence
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.sentences import DASHES

IF, WHATEVER, NOBODY = "if", "*", "-"
# In a line that is thought over (see `match.analysis`), what is drawn: `draw:145`, or
# that it is left open.
DRAW, OPEN_DRAW = "draw:", "?"
MOST_NODES = 200  # of a tree

InNotation = Callable[[str], bool]  # whether a word is a move of the game
Choice = tuple[str, ...]  # moves of which any may come in one place


class Turn(NamedTuple):
    """A turn of one's own: what the others play before it, and what one plays then."""

    theirs: tuple[Choice, ...]
    mine: str


Path = tuple[Turn, ...]

_ANYTHING = ((WHATEVER,),)


def is_tree(words: Sequence[str]) -> bool:
    """Whether these words are lines of a tree, and no moves of one's own alone."""
    return words[:1] in ((IF,), [IF])


def is_draw(word: str) -> bool:
    """Whether a word of a line is a draw, and no move."""
    return word == OPEN_DRAW or word.startswith(DRAW)


def place(word: str) -> str:
    """A typed word as lines have it: mail programs make long dashes, and in a shell
    `*` needs quotes."""
    bare = word.strip("'\"").lower()
    return NOBODY if bare in tuple(DASHES) else bare


def are_places(words: Sequence[str], in_notation: InNotation) -> bool:
    """Whether each of these words may be in a line of a tree."""
    return all(
        word in (IF, WHATEVER, NOBODY) or _are_moves(word.split("/"), in_notation)
        for word in words
    )


def _are_moves(words: Iterable[str], in_notation: InNotation) -> bool:
    """Whether these are moves, each of which may have the number that it must have."""
    found = (re.fullmatch(r"([^#]{1,100})(?:#[0-9]{1,6})?", word) for word in words)
    return all(move is not None and in_notation(move[1]) for move in found)


def paths(words: Sequence[str]) -> tuple[Path, ...]:
    """The lines that these words are, those of a tree or moves of one's own."""
    if not is_tree(words):
        return (tuple(Turn(_ANYTHING, word) for word in words),)
    return tuple(_path(line) for line in _lines(words))


def _lines(words: Sequence[str]) -> list[list[str]]:
    """The words of each line, without the one with which it begins."""
    lines: list[list[str]] = []
    for word in words:
        if word == IF:
            lines.append([])
        else:
            lines[-1].append(word)
    return lines


def _path(words: Sequence[str]) -> Path:
    turns, theirs = list[Turn](), list[Choice]()
    for their, mine in zip(words[::2], words[1::2], strict=False):
        if their != NOBODY:
            theirs.append(tuple(their.split("/")))
        if mine != NOBODY:
            turns.append(Turn(tuple(theirs), mine))
            theirs = []
    return tuple(turns)


def line_of(moves: Iterable[tuple[bool, str]]) -> tuple[str, ...]:
    """The words of the line that these moves make, each with whether it is one's own,
    up to the last such; none without one."""
    words, last = list[str](), 0
    for is_own, move in moves:
        is_their_place = len(words) % 2 == 0
        words += [NOBODY] * (is_own == is_their_place)
        words.append(move)
        last = len(words) if is_own else last
    return tuple(words[:last])


def is_queue(line: Path) -> bool:
    """Whether whatever comes is answered, so that its own moves say it all."""
    return all(turn.theirs == _ANYTHING for turn in line)


def own_moves(lines: Iterable[Path]) -> tuple[str, ...]:
    """The moves of one's own in these lines, one line after the other."""
    return tuple(turn.mine for line in lines for turn in line)


def words_of(line: Path) -> tuple[str, ...]:
    """The words of a line, without the one with which it begins."""
    return tuple(word for turn in line for word in _words_of(turn))


def _words_of(turn: Turn) -> Iterator[str]:
    theirs = ["/".join(choice) for choice in turn.theirs] or [NOBODY]
    for their in theirs[:-1]:
        yield from (their, NOBODY)
    yield from (theirs[-1], turn.mine)


def fits(
    turn: Turn, played: Sequence[int], is_same: Callable[[int, str], bool]
) -> bool:
    """Whether the moves that the others have played before one's turn are those of the
    line, one after another. `is_same` says it of one of them, and a word."""
    theirs = turn.theirs
    if theirs[-1:] == _ANYTHING and len(played) >= len(theirs) - 1:
        theirs, played = theirs[:-1], played[: len(theirs) - 1]
    if len(theirs) != len(played):
        return False
    return all(
        any(word == WHATEVER or is_same(move, word) for word in choice)
        for move, choice in zip(played, theirs, strict=True)
    )


def after(lines: Iterable[Path]) -> tuple[Path, ...]:
    """What is left of lines that fit, when the first of them has been played."""
    first, *others = lines
    left = [first, *(line for line in others if line[0].mine == first[0].mine)]
    return tuple(dict.fromkeys(line[1:] for line in left if line[1:]))


def contradictions(lines: Iterable[Path]) -> list[tuple[int, int]]:
    """The lines, counted from 1, that answer the same otherwise than an earlier one,
    each after the first that it contradicts, which counts."""
    earlier, found = _Turns(), list[tuple[int, int]]()
    for number, line in enumerate(lines, 1):
        if first := earlier.against(line):
            found.append((first, number))
        earlier.add(line, number)
    return found


class _Turns:
    """The turns that lines have in one place, after the same beginning: each with the
    number of the first line that has it, and what follows."""

    def __init__(self) -> None:
        self._next: dict[Turn, tuple[int, _Turns]] = {}
        # by how many moves of theirs come before, and what the first of them may be
        self._by_move: dict[tuple[int, str], list[Turn]] = {}

    def add(self, line: Path, number: int) -> None:
        """A further line, with its number."""
        if line:
            turn, *rest = line
            if turn not in self._next:
                self._next[turn] = number, _Turns()
                for move in (turn.theirs or _ANYTHING)[0]:
                    key = len(turn.theirs), move
                    self._by_move.setdefault(key, []).append(turn)
            self._next[turn][1].add(tuple(rest), number)

    def against(self, line: Path) -> int | None:
        """The number of the first line that this one contradicts, if it does."""
        if not line:
            return None
        turn, *rest = line
        first = None
        for number, other, more in self._near(turn.theirs):
            if first is not None and number >= first:
                break
            if all(map(_covers, other.theirs, turn.theirs)):
                is_other = other.mine != turn.mine
                found = number if is_other else more.against(tuple(rest))
                first = min(filter(None, (first, found)), default=None)
        return first

    def _near(self, theirs: tuple[Choice, ...]) -> "list[tuple[int, Turn, _Turns]]":
        """The turns that may answer some of what may come in these places, in the order
        of their lines."""
        moves = {*(theirs or _ANYTHING)[0], WHATEVER}
        near = (self._by_move.get((len(theirs), move), ()) for move in moves)
        turns = {turn: self._next[turn] for turn in chain.from_iterable(near)}
        found = [(number, turn, more) for turn, (number, more) in turns.items()]
        return sorted(found, key=lambda each: each[0])


def _covers(choice: Choice, other: Choice) -> bool:
    return WHATEVER in choice or not set(choice).isdisjoint(other)


# Judging what was typed


def check(words: Sequence[str], in_notation: InNotation) -> None:
    """Raises BadMove for words that are no tree, or too large a one. No position is
    asked, so that it tells nothing of what is to come."""
    tree: dict[str, Any] = {}
    nodes = 0
    for number, line in enumerate(_lines(words), 1):
        node = tree
        for place, word in enumerate(line, 1):
            if word not in node:
                _check_word(word, number, place, in_notation)
                node[word] = {}
                nodes += 1 + word.count("/")
            if max(nodes, number) > MOST_NODES:
                raise BadMove(_TOO_LARGE.of(most=MOST_NODES))
            node = node[word]
        if len(line) % 2 or line[-1:] in ([], [NOBODY]):
            raise BadMove(_UNANSWERED.of(line=number))


_TOO_LARGE = sentence(
    "Your answers ahead may have {most} moves in all, where lines that begin alike "
    "share theirs: please leave some out."
)


def _check_word(word: str, line: int, place: int, in_notation: InNotation) -> None:
    """Raises BadMove for a word that may not be in this place of a line."""
    is_theirs = place % 2 == 1
    known = (WHATEVER, NOBODY) if is_theirs else (NOBODY,)
    moves = word.split("/") if is_theirs else [word]
    if word not in known and not _are_moves(moves, in_notation):
        said = _NOT_A_MOVE if ":" in word else _NOT_A_MOVE_THERE
        raise BadMove(said.of(word=word[:100], line=line, number=place))


_NOT_A_MOVE = sentence(
    '"{word}", in line {line} of your answers ahead, is not a move: each line is "if", '
    "their move, your answer, their next move, and so on."
)
_NOT_A_MOVE_THERE = sentence(
    "Word {number} in line {line} of your answers ahead is not a move: each line is "
    '"if", their move, your answer, their next move, and so on.'
)
_UNANSWERED = sentence(
    "Line {line} of your answers ahead must end with a move of yours: each line is "
    '"if", their move, your answer, their next move, and so on.'
)
