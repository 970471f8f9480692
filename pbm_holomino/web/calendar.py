"""A player's deadlines as a calendar (RFC 5545), for programs that show one."""

import re
from collections.abc import Iterator

from starlette.responses import Response

from pbm_holomino.match.account import Player, is_userid
from pbm_holomino.match.tokens import is_same, token
from pbm_holomino.store.people import People
from pbm_holomino.store.summary import Summary
from pbm_holomino.web.visit import NoPage, Visit

_LONGEST = 73  # characters of a line, which has 75 bytes at most


def path(visit: Visit, player: Player) -> str:
    """The address of a player's calendar. Its token is good for nothing else, and
    changes with the password."""
    words = ("calendar", player.userid, player.password)
    proof = token(visit.library.key, words)
    return visit.site.path("calendar", player.userid, f"{proof}.ics")


def calendar(visit: Visit) -> Response:
    """The calendar at an address. Raises NotFound, or TooMany."""
    userid = visit.word("userid")
    player = People(visit.library).readable(userid) if is_userid(userid) else None
    filename = path(visit, player).rpartition("/")[2] if player else ""
    if player is None or not is_same(filename, visit.word("file")):
        visit.allowance.answers.open_wrong_link()
        raise NoPage
    boards = visit.library.lists.boards_of([userid], "next").boards
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//pbm_holomino//EN",
        "X-WR-CALNAME:pbm_holomino",
        *(line for board in boards for line in _event(visit, board, userid)),
        "END:VCALENDAR",
    ]
    text = "".join(f"{_folded(line)}\r\n" for line in lines)
    headers = {"Cache-Control": "no-store"}
    return Response(text, headers=headers, media_type="text/calendar")


def _event(visit: Visit, board: Summary, userid: str) -> Iterator[str]:
    """The event of a board whose player runs out of time some day."""
    wait = board.waits.get(userid)
    if wait is None or not wait.until:
        return
    domain = visit.site.config.domain
    yield "BEGIN:VEVENT"
    yield f"UID:{board.game}.{board.board}.{userid}@{domain}"
    yield f"DTSTAMP:{_moment(visit.now)}"
    yield f"DTSTART:{_moment(wait.until)}"
    yield f"SUMMARY:{board.name}: the last moment to move"
    if visit.site.address:
        yield f"URL:{visit.site.address}/{board.game}/{board.board}"
    yield "END:VEVENT"


def _moment(time: str) -> str:
    return re.sub("[-:]", "", time)


def _folded(line: str) -> str:
    """A line of ASCII, broken as the format wants it."""
    pieces = [line[at : at + _LONGEST] for at in range(0, len(line), _LONGEST)]
    return "\r\n ".join(pieces)
