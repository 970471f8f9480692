"""The link in a letter about a board.

Programs that look through mail follow links, so looking at one changes nothing and
signs nobody in: a button does that, for that board and the present turn alone.
"""

from contextlib import suppress

from starlette.responses import Response

from pbm_holomino.errors import NotAllowed, NotBegun, NotFound
from pbm_holomino.languages import sentence
from pbm_holomino.match.account import is_userid
from pbm_holomino.match.board import Match
from pbm_holomino.match.tokens import Tokens
from pbm_holomino.store.people import People
from pbm_holomino.web import boards, sessions
from pbm_holomino.web.playing import match_of
from pbm_holomino.web.sessions import SESSION
from pbm_holomino.web.visit import Visit, is_fresh


def page(visit: Visit) -> Response:
    """The board as everybody sees it, and the button."""
    match, line, reader = _asked(visit)
    return visit.page(
        "link.html",
        **boards.context(match, None, visit.language),
        who=reader,
        is_fresh=is_fresh(match, line, reader),
    )


def sign_in(visit: Visit) -> Response:
    """Sign the reader of the letter in for this turn on this board."""
    match, line, reader = _asked(visit)
    record = match.record
    response = visit.redirect(record.game, record.board)
    if visit.player is not None and visit.player.userid == reader:
        return response  # they already can do more
    letter = f"{record.game}.{record.board}.{line}"
    here = visit.signed_in
    if here and (here.player.userid, here.session.letter) == (reader, letter):
        return response
    player = People(visit.library).player(reader)
    if player is None or not is_fresh(match, line, reader):
        raise NotAllowed(
            sentence(
                "This link is from an earlier letter about {board}. Please use the one "
                "in the latest letter, or sign in with your password.",
                board=record.name,
            )
        )
    cookie = sessions.begin(visit.library, player, visit.now, letter)
    visit.site.cookies.put(response, SESSION, cookie)
    return response


def _asked(visit: Visit) -> tuple[Match, int, str]:
    """The board, the line and the reader of the letter whose link this is. Raises
    NotAllowed: also where there is no such board, so that nobody learns which there
    are; or TooMany."""
    with suppress(NotFound, NotBegun):
        match, number = match_of(visit), visit.number("line")
        reader = visit.word("reader")
        if is_userid(reader) and reader in match.record.players:
            tokens = Tokens(visit.library.key, match)
            line = tokens.linked(number, reader, visit.word("proof"))
            if line is not None:
                return match, line, reader
    visit.allowance.answers.open_wrong_link()
    raise NotAllowed(
        sentence("This link is not valid: please open the one in the letter.")
    )
