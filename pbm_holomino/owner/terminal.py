"""The terminal at which somebody looks at boards: its size, its colours, and pages."""

import os
import select
import sys
import termios
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress

from pbm_holomino.draw.canvas import LAST, Paint
from pbm_holomino.named_tuples import NamedTuple

_USUAL = (80, 24)  # of a terminal that does not know its size
_OFF = "\033[0m"
# No colour says anything that the characters do not say, too.
_COLOURS = {
    LAST: ("\033[1;31m", _OFF),  # the tile that was played last
    "move": ("\033[36m", _OFF),  # the places where a tile can go
}


class Size(NamedTuple):
    """How much is seen at once: columns, and rows if there is a last one."""

    columns: int
    rows: int | None


def _typed(question: str) -> str:
    """The answer to a question. One that comes from a pipe is shown after it, as a
    terminal shows what is typed."""
    answer = input(question)
    if not sys.stdin.isatty():
        print(answer)
    return answer


class Terminal:
    """What the standard streams are connected to. `ask` puts a question, and returns
    what is typed; at the end of all input it raises EOFError."""

    def __init__(self, ask: Callable[[str], str] = _typed) -> None:
        self.ask = ask

    @property
    def is_terminal(self) -> bool:
        """Whether what is printed is shown to somebody."""
        return sys.stdout is not None and sys.stdout.isatty()

    @property
    def is_answered(self) -> bool:
        """Whether somebody is there who can also answer."""
        return self.is_terminal and sys.stdin is not None and sys.stdin.isatty()

    @property
    def size(self) -> Size:
        """Its size at this moment. A pipe has no last row."""
        if not self.is_terminal:
            return Size(_USUAL[0], None)
        columns, rows = os.get_terminal_size(sys.stdout.fileno())
        return Size(columns or _USUAL[0], rows or _USUAL[1])

    @property
    def paint(self) -> Paint:
        """The colours of a board, if it has any and nobody has asked for none."""
        return _COLOURS if self.is_terminal and _has_colours() else {}

    def page(self, lines: Iterable[str]) -> str:
        """Print lines, a page at a time where somebody answers. What was typed between
        two pages in place of Enter is returned, and ends it."""
        left = list(lines)
        while left:
            rows = self.size.rows if self.is_answered else None
            if rows is None or len(left) < rows:
                break
            count = max(rows - 1, 1)
            print("\n".join(left[:count]), flush=True)
            left = left[count:]
            if word := self.ask("-- Enter shows the rest -- ").strip():
                return word
        if left:
            print("\n".join(left), flush=True)
        return ""

    def pause(self, seconds: float | None = None) -> str:
        """Let somebody read until they press Enter, or for so many seconds at most;
        what they typed before that. Nothing waits where nobody answers."""
        if self.is_answered and select.select([sys.stdin], [], [], seconds)[0]:
            return sys.stdin.readline().strip()
        return ""

    @contextmanager
    def unseen(self) -> Iterator[None]:
        """While this lasts, what is typed is not shown: no line of it moves what is
        printed."""
        before = None
        if self.is_answered:
            with suppress(termios.error):
                before = termios.tcgetattr(sys.stdin)
        if before is None:
            yield
            return
        quiet = [*before]
        quiet[3] &= ~termios.ECHO
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, quiet)
        try:
            yield
        finally:
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)

    def forget(self) -> None:
        """Drop what was typed before there was a question."""
        if self.is_answered:
            with suppress(termios.error):
                termios.tcflush(sys.stdin, termios.TCIFLUSH)


def _has_colours() -> bool:
    if os.environ.get("NO_COLOR") or os.environ.get("TERM", "dumb") == "dumb":
        return False
    try:
        import curses  # a system may be without it, or without this terminal
    except ImportError:
        return False
    try:
        curses.setupterm(fd=sys.stdout.fileno())
        return curses.tigetnum("colors") >= 8
    except curses.error:
        return False
