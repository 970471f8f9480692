"""What waits for the robots of a board."""

from typing import NamedTuple

from pbm_holomino.match.board import Match, Offer


def robots_asked(match: Match) -> tuple[str, ...]:
    """The robots that have an offer to answer."""
    offer = match.offer
    if offer is None or match.result is not None:
        return ()
    answered = (offer.who, *offer.accepted, *match.gone)
    return tuple(robot for robot in match.record.robots if robot not in answered)


def robots_due(match: Match) -> tuple[str, ...]:
    """The robots that have something to do: to answer an offer, or else to move."""
    robots = match.record.robots
    if not robots:
        return ()
    return robots_asked(match) or tuple(who for who in match.turn if who in robots)


class Standing(NamedTuple):
    """What a robot thinks about: it changes with moves, offers and their answers, and
    when players drop out; but not with what players say, or plan."""

    moves: tuple[int, ...]
    offer: Offer | None
    gone: tuple[str, ...]
    is_over: bool


def standing(match: Match) -> Standing:
    """What a robot thinks about on a board."""
    return Standing(match.moves, match.offer, (*match.gone,), match.result is not None)
