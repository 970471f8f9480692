"""What is said of a line that a player thinks over, and what programs read of it."""

from collections.abc import Sequence
from typing import Any

from pbm_holomino.languages import Sentence, sentence
from pbm_holomino.letters.content import Paragraph
from pbm_holomino.match.analysis import Analysis, Turn

LEFT_OPEN = sentence(
    'A tile that is shown as "?" is one whose draw is left open. To choose it, put '
    '"draw:" and its name right after the move that brings the draw; to have all of '
    'them drawn by chance, add "-sample".'
)
CHANCE_NEXT = sentence(
    "Something comes by chance now, before the line can go on. To choose it, put "
    '"draw:" and what comes after the last move, as in "draw:R"; to have it drawn, add '
    '"-sample".'
)
_MOVED = sentence("{number}. {player}: {move}")
_MOVED_AND_DRAWN = sentence("{number}. {player}: {move} (drawn: {tiles})")


def line_told(found: Analysis) -> Sequence[Paragraph]:
    """The moves of a line, one below the other."""
    numbered = enumerate(found.turns, found.since + 1)
    return [Paragraph(_turn(number, turn), "", "    ") for number, turn in numbered]


def _turn(number: int, turn: Turn) -> Sentence:
    said = _MOVED_AND_DRAWN if turn.draws else _MOVED
    drawn = " ".join(turn.draws)
    return said.of(number=number, player=turn.who, move=turn.move, tiles=drawn)


def to_fields(found: Analysis) -> dict[str, Any]:
    """What JSON has of an analysis, beside its position."""
    moves = [f"{turn.who} {turn.move}" for turn in found.turns]
    draws = [list(turn.draws) for turn in found.turns]
    return {
        "since": found.since,
        "line": list(found.words),
        "moves": moves,
        "draws": draws,
        "open": found.is_open,
    }
