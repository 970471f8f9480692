"""A graph as an SVG picture: how the chances of players went from move to move.

It has no script and fetches nothing. Each line is a group with its name in `data-name`,
and differs from the others in its dashes as well as in its colour.
"""

from collections.abc import Iterator, Sequence
from html import escape

from pbm_holomino.named_tuples import NamedTuple

# of the plane, in CSS pixels: so the whole is no wider than a phone
_WIDTH, _HEIGHT = 280, 200
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
) -> str:
    """The document, ended by a newline, for one to four players with as many chances
    each, two at least. Programs that read pictures aloud read the title and the
    description. A line is `at` this move, and circles are round the `turning` points,
    each the index of a player and a move."""
    last = len(series[0].chances) - 1
    names = max(len(each.name) for each in series) * _LETTER
    width = round(_LEFT + max(_WIDTH, _DASH + names) + _MARGIN)
    height = _TOP + _HEIGHT + _BOTTOM + _ROW * len(series)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" role="img" '
            'aria-labelledby="title description">',
            f'<title id="title">{escape(title)}</title>',
            f'<desc id="description">{escape(description)}</desc>',
            f'<rect width="{width}" height="{height}" fill="{_PAPER}"/>',
            f'<g stroke="{_GRID}">',
            *_grid(last),
            "</g>",
            f'<g font-family="sans-serif" font-size="12" fill="{_INK}">',
            *_numbers(last),
            "</g>",
            *([_line_at(at, last)] if at is not None else []),
            *_lines(series, last),
            *(_circle(series[seat], seat, move, last) for seat, move in turning),
            "</svg>",
            "",
        ]
    )


def _x(move: int, last: int) -> float:
    return round(_LEFT + _WIDTH * move / last, 1)


def _y(chance: float) -> float:
    return round(_TOP + _HEIGHT * (1 - chance), 1)


def _marked(last: int) -> range:
    """The moves whose numbers are written below the graph."""
    step = next((s for s in _STEPS if last / s <= _MOST_NUMBERS), last)
    return range(0, last + 1, step)


def _grid(last: int) -> Iterator[str]:
    for chance in (0, 0.25, 0.5, 0.75, 1):
        y = _y(chance)
        yield f'<path d="M{_LEFT} {y}H{_LEFT + _WIDTH}"/>'
    for move in _marked(last):
        yield f'<path d="M{_x(move, last)} {_TOP}v{_HEIGHT}" stroke-dasharray="1 4"/>'


def _numbers(last: int) -> Iterator[str]:
    for percent in (0, 50, 100):
        y = _y(percent / 100) + 4
        yield f'<text x="{_LEFT - 5}" y="{y}" text-anchor="end">{percent} %</text>'
    for move in _marked(last):
        x, y = _x(move, last), _TOP + _HEIGHT + 16
        yield f'<text x="{x}" y="{y}" text-anchor="middle">{move}</text>'


def _line_at(move: int, last: int) -> str:
    return (
        f'<path class="at" d="M{_x(move, last)} {_TOP}v{_HEIGHT}" stroke="{_INK}" '
        'stroke-width="2"/>'
    )


def _circle(series: Series, number: int, move: int, last: int) -> str:
    return (
        f'<circle class="turning" cx="{_x(move, last)}" '
        f'cy="{_y(series.chances[move])}" r="5" fill="{_PAPER}" '
        f'stroke="{_STROKES[number][0]}" stroke-width="2"/>'
    )


def _lines(series: Sequence[Series], last: int) -> Iterator[str]:
    for number, (each, (colour, dashes)) in enumerate(
        zip(series, _STROKES, strict=False)
    ):
        points = " ".join(
            f"{_x(move, last)},{_y(chance)}" for move, chance in enumerate(each.chances)
        )
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
        x, y = _LEFT, _TOP + _HEIGHT + _BOTTOM + 12 + _ROW * number
        yield "\n".join(
            [
                f'<g data-name="{escape(each.name)}" fill="none" stroke="{colour}" '
                f'stroke-width="2"{dashed}>',
                f'<polyline points="{points}"/>',
                f'<path d="M{x} {y - 4}h18"/>',
                f'<text x="{x + _DASH}" y="{y}" fill="{_INK}" stroke="none" '
                f'font-family="sans-serif" font-size="12">{escape(each.name)}</text>',
                "</g>",
            ]
        )
