"""`pbm void`: cancel a game, so that it counts for nobody."""

from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.match.record import NOBODY, SHELL, Act, Line
from pbm_holomino.match.replay import after
from pbm_holomino.server import open as opener


def run(request: Request) -> Answer:
    """Cancel a game, and tell its players. The request's word is the game."""
    server, _ = opener.open_server()
    (game,), name = request.words, str(request.board)
    if not server.store.exists(game, name):
        raise server.library.no_board(game, request.board)
    with server.store.lock(game, name):
        line = Line(None, server.now(), NOBODY, SHELL, Act.VOID)
        match = after(server.library.match(game, request.board), line)
        server.library.save_match(match, unsent=len(match.record.log) - 1)
    server.delivery.send_about_board(match)
    return Answer(f"{match.record.name} is cancelled.\n")
