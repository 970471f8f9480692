"""Boards as they are shown at the owner's terminal: what a seat can play, the best
first, and pictures with words beside them."""

import textwrap
from collections.abc import Iterable, Sequence
from itertools import count, zip_longest

from pbm_holomino.draw.canvas import UNPAINTED, Paint
from pbm_holomino.draw.text import draw
from pbm_holomino.letters import screen
from pbm_holomino.match.board import Match
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.rules.contract import Drawing, View, move_labels
from pbm_holomino.sentences import WIDTH

GAP = 3  # columns between a picture and what is beside it


class Choice(NamedTuple):
    """A move that a seat can make, what it scores at once, and the cells that it
    fills."""

    move: str
    points: int
    cells: tuple[int, ...] = ()


def choices(match: Match, who: str) -> list[Choice]:
    """What a player can play now, the best first: of several that score the same, each
    tile's first. None where a move is free, and cannot be listed."""
    if who not in match.turn or not match.view(who).proposal.heading:
        return []
    game, seat = match.rules, match.record.players.index(who)
    moves = game.legal(match.state, seat)
    turns: dict[str, count[int]] = {}
    listed = [
        Choice(game.format_move(move), points, game.covers(move))
        for move, points in zip(moves, game.gains(match.state, moves), strict=True)
    ]
    nth = [
        next(turns.setdefault(each.move.partition(":")[0], count())) for each in listed
    ]
    order = sorted(range(len(listed)), key=lambda i: (-listed[i].points, nth[i]))
    return [listed[i] for i in order]


def seats(match: Match, view: View, width: int = WIDTH) -> list[str]:
    """The table of players, in lines of so many columns."""
    players, points = match.record.players, str(match.rules.SCORING.points)
    names = [str(screen.named(match, seat)) for seat in range(len(players))]
    wide = max(map(len, names))
    lines = [f"  {'':{wide}}  {points}  tiles"]
    for seat, player in enumerate(players):
        mark = ">" if player in match.turn else " "
        head = f"{mark} {names[seat]:{wide}}  {view.scores[seat]:{len(points)}}  "
        tiles = " ".join(view.pools[seat]) or "-"
        lines += textwrap.wrap(
            tiles, width, initial_indent=head, subsequent_indent=" " * len(head)
        )
    return lines


def first_move(match: Match, who: str) -> str:
    """The first move that a player is told of: the best, or where moves are free, an
    example."""
    found = choices(match, who)
    return found[0].move if found else match.view(who).proposal.moves[0]


def named(choices: Sequence[Choice], of: int = 0) -> tuple[str, list[str]]:
    """A heading, and under it moves with what they score: all that there are, or the
    best of so many."""
    are_all = of <= len(choices)
    if not any(each.points for each in choices):
        which = "Your moves" if are_all else f"Some of your {of} moves"
        return f"{which} (none scores):", [each.move for each in choices]
    which = "Moves" if are_all else f"The best of {of} moves"
    wide = max(len(each.move) for each in choices)
    digits = max(len(str(each.points)) for each in choices)
    cells = [f"{each.move:{wide}} {each.points:{digits}}" for each in choices]
    return f"{which} and what they score:", cells


def columns(cells: Sequence[str], width: int) -> list[str]:
    """Words in as many columns as fit, line after line, with two blanks before."""
    wide = max(map(len, cells), default=0) + GAP
    each = max((width - 2 + GAP) // wide, 1)
    rows = (cells[i : i + each] for i in range(0, len(cells), each))
    return [f"  {''.join(f'{c:{wide}}' for c in row)}".rstrip() for row in rows]


class Picture(NamedTuple):
    """A board as lines: as they are printed, which may have colours, and their widths
    in columns."""

    lines: tuple[str, ...] = ()
    widths: tuple[int, ...] = ()

    @property
    def width(self) -> int:
        return max(self.widths, default=0)

    def beside(self, text: Iterable[str]) -> list[str]:
        """The picture with lines of a text on its right."""
        gap = self.width + GAP
        rows = zip_longest(self.lines, self.widths, text)
        return [
            f"{line or ''}{' ' * (gap - (width or 0))}{words}" if words else line or ""
            for line, width, words in rows
        ]


def with_places(
    drawing: Drawing, choices: Iterable[Choice], and_others: bool = False
) -> Drawing:
    """A drawing on which the places of these moves are numbered, and no others unless
    those that the drawing has are kept, too."""
    labels = {
        at: label
        for at, label in drawing.labels.items()
        if and_others or label.kind != "move"
    }
    places = move_labels(at for each in choices for at in each.cells)
    return drawing._replace(labels={**places, **labels})


def picture(drawing: Drawing, small: bool, paint: Paint = UNPAINTED) -> Picture:
    """The picture of a drawing; no lines for one without faces."""
    plain, painted = (
        draw(drawing, small, each).splitlines() if drawing.faces else []
        for each in (UNPAINTED, paint)
    )
    return Picture(tuple(painted), tuple(map(len, plain)))
