"""Hextiles, read by the face of each half: its owner's, where tiles belong to players,
and how high it lies, where tiles cover others."""

from collections.abc import Collection, Iterable, Iterator

from pbm_holomino.draw.words.places import WAYS, near, numbers
from pbm_holomino.languages import InARow, Sentence, sentence, together
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


def names(drawing: Drawing) -> Iterable[Sentence]:
    """What the letters of colours mean."""
    return () if COLOURS.keys().isdisjoint(drawing.faces.values()) else (_LETTERS,)


def count(drawing: Drawing) -> int:
    """How many tiles lie on the board, covered ones too."""
    return sum(map(drawing.tiles_at, drawing.faces)) // 2


def tile(drawing: Drawing, ends: Collection[int], at: int) -> Sentence:
    """The line for the tile at a position, or for the half of it that can be seen."""
    joints = (joint for joint in drawing.joints if at in joint)
    own: tuple[int, ...] = next(joints, (at,))
    halves = [_half(drawing, each, each in ends) for each in own]
    if not halves[1:]:
        said = HALF_COVERED.of(half=halves[0])
    else:
        way = neighbours(own[0]).index(own[1])
        said = TILES[way].of(first=halves[0], second=halves[1])
    beside = [(each, _touching(drawing, each, own)) for each in own]
    told = (_BESIDE.of(position=n, others=others) for n, others in beside if others)
    return together([said, *told])


def cells(drawing: Drawing, positions: Iterable[int]) -> Iterator[Sentence]:
    """Lines about these empty cells."""
    alone = []
    for at in positions:
        if others := _touching(drawing, at):
            yield _CELL.of(position=at, others=others)
        else:
            alone.append(at)
    if alone:
        yield _NOTHING_BESIDE.of(positions=numbers(alone))


def beside(drawing: Drawing, at: int) -> Iterator[Sentence]:
    """What is beside an empty cell."""
    yield _BESIDE_IT.of(others=_touching(drawing, at))


def _half(drawing: Drawing, at: int, is_end: bool) -> Sentence:
    half, height = _face(drawing, at), drawing.tiles_at(at)
    if height > 1:
        half = HIGH.of(half=half, height=height)
    return OPEN_END.of(half=half) if is_end else half


def _face(drawing: Drawing, at: int) -> Sentence:
    face = drawing.faces[at]
    if owner := drawing.owner(at):
        return OWNED.of(owner=owner, face=face, position=at)
    return COLOURS.get(face, HALF).of(face=face, position=at)


def _touching(drawing: Drawing, at: int, own: tuple[int, ...] = ()) -> InARow:
    """The halves of other tiles beside a position."""
    return InARow(
        WAYS[way].of(what=_face(drawing, n))
        for way, n in near(drawing.faces, at)
        if n not in own
    )
