"""A sheet of characters to put small pictures on."""

from functools import lru_cache


class Canvas:
    """Characters by column and line, either of which may be negative."""

    def __init__(self) -> None:
        self._marks: dict[tuple[int, int], str] = {}

    def stamp(self, left: int, top: int, lines: tuple[str, ...]) -> None:
        """Put a picture here. Its blanks are transparent, and a stroke never
        covers what a reader reads (digits and letters)."""
        marks = self._marks
        for x, y, mark in _strokes(lines):
            place = (left + x, top + y)
            if place not in marks or not marks[place].isalnum():
                marks[place] = mark

    def text(self) -> str:
        """All of it, cut at its edges, with no trailing blanks; each line ends in
        a newline. An empty sheet gives an empty text."""
        if not self._marks:
            return ""
        columns, lines = zip(*self._marks, strict=True)
        left, top = min(columns), min(lines)
        width = max(columns) - left + 1
        sheet = [[" "] * width for _ in range(top, max(lines) + 1)]
        for (x, y), mark in self._marks.items():
            sheet[y - top][x - left] = mark
        return "".join("".join(line).rstrip() + "\n" for line in sheet)


@lru_cache(maxsize=1000)
def _strokes(lines: tuple[str, ...]) -> tuple[tuple[int, int, str], ...]:
    """The marks of a small picture, by column and line."""
    return tuple(
        (x, y, mark)
        for y, line in enumerate(lines)
        for x, mark in enumerate(line)
        if mark != " "
    )
