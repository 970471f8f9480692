"""A board in words, for people who have it read to them: a line a tile, then a line a
cell where a tile can go; and what lies at one position."""

from collections.abc import Collection, Iterable
from importlib import import_module
from typing import Protocol

from pbm_holomino.draw.words.places import near, numbers
from pbm_holomino.languages import Either, Sentence, of_number, sentence
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.rules.contract import Drawing
from pbm_holomino.rules.grid import LAST_POSITION, neighbours


class Speech(Protocol):
    """How the tiles of a notation are read: the module of this package that has its
    name. `CAN_GO` introduces its lines about empty cells where a tile can go."""

    CAN_GO: Sentence

    def names(self, drawing: Drawing) -> Iterable[Sentence]:
        """What the names of tiles mean, where it is not read off them."""

    def count(self, drawing: Drawing) -> int:
        """How many tiles lie on the board."""

    def tiles(
        self,
        drawing: Drawing,
        ends: Collection[int],
        tiles: Iterable[tuple[int, ...]],
    ) -> Iterable[Sentence]:
        """A line for each tile at these positions, or for the half of it that can be
        seen; some positions are open ends."""

    def cells(self, drawing: Drawing, positions: Iterable[int]) -> Iterable[Sentence]:
        """Lines about empty cells."""

    def beside(self, drawing: Drawing, at: int) -> Iterable[Sentence]:
        """What is beside an empty cell, and asks for something there."""


class Opening(NamedTuple):
    """What is said first: how many tiles there are, and which was played last."""

    number: Sentence
    last: Sentence


_LAST = sentence("The one at {positions} was played last.")
TILES = Opening(
    of_number("{n} tile lies on the board.", "{n} tiles lie on the board."), _LAST
)
PAIRS = Opening(  # those of a chain
    of_number(
        "{n} pair lies on the board.",
        "{n} pairs lie on the board, in order from one open end to the other.",
    ),
    sentence("The pair at {positions} was played last."),
)
# As letters have told of chains before
PAIRS_AS_TILES = Opening(
    of_number(
        "{n} tile lies on the board.",
        "{n} tiles lie on the board, in order from one open end to the other.",
    ),
    _LAST,
)
_NOTE = sentence('"{note}" is written at {positions}.')
_PLAYED_LAST = sentence("The tile at {position} was played last.")
_EMPTY = sentence("Position {position} is empty.")
_ALONE = sentence("No tile is beside {position}.")
OTHER_CELLS = sentence("Other empty cells with two tiles or more beside them:")
CELLS = sentence("Empty cells with two tiles or more beside them:")
BLOCKED = sentence("No tile can ever lie at {positions}.")


def describe(drawing: Drawing) -> list[list[Sentence]]:
    """The board as paragraphs, each a list of lines; none without faces.

    Tiles are in the order of their positions, or along a chain whose open ends are
    marked. A neighbour is named by its direction and its position, beginning in the
    north and going round clockwise.
    """
    if not drawing.faces:
        return []
    playable = _labelled(drawing, "move")
    between = [] if _labelled(drawing, "end") else _between(drawing)
    sections = (
        (_speech(drawing).CAN_GO, playable),
        (OTHER_CELLS if playable else CELLS, between),
    )
    tiles, *blocked = describe_tiles(drawing)
    cells = [
        [heading, *_speech(drawing).cells(drawing, positions)]
        for heading, positions in sections
        if positions
    ]
    return [tiles, *cells, *blocked]


def describe_tiles(drawing: Drawing, chain: Opening = PAIRS) -> list[list[Sentence]]:
    """The same without the empty cells, but for those that are blocked. A chain is told
    of as `chain` says."""
    if not drawing.faces:
        return []
    speech, ends = _speech(drawing), _labelled(drawing, "end")
    opening = chain if ends else TILES
    count = opening.number.of(n=speech.count(drawing))
    last = [opening.last.of(positions=numbers(drawing.last))] if drawing.last else []
    lines = speech.tiles(drawing, ends, _tiles(drawing, bool(ends)))
    tiles = [count, *last, *speech.names(drawing), *lines]
    blocked = _labelled(drawing, "blocked")
    closed = [BLOCKED.of(positions=Either(map(str, blocked)))] if blocked else []
    notes: dict[str, list[int]] = {}
    for at in _labelled(drawing, "note"):
        notes.setdefault(drawing.labels[at].text, []).append(at)
    written = [_NOTE.of(note=n, positions=numbers(at)) for n, at in notes.items()]
    return [each for each in (tiles, closed, written) if each]


def around(drawing: Drawing, at: int) -> list[Sentence]:
    """What lies at a position, and beside it."""
    speech = _speech(drawing)
    if at in drawing.faces:
        own = next(joint for joint in (*drawing.joints, (at,)) if at in joint)
        said = [*speech.tiles(drawing, _labelled(drawing, "end"), [own])]
        is_last = at in drawing.last
        return [*said, _PLAYED_LAST.of(position=at)] if is_last else said
    empty = [_EMPTY.of(position=at)]
    if not near(drawing.faces, at):
        return [*empty, _ALONE.of(position=at)]
    if at in _labelled(drawing, "blocked"):
        empty.append(BLOCKED.of(positions=Either([str(at)])))
    return [*empty, *speech.beside(drawing, at)]


def _speech(drawing: Drawing) -> Speech:
    speech: Speech = import_module(f"{__name__}.{drawing.notation}")
    return speech


def _tiles(drawing: Drawing, is_chain: bool) -> list[tuple[int, ...]]:
    """The positions of each tile, or of the half of it that can be seen, in order."""
    joints = drawing.joints if is_chain else sorted(drawing.joints, key=min)
    joined = {at for joint in joints for at in joint}
    return [*joints, *((at,) for at in sorted(drawing.faces.keys() - joined))]


def _labelled(drawing: Drawing, kind: str) -> list[int]:
    """The positions with a label of this kind, in ascending order."""
    labels = drawing.labels.items()
    return sorted(at for at, label in labels if label.kind == kind)


def _between(drawing: Drawing) -> list[int]:
    """The empty cells beside two tiles or more, but for those that have a label."""
    tile = {at: at for at in drawing.faces}
    tile |= {at: joint[0] for joint in drawing.joints for at in joint}
    known, beside = tile.keys() | drawing.labels.keys(), dict[int, set[int]]()
    for at, one in tile.items():
        for n in neighbours(at):
            if n not in known and n <= LAST_POSITION:
                beside.setdefault(n, set()).add(one)
    return sorted(at for at, tiles in beside.items() if len(tiles) > 1)
