"""Games that somebody looks for, by player, game, result and day; and what is kept of
a player, to take away."""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import chain

from starlette.responses import Response

from pbm_holomino import rules
from pbm_holomino.errors import (
    BadCommand,
    NotAllowed,
    NotFound,
    PbmError,
    TooMany,
)
from pbm_holomino.languages import Sentence, Text, sentence
from pbm_holomino.letters import exports
from pbm_holomino.match.account import NO_PLAYER, is_userid
from pbm_holomino.sentences import quoted
from pbm_holomino.store import shelves
from pbm_holomino.store.summary import Summary
from pbm_holomino.web.lobby import page_asked
from pbm_holomino.web.profiles import HIDES, shows
from pbm_holomino.web.visit import NoPage, Visit, status_of

_MOST = 40  # boards of a page
_MOST_ENDED = 500  # boards of each game that are looked through, if no player is named
_PART = 500  # games of one file
_PARTS_PER_HOUR = 20
_DAY = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"

Judge = Callable[[Summary, str], bool]  # of a board, for a player, if one is named


def _winners(board: Summary) -> tuple[str, ...]:
    return board.result.winners if board.result else ()


# What can be said of a result, and by what it is known.
_RESULTS: dict[str, tuple[Sentence, Judge]] = {
    "": (sentence("any"), lambda board, who: True),
    "running": (sentence("being played"), lambda board, who: board.result is None),
    "won": (
        sentence("won"),
        lambda board, who: (
            _winners(board) == (who,) if who else len(_winners(board)) == 1
        ),
    ),
    "lost": (
        sentence("lost"),
        lambda board, who: bool(_winners(board)) and who not in _winners(board),
    ),
    "tied": (
        sentence("tied"),
        lambda board, who: (
            len(_winners(board)) > 1 and (not who or who in _winners(board))
        ),
    ),
    "cancelled": (
        sentence("cancelled"),
        lambda board, who: board.result is not None and not _winners(board),
    ),
}
_NAMES = ("player", "against", "game", "result", "since", "until")


def search(visit: Visit) -> Response:
    """The form, and the games that it asks for, those that changed last in front."""
    asked = {name: visit.query(name).strip() for name in _NAMES}
    said: Text = ""
    status, found, page = 200, list[Summary](), 1
    try:
        page = page_asked(visit)
        found = _found(visit, asked) if visit.http.query_params else []
    except NoPage:
        raise
    except PbmError as error:
        said, status = error.said, status_of(error)
    first = (page - 1) * _MOST
    return visit.page(
        "search.html",
        status,
        asked=asked,
        results={word: said for word, (said, _) in _RESULTS.items()},
        said=said,
        is_asked=bool(visit.http.query_params) and not said,
        found=visit.in_lists(found[first : first + _MOST]),
        number=len(found),
        most=_MOST_ENDED,
        next_page=page + 1 if len(found) > first + _MOST else 0,
    )


def _found(visit: Visit, asked: Mapping[str, str]) -> list[Summary]:
    """The games that are asked for. Raises BadCommand, NotFound or NotAllowed."""
    players = [_player(visit, asked[name]) for name in ("player", "against")]
    who, other = players
    games = rules.names() if not asked["game"] else [asked["game"]]
    if asked["game"] not in ("", *rules.names()) or asked["result"] not in _RESULTS:
        raise NoPage
    since, until = _day(asked["since"]), _day(asked["until"])
    until = f"{until}~" if until else "~"
    _, fits = _RESULTS[asked["result"]]
    if asked["result"] == "lost" and not who:
        raise BadCommand(sentence("Please say which player has lost."))
    boards = _boards(visit, [name for name in players if name], games, until)
    wanted = [
        board
        for board in boards
        if since <= board.last_change <= until
        and {*filter(None, players)} <= {*board.players}
        and fits(board, who)
    ]
    return sorted(wanted, key=lambda board: board.last_change, reverse=True)


def _boards(
    visit: Visit, players: Sequence[str], games: Sequence[str], until: str
) -> Sequence[Summary]:
    """The boards of these games to be looked through."""
    lists = visit.library.lists
    if players:
        return lists.boards_of(players[:1], "all", games).boards
    boards = lists.boards_of([], "active", games).boards
    for game in games:
        boards = [*boards, *lists.last_ended(game, _MOST_ENDED, until).boards]
    return boards


def _player(visit: Visit, word: str) -> str:
    """The player whom a word names, or none. Raises NotFound, or NotAllowed where they
    show no games."""
    name = word.lower()
    if not name:
        return ""
    if not is_userid(name) or not visit.library.knows(name):
        raise NotFound(NO_PLAYER)
    if not shows(visit, name):
        raise NotAllowed(HIDES.of(player=name))
    return name


def _day(word: str) -> str:
    """A day that was typed, or none. Raises BadCommand."""
    if word and not re.fullmatch(_DAY, word):
        raise BadCommand(
            sentence(
                "{word} is not a day: a day looks like 2026-11-20.",
                word=quoted(word[:30]),
            )
        )
    return word


# What is kept of oneself, to take away


def parts(visit: Visit, userid: str) -> int:
    """How many files a player takes away: the first has the account, too."""
    return max(1, -(-len(_own(visit, userid)) // _PART))


def _own(visit: Visit, userid: str) -> list[Summary]:
    boards = visit.library.lists.boards_of([userid], "all").boards
    return sorted(boards, key=lambda board: (board.game, board.board))


def download(visit: Visit) -> Response:
    """What is kept of a player, as a ZIP file: the records of their games as everybody
    may read them, and in the first part the account. Raises NotFound or TooMany."""
    player, part = visit.must_be_player(), visit.number("part")
    who = player.userid
    if not 1 <= part <= parts(visit, who):
        raise NoPage
    boards = _own(visit, who)[(part - 1) * _PART : part * _PART]
    claims = {f"{who} downloads": (1, _PARTS_PER_HOUR)}
    if not visit.library.store.counters.claim("strangers", visit.now[:13], claims):
        raise TooMany(
            sentence(
                "You have taken {most} files with games in this hour. Please come back "
                "in the next.",
                most=_PARTS_PER_HOUR,
            ),
            "downloads",
        )
    headers = {
        "Content-Disposition": f'attachment; filename="{who}-{part}.zip"',
        "Cache-Control": "no-store",
    }
    noted = exports.notes(shelves.notebooks(visit.library, who))
    told = chain([exports.account_file(player, visit.now)], noted) if part == 1 else ()
    games = exports.games(boards, visit.library.match, who)
    packed = exports.packed(chain(told, games))
    return Response(packed.content, 200, headers, exports.KIND)
