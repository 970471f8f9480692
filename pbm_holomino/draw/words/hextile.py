"""Hextiles, read by the face of each half: its owner's, where tiles belong to players,
and how high it lies, where tiles cover others."""

from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache

from pbm_holomino.draw.words.places import LINES, WAYS, near, numbers
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
    """What one sees of a half of a tile."""

    at: int
    face: str
    owner: Sentence | None  # where tiles belong to players
    height: int = 1
    is_end: bool = False


_Beside = tuple[tuple[int, _Half], ...]  # halves of other tiles, with the way to each


def names(drawing: Drawing) -> Iterable[Sentence]:
    """What the letters of colours mean."""
    return () if COLOURS.keys().isdisjoint(drawing.faces.values()) else (_LETTERS,)


def count(drawing: Drawing) -> int:
    """How many tiles lie on the board, covered ones too."""
    return sum(map(drawing.tiles_at, drawing.faces)) // 2


def tile(drawing: Drawing, ends: Collection[int], own: tuple[int, ...]) -> Sentence:
    """The line for a tile, or for the half of it that can be seen."""
    halves = (
        _half(drawing, at)._replace(height=drawing.tiles_at(at), is_end=at in ends)
        for at in own
    )
    return _line((*halves,), (*[_touching(drawing, at, own) for at in own],))


def cells(drawing: Drawing, positions: Iterable[int]) -> Iterator[Sentence]:
    """Lines about these empty cells."""
    alone = []
    for at in positions:
        if touching := _touching(drawing, at):
            yield _cell(at, touching)
        else:
            alone.append(at)
    if alone:
        yield _NOTHING_BESIDE.of(positions=numbers(alone))


def beside(drawing: Drawing, at: int) -> Iterator[Sentence]:
    """What is beside an empty cell."""
    yield _BESIDE_IT.of(others=_others(_touching(drawing, at)))


def _half(drawing: Drawing, at: int) -> _Half:
    """A half, as it is told of where it is beside another tile."""
    return _Half(at, drawing.faces[at], drawing.owner(at))


def _touching(drawing: Drawing, at: int, own: tuple[int, ...] = ()) -> _Beside:
    """The halves of other tiles beside a position."""
    taken = near(drawing.faces, at)
    return (*[(way, _half(drawing, n)) for way, n in taken if n not in own],)


@lru_cache(maxsize=LINES)
def _line(halves: tuple[_Half, ...], beside: tuple[_Beside, ...]) -> Sentence:
    """The halves that can be seen of a tile, and what is beside each of them."""
    told = [
        _BESIDE.of(position=half.at, others=_others(touching))
        for half, touching in zip(halves, beside, strict=True)
        if touching
    ]
    return together([_both(halves), *told])


@lru_cache(maxsize=LINES)
def _cell(at: int, beside: _Beside) -> Sentence:
    return _CELL.of(position=at, others=_others(beside))


def _both(halves: tuple[_Half, ...]) -> Sentence:
    """The halves of a tile, or the one that can be seen."""
    said = [*map(_whole, halves)]
    if not said[1:]:
        return HALF_COVERED.of(half=said[0])
    way = neighbours(halves[0].at).index(halves[1].at)
    return TILES[way].of(first=said[0], second=said[1])


def _whole(half: _Half) -> Sentence:
    """A half with its height, and whether it is an open end."""
    said = _face(half)
    if half.height > 1:
        said = HIGH.of(half=said, height=half.height)
    return OPEN_END.of(half=said) if half.is_end else said


def _face(half: _Half) -> Sentence:
    if half.owner:
        return OWNED.of(owner=half.owner, face=half.face, position=half.at)
    return COLOURS.get(half.face, HALF).of(face=half.face, position=half.at)


def _others(beside: _Beside) -> InARow:
    return InARow(WAYS[way].of(what=_face(half)) for way, half in beside)
