"""What robots can do for a reader of the page of a board: give a hint for a move, or
review a game that is over."""

from asyncio import sleep, to_thread
from time import monotonic

from pbm_holomino.commands.hints_and_reviews import (
    check_hint,
    check_hint_on_line,
    check_review,
)
from pbm_holomino.errors import PbmError, Refused
from pbm_holomino.match.analysis import Analysis
from pbm_holomino.match.board import Match
from pbm_holomino.match.reviews import Review
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.store import reviews, robot_jobs
from pbm_holomino.store.contract import Store
from pbm_holomino.store.robot_jobs import HINT, REVIEW, Advice, Job

PATIENCE = 5.0  # seconds for which a page waits for a hint
_POLL = 0.1
_MOST_WAITING = 10  # pages: with more, the robots have more than one thing to do


class RobotHelp(NamedTuple):
    """A HINT or a REVIEW, or nothing: whether the reader can ask for it, whether a
    robot is at work on it already, and what that has said."""

    kind: str = ""
    can_ask: bool = False
    is_awaited: bool = False
    said: Advice | Review | None = None

    @property
    def move(self) -> str:
        """The move of a hint that was given; otherwise empty."""
        return self.said.move if isinstance(self.said, Advice) else ""


def robot_help(store: Store, match: Match, reader: str | None) -> RobotHelp:
    """What robots can do, or have done, for a reader of a board: a player who is signed
    in, or somebody else."""
    try:
        if match.result is not None:
            check_review(match)
            return _review(store, match, reader)
        if reader:
            check_hint(match, reader)
            return _hint(store, match, reader)
    except Refused:
        pass
    return RobotHelp()


def help_on_line(store: Store, match: Match, reader: str, found: Analysis) -> RobotHelp:
    """What robots can do, or have done, for a player who tries a line on a board."""
    try:
        check_hint_on_line(match, reader, found)
    except Refused:
        return RobotHelp()
    start, line = match.after_ply(found.since), found.words
    if (advice := robot_jobs.hint(store, start, reader, line)) is not None:
        return RobotHelp(HINT, said=advice)
    is_asked = Job.at(start, reader, line) in robot_jobs.waiting(store)
    return RobotHelp(HINT, True, is_asked)


def _hint(store: Store, match: Match, reader: str) -> RobotHelp:
    if (advice := robot_jobs.hint(store, match, reader)) is not None:
        return RobotHelp(HINT, said=advice)
    return RobotHelp(HINT, True, _is_asked(store, match, HINT, reader))


def _review(store: Store, match: Match, reader: str | None) -> RobotHelp:
    if (review := reviews.find(store, match)) is not None:
        return RobotHelp(REVIEW, said=review)
    can_ask = reader in match.record.players
    return RobotHelp(REVIEW, can_ask, _is_asked(store, match, REVIEW))


def _is_asked(store: Store, match: Match, kind: str, who: str = "") -> bool:
    """Whether a player has asked for something that is not done yet; anybody, if nobody
    is named."""
    asked = (kind, match.record.game, match.record.board)
    jobs = [job for job in robot_jobs.waiting(store) if not job.position]
    return any(job[:3] == asked and who in ("", job.who) for job in jobs)


class Hints:
    """Pages that wait a moment until the robots have done the only thing that they are
    asked for, so that the page that follows shows it. One of a player waits, however
    often they ask, and it takes no thread."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting = set[str]()

    async def wait(self, who: str) -> None:
        """Wait for the hint that a player has just asked for."""
        if who in self._waiting or len(self._waiting) >= _MOST_WAITING:
            return
        self._waiting.add(who)
        try:
            end = monotonic() + PATIENCE
            while monotonic() < end and await to_thread(self._is_alone):
                await sleep(_POLL)
        finally:
            self._waiting.remove(who)

    def _is_alone(self) -> bool:
        try:
            return len(robot_jobs.waiting(self._store)) == 1
        except PbmError:  # the page that follows says what is wrong
            return False
