"""What other sites and programs show of games: a picture of a board, for those who
share its link, and feeds of what happens (Atom, RFC 4287)."""

import hashlib
from collections.abc import Iterator, Sequence

from starlette.responses import Response

from pbm_holomino import rules
from pbm_holomino.draw import png, svg
from pbm_holomino.languages import Listed, Text, sentence, together
from pbm_holomino.letters import screen
from pbm_holomino.letters.images import Image, image
from pbm_holomino.match.board import Match
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.store.summary import Summary
from pbm_holomino.web import boards
from pbm_holomino.web.playing import match_of
from pbm_holomino.web.visit import NoPage, Visit

_WIDEST, _NARROWER = 1000, 0.85  # pixels of a picture, and of one that is too large
_LEAST = 640, 336  # units: a few tiles do not fill it
_MOST_BYTES = 100_000
_MOST_ENTRIES = 40  # of a feed
_KEPT = "public, max-age=31536000, immutable"

# Pictures


def picture(visit: Visit) -> Response:
    """The picture of a board as everybody sees it, for other sites, which know it by
    the board's revision. It is drawn once. Raises NotFound."""
    match, revision = match_of(visit), visit.word("revision")
    if not visit.site.public_address or not png.is_possible():
        raise NoPage
    if revision != boards.revision(match):
        return visit.redirect(visit.game, visit.board, f"{boards.revision(match)}.png")
    key = "picture", match.record.name, revision
    found = visit.site.pages.get(key)
    if found is None:
        shown = image(match, None)
        if shown is None:
            raise NoPage
        found = (_drawn(shown),)
        visit.site.pages.put(key, found)
    headers = {"Cache-Control": _KEPT, "Cross-Origin-Resource-Policy": "cross-origin"}
    return Response(found[0], 200, headers, "image/png")


def _drawn(shown: Image) -> bytes:
    """The picture, as wide as its bytes allow."""
    document, width = svg.draw(shown.drawing, "", "", _LEAST), float(_WIDEST)
    drawn = png.render(document, _WIDEST)
    while len(drawn) > _MOST_BYTES:
        width *= _NARROWER
        drawn = png.render(document, round(width))
    return drawn


# Feeds


class Entry(NamedTuple):
    """Something that has happened: its path below the front page, which also names it,
    when it happened, and what it was."""

    path: str
    time: str
    title: Text
    said: Text


_LATEST = sentence("{game}: games as they go on")
_BOARD = sentence("{board}: {players}")
_MOVES = sentence("{board}: every move")
_MOVED = sentence("Move {number}: {player} played {move}")
_AT_MOVE = sentence("Move {number}.")


def feed_of_game(visit: Visit) -> Response:
    """The boards of a game that have changed last."""
    name, lists = visit.game, visit.library.lists
    running = lists.boards_of([], "active", [name]).boards
    ended = lists.last_ended(name, _MOST_ENTRIES).boards
    latest = sorted([*running, *ended], key=lambda one: one.last_change, reverse=True)
    entries = [*map(_of_board, visit.in_lists(latest[:_MOST_ENTRIES]))]
    title = _LATEST.of(game=rules.load(name).TITLE)
    return _feed(visit, title, name, entries)


def _of_board(board: Summary) -> Entry:
    title = _BOARD.of(board=board.name, players=Listed(board.players))
    said: Text = board.verdict
    if board.result is None:
        whose = screen.WHOSE_TURN.of(n=len(board.turn), players=Listed(board.turn))
        said = together([_AT_MOVE.of(number=board.ply), whose])
    return Entry(f"{board.game}/{board.board}", board.last_change, title, said)


def feed_of_board(visit: Visit) -> Response:
    """The last moves of a board, and its end."""
    match = match_of(visit)
    entries = [*_moves(match)][::-1][:_MOST_ENTRIES]
    here = f"{visit.game}/{visit.board}"
    return _feed(visit, _MOVES.of(board=match.record.name), here, entries)


def _moves(match: Match) -> Iterator[Entry]:
    """What has happened on a board, in its order."""
    record, here = match.record, f"{match.record.game}/{match.record.board}"
    for ply, index in enumerate(match.moves, 1):
        line = match.public_line(index)
        title = _MOVED.of(number=ply, player=line.who, move=str(line.action))
        said = screen.sentences(match, match.steps[index].events, None)
        yield Entry(f"{here}/{ply}", line.time, title, together(said))
    if match.result is not None:
        yield Entry(here, record.log[-1].time, screen.ending(match), "")


def _feed(visit: Visit, title: Text, path: str, entries: Sequence[Entry]) -> Response:
    """A feed of these entries, the latest in front; nothing for a program that has it
    already. Raises NotFound where strangers may see no boards, or the pages do not know
    their address."""
    if not visit.site.public_address:
        raise NoPage
    shown = visit.text("feed.xml", title=title, path=path, entries=entries)
    headers = {"ETag": f'"{hashlib.sha256(shown).hexdigest()[:20]}"'}
    if headers["ETag"] in visit.http.headers.get("If-None-Match", ""):
        return Response(status_code=304, headers=headers)
    return Response(shown, 200, headers, "application/atom+xml")
