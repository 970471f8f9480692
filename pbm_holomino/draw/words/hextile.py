"""Hextiles, read by the face of each half: its owner's, where tiles belong to players,
and how high it lies, where tiles cover others."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from pbm_holomino.draw.words.places import LINES, WAYS, near, numbers
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


# What one sees of a half of a tile is its face, which is one character, and where tiles
# belong to players the seat of its owner: `32`. Where no half is, one sees None.
_Look = str | None
_Looks = Mapping[int, str]


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
    seen = _looks(drawing).get
    for own in tiles:
        heights = (*map(drawing.tiles_at, own),)
        open_ends = (*(at for at in own if at in ends),)
        looks = (*map(seen, _round(own)),)
        yield _line(drawing.sides, own, heights, open_ends, looks)


def cells(drawing: Drawing, positions: Iterable[int]) -> Iterator[Sentence]:
    """Lines about these empty cells."""
    seen, alone = _looks(drawing).get, list[int]()
    for at in positions:
        looks = (*map(seen, neighbours(at)),)
        if any(looks):
            yield _cell(drawing.sides, at, looks)
        else:
            alone.append(at)
    if alone:
        yield _NOTHING_BESIDE.of(positions=numbers(alone))


def beside(drawing: Drawing, at: int) -> Iterator[Sentence]:
    """What is beside an empty cell."""
    yield _BESIDE_IT.of(others=_others(drawing.sides, at, _looks(drawing)))


def _looks(drawing: Drawing) -> dict[int, str]:
    """What one sees at each position that is taken."""
    faces, owners = drawing.faces.items(), drawing.owners
    return {at: f"{face}{owners.get(at, '')}" for at, face in faces}


_Sides = tuple[Sentence, ...]
_Tile = tuple[int, ...]  # the positions of its halves that can be seen


@lru_cache(maxsize=LINES)
def _round(own: _Tile) -> tuple[int, ...]:
    """The positions of a tile, and those beside it."""
    return (*dict.fromkeys((*own, *(n for at in own for n in neighbours(at)))),)


@lru_cache(maxsize=LINES)
def _line(
    sides: _Sides,
    own: _Tile,
    heights: tuple[int, ...],
    open_ends: tuple[int, ...],
    looks: tuple[_Look, ...],
) -> Sentence:
    """The halves that can be seen of a tile, each with its height and whether it is an
    open end, and what is beside each of them, by the looks of the positions round the
    tile."""
    seen = {at: look for at, look in zip(_round(own), looks, strict=True) if look}
    halves = list[Sentence]()
    for at, height in zip(own, heights, strict=True):
        half = _face(sides, at, seen[at])
        if height > 1:
            half = HIGH.of(half=half, height=height)
        halves.append(OPEN_END.of(half=half) if at in open_ends else half)
    others = {at: look for at, look in seen.items() if at not in own}
    told = [
        _BESIDE.of(position=at, others=_others(sides, at, others))
        for at in own
        if not others.keys().isdisjoint(neighbours(at))
    ]
    return together([_halves(own, halves), *told])


def _halves(own: _Tile, said: Sequence[Sentence]) -> Sentence:
    """The halves of a tile, or the one that can be seen."""
    if not said[1:]:
        return HALF_COVERED.of(half=said[0])
    way = neighbours(own[0]).index(own[1])
    return TILES[way].of(first=said[0], second=said[1])


@lru_cache(maxsize=LINES)
def _cell(sides: _Sides, at: int, looks: tuple[_Look, ...]) -> Sentence:
    beside = zip(neighbours(at), looks, strict=True)
    others = _others(sides, at, {n: look for n, look in beside if look})
    return _CELL.of(position=at, others=others)


def _face(sides: _Sides, at: int, look: str) -> Sentence:
    face, seat = look[0], look[1:]
    if seat:
        return OWNED.of(owner=sides[int(seat)], face=face, position=at)
    return COLOURS.get(face, HALF).of(face=face, position=at)


def _others(sides: _Sides, at: int, looks: _Looks) -> InARow:
    """What is beside a position, of what is seen there."""
    return InARow(
        WAYS[way].of(what=_face(sides, n, looks[n])) for way, n in near(looks, at)
    )
