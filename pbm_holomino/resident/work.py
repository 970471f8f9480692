"""What robots have to do on a server, and in which order: moves come first, as somebody
waits for them, then hints, then reviews; and of each kind the players have turns.
"""

from collections import deque
from collections.abc import Collection, Iterator, Sequence
from enum import IntEnum

from pbm_holomino.match.record import NOBODY
from pbm_holomino.match.turns import dealt
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.resident.advising import Adviser
from pbm_holomino.resident.playing import Robots
from pbm_holomino.server.transaction import Server
from pbm_holomino.store.contract import Key
from pbm_holomino.store.newcomers import newcomers
from pbm_holomino.store.robot_jobs import HINT, Job
from pbm_holomino.store.summary import Summary

_REMEMBERED = 1_000  # turns


class Kind(IntEnum):
    """What robots do, the most urgent first."""

    MOVE = 0
    HINT = 1
    REVIEW = 2


class Task(NamedTuple):
    """Something that a robot has to do for people: on a board for its players, or a job
    that a player has asked for."""

    kind: Kind
    people: tuple[str, ...]
    what: Key | Job
    is_begun: bool = False

    def asked_by(self, new: Collection[str]) -> str:
        """The player whose turn it takes: the first whose account is not new."""
        old = [who for who in self.people if who not in new]
        return [*old, *self.people, NOBODY][0]


def next_turn(tasks: Sequence[Task], new: Collection[str], had: Sequence[str]) -> Task:
    """The task that comes next: of reviews, one that has been begun. New accounts,
    which share one place, never have two turns in a row while another player waits, for
    whatever it is. `had` are the players who have had turns, the latest at the end."""

    def who(task: Task) -> str:
        return task.asked_by(new)

    if had and had[-1] in new:
        tasks = [task for task in tasks if who(task) not in new] or tasks
    first = min(task.kind for task in tasks)
    urgent = [task for task in tasks if task.kind is first]
    begun = [task for task in urgent if task.is_begun]
    return dealt(begun or urgent, who, new, had)[0]


class Work:
    """All that robots do on a server. Each may think about a move for so many `seconds`
    of processor time. It stops when one of the lifelines can be read."""

    def __init__(
        self, server: Server, seconds: float, lifelines: Sequence[int] = ()
    ) -> None:
        self._server = server
        self._robots = Robots(server, seconds, lifelines)
        self._adviser = Adviser(server, lifelines)
        self._had = deque[str](maxlen=_REMEMBERED)

    def tasks(self) -> list[Task]:
        """What can be done now; of each kind, what has waited longest first."""
        ours = self._server.library.robots
        moves = [
            Task(Kind.MOVE, _people(board, ours), (board.game, board.board))
            for board in self._robots.boards()
        ]
        return [*moves, *map(self._asked, self._adviser.jobs())]

    def _asked(self, job: Job) -> Task:
        kind = Kind.HINT if job.kind == HINT else Kind.REVIEW
        return Task(kind, (job.who,), job, self._adviser.has_begun(job))

    @property
    def until_free(self) -> float | None:
        """Seconds until something is free that another process has leased; None if
        nothing is leased."""
        times = (each.leases.until_free for each in (self._robots, self._adviser))
        return min((time for time in times if time is not None), default=None)

    def do_all(self) -> Iterator[Key | Job | None]:
        """Do all that can be done now. It pauses with each board on which a robot has
        acted, with each job that has ended, and with None while one goes on."""
        while True:
            if tasks := self.tasks():
                yield from self._done(self._next(tasks))
            elif not self._robots.await_letters():
                return
            self._robots.send_letters()

    def _next(self, tasks: Sequence[Task]) -> Task:
        people, new = {who for task in tasks for who in task.people}, set[str]()
        if len(people) > 1:
            library, now = self._server.library, self._server.now()
            new = newcomers(library, people | {*self._had}, now)
        task = next_turn(tasks, new, self._had)
        self._had.append(task.asked_by(new))
        return task

    def _done(self, task: Task) -> Iterator[Key | Job | None]:
        """Do a task, or its next part."""
        what = task.what
        if isinstance(what, Job):
            ended = self._adviser.do(what)
            if ended is not None:
                yield what if ended else None
        elif self._robots.play(*what):
            yield what


def _people(board: Summary, robots: Collection[str]) -> tuple[str, ...]:
    """The people who play on a board, without those who have not accepted it yet."""
    others = {*robots, *board.unanswered}
    return tuple(who for who in board.players if who not in others)
