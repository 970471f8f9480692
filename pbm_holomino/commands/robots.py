"""Robots among the players of a new board."""

from collections.abc import Mapping, Sequence

from pbm_holomino.commands.context import Context
from pbm_holomino.commands.request import Request
from pbm_holomino.errors import NotAllowed
from pbm_holomino.languages import Listed, sentence
from pbm_holomino.match.open_challenge import SOME_ROBOT
from pbm_holomino.store.library import Library

MOST_RUNNING = 5  # boards of one player with robots
# How many rating points each level is worth, while it has no rated games of its own.
_POINTS = {1: 1500, 2: 1750, 3: 2000}


def named(request: Request, context: Context) -> Request:
    """The challenge with a robot's name in the place of `robot`: that of the level
    nearest to the rating of the first player named."""
    if SOME_ROBOT not in request.words or context.people.account(SOME_ROBOT):
        return request  # a person of version 1.0 may have that name
    robots = context.library.robots
    others = [w for w in request.words if w != SOME_ROBOT and w not in robots]
    who = others[0] if others else ""
    found = _nearest(who, request.game, robots, context.library)
    words = (found if word == SOME_ROBOT else word for word in request.words)
    return request._replace(words=tuple(words))


def _nearest(who: str, game: str, robots: Mapping[str, int], library: Library) -> str:
    """The robot that suits a player; the first for one without a rated game."""
    from pbm_holomino.store.ratings import current_ratings  # few challenges need them

    ratings = current_ratings(library, game)
    if who not in ratings:
        return next(iter(robots))
    points = {
        robot: ratings[robot].points if robot in ratings else _POINTS[level]
        for robot, level in robots.items()
    }
    return min(points, key=lambda robot: abs(points[robot] - ratings[who].points))


def check_may_play(
    people: Sequence[str], robots: Sequence[str], is_rated: bool, context: Context
) -> None:
    """Raises NotAllowed if these people may not play another game against robots, or
    not one that counts."""
    if not people and not context.by_owner:
        raise NotAllowed(
            sentence(
                "Only the owner of the server can open a game for robots alone: please "
                "name at least one player who is not a robot."
            )
        )
    if is_rated and not context.robots.are_rated:
        raise NotAllowed(
            sentence(
                "On this server games against robots do not count: please leave out "
                "-rated."
            )
        )
    ours = context.library.robots.keys()
    for who in people:
        running = context.library.lists.boards_of([who], "active").boards
        boards = [board.name for board in running if ours & set(board.players)]
        if len(boards) >= MOST_RUNNING:
            raise NotAllowed(
                sentence(
                    "{player} already plays {number} boards with robots: {boards}. "
                    "Please end one of them first.",
                    player=who,
                    number=len(boards),
                    boards=Listed(boards),
                )
            )
