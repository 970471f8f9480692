"""A board in words, for people who have it read to them: a line a tile, then a line a
cell where a tile can go."""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple, Protocol

from pbm_holomino.rules.contract import Drawing
from pbm_holomino.rules.grid import LAST_POSITION, neighbours
from pbm_holomino.sentences import listed

_WAYS = ("north", "north-east", "south-east", "south", "south-west", "north-west")


def describe(drawing: Drawing) -> list[list[str]]:
    """The board as paragraphs, each a list of lines; none without faces.

    Tiles are in the order of their positions, or along a chain whose open ends are
    marked. A neighbour is named by its direction and its position, beginning in the
    north and going round clockwise.
    """
    if not drawing.faces:
        return []
    speech = _SPEECHES[drawing.notation](drawing.faces)
    ends, playable, blocked = (
        sorted(at for at, label in drawing.labels.items() if label.kind == kind)
        for kind in ("end", "move", "blocked")
    )
    between = [] if ends else _between(drawing)
    more = "Other empty cells" if playable else "Empty cells"
    paragraphs = [
        [*_summary(drawing, bool(ends)), *speech.tiles(drawing, ends)],
        _under(
            f"Empty cells where a tile can go, with {speech.what}:", speech, playable
        ),
        _under(f"{more} with two tiles or more beside them:", speech, between),
        [f"No tile can ever lie at {_numbers(blocked, 'or')}."] if blocked else [],
    ]
    return [lines for lines in paragraphs if lines]


def _summary(drawing: Drawing, is_chain: bool) -> list[str]:
    tiles = len(drawing.faces) - len(drawing.joints)
    there = "1 tile lies" if tiles == 1 else f"{tiles} tiles lie"
    order = ", in order from one open end to the other" if is_chain else ""
    last = drawing.last
    played = [f"The one at {_numbers(last)} was played last."] if last else []
    return [f"{there} on the board{order}.", *played]


def _between(drawing: Drawing) -> list[int]:
    """The empty cells beside two tiles or more, but for those that have a label."""
    tile = {at: at for at in drawing.faces}
    tile |= {at: joint[0] for joint in drawing.joints for at in joint}
    beside = {n for at in tile for n in neighbours(at) if n <= LAST_POSITION}
    return sorted(
        at
        for at in beside - tile.keys() - drawing.labels.keys()
        if len({tile[n] for n in neighbours(at) if n in tile}) > 1
    )


def _under(heading: str, speech: "_Speech", positions: list[int]) -> list[str]:
    return [heading, *speech.cells(positions)] if positions else []


def _numbers(positions: Iterable[int], word: str = "and") -> str:
    return listed([*map(str, positions)], word)


def _near(faces: Mapping[int, str], at: int) -> list[tuple[int, int]]:
    """The taken cells beside a position, each with the way to it."""
    return [(way, n) for way, n in enumerate(neighbours(at)) if n in faces]


class _Speech(Protocol):
    """How the tiles of a notation are read; `what` its lines say of empty cells."""

    @property
    def what(self) -> str: ...

    def tiles(self, drawing: Drawing, ends: Collection[int]) -> Iterable[str]:
        """A line for each tile, some of whose positions are open ends."""

    def cells(self, positions: Iterable[int]) -> Iterable[str]:
        """Lines about empty cells."""


# Of a bitten tile: its digits in the order of its face, and which of them is at each of
# its edges, by the way that the edge faces.
_CORNERS = ("upper left", "right", "lower left")
_CORNER_AT = (0, 1, 1, 2, 2, 0)


class _Bitten(NamedTuple):
    """Bitten tiles are read by the digits at their corners."""

    faces: Mapping[int, str]

    what: str = "the numbers that it needs there"

    def tiles(self, drawing: Drawing, ends: Collection[int]) -> Iterable[str]:
        for at, face in sorted(self.faces.items()):
            corners = zip(_CORNERS, face, strict=True)
            digits = ", ".join(f"{corner} {digit}" for corner, digit in corners)
            yield f"{at}: {digits}.{self._beside(at)}"

    def cells(self, positions: Iterable[int]) -> Iterable[str]:
        return (f"{at}: {self._needs(at)}.{self._beside(at)}" for at in positions)

    def _needs(self, at: int) -> str:
        """The digits of a tile at the corners that touch others."""
        needed: list[list[str]] = [[], [], []]
        for way, beside in _near(self.faces, at):
            digits = needed[_CORNER_AT[way]]
            digit = self.faces[beside][_CORNER_AT[(way + 3) % len(_WAYS)]]
            digits += [digit] if digit not in digits else []
        corners = zip(_CORNERS, needed, strict=True)
        return ", ".join(
            f"{corner} {listed(digits)}" for corner, digits in corners if digits
        )

    def _beside(self, at: int) -> str:
        near = ", ".join(f"{_WAYS[way]} {n}" for way, n in _near(self.faces, at))
        return f" Beside it: {near}." if near else ""


_COLOURS = {"R": "red", "G": "green", "Y": "yellow", "P": "purple", "B": "black"}


class _Hextiles(NamedTuple):
    """Tiles with two halves are read by the face of each half."""

    faces: Mapping[int, str]

    what: str = "what is beside each of them"

    def tiles(self, drawing: Drawing, ends: Collection[int]) -> Iterable[str]:
        joints = drawing.joints if ends else sorted(drawing.joints, key=min)
        for joint in joints:
            first, second = (self._half(at, at in ends) for at in joint)
            way = _WAYS[neighbours(joint[0]).index(joint[1])]
            beside = "".join(self._beside(at, joint) for at in joint)
            yield f"{first}, and {second}, {way} of it.{beside}"

    def cells(self, positions: Iterable[int]) -> Iterable[str]:
        alone = []
        for at in positions:
            if near := self._touching(at):
                yield f"{at}: {near}."
            else:
                alone.append(at)
        if alone:
            yield f"Nothing is beside {_numbers(alone)}."

    def _half(self, at: int, is_end: bool) -> str:
        return f"{self._face(at)} at {at}{', an open end' if is_end else ''}"

    def _face(self, at: int) -> str:
        return _COLOURS.get(self.faces[at], self.faces[at])

    def _beside(self, at: int, own: tuple[int, int]) -> str:
        near = self._touching(at, own)
        return f" Beside {at}: {near}." if near else ""

    def _touching(self, at: int, own: tuple[int, ...] = ()) -> str:
        """The halves of other tiles beside a position."""
        near = [(way, n) for way, n in _near(self.faces, at) if n not in own]
        return ", ".join([f"{_WAYS[way]} {self._face(n)} at {n}" for way, n in near])


_SPEECHES: Mapping[str, type[_Bitten] | type[_Hextiles]] = {
    "bitten": _Bitten,
    "hextile": _Hextiles,
}
