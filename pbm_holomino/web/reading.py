"""The pages that anybody may read."""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from markupsafe import Markup
from starlette.responses import Response

from pbm_holomino import rules
from pbm_holomino.commands import results
from pbm_holomino.commands.queries import NEWCOMERS
from pbm_holomino.commands.request import Answer
from pbm_holomino.draw import svg
from pbm_holomino.errors import PbmError
from pbm_holomino.languages import Language, Sentence, sentence
from pbm_holomino.letters import help as pages
from pbm_holomino.letters.account_letters import FIRST_GAME
from pbm_holomino.match.account import WHY_NO_PLAYERS
from pbm_holomino.match.board import Match
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.store.contract import TOURNAMENTS
from pbm_holomino.store.people import People
from pbm_holomino.store.summary import Summary
from pbm_holomino.web import articles, boards, profiles, reviews
from pbm_holomino.web.boards import digest
from pbm_holomino.web.figures import inline
from pbm_holomino.web.guests import robot
from pbm_holomino.web.lobby import seeks
from pbm_holomino.web.notebooks import Noted, noted
from pbm_holomino.web.visit import Visit

_HELP = sentence("Help: {subject}")
_MOST_OWN_ENDED, _MOST_RUNNING, _MOST_ENDED = 20, 100, 50  # boards in a list
_MOST_IN_FRONT = 6  # beside the large one


def front(visit: Visit) -> Response:
    """What this is, and what is being played."""
    lists = visit.library.lists
    if visit.player is not None:
        return _own_boards(visit, visit.player.userid)
    config = visit.site.config
    is_public = config.web_public == "yes"
    active = _latest(lists.boards_of([], "active").boards) if is_public else []
    running = active[: 1 + _MOST_IN_FRONT]
    told = {
        "is_public": is_public,
        "has_tournaments": _has_tournaments(visit),
        # the game of the large button, if a robot plays with guests
        "plays": FIRST_GAME if is_public and robot(visit.library.robots) else "",
    }

    def make() -> dict[str, Any]:
        example = visit.library.shipped(FIRST_GAME) if is_public else ()
        kinds = [kind(name, visit.language) for name in rules.names()]
        shown = next(iter([*running, *example]), None)
        return {**told, "kinds": kinds, "shown": shown, "running": running}

    seen = running, told, visit.site.title, config.signups
    return visit.known_page("", digest([repr(seen)]), "front.html", make)


class _Kind(NamedTuple):
    """A game on the front page: how many play it, what it is in short, and a picture of
    its tiles."""

    name: str
    seats: tuple[int, int]
    said: str
    picture: Markup


@cache
def kind(name: str, language: Language) -> _Kind:
    game = rules.load(name)
    _, _, said, *_ = pages.page(name, language.code).split("\n\n")
    figure = max(game.FIGURES.values(), key=lambda drawing: len(drawing.faces))
    drawn = svg.draw(figure._replace(labels={}), "", "")
    picture = inline(drawn.replace('role="img"', 'aria-hidden="true"'), f"k{name}-")
    return _Kind(name, game.SEATS, said, picture)


def _has_tournaments(visit: Visit) -> bool:
    return bool(visit.library.store.names(TOURNAMENTS))


def _own_boards(visit: Visit, userid: str) -> Response:
    """A player's boards: first those that wait for them."""
    lists = visit.library.lists
    boards = _latest(lists.boards_of([userid], "all").boards)
    running = [board for board in boards if board.result is None]
    asked = [board for board in running if userid in board.unanswered]
    turns = [b for b in running if userid in b.turn and b not in asked]
    return visit.page(
        "mine.html",
        asked=asked,
        turns=turns,
        others=[board for board in running if board not in (*asked, *turns)],
        ended=visit.in_lists(_ended(boards)[:_MOST_OWN_ENDED]),
        opened=lists.open_challenges(players=[userid]).boards,
        **profiles.followed(visit),
        has_tournaments=_has_tournaments(visit),
    )


def _ended(boards: Iterable[Summary]) -> list[Summary]:
    return [board for board in boards if board.result is not None]


def game(visit: Visit) -> Response:
    """A game: its boards, running and finished."""
    name, lists = visit.game, visit.library.lists
    return visit.page(
        "game.html",
        game=name,
        running=_latest(lists.boards_of([], "active", [name]).boards)[:_MOST_RUNNING],
        ended=visit.in_lists(lists.last_ended(name, _MOST_ENDED).boards),
        **seeks(visit, [name]),
    )


def _latest(boards: Iterable[Summary]) -> list[Summary]:
    """Boards, those that have changed last in front."""
    return sorted(boards, key=lambda board: board.last_change, reverse=True)


def help_page(visit: Visit) -> Response:
    """A help page; those of the games are their rules."""
    subject = visit.word("subject")
    pieces = pages.illustrated(subject, visit.language.code)
    assert isinstance(pieces[0], str)
    title, _, text = pieces[0].partition("\n\n")
    if "\n" in title:  # a page without a title of its own
        title, text = visit.language.say(_HELP.of(subject=subject)), pieces[0]
    why_none = WHY_NO_PLAYERS.get(visit.site.config.signups)
    if subject in NEWCOMERS and why_none:
        text = f"{visit.language.say(why_none)}\n\n{text}"
    body = articles.page((text, *pieces[1:]), visit.site.root, visit.language)
    return visit.page("text.html", title=title, body=body, about_people=False)


def standings(visit: Visit) -> Response:
    """The standings of a game."""
    rows, _ = results.standing_rows(visit.library, visit.game)
    return _table(visit, results.STANDINGS_OF, results.STANDINGS, rows)


def ratings(visit: Visit) -> Response:
    """The rating list of a game."""
    rows, _ = results.rating_rows(visit.library, visit.game)
    return _table(visit, results.RATINGS_OF, results.RATINGS, rows)


def _table(
    visit: Visit, what: Sentence, titles: results.Head, rows: list[results.Row]
) -> Response:
    title = what.of(game=rules.load(visit.game).TITLE)
    head = [(it, "player" if it == results.PLAYER else "number") for it in titles]
    return visit.page("table.html", title=title, head=head, rows=rows)


def players(visit: Visit) -> Response:
    """Everybody who has signed up, and the robots."""
    accounts, _ = visit.library.accounts()
    rows = results.present(visit.library, accounts)
    if rows:  # every list of players marks robots beside their names
        rows += [(name, seen, "") for name, seen, _ in results.robots(visit.library)]
    head = ((results.PLAYER, "player"), *((it, "") for it in results.PRESENT))
    return visit.page("table.html", title=sentence("Players"), head=head, rows=rows)


# A board in words


def record(visit: Visit) -> Response:
    """The record of a board: all that has happened, and what was said."""
    return _answer(visit, "history", _RECORD)


def verify(visit: Visit) -> Response:
    """The proof of every draw of a board that is over."""
    return _answer(visit, "verify", _PROOF)


_RECORD = sentence("{game}, board {board}: the record")
_PROOF = sentence("{game}, board {board}: every draw")


def _answer(visit: Visit, command: str, what: Sentence) -> Response:
    """The answer to a question about a board, which is remembered like the board's
    page."""
    title = what.of(game=rules.load(visit.game).TITLE, board=visit.board)

    def asked() -> Answer:
        told = visit.ask(command, visit.game, boards=((visit.board, None),))
        return told.in_language(visit.language.tag)

    def make(answer: Answer, more: Markup = _NOTHING) -> dict[str, Any]:
        body = articles.rows(answer.text) + more
        own = [each for each in notes if each.is_private]  # the text has the others
        board = visit.site.path(visit.game, visit.board)
        about = {"title": title, "about_people": True, "board": board}
        return {**about, "body": body, "notebooks": own}

    notes: Sequence[Noted] = ()
    match = _begun(visit)
    if match is None or (command == "verify" and not match.shows_seed):
        return visit.page("record.html", 404, **make(asked()))
    review = reviews.found(visit, match)
    more = reviews.link(visit, match) if review and command == "history" else _NOTHING
    if command == "history":
        reader = visit.player.userid if visit.player else None
        notes = noted(visit.library, match, reader)
    tag = f"{boards.tag(match)}{reviews.tag(review, notes)}"
    page = command, match.record.name
    return visit.known_page(page, tag, "record.html", lambda: make(asked(), more))


_NOTHING = Markup()


def _begun(visit: Visit) -> Match | None:
    """The board that a path names; None if it cannot be shown, and the answer to a
    question about it says why."""
    try:
        match = visit.library.shown(visit.game, visit.board)
        return People(visit.library).named(match, match.shows_seed)
    except PbmError:
        return None
