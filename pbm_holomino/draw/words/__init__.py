"""A board in words, for people who have it read to them: a line a tile, then a line a
cell where a tile can go."""

from collections.abc import Collection, Iterable, Sequence
from importlib import import_module
from typing import Protocol

from pbm_holomino.draw.words.ways import numbers
from pbm_holomino.rules.contract import Drawing
from pbm_holomino.rules.grid import LAST_POSITION, neighbours


class Speech(Protocol):
    """How the tiles of a notation are read: the module of this package that has its
    name. `WHAT` is what its lines say of empty cells."""

    WHAT: str

    def count(self, drawing: Drawing) -> int:
        """How many tiles lie on the board."""

    def tiles(self, drawing: Drawing, ends: Collection[int]) -> Iterable[str]:
        """A line for each tile, some of whose positions are open ends."""

    def cells(self, drawing: Drawing, positions: Iterable[int]) -> Iterable[str]:
        """Lines about empty cells."""


def describe(drawing: Drawing) -> list[list[str]]:
    """The board as paragraphs, each a list of lines; none without faces.

    Tiles are in the order of their positions, or along a chain whose open ends are
    marked. A neighbour is named by its direction and its position, beginning in the
    north and going round clockwise.
    """
    if not drawing.faces:
        return []
    speech: Speech = import_module(f"{__name__}.{drawing.notation}")
    ends, playable, blocked = (
        sorted(at for at, label in drawing.labels.items() if label.kind == kind)
        for kind in ("end", "move", "blocked")
    )
    between = [] if ends else _between(drawing)
    more = "Other empty cells" if playable else "Empty cells"
    sections = {
        f"Empty cells where a tile can go, with {speech.WHAT}:": playable,
        f"{more} with two tiles or more beside them:": between,
    }
    count = speech.count(drawing)
    paragraphs = [
        [*_summary(drawing, count, bool(ends)), *speech.tiles(drawing, ends)],
        *(
            [heading, *speech.cells(drawing, cells)]
            for heading, cells in sections.items()
            if cells
        ),
        [f"No tile can ever lie at {numbers(blocked, 'or')}."] if blocked else [],
    ]
    return [lines for lines in paragraphs if lines]


def _summary(drawing: Drawing, count: int, is_chain: bool) -> Sequence[str]:
    there = "1 tile lies" if count == 1 else f"{count} tiles lie"
    order = ", in order from one open end to the other" if is_chain else ""
    last = drawing.last
    played = [f"The one at {numbers(last)} was played last."] if last else []
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
