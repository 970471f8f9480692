"""What time brings: reminders, forfeits and digests, as cron runs it.

It may run at any moment, twice, or not for a month: all that is due follows from
the boards and the accounts, and is done once.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from pbm_holomino.commands import accounts, queries
from pbm_holomino.commands.request import Answer
from pbm_holomino.errors import CorruptFile, PbmError
from pbm_holomino.letters import letters
from pbm_holomino.match import deadlines, queue, replay
from pbm_holomino.match.account import Change, Kind, Player
from pbm_holomino.match.deadlines import Wait, due, later
from pbm_holomino.match.record import TICKED, Act, Line
from pbm_holomino.sentences import fill, moment
from pbm_holomino.server import open as place
from pbm_holomino.server.transaction import Server
from pbm_holomino.store.library import PLAYERS
from pbm_holomino.store.summary import Summary

MOST_LISTED = 2_000  # boards in one letter


class Waiting(NamedTuple):
    """A board that waits for a player."""

    board: Summary
    wait: Wait
    why: str  # letters.TURN, or ASKED for a challenge that they have not answered

    def remind(self, told: str) -> str:
        """When the player is to be reminded of it, if they were last written at that
        time which boards wait for them. Empty for never."""
        return self.wait.remind(self.board.nag, told)


def run(words: Sequence[str]) -> Answer:
    """Remind who is waited for too long, end what is over time, send digests."""
    server, _ = place.open_server()
    return Answer("".join(map(fill, do_what_is_due(server))) or "Nothing is due.\n")


def do_what_is_due(server: Server) -> Iterator[str]:
    """Do it, and tell it in sentences. What is damaged or busy stops nothing else:
    it is told, and done the next time."""
    library = server.library
    library.lists.scan()
    found = library.lists.due(server.now())
    yield from map(str, found.damaged)
    for board in found.boards:
        yield from _tried(_act_on_board(server, board))
    # in files of format 1 a reminder may be what was due
    old = (board for board in found.boards if not board.waits)
    late = [*library.lists.to_remind(server.now()).boards, *old]
    to_remind = {player for b in late for player in (b.waits or b.players)}
    for userid in sorted(library.store.names(PLAYERS)):
        yield from _tried(_write_to(server, userid, userid in to_remind))


def _tried(done: Iterator[str]) -> Iterator[str]:
    try:
        yield from done
    except PbmError as error:
        yield str(error)


def _act_on_board(server: Server, board: Summary) -> Iterator[str]:
    """Do what is due on a board, an act after the other: one may change what is due
    next."""
    with server.store.lock(board.game, str(board.board)):
        now, found = server.now(), server.library.match(board.game, board.board)
        while acts := due(found, now):
            who, what = acts[0]
            line = Line(None, now, who, TICKED, what)
            first = len(found.record.log)
            found = queue.advanced(replay.after(found, line), now)
            server.library.save_match(found, unsent=first)
            yield f"{found.record.name}: {_TOLD[what].format(who=who)}."
    server.delivery.send_about_board(found)


_TOLD = {Act.FORFEIT: "{who} ran out of time", Act.LAPSE: "the challenge has lapsed"}


# Letters about what waits: digests and reminders


def _write_to(server: Server, userid: str, late: bool) -> Iterator[str]:
    """Write to a player which boards wait for them: once a day where they want a digest
    and any do; otherwise where one of them, which may be, is `late`."""
    now = server.now()
    if not _may_be_written(server.library.player(userid), late, now):
        return
    waiting = list(_waiting(server, userid))
    if not waiting:
        return
    with server.store.lock(PLAYERS, userid):
        player = server.library.player(userid)
        if player is None or not _may_be_written(player, late, now):
            return
        if not _is_due(player, waiting, now):
            return
        change, note = _letter(server, player, waiting)
        player = accounts.listed_to(player, change, note, now)
        server.library.save_player(player)
    server.delivery.send_about_account(player)
    yield _said(player, waiting)


def _may_be_written(player: Player | None, late: bool, now: str) -> bool:
    """Whether a player may be written again which boards wait for them: once a day, a
    digest once a day of the calendar."""
    if player is None:
        return False
    told = player.last_list
    if player.digest:
        return told[:10] < now[:10]
    return late and (not told or later(told, 1) <= now)


def _is_due(player: Player, waiting: Iterable[Waiting], now: str) -> bool:
    if player.digest:
        return True
    times = (one.remind(player.last_list) for one in waiting)
    return any("" < time <= now for time in times)


def _waiting(server: Server, userid: str) -> Iterator[Waiting]:
    """The boards that wait for a player."""
    for board in server.library.lists.boards_of([userid], "active").boards:
        # a file of format 1 does not tell, so that it must be replayed
        waits = board.waits or _replayed(server, board)
        if userid in waits:
            asked = bool(board.waits) and userid in board.unanswered
            why = letters.ASKED if asked else letters.TURN
            yield Waiting(board, waits[userid], why)


def _replayed(server: Server, board: Summary) -> dict[str, Wait]:
    with suppress(CorruptFile):
        return deadlines.waits(server.library.match(board.game, board.board))
    return {}


def _letter(
    server: Server, player: Player, waiting: Sequence[Waiting]
) -> tuple[Change, str]:
    """The change of the account that a digest or a reminder is, and its text."""
    kind, userid = Kind.WAITING if player.digest else Kind.REMINDER, player.userid
    if not player.digest and len(waiting) == 1:
        game, board = waiting[0].board.game, waiting[0].board.board
        text = letters.reminder(server.library.match(game, board), userid)
        return Change(kind, (game, str(board), waiting[0].why)), text
    turns = [one for one in waiting if one.why == letters.TURN]
    asked = [one for one in waiting if one.why == letters.ASKED]
    parts = (_turns(turns, userid), _challenges(asked, userid))
    note = "\n".join(filter(None, parts))
    return Change(kind, () if turns else (letters.ASKED,)), note


def _turns(waiting: Sequence[Waiting], userid: str) -> str:
    if not waiting:
        return ""
    listed = _listed(waiting, "your turn since {since}", ", until {until}")
    seen = f"To see them all, send\n  all show {userid} next\n"
    return f"It is your turn on these boards:\n\n{listed}\n{seen}"


def _challenges(waiting: Sequence[Waiting], userid: str) -> str:
    if not waiting:
        return ""
    listed = _listed(waiting, "challenged on {since}", "; lapses on {until}")
    game, board = waiting[0].board.game, waiting[0].board.board
    answer = (
        "To accept one, to decline one, or to decline them all, send\n"
        f"  {game} accept {board} {userid} PASSWORD\n"
        f"  {game} decline {board} {userid} PASSWORD\n"
        f"  decline all {userid} PASSWORD\n"
    )
    return f"These challenges wait for your answer:\n\n{listed}\n{answer}"


def _listed(waiting: Sequence[Waiting], since: str, until: str) -> str:
    """Boards in a list, how long each has waited, and when that ends."""
    lines = []
    for board, wait, _ in waiting[:MOST_LISTED]:
        said = since.format(since=wait.since[:10])
        if wait.until:
            said += until.format(until=moment(wait.until))
        lines.append(queries.line(board) + fill(said, " " * 13))
    if len(waiting) > MOST_LISTED:
        lines.append(fill(f"And {len(waiting) - MOST_LISTED} more."))
    return "".join(lines)


def _said(player: Player, waiting: Sequence[Waiting]) -> str:
    if player.digest:
        return f"{player.userid} gets a digest."
    if len(waiting) > 1:
        return f"{player.userid} is reminded of {len(waiting)} boards."
    board = waiting[0].board
    return f"{board.name}: {player.userid} is reminded."
