"""Does what players have asked the robots for: hints, and reviews of finished games.

Each job is kept in the store until it is done, so that one which was interrupted begins
again. A review is saved when it is complete, and the letter goes after that.
"""

import json
import re
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import partial
from typing import Any

from pbm_holomino.errors import CannotSend, CorruptFile, NotFound, Refused
from pbm_holomino.letters import hints
from pbm_holomino.letters import reviews as letters
from pbm_holomino.letters.content import Content, in_words, spoken
from pbm_holomino.letters.letter import Attachment, Letter
from pbm_holomino.letters.writing import Sources, Writer
from pbm_holomino.match.analysis import analysed
from pbm_holomino.match.board import Match
from pbm_holomino.match.reviews import Judged, Review, digest
from pbm_holomino.resident import report
from pbm_holomino.resident.leases import Leases
from pbm_holomino.resident.mind import Mind
from pbm_holomino.resident.thinking import CannotThink, Thinking, lower_priority
from pbm_holomino.robots.contract import Budget
from pbm_holomino.server.transaction import Server
from pbm_holomino.store import reviews, robot_jobs
from pbm_holomino.store.people import People
from pbm_holomino.store.robot_jobs import HINT, REVIEW, Advice, Job

HINT_SECONDS = 2.0  # of processor time
MOVE_SECONDS = 0.5  # for each move of a review,
MOST_SECONDS = 60.0  # and for all of them
LEASE_SECONDS = 60  # in which only one process is at a job
_FOLDER = "teaching"  # of the counters by which jobs are leased


class Adviser:
    """Advises players on a server. It stops when one of the lifelines can be read."""

    def __init__(self, server: Server, lifelines: Sequence[int] = ()) -> None:
        self._server = server
        self._store = server.store
        self._thinking = Thinking(server, lifelines)
        self.leases = Leases[Job](server, _FOLDER, LEASE_SECONDS)
        self._begun: dict[Job, Iterator[bool]] = {}  # reviews

    def jobs(self) -> list[Job]:
        """What players have asked for and can be done now, the oldest first."""
        late = self.leases.late()
        jobs = [job for job in robot_jobs.waiting(self._store) if job not in late]
        self._begun = {job: self._begun[job] for job in jobs if job in self._begun}
        return jobs

    def has_begun(self, job: Job) -> bool:
        """Whether a review has been begun."""
        return job in self._begun

    def do(self, job: Job) -> bool | None:
        """Do a job, or of a review the next move: whether it has ended now. None if
        nothing could be done."""
        steps = self._begun.pop(job, None) or self._steps(job)
        try:
            ended = next(steps, None)
        except Exception as error:  # nobody else's job must feel it
            ended = None
            self.leases.leave_alone(job)
            report.say(
                f"{' '.join(map(str, job))}: {report.in_words(error)}", "pbm robots"
            )
        if ended is False:
            self._begun[job] = steps
        return ended

    def _steps(self, job: Job) -> Iterator[bool]:
        """The steps of a job: whether it has ended, after each of them."""
        match = self._match(job)
        if match is None:  # nobody waits for it any more
            robot_jobs.forget(self._store, job)
            return
        if not self._lease(job):
            return
        if job.position:
            self._look_at(job, match)
        elif job.kind == HINT:
            self._send(job, match, self._hint(job, match))
        elif (review := (yield from self._review(job, match))) is None:
            return  # somebody else is at it now
        elif review.moves:
            shown = People(self._server.library).named(match)
            picture = partial(letters.picture, shown, review)
            self._send(job, match, letters.review(shown, review), picture)
        else:
            self._send(job, match, hints.nothing(match))
        robot_jobs.forget(self._store, job)
        yield True

    def _match(self, job: Job) -> Match | None:
        """The board, if the job still is of use."""
        try:
            match = self._server.library.match(job.game, job.board)
        except (CorruptFile, NotFound):
            return None
        return match if job.is_current(match) else None

    def _lease(self, job: Job) -> bool:
        """Whether this process is the one to be at a job for now. (If it is asked for
        again, that is another job.)"""
        claim = " ".join([*map(str, job), robot_jobs.source(self._store, job)])
        return self.leases.take(job, lambda period: f"{claim} {period}")

    def _hint(self, job: Job, match: Match) -> Content:
        """What a robot advises, which is kept for the page of the board."""
        advice = advice_on(self._thinking, match, job.who)
        if advice is None:
            return hints.nothing(match)
        robot_jobs.keep_hint(self._store, match, job.who, advice)
        match = People(self._server.library).with_wish(match, job.who)
        return hints.hint(match, job.who, advice, by_reply=True)

    def _look_at(self, job: Job, match: Match) -> None:
        """What a robot would play in a position that a player tries, kept for the page
        of that position alone."""
        try:
            ply, words = robot_jobs.line(self._store, job)
            start = match.after_ply(ply)
            found = analysed(start, job.who, words)
        except Refused:  # the game has gone another way
            return
        mover = found.mover(job.who)
        advice = advice_on(self._thinking, found.match, mover) if mover else None
        if advice is not None:
            robot_jobs.keep_hint(self._store, start, job.who, advice, words)

    def _review(self, job: Job, match: Match) -> Generator[bool, None, Review | None]:
        """The review of a board, made now if there is none; None if the lease is lost
        meanwhile."""
        review = reviews.find(self._store, match)
        if review is not None:
            return review
        judged = list[Judged]()
        seconds = min(MOVE_SECONDS, MOST_SECONDS / len(match.moves))
        for line in match.moves:
            if not self._lease(job):
                return None
            judged += _judged(self._thinking, match, line, seconds)
            yield False
        review = Review(digest(match), tuple(judged))
        if judged:
            reviews.save(self._store, match, review)
        return review

    def _send(
        self,
        job: Job,
        match: Match,
        said: Content,
        picture: Callable[[str], Attachment] | None = None,
    ) -> None:
        """Send the letter to the player who has asked, if they have an address, with a
        `picture` in their language. Raises CannotSend; then the job begins again
        later."""
        player = self._server.library.player(job.who)
        if player is None or not player.addresses:
            return
        code = player.language_at(self._server.now())
        subject = _SUBJECTS[job.kind].of(board=match.record.name)
        source = robot_jobs.source(self._store, job)
        mark = re.sub("[^a-z0-9]", "", source) or job.kind
        letter = Letter(
            key=f"{job.kind}.{job.game}.{job.board}.{job.who}.{mark}",
            to=player.addresses,
            subject=in_words(subject, code),
            content=spoken(said, code),
            attachments=(picture(code),) if picture else (),
            once=True,
            language=code,
        )
        library, has_pages = self._server.library, bool(self._server.web)
        writer = Writer(match, Sources.of(library, People(library), has_pages))
        letter = writer.shown(letter, player, mark)
        for why in self._server.delivery.send([letter]).values():
            raise CannotSend(why)


_SUBJECTS = {HINT: hints.SUBJECT, REVIEW: letters.SUBJECT}


def advice_on(thinking: Thinking, match: Match, who: str) -> Advice | None:
    """What a robot would play in a player's place; None if it finds nothing, of which
    the owner is told."""
    mind = _mind(thinking, match, who)

    def think(budget: Budget) -> tuple[str, ...]:
        found = mind.analyse(budget)
        second = [found.second, str(found.second_reason)] if found.second else []
        return found.move, str(found.reason), *second

    found = _thought(thinking, f"a hint on {match.record.name}", think, HINT_SECONDS)
    return None if found is None else robot_jobs.advice(match, *found)


def _judged(
    thinking: Thinking, match: Match, line: int, seconds: float
) -> list[Judged]:
    """The move in a line of the log, unless no robot can judge it."""
    made = match.record.log[line]
    mind = _mind(thinking, match.at(line - 1), made.who)

    def think(budget: Budget) -> tuple[str, float, list[float]]:
        found = mind.analyse(budget, str(made.action))
        chances = mind.chances(found.forecast.chance, budget)
        return found.move, found.given_away, chances

    found = _thought(thinking, f"{match.record.name}, move {made.no}", think, seconds)
    if found is None:
        return []
    move, given_away, chances = found
    return [Judged(line, move, given_away, (*chances,))]


def _mind(thinking: Thinking, match: Match, who: str) -> Mind:
    return Mind(match, who, thinking.server.library.key, "lesson")


def _thought(
    thinking: Thinking, what: str, think: Callable[[Budget], object], seconds: float
) -> list[Any] | None:
    """What a function finds in a process of low priority; without a budget where it
    fails with one, and None where it fails again. The owner is told."""

    def said(budget: Budget) -> str:
        lower_priority()
        return json.dumps(think(budget))

    for budget in (seconds, 0.0):
        try:
            found: list[Any] = json.loads(thinking.result(said, budget))
            return found
        except CannotThink as error:
            thinking.tell_owner(what, error)
    return None
