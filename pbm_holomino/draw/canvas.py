"""A sheet of characters to put small pictures on."""

from collections.abc import Iterable


class Canvas:
    """Characters by column and line, either of which may be negative."""

    def __init__(self) -> None:
        self._marks: dict[tuple[int, int], str] = {}

    def stamp(self, left: int, top: int, lines: Iterable[str]) -> None:
        """Put a picture here. Its blanks are transparent, and a stroke never
        covers what a reader reads (digits and letters)."""
        for y, line in enumerate(lines, top):
            for x, mark in enumerate(line, left):
                if mark != " " and not self._marks.get((x, y), "").isalnum():
                    self._marks[x, y] = mark

    def text(self) -> str:
        """All of it, cut at its edges, with no trailing blanks; each line ends in
        a newline. An empty sheet gives an empty text."""
        if not self._marks:
            return ""
        left = min(x for x, _ in self._marks)
        lines: dict[int, list[str]] = {}
        for (x, y), mark in self._marks.items():
            line = lines.setdefault(y, [])
            line.extend(" " * (x - left + 1 - len(line)))
            line[x - left] = mark
        rows = range(min(lines), max(lines) + 1)
        return "".join("".join(lines.get(y, ())) + "\n" for y in rows)
