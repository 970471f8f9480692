"""Walomino's chain: pairs of walongs, joined at its two open ends (003).

All walongs lie with their tips turning the same way, so on the grid a walong is a
cell and a pair is two adjacent cells.
"""

from collections.abc import Iterable, Iterator, Mapping

from pbm_holomino.errors import IllegalMove, NoPosition
from pbm_holomino.languages import (
    InARow,
    Listed,
    Sentence,
    of_number,
    sentence,
    together,
)
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.rules.contract import END, Drawing, Label, move_labels
from pbm_holomino.rules.grid import LAST_POSITION, neighbours
from pbm_holomino.rules.refusals import WOULD_FIT, not_empty, off_grid

COLOURS = "RGYPB"  # red, green, yellow, purple and black
MOST_TOUCHES = 2  # "with one or two sides" (003)


class Placing(NamedTuple):
    """A pair put down: the half that touches the open end, at p, and the half at q
    that becomes the new one."""

    touching: str
    opening: str
    p: int
    q: int


class End(NamedTuple):
    """An open end: its walong's position, and that of its partner in the pair."""

    tip: int
    partner: int


class Chain(NamedTuple):
    """`path` runs along the chain from one open end to the other, pair after pair;
    `cells` holds the colour at each position; `last` are the positions of the pair that
    was laid last."""

    path: tuple[int, ...] = ()
    cells: Mapping[int, str] = {}
    last: tuple[int, ...] = ()

    def ends(self) -> tuple[End, ...]:
        """The two open ends; none before the start pair is laid."""
        path = self.path
        return (End(path[0], path[1]), End(path[-1], path[-2])) if path else ()

    def joints(self) -> tuple[tuple[int, int], ...]:
        """The pairs, along the chain."""
        return tuple(zip(self.path[::2], self.path[1::2], strict=True))


def by_colour(walongs: Iterable[str]) -> list[str]:
    """Walongs, or pairs of them, in the order R G Y P B."""
    return sorted(walongs, key=lambda word: [*map(COLOURS.index, word)])


def pair_name(pair: Iterable[str]) -> str:
    """A pair as it is named in hand: its letters in the order R G Y P B."""
    return "".join(by_colour(pair))


def start_chain(pair: str) -> Chain:
    """The start pair, at positions 0 and 1."""
    return Chain((0, 1), dict(enumerate(pair_name(pair))))


def lay(chain: Chain, move: Placing) -> Chain:
    """The chain with one more pair, which must fit."""
    cells = {**chain.cells, move.p: move.touching, move.q: move.opening}
    if chain.path[0] in neighbours(move.p):
        return Chain((move.q, move.p, *chain.path), cells, (move.p, move.q))
    return Chain((*chain.path, move.p, move.q), cells, (move.p, move.q))


_MOST_TRIED = 3_000


def found(drawing: Drawing) -> Chain:
    """The chain in a picture whose open ends are marked. Raises NoPosition for what is
    no chain of pairs."""
    cells = drawing.faces
    ends = [at for at, label in drawing.labels.items() if label == END]
    partner = dict(drawing.joints) | {q: p for p, q in drawing.joints}
    if wrong := next((at for at in cells if cells[at] not in COLOURS), None):
        raise NoPosition(wrong, _NO_COLOUR.of(face=cells[wrong]))
    if alone := cells.keys() - partner.keys():
        raise NoPosition(min(alone), _NO_PARTNER)
    if len(ends) != 2:
        raise NoPosition(ends[0] if ends else min(cells), _NO_ENDS)
    path = _path(cells, partner, *sorted(ends))
    return Chain(path, dict(cells), tuple(drawing.last))


def _path(
    cells: Mapping[int, str], partner: Mapping[int, int], first: int, last: int
) -> tuple[int, ...]:
    """A way along all pairs from one end to the other, on which pairs touch with halves
    of one colour."""
    ahead: list[tuple[int, ...]] = [(first, partner[first])]
    for _ in range(_MOST_TRIED):
        if not ahead:
            break
        path = ahead.pop()
        if len(path) == len(cells):
            if path[-1] == last:
                return path
            continue
        ahead += [
            (*path, beside, partner[beside])
            for beside in neighbours(path[-1])
            if beside in cells
            and beside not in path
            and cells[beside] == cells[path[-1]]
        ]
    raise NoPosition(first, _NO_CHAIN)


_NO_COLOUR = sentence("{face} is not the colour of a walong.")
_NO_PARTNER = sentence("The other half of this pair is missing.")
_NO_ENDS = sentence("A chain has two open ends, which must be marked.")
_NO_CHAIN = sentence(
    "From this open end no chain runs through all pairs to the other one."
)


def _touched(chain: Chain, position: int) -> list[int]:
    return [beside for beside in neighbours(position) if beside in chain.cells]


def _is_free(chain: Chain, position: int) -> bool:
    return position not in chain.cells and position <= LAST_POSITION


def _touchable(chain: Chain, end: End) -> set[int]:
    """The walongs that a pair which joins this end may touch. (The other half of a
    start pair that lies alone is the other open end.)"""
    return {end.tip} if len(chain.path) == 2 else {end.tip, end.partner}


def _slots(chain: Chain, end: End) -> Iterator[tuple[int, int, str]]:
    """The places where a pair could join an open end: p, q, and the colours that the
    half at q may have. The half at p has the colour of the end."""
    allowed, colour = _touchable(chain, end), chain.cells[end.tip]
    for p in neighbours(end.tip):
        if not _is_free(chain, p):
            continue
        touches = _touched(chain, p)
        if not allowed.issuperset(touches):
            continue
        if any(chain.cells[touched] != colour for touched in touches):
            continue
        for q in neighbours(p):
            more = _touched(chain, q)
            if (
                _is_free(chain, q)
                and allowed.issuperset(more)
                and len(touches) + len(more) <= MOST_TOUCHES
            ):
                yield p, q, chain.cells[more[0]] if more else COLOURS


def placings(chain: Chain, pool: Iterable[str]) -> Iterator[Placing]:
    """Every way to play one of these pairs, each once."""
    faces = {face for pair in pool for face in (pair, pair[::-1])}
    for end in chain.ends():
        colour = chain.cells[end.tip]
        openings = [face[1] for face in sorted(faces) if face[0] == colour]
        if not openings:
            continue
        for p, q, takes in _slots(chain, end):
            for opening in openings:
                if opening in takes:
                    yield Placing(colour, opening, p, q)


# Why a pair does not fit


def judge(chain: Chain, move: Placing) -> None:
    """Raise IllegalMove, with its reason, unless the pair may lie there."""
    _judge_cells(chain, move)
    if move in placings(chain, (move.touching + move.opening,)):
        return
    variants = [
        Placing(*colours, *cells)
        for colours in (move[:2], move[1::-1])
        for cells in (move[2:], move[:1:-1])
    ]
    fitting = set(placings(chain, (move.touching + move.opening,)))
    why = _fault(chain, move)
    if right := next((v for v in variants if v in fitting), None):
        why = together([why, WOULD_FIT.of(move=format_place(right))])
    raise IllegalMove(why)


def format_place(move: Placing) -> str:
    """A placing in the notation of moves: RG:7,8."""
    return f"{move.touching}{move.opening}:{move.p},{move.q}"


def _judge_cells(chain: Chain, move: Placing) -> None:
    if objection := off_grid((move.p, move.q)):
        raise IllegalMove(objection)
    if move.p == move.q:
        raise IllegalMove(_TWICE.of(position=move.p))
    if objection := not_empty(chain.cells, (move.p, move.q)):
        raise IllegalMove(objection)
    if move.q not in neighbours(move.p):
        beside = sorted(n for n in neighbours(move.p) if n <= LAST_POSITION)
        row = InARow(map(str, beside))
        raise IllegalMove(_APART.of(first=move.p, second=move.q, beside=row))


def open_ends(chain: Chain) -> Listed:
    """Both open ends: R at 0 and G at 1."""
    return Listed(
        _AT.of(walong=chain.cells[end.tip], position=end.tip) for end in chain.ends()
    )


def _fault(chain: Chain, move: Placing) -> Sentence:
    """The first rule that a pair on two free adjacent positions breaks."""
    joined = [end for end in chain.ends() if end.tip in neighbours(move.p)]
    if not joined:
        ends = open_ends(chain)
        return _NO_END.of(walong=move.touching, position=move.p, ends=ends)
    # Beside both ends the pair is wrong anyway: name the end that it matches.
    end = max(joined, key=lambda end: chain.cells[end.tip] == move.touching)
    if chain.cells[end.tip] != move.touching:
        return _OTHER_COLOUR.of(
            walong=move.touching,
            position=move.p,
            end=end.tip,
            other=chain.cells[end.tip],
        )
    halves = ((move.touching, move.p), (move.opening, move.q))
    touches = [(*half, pos) for half in halves for pos in _touched(chain, half[1])]
    faults = (_touch_fault(chain, end, *touch) for touch in touches)
    too_many = _TOO_MANY_SIDES.of(n=len(touches), most=MOST_TOUCHES)
    return next(filter(None, faults), too_many)


def _touch_fault(
    chain: Chain, end: End, colour: str, at: int, touched: int
) -> Sentence | None:
    """What is wrong with one touch; None if nothing is."""
    other = chain.cells[touched]
    if touched in _touchable(chain, end):
        fault = None if colour == other else _TWO_COLOURS
    elif touched in (chain.path[0], chain.path[-1]):
        fault = _BOTH_ENDS
    else:
        fault = _BESIDE_THE_END.of(end=end.tip, partner=end.partner)
    return fault and fault.of(walong=colour, position=at, other=other, touched=touched)


_TWICE = sentence(
    "Position {position} is named twice: a pair lies on two adjacent positions."
)
_APART = sentence(
    "Positions {first} and {second} are not adjacent: beside {first} are {beside}."
)
_AT = sentence("{walong} at {position}")  # an item of a list
_NO_END = sentence(
    "{walong} at {position} touches no open end: those are {ends}, and the half that "
    "is named first must touch one."
)
_OTHER_COLOUR = sentence(
    "{walong} at {position} does not match the open end at {end}, which is {other}."
)
_TOO_MANY_SIDES = of_number(
    "The pair would touch the chain on {n} side: no more than {most} are allowed.",
    "The pair would touch the chain on {n} sides: no more than {most} are allowed.",
)
_BOTH_ENDS = sentence(
    "{walong} at {position} would touch {other} at {touched}, the other open end: a "
    "pair may join only one."
)
_BESIDE_THE_END = sentence(
    "{walong} at {position} would touch {other} at {touched}, another walong of the "
    "chain: beside the open end at {end} the pair may touch only that end's partner, "
    "at {partner}."
)
_TWO_COLOURS = sentence(
    "{walong} at {position} would touch {other} at {touched}: walongs that touch must "
    "have the same colour."
)


# Pictures


def drawing(chain: Chain, labels: Mapping[int, Label] = {}) -> Drawing:
    """The chain with its open ends marked, and these labels on empty cells."""
    ends = {end.tip: END for end in chain.ends()}
    labels = {**ends, **labels}
    return Drawing("hextile", chain.cells, chain.joints(), labels, chain.last)


def _figure(
    *moves: Placing, start: str = "RG", labels: Mapping[int, Label] = {}
) -> Drawing:
    chain = start_chain(start)
    for move in moves:
        judge(chain, move)
        chain = lay(chain, move)
    return drawing(chain._replace(last=()), labels)


_FIRST = Placing("G", "B", 18, 17)
_SECOND = Placing("R", "G", 3, 11)
_THIRD = Placing("G", "G", 25, 24)
_LAST = Placing("G", "B", 23, 22)
_TWO_SIDES = Placing("G", "G", 7, 8)


def _openings(pair: str) -> set[int]:
    moves = placings(start_chain("RG"), (pair,))
    return {position for move in moves for position in move[2:]}


# The example of the rules (003) step by step; a pair that touches with two sides; and
# the help's first game, when both ends are closed to a player.
FIGURES: Mapping[str, Drawing] = {
    "start": _figure(labels=move_labels(_openings("GB"))),
    "first": _figure(_FIRST),
    "second": _figure(_FIRST, _SECOND),
    "third": _figure(_FIRST, _SECOND, _THIRD),
    "last": _figure(_FIRST, _SECOND, _THIRD, _LAST),
    "two_sides": _figure(_TWO_SIDES),
    "closed": _figure(
        Placing("Y", "R", 4, 13),
        Placing("Y", "Y", 8, 9),
        Placing("Y", "R", 10, 11),
        start="YY",
    ),
}
