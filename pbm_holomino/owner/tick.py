"""What time brings: reminders, forfeits and digests, as cron runs it.

It may run at any moment, twice, or not for a month: all that is due follows from
the boards and the accounts, and is done once.
"""

from collections.abc import Iterator, Sequence

from pbm_holomino import ahead, match, place
from pbm_holomino.board import FORFEIT, NAG
from pbm_holomino.clock import due
from pbm_holomino.commands import accounts, queries
from pbm_holomino.errors import PbmError
from pbm_holomino.library import PLAYERS
from pbm_holomino.players import WAITING, Player
from pbm_holomino.record import TICKED, Line
from pbm_holomino.request import Answer
from pbm_holomino.server import Server
from pbm_holomino.summary import Summary
from pbm_holomino.words import fill

_MOST_LISTED = 100  # boards in a digest


def run(words: Sequence[str]) -> Answer:
    """Remind who is waited for too long, end what is over time, send digests."""
    robot, _ = place.open_server()
    return Answer("".join(map(fill, do_what_is_due(robot))) or "Nothing is due.\n")


def do_what_is_due(robot: Server) -> Iterator[str]:
    """Do it, and tell it in sentences. What is damaged or busy stops nothing else:
    it is told, and done the next time."""
    library = robot.library
    library.scan()
    found = library.due(robot.now())
    yield from map(str, found.damaged)
    for board in found.boards:
        yield from _tried(_act_on_board(robot, board))
    for userid in sorted(library.store.names(PLAYERS)):
        yield from _tried(_send_digest(robot, userid))


def _tried(done: Iterator[str]) -> Iterator[str]:
    try:
        yield from done
    except PbmError as error:
        yield str(error)


def _act_on_board(robot: Server, board: Summary) -> Iterator[str]:
    """Do what is due on a board, an act after the other: one may change what is due
    next."""
    told = {FORFEIT: "ran out of time", NAG: "is reminded"}
    with robot.store.lock(board.game, str(board.board)):
        now, found = robot.now(), robot.library.match(board.game, board.board)
        while acts := due(found, now):
            who, what = acts[0]
            line = Line(None, now, who, TICKED, what)
            first = len(found.record.log)
            found = ahead.advanced(match.act(found, line), now)
            robot.library.save_match(found, unsent=first)
            yield f"{found.record.name}: {who} {told[what]}."
    robot.send_about_board(found)


def _send_digest(robot: Server, userid: str) -> Iterator[str]:
    """Send a digest to a player who wants one, has had none today, and is waited
    for."""
    now = robot.now()
    if not _wants_digest(robot.library.player(userid), now[:10]):
        return
    theirs = robot.library.boards_of([userid], "next").boards
    if not theirs:
        return
    with robot.store.lock(PLAYERS, userid):
        player = robot.library.player(userid)
        if player is None or not _wants_digest(player, now[:10]):
            return
        player = accounts.digest(player, _listed(theirs), now)
        robot.library.save_player(player)
    robot.send_about_account(player)
    yield f"{userid} gets a digest."


def _listed(boards: Sequence[Summary]) -> str:
    """The boards of a digest, a line each."""
    more = len(boards) - _MOST_LISTED
    rest = fill(f"... and {more:,} more") if more > 0 else ""
    return "".join(map(queries.line, boards[:_MOST_LISTED])) + rest


def _wants_digest(player: Player | None, day: str) -> bool:
    """Whether a player is to have a digest on this day, and has not had it yet."""
    if player is None or not player.digest:
        return False
    sent = (line.time[:10] for line in player.log if line.what == WAITING)
    return max(sent, default="") < day
