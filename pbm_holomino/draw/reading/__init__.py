"""Boards read back from text that people paste: pictures, large or small, and boards in
words."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module

from pbm_holomino.draw.reading.marks import Cell, Picture, Seen, Wrong
from pbm_holomino.draw.reading.sheets import Sheet, rows, sheets
from pbm_holomino.draw.reading.words import read as read_words
from pbm_holomino.errors import BadBoard
from pbm_holomino.languages import Sentence, sentence
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.rules.contract import BLOCKED, END, Drawing, Label, move_labels
from pbm_holomino.rules.grid import LAST_POSITION, cell_to_position, position_to_cell

_RENUMBERED = sentence(
    '"{number}" is not the number of this cell: by the other numbers it is {right}.'
)
_NO_SUCH_CELL = sentence('No cell can have the number "{number}" there.')
_OFF_GRID = sentence("A tile there is off the grid.")
_NOT_A_NUMBER = sentence('"{label}" is not the number of a cell.')
_TAKEN = sentence("A tile lies where {number} is written.")
_NO_OWNERS = sentence("No tile is dark in this game: tiles belong to nobody.")
_NO_HEIGHTS = sentence("In this game no tile lies on top of others.")


class Read(NamedTuple):
    """A board that was read. Its cells have their own numbers, unless none could be
    read: then they are numbered from its middle on. `refusal` makes the error for what
    is wrong at a position that is taken."""

    drawing: Drawing
    is_numbered: bool
    refusal: Callable[[int, Sentence], BadBoard]


def read(text: str, notation: str, sides: Sequence[Sentence] = ()) -> Read:
    """The one board in a text, whose tiles are in this notation; `sides` are what the
    seats are called, where tiles belong to players. Raises BadBoard."""
    if told := read_words(rows(text), notation, sides):
        places = told.places
        return Read(told.drawing, True, lambda at, why: BadBoard(*places[at], why))
    errors = list[BadBoard]()
    for sheet in sheets(text):
        try:
            return _read(sheet, notation, sides)
        except BadBoard as error:
            errors.append(error)
    raise errors[0]


def _read(sheet: Sheet, notation: str, sides: Sequence[Sentence]) -> Read:
    try:
        picture = _picture(sheet.lines, notation)
        drawing, numbered = _drawing(picture, notation, sides)
    except Wrong as error:
        raise sheet.refusal(*error.point, error.why) from None

    def refusal(at: int, why: Sentence) -> BadBoard:
        return sheet.refusal(*_face(picture, numbered[at]), why)

    is_numbered = any(label.isdecimal() for label in picture.seen.labels.values())
    return Read(drawing, is_numbered, refusal)


def _picture(lines: Sequence[str], notation: str) -> Picture:
    """What is in a picture. A large hextile has an edge of five strokes."""
    is_large = any("_____" in line for line in lines)
    package = __name__ if is_large else f"{__name__}.small"
    picture: Picture = import_module(f"{package}.{notation}").read(lines)
    return picture


def _face(picture: Picture, cell: Cell) -> tuple[int, int]:
    """Where the face of a cell is: in its midst."""
    frame = picture.frame
    left, top = frame.corner(cell)
    return left + frame.columns // 2, top + frame.lines


def _drawing(
    picture: Picture, notation: str, sides: Sequence[Sentence]
) -> tuple[Drawing, Mapping[int, Cell]]:
    """What was seen, with the numbers of the cells; and which cell has which."""
    seen = picture.seen
    origin = _origin(picture)
    at = {cell: _number(picture, origin, cell) for cell in seen.faces}
    _check_sides(picture, sides)
    drawing = Drawing(
        notation,
        {at[cell]: face for cell, face in seen.faces.items()},
        tuple(sorted(_pair(at[cell] for cell in joint) for joint in seen.joints)),
        _labels(picture, origin),
        tuple(sorted(at[cell] for cell in seen.last)),
        {at[cell]: int(cell in seen.shaded) for cell in seen.faces} if sides else {},
        tuple(sides),
        {at[cell]: int(height) for cell, height in seen.heights.items()},
    )
    return drawing, {number: cell for cell, number in at.items()}


def _pair(positions: Iterable[int]) -> tuple[int, int]:
    first, second = sorted(positions)
    return first, second


def _origin(picture: Picture) -> Cell:
    """Where the first cell of a picture is on the grid: as one that is numbered says,
    or so that the middle of the board is the middle of the grid."""
    for (col, row), label in _numbers(picture.seen):
        col_there, row_there = position_to_cell(int(label))
        origin = col_there - col, row_there - row
        if sum(origin) % 2 or int(label) > LAST_POSITION:
            raise Wrong(_written(picture, (col, row)), _NO_SUCH_CELL.of(number=label))
        return origin
    cols, rows = zip(*picture.seen.faces, strict=True)
    middle = (min(cols) + max(cols)) / 2, (min(rows) + max(rows)) / 2
    col, row = min(picture.seen.faces, key=lambda cell: _distance(cell, middle))
    return -col, -row


def _distance(cell: Cell, middle: tuple[float, float]) -> float:
    col, row = cell[0] - middle[0], cell[1] - middle[1]
    return 3 * col * col + row * row


def _numbers(seen: Seen) -> list[tuple[Cell, str]]:
    return [(cell, label) for cell, label in seen.labels.items() if label.isdecimal()]


def _number(picture: Picture, origin: Cell, cell: Cell) -> int:
    number = cell_to_position((cell[0] + origin[0], cell[1] + origin[1]))
    if number > LAST_POSITION:
        raise Wrong(_face(picture, cell), _OFF_GRID)
    return number


def _written(picture: Picture, cell: Cell) -> tuple[int, int]:
    """Where the label of a cell is."""
    x, y = _face(picture, cell)
    return x, y + 1 if picture.frame.lines > 1 else y


def _labels(picture: Picture, origin: Cell) -> dict[int, Label]:
    found: dict[int, Label] = {}
    for cell, text in picture.seen.labels.items():
        number = cell_to_position((cell[0] + origin[0], cell[1] + origin[1]))
        label = _label(text, number, cell in picture.seen.faces)
        if isinstance(label, Sentence):
            raise Wrong(_written(picture, cell), label)
        found[number] = label
    return found


def _label(text: str, number: int, is_taken: bool) -> Label | Sentence:
    """What is written on a cell; or why it cannot be."""
    if is_taken:
        return END if text in ("end", "*") else _TAKEN.of(number=text)
    if text == "x":
        return BLOCKED
    if not text.isdecimal():
        return _NOT_A_NUMBER.of(label=text)
    if int(text) != number:
        return _RENUMBERED.of(number=text, right=number)
    return move_labels([number])[number]


def _check_sides(picture: Picture, sides: Sequence[Sentence]) -> None:
    """Only where tiles belong to players, some are dark, and lie on others."""
    seen = picture.seen
    for cells, why in ((seen.shaded, _NO_OWNERS), (seen.heights, _NO_HEIGHTS)):
        if cells and not sides:
            raise Wrong(_face(picture, min(cells)), why)
