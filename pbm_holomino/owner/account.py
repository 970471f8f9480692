"""`pbm account`: what the owner sees of a player's account, and can do about it."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from secrets import token_hex

from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.errors import NotAllowed, NotFound, Refused
from pbm_holomino.letters.letter import Due
from pbm_holomino.match import account, forgotten, ledgers, vacations
from pbm_holomino.match.account import DELETED, Change, Kind, Player
from pbm_holomino.match.board import Match
from pbm_holomino.match.record import NOBODY, OWNER, Act, Key, Line, LogLine
from pbm_holomino.owner.players import STATUS
from pbm_holomino.sentences import fill, listed, quoted
from pbm_holomino.server import open as opener
from pbm_holomino.server.transaction import Server
from pbm_holomino.store import banned, shelves
from pbm_holomino.store.contract import PLAYERS


def run(request: Request) -> Answer:
    """Show an account, or do with it what the second word says."""
    name, *rest = request.words
    server, _ = opener.open_existing()
    return _DEEDS[rest[0] if rest else "show"](server, name)


def _player(server: Server, userid: str) -> Player:
    """A player who is here. Raises NotFound."""
    player = server.context().people.player(userid)
    if player is None:
        raise _nobody(userid)
    return player


def _nobody(userid: str) -> NotFound:
    return NotFound(f'There is no player {quoted(userid)}: "pbm players" lists them.')


# Showing


def _show(server: Server, userid: str) -> Answer:
    """What an account has that concerns its owner: no password, and no texts."""
    player = server.library.account(userid)
    if player is None:
        raise _nobody(userid)
    rows = [(f"{label:12}", text) for label, text in _rows(server, player) if text]
    lines = (fill(text, label, " " * 12, whole_words=True) for label, text in rows)
    return Answer("".join(lines))


def _rows(server: Server, player: Player) -> Iterator[tuple[str, str]]:
    """The lines of it, each with what begins it."""
    library, now = server.library, server.now()
    boards = library.lists.boards_of([player.userid], "all").boards
    held = [" ".join(key) for key in _boards(server, player.userid)]
    finished = len([board for board in boards if board.result is not None])
    yield "status", STATUS[player.status]
    yield "addresses", ", ".join(player.addresses)
    yield "come back", ", ".join(player.dead_addresses)
    yield "letters", f"{player.format}, {player.letters}"
    yield "language", player.language_at(now)
    yield "away until", vacations.away_until(player.vacations, now)[:10]
    yield "browsers", str(len(player.sessions))
    yield "notices", player.notices.host if player.notices else ""
    yield "blocks", ", ".join(player.blocked)
    yield "playing", ", ".join(held)
    yield "finished", str(finished)
    yield "last change", player.log[-1].time[:10] if player.log else ""


# Doing


def _reset(server: Server, userid: str) -> Answer:
    """Make the password void, and sign all browsers out."""
    unknown = account.hash_password(token_hex())
    player = _changed(
        server, userid, Kind.PASSWORD, lambda p: p._replace(password=unknown)
    )
    said = f"The password of {userid} is void, and all browsers are signed out. "
    if player.addresses:
        said += f'A letter says so, and that "forgot {userid}" brings a new one.'
        return Answer(fill(said))
    word = forgotten.word(server.library.key, player, server.now())
    said += "They have no mail address here; for an hour this line sets a new one:"
    return Answer(f"{fill(said)}  pbm change password {userid} {word} NEW\n")


def _delete(server: Server, userid: str) -> Answer:
    """Remove the account of somebody who plays nowhere. Raises NotAllowed."""
    _player(server, userid)
    names = [" ".join(key) for key in _boards(server, userid)]
    if names:
        raise NotAllowed(
            f"{userid} has a seat on {listed(names)}. They can leave first, or you let "
            f"them leave: pbm account {userid} ban"
        )
    _changed(server, userid, Kind.DELETE, _removed)
    return Answer(f"The account {userid} is removed.\n")


def _ban(server: Server, userid: str) -> Answer:
    """Have a player leave all boards, and remove the account. Nobody signs up again
    from its addresses."""
    player = _player(server, userid)
    for address in player.addresses:
        banned.ban(server.library, address, server.now())
    left = [*_leaving(server, userid)]
    _changed(server, userid, Kind.DELETE, _removed)
    said = [f"The account {userid} is removed."]
    if left:
        said.append(f"It has left {listed(left)}, and the others there are told.")
    if player.addresses:
        said.append(
            f"No account can be made from {listed(player.addresses)} again, until you "
            'say "admit" in place of "ban", with the address.'
        )
    return Answer(fill(" ".join(said)))


def _admit(server: Server, address: str) -> Answer:
    """Let an address that was banned sign up again. Raises NotFound."""
    if not banned.admit(server.library, address):
        raise NotFound(f"{quoted(address)} is not banned.")
    return Answer(f"{address} can sign up again.\n")


def _removed(player: Player) -> Player:
    return player._replace(status=DELETED)


def _changed(
    server: Server, userid: str, kind: Kind, change: Callable[[Player], Player]
) -> Player:
    """The account after a line by the owner, signed out everywhere; its letter
    leaves."""
    with server.store.lock(PLAYERS, userid):
        before = _player(server, userid)
        noted = shelves.private(server.store, userid) if kind is Kind.DELETE else ()
        made = Change(kind, (*noted,))
        line = LogLine(None, server.now(), userid, OWNER, made)
        after = change(before)._replace(sessions=()).after(line)
        context = server.context()
        player, number = server.saved(before, after, context)
    entailed = [*server.entailed(player, number, context)]
    server.deliver([*entailed, Due.of(player)])
    changed: Player = player
    return changed


def _leaving(server: Server, userid: str) -> Iterator[str]:
    """The names of the boards that a player leaves now."""
    for key in _boards(server, userid):
        with server.store.lock(*key):
            before = server.library.ledger(*key)
            after = _left(before, userid, server.now())
            if after is None:
                continue  # it has just ended
            board, _ = server.saved(before, after, server.context())
        server.deliver([Due.of(board)])
        yield " ".join(key)


def _left(board: Match, userid: str, now: str) -> Match | None:
    """A board that a player leaves by the first way that the game allows; None if it
    allows none, or they have left it already while others play on."""
    if userid in board.gone:
        return None
    for act, who in ((Act.DECLINE, userid), (Act.RESIGN, userid), (Act.VOID, NOBODY)):
        with suppress(Refused):
            line = Line(None, now, who, OWNER, act)
            left: Match = ledgers.kind_of(board).after(board, line)
            return left
    return None


def _boards(server: Server, userid: str) -> list[Key]:
    """The boards that are not over where a player has a seat."""
    lists = server.library.lists
    found = (lists.boards_of([userid], "all"), lists.open_challenges(players=[userid]))
    for damage in (damage for each in found for damage in each.damaged):
        raise damage
    boards = [board for each in found for board in each.boards]
    return [Key(b.game, str(b.board)) for b in boards if b.result is None]


_DEEDS: Mapping[str, Callable[[Server, str], Answer]] = {
    "show": _show,
    "reset": _reset,
    "ban": _ban,
    "admit": _admit,
    "delete": _delete,
}
