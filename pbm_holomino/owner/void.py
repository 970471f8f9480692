"""`pbm void`: a board that counts for nobody."""

import re
from collections.abc import Sequence

from pbm_holomino import place, rules
from pbm_holomino.acts import VOID
from pbm_holomino.match import act
from pbm_holomino.owner import misused
from pbm_holomino.record import NOBODY, Line
from pbm_holomino.request import SHELL, Answer


def run(words: Sequence[str]) -> Answer:
    """Strike a board off: it counts for nobody, and its players hear of it."""
    if (
        len(words) != 2
        or words[0] not in rules.names()
        or not re.fullmatch("[0-9]{1,9}", words[1])
    ):
        raise misused("void")
    robot, _ = place.open_server()
    game, name = words
    if not robot.store.exists(game, name):
        raise robot.library.no_board(game, int(name))
    with robot.store.lock(game, name):
        line = Line(None, robot.now(), NOBODY, SHELL, VOID)
        match = act(robot.library.match(game, int(name)), line)
        robot.library.save_match(match, unsent=len(match.record.log) - 1)
    robot.send_about_board(match)
    return Answer(f"{match.record.name} is struck off.\n")
