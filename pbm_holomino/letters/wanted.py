"""Which letters about a board a player wants."""

from pbm_holomino.match.account import ALL, TURNS, Player
from pbm_holomino.match.board import Match
from pbm_holomino.match.record import PRIVATE, Act


def is_wanted(match: Match, index: int, player: Player) -> bool:
    """Whether a player wants the letter about a line of a board's log. Answers to their
    own commands, the end of a game, and words for them come whatever they have chosen:
    nothing else would bring them."""
    line = match.record.log[index]
    if player.letters == ALL or line.who == player.userid:
        return True
    then = match.at(match.last_told(index))
    if then.result is not None or _brings_words(match, index, player):
        return True
    return player.letters == TURNS and _asks(match, index, then, player.userid)


def _brings_words(match: Match, index: int, player: Player) -> bool:
    """Whether another player's words came with the line, for this player to read."""
    line = match.record.log[index]
    is_said = bool(match.record.notes.get(index)) and line.action not in PRIVATE
    return is_said and line.who not in player.blocked


def _asks(match: Match, index: int, then: Match, who: str) -> bool:
    """Whether the letter about a line asks something of a player: to move, or to answer
    an offer or a challenge."""
    offer = then.offer
    if who in then.record.unanswered:
        return True
    if offer is not None and who not in (offer.who, *offer.accepted, *then.gone):
        return True
    return who in then.turn and not _plays_beside(match, index, then, who)


def _plays_beside(match: Match, index: int, then: Match, who: str) -> bool:
    """Whether a line is a move that another player made at the same time as this one is
    to move, and which so changes nothing for them."""
    is_move = not isinstance(match.record.log[index].action, Act)
    return is_move and then.turn_began(who) < index
