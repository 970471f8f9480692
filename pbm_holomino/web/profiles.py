"""The page of a player: ratings, results against others, and games."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from markupsafe import Markup
from starlette.responses import Response

from pbm_holomino import rules
from pbm_holomino.commands import results
from pbm_holomino.commands.accounts import check_room_for_letter
from pbm_holomino.commands.results import Score
from pbm_holomino.draw import course
from pbm_holomino.errors import BadCommand, NotAllowed, NotFound, TooMany
from pbm_holomino.languages import Day, Language, Text, of_number, sentence
from pbm_holomino.letters import to_owner
from pbm_holomino.match.account import NO_PLAYER, Player, is_userid
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.store.people import People
from pbm_holomino.store.summary import Summary, tallied
from pbm_holomino.web import sessions
from pbm_holomino.web.challenging import HOW_IT_PLAYS
from pbm_holomino.web.figures import inline
from pbm_holomino.web.tournaments import latest
from pbm_holomino.web.visit import Visit

HIDES = sentence("{player} shows games and results to nobody.")
_MOST_ENDED = 50  # boards in a list
MOST_FOLLOWED = 100
_MOST_FOLLOWED_BOARDS = 20
_MOST_REPORTS = 5  # by a player in a day
_MOST_LETTERS = 5_000  # of what they say
_MOST_OTHERS = 100  # rows of a table


def player(visit: Visit, told: Text = "") -> Response:
    """A player, under a word about what has just been done. What their games have come
    to is for others only as they like."""
    name = visit.word("userid")
    if not visit.library.knows(name):
        raise NotFound(NO_PLAYER)
    is_robot = visit.library.is_robot(name)
    level = visit.library.robots[name] if is_robot else 0
    is_shown, people = shows(visit, name), People(visit.library)
    found = visit.library.lists.boards_of([name], "all").boards if is_shown else []
    boards = sorted(found, key=lambda board: board.last_change, reverse=True)
    return visit.page(
        "player.html",
        name=name,
        told=told,
        is_followed=visit.player is not None and name in visit.player.follows,
        can_report=bool(visit.site.config.owner),
        level=level,
        how=HOW_IT_PLAYS.get(level, ""),
        is_shown=is_shown,
        hidden_by=HIDES.of(player=name),
        hides=not _is_public(visit, name),
        tournaments=[t for t in latest(visit) if is_shown and name in t.players],
        ratings=list(_ratings(visit, name, boards)),
        others=[
            (other, score)
            for other, score in against(name, boards)[:_MOST_OTHERS]
            if not people.is_nameless(other)
        ],
        running=[board for board in boards if board.result is None],
        ended=visit.in_lists(
            [board for board in boards if board.result is not None][:_MOST_ENDED]
        ),
    )


def shows(visit: Visit, name: str) -> bool:
    """Whether the games and results of a player, or a robot, are shown to this
    reader."""
    is_own = visit.player is not None and visit.player.userid == name
    return is_own or _is_public(visit, name)


def _is_public(visit: Visit, name: str) -> bool:
    account = People(visit.library).readable(name)
    is_open = account is not None and account.profile
    return is_open or visit.library.is_robot(name)


# Following, and reporting


def follow(visit: Visit) -> Response:
    """Follow a player, or no longer."""
    me, other = visit.must_be_player(), visit.word("userid")
    follows = visit.field("value") == "on"
    if not is_userid(other) or not visit.library.knows(other):
        raise NotFound(NO_PLAYER)
    if other == me.userid:
        raise NotAllowed(sentence("You cannot follow yourself."))

    def changed(had: Player) -> Player:
        others = tuple(name for name in had.follows if name != other)
        if follows and len(others) >= MOST_FOLLOWED:
            raise NotAllowed(
                sentence(
                    "You can follow at most {most} players.",
                    most=MOST_FOLLOWED,
                )
            )
        return had._replace(follows=(*others, other) if follows else others)

    sessions.change(visit.library, me.userid, changed)
    return visit.redirect("players", other)


def followed(visit: Visit) -> dict[str, Any]:
    """The players whom this one follows, and the boards of those who show them that
    have changed last, without this player's own."""
    me = visit.must_be_player()
    knows = visit.library.knows
    names = [name for name in me.follows if knows(name)]
    shown = [name for name in names if shows(visit, name)]
    boards = visit.library.lists.boards_of(shown, "active").boards if shown else []
    theirs = [board for board in boards if me.userid not in board.players]
    theirs.sort(key=lambda board: board.last_change, reverse=True)
    return {"followed": names, "theirs": theirs[:_MOST_FOLLOWED_BOARDS]}


def report(visit: Visit) -> Response:
    """Write to the owner about a player."""
    me, other = visit.must_be_player().userid, visit.word("userid")
    site, owner = visit.site, visit.site.config.owner
    if not is_userid(other) or not visit.library.knows(other) or not owner:
        raise NotFound(NO_PLAYER)
    words = "".join(c if c.isprintable() or c == "\n" else " " for c in _text(visit))
    if not words:
        raise BadCommand(sentence("Please say what is wrong."))
    check_room_for_letter(visit.library)
    counters, day = visit.library.store.counters, visit.now[:10]
    if counters.claim("strangers", day, {f"report {visit.source}": (1, 1)}):
        if not counters.claim("strangers", day, {f"{me} reports": (1, _MOST_REPORTS)}):
            raise TooMany(
                sentence(
                    "You have written to the owner {most} times today. Please do so "
                    "again tomorrow.",
                    most=_MOST_REPORTS,
                ),
                "reports",
            )
        letter = to_owner.report(me, other, words, owner, visit.source)
        site.server.delivery.send([letter])
    said = sentence("The owner of this server gets what you have written.")
    return player(visit, said)


def _text(visit: Visit) -> str:
    return visit.field("text").replace("\r\n", "\n")[:_MOST_LETTERS]


class _Rating(NamedTuple):
    """A player's results in a game, the points of their rating, and a picture of how
    these have changed, if there is more than one."""

    game: str
    points: int
    score: Score
    picture: Markup


def _ratings(visit: Visit, name: str, boards: Sequence[Summary]) -> Iterable[_Rating]:
    for game in rules.names():
        tally = tallied(board for board in boards if board.game == game).get(name)
        went = visit.site.courses.of(game, name) if tally else ()
        if tally and went:
            drawn = _drawn(game, tuple(went), visit.language)
            yield _Rating(game, went[-1][1], results.score(tally), drawn)


_COURSE = of_number(
    "{game}: the rating after {n} game, now {points}",
    "{game}: the rating after each of {n} games, from {first} to {points}",
)


@lru_cache(maxsize=1_000)
def _drawn(game: str, went: tuple[tuple[str, int], ...], language: Language) -> Markup:
    if len(went) < 2:
        return Markup()
    title = rules.load(game).TITLE
    first, points = went[0][1], went[-1][1]
    said = _COURSE.of(game=title, n=len(went), first=first, points=points)
    drawn = course.draw(went, language.say(said), lambda time: language.word(Day(time)))
    return inline(drawn, f"r-{game}-")


def against(name: str, boards: Iterable[Summary]) -> list[tuple[str, Score]]:
    """A player's results against each other one in games that count, those in front
    with whom they have played most: whoever has the better place has won."""
    scores = defaultdict[str, list[int]](lambda: [0, 0, 0])
    for board in boards:
        own = board.places.get(name, 0)
        for other, place in board.places.items():
            if other != name:
                scores[other][0 if own < place else 1 if own > place else 2] += 1
    found = [(other, Score(*counts)) for other, counts in scores.items()]
    return sorted(found, key=lambda each: (-each[1].played, each[0]))
