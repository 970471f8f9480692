"""Reading an SVG picture back, from the shapes that are drawn and where they are."""

import re
from collections.abc import Collection, Iterator
from functools import cache
from typing import NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from tests.rules.spiral import NUMBER, SPIRAL

SVG = "{http://www.w3.org/2000/svg}"
COLUMN, ROW = 45, 26  # from a cell to the next column and the next row
NEEDED = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "A": 7, "a": 7, "Z": 0}

Box = tuple[float, float, float, float]  # left, top, right, bottom


class Mark(NamedTuple):
    """A shape where it is drawn: its name and path, where its origin is, its scale, and
    the attributes that apply to it."""

    name: str
    path: str
    x: float
    y: float
    scale: float
    style: dict[str, str]

    @property
    def cell(self) -> int:
        return cell_at(self.x, self.y)

    @property
    def box(self) -> Box:
        """What it covers at most, with its stroke."""
        reach = 0.0
        if self.style["stroke"] != "none":
            reach = float(self.style.get("stroke-width", 1)) / 2
        xs, ys = zip(*(points_of(self.path) or [(0, 0)]), strict=True)
        return (
            self.x + self.scale * (min(xs) - reach),
            self.y + self.scale * (min(ys) - reach),
            self.x + self.scale * (max(xs) + reach),
            self.y + self.scale * (max(ys) + reach),
        )


class Text(NamedTuple):
    """A text, its middle, its ink, and the colour beneath it."""

    text: str
    x: float
    y: float
    ink: str
    ground: str

    @property
    def cell(self) -> int:
        return cell_at(self.x, self.y)

    @property
    def corner(self) -> tuple[int, int]:
        """Where it is in its cell: -1, 0 or 1 for left, middle or right; and for above,
        middle or below."""
        col, row = SPIRAL[self.cell]
        dx, dy = self.x - col * COLUMN, self.y - row * ROW
        return (dx > 1) - (dx < -1), (dy > 1) - (dy < -1)


class SvgPicture(NamedTuple):
    """What a document shows, in the order in which it is drawn."""

    root: Element
    marks: list[Mark]
    texts: list[Text]

    def bitten(self) -> dict[int, str]:
        """The face of each bitten hexagon: its digits at the upper left, at the right
        and at the lower left."""
        found: dict[int, dict[tuple[int, int], str]] = {}
        for text in self.texts:
            if text.corner != (0, 0):
                found.setdefault(text.cell, {})[text.corner] = text.text
        corners = ((-1, -1), (1, 0), (-1, 1))
        assert all(face.keys() == {*corners} for face in found.values())
        return {at: "".join(face[c] for c in corners) for at, face in found.items()}

    def hextiles(self) -> dict[int, str]:
        """The face of each half: its pips, counted, or its letter."""
        pips = [mark for mark in self.marks if mark.name.startswith(("pips", "pale"))]
        found = {mark.cell: str(mark.path.count("M")) for mark in pips}
        assert len(found) == len(pips)
        halves = self.halves()
        for text in self.texts:
            is_face = len(text.text) == 1 and text.corner[0] == 0
            if text.cell in halves and is_face:
                assert text.cell not in found
                found[text.cell] = text.text
        return found

    def halves(self) -> frozenset[int]:
        """The cells of all halves."""
        return self.alone().union(*self.joints())

    def alone(self) -> frozenset[int]:
        """The cells of the halves of which the other half is covered."""
        return frozenset(mark.cell for mark in self.marks if mark.name == "alone")

    def shaded(self, colour: str) -> set[int]:
        """The cells of the tiles of that colour, on which the pips are pale."""
        bodies = [m for m in self.marks if m.style["fill"] == colour]
        found = {mark.cell for mark in bodies if mark.name == "alone"}
        tiles = [mark for mark in bodies if mark.name.startswith("tile")]
        found |= {at for mark in tiles for at in (mark.cell, self._other_half(mark))}
        assert found == {m.cell for m in self.marks if m.name.startswith("pale")}
        return found

    def heights(self) -> dict[int, int]:
        """What is written on the right of the pips of a half, in a disc."""
        texts = [t for t in self.texts if t.cell in self.halves() and t.corner[0] > 0]
        discs = [mark for mark in self.marks if mark.name == "disc"]
        assert [(disc.x, disc.y) for disc in discs] == [(t.x, t.y) for t in texts]
        return {cell_at(text.x - 21, text.y): int(text.text) for text in texts}

    def joints(self) -> set[frozenset[int]]:
        """The two cells of each hextile, whose middle is between them."""
        return {
            frozenset((mark.cell, self._other_half(mark)))
            for mark in self.marks
            if mark.name.startswith("tile")
        }

    def _other_half(self, mark: Mark) -> int:
        left, top, right, bottom = mark.box
        return cell_at(left + right - mark.x, top + bottom - mark.y)

    def labels(self, faces: Collection[int]) -> dict[int, str]:
        """The texts on cells without a face, which are in their middles."""
        found = {text.cell: text for text in self.texts if text.cell not in faces}
        assert all(text.corner == (0, 0) for text in found.values())
        return {at: text.text for at, text in found.items()}

    def ends(self) -> dict[int, str]:
        """The longer texts on hextiles."""
        halves = self.halves()
        texts = [text for text in self.texts if text.cell in halves]
        return {text.cell: text.text for text in texts if len(text.text) > 1}

    @property
    def paper(self) -> str:
        (rect,) = self.root.iter(f"{SVG}rect")
        return rect.attrib["fill"]

    @property
    def box(self) -> Box:
        """What is shown of the plane."""
        left, top, width, height = map(float, self.root.attrib["viewBox"].split())
        return left, top, left + width, top + height


@cache
def cell_at(x: float, y: float) -> int:
    """The position of the cell whose middle is nearest."""
    col, row = round(x / COLUMN), round(y / ROW)
    near = [(col + a, row + b) for a in (-1, 0, 1) for b in (-1, 0, 1)]
    cells = [cell for cell in near if cell in NUMBER]
    return NUMBER[
        min(cells, key=lambda c: abs(complex(COLUMN * c[0] - x, ROW * c[1] - y)))
    ]


def points_of(path: str) -> list[tuple[float, float]]:
    """Points that a path is within: its own, those that bend its curves, and those
    farthest from the ends of its arcs, which are upright halves of ellipses."""
    points = [(0.0, 0.0)]
    for command, given in re.findall(r"([A-Za-z])([^A-Za-z]*)", path):
        numbers = [float(n) for n in re.findall(r"-?(?:\d+\.?\d*|\.\d+)", given)]
        count = NEEDED[command]
        steps = [numbers[i : i + count] for i in range(0, len(numbers), count or 1)]
        assert all(len(step) == count for step in steps)
        for step in steps:
            points += moves(command, step, points[-1])
    return points[1:]


def moves(
    command: str, step: list[float], here: tuple[float, float]
) -> Iterator[tuple[float, float]]:
    """The points of one step of a path; the last is where it leads."""
    x, y = here
    if command in "Aa":
        rx, ry = step[:2]
        to_x, to_y = step[5:] if command == "A" else (x + step[5], y + step[6])
        is_upright = to_x == x
        across, way = (2 * ry, to_y - y) if is_upright else (2 * rx, to_x - x)
        assert abs(way) == pytest.approx(across)
        dx, dy = (rx, 0) if is_upright else (0, ry)
        yield from [(x - dx, y - dy), (x + dx, y + dy)]
        yield to_x, to_y
    elif command == "H":
        yield step[0], y
    elif command == "V":
        yield x, step[0]
    else:
        yield from zip(step[::2], step[1::2], strict=True)


def read(document: str) -> SvgPicture:
    """The picture of a document; fails if there is anything unknown in it."""
    root = ElementTree.fromstring(document)
    picture = SvgPicture(root, [], [])
    grounds: dict[int, str] = {}  # what is filled last in each cell
    shapes = {path.get("id"): path for path in root.iter(f"{SVG}path")}

    def visit(
        element: Element, x: float, y: float, scale: float, style: dict[str, str]
    ):
        style = style | dict(element.items())
        drawn: list[Mark] = []
        for child in element:
            if child.tag == f"{SVG}g":
                dx, dy, factor = moved(child.get("transform", ""))
                place = x + scale * dx, y + scale * dy, scale * factor
                visit(child, *place, style)
            elif child.tag == f"{SVG}use":
                shape = shapes[child.attrib["href"].removeprefix("#")]
                dx, dy = (float(child.get(axis, 0)) for axis in "xy")
                own = style | dict(child.items()) | dict(shape.items())
                place = x + scale * dx, y + scale * dy, scale
                drawn.append(Mark(own["id"], own["d"], *place, own))
                picture.marks.append(drawn[-1])
                if own["fill"] != "none":
                    grounds[drawn[-1].cell] = own["fill"]
            else:
                known = ("title", "desc", "defs", "rect")
                assert child.tag in [SVG + tag for tag in known]
        glyphs = [mark for mark in drawn if mark.name.startswith("c")]
        if glyphs:
            picture.texts.append(text_of(glyphs, grounds, picture.paper))

    visit(root, 0, 0, 1, {})
    return picture


def text_of(glyphs: list[Mark], grounds: dict[int, str], paper: str) -> Text:
    """The text of some glyphs in a row, and what is beneath it."""
    first, last = glyphs[0], glyphs[-1]
    assert [mark.x for mark in glyphs] == sorted(mark.x for mark in glyphs)
    x, y = (first.x + last.x) / 2, first.y
    ground = grounds.get(cell_at(x, y), paper)
    text = "".join(mark.name.removeprefix("c") for mark in glyphs)
    return Text(text, x, y, first.style["stroke"], ground)


def moved(transform: str) -> tuple[float, float, float]:
    """How far a transformation moves, right and down, and how much it magnifies."""
    if not transform:
        return 0, 0, 1
    number = r"(-?[\d.]+)"
    form = rf"translate\({number} {number}\)(?:scale\({number}\))?"
    found = re.fullmatch(form, transform)
    assert found, transform
    return float(found[1]), float(found[2]), float(found[3] or 1)
