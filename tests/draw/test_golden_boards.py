"""A board of the first games in every form: large with the mark of its last tile,
small, and in words, to the character.

The texts in `boards/` were checked by hand against the rules: what lies where and in
which cell its numbers are, which halves touch, what an empty cell asks for. Nothing
writes them: a change of a form changes them, and they are read again.
"""

from pathlib import Path

import pytest

from pbm_holomino.draw.text import draw
from pbm_holomino.draw.words import describe
from pbm_holomino.rules.contract import Drawing, Label, move_labels
from pbm_holomino.rules.games import hextol, walomino

HEXTOL = hextol.GAME
WALOMINO = walomino.GAME

TEXTS = Path(__file__).parent / "boards"
BOARDS = {
    # At 5 two corners ask for 4: nothing can ever lie there.
    "holo": Drawing(
        "bitten",
        {0: "134", 3: "342", 6: "214"},
        labels=move_labels((1, 4, 11)) | {5: Label("x", "blocked")},
        last=(6,),
    ),
    "hextol": HEXTOL.FIGURES["move"]._replace(
        labels=move_labels((8, 36, 37)), last=(7, 19)
    ),
    "walomino": WALOMINO.FIGURES["third"]._replace(
        labels=dict(WALOMINO.FIGURES["third"].labels) | move_labels((10, 23)),
        last=(25, 24),
    ),
}


def in_every_form(drawing: Drawing) -> str:
    """A board large, small, and in words."""
    words = "\n\n".join("\n".join(map(str, lines)) for lines in describe(drawing))
    return "\n".join((draw(drawing), draw(drawing, small=True), f"{words}\n"))


@pytest.mark.parametrize("name", BOARDS)
def test_a_board_in_every_form(name: str) -> None:
    assert in_every_form(BOARDS[name]) == (TEXTS / f"{name}.txt").read_text()
