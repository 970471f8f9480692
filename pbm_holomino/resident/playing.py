"""Plays for the robots: whatever boards wait for one, it thinks and moves.

What is to be done is kept nowhere: it follows from the boards. While a robot thinks,
nobody's lock is held; its move is saved under the board's lock if it still fits what
the robot has thought about. Otherwise the board is looked at anew.
"""

from collections.abc import Sequence
from contextlib import suppress
from time import monotonic, sleep

from pbm_holomino.errors import BadMove, CorruptFile, PbmError
from pbm_holomino.letters.letter import Due
from pbm_holomino.match import queue, replay, shares
from pbm_holomino.match.board import Match, Offer
from pbm_holomino.match.record import ROBOT, Act, Line
from pbm_holomino.match.robots import LEVELS, level_of
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.resident.leases import Leases
from pbm_holomino.resident.mind import Mind
from pbm_holomino.resident.report import in_words, say
from pbm_holomino.resident.thinking import CannotThink, Thinking
from pbm_holomino.server.transaction import Server
from pbm_holomino.server.waking import PATIENCE, waiting
from pbm_holomino.store.contract import Key
from pbm_holomino.store.summary import Summary

LEASE_SECONDS = 15  # in which only one process thinks about a position
_PARTS = 4  # of the budget for a move: one is for a judgement of the position
_POLL = 0.05
_FOLDER = "robots"  # of the counters by which positions are leased


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

    board: Key
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
        self._thinking = Thinking(server, lifelines)
        self._letters: list[_Letter] = []
        self.leases = Leases[Key](server, _FOLDER, LEASE_SECONDS)
        self._done_by_others: set[Key] = set()

    def boards(self) -> list[Summary]:
        """The boards where something can be done now, the first that waits first."""
        late = self.leases.late()
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

    def _fail(self, key: Key, error: BaseException) -> None:
        """Leave a board alone for a while; its damage is reported elsewhere."""
        self.leases.leave_alone(key)
        if not isinstance(error, CorruptFile):
            say(f"{key[0]} {key[1]}: {in_words(error)}", "pbm play")

    # One board

    def _act(self, game: str, board: int) -> bool:
        match = self._server.library.match(game, board)
        due = match.robots_due
        if not due:
            # another process has just done it; or lists do not know what the board says
            if (game, board) in self._done_by_others:
                self.leases.leave_alone((game, board))
            self._done_by_others ^= {(game, board)}
            return False
        self._done_by_others.discard((game, board))
        who, before = due[0], _Standing.of(match)
        position = f"{match.record.name} {len(match.record.log)} {who}"
        if not self.leases.take((game, board), lambda period: position):
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

    def _thought(self, match: Match, who: str) -> Thought:
        """What a robot does. If it finds nothing that is possible, the owner is told,
        and the general robot moves in its place."""
        if match.offer is not None:
            return Thought(self._reply(match, match.offer, who))
        try:
            move, after = self._tried(match, who, self._seconds)
            return Thought(move, self._words(after, who))
        except (BadMove, CannotThink) as error:
            why = "its move was not possible" if isinstance(error, BadMove) else error
            self._thinking.tell_owner(f"{who} on {match.record.name}", why)
        try:
            return Thought(self._tried(match, who, 0.0)[0])
        except CannotThink as error:
            raise PbmError(f"No robot moves: {error}.") from None

    def _tried(self, match: Match, who: str, seconds: float) -> tuple[str, Match]:
        """The move of a robot, and the match after it. Raises BadMove if that is not
        possible, or CannotThink."""
        move = self._thinking.result(self._mind(match, who).move, seconds)
        return move, _after(match, who, Thought(move), match.record.log[-1].time)

    def _words(self, match: Match, who: str) -> str:
        """What a robot of the highest level says of the position after its move."""
        part = self._seconds / _PARTS
        if level_of(who) == LEVELS[-1] and part:
            with suppress(CannotThink):
                return self._thinking.result(self._mind(match, who).remark, part)
        return ""

    def _reply(self, match: Match, offer: Offer, who: str) -> Act:
        """The answer to an offer: a robot gives moves back where nothing counts, waits
        as long as one likes, and accepts a draw when it thinks itself no better."""
        if offer.kind == "pause":
            return Act.ACCEPT
        if offer.kind == "undo":
            return Act.REJECT if match.record.rated else Act.ACCEPT
        mind, part = self._mind(match, who), self._seconds / _PARTS
        try:
            return Act(self._thinking.result(mind.reply, part))
        except CannotThink as error:
            self._thinking.tell_owner(f"{who} on {match.record.name}", error)
            return Act.REJECT

    def _mind(self, match: Match, who: str) -> Mind:
        return Mind(match, who, self._server.library.key)

    # Letters

    def _must_wait(self, letter: _Letter) -> bool:
        (game, board), marks = letter.board, self._server.store.marks
        is_unsent = marks.is_unsent(game, str(board), letter.before)
        return monotonic() < letter.end and is_unsent

    def _send(self, board: Key) -> None:
        with suppress(PbmError):  # the marks stay, for whoever sends next
            match = self._server.library.match(*board)
            self._server.delivery.deliver([Due.of(match)])


def _after(match: Match, who: str, found: Thought, now: str) -> Match:
    """The match after what a robot does. Raises BadMove if that is not possible."""
    line = Line(None, now, who, ROBOT, found.action)
    changed = shares.with_text(replay.after(match, line), found.words)
    return queue.advanced(changed, now)
