"""Plays for the robots: whatever boards wait for one, it thinks and moves.

What is to be done is kept nowhere: it follows from the boards. While a robot thinks,
nobody's lock is held; its move is saved under the board's lock if it still fits what
the robot has thought about. Otherwise the board is looked at anew.
"""

import hmac
from collections.abc import Sequence
from contextlib import suppress
from random import Random
from time import monotonic, sleep
from typing import NamedTuple

from pbm_holomino import robots, rules
from pbm_holomino.errors import BadMove, CorruptFile, PbmError
from pbm_holomino.letters.due import Due
from pbm_holomino.match import queue, replay, shares
from pbm_holomino.match.board import Match, Offer
from pbm_holomino.match.record import ROBOT, Act, Line
from pbm_holomino.match.robots import LEVELS, level_of
from pbm_holomino.match.times import parse_time
from pbm_holomino.resident.report import in_words, say
from pbm_holomino.resident.thinking import CannotThink, thought
from pbm_holomino.robots.contract import Budget, Forecast
from pbm_holomino.server.transaction import Server
from pbm_holomino.server.waking import PATIENCE, waiting
from pbm_holomino.store.contract import ROBOTS_FAILED
from pbm_holomino.store.summary import Summary

LEASE_SECONDS = 15  # in which only one process thinks about a position
_PARTS = 4  # of the budget for a move: one is for a judgement of the position
_PAUSE = 60.0  # seconds until a board with which something is wrong is tried again
_POLL = 0.05
_FOLDER = "robots"  # of the counters by which positions are leased

_Key = tuple[str, int]  # a game and a board


class Thought(NamedTuple):
    """What a robot does, and what it says."""

    action: Act | str
    words: str = ""


class _Standing(NamedTuple):
    """What a robot thinks about: it changes with moves, offers and their answers, and
    when players drop out; but not with what players say, or plan."""

    moves: tuple[int, ...]
    offer: Offer | None
    gone: tuple[str, ...]
    is_over: bool

    @classmethod
    def of(cls, match: Match) -> "_Standing":
        is_over = match.result is not None
        return cls(match.moves, match.offer, (*match.gone,), is_over)


class _Letter(NamedTuple):
    """Letters about a board that wait while somebody sends those about the line
    `before`, but no longer than until this time, by the monotonic clock."""

    board: _Key
    before: int
    end: float


class Robots:
    """Plays for all robots of a server, each of which may think for so many `seconds`
    of processor time about a move. It stops when one of the lifelines can be read."""

    def __init__(
        self, server: Server, seconds: float, lifelines: Sequence[int] = ()
    ) -> None:
        self._server = server
        self._seconds = seconds
        self._lifelines = lifelines
        self._letters: list[_Letter] = []
        # Boards that are tried later, and when: others think about them, or they failed
        self._leased: dict[_Key, float] = {}
        self._failed: dict[_Key, float] = {}
        self._done_by_others: set[_Key] = set()

    def boards(self) -> list[Summary]:
        """The boards where something can be done now, the first that waits first."""
        now = monotonic()
        for later in (self._leased, self._failed):
            for key in [key for key, due in later.items() if due <= now]:
                del later[key]
        late = {*self._leased, *self._failed}
        found = (board for _, board in waiting(self._server.library))
        return [board for board in found if (board.game, board.board) not in late]

    def play(self, game: str, board: int) -> bool:
        """Do what a robot has to do on a board; whether that was done. If the board is
        changed meanwhile, or another process does it, nothing is."""
        try:
            return self._act(game, board)
        except Exception as error:  # no other board must feel it
            self._fail((game, board), error)
            return False

    def send_letters(self) -> None:
        """Send the letters about what was done, but for those that answer a player's
        move while a process may be about to send them with the letter about that."""
        waiting = [letter for letter in self._letters if self._must_wait(letter)]
        for letter in self._letters:
            if letter not in waiting:
                self._send(letter.board)
        self._letters = waiting

    def await_letters(self) -> bool:
        """Wait a moment if there are letters that wait; whether there are."""
        if self._letters:
            sleep(_POLL)
        return bool(self._letters)

    @property
    def until_free(self) -> float | None:
        """Seconds until a board is free that another process has leased; None if there
        is none."""
        times = self._leased.values()
        return max(0.0, min(times) - monotonic()) if times else None

    def _fail(self, key: _Key, error: BaseException) -> None:
        """Leave a board alone for a while; its damage is reported elsewhere."""
        self._failed[key] = monotonic() + _PAUSE
        if not isinstance(error, CorruptFile):
            say(f"{key[0]} {key[1]}: {in_words(error)}", "pbm play")

    # One board

    def _act(self, game: str, board: int) -> bool:
        match = self._server.library.match(game, board)
        due = match.robots_due
        if not due:
            # another process has just done it; or lists do not know what the board says
            if (game, board) in self._done_by_others:
                self._failed[game, board] = monotonic() + _PAUSE
            self._done_by_others ^= {(game, board)}
            return False
        self._done_by_others.discard((game, board))
        who, before = due[0], _Standing.of(match)
        if not self._lease(match, who):
            return False
        found = self._thought(match, who)
        with self._server.store.lock(game, str(board)):
            match = self._server.library.match(game, board)
            if _Standing.of(match) != before:
                return False
            changed = _after(match, who, found, self._server.now())
            line = len(match.record.log)
            self._server.library.save(changed, unsent=line)
        last, end = match.last_known(line - 1, None), monotonic() + PATIENCE + 0.5
        letter = _Letter((game, board), last, end)
        self._letters.append(letter)
        if self._must_wait(letter):
            with self._server.store.marks.sending(game, str(board), line) as mark:
                if mark is not None:
                    mark.kept = True  # whoever sends the letter before may send this
        return True

    def _lease(self, match: Match, who: str) -> bool:
        """Whether this process is the one to think about a position for now. If not,
        the board is looked at again when the lease of another may have ended."""
        now = int(parse_time(self._server.now()).timestamp())
        period, passed = divmod(now, LEASE_SECONDS)
        record = match.record
        position = f"{record.name} {len(record.log)} {who}"
        claims = {position: (1, 1)}
        if self._server.store.counters.claim(_FOLDER, f"{period}", claims):
            return True
        left = LEASE_SECONDS - passed
        self._leased[record.game, record.board] = monotonic() + left
        return False

    def _thought(self, match: Match, who: str) -> Thought:
        """What a robot does. If it finds nothing that is possible, the owner is told,
        and the general robot moves in its place."""
        mind = Mind(match, who, self._server.library.key)
        if match.offer is not None:
            return Thought(self._reply(match, mind))
        try:
            return self._with_words(mind, self._tried(mind, self._seconds))
        except (BadMove, CannotThink) as error:
            why = "its move was not possible" if isinstance(error, BadMove) else error
            self._tell_owner(f"{who} on {match.record.name}: {why}")
        try:
            return Thought(self._tried(mind, 0.0))
        except CannotThink as error:
            raise PbmError(f"No robot moves: {error}.") from None

    def _tell_owner(self, what: str) -> None:
        told = f"{self._server.now()} {what}"
        self._server.store.put_note(ROBOTS_FAILED, told)

    def _tried(self, mind: "Mind", seconds: float) -> str:
        """The move of a robot, which has been tried: it is possible."""
        budget = Budget(seconds)
        move = thought(lambda: mind.move(budget), seconds, self._lifelines)
        mind.after(move)
        return move

    def _with_words(self, mind: "Mind", move: str) -> Thought:
        """A move with what a robot of the highest level says of the position after
        it."""
        words, part = "", self._seconds / _PARTS
        then = mind.after(move)
        if mind.level == LEVELS[-1] and part:
            with suppress(CannotThink):
                words = thought(
                    lambda: then.remark(Budget(part)), part, self._lifelines
                )
        return Thought(move, words)

    def _reply(self, match: Match, mind: "Mind") -> Act:
        """The answer to an offer: a robot gives moves back where nothing counts, and
        accepts a draw when it thinks itself no better."""
        assert match.offer is not None
        if match.offer.kind == "undo":
            return Act.REJECT if match.record.rated else Act.ACCEPT
        part = self._seconds / _PARTS
        try:
            said = thought(lambda: mind.reply(Budget(part)), part, self._lifelines)
        except CannotThink as error:
            self._tell_owner(f"{mind.who} on {match.record.name}: {error}")
            return Act.REJECT
        return Act(said)

    # Letters

    def _must_wait(self, letter: _Letter) -> bool:
        (game, board), marks = letter.board, self._server.store.marks
        is_unsent = marks.is_unsent(game, str(board), letter.before)
        return monotonic() < letter.end and is_unsent

    def _send(self, board: _Key) -> None:
        with suppress(PbmError):  # the marks stay, for whoever sends next
            match = self._server.library.match(*board)
            self._server.delivery.deliver([Due.of(match)])


def _after(match: Match, who: str, found: Thought, now: str) -> Match:
    """The match after what a robot does. Raises BadMove if that is not possible."""
    line = Line(None, now, who, ROBOT, found.action)
    changed = shares.with_text(replay.after(match, line), found.words)
    return queue.advanced(changed, now)


class Mind:
    """A robot on a board. All that it is given is what its seat may see, and a
    generator that repeats itself only for the same position of the same board."""

    def __init__(self, match: Match, who: str, key: bytes) -> None:
        record = match.record
        self.match, self.who, self.level = match, who, level_of(who)
        self._key, self._game = key, rules.edition(record.game, record.version)
        self._view = match.rules.view(match.state, record.players.index(who))
        words = f"robot {record.game} {record.board} {match.ply} {who}"
        self._rng = Random(hmac.digest(key, words.encode(), "sha256"))

    def move(self, budget: Budget) -> str:
        """The move that it makes."""
        choose = robots.load(self._game, self.level)
        return choose(self._view, budget, self._rng)

    def after(self, move: str) -> "Mind":
        """The same robot after its move. Raises BadMove if that is not possible."""
        time = self.match.record.log[-1].time
        then = _after(self.match, self.who, Thought(move), time)
        return Mind(then, self.who, self._key)

    def remark(self, budget: Budget) -> str:
        """What it says of the position."""
        return robots.remark(self._game, self._view, self._forecast(budget))

    def reply(self, budget: Budget) -> str:
        """Its answer to an offered draw."""
        is_welcome = robots.accepts_draw(self._view, self._forecast(budget))
        return str(Act.ACCEPT if is_welcome else Act.REJECT)

    def _forecast(self, budget: Budget) -> Forecast:
        return robots.forecast(self._game, self._view, budget, self._rng)
