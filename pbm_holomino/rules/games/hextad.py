"""Hextad, by Cameron Browne: hextiles whose pips add up where three cells meet.

Source: the inventor's public help page ("Hextiles with addition", 2008). A point
where three cells meet is an intersection; a move forms those at its tile whose cells
are all taken then. An intersection is valid if two of its three numbers add up to the
third, which is its sum.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache

from pbm_holomino.languages import (
    Either,
    Listed,
    Sentence,
    of_number,
    of_player,
    sentence,
    together,
)
from pbm_holomino.rules.contract import (
    Closed,
    Drawing,
    Game,
    Proposal,
    move_labels,
)
from pbm_holomino.rules.grid import Box, neighbours
from pbm_holomino.rules.hextiles import (
    BEST,
    DIGITS,
    EVERY_TILE,
    FACES,
    Hextiles,
    Move,
    State,
    faces,
    figure,
    format_move,
)
from pbm_holomino.rules.options import Option, Options
from pbm_holomino.rules.tiles import Cells, within_size

STRICT = Option(
    "strict",
    sentence(
        "With strict rules every intersection that a move forms must be valid. With "
        "lenient rules it need not be, and one that is not valid scores nothing."
    ),
    True,
    opposite="lenient",
)


@cache
def sum_of(numbers: str) -> int | None:
    """The sum of an intersection with these three faces; None if it is not valid."""
    least, middle, greatest = sorted(map(int, numbers))
    return greatest if least + middle == greatest else None


@cache
def corners(position: int) -> tuple[tuple[int, int], ...]:
    """The six intersections at a cell, clockwise: the two other cells of each."""
    around = neighbours(position)
    return tuple(zip(around, around[1:] + around[:1], strict=True))


def intersections(cells: Cells, move: Move) -> Iterator[tuple[int, int, int]]:
    """The three positions of each intersection that a tile forms, from the board with
    the tile on it."""
    for one, other in corners(move.first):
        if one in cells and other in cells:
            yield move.first, one, other
    for one, other in corners(move.second):
        if one in cells and other in cells and move.first not in (one, other):
            yield move.second, one, other


def _sum_at(cells: Cells, positions: Sequence[int]) -> int | None:
    return sum_of("".join(cells[at] for at in positions))


# Before a move


def _open_pairs(cells: Cells, position: int) -> tuple[str, ...]:
    """The faces of the two other cells of each intersection that a half on this empty
    cell would form."""
    return tuple(
        cells[one] + cells[other]
        for one, other in corners(position)
        if one in cells and other in cells
    )


@lru_cache(maxsize=10_000)
def _fitting(every: str, pairs: tuple[str, ...]) -> str:
    """The faces that form valid intersections with all of these pairs."""
    return "".join(
        face for face in every if all(sum_of(face + pair) is not None for pair in pairs)
    )


@cache
def _beside_both(first: int, second: int) -> tuple[int, int]:
    """The two cells that are beside both of these, which are beside each other."""
    around = neighbours(first)
    way = around.index(second)
    return around[way - 1], around[way - 5]


def _between(cells: Cells, first: int, second: int) -> str:
    """The faces with which both halves of a tile on these cells would form
    intersections."""
    return "".join([cells[at] for at in _beside_both(first, second) if at in cells])


@cache
def _valid_between(between: str) -> frozenset[str]:
    """The tiles whose two halves form valid intersections with all of these faces."""
    return frozenset(
        tile
        for tile in EVERY_TILE
        if all(sum_of(tile + face) is not None for face in between)
    )


_NO_SUM = sentence(
    "{move} does not fit: where positions {positions} meet there would be {numbers}, "
    "and no two of these add up to the third."
)
_EQUAL_HALVES = sentence("The halves of a tile beside this 0 must be equal.")
_HALVES = sentence(
    "The halves of a tile beside this {number} must add up to {number} or differ by "
    "{number}."
)
_HALF = sentence("Beside {one} and {other}, the half at {position} must be {numbers}.")
_NO_HALF = sentence(
    "Beside {one} and {other}, the half at {position} can be none of this set."
)


def _right_there(state: State, at: int, others: Sequence[int]) -> Sentence:
    """Which halves would make an intersection valid, at a position and two others, one
    of which may be the other half's."""
    there = "".join(state.cells.get(other, "") for other in others)
    if len(there) == 1:
        return _HALVES.of(number=there) if there > "0" else _EQUAL_HALVES
    one, other = there[0], there[1]
    right = [face for face in faces(state.options) if sum_of(face + there) is not None]
    half = _HALF if right else _NO_HALF
    return half.of(one=one, other=other, position=at, numbers=Either(right))


@lru_cache(maxsize=10_000)
def _points(every: str, pairs: tuple[str, ...]) -> Mapping[str, int]:
    """What a half with each of these faces scores between these pairs."""
    return {face: sum(sum_of(face + pair) or 0 for pair in pairs) for face in every}


def gains(state: State, moves: Sequence[Move]) -> list[int]:
    """What these moves score: what each half scores alone, and what both score where
    they form an intersection together."""
    every = faces(state.options)
    own = {at: _points(every, _open_pairs(state.cells, at)) for at in state.frontier}
    scores = []
    for move in moves:
        tile, first, second = move
        one, other = own.get(first), own.get(second)
        points = (one[tile[0]] if one else 0) + (other[tile[1]] if other else 0)
        if one and other:
            points += _together(tile, _between(state.cells, first, second))
        scores.append(points)
    return scores


@cache
def _together(tile: str, between: str) -> int:
    """What a tile scores where both its halves form intersections with these faces."""
    return sum(sum_of(tile + face) or 0 for face in between)


# Proposals


def best_moves(moves: Sequence[Move], scores: Sequence[int]) -> list[Move]:
    """The move of each tile that scores most, the highest score first. Of a tile's
    equal moves it is the nearest to the first tile."""
    best = dict[str, tuple[int, Move]]()
    for move, points in zip(moves, scores, strict=True):
        most, rival = best.get(move[0], (-1, move))
        if points > most or points == most and max(move[1:]) < max(rival[1:]):
            best[move[0]] = points, move
    return [move for _, move in sorted(best.values(), key=lambda found: -found[0])]


_FIGURES: Mapping[str, Drawing] = {
    "faces": FACES,
    "start": figure("22:0,1", move_labels((*range(2, 9), 18))),
    "ten": figure("22:0,1 46:2,8"),
    "twelve": figure("22:0,1 46:2,8 26:10,3"),
}


class Hextad(Hextiles):
    """Hextiles, with the hooks that are Hextad's own."""

    TITLE = "Hextad"
    SEVERAL = of_player(
        "You played {move} and scored {points} with sums of {parts}.",
        "{player} played {move} and scored {points} with sums of {parts}.",
    )
    EFFECT = of_number(
        "{move} scores {score} with {n} sum.", "{move} scores {score} with {n} sums."
    )
    OPTIONS = (*Hextiles.OPTIONS, STRICT)
    FIGURES = _FIGURES

    def allowed(self, options: Options, cells: Cells, position: int) -> str:
        every = faces(options)
        if not options["strict"]:
            return every
        return _fitting(every, _open_pairs(cells, position))

    def joining(self, state: State, first: int, second: int) -> Container[str]:
        is_strict = state.options["strict"]
        return _valid_between(_between(state.cells, first, second) if is_strict else "")

    def mismatch(self, state: State, move: Move) -> Sentence:
        """Why a tile does not fit: an intersection, its three numbers, and what would
        be right there."""
        cells = {**state.cells, **dict(move.halves)}
        meet = next(
            meet for meet in intersections(cells, move) if _sum_at(cells, meet) is None
        )
        wrong = _NO_SUM.of(
            move=format_move(move),
            positions=Listed(map(str, meet)),
            numbers=Listed(cells[at] for at in meet),
        )
        return together([wrong, _right_there(state, meet[0], meet[1:])])

    def values(self, cells: Cells, box: Box, move: Move) -> list[int]:
        sums = (_sum_at(cells, meet) for meet in intersections(cells, move))
        return [value for value in sums if value is not None]

    def gains(self, state: State, moves: Sequence[Move]) -> list[int]:
        return gains(state, moves)

    def suiting(self, drawing: Drawing) -> Mapping[str, str]:
        """If not all intersections are valid, the rules are lenient."""
        words, cells = super().suiting(drawing), drawing.faces
        meets = (
            (at, *others)
            for at in cells
            for others in corners(at)
            if cells.keys() >= {*others}
            and all(cells[each] in DIGITS for each in (at, *others))
        )
        is_strict = all(_sum_at(cells, meet) is not None for meet in meets)
        return words if is_strict else {**words, "lenient": "yes"}

    def closed(self, state: State) -> list[Closed]:
        """Each valid intersection once: at the one of its cells of which it is the
        first or the second."""
        cells, found = state.cells, list[Closed]()
        for at in cells:
            for one, other in corners(at)[:2]:
                if one in cells and other in cells:
                    meet = at, one, other
                    is_new = not {*meet}.isdisjoint(state.last)
                    if (value := _sum_at(cells, meet)) is not None:
                        found.append(Closed(meet, value, is_new))
        return found

    def proposed(
        self, state: State, moves: Sequence[Move]
    ) -> tuple[Proposal, Iterable[int], Sequence[int]]:
        """The best move with each tile, and the empty cells beside tiles, within
        -board_size, and those of the moves proposed."""
        if not moves:
            return Proposal(), (), ()
        gained = gains(state, moves)
        best = best_moves(moves, gained)
        proposal = Proposal(tuple(map(format_move, best)))
        if len(best) < len(moves):
            proposal = proposal._replace(heading=BEST.of(len(moves)))
        beside = {at for at in state.frontier if within_size(state, at)}
        return proposal, beside.union(*(move[1:] for move in best)), gained


GAME: Game[State, Move] = Hextad()
