"""A graph as an SVG picture: how the chances of players went from move to move.

It has no script and fetches nothing. Each line is a group with its name in `data-name`,
and differs from the others in its dashes as well as in its colour. Places across are
percentages of a plane, so a wider one stretches neither letters nor strokes.
"""

from collections.abc import Iterator, Sequence
from html import escape

from pbm_holomino.named_tuples import NamedTuple

# of the plane, in CSS pixels: so the whole is no wider than a phone
_WIDTH, _HEIGHT = 280, 200
_FLAT = 86  # its height under a board, from which it takes little room
_NARROW = 220  # its width on a small phone
_LEFT, _TOP, _BOTTOM, _MARGIN = 44, 10, 24, 10
_ROW = 20  # the height of a name below the plane, where also a phone shows it
_DASH = 24  # the width of the line before it
_LETTER = 7.5  # the width of a letter of a name, at most
# Colours that colour-blind people can tell apart (Okabe and Ito), with dashes.
_STROKES = (
    ("#0072b2", ""),
    ("#d55e00", "7 3"),
    ("#009e73", "2 3"),
    ("#cc79a7", "9 3 2 3"),
)
_PAPER, _INK, _GRID = "#fdfcf8", "#333", "#b9c4cc"
_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500)  # moves from one number to the next
_MOST_NUMBERS = 12


class Series(NamedTuple):
    """A player's chances, between 0 and 1: before each move, and at the end."""

    name: str
    chances: Sequence[float]


def draw(
    series: Sequence[Series],
    title: str,
    description: str,
    turning: Sequence[tuple[int, int]] = (),
    at: int | None = None,
    is_flat: bool = False,
) -> str:
    """The document, ended by a newline, for one to four players with as many chances
    each, two at least. Programs that read pictures aloud read the title and the
    description. A line is `at` this move, and circles are round the `turning` points,
    each the index of a player and a move. One that `is_flat` has the width of what it
    is in, with its numbers beside it, and two names beside each other if they fit."""
    high = _FLAT if is_flat else _HEIGHT
    names = _DASH + max(len(each.name) for each in series) * _LETTER
    columns = 2 if is_flat and 2 * names <= _NARROW else 1
    width = round(_LEFT + max(_WIDTH, names) + _MARGIN)
    height = _TOP + high + _BOTTOM + _ROW * -(-len(series) // columns)
    size = f'viewBox="0 0 {width} {height}" width="{width}"'
    plane = f'x="{_LEFT}" width="{_WIDTH}"'
    if is_flat:
        size = plane = 'width="100%"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} height="{height}" '
            'role="img" aria-labelledby="title description">',
            f'<title id="title">{escape(title)}</title>',
            f'<desc id="description">{escape(description)}</desc>',
            f'<rect width="100%" height="100%" fill="{_PAPER}"/>',
            f'<svg {plane} y="{_TOP}" height="{high}" overflow="visible">',
            *_plane(series, high, columns, at),
            *(_circle(series[seat], seat, move, high) for seat, move in turning),
            "</svg>",
            "</svg>",
            "",
        ]
    )


def _plane(
    series: Sequence[Series], high: int, columns: int, at: int | None
) -> Iterator[str]:
    """The grid with its numbers, the line `at` a move, and the lines of all players."""
    last = len(series[0].chances) - 1
    yield f'<g stroke="{_GRID}">'
    yield from _grid(last, high)
    yield "</g>"
    yield f'<g font-family="sans-serif" font-size="12" fill="{_INK}">'
    yield from _numbers(last, high)
    yield "</g>"
    if at is not None:
        yield _line_at(at, last)
    yield from _lines(series, last, high, columns)


def _x(move: int, last: int) -> str:
    return f"{round(100 * move / last, 2)}%"


def _y(chance: float, high: int) -> float:
    return round(high * (1 - chance), 1)


def _marked(last: int) -> range:
    """The moves whose numbers are written below the graph."""
    step = next((s for s in _STEPS if last / s <= _MOST_NUMBERS), last)
    return range(0, last + 1, step)


def _grid(last: int, high: int) -> Iterator[str]:
    for chance in (0, 0.25, 0.5, 0.75, 1):
        y = _y(chance, high)
        yield f'<line x2="100%" y1="{y}" y2="{y}"/>'
    for move in _marked(last):
        yield f'{_upright(move, last)} stroke-dasharray="1 4"/>'


def _upright(move: int, last: int) -> str:
    x = _x(move, last)
    return f'<line x1="{x}" x2="{x}" y2="100%"'


def _numbers(last: int, high: int) -> Iterator[str]:
    for percent in (0, 50, 100):
        y = _y(percent / 100, high) + 4
        yield f'<text x="-5" y="{y}" text-anchor="end">{percent} %</text>'
    for move in _marked(last):
        x, y = _x(move, last), high + 16
        yield f'<text x="{x}" y="{y}" text-anchor="middle">{move}</text>'


def _line_at(move: int, last: int) -> str:
    return f'{_upright(move, last)} class="at" stroke="{_INK}" stroke-width="2"/>'


def _circle(series: Series, number: int, move: int, high: int) -> str:
    return (
        f'<circle class="turning" cx="{_x(move, len(series.chances) - 1)}" '
        f'cy="{_y(series.chances[move], high)}" r="5" fill="{_PAPER}" '
        f'stroke="{_STROKES[number][0]}" stroke-width="2"/>'
    )


def _lines(
    series: Sequence[Series], last: int, high: int, columns: int
) -> Iterator[str]:
    for number, (each, (colour, dashes)) in enumerate(
        zip(series, _STROKES, strict=False)
    ):
        points = " ".join(
            f"{round(_WIDTH * move / last, 1)},{_y(chance, high)}"
            for move, chance in enumerate(each.chances)
        )
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
        row, column = divmod(number, columns)
        yield "\n".join(
            [
                f'<g data-name="{escape(each.name)}" fill="none" stroke="{colour}" '
                f'stroke-width="2"{dashed}>',
                f'<svg width="100%" height="100%" viewBox="0 0 {_WIDTH} {high}" '
                'preserveAspectRatio="none" overflow="visible">'
                f'<polyline points="{points}" vector-effect="non-scaling-stroke"/>'
                "</svg>",
                f'<svg x="{50 * column}%" y="{high + _BOTTOM + 12 + _ROW * row}" '
                'overflow="visible"><path d="M0 -4h18"/>'
                f'<text x="{_DASH}" fill="{_INK}" stroke="none" '
                f'font-family="sans-serif" font-size="12">{escape(each.name)}</text>'
                "</svg>",
                "</g>",
            ]
        )
