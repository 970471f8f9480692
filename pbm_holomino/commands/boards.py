"""The commands that change a board: a request and a match in, a match out."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from pbm_holomino import rules
from pbm_holomino.commands.request import Request
from pbm_holomino.errors import BadMove, BadOption, NotAllowed, NotFound
from pbm_holomino.match import actions, replay, shares
from pbm_holomino.match import queue as ahead
from pbm_holomino.match.account import Player, check_known, check_not_blocked
from pbm_holomino.match.board import CHAT, OPENING, REMATCH, RESIGN, Match
from pbm_holomino.match.record import ACCEPT, NOBODY, Line, Record, option_words
from pbm_holomino.rules.options import MATCH_OPTIONS, configure, read_options
from pbm_holomino.sentences import listed, moment
from pbm_holomino.store.summary import Summary

MOST_TOGETHER = 3  # challenges that wait for an answer between the same players
MOST_ASKED = 10  # that others have opened, and that wait for one player's answer

Challenges = Callable[[Sequence[str]], Iterable[Summary]]


def challenge(
    request: Request,
    known: Mapping[str, Player],
    challenges: Challenges,
    board: int,
    seed: bytes,
    time: str,
) -> Match:
    """A new board for the players named; `known` holds those of them who have an
    account, and `challenges` finds the boards of players that limit new ones."""
    _check_players(request, known)
    who = _challenger(request, known)
    challenger = request.words[0] if who == NOBODY else who
    check_may_challenge(request, challenger, request.words, known, challenges, time)
    options, common = _chosen(request)
    record = Record(
        game=request.game,
        board=board,
        version=rules.load(request.game).VERSION,
        players=(),
        options=options,
        seed=seed,
        log=(),
        challenger=challenger,
        **common,
    )
    line = Line(0, time, who, request.mail, OPENING)
    opened = replay.begin(record, request.words, line)
    return shares.with_text(opened, request.body)


def _chosen(request: Request) -> tuple[dict[str, Any], dict[str, Any]]:
    """The options of the game, and those of every game. Raises BadOption, which points
    to the game's page."""
    given = dict(request.options)
    common = {o.name: given.pop(o.name) for o in MATCH_OPTIONS if o.name in given}
    try:
        options = configure(rules.load(request.game), given)
        return options, read_options(MATCH_OPTIONS, common, {})
    except BadOption as error:
        error.page = request.game
        raise


def _check_players(request: Request, known: Mapping[str, Player]) -> None:
    names = request.words
    game = rules.load(request.game)
    least, most = game.SEATS
    if len(set(names)) < len(names):
        raise NotAllowed("A player is named twice, and each player has one seat.")
    if not least <= len(names) <= most:
        seats = str(least) if least == most else f"{least} to {most}"
        raise NotAllowed(
            f"{game.TITLE} is a game for {seats} players, and not for {len(names)}."
        )
    _check_signed_on(known)
    check_known(names, known.get)


def _check_signed_on(known: Mapping[str, Player]) -> None:
    for name, player in known.items():
        if player.status == "off":
            raise NotAllowed(f'"{name}" has signed off, and plays no new games.')


def _challenger(request: Request, known: Mapping[str, Player]) -> str:
    """The player who challenges: by mail, whose address the mail comes from."""
    if not request.by_mail:
        return NOBODY
    for name in request.words:
        if known[name].owns(request.sender):
            return name
    raise NotAllowed(
        "A challenge by mail must come from an address of one of its players; "
        f"{request.sender} is none of theirs."
    )


def check_may_challenge(
    request: Request,
    challenger: str,
    names: Sequence[str],
    known: Mapping[str, Player],
    challenges: Challenges,
    time: str,
) -> None:
    """Raises NotAllowed where a player may not challenge the others now, with a
    challenge or a rematch."""
    asked = [name for name in names if name != challenger]
    blockers = [name for name in asked if challenger in known[name].blocked]
    check_not_blocked(challenger, blockers, "challenges")
    found = list(challenges(names))
    same = [board for board in found if set(board.players) == set(names)]
    _check_not_barred(request.game, challenger, asked, same, time)
    waiting = [board for board in same if board.unanswered]
    if len(waiting) >= MOST_TOGETHER:
        raise NotAllowed(
            f"{len(waiting)} challenges between {listed(names)} wait for an answer: "
            f"{_named(waiting)}. Before there can be another, one of them must be "
            "accepted, declined or withdrawn."
        )
    for name in asked:
        theirs = [board for board in found if name in board.unanswered]
        if len(theirs) >= MOST_ASKED:
            raise NotAllowed(
                f"{len(theirs)} challenges wait for the answer of {name} already: "
                "please try again when some of them are answered."
            )


def _check_not_barred(
    game: str,
    challenger: str,
    asked: Sequence[str],
    same: Iterable[Summary],
    time: str,
) -> None:
    """`same` are the boards of the same players."""
    called_off = [
        board
        for board in same
        if (board.game, board.challenger) == (game, challenger) and board.barred > time
    ]
    if not called_off:
        return
    last = max(called_off, key=lambda board: board.barred)
    ended = "was declined" if last.was_declined else "came to nothing"
    raise NotAllowed(
        f"The challenge on {last.name} {ended}: {challenger} may challenge "
        f"{listed(asked)} to this game again from {moment(last.barred)}."
    )


def _named(boards: Iterable[Summary]) -> str:
    return listed([board.name for board in boards])


def move(request: Request, board: Match, time: str) -> Match:
    """The board after a move, or an act that is sent as one, of the player who asks."""
    (word,) = request.words
    replay.check_number(board, word, request.move_no)
    if word.lower() in ACT_WORDS:
        return _acted(request, board, time, ACT_WORDS[word.lower()])
    line = Line(None, time, request.userid, request.mail, word)
    return shares.with_text(replay.play(board, line), request.body)


ACT_WORDS = {
    "resign": RESIGN,
    "propose": actions.PROPOSE,
    "undo": actions.UNDO,
    "accept": ACCEPT,
    "reject": actions.REJECT,
}


def resign(request: Request, board: Match, time: str) -> Match:
    """The board after the player who asks has given up."""
    return _acted(request, board, time, RESIGN)


def accept(request: Request, board: Match, time: str) -> Match:
    """The board after the player who asks has accepted an offer, or a challenge."""
    return _acted(request, board, time, ACCEPT)


def decline(request: Request, board: Match, time: str) -> Match:
    """The board called off by a player who was asked, or by the challenger."""
    return _acted(request, board, time, actions.DECLINE)


def chat(request: Request, board: Match, time: str) -> Match:
    """The board with a text to its other players."""
    if not request.body:
        raise NotAllowed(
            "There is no text to pass on: please write one, and plainly, not in HTML."
        )
    line = Line(None, time, request.userid, request.mail, CHAT)
    return shares.checked(replay.with_note(replay.act(board, line), request.body))


def queue(request: Request, board: Match, time: str) -> Match:
    """The board with moves for the coming turns of the player who asks."""
    for word in request.words:
        _check_is_move(word)
    line = Line(None, time, request.userid, request.mail, "")
    return ahead.queue(board, line, request.words)


def submit(request: Request, board: Match, time: str) -> Match:
    """The board with a move that is shown, and waits to be confirmed."""
    (word,) = request.words
    _check_is_move(word)
    line = Line(None, time, request.userid, request.mail, "")
    return ahead.submit(board, line, word)


def _check_is_move(word: str) -> None:
    plain = word.partition("#")[0].lower()
    if plain in ACT_WORDS:
        raise BadMove(f'Only moves can be sent ahead, and "{plain}" is none.')


def confirm(request: Request, board: Match, time: str) -> Match:
    """The board after the move that the player who asks has submitted."""
    line = Line(None, time, request.userid, request.mail, "")
    return shares.with_text(ahead.confirm(board, line), request.body)


def _acted(request: Request, board: Match, time: str, what: str) -> Match:
    line = Line(None, time, request.userid, request.mail, what)
    return shares.with_text(shares.checked(replay.act(board, line)), request.body)


def rematch(
    request: Request,
    old: Match,
    known: Mapping[str, Player],
    challenges: Challenges,
    board: int,
    seed: bytes,
    time: str,
) -> Match:
    """A new board against the same players with the same options, seats turned."""
    record, who = old.record, request.userid
    replay.check_player(old, who)
    if old.result is None:
        raise NotAllowed(f"{record.name} is not over yet.")
    _check_signed_on(known)
    if not known.keys() >= set(record.players):
        raise NotFound("Not all of its players are here any more.")
    check_may_challenge(request, who, record.players, known, challenges, time)
    seats = (*record.players[1:], record.players[0])
    game = rules.load(record.game)
    new = record._replace(
        board=board,
        version=game.VERSION,
        options=configure(game, option_words(record)),
        random=False,
        seed=seed,
        log=(),
        notes={},
        challenger=who,
    )
    opened = replay.begin(new, seats, Line(0, time, who, request.mail, REMATCH))
    return shares.with_text(opened, request.body)
