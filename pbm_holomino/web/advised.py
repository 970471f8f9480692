"""What a page says of a move that a robot advises: what it closes, opens and risks."""

from typing import Any

from pbm_holomino.errors import BadMove
from pbm_holomino.languages import Sentence, Text, sentence, together
from pbm_holomino.match.board import Match
from pbm_holomino.robots.reasons import risk
from pbm_holomino.store.robot_jobs import Advice
from pbm_holomino.web import boards

_SECOND = sentence("The second best move is {move}.")
_OPENS = sentence(
    "It opens the way to {move}, with which your opponent would score {points}."
)


def said(match: Match, who: str, advice: Advice) -> Sentence:
    """Why a player may choose the advised move, and what the second best one does."""
    about = _about(match, who, advice.move, advice.reason)
    if advice.second_reason is None:
        return together(about)
    second = _about(match, who, advice.second, advice.second_reason)
    return together([*about, _SECOND.of(move=advice.second), *second])


def _about(match: Match, who: str, move: str, reason: Sentence) -> list[Text]:
    """What a move does, what it opens, and what the others can do then."""
    does, opens = boards.its_effect(match, who, move), _opened(match, who, move)
    return [said for said in (does, opens, risk(str(reason)) or reason) if said]


def _opened(match: Match, who: str, move: str) -> Text:
    """The best of the answers that would score more than before, if there is only one
    opponent; empty if there is none, or if points do not decide the game."""
    game, state, seat = match.rules, match.state, match.record.players.index(who)
    if len(match.record.players) > 2 or not game.SCORING.decides:
        return ""
    try:
        after, _ = game.play(state, seat, game.parse_move(state, seat, move))
    except BadMove:  # it was advised by another edition of the rules
        return ""
    before, now = (_gains(game, board, 1 - seat) for board in (state, after))
    more = [(n, answer) for answer, n in now.items() if n > before.get(answer, 0)]
    points, best = max(more, default=(0, ""))
    return _OPENS.of(move=best, points=points) if best else ""


def _gains(game: Any, state: Any, seat: int) -> dict[str, int]:
    """What each move of a seat would score on a board."""
    moves = game.legal(state, seat)
    gains = game.gains(state, moves)
    return dict(zip(map(game.format_move, moves), gains, strict=True))
