"""`pbm void`: a board that counts for nobody."""

import re
from collections.abc import Sequence

from pbm_holomino import rules
from pbm_holomino.commands.request import Answer
from pbm_holomino.match.record import NOBODY, SHELL, Act, Line
from pbm_holomino.match.replay import after
from pbm_holomino.owner import misused
from pbm_holomino.server import open as place


def run(words: Sequence[str]) -> Answer:
    """Strike a board off: it counts for nobody, and its players hear of it."""
    if (
        len(words) != 2
        or words[0] not in rules.names()
        or not re.fullmatch("[0-9]{1,9}", words[1])
    ):
        raise misused("void")
    server, _ = place.open_server()
    game, name = words
    if not server.store.exists(game, name):
        raise server.library.no_board(game, int(name))
    with server.store.lock(game, name):
        line = Line(None, server.now(), NOBODY, SHELL, Act.VOID)
        match = after(server.library.match(game, int(name)), line)
        server.library.save_match(match, unsent=len(match.record.log) - 1)
    server.delivery.send_about_board(match)
    return Answer(f"{match.record.name} is struck off.\n")
