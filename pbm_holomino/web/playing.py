"""What players do on the pages of their boards."""

from typing import Any

from starlette.responses import Response

from pbm_holomino import rules
from pbm_holomino.commands.boards import ACT_WORDS
from pbm_holomino.commands.params import is_option
from pbm_holomino.errors import BadMove, NotAllowed, NotBegun, PbmError, Refused
from pbm_holomino.match import replay
from pbm_holomino.match.account import PLACEHOLDER, is_userid
from pbm_holomino.match.board import Match
from pbm_holomino.match.open_challenge import ANYONE, OpenChallenge, seats_in_words
from pbm_holomino.rules.options import MATCH_OPTIONS, Option
from pbm_holomino.store.people import People
from pbm_holomino.web import boards
from pbm_holomino.web.visit import Undone, Visit, status_of

_MOST_AHEAD = 50  # moves that are laid out

# Looking


def board(visit: Visit) -> Response:
    """A board as it is, or an open challenge with that number."""
    try:
        match = match_of(visit)
    except NotBegun:
        return _open_challenge(visit)
    return _board_page(visit, match)


def match_of(visit: Visit) -> Match:
    """The board that a path names. Raises NotFound, NotBegun or CorruptFile."""
    match = visit.library.shown(visit.game, visit.board)
    return People(visit.library).with_absences(match)


def position(visit: Visit) -> Response:
    """A board as it was after a move."""
    return _board_page(visit, match_of(visit), visit.number("ply"))


def _board_page(visit: Visit, match: Match, ply: int | None = None) -> Response:
    """The page of a board as it is, or as it was after a move."""
    reader, is_player = visit.reader_of(match), visit.player is not None

    def make() -> dict[str, Any]:
        return {**boards.context(match, reader, ply, is_player), "alert": ""}

    tag = boards.own_tag(match) if reader else boards.tag(match)
    return visit.known_page(tag, "board.html", make)


def _page(visit: Visit, match: Match, alert: str = "", status: int = 200) -> Response:
    """The page of a board, under an alert if something was refused."""
    reader, is_player = visit.reader_of(match), visit.player is not None
    context = boards.context(match, reader, is_player=is_player)
    return visit.page("board.html", status, **context, alert=alert)


def _open_challenge(visit: Visit, alert: str = "", status: int = 200) -> Response:
    """The page of an open challenge."""
    table = visit.library.table(visit.game, visit.board)
    assert isinstance(table, OpenChallenge)
    who = visit.player.userid if visit.player else ""
    return visit.page(
        "challenge.html",
        status,
        one=table,
        seats=seats_in_words(table),
        can_take=bool(who) and who not in table.seated and not table.ended,
        can_withdraw=who == table.record.challenger and not table.ended,
        alert=alert,
    )


def preview(visit: Visit) -> Response:
    """The board as it would be after a move, and the button that plays it."""
    match, move = match_of(visit), visit.query("move").strip()
    reader = visit.reader_of(match)
    if "ahead" in visit.http.query_params:
        return _preview_ahead(visit, match, move)
    try:
        _check_is_move(move)
        replay.check_running(match)
        after = replay.preview(match, move, reader or "")
        if after is None:
            raise NotAllowed("A draw comes first, so nobody knows what will follow.")
    except Refused as error:
        return _page(visit, match, str(error), 422)
    return visit.page(
        "preview.html",
        **boards.context(after, reader),
        before=match,
        move=after.record.log[-1].action,
        plays=reader in match.turn,
        submits=visit.player is not None,
        ahead=[],
    )


def _preview_ahead(visit: Visit, match: Match, move: str) -> Response:
    """The board with moves that a player may send ahead, and the button for that."""
    visit.must_be_player()
    try:
        _check_is_move(move)
        after, who = laid_ahead(visit, match, [*planned(visit), move])
    except Refused as error:
        return _page(visit, match, str(error), 422)
    began = len(match.record.log)
    return visit.page(
        "preview.html",
        **boards.context(after, who),
        before=match,
        move=after.record.log[-1].action,
        plays=False,
        submits=False,
        ahead=[str(line.action) for line in after.record.log[began:]],
    )


def planned(visit: Visit) -> list[str]:
    """The moves that a player lays out before the one that is asked for."""
    return visit.query("ahead").split()[:_MOST_AHEAD]


def laid_ahead(visit: Visit, match: Match, moves: list[str]) -> tuple[Match, str]:
    """The board with such moves, and whose they are. Raises NotSignedIn for those who
    may not send moves ahead, and Refused."""
    who = visit.must_be_player().userid
    if who not in match.record.players:
        raise NotAllowed("You do not play on this board.")
    return replay.laid(match, who, moves), who


def _check_is_move(move: str) -> None:
    """Raises BadMove for what is no single move."""
    is_word = move.isprintable() and " " not in move and not is_option(move)
    if not move or not is_word or move.lower() in ACT_WORDS:
        raise BadMove("Please choose a move.")


# Acting: a word of the path, and what it takes from the form


def move(visit: Visit) -> Response:
    """Play a move. A reader who has come by a link can do nothing else."""
    word = visit.field("move")
    match = match_of(visit)
    who = visit.reader_of(match)
    if who is None:
        visit.must_be_player()
        raise NotAllowed("You do not play on this board.")
    try:
        _check_is_move(word)
        visit.run(who, *_seat(visit, "move", who), f"{word}#{visit.field('no')}")
    except PbmError as error:
        return _refused(visit, error)
    return visit.redirect(visit.game, visit.board)


def _seat(visit: Visit, verb: str, who: str) -> tuple[str, ...]:
    """The words of a command about a board, up to the password."""
    return visit.game, verb, str(visit.board), who, PLACEHOLDER


_MOVED = ("undo", "propose", "reject")  # words that are typed in place of a move
_SIMPLE = ("accept", "decline", "resign", "confirm", *_MOVED)


def act(visit: Visit) -> Response:
    """Do what a button says, that needs no more words."""
    verb, who = visit.word("verb"), visit.must_be_player().userid
    if verb not in _SIMPLE:
        raise NotAllowed("There is no such page here.")
    words = [*_seat(visit, "move", who), verb]
    if verb not in _MOVED:
        words = [*_seat(visit, verb, who)]
    return _done(visit, who, words)


def submit(visit: Visit) -> Response:
    """Keep a move, to be played once it is confirmed."""
    who, word = visit.must_be_player().userid, visit.field("move")
    try:
        _check_is_move(word)
        visit.run(who, *_seat(visit, "submit", who), f"{word}#{visit.field('no')}")
    except PbmError as error:
        return _refused(visit, error)
    return visit.redirect(visit.game, visit.board)


def chat(visit: Visit) -> Response:
    """Say something to the other players."""
    who = visit.must_be_player().userid
    return _done(visit, who, _seat(visit, "chat", who), body=visit.field("text"))


def queue(visit: Visit) -> Response:
    """Send moves ahead, or empty the queue."""
    who = visit.must_be_player().userid
    moves = [word for word in visit.field("moves").split() if not is_option(word)]
    return _done(visit, who, [*_seat(visit, "queue", who), *(moves or ["none"])])


def _done(visit: Visit, who: str, words: Any, body: str = "") -> Response:
    """Carry out a command about a board, and show the board."""
    try:
        visit.run(who, *words, body=body)
    except PbmError as error:
        return _refused(visit, error)
    return visit.redirect(visit.game, visit.board)


def _refused(visit: Visit, error: PbmError) -> Response:
    """The page of the board with why something was refused."""
    status = 422 if isinstance(error, Undone) else status_of(error)
    try:
        return _page(visit, match_of(visit), str(error), status)
    except NotBegun:
        return _open_challenge(visit, str(error), status)


# New boards


def rematch(visit: Visit) -> Response:
    """Begin another game against the same players."""
    who = visit.must_be_player().userid
    try:
        visit.run(who, *_seat(visit, "rematch", who))
    except PbmError as error:
        return _refused(visit, error)
    return _to_new(visit)


def _to_new(visit: Visit) -> Response:
    """Lead the browser to the board that its form has opened."""
    found = visit.library.opened_by(visit.game, visit.source)
    assert found is not None
    return visit.redirect(visit.game, found.record.board)


def challenge_page(visit: Visit, said: str = "", status: int = 200) -> Response:
    """The form for a challenge, with every option of the game explained."""
    visit.must_be_player()
    game = rules.load(visit.game)
    return visit.page(
        "new.html",
        status,
        game=visit.game,
        seats=range(game.SEATS[0], game.SEATS[1] + 1),
        options=[_Shown(o, visit.form) for o in (*game.OPTIONS, *MATCH_OPTIONS)],
        presets=[*game.PRESETS],
        form=visit.form,
        said=said,
    )


class _Shown:
    """An option of a game as the form shows it: with what was typed there before."""

    def __init__(self, option: Option, form: Any) -> None:
        self.name = option.name
        self.help = option.help
        self.choices = option.choices
        self.is_number = option.limits is not None
        self.usual = option.default
        self.typed = form.get(f"-{option.name}", "")


def challenge(visit: Visit) -> Response:
    """Open a board, or a challenge to anybody."""
    who = visit.must_be_player().userid
    others = [name.lower() for name in visit.field("others").replace(",", " ").split()]
    names = [who, *others] if visit.field("first") != "them" else [*others, who]
    try:
        if not others:
            raise NotAllowed(
                f'Please name the players whom you challenge, or write "{ANYONE}".'
            )
        if not all(map(is_userid, others)):
            raise NotAllowed("One of these names cannot be a player's.")
        words = [visit.game, "challenge", *names, *_options(visit)]
        visit.run(who, *words, body=visit.field("text"))
    except PbmError as error:
        return challenge_page(visit, str(error), 422)
    return _to_new(visit)


def _options(visit: Visit) -> list[str]:
    """The options that were chosen, as they are typed."""
    game = rules.load(visit.game)
    known = {f"-{option.name}" for option in (*game.OPTIONS, *MATCH_OPTIONS)}
    known |= {"-rules"} if game.PRESETS else set()
    return [
        f"{name}={''.join(visit.form[name].split())}"
        for name in sorted(known & visit.form.keys())
        if visit.form[name].strip()
    ]
