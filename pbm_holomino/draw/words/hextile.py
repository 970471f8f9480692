"""Hextiles, read by the face of each half: its owner's, where tiles belong to players,
and how high it lies, where tiles cover others."""

from collections.abc import Collection, Iterable, Iterator

from pbm_holomino.draw.words.ways import WAYS, near, numbers
from pbm_holomino.rules.contract import Drawing
from pbm_holomino.rules.grid import neighbours

WHAT = "what is beside each of them"

_COLOURS = {"R": "red", "G": "green", "Y": "yellow", "P": "purple", "B": "black"}


def count(drawing: Drawing) -> int:
    """How many tiles lie on the board, covered ones too."""
    return sum(map(drawing.tiles_at, drawing.faces)) // 2


def tiles(drawing: Drawing, ends: Collection[int]) -> Iterator[str]:
    """A line for each tile, some of whose positions are open ends; or for the half of
    it that can be seen."""
    joints = drawing.joints if ends else sorted(drawing.joints, key=min)
    for joint in joints:
        first, second = (_half(drawing, at, at in ends) for at in joint)
        way = WAYS[neighbours(joint[0]).index(joint[1])]
        beside = "".join(_beside(drawing, at, joint) for at in joint)
        yield f"{first}, and {second}, {way} of it.{beside}"
    for at in sorted(drawing.faces.keys() - {at for joint in joints for at in joint}):
        half = _half(drawing, at, False)
        yield f"{half}, whose other half is covered.{_beside(drawing, at, (at,))}"


def cells(drawing: Drawing, positions: Iterable[int]) -> Iterator[str]:
    """Lines about these empty cells."""
    alone = []
    for at in positions:
        if touching := _touching(drawing, at):
            yield f"{at}: {touching}."
        else:
            alone.append(at)
    if alone:
        yield f"Nothing is beside {numbers(alone)}."


def _half(drawing: Drawing, at: int, is_end: bool) -> str:
    height = drawing.tiles_at(at)
    high = f" ({height} high)" if height > 1 else ""
    return f"{_face(drawing, at)} at {at}{high}{', an open end' if is_end else ''}"


def _face(drawing: Drawing, at: int) -> str:
    face, owner = drawing.faces[at], drawing.owner(at)
    return f"{owner}'s {face}" if owner else _COLOURS.get(face, face)


def _beside(drawing: Drawing, at: int, own: tuple[int, ...]) -> str:
    touching = _touching(drawing, at, own)
    return f" Beside {at}: {touching}." if touching else ""


def _touching(drawing: Drawing, at: int, own: tuple[int, ...] = ()) -> str:
    """The halves of other tiles beside a position."""
    others = [(way, n) for way, n in near(drawing.faces, at) if n not in own]
    return ", ".join([f"{WAYS[way]} {_face(drawing, n)} at {n}" for way, n in others])
