"""Questions about odd positions, and what the rules answer.

Somebody who has read nothing but the rules in one language has answered those in
`asked/`. The answers are compared with the engine; and what decides each, which is in
`quoted/`, has to be in the rules in that language.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_HOME = Path(__file__).parent
CODES = sorted(path.stem for path in (_HOME / "quoted").glob("*.txt"))


class Question(NamedTuple):
    """A position, and what is asked of it.

    On the board on which these tiles `lie`, the first of which was the first of the
    game, a player who has the right tile makes a `move`. Cells 1 to 6 lie round the
    first, clockwise from the north, and 7 to 18 round those, from two to the north.
    The `answer` is `no` if the move is not legal; otherwise what it scores, or what
    else is asked: who moves `next`, the `same` player, the `other`, or nobody, as it
    is `over`; and in Hextup `how` it is, as it `plays` or `wins`, how many numbers are
    `joined`, and how many the other player has `left`. Where it is asked who moves
    next, `hands` are the tiles of both, and `sack` is what is left to be drawn.
    """

    name: str
    lie: str
    move: str
    answer: str
    asks: str = "score"
    hands: str = "/"
    sack: str = ""
    options: str = ""


def questions(game: str) -> Iterator[Question]:
    """The questions about a game, which are written a line each: `name | tiles | move |
    answer`, and then `word=...` for what else there is."""
    for line in (_HOME / "asked" / f"{game}.txt").read_text("utf-8").splitlines():
        name, lie, move, answer, *more = map(str.strip, line.split("|"))
        yield Question(name, lie, move, answer, **dict(w.split("=", 1) for w in more))


def quotations(code: str, game: str) -> dict[str, str]:
    """What decides each question in the rules in this language, by their names: below
    each quotation are those of its questions, and above a game's is its own."""
    text = (_HOME / "quoted" / f"{code}.txt").read_text("utf-8")
    found, quotation, at = dict[str, str](), "", ""
    for line in filter(None, text.splitlines()):
        if line.startswith("["):
            at = line.strip("[]")
        elif not line.startswith("  "):
            quotation = line
        elif at == game:
            found |= dict.fromkeys(map(str.strip, line.split(",")), quotation)
    return found
