"""`pbm void`: cancel a game, so that it does not count."""

from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.letters.letter import Due
from pbm_holomino.match import ledgers
from pbm_holomino.match.record import NOBODY, Act, Line, typed_source
from pbm_holomino.server import open as opener


def run(request: Request) -> Answer:
    """Cancel a game, and tell its players. The request's word is the game."""
    server, _ = opener.open_existing()
    (game,), name = request.words, str(request.board)
    if not server.store.exists(game, name):
        raise server.library.missing(game, name)
    with server.store.lock(game, name):
        line = Line(None, server.now(), NOBODY, typed_source(), Act.VOID)
        match = ledgers.load(game).after(
            server.library.board(game, request.board), line
        )
        server.library.save(match, unsent=len(match.record.log) - 1)
    server.delivery.deliver([Due.of(match)])
    return Answer(f"{match.record.name} is cancelled.\n")
