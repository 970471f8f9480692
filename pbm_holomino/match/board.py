"""A match: a board's record, and its replay step by step."""

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from pbm_holomino.draw.text import Drawn
from pbm_holomino.errors import NotFound
from pbm_holomino.languages import sentence
from pbm_holomino.match.record import (
    CLOSED,
    DROPPED,
    OPEN,
    PRIVATE,
    QUEUED,
    ROBOT,
    Act,
    Key,
    Line,
    Record,
)
from pbm_holomino.match.vacations import Vacations
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.rules.chance import Draws
from pbm_holomino.rules.contract import (
    AnyGame,
    Drawing,
    Due,
    Event,
    State,
    View,
    without_moves,
)

if TYPE_CHECKING:
    from pbm_holomino.match.hashed_log import HashedLog

_NO_MOVE_SO_FAR = sentence("{board} has no move {ply} yet: the last is move {last}.")
_NO_MOVE_AT_ALL = sentence("{board} has no move {ply} yet: no move has been made.")

SCORE = "score"  # the reason of a result by the game's own rules


class Result(NamedTuple):
    """How a match ended: all players who share first place, and why."""

    winners: tuple[str, ...]
    reason: str


class Offer(NamedTuple):
    """An open offer of a player, a `draw`, a `pause` of so many days or an `undo`, and
    who has accepted it."""

    kind: str
    who: str
    accepted: tuple[str, ...] = ()
    days: int = 0


class Clocks(NamedTuple):
    """The clocks of players after a line of the log, in seconds: see
    `match.clocks`."""

    banks: Mapping[str, int]  # what players had when their last turn began or ended
    running: Mapping[str, str] = {}  # whose clocks run, and since when
    added: tuple[int, ...] = ()  # by each of the moves that count
    asked: tuple[str, ...] = ()  # those who have not answered the challenge
    away: Mapping[str, Vacations] = {}  # what the log says of vacations
    outages: Mapping[str, Vacations] = {}  # and of outages


class Step(NamedTuple):
    """What a line of the log did."""

    state: State  # after it
    ply: int  # the number of moves by then
    events: tuple[Event, ...] = ()
    told: str = ""  # its move as everybody may read it until its secret is revealed
    result: Result | None = None
    offer: Offer | None = None
    # Carried on from the steps before it, so that no act searches the log:
    moves: tuple[int, ...] = ()  # the indices of the lines whose moves count
    gone: Mapping[str, Act] = {}  # who has dropped out, in order, and by which act
    dropped: int = 0  # the index of the last line by which a player dropped out
    revealed: int = 0  # the index of the last line that revealed something
    pauses: Vacations = ()  # in which the board waited for nobody
    clocks: Clocks | None = None  # if the board has any

    def following(self, before: "Step", line: Line, index: int) -> "Step":
        """The step of the line with this index, with what earlier steps pass on."""
        moves = before.moves[: self.ply]
        if self.ply > before.ply:
            moves = (*moves, index)
        step = self._replace(
            moves=moves,
            gone=before.gone,
            dropped=before.dropped,
            revealed=before.revealed,
            pauses=self.pauses or before.pauses,
        )
        if self.ply > before.ply and line.time:  # a move ends the pause
            pauses = [v._replace(until=min(v.until, line.time)) for v in step.pauses]
            step = step._replace(pauses=pauses)
        if line.action in DROPPED:
            gone = {**step.gone, line.who: Act(line.action)}
            step = step._replace(gone=gone, dropped=index)
        if any(event.reveals for event in step.events):
            step = step._replace(revealed=index)
        return step


class Public:
    """What everybody may see of a board: the view, its picture, and the log. Each is
    worked out when it is first needed, and then is there for the file, all letters and
    their tokens. The log goes on `after` an earlier one. The
    `record` is as it is kept, even where some players are not named any more."""

    def __init__(
        self, record: Record, steps: Sequence[Step], after: "Public | None" = None
    ) -> None:
        self.record, self._steps = record, steps
        self._log: HashedLog | None = after._log if after else None
        self.revision = ""  # of its pages: the first of them finds it

    @cached_property
    def view(self) -> View:
        return _view(self.record.rules, self._steps[-1], None)

    @cached_property
    def picture(self) -> Drawn:
        return Drawn(self.view.drawing)

    @property
    def log(self) -> "HashedLog":
        from pbm_holomino.match.hashed_log import HashedLog  # only letters need it

        hashed = self._log or HashedLog()
        log, places = self.record.log, len(hashed.places)
        if places < len(log):
            more = zip(log[places:], self._steps[places:], strict=True)
            told = ((line, _as_told(line, step)) for line, step in more)
            hashed = self._log = hashed.with_lines(told)
        return hashed

    def __eq__(self, other: object) -> bool:
        """It follows from the rest of a match, and so tells no two apart."""
        return isinstance(other, Public)


class Match(NamedTuple):
    """A record and its replay. While it is an open challenge, some of its seats are not
    taken, and its steps have no state (see `match.open_challenge`). What accounts say
    changes nothing that is saved, but vacations change what is due."""

    record: Record
    steps: Sequence[Step]  # one for each line of the log
    public: Public
    previewed: bool = False  # the last lines have not been played
    away: Mapping[str, Vacations] = {}  # of its players, if the accounts were asked
    unreached: Collection[str] = ()  # those whom letters do not reach, then, too
    wanting_all: Collection[str] = ()  # those who want all moves proposed, then, too

    @property
    def key(self) -> Key:
        """Where it is kept."""
        return self.record.key

    @property
    def log(self) -> Sequence[Line]:
        return self.record.log

    @property
    def seated(self) -> tuple[str, ...]:
        """Those who have a seat: of an open challenge, who opened it and the takers."""
        record = self.record
        return record.players if self.has_begun else (record.challenger, *record.takers)

    @property
    def has_begun(self) -> bool:
        """Whether all its seats are taken, so that it can be played."""
        return self.steps[-1].state is not None

    @property
    def rules(self) -> AnyGame:
        return self.record.rules

    @property
    def state(self) -> State:
        return self.steps[-1].state

    @property
    def ply(self) -> int:
        return self.steps[-1].ply

    @property
    def result(self) -> Result | None:
        return self.steps[-1].result

    @property
    def shows_seed(self) -> bool:
        """Whether everybody may know the seed: the game is really over."""
        return self.result is not None and not self.previewed

    @property
    def status(self) -> str:
        """`active`, `over` or `void`; of an open challenge, `open` or `closed`."""
        if not self.has_begun:
            return CLOSED if self.record.ended else OPEN
        if self.result is None:
            return "active"
        return "over" if self.result.winners else "void"

    @property
    def turn(self) -> tuple[str, ...]:
        """The players whose turn it is."""
        return self.turn_at(-1) if self.has_begun else ()

    @property
    def due(self) -> Due:
        """What comes before the next move: nothing, unless the board is previewed."""
        return self.rules.due(self.state)

    def turn_at(self, index: int) -> tuple[str, ...]:
        """The players whose turn it was after the log's line with this index."""
        step = self.steps[index]
        if step.result is not None:
            return ()
        return tuple(self.record.players[s] for s in self.rules.to_move(step.state))

    def turn_began(self, who: str) -> int:
        """The index of the line after which a player's present turn began."""
        first, began = len(self.steps) - 1, self.record.began
        while (
            first > began
            and who in self.turn_at(first - 1)
            and not self._anew(first, who)
        ):
            first -= 1
        return first

    def _anew(self, index: int, who: str) -> bool:
        """Whether a line ends this player's turn, even if the next is theirs too."""
        line = self.record.log[index]
        return (line.who == who and line.no is not None) or self.took_back(index)

    @property
    def scores(self) -> dict[str, int]:
        """The points of each player."""
        return dict(zip(self.record.players, self.state.scores, strict=True))

    def view(self, reader: str | None) -> View:
        """What this player may see; for None, what everybody may see."""
        players = self.record.players
        if reader is None or reader not in players or not self.rules.SECRETS:
            return self.public.view  # without secrets all readers see the same
        return _view(self.rules, self.steps[-1], players.index(reader))

    def picture(self, drawing: Drawing) -> Drawn:
        """A drawing of this board as text."""
        picture = self.public.picture
        return picture if picture.drawing == drawing else Drawn(drawing)

    def at(self, index: int) -> "Match":
        """The match as it was after the log's line with this index."""
        end = index + 1
        if end == len(self.steps):
            return self  # the usual case
        record, steps = self.record.until(end), self.steps[:end]
        return self._replace(record=record, steps=steps, public=Public(record, steps))

    def after_ply(self, ply: int) -> "Match":
        """The match as it was after this move. Raises NotFound."""
        for index in range(len(self.steps) - 1, -1, -1):
            if self.steps[index].ply == ply <= self.ply:
                return self.at(index)
        said = _NO_MOVE_SO_FAR if self.ply else _NO_MOVE_AT_ALL
        raise NotFound(said.of(board=self.record.name, ply=ply, last=self.ply))

    def public_log(self) -> dict[int, Line]:
        """The log as everybody may read it, each line by its index in the whole log."""
        log = self.record.log
        public = (i for i, line in enumerate(log) if line.action not in PRIVATE)
        return {index: self.public_line(index) for index in public}

    @property
    def said(self) -> dict[int, str]:
        """What players said to all others, by the indices of the lines of the log."""
        record = self.record
        return {
            index: note
            for index, note in record.notes.items()
            if note and record.log[index].action not in PRIVATE
        }

    def public_line(self, index: int) -> Line:
        """A line of the log without what is still secret."""
        is_over = self.result is not None
        return self.record.log[index] if is_over else self.told_line(index)

    def told_line(self, index: int) -> Line:
        """A line of the log as everybody was told of it when it came. It never
        changes, even when its secret part is revealed."""
        return _as_told(self.record.log[index], self.steps[index])

    def last_known(self, index: int, reader: str | None) -> int:
        """The index of the last line up to this one that a reader may know of: only the
        player who plans something knows that there is such a line."""
        log = self.record.log
        while not _may_know(log[index], reader):
            index -= 1
        return index

    def known_by(self, reader: str | None) -> Sequence[int]:
        """For each line, the index of the line by which a reader knows of the letter
        about it: the first that it covers and they may know of, otherwise the last
        before it. All at once, as a log may hold thousands of plans in a row."""
        log = self.record.log
        readable = [i for i, line in enumerate(log) if _may_know(line, reader)]
        telling = list[int]()
        for before, after in pairwise((*readable, len(log))):
            rest = range(before + 1, after)
            telling += [before, *(self._told_by(i, before, after) for i in rest)]
        return telling

    def _told_by(self, index: int, before: int, after: int) -> int:
        """The line by which a reader knows of one that they may not know of: that after
        it, if the letter covers both, or that before it."""
        return after if after <= self.last_told(index) else before

    def is_secret(self, index: int) -> bool:
        """Whether only its player is told of a line of the log: a plan by which nothing
        was played at once."""
        log = self.record.log
        if log[index].action not in PRIVATE:
            return False
        covered = log[index : self.last_told(index) + 1]
        return all(line.action in PRIVATE for line in covered)

    def took_back(self, index: int) -> bool:
        """Whether this line of the log took moves back."""
        return index > 0 and self.steps[index].ply < self.steps[index - 1].ply

    def last_told(self, index: int) -> int:
        """The index of the last line that the letter about this one covers: the queued
        moves right after a line were made in the same moment. Before a board began
        there was nothing to show."""
        last, index = len(self.record.log) - 1, max(index, self.record.began)
        while index < last and self.is_told_before(index + 1):
            index += 1
        return index

    def first_told(self, index: int) -> int:
        """The index of the first line that the letter about this one covers: a robot
        answers within moments, so that the letter about its line also tells what it
        answers. A letter about the beginning of a board is never left out."""
        first, log = index, self.record.log
        if not self.record.robots or log[index].source not in (ROBOT, QUEUED):
            return first
        while first > self.record.began and (
            log[first].source in (ROBOT, QUEUED) or self.is_secret(first)
        ):
            first -= 1
        return max(first, min(index, self.record.began + 1))

    def authors(self, index: int) -> set[str]:
        """Who made the lines up to this one that the letter about it covers."""
        return {
            line.who for line in self.record.log[self.first_told(index) : index + 1]
        }

    def last_answer(self, index: int) -> int:
        """The index of the last line, this one or a robot's, the letter about which
        covers this one."""
        last = index
        for later in range(index + 1, len(self.record.log)):
            if self.first_told(later) <= index:
                last = later
            elif not self.is_secret(later):
                break
        while last > index and self.is_told_before(last):
            last -= 1
        return last

    def is_told_before(self, index: int) -> bool:
        """Whether the letter about an earlier line covers this one: a queued move, or
        one more player who ran out of time at the same moment."""
        log = self.record.log
        if log[index].source == QUEUED:
            return True
        if log[index].action is not Act.FORFEIT:
            return False
        before = index - 1
        while log[before].source == QUEUED or log[before].action is Act.EXCUSED:
            before -= 1
        made = log[before]
        return made.action is Act.FORFEIT and made.time == log[index].time

    @property
    def moves(self) -> tuple[int, ...]:
        """The indices of the lines whose moves count: all but those taken back."""
        return self.steps[-1].moves

    @property
    def offer(self) -> Offer | None:
        """The open offer, if any."""
        return self.steps[-1].offer

    @property
    def pauses(self) -> Vacations:
        """The times in which the board waited for nobody, by agreement."""
        return self.steps[-1].pauses

    @property
    def gone(self) -> Mapping[str, Act]:
        """The players who have dropped out, in order, and by which act."""
        return self.steps[-1].gone

    @property
    def robots_asked(self) -> tuple[str, ...]:
        """The robots that have an offer to answer."""
        robots, offer = self.record.robots, self.offer
        if not robots or offer is None or self.result is not None:
            return ()
        answered = (offer.who, *offer.accepted, *self.gone)
        return tuple(robot for robot in robots if robot not in answered)

    @property
    def robots_due(self) -> tuple[str, ...]:
        """The robots that have something to do: to answer an offer, or else to move."""
        robots = self.record.robots
        if not robots:
            return ()
        return self.robots_asked or tuple(who for who in self.turn if who in robots)

    def move_numbers(self) -> range:
        """The numbers that the next move may have: one, or as many as there are players
        who move at the same time in this phase."""
        first, to_move = len(self.steps) - 1, self.rules.to_move
        while first > self.record.began:
            before, then = self.steps[first - 1], self.steps[first]
            if before.ply != then.ply and len(to_move(before.state)) < 2:
                break
            first -= 1
        begun = self.steps[first]
        return range(begun.ply + 1, begun.ply + 1 + max(1, len(to_move(begun.state))))


def _as_told(line: Line, step: Step) -> Line:
    """A line as everybody was told of it."""
    is_as_told = step.told in ("", line.action)
    return line if is_as_told else line._replace(action=step.told)


def _view(rules: AnyGame, step: Step, seat: int | None) -> View:
    """What this seat may see after a step; for None, what everybody may see."""
    view = rules.view(step.state, seat)
    # a player who resigned leaves a position where somebody could have moved
    return view if step.result is None else without_moves(view)


def places(match: Match) -> dict[str, int]:
    """The final place of each player; empty for a match that is not over. All winners
    share first place; the others follow by points; players who dropped out come last,
    the first of them lowest. After a shared place, the next ones stay empty."""
    if match.status != "over":
        return {}
    standing = {player: _standing(match, player) for player in match.record.players}
    return {
        player: 1 + sum(other < own for other in standing.values())
        for player, own in standing.items()
    }


def _standing(match: Match, player: str) -> tuple[int, int]:
    """A sort key for final places: smaller is better."""
    if match.result is not None and player in match.result.winners:
        return 0, 0
    if player in match.gone:
        return 2, -list(match.gone).index(player)
    score = match.scores[player]
    return 1, match.rules.SCORING.rank(score)


def _may_know(line: Line, reader: str | None) -> bool:
    """Whether a reader may know that there is such a line."""
    return line.action not in PRIVATE or line.who == reader


def settled(record: Record, step: Step, chance: Draws) -> Step:
    """The step with every draw and skip that is now due."""
    state, events = record.rules.settle(step.state, chance)
    result = outcome(record, state)
    return step._replace(state=state, events=step.events + events, result=result)


def outcome(record: Record, state: State) -> Result | None:
    """The result of a state, if the game is over by its own rules."""
    winners = record.rules.outcome(state)
    if winners is None:
        return None
    return Result(tuple(record.players[seat] for seat in winners), SCORE)
