"""What robots teach, as the page of a board offers it: a hint for a move, and the
review of a game that is over."""

import hashlib
from asyncio import sleep
from collections.abc import Callable
from time import monotonic
from typing import NamedTuple

from starlette.concurrency import run_in_threadpool

from pbm_holomino.commands.lessons import check_hint, check_review
from pbm_holomino.errors import PbmError, Refused
from pbm_holomino.match.board import Match
from pbm_holomino.match.lessons import HINT, REVIEW, Advice
from pbm_holomino.store import lessons
from pbm_holomino.store.contract import Store

PATIENCE = 5.0  # seconds for which a page waits for a hint
_POLL = 0.1
_MOST_WAITING = 10  # pages: with more, the robots have more than one thing to do


class Lessons(NamedTuple):
    """Of a hint and of a review: whether the reader can ask for it now, and whether a
    robot is at work on it; the hint; and whether there is a review."""

    can_ask_hint: bool = False
    awaits_hint: bool = False
    hint: Advice | None = None
    can_ask_review: bool = False
    awaits_review: bool = False
    has_review: bool = False

    @property
    def tag(self) -> str:
        """A word that changes with any of this."""
        return hashlib.sha256(repr(self).encode()).hexdigest()[:8]


_NONE = Lessons()


def lessons_of(store: Store, match: Match, reader: str | None) -> Lessons:
    """What robots can teach, or have taught, a reader of a board: a player who is
    signed in, or somebody else."""
    if match.result is not None:
        return _of_review(store, match, reader)
    if reader not in match.turn or not _is_possible(lambda: check_hint(match, reader)):
        return _NONE
    found = lessons.hint(store, match, reader)
    waits = found is None and _is_asked(store, match, HINT, reader)
    return Lessons(can_ask_hint=not (found or waits), awaits_hint=waits, hint=found)


def _of_review(store: Store, match: Match, reader: str | None) -> Lessons:
    if not _is_possible(lambda: check_review(match)):
        return _NONE
    if lessons.review(store, match) is not None:
        return Lessons(has_review=True)
    waits = _is_asked(store, match, REVIEW)
    can_ask = reader in match.record.players and not waits
    return Lessons(can_ask_review=can_ask, awaits_review=waits)


def _is_possible(check: Callable[[], None]) -> bool:
    try:
        check()
    except Refused:
        return False
    return True


def _is_asked(store: Store, match: Match, kind: str, who: str = "") -> bool:
    """Whether a player has asked for a lesson that is not done yet; anybody, if nobody
    is named."""
    wanted = (kind, match.record.game, match.record.board)
    asked = lessons.asked(store)
    return any(one[:3] == wanted and who in ("", one.who) for one in asked)


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
            while monotonic() < end and await run_in_threadpool(self._is_alone):
                await sleep(_POLL)
        finally:
            self._waiting.remove(who)

    def _is_alone(self) -> bool:
        try:
            return len(lessons.asked(self._store)) == 1
        except PbmError:  # the page that follows says what is wrong
            return False
