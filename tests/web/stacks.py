"""Boards on which a tile can be put on top of others, in the games that have that."""

from pbm_holomino.rules import load, names
from tests.house import House

STACKING = [
    name
    for name in names()
    if any(figure.heights for figure in load(name).FIGURES.values())
]


def to_top(house: House, game: str, number: int) -> str:
    """Play the first legal move, until one can be made on top of others; that one."""
    for _ in range(40):
        match = house.library.match(game, number)
        taken, who = match.view(None).drawing.faces, match.turn[0]
        legal = match.rules.legal(match.state, match.record.players.index(who))
        for move in legal:
            if {*match.rules.covers(move)} <= {*taken}:
                return match.rules.format_move(move)
        first = match.rules.format_move(legal[0])
        line = f"{game} move {number} {who} {{{who}}} {first}"
        assert house.type(line).status == 0
    raise AssertionError("no move on top")
