"""A board in words, for people who have it read to them: a line a tile, then a line a
cell where a tile can go."""

from collections.abc import Iterable
from typing import NamedTuple

from pbm_holomino.rules.contract import Drawing
from pbm_holomino.rules.grid import LAST_POSITION, neighbours
from pbm_holomino.sentences import listed

_WAYS = ("north", "north-east", "south-east", "south", "south-west", "north-west")
_COLOURS = {"R": "red", "G": "green", "Y": "yellow", "P": "purple", "B": "black"}
# Of a bitten tile: its digits in the order of its face, and which of them is at each of
# its edges, by the way that the edge faces.
_CORNERS = ("upper left", "right", "lower left")
_CORNER_AT = (0, 1, 1, 2, 2, 0)


def describe(drawing: Drawing) -> list[list[str]]:
    """The board as paragraphs, each a list of lines; none without faces.

    Tiles are in the order of their positions, or along a chain whose open ends are
    marked. A neighbour is named by its direction and its position, beginning in the
    north and going round clockwise.
    """
    if not drawing.faces:
        return []
    speech = _SPEECHES[drawing.notation](drawing)
    tiles = _tiles(drawing)
    playable = sorted(_labelled(drawing, "move"))
    closed = sorted(_labelled(drawing, "blocked"))
    between = [] if _is_chain(drawing) else _between(drawing)
    others = [at for at in between if at not in drawing.labels]
    more = "Other empty cells" if playable else "Empty cells"
    paragraphs = [
        [_summary(drawing, len(tiles)), *map(speech.tile, tiles)],
        speech.cells("Empty cells where a tile can go", playable),
        speech.cells(f"{more} with two tiles or more beside them", others),
        [f"No tile can ever lie at {_numbers(closed, 'or')}."] if closed else [],
    ]
    return [lines for lines in paragraphs if lines]


def _summary(drawing: Drawing, tiles: int) -> str:
    there = "1 tile lies" if tiles == 1 else f"{tiles} tiles lie"
    order = ", here along the chain from one open end to the other"
    text = f"{there} on the board{order if _is_chain(drawing) else ''}."
    last = drawing.last
    return f"{text} The one at {_numbers(last)} was played last." if last else text


def _tiles(drawing: Drawing) -> list[tuple[int, ...]]:
    """The positions of each tile."""
    joined = {at for joint in drawing.joints for at in joint}
    alone = [(at,) for at in drawing.faces if at not in joined]
    tiles = [*drawing.joints, *alone]
    return tiles if _is_chain(drawing) else sorted(tiles, key=min)


def _is_chain(drawing: Drawing) -> bool:
    """Whether the tiles have an order of their own, from one open end to the other."""
    return bool(_labelled(drawing, "end"))


def _labelled(drawing: Drawing, kind: str) -> list[int]:
    return [at for at, label in drawing.labels.items() if label.kind == kind]


def _between(drawing: Drawing) -> list[int]:
    """The empty cells with two cells or more beside them that are taken."""
    taken = drawing.faces
    beside = {at for face in taken for at in neighbours(face) if at not in taken}
    return sorted(
        at
        for at in beside
        if at <= LAST_POSITION and sum(n in taken for n in neighbours(at)) > 1
    )


def _numbers(positions: Iterable[int], word: str = "and") -> str:
    return listed([*map(str, positions)], word)


class _Bitten(NamedTuple):
    """How a board of bitten tiles is read: by the digits at the corners."""

    drawing: Drawing

    def tile(self, positions: tuple[int, ...]) -> str:
        (at,) = positions
        face = zip(_CORNERS, self.drawing.faces[at], strict=True)
        digits = ", ".join(f"{corner} {digit}" for corner, digit in face)
        return f"{at}: {digits}.{self._beside(at)}"

    def cells(self, heading: str, positions: list[int]) -> list[str]:
        if not positions:
            return []
        lines = (f"{at}: {self._wanted(at)}.{self._beside(at)}" for at in positions)
        return [f"{heading}, with the numbers that a tile needs there:", *lines]

    def _wanted(self, at: int) -> str:
        """The digits that a tile must have at the corners that touch others."""
        wanted: dict[int, list[str]] = {}
        for way, beside in enumerate(neighbours(at)):
            if face := self.drawing.faces.get(beside):
                digits = wanted.setdefault(_CORNER_AT[way], [])
                digit = face[_CORNER_AT[(way + 3) % len(_WAYS)]]
                if digit not in digits:
                    digits.append(digit)
        return ", ".join(f"{_CORNERS[c]} {listed(wanted[c])}" for c in sorted(wanted))

    def _beside(self, at: int) -> str:
        ways = zip(_WAYS, neighbours(at), strict=True)
        near = [f"{way} {n}" for way, n in ways if n in self.drawing.faces]
        return f" Beside it: {', '.join(near)}." if near else ""


class _Hextiles(NamedTuple):
    """How a board of tiles with two halves is read: by the face of each half."""

    drawing: Drawing

    def tile(self, positions: tuple[int, ...]) -> str:
        first, second = positions
        way = _WAYS[neighbours(first).index(second)]
        near = "".join(
            f" Beside {at}: {beside}."
            for at in positions
            if (beside := self._beside(at, positions))
        )
        return f"{self._half(first)}, and {self._half(second)}, {way} of it.{near}"

    def _half(self, at: int) -> str:
        label = self.drawing.labels.get(at)
        end = ", an open end" if label and label.kind == "end" else ""
        return f"{_spoken(self.drawing.faces[at])} at {at}{end}"

    def cells(self, heading: str, positions: list[int]) -> list[str]:
        if not positions:
            return []
        touching = {at: self._beside(at, ()) for at in positions}
        lines = [f"{at}: {beside}." for at, beside in touching.items() if beside]
        alone = [at for at, beside in touching.items() if not beside]
        if alone:
            lines.append(f"Nothing is beside {_numbers(alone)}.")
        return [f"{heading}, with what is beside each of them:", *lines]

    def _beside(self, at: int, own: tuple[int, ...]) -> str:
        """The halves of other tiles beside a position."""
        faces = self.drawing.faces
        return ", ".join(
            f"{way} {_spoken(faces[n])} at {n}"
            for way, n in zip(_WAYS, neighbours(at), strict=True)
            if n in faces and n not in own
        )


def _spoken(face: str) -> str:
    return _COLOURS.get(face, face)


_SPEECHES = {"bitten": _Bitten, "hextile": _Hextiles}
