"""Thinking a game over: the position after moves of both sides, as one player knows it.

A line is moves in turn, and after a move the draws that it brings: `draw:145` chooses
the first of them, and `?` leaves it open, as are all that are not named. What comes by
chance comes from whoever asks, and never from the board's seed.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from pbm_holomino.errors import BadMove, IllegalMove
from pbm_holomino.languages import InARow, sentence, together
from pbm_holomino.match.board import Match, Public, settled
from pbm_holomino.match.record import SHELL, Line
from pbm_holomino.match.replay import grown, judged
from pbm_holomino.match.trees import DRAW, is_draw
from pbm_holomino.match.trees import OPEN_DRAW as OPEN
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.rules.chance import LeftOpen
from pbm_holomino.sentences import quoted

MOST_WORDS = 200  # of a line

Pick = Callable[[int], int]  # an index below a size


class Turn(NamedTuple):
    """A move of a line, and the draws after it that were chosen or sampled, each the
    tile or OPEN."""

    who: str
    move: str
    draws: tuple[str, ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """The words that are typed for it."""
        drawn = (tile if tile == OPEN else f"{DRAW}{tile}" for tile in self.draws)
        return (self.move, *drawn)


class Analysis(NamedTuple):
    """The position that a line leads to, from that after move `since`; and the line,
    its moves in canonical notation. `left` is what may come where the first draw after
    its last move was left open."""

    match: Match
    since: int
    turns: tuple[Turn, ...] = ()
    left: tuple[str, ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """The line, as it can be typed again."""
        return tuple(word for turn in self.turns for word in turn.words)

    @property
    def is_open(self) -> bool:
        """Whether a player holds a tile whose draw was left open, or something that
        comes by chance must be chosen before the line can go on."""
        view = self.match.view(None)
        return bool(self.match.due) or any(OPEN in pool for pool in view.pools)

    def mover(self, who: str) -> str:
        """Who moves next, this player before all others; empty if nobody can."""
        turn = () if self.match.due else self.match.turn
        return min(turn, key=lambda each: each != who, default="")


def analysed(
    match: Match,
    who: str,
    words: Sequence[str],
    sample: Pick | None = None,
    then: Callable[[Match], Match] = lambda match: match,
) -> Analysis:
    """The position after a line from that of the match, which may be one of the past
    (see `Match.after_ply`), as this player knows it; whoever does not play knows what
    everybody may see. Draws that are not named are left open, unless `sample` makes
    them. `then` makes of the match after each move that which goes on. Raises BadMove,
    which says in which move of the line."""
    if len(words) > MOST_WORDS:
        raise BadMove(_TOO_LONG.of(most=MOST_WORDS, number=len(words)))
    found = Analysis(_known_by(match, who), match.ply)
    for number, (move, draws) in enumerate(_moves(words), 1):
        try:
            found = _after(found, who, move, draws, sample)
            found = found._replace(match=then(found.match))
        except BadMove as error:
            raise BadMove(_IN_LINE.of(number=number, why=error.said)) from None
    return found


_TOO_LONG = sentence(
    "A line can have {most} moves and draws at most, and this one has {number}: please "
    "begin at a later move of the game, such as 12#20."
)
# translators: {why} is a sentence
_IN_LINE = sentence("Move {number} of the line: {why}")


def _known_by(match: Match, who: str) -> Match:
    """The match as one player knows it, with nothing hidden in its position."""
    last = match.steps[-1]._replace(state=match.view(who).known)
    known = match._replace(steps=(*match.steps[:-1], last), previewed=True)
    return known._replace(public=Public(match.record, known.steps))


def _moves(words: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """The moves of a line, each with the draws after it. Raises BadMove."""
    if words and is_draw(words[0]):
        raise BadMove(_NO_MOVE_YET.of(word=quoted(words[0])))
    at = [index for index, word in enumerate(words) if not is_draw(word)]
    for first, end in pairwise((*at, len(words))):
        yield words[first], [word.removeprefix(DRAW) for word in words[first + 1 : end]]


_NO_MOVE_YET = sentence(
    "{word} is a draw, and a line begins with a move: whatever is drawn by then lies "
    "there already."
)


def _after(
    found: Analysis, who: str, move: str, draws: list[str], sample: Pick | None
) -> Analysis:
    """The analysis after one more move and what comes after it. Raises BadMove."""
    match, chance = found.match, _Choices(draws, sample)
    if match.due:
        raise BadMove(_CHANCE_FIRST.of(move=quoted(move)))
    if not match.turn:
        raise BadMove(_IS_OVER.of(move=quoted(move)))
    line, step = _judged(match, who, move)
    after = grown(match, line, settled(match.record, step, chance))
    if chance.left:
        word, told = chance.left[0], quoted(str(line.action))
        raise BadMove(_NOTHING_DRAWN.of(word=quoted(f"{DRAW}{word}"), move=told))
    turn = Turn(line.who, str(line.action), tuple(chance.made))
    return Analysis(
        after._replace(previewed=True), found.since, (*found.turns, turn), chance.open
    )


_CHANCE_FIRST = sentence(
    "before {move} something comes by chance. Please choose it after the move before, "
    'as in "draw:R", or let "-sample" draw.'
)
_IS_OVER = sentence("the game is over before {move}.")
_NOTHING_DRAWN = sentence("after {move} nothing is drawn that {word} could be.")


def _judged(match: Match, who: str, move: str) -> tuple[Line, Any]:
    """A move of whoever may make it: of several, the first who can, and the asker
    before all others. Raises BadMove."""
    turn = match.turn
    refusals = list[BadMove]()
    for player in sorted(turn, key=lambda each: each != who):
        try:
            return judged(match, Line(None, "", player, SHELL, move), move)
        except IllegalMove as error:
            own = error if player == who else error.about(player)
            refusals.append(_with_hint(match, player, own))
        except BadMove as error:
            refusals.append(error)
    raise refusals[0]


def _with_hint(match: Match, player: str, error: IllegalMove) -> BadMove:
    """A refusal; where it may be for a draw that was left open, with how to choose."""
    seat = match.record.players.index(player)
    if OPEN not in match.view(None).pools[seat]:
        return error
    return BadMove(together([error.said, _CHOOSE]))


_CHOOSE = sentence(
    'A tile that is shown as "?" was left open: "draw:" and its name, right after the '
    "move that brings the draw, chooses it."
)


class _Choices:
    """Draws as they are chosen, the others as `sample` has them, or left open. `left`
    are the choices that nothing was drawn for, `made` all that were, and `open` is what
    the first one that was left open may be."""

    def __init__(self, chosen: Sequence[str], sample: Pick | None) -> None:
        self.left, self.made = [*chosen], list[str]()
        self.open: tuple[str, ...] = ()
        self._sample = sample

    def pick(self, drawn: int, things: Sequence[str]) -> tuple[int, int]:
        """See rules.chance.Draws. Raises BadMove too."""
        index = self._index(things)
        if index is None:
            self.made += [OPEN] * bool(self.left)
            self.open = self.open or tuple(dict.fromkeys(things))
            raise LeftOpen
        self.made.append(things[index])
        return index, drawn + 1

    def _index(self, things: Sequence[str]) -> int | None:
        if not self.left:
            return self._sample(len(things)) if self._sample else None
        word = self.left.pop(0)
        return None if word == OPEN else [*things].index(_named(things, word))


def _named(things: Sequence[str], word: str) -> str:
    """The thing that a word names, such as 123 for 231, as a tile may be turned. Raises
    BadMove."""
    upper = word.upper()
    turned = (upper[at:] + upper[:at] for at in range(len(upper)))
    found = next((each for each in turned if each in things), None)
    if found is None:
        told = InARow(dict.fromkeys(things))
        raise BadMove(_NOT_THERE.of(word=quoted(f"{DRAW}{word}"), things=told))
    return found


_NOT_THERE = sentence("{word} cannot be drawn now. What can be: {things}.")
