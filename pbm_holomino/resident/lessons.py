"""Teaches players what they have asked for: hints, and reviews of games that are over.

Each request is kept in the store until it is done, so that one which was interrupted
begins again. A review is saved when it is complete, and the letter goes after that.
"""

import hmac
import json
import os
import re
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from random import Random
from time import monotonic
from typing import Any

from pbm_holomino import robots, rules
from pbm_holomino.errors import CannotSend, CorruptFile, NotFound
from pbm_holomino.letters import lessons as letters
from pbm_holomino.letters.content import Content, Paragraph
from pbm_holomino.letters.letter import Attachment, Letter
from pbm_holomino.letters.writing import Sources, Writer
from pbm_holomino.match.board import Match
from pbm_holomino.match.lessons import (
    HINT,
    REVIEW,
    Advice,
    Judged,
    Lesson,
    Review,
    digest,
)
from pbm_holomino.match.times import parse_time
from pbm_holomino.resident.report import in_words, say
from pbm_holomino.resident.thinking import CannotThink, thought
from pbm_holomino.robots.contract import Budget
from pbm_holomino.server.transaction import Server
from pbm_holomino.store import lessons
from pbm_holomino.store.contract import ROBOTS_FAILED
from pbm_holomino.store.people import People

HINT_SECONDS = 2.0  # of processor time
MOVE_SECONDS = 0.5  # for each move of a review,
MOST_SECONDS = 60.0  # and for all of them
LEASE_SECONDS = 60  # in which only one process is at a lesson
_NICE = 10  # leaves the processor to all others
_PAUSE = 60.0  # seconds until a lesson with which something is wrong is tried again
_FOLDER = "teaching"  # of the counters by which lessons are leased


class Teacher:
    """Teaches on a server. It stops when one of the lifelines can be read."""

    def __init__(self, server: Server, lifelines: Sequence[int] = ()) -> None:
        self._server = server
        self._store = server.store
        self._lifelines = lifelines
        self._leases: dict[Lesson, str] = {}  # those that this process has
        self._begun: dict[Lesson, Iterator[bool]] = {}  # reviews
        # Lessons that are tried later, and when: others are at them, or they failed
        self._leased: dict[Lesson, float] = {}
        self._failed: dict[Lesson, float] = {}

    def lessons(self) -> list[Lesson]:
        """What players have asked for and can be done now, the oldest first."""
        now = monotonic()
        for later in (self._leased, self._failed):
            for lesson in [lesson for lesson, due in later.items() if due <= now]:
                del later[lesson]
        late = {*self._leased, *self._failed}
        asked = [one for one in lessons.asked(self._store) if one not in late]
        self._begun = {one: self._begun[one] for one in asked if one in self._begun}
        return asked

    def has_begun(self, lesson: Lesson) -> bool:
        """Whether a review has been begun."""
        return lesson in self._begun

    @property
    def until_free(self) -> float | None:
        """Seconds until a lesson is free that another process has leased; None if there
        is none."""
        times = self._leased.values()
        return max(0.0, min(times) - monotonic()) if times else None

    def teach(self, lesson: Lesson) -> bool | None:
        """Do a lesson, or of a review the next move: whether it has ended now. None if
        nothing could be done."""
        steps = self._begun.pop(lesson, None) or self._teach(lesson)
        try:
            ended = next(steps, None)
        except Exception as error:  # nobody else's lesson must feel it
            ended = None
            self._failed[lesson] = monotonic() + _PAUSE
            say(f"{' '.join(map(str, lesson))}: {in_words(error)}", "pbm robots")
        if ended is False:
            self._begun[lesson] = steps
        else:
            self._leases.pop(lesson, None)
        return ended

    def _teach(self, lesson: Lesson) -> Iterator[bool]:
        """The steps of a lesson: whether it has ended, after each of them."""
        match = self._match(lesson)
        if match is None:  # nobody waits for it any more
            lessons.done(self._store, lesson)
            return
        if not self._lease(lesson):
            return
        if lesson.kind == HINT:
            advice = advice_on(self._server, match, lesson.who, self._lifelines)
            if advice:  # for the page of the board
                lessons.keep_hint(self._store, match, lesson.who, advice)
            said = advice and letters.hint(match, lesson.who, advice, by_reply=True)
            self._send(lesson, match, said or _nothing(match))
        elif (found := (yield from self._review(lesson, match))) is not None:
            self._send_review(lesson, match, found)
        else:
            return  # somebody else is at it now
        lessons.done(self._store, lesson)
        yield True

    def _match(self, lesson: Lesson) -> Match | None:
        """The board, if the lesson still is of use."""
        try:
            match = self._server.library.match(lesson.game, lesson.board)
        except (CorruptFile, NotFound):
            return None
        return match if lesson.is_current(match) else None

    def _lease(self, lesson: Lesson) -> bool:
        """Whether this process is the one to be at a lesson for now. If not, it is
        looked at again when the lease of another may have ended."""
        now = int(parse_time(self._server.now()).timestamp())
        period, passed = divmod(now, LEASE_SECONDS)
        source = lessons.source(self._store, lesson)  # it may be asked for again
        claim = " ".join([*map(str, lesson), source, str(period)])
        if claim == self._leases.get(lesson):
            return True
        if self._store.counters.claim(_FOLDER, f"{period}", {claim: (1, 1)}):
            self._leases[lesson] = claim
            return True
        self._leased[lesson] = monotonic() + LEASE_SECONDS - passed
        return False

    # Reviews

    def _review(
        self, lesson: Lesson, match: Match
    ) -> Generator[bool, None, Review | None]:
        """The review of a board, made now if there is none; None if the lease is lost
        meanwhile."""
        found = lessons.review(self._store, match)
        if found is not None:
            return found
        judged = list[Judged]()
        seconds = min(MOVE_SECONDS, MOST_SECONDS / len(match.moves))
        for line in match.moves:
            if not self._lease(lesson):
                return None
            judged += self._judged(match, line, seconds)
            yield False
        found = Review(digest(match), tuple(judged))
        if judged:
            lessons.save(self._store, match, found)
        return found

    def _judged(self, match: Match, line: int, seconds: float) -> list[Judged]:
        """The move in a line of the log, unless no robot can judge it."""
        before, made = match.at(line - 1), match.record.log[line]
        mind = _Mind(before, made.who, self._server.library.key)
        found = _thought(
            self._server,
            f"{match.record.name}, move {made.no}",
            lambda budget: mind.judge(str(made.action), budget),
            seconds,
            self._lifelines,
        )
        if found is None:
            return []
        return [Judged(line, found["move"], found["given_away"], (*found["chances"],))]

    # Letters

    def _send_review(self, lesson: Lesson, match: Match, found: Review) -> None:
        if found.moves:
            picture = letters.picture(match, found)
            self._send(lesson, match, letters.review(match, found), picture)
        else:
            self._send(lesson, match, _nothing(match))

    def _send(
        self, lesson: Lesson, match: Match, said: Content, *files: Attachment
    ) -> None:
        """Send the letter to the player who has asked, if they have an address. Raises
        CannotSend; then the lesson begins again later."""
        player = self._server.library.player(lesson.who)
        if player is None or not player.addresses:
            return
        source = lessons.source(self._store, lesson)
        mark = re.sub("[^a-z0-9]", "", source) or lesson.kind
        letter = Letter(
            key=f"{lesson.kind}.{lesson.game}.{lesson.board}.{lesson.who}.{mark}",
            to=player.addresses,
            subject=f"{match.record.name}: {_SUBJECTS[lesson.kind]}",
            content=said,
            attachments=files,
            once=True,
        )
        library = self._server.library
        writer = Writer(match, Sources.of(library, People(library)))
        letter = writer.shown(letter, player, mark)
        for why in self._server.delivery.send([letter]).values():
            raise CannotSend(why)


_SUBJECTS = {HINT: "a hint", REVIEW: "the game reviewed"}


def _nothing(match: Match) -> Content:
    name = match.record.name
    text = f"No robot has come to a result on {name}: the owner has been told."
    return ((Paragraph(text),),)


def advice_on(
    server: Server, match: Match, who: str, lifelines: Sequence[int] = ()
) -> Advice | None:
    """What a robot would play in a player's place; None if it finds nothing, of which
    the owner is told."""
    mind = _Mind(match, who, server.library.key)
    what = f"a hint on {match.record.name}"
    found = _thought(server, what, mind.advise, HINT_SECONDS, lifelines)
    return None if found is None else Advice(found["move"], found["reason"])


def _thought(
    server: Server,
    what: str,
    think: Callable[[Budget], Mapping[str, Any]],
    seconds: float,
    lifelines: Sequence[int],
) -> dict[str, Any] | None:
    """What a function finds in a process of its own, of low priority; without a budget
    where it fails with one, and None where it fails again. The owner is told."""

    def told(budget: float) -> str:
        with suppress(OSError):
            os.nice(_NICE)
        return json.dumps(think(Budget(budget)))

    for budget in (seconds, 0.0):
        try:
            found: dict[str, Any] = json.loads(
                thought(partial(told, budget), budget, lifelines)
            )
            return found
        except CannotThink as error:
            note = f"{server.now()} {what}: {error}"
            server.store.put_note(ROBOTS_FAILED, note)
    return None


class _Mind:
    """A robot in a player's place. All that it is given to choose a move is what that
    seat may see, and a generator that repeats itself only for the same position of the
    same board."""

    def __init__(self, match: Match, who: str, key: bytes) -> None:
        record = match.record
        self._match, self._game = match, rules.edition(record.game, record.version)
        self._seat = match.record.players.index(who)
        self._view = match.rules.view(match.state, self._seat)
        words = f"lesson {match.record.name} {match.ply} {who}"
        self._rng = Random(hmac.digest(key, words.encode(), "sha256"))

    def advise(self, budget: Budget) -> dict[str, Any]:
        """What it would play, and why."""
        found = robots.analyse(self._game, self._view, budget, self._rng)
        return {"move": found.move, "reason": found.reason}

    def judge(self, played: str, budget: Budget) -> dict[str, Any]:
        """What it would play, what the move that was played gave away, and the chances
        of all seats."""
        found = robots.analyse(self._game, self._view, budget, self._rng, played)
        chances = self._chances(found.forecast.chance, budget)
        return {
            "move": found.move,
            "given_away": found.given_away,
            "chances": chances,
        }

    def _chances(self, own: float, budget: Budget) -> list[float]:
        """The chance of each seat of coming first, of which this one has its own. Each
        of several is forecast as it sees the game, so they may not add up to 1."""
        match = self._match
        players = match.record.players
        if len(players) == 2:
            return [own if seat == self._seat else 1 - own for seat in range(2)]
        part = budget.part(1 / (4 * len(players)))
        chances = [
            0.0 if who in match.gone else self._forecast(seat, part)
            for seat, who in enumerate(players)
        ]
        total = sum(chances)
        return [c / total if total else 1 / len(chances) for c in chances]

    def _forecast(self, seat: int, budget: Budget) -> float:
        view = self._match.rules.view(self._match.state, seat)
        return robots.forecast(self._game, view, budget, self._rng).chance
