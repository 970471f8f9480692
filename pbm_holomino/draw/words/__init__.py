"""A board in words, for people who have it read to them: a line a tile, then a line a
cell where a tile can go."""

from collections.abc import Collection, Iterable
from importlib import import_module
from typing import Protocol

from pbm_holomino.draw.words.ways import numbers
from pbm_holomino.languages import Either, Sentence, of_number, sentence
from pbm_holomino.rules.contract import Drawing
from pbm_holomino.rules.grid import LAST_POSITION, neighbours


class Speech(Protocol):
    """How the tiles of a notation are read: the module of this package that has its
    name. `CAN_GO` introduces its lines about empty cells where a tile can go."""

    CAN_GO: Sentence

    def count(self, drawing: Drawing) -> int:
        """How many tiles lie on the board."""

    def tiles(self, drawing: Drawing, ends: Collection[int]) -> Iterable[Sentence]:
        """A line for each tile, some of whose positions are open ends."""

    def cells(self, drawing: Drawing, positions: Iterable[int]) -> Iterable[Sentence]:
        """Lines about empty cells."""


_COUNT = of_number("{n} tile lies on the board.", "{n} tiles lie on the board.")
_COUNT_ALONG = of_number(
    "{n} tile lies on the board, in order from one open end to the other.",
    "{n} tiles lie on the board, in order from one open end to the other.",
)
_LAST = sentence("The one at {positions} was played last.")
_OTHER_CELLS = sentence("Other empty cells with two tiles or more beside them:")
_CELLS = sentence("Empty cells with two tiles or more beside them:")
_BLOCKED = sentence("No tile can ever lie at {positions}.")


def describe(drawing: Drawing) -> list[list[Sentence]]:
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
    sections = (
        (speech.CAN_GO, playable),
        (_OTHER_CELLS if playable else _CELLS, between),
    )
    count = speech.count(drawing)
    paragraphs = [
        [*_summary(drawing, count, bool(ends)), *speech.tiles(drawing, ends)],
        *(
            [heading, *speech.cells(drawing, cells)]
            for heading, cells in sections
            if cells
        ),
    ]
    if blocked:
        paragraphs.append([_BLOCKED.of(positions=Either(map(str, blocked)))])
    return paragraphs


def _summary(drawing: Drawing, count: int, is_chain: bool) -> Iterable[Sentence]:
    yield (_COUNT_ALONG if is_chain else _COUNT).of(n=count)
    if drawing.last:
        yield _LAST.of(positions=numbers(drawing.last))


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
