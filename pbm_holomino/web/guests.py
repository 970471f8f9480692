"""A guest's game against a robot: it needs no account, and nothing of it is kept here.

Its moves are in a signed cookie of the browser, which has one game of each kind. What
is drawn follows from the server's key, the cookie's id and the number of the game, so a
guest who goes back a move finds the same tiles again. It may be kept as an unrated
board of an account.
"""

import hmac
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Mapping
from hashlib import sha256
from random import Random
from secrets import token_urlsafe

from pbm_holomino import robots, rules
from pbm_holomino.commands.robots import check_may_play
from pbm_holomino.errors import NotAllowed, PbmError
from pbm_holomino.languages import sentence
from pbm_holomino.languages.recognised import Recognised
from pbm_holomino.letters.letter import Due
from pbm_holomino.match import replay
from pbm_holomino.match.board import Match
from pbm_holomino.match.record import ROBOT, SHELL, Act, Line, Record
from pbm_holomino.match.tokens import is_same, token
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.robots.contract import Budget
from pbm_holomino.rules.options import configure
from pbm_holomino.server.transaction import Server
from pbm_holomino.store.contract import PLAYERS

_YOU = sentence("you")
YOU = Recognised(str(_YOU), lambda: (_YOU,))  # a guest's name in the game
MOST_PACKED = 3_800  # characters: browsers keep cookies of 4,096 bytes
_LEVEL = 1
_BUDGET = Budget(seconds=0.2)
_ID_BYTES = 12


class Begun(NamedTuple):
    """A game of a guest: how many of its kind came before it, and the moves of both
    players."""

    number: int = 0
    moves: tuple[str, ...] = ()


class Guest(NamedTuple):
    """What a guest's cookie holds: an id, and a game of each kind."""

    id: str
    games: Mapping[str, Begun] = {}

    def begun(self, game: str) -> Begun:
        """Their game of this kind."""
        return self.games.get(game, Begun())

    def playing(self, game: str, moves: Iterable[str]) -> "Guest":
        """The guest with other moves in that game, which is then the last of all."""
        now = Begun(self.begun(game).number, tuple(moves))
        others = {name: one for name, one in self.games.items() if name != game}
        return self._replace(games={**others, game: now})

    def again(self, game: str) -> "Guest":
        """The guest with a new game in that one's place."""
        after = Begun(self.begun(game).number + 1)
        return self._replace(games={**self.games, game: after})

    def only(self, game: str) -> "Guest":
        """The guest with that game alone."""
        return self._replace(games={game: self.begun(game)})


def fresh() -> Guest:
    """A guest who has not been here yet."""
    return Guest(token_urlsafe(_ID_BYTES))


def packed(guest: Guest, key: bytes) -> str:
    """A guest as a cookie holds them, in letters, digits, `-`, `_` and `.`, signed with
    the server's key. Where there is no room for all games, those that were played last
    are in it. Raises NotAllowed if even one is too long."""
    games = [" ".join((n, str(b.number), *b.moves)) for n, b in guest.games.items()]
    text = "\n".join((guest.id, *games))
    body = urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")
    if len(body) <= MOST_PACKED:
        return f"{body}.{_proof(key, body)}"
    if len(games) < 2:
        raise NotAllowed(
            sentence("This game is too long for a guest: please begin a new one.")
        )
    _, *later = guest.games.items()
    return packed(guest._replace(games=dict(later)), key)


def unpacked(cookie: str, key: bytes) -> Guest | None:
    """The guest in a cookie; None if it is not one that this server has signed."""
    body, _, proof = cookie.rpartition(".")
    if not is_same(_proof(key, body), proof):
        return None
    padded = body + "=" * (-len(body) % 4)
    text = zlib.decompress(urlsafe_b64decode(padded)).decode()
    owner, *lines = text.split("\n")
    games = {}
    for name, number, *moves in map(str.split, lines):
        games[name] = Begun(int(number), tuple(moves))
    return Guest(owner, games)


def _proof(key: bytes, body: str) -> str:
    return token(key, ("guest", body))


# Playing


def robot(names: Mapping[str, int]) -> str:
    """Which of these robots, each with its level, plays with guests; empty if none
    does."""
    return next((name for name, level in names.items() if level == _LEVEL), "")


def match(guest: Guest, game: str, key: bytes, opponent: str, now: str) -> Match:
    """A guest's game as it is now. One that today's rules cannot replay is as it was
    before its first move."""
    begun, start = guest.begun(game), _start(guest, game, key, opponent, now)
    try:
        return _answered(_replayed(start, (YOU, opponent), begun.moves))
    except PbmError:
        return _answered(_replayed(start, (YOU, opponent), ()))


def _start(guest: Guest, game: str, key: bytes, opponent: str, now: str) -> Record:
    """The record of a guest's game without players, and with the line that opens it."""
    loaded = rules.load(game)
    words = "\n".join(("guest", guest.id, game, str(guest.begun(game).number)))
    return Record(
        game=game,
        board=1,
        version=loaded.VERSION,
        players=(),
        random=False,
        options=configure(loaded, {}),
        seed=hmac.digest(key, words.encode(), "sha256"),
        log=(Line(0, now, YOU, SHELL, Act.CHALLENGE),),
        challenger=YOU,
        robots=(opponent,),
        rated=False,
    )


def _replayed(start: Record, players: tuple[str, ...], moves: Iterable[str]) -> Match:
    """The game after these moves. Raises BadMove."""
    (first,) = start.log
    record = start._replace(log=(), challenger=players[0])
    match = replay.begin(record, players, first._replace(who=players[0]))
    for move in moves:
        match = _moved(match, _author(match, move), move)
    return match


def _author(match: Match, move: str) -> str:
    """Who makes the next of the moves that are kept: where several are to move, the
    guest has been the first."""
    return match.turn[0] if match.turn else ""


def _moved(match: Match, who: str, move: str) -> Match:
    source = ROBOT if who in match.record.robots else SHELL
    return replay.after(match, Line(None, match.log[0].time, who, source, move))


def moved(match: Match, move: str) -> Match:
    """The game after a move of the guest, and all that the robot plays then. Raises
    BadMove or NotYourTurn."""
    return _answered(_moved(match, YOU, move))


def _answered(match: Match) -> Match:
    """The game once the robot has moved, if it is to move. It plays the same whenever
    it is asked."""
    record = match.record
    (opponent,) = record.robots
    while match.result is None and match.turn[:1] == (opponent,):
        view = match.rules.view(match.state, record.players.index(opponent))
        chance = Random(f"{record.seed.hex()} {match.ply}")
        chosen = robots.load(record.game, _LEVEL)(view, _BUDGET, chance)
        match = _moved(match, opponent, chosen)
    return match


def moves(match: Match) -> tuple[str, ...]:
    """The moves of a guest's game, those of both players."""
    return tuple(str(line.action) for line in match.log[1:])


# Keeping a game


def keep(server: Server, guest: Guest, game: str, who: str, opponent: str) -> Match:
    """Make a guest's game an unrated board of a player, and send them the letter about
    it, once however often this is asked for. Raises Refused."""
    store, library, source = server.store, server.library, _source(guest, game)
    with store.lock(PLAYERS, who), store.lock(game, "new"):
        kept = library.opened_by(game, source)
        if kept is not None:
            if who not in kept.record.players:
                raise NotAllowed(sentence("Somebody else has kept this game."))
            return kept
        if not guest.begun(game).moves:
            raise NotAllowed(sentence("Please make a move first."))
        context = server.context()
        check_may_play([who], [opponent], False, context)
        start = _start(guest, game, library.key, opponent, context.now)
        number = store.next_number(game)
        (first,) = start.log
        start = start._replace(board=number, log=(first._replace(source=source),))
        kept = _replayed(start, (who, opponent), guest.begun(game).moves)
        last = len(kept.log) - 1
        library.save(kept, unsent=last)
    server.delivery.deliver([Due.of(kept, [last])])
    return kept


def _source(guest: Guest, game: str) -> str:
    """The source of the line that opens the board of a guest's game."""
    words = f"guest\n{guest.id}\n{game}\n{guest.begun(game).number}"
    return f"{SHELL}{sha256(words.encode()).hexdigest()[:16]}"
