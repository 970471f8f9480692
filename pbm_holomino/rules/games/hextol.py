"""Hextol, by Cameron Browne: hextiles that close in empty cells.

Source: 004 (the inventor's help file). A half must equal every half beside it in
pips, so each empty cell beside tiles takes one face, or, between two different ones,
none.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise

from pbm_holomino.languages import Sentence, of_number, of_player, sentence
from pbm_holomino.rules.contract import Closed, Drawing, Game, Label, move_labels
from pbm_holomino.rules.grid import Box, holds, neighbours
from pbm_holomino.rules.hextiles import (
    FACES,
    Hextiles,
    Move,
    State,
    figure,
    format_move,
)
from pbm_holomino.rules.options import Options
from pbm_holomino.rules.tiles import Cells


def region_values(cells: Cells, box: Box, move: Move) -> list[int]:
    """The value of each region that the tile just laid borders (004): the sum of the
    pips of all halves round it."""
    begins = (*neighbours(move.first), *neighbours(move.second))
    return [_value(cells, border) for _, border in _closed(cells, box, begins)]


def _closed(
    cells: Cells, box: Box, begins: Iterable[int]
) -> Iterator[tuple[set[int], set[int]]]:
    """The closed regions to which any of these positions belong, each with the halves
    round it."""
    closed, open_cells = set[int](), set[int]()
    for begin in begins:
        if begin in cells or begin in closed or begin in open_cells:
            continue
        region, is_closed = _region(cells, box, begin, open_cells)
        if not is_closed:
            open_cells |= region
            continue
        closed |= region
        around = {half for cell in region for half in neighbours(cell)}
        yield region, around & cells.keys()


def _value(cells: Cells, border: Iterable[int]) -> int:
    return sum(int(cells[half]) for half in border)


def _region(
    cells: Cells, box: Box, begin: int, open_cells: Container[int]
) -> tuple[set[int], bool]:
    """The empty cells connected with this one, and whether they are closed in. Of a
    region that is not, it finds no more cells than it needs to know that: some are
    known from before. Only tiles close in: neither the grid's edge nor that of
    -board_size does."""
    region, ahead = {begin}, [begin]
    while ahead:
        position = ahead.pop()
        if position in open_cells or not holds(box, position):
            return region, False
        for beside in neighbours(position):
            if beside not in cells and beside not in region:
                region.add(beside)
                ahead.append(beside)
    return region, True


@lru_cache(maxsize=10_000)
def _ring(first: int, second: int) -> tuple[int, ...]:
    """The eight cells round a tile, each beside the one before it."""
    one, other = neighbours(first), neighbours(second)
    to_second, to_first = one.index(second), other.index(first)
    around = (*one[to_second + 1 :], *one[:to_second])
    back = (*other[to_first + 1 :], *other[:to_first])
    return (*around, *back[1:-1])


def _divides(cells: Cells, first: int, second: int) -> bool:
    """Whether the empty cells round a tile lie in several groups: only then can the
    tile part what was connected."""
    return _has_groups(tuple(map(cells.__contains__, _ring(first, second))))


@cache
def _has_groups(taken: tuple[bool, ...]) -> bool:
    """Whether the cells of a ring that are not taken lie in several groups."""
    return sum(one and not other for one, other in pairwise((taken[-1], *taken))) > 1


_BEFORE = "33:0,1 36:4,12 46:24,11 23:21,8"
_FIGURES: Mapping[str, Drawing] = {
    "faces": FACES,
    "start": figure("22:0,1", move_labels((*range(2, 22), 35, 36))),
    "move": figure("22:0,1 24:7,19"),
    "before-36": figure(_BEFORE),
    "after-36": figure(
        f"{_BEFORE} 24:22,23", dict.fromkeys((2, 3, 9, 10), Label("36 pts"))
    ),
    "inside": figure(
        "33:0,1 36:2,9 46:24,23 03:13,4 44:25,46 05:27,48 45:73,74 34:3,11",
        {10: Label("26"), 26: Label("32")},
    ),
}


class Hextol(Hextiles):
    """Hextiles, with the hooks that are Hextol's own."""

    TITLE = "Hextol"
    SEVERAL = of_player(
        "You played {move} and scored {points} with regions of {parts}.",
        "{player} played {move} and scored {points} with regions of {parts}.",
    )
    EFFECT = of_number(
        "{move} scores {score} and closes {n} region.",
        "{move} scores {score} and closes {n} regions.",
    )
    FIGURES = _FIGURES

    def allowed(self, options: Options, cells: Cells, position: int) -> str:
        """The one face that all halves beside a cell have, if they agree."""
        beside = {cells[at] for at in neighbours(position) if at in cells}
        return beside.pop() if len(beside) == 1 else ""

    def mismatch(self, state: State, move: Move) -> Sentence:
        """Why a tile does not fit: a half, a neighbour, and both their numbers."""
        position, face, beside = next(
            (position, face, beside)
            for position, face in move.halves
            for beside in neighbours(position)
            if state.cells.get(beside, face) != face
        )
        return sentence(
            "{move} does not fit: its half at {position} has {face}, and the neighbour "
            "at {beside} has {other}.",
            move=format_move(move),
            position=position,
            face=face,
            beside=beside,
            other=state.cells[beside],
        )

    def values(self, cells: Cells, box: Box, move: Move) -> list[int]:
        return region_values(cells, box, move)

    def gains(self, state: State, moves: Sequence[Move]) -> list[int]:
        """What moves score. Most of them do not divide the empty cells round them, and
        lie in a region that is open: it stays so."""
        cells, box, open_cells = state.cells, state.box, set[int]()

        def is_open(begin: int) -> bool:
            if begin in open_cells:
                return True
            region, is_closed = _region(cells, box, begin, open_cells)
            if not is_closed:
                open_cells.update(region)
            return not is_closed

        pairs = {move[1:] for move in moves}
        far = {p for p in pairs if not _divides(cells, *p) and is_open(p[0])}
        near = [move for move in moves if move[1:] not in far]
        gained = dict(zip(near, super().gains(state, near), strict=True))
        return [gained.get(move, 0) for move in moves]

    def closed(self, state: State) -> list[Closed]:
        cells, last = state.cells, state.last
        found = _closed(cells, state.box, state.frontier)
        return [
            Closed((*region,), _value(cells, border), not border.isdisjoint(last))
            for region, border in found
        ]


GAME: Game[State, Move] = Hextol()
