"""A board as an SVG picture, from the same description as the text.

It needs no font and no script, and fetches nothing. Each tile is a group that names
its positions in `data-at`, its faces in `data-faces` and, where tiles have them, its
owner and how high it lies in `data-owner` and `data-height`; so is each label, with
`data-at`, `data-kind` and `data-text`, and so is what tiles have closed, with
`data-value`, and the class `new` if the last one did. The layers have classes, by which
a page gives them its own colours.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from html import escape
from importlib import import_module

from pbm_holomino.draw.svg import glyphs
from pbm_holomino.draw.svg.glyphs import written
from pbm_holomino.draw.svg.shapes import (
    EDGE,
    HALF_HEIGHT,
    HALF_WIDTH,
    INK,
    TILE,
    Piece,
    Shapes,
    middle,
    shift,
    short,
    use,
)
from pbm_holomino.rules.contract import Closed, Drawing, Label
from pbm_holomino.rules.grid import neighbours

PAPER = "#fdfcf8"  # so that a dark page does not show through
NUMBER = "#004b87"
LAST = "#0072b2"
CROSS, BLOCKED = "#5c5c5c", "#e9e7e2"
_EMPTY = "#b9c4cc"
# Labels of cells that are drawn, and how
_EMPTY_CELLS = {"move": ' stroke-dasharray="4 4"', "blocked": f' fill="{BLOCKED}"'}
Box = tuple[int, int, int, int]
_MARGIN = 5
_VALUE_HEIGHT, _VALUE_WIDTH = 9, 7.5  # of a value, and of each of its digits
_OF_TILES = f'fill="{TILE}" stroke="{EDGE}" stroke-width="1.4"'
_ROUND = 'stroke-linecap="round" stroke-linejoin="round"'
_SHAPES: Shapes = {"last": 'd="M0-5L5 0 0 5-5 0Z" fill="#fff"', **glyphs.SHAPES}


def draw(
    drawing: Drawing,
    title: str,
    description: str,
    least: tuple[int, int] = (0, 0),
    proposed: Drawing | None = None,
) -> str:
    """The document, ended by a newline; empty for a drawing without faces. Programs
    that read pictures aloud read the title and the description.

    A drawing's notation is the module of this package that knows its tiles. The picture
    is not smaller than `least`, its width and height. Of a drawing that is `proposed`
    it also has the last tile, under a dashed outline.
    """
    if not drawing.faces:
        return ""
    tiles = import_module(f"pbm_holomino.draw.svg.{drawing.notation}")
    pieces = list(tiles.pieces(drawing))
    layers = [
        _group("empty", _empty_cells(drawing), f'fill="none" stroke="{_EMPTY}"'),
        _group("laid", _tiles(drawing, pieces), _OF_TILES),
        _group("last", _last(drawing, pieces), 'fill="none"'),
        _group("closed", map(_closed, drawing.closed), f'stroke="{INK}"'),
        _group("labels", _labels(drawing), f'stroke="{NUMBER}"'),
    ]
    if proposed is not None:
        layers.append(_group("proposed", _proposed(drawing, proposed), _OF_TILES))
    body = "\n".join(filter(None, layers))
    box = _box(drawing, least=least, more=proposed.last if proposed else ())
    return _document(box, title, description, body, tiles.SHAPES)


@lru_cache(maxsize=10_000)
def tile(notation: str, name: str, owner: int = 0) -> str:
    """A tile alone, as an element of a page that also has the `shapes` of its tiles;
    empty if this is not the name of a tile. `owner` is the seat whose it is, where
    tiles belong to players."""
    tiles = import_module(f"pbm_holomino.draw.svg.{notation}")
    drawing = tiles.alone(name, owner)
    if drawing is None:
        return ""
    left, top, width, height = _box(drawing, 0)
    (piece,) = tiles.pieces(drawing)
    return (
        f'<svg class="laid" viewBox="{left} {top} {width} {height + 2}" '
        f'width="{width / 2:g}" height="{height / 2 + 1:g}" aria-hidden="true">'
        f"<g {_OF_TILES} {_ROUND}>{piece.inside}</g></svg>"
    )


def shapes(notation: str, drawn: str) -> str:
    """The element that defines what such tiles are drawn from."""
    tiles = import_module(f"pbm_holomino.draw.svg.{notation}")
    return (
        '<svg class="shapes" width="0" height="0" aria-hidden="true"><defs>'
        f"{''.join(_defined(tiles.SHAPES, drawn))}</defs></svg>"
    )


def _defined(of_tiles: Shapes, drawn: str) -> Iterator[str]:
    """The shapes that something drawn uses."""
    used = {*re.findall('"#([^"]+)"', drawn)}
    for name, what in {**of_tiles, **_SHAPES}.items():
        if name in used:
            yield f'<path id="{name}" {what}/>'


def size(drawing: Drawing) -> tuple[int, int]:
    """The natural width and height of a drawing with faces, in CSS pixels."""
    _, _, width, height = _box(drawing)
    return width, height


def _document(
    box: Box, title: str, description: str, body: str, of_tiles: Shapes
) -> str:
    left, top, width, height = box
    return "\n".join(
        [
            '<svg xmlns="http://www.w3.org/2000/svg" '
            f'viewBox="{" ".join(map(str, box))}" width="{width}" height="{height}" '
            'role="img" aria-labelledby="title description">',
            f'<title id="title">{escape(title)}</title>',
            f'<desc id="description">{escape(description)}</desc>',
            "<defs>",
            *_defined(of_tiles, body),
            "</defs>",
            f'<rect class="paper" x="{left}" y="{top}" width="{width}" '
            f'height="{height}" fill="{PAPER}"/>',
            f'<g stroke="{INK}" {_ROUND}>',
            body,
            "</g>",
            "</svg>",
            "",
        ]
    )


def _box(
    drawing: Drawing,
    margin: int = _MARGIN,
    least: tuple[int, int] = (0, 0),
    more: Sequence[int] = (),
) -> Box:
    """Left, top, width and height of all cells that have something, and of some `more`,
    with a margin, and with more round them if they are smaller than `least`."""
    shown = {*drawing.faces, *drawing.labels, *more}
    middles = [middle(position) for position in shown]
    xs, ys = {m.real for m in middles}, {m.imag for m in middles}
    x, y = HALF_WIDTH + margin, HALF_HEIGHT + margin
    left, top = int(min(xs)) - x, int(min(ys)) - y
    width, height = int(max(xs)) + x - left, int(max(ys)) + y - top
    wider, higher = max(0, least[0] - width), max(0, least[1] - height)
    return left - wider // 2, top - higher // 2, width + wider, height + higher


def _group(name: str, elements: Iterable[str], attributes: str) -> str:
    found = "\n".join(elements)
    return found and f'<g class="{name}" {attributes}>\n{found}\n</g>'


def _empty_cells(drawing: Drawing) -> Iterator[str]:
    """The cells where a tile may be put, and those where none can ever lie."""
    for position, label in drawing.labels.items():
        if label.kind in _EMPTY_CELLS:
            yield _empty_cell(position, label.kind)


@lru_cache(maxsize=10_000)
def _empty_cell(position: int, kind: str) -> str:
    return use("empty", middle(position), _EMPTY_CELLS[kind])


def _tiles(drawing: Drawing, pieces: Sequence[Piece]) -> Iterator[str]:
    for piece in pieces:
        at = " ".join(map(str, piece.positions))
        faces = " ".join(drawing.faces[position] for position in piece.positions)
        moved = f'transform="{shift(middle(piece.positions[0]))}"'
        data = f'data-at="{at}" data-faces="{faces}"{_belongs(drawing, piece)}'
        yield f"<g {moved} {data}>{piece.inside}</g>"


def _belongs(drawing: Drawing, piece: Piece) -> str:
    """Whose a tile is, and how high it lies, where that can differ."""
    first = piece.positions[0]
    owner, height = drawing.owner(first), drawing.tiles_at(first)
    data = f' data-owner="{escape(str(owner))}"' if owner else ""
    return data + (f' data-height="{height}"' if height > 1 else "")


def _last(drawing: Drawing, pieces: Sequence[Piece]) -> Iterator[str]:
    """The mark of the tile that was played last: a thick outline and a diamond."""
    for positions, outline, _ in pieces:
        if set(positions) & set(drawing.last):
            at = middle(positions[0])
            yield use(outline, at, ' stroke="#fff" stroke-width="6"')
            yield use(outline, at, f' stroke="{LAST}" stroke-width="4"')
            centre = sum(map(middle, positions)) / len(positions)
            yield use("last", centre, f' stroke="{LAST}" stroke-width="2"')


@lru_cache(maxsize=1_000)  # a region may have hundreds of cells
def _closed(closed: Closed) -> str:
    """What a hole, a region or a point is worth, on a ground of its own."""
    cells, value, is_new = closed
    text = str(value)
    width = _VALUE_WIDTH * len(text) + _VALUE_HEIGHT
    ground = (
        f'<rect x="{short(-width / 2)}" y="{short(-_VALUE_HEIGHT)}" '
        f'width="{short(width)}" height="{short(2 * _VALUE_HEIGHT)}" '
        f'rx="{short(_VALUE_HEIGHT)}" fill="{PAPER}" stroke="none"/>'
    )
    kind = ' class="new"' if is_new else ""
    return (
        f'<g transform="{shift(_midst(cells))}" data-value="{value}"{kind}>'
        f"{ground}{written(text, 0, _VALUE_HEIGHT)}</g>"
    )


def _midst(cells: Sequence[int]) -> complex:
    """The midst of cells, but between two of them where they do not all touch: it hides
    no number of a cell."""
    midst, every = sum(map(middle, cells)) / len(cells), {*cells}
    touching = [
        (middle(cell) + middle(beside)) / 2
        for cell in cells
        for beside in every.intersection(neighbours(cell))
    ]
    if len(touching) == len(cells) * (len(cells) - 1):
        return midst
    return min(touching, key=lambda point: abs(point - midst))


def _proposed(drawing: Drawing, proposed: Drawing) -> Iterator[str]:
    """The tile that would be played, which hides nothing of the one played last."""
    tiles = import_module(f"pbm_holomino.draw.svg.{proposed.notation}")
    for piece in tiles.pieces(proposed):
        if set(piece.positions) & set(proposed.last):
            if not set(piece.positions) & set(drawing.last):
                yield from _tiles(proposed, [piece])
            yield use(
                piece.outline,
                middle(piece.positions[0]),
                f' class="outline" fill="none" stroke="{LAST}" stroke-width="4" '
                'stroke-dasharray="8 5"',
            )


def _labels(drawing: Drawing) -> Iterator[str]:
    """The labels of empty cells; a note on several cells is written once."""
    cells: dict[tuple[Label, int], list[int]] = {}
    for position, label in drawing.labels.items():
        if position not in drawing.faces:
            alone = 0 if label.kind == "note" else position
            cells.setdefault((label, alone), []).append(position)
    for (label, _), positions in cells.items():
        yield _label(label, tuple(positions))


@lru_cache(maxsize=10_000)
def _label(label: Label, positions: tuple[int, ...]) -> str:
    centre = sum(map(middle, positions)) / len(positions)
    height = 16.5 if len(label.text) < 4 else 13.5
    ink = CROSS if label.kind == "blocked" else ""
    at = " ".join(map(str, positions))
    data = f'data-at="{at}" data-kind="{label.kind}" data-text="{escape(label.text)}"'
    return f"<g {data}>{written(label.text, centre, height, ink)}</g>"
