"""Hextiles, read by the face of each half: its owner's, where tiles belong to players,
and how high it lies, where tiles cover others."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache

from pbm_holomino.draw.words.places import LINES, WAYS, numbers
from pbm_holomino.languages import InARow, Sentence, sentence, together
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.rules.contract import Drawing
from pbm_holomino.rules.grid import neighbours

CAN_GO = sentence("Empty cells where a tile can go, with what is beside each of them:")

# Halves of tiles, as items of a list
HALF = sentence("{face} at {position}")
COLOURS = {
    "R": sentence("red at {position}"),
    "G": sentence("green at {position}"),
    "Y": sentence("yellow at {position}"),
    "P": sentence("purple at {position}"),
    "B": sentence("black at {position}"),
}
_LETTERS = sentence("R is red, G green, Y yellow, P purple, and B black.")
OWNED = sentence("{owner}'s {face} at {position}")
HIGH = sentence("{half} ({height} high)")
OPEN_END = sentence("{half}, an open end")
# A tile: the way from its first half to its second, by neighbours.
TILES = (
    sentence("{first}, and {second}, north of it."),
    sentence("{first}, and {second}, north-east of it."),
    sentence("{first}, and {second}, south-east of it."),
    sentence("{first}, and {second}, south of it."),
    sentence("{first}, and {second}, south-west of it."),
    sentence("{first}, and {second}, north-west of it."),
)
HALF_COVERED = sentence("{half}, whose other half is covered.")
_BESIDE = sentence("Beside {position}: {others}.")
_CELL = sentence("{position}: {others}.")
_BESIDE_IT = sentence("Beside it: {others}.")
_NOTHING_BESIDE = sentence("Nothing is beside {positions}.")


class _Half(NamedTuple):
    """What one sees of a half of a tile, and beside it. Its look is its face, which is
    one character, and where tiles belong to players the seat of its owner: `32`."""

    at: int
    look: str
    height: int
    is_end: bool
    beside: "_Beside"


_Beside = tuple[str, ...]  # the looks of the halves of others, each way round; or empty


def names(drawing: Drawing) -> Iterable[Sentence]:
    """What the letters of colours mean."""
    return () if COLOURS.keys().isdisjoint(drawing.faces.values()) else (_LETTERS,)


def count(drawing: Drawing) -> int:
    """How many tiles lie on the board, covered ones too."""
    return sum(map(drawing.tiles_at, drawing.faces)) // 2


def tiles(
    drawing: Drawing, ends: Collection[int], tiles: Iterable[tuple[int, ...]]
) -> Iterator[Sentence]:
    """A line for each of these tiles, or for the half of it that can be seen."""
    looks = _looks(drawing)
    for own in tiles:
        halves = [
            _Half(
                at, looks[at], drawing.tiles_at(at), at in ends, _beside(looks, at, own)
            )
            for at in own
        ]
        yield _line(drawing.sides, (*halves,))


def cells(drawing: Drawing, positions: Iterable[int]) -> Iterator[Sentence]:
    """Lines about these empty cells."""
    looks, alone = _looks(drawing), []
    for at in positions:
        beside = _beside(looks, at)
        if any(beside):
            yield _cell(drawing.sides, at, beside)
        else:
            alone.append(at)
    if alone:
        yield _NOTHING_BESIDE.of(positions=numbers(alone))


def beside(drawing: Drawing, at: int) -> Iterator[Sentence]:
    """What is beside an empty cell."""
    beside = _beside(_looks(drawing), at)
    yield _BESIDE_IT.of(others=_others(drawing.sides, at, beside))


def _looks(drawing: Drawing) -> dict[int, str]:
    """What one sees at each position that is taken."""
    faces, owners = drawing.faces.items(), drawing.owners
    return {at: f"{face}{owners.get(at, '')}" for at, face in faces}


def _beside(looks: Mapping[int, str], at: int, own: tuple[int, ...] = ()) -> _Beside:
    """The looks of the halves of other tiles beside a position."""
    others = neighbours(at)
    return (*["" if n in own else looks.get(n, "") for n in others],)


_Sides = tuple[Sentence, ...]


@lru_cache(maxsize=LINES)
def _line(sides: _Sides, halves: tuple[_Half, ...]) -> Sentence:
    """The halves that can be seen of a tile, and what is beside each of them."""
    told = [
        _BESIDE.of(position=half.at, others=_others(sides, half.at, half.beside))
        for half in halves
        if any(half.beside)
    ]
    return together([_both(sides, halves), *told])


@lru_cache(maxsize=LINES)
def _cell(sides: _Sides, at: int, beside: _Beside) -> Sentence:
    return _CELL.of(position=at, others=_others(sides, at, beside))


def _both(sides: _Sides, halves: tuple[_Half, ...]) -> Sentence:
    """The halves of a tile, or the one that can be seen."""
    said = [_whole(sides, half) for half in halves]
    if not said[1:]:
        return HALF_COVERED.of(half=said[0])
    way = neighbours(halves[0].at).index(halves[1].at)
    return TILES[way].of(first=said[0], second=said[1])


def _whole(sides: _Sides, half: _Half) -> Sentence:
    """A half with its height, and whether it is an open end."""
    said = _face(sides, half.at, half.look)
    if half.height > 1:
        said = HIGH.of(half=said, height=half.height)
    return OPEN_END.of(half=said) if half.is_end else said


def _face(sides: _Sides, at: int, look: str) -> Sentence:
    face, seat = look[0], look[1:]
    if seat:
        return OWNED.of(owner=sides[int(seat)], face=face, position=at)
    return COLOURS.get(face, HALF).of(face=face, position=at)


def _others(sides: _Sides, at: int, beside: _Beside) -> InARow:
    every = zip(WAYS, neighbours(at), beside, strict=True)
    return InARow(way.of(what=_face(sides, n, look)) for way, n, look in every if look)
