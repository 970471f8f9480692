"""A graph as an SVG picture: how the rating of a player has changed with time.

It has no script and fetches nothing, and takes its colours from the page around it.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from html import escape

# of the plane, in CSS pixels: so the whole is no wider than a phone
_WIDTH, _HEIGHT = 264, 96
_LEFT, _TOP, _BOTTOM, _MARGIN = 40, 10, 22, 12
_STEPS = (10, 20, 50, 100, 200, 500, 1000)  # points from one line to the next
_MOST_LINES = 4


def draw(
    course: Sequence[tuple[str, int]], title: str, day: Callable[[str], str]
) -> str:
    """The document, for the times of two games at least, each with the points after
    it; `day` says the day of a time. Programs that read pictures aloud read the
    title."""
    low, high, step = _scale([points for _, points in course])
    whens = _places([time for time, _ in course])
    spots = [
        (round(_LEFT + _WIDTH * when, 1), _y(points, low, high))
        for when, (_, points) in zip(whens, course, strict=True)
    ]
    width, height = _LEFT + _WIDTH + _MARGIN, _TOP + _HEIGHT + _BOTTOM
    line = " ".join(f"{x},{y}" for x, y in spots)
    (first, _), (last, _) = course[0], course[-1]
    x, y = spots[-1]
    below, begun, ended = f'y="{height - 4}"', escape(day(first)), escape(day(last))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" role="img" aria-labelledby="title">',
            f'<title id="title">{escape(title)}</title>',
            '<g fill="currentColor" font-size="12" class="number">',
            *_lines(low, high, step),
            f'<text x="{_LEFT}" {below}>{begun}</text>',
            f'<text x="{_LEFT + _WIDTH}" {below} text-anchor="end">{ended}</text>',
            "</g>",
            f'<polyline class="course" points="{line}"/>',
            f'<circle class="now" cx="{x}" cy="{y}" r="4"/>',
            "</svg>",
            "",
        ]
    )


def _scale(points: Sequence[int]) -> tuple[int, int, int]:
    """The lowest and the highest line that has a number, and from one to the next."""
    least, most = min(points), max(points)
    for step in _STEPS:
        low, high = least // step * step, -(-most // step) * step
        high = max(high, low + step)
        if (high - low) // step <= _MOST_LINES:
            return low, high, step
    return low, high, high - low


def _places(times: Sequence[str]) -> list[float]:
    """Where times are between the first and the last; evenly if all are the same."""
    seconds = [datetime.fromisoformat(time).timestamp() for time in times]
    first, span = seconds[0], seconds[-1] - seconds[0]
    if not span:
        return [number / (len(times) - 1) for number in range(len(times))]
    return [(each - first) / span for each in seconds]


def _y(points: int, low: int, high: int) -> float:
    return round(_TOP + _HEIGHT * (high - points) / (high - low), 1)


def _lines(low: int, high: int, step: int) -> Iterator[str]:
    for points in range(low, high + 1, step):
        y = _y(points, low, high)
        yield (
            f'<path d="M{_LEFT} {y}h{_WIDTH}" stroke="currentColor" opacity=".2"/>'
            f'<text x="{_LEFT - 6}" y="{y + 4}" text-anchor="end">{points}</text>'
        )
