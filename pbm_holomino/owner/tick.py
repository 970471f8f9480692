"""`pbm tick`, as cron runs it: reminders, forfeits and digests.

It may run at any moment, twice, or not for a month: all that is due follows from
the boards and the accounts, and is done once.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING

from pbm_holomino.commands import accounts
from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.errors import DONE, REFUSED, CorruptFile, PbmError
from pbm_holomino.letters import account_letters
from pbm_holomino.letters.due import Due
from pbm_holomino.letters.reminders import Pending, list_open, list_pending
from pbm_holomino.letters.writing import Sources, words_of
from pbm_holomino.match import deadlines, ledgers
from pbm_holomino.match.account import Change, Kind, Player
from pbm_holomino.match.board import Match
from pbm_holomino.match.deadlines import Wait
from pbm_holomino.match.record import Act, Key
from pbm_holomino.match.times import later
from pbm_holomino.match.vacations import away_until
from pbm_holomino.sentences import fill
from pbm_holomino.server import open as opener
from pbm_holomino.server.transaction import Server
from pbm_holomino.server.waking import waiting
from pbm_holomino.store import robot_jobs
from pbm_holomino.store.contract import PLAYERS, TICKED_AT, TOURNAMENTS
from pbm_holomino.store.home import Home
from pbm_holomino.store.library import Library
from pbm_holomino.store.people import People
from pbm_holomino.store.summary import Summary

if TYPE_CHECKING:
    from pbm_holomino.match.tournament import Tournament


def run(request: Request) -> Answer:
    """Remind players, end boards that are out of time, send digests, and have robots
    play that nobody has played for. If something could not be done, the exit status is
    that of its error."""
    server, home = opener.open_server()
    server.store.check_open()
    # what is damaged is met more than once
    sentences = dict.fromkeys(
        [*do_what_is_due(server), *_tried(_for_robots(server, home))]
    )
    failed = [each.status for each in sentences if isinstance(each, Trouble)]
    text = "".join(map(fill, sentences)) or "Nothing is due.\n"
    return Answer(text, max(failed, default=DONE))


class Trouble(str):
    """A sentence about something that was due and could not be done, with the exit
    status of the error."""

    status: int = REFUSED

    @classmethod
    def of(cls, error: PbmError) -> "Trouble":
        """The sentence of an error."""
        made = cls(error.in_a_line)
        made.status = error.status
        return made


def _for_robots(server: Server, home: Home) -> Iterator[str]:
    """Do what robots have to do and nobody has done for them."""
    if waiting(server.library) or robot_jobs.waiting(server.store):
        from pbm_holomino.owner.playing import play_all  # slow to load

        yield from play_all(server, home)


def do_what_is_due(server: Server) -> Iterator[str]:
    """Do what is due, a sentence for each thing done. What is damaged or busy stops
    nothing else: it is reported (see Trouble), and done the next time. When everything
    has been looked at, and none of it must be tried again, that is remembered."""
    is_done = True
    for told in _tried(_everything_due(server)):
        is_done &= not (isinstance(told, Trouble) and told.status != REFUSED)
        yield told
    if is_done:
        try:
            server.store.remember(TICKED_AT, server.now())
        except PbmError as error:
            yield Trouble.of(error)


def _everything_due(server: Server) -> Iterator[str]:
    library = server.library
    library.lists.scan()
    found = library.lists.due(server.now())
    yield from map(Trouble.of, found.damaged)
    for board in found.boards:
        yield from _tried(_act_on(server, Key(board.game, str(board.board))))
    for challenge in library.lists.open_challenges().boards:
        yield from _tried(_offer_robot(server, challenge))
    if library.store.names(TOURNAMENTS):
        from pbm_holomino.owner import rounds  # few servers have any
        from pbm_holomino.store import tournaments

        for number in tournaments.numbers(library.store):
            yield from _tried(rounds.advance(server, number))
    # in files of format 1 a reminder may be what was due
    old = (board for board in found.boards if not board.waits)
    late = [*library.lists.to_remind(server.now()).boards, *old]
    to_remind = {player for b in late for player in (b.waits or b.players)}
    news = cache(lambda: _tournaments(library))
    for userid in sorted(library.store.names(PLAYERS)):
        yield from _tried(_write_to(server, userid, userid in to_remind, news))


def _tournaments(library: Library) -> Sequence["Tournament"]:
    """The latest tournaments."""
    if not library.store.names(TOURNAMENTS):
        return ()
    from pbm_holomino.commands.tournaments import listed

    return listed(library)[0]


def _tried(done: Iterator[str]) -> Iterator[str]:
    try:
        yield from done
    except PbmError as error:
        yield Trouble.of(error)


def _act_on(server: Server, key: Key) -> Iterator[str]:
    """Do what is due in a ledger, one act at a time: each may change what is due next.
    A board where that has to wait for the end of a vacation is looked at each time."""
    kind, people = ledgers.load(key.folder), People(server.library)
    sources = Sources.of(server.library, people)
    with server.store.lock(*key):
        now, before = server.now(), server.library.ledger(*key)
        at_present = words_of(before).at_present
        after, sentences = before, list[str]()
        while lines := kind.due(at_present(after, sources), now):
            after = kind.settled(kind.after(after, lines[0]), now)
            what = _TOLD[lines[0].action].format(who=lines[0].who)
            sentences.append(f"{key.folder} {key.name}: {what}.")
        if sentences:  # one letter tells all of it
            server.library.save(after, kind.marked(before, after))
            yield from sentences
    server.delivery.deliver([Due.of(after, people=people)])


WAITS_DAYS = 1  # after which a player without an opponent is offered the robot


def _offer_robot(server: Server, challenge: Summary) -> Iterator[str]:
    """Offer the robot, once, to a player whose open challenge waits for others."""
    who, now = challenge.challenger, server.now()
    change = Change(Kind.UNTAKEN, (f"{challenge.game}.{challenge.board}",))
    if later(challenge.last_change, WAITS_DAYS) > now:
        return
    if not _may_be_offered(server.library.player(who), change, now):
        return
    with server.store.lock(PLAYERS, who):
        player = server.library.player(who)
        if player is None or not _may_be_offered(player, change, now):
            return
        player = accounts.listed_to(player, change, "", now)
        server.library.save(player, unsent=player.log[-1].no)
    server.delivery.deliver([Due.of(player)])
    yield f"{challenge.name}: {who} is offered the robot."


def _may_be_offered(player: Player | None, change: Change, now: str) -> bool:
    if player is None or away_until(player.vacations, now):
        return False
    return all(line.action != change for line in player.log)


_TOLD = {Act.FORFEIT: "{who} ran out of time", Act.LAPSE: "the challenge has lapsed"}


# Letters about what waits: digests and reminders


def _write_to(
    server: Server, userid: str, late: bool, news: Callable[[], Sequence["Tournament"]]
) -> Iterator[str]:
    """Write to a player which boards wait for them, if any do: once a day if they want
    a digest, which has the `news` of tournaments, too; otherwise if it is `late` on one
    and they are due for a reminder."""
    now = server.now()
    if not _may_be_written(server.library.player(userid), late, now):
        return
    pending = list(_pending(server, userid))
    if not pending:
        return
    with server.store.lock(PLAYERS, userid):
        player = server.library.player(userid)
        if player is None or not _may_be_written(player, late, now):
            return
        if not _is_due(player, pending, now):
            return
        change, note = _letter(server, player, pending)
        if change.kind is Kind.WAITING and (found := news()):
            from pbm_holomino.letters.tournament_letters import list_news

            note += list_news(found, userid, player.last_list or later(now, -NEWS_DAYS))
        player = accounts.listed_to(player, change, note, now)
        server.library.save(player, unsent=player.log[-1].no)
    server.delivery.deliver([Due.of(player)])
    yield _said(player, pending)


NEWS_DAYS = 7  # of tournaments, in a player's first digest


def _may_be_written(player: Player | None, late: bool, now: str) -> bool:
    """Whether a player may get another such letter: one a day, of digests one a
    calendar day, and none on vacation."""
    if player is None or away_until(player.vacations, now):
        return False
    last = player.last_list
    if player.gets_digest:
        return last[:10] < now[:10]
    return late and (not last or later(last, 1) <= now)


def _is_due(player: Player, pending: Iterable[Pending], now: str) -> bool:
    if player.gets_digest:
        return True
    times = (one.remind(player) for one in pending)
    return any("" < time <= now for time in times)


def _pending(server: Server, userid: str) -> Iterator[Pending]:
    """The boards that wait for a player."""
    people = People(server.library)
    for board in server.library.lists.boards_of([userid], "active").boards:
        if board.waits and userid not in board.waits:
            continue
        waits = _waits(server, board, people)
        if userid in waits:
            asked = bool(board.waits) and userid in board.unanswered
            yield Pending(board, waits[userid], asked)


def _waits(server: Server, board: Summary, people: People) -> Mapping[str, Wait]:
    """The players that a board waits for. A file of format 1 does not say, and none
    knows about vacations: then the board must be replayed."""
    accounts = filter(None, map(people.readable, board.waits))
    if board.waits and not any(player.vacations for player in accounts):
        return board.waits
    with suppress(CorruptFile):
        match = server.library.match(board.game, board.board)
        return deadlines.waits(people.with_absences(match))
    return board.waits


def _letter(
    server: Server, player: Player, pending: Sequence[Pending]
) -> tuple[Change, str]:
    """The change of the account that a digest or a reminder is, and its text."""
    kind, userid = Kind.REMINDER, player.userid
    if player.gets_digest:
        kind = Kind.WAITING
    elif len(pending) == 1:
        game, board = pending[0].summary.game, pending[0].summary.board
        last = len(server.library.match(game, board).record.log) - 1
        return Change(kind, (game, str(board), pending[0].why, str(last))), ""
    only_asked = all(one.is_challenge for one in pending)
    words = (account_letters.ASKED,) if only_asked else ()
    text = list_pending(pending, userid)
    if player.digest:
        text += list_open(list(islice(_open_to(server, player), MOST_OPEN)), userid)
    return Change(kind, words), text


MOST_OPEN = 10  # open challenges in a digest


def _open_to(server: Server, player: Player) -> Iterator[Match]:
    """The open challenges that a player may take up."""
    library, people = server.library, People(server.library)
    for one in library.lists.open_challenges().boards:
        if {player.userid, *player.blocked} & {*one.players}:
            continue
        if people.blockers(one.players, player.userid):
            continue
        with suppress(CorruptFile):
            challenge = library.board(one.game, one.board)
            if not challenge.has_begun:
                yield challenge


def _said(player: Player, pending: Sequence[Pending]) -> str:
    if player.gets_digest:
        return f"{player.userid} gets a digest."
    if len(pending) > 1:
        return f"{player.userid} is reminded of {len(pending)} boards."
    summary = pending[0].summary
    return f"{summary.name}: {player.userid} is reminded."
