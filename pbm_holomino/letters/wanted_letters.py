"""Which letters about a board a player wants."""

from pbm_holomino.match.account import ALL, TURNS, Player
from pbm_holomino.match.board import Match
from pbm_holomino.match.record import PRIVATE
from pbm_holomino.match.tokens import outdated


def is_wanted(match: Match, index: int, player: Player) -> bool:
    """Whether a player wants the letter about a line of a board's log. Answers to their
    own commands, also those that robots give, the end of a game, and words for them
    come whatever they have chosen: nothing else would bring them."""
    if player.letters == ALL or player.userid in match.authors(index):
        return True
    then = match.at(match.last_told(index))
    if then.result is not None or _brings_words(match, index, player):
        return True
    return player.letters == TURNS and _asks_anew(match, index, then, player.userid)


def _brings_words(match: Match, index: int, player: Player) -> bool:
    """Whether another player's words came with the line, for this player to read."""
    line = match.record.log[index]
    is_said = bool(match.record.notes.get(index)) and line.action not in PRIVATE
    return is_said and line.who not in player.blocked


def _asks_anew(match: Match, index: int, then: Match, who: str) -> bool:
    """Whether something is asked of a player after a line that was not asked before, or
    that no earlier letter can be answered with any more."""
    asked = _asked(then, who)
    before = _asked(match.at(index - 1), who) if index else set()
    return bool(asked - before or (asked and outdated(then, index - 1, who)))


def _asked(match: Match, who: str) -> set[str]:
    """What is asked of a player: to move, or to answer an offer or the challenge."""
    offer = match.offer
    asked = {
        "challenge": who in match.record.unanswered,
        "move": who in match.turn,
        "offer": offer is not None
        and who not in (offer.who, *offer.accepted, *match.gone),
    }
    return {what for what, is_asked in asked.items() if is_asked}
